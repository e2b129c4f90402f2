// The function names follow chemopen.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CChemopen
import Chemopen
import Glibc

/// Memory lent to the caller. It does not move until it is filled again.
@safe
struct LentMemory<Element: BitwiseCopyable>: ~Copyable {
    private var start: UnsafeMutablePointer<Element>?
    private var capacity = 0
    private(set) var count = 0

    init() {
        unsafe start = nil
    }

    deinit {
        unsafe start?.deallocate()
    }

    /// The first element. It is not null once memory is allocated, so an empty list differs from a missing one.
    var pointer: UnsafePointer<Element>? { unsafe UnsafePointer(start) }

    /// Removes all elements and allocates space for `room` elements.
    mutating func empty(for room: Int) {
        count = 0
        if room < capacity { return }
        unsafe start?.deallocate()
        capacity = max(16, room + 1, min(capacity * 2, room + 1 << 20))
        unsafe start = .allocate(capacity: capacity)
    }

    /// Appends an element. Ignored if there is no space.
    mutating func append(_ element: Element) {
        guard count < capacity, let start = unsafe start else { return }
        unsafe (start + count).initialize(to: element)
        count += 1
    }

    /// Appends elements with a single copy. Ignored if there is not enough space.
    mutating func append(_ elements: Span<Element>) {
        guard capacity - count >= elements.count, let start = unsafe start else { return }
        unsafe elements.withUnsafeBufferPointer { source in
            if let first = source.baseAddress {
                unsafe (start + count).initialize(from: first, count: elements.count)
            }
        }
        count += elements.count
    }

    /// Returns a pointer to an element.
    func pointer(to place: Int) -> UnsafePointer<Element>? {
        guard let start = unsafe start else { return nil }
        return unsafe UnsafePointer(start + place)
    }
}

/// Text lent to the caller, followed by a zero byte.
@safe
struct LentText: ~Copyable {
    private var memory = LentMemory<UInt8>()

    /// Replaces the text.
    mutating func set(_ bytes: Span<UInt8>) {
        memory.empty(for: bytes.count + 1)
        memory.append(bytes)
        memory.append(0)
    }

    mutating func set(_ text: String) {
        let bytes = Array(text.utf8)
        set(bytes.span)
    }

    var pointer: UnsafePointer<CChar>? {
        guard let pointer = unsafe memory.pointer else { return nil }
        return unsafe UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self)
    }

    /// The number of bytes before the zero byte.
    var count: Int { max(0, memory.count - 1) }
}

/// The names of columns, lent to the caller. All records that a reader reads share them.
@safe
final class LentNames {
    let columns: [Column]
    private var text = LentText()
    private var starts: [Int] = []

    init(_ columns: [Column]) {
        self.columns = columns
        var bytes: [UInt8] = []
        for column in columns {
            starts.append(bytes.count)
            bytes += column.name.bytes
        }
        text.set(bytes.span)
    }

    /// Returns the name of a column; it is empty if the column does not exist.
    func name(of column: Int) -> chemopen_text {
        guard starts.indices.contains(column) else { return unsafe chemopen_text() }
        return unsafe chemopen_text(
            bytes: text.pointer.map { unsafe $0 + starts[column] }, length: columns[column].name.bytes.count)
    }
}

/// Allocates text that is never freed: names of formats, features and types.
func immortal(_ text: String) -> UnsafePointer<CChar> {
    let bytes = Array(text.utf8)
    let place = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
    for (index, byte) in bytes.enumerated() { unsafe place[index] = CChar(bitPattern: byte) }
    unsafe place[bytes.count] = 0
    return unsafe UnsafePointer(place)
}

/// Returns the bytes of the caller's text with a given length, or `nil` if pointer and length are not valid.
func bytes(_ start: UnsafePointer<CChar>?, _ length: Int) -> [UInt8]? {
    if length == 0 { return [] }
    guard length > 0, let start = unsafe start else { return nil }
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: length))
}

/// Returns the bytes of a null-terminated text, or `nil` if the pointer is null.
func bytes(_ text: UnsafePointer<CChar>?) -> [UInt8]? {
    guard let text = unsafe text else { return nil }
    return unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
}

/// Decodes a null-terminated text. Returns `nil` if the pointer is null.
func string(_ text: UnsafePointer<CChar>?) -> String? {
    guard let bytes = unsafe bytes(text) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
}

/// An array of the caller. It is empty if the pointer is null.
@safe
struct Given<Item> {
    private let first: UnsafePointer<Item>?
    let indices: Range<Int>

    init(_ first: UnsafePointer<Item>?, _ count: Int) {
        unsafe self.first = unsafe first
        indices = unsafe 0..<(first == nil ? 0 : max(0, count))
    }

    subscript(index: Int) -> Item? {
        guard indices.contains(index), let first = unsafe first else { return nil }
        return unsafe first[index]
    }
}

/// A structure of the caller that starts with its size.
protocol Sized {
    init()
    var struct_size: Int { get set }
    /// The sizes of the structure in earlier versions, which had fewer members.
    static var earlierSizes: [Int] { get }
}

extension Sized {
    @safe static var earlierSizes: [Int] { [] }
}

/// Returns the caller's options, whose structure may be larger than this library's version. Returns the defaults if the
/// pointer is null.
///
/// Returns `nil` if the size matches no version, because part of the structure might be missing, or if an option is set
/// that this library does not know.
func given<Options: Sized>(_ options: UnsafePointer<Options>?) -> Options? {
    var taken = Options()
    guard let options = unsafe options else { return taken }
    let size = unsafe options.pointee.struct_size
    guard isSound(size, Options.self) else { return nil }
    let known = MemoryLayout<Options>.size
    if size < known {
        // The members that the caller's version does not have keep their defaults.
        unsafe withUnsafeMutableBytes(of: &taken) { place in
            unsafe place.copyMemory(from: UnsafeRawBufferPointer(start: UnsafeRawPointer(options), count: size))
        }
        return taken
    }
    // Reject unknown options instead of ignoring them.
    let rest = unsafe UnsafeRawBufferPointer(start: UnsafeRawPointer(options) + known, count: size - known)
    guard unsafe rest.allSatisfy({ $0 == 0 }) else { return nil }
    taken = unsafe options.pointee
    return taken
}

/// Returns whether the size of a caller's structure belongs to this version, to an earlier one, or to a later, longer one.
private func isSound<Structure: Sized>(_ size: Int, _ kind: Structure.Type) -> Bool {
    (MemoryLayout<Structure>.size...4096).contains(size) || Structure.earlierSizes.contains(size)
}

/// Fills a structure of the caller. Returns `false` if its size matches no version.
func fill<Result: Sized>(_ place: UnsafeMutablePointer<Result>?, with result: Result) -> Bool {
    guard let place = unsafe place else { return false }
    let size = unsafe place.pointee.struct_size
    guard isSound(size, Result.self) else { return false }
    var result = result
    result.struct_size = size
    unsafe withUnsafeBytes(of: &result) { bytes in
        unsafe UnsafeMutableRawPointer(place).copyMemory(
            from: bytes.baseAddress ?? UnsafeRawPointer(place), byteCount: min(size, bytes.count))
    }
    return true
}
