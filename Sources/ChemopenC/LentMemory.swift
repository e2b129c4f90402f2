// The names are those of chemopen.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Glibc

/// Memory that is lent to the caller. It stays where it is until it is filled anew.
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

    /// The first element. Never null once there is room, so that nothing is lent as something.
    var pointer: UnsafePointer<Element>? { unsafe UnsafePointer(start) }

    /// Forgets what is there and makes room for so many elements.
    mutating func empty(for room: Int) {
        count = 0
        if room < capacity { return }
        unsafe start?.deallocate()
        capacity = max(16, room + 1, min(capacity * 2, room + 1 << 20))
        unsafe start = .allocate(capacity: capacity)
    }

    /// Appends an element; what there is no room for is left out.
    mutating func append(_ element: Element) {
        guard count < capacity, let start = unsafe start else { return }
        unsafe (start + count).initialize(to: element)
        count += 1
    }

    /// Appends elements in one copy of memory; what there is no room for is left out.
    mutating func append(_ elements: Span<Element>) {
        guard capacity - count >= elements.count, let start = unsafe start else { return }
        unsafe elements.withUnsafeBufferPointer { source in
            if let first = source.baseAddress {
                unsafe (start + count).initialize(from: first, count: elements.count)
            }
        }
        count += elements.count
    }

    /// Where an element stands.
    func pointer(to place: Int) -> UnsafePointer<Element>? {
        guard let start = unsafe start else { return nil }
        return unsafe UnsafePointer(start + place)
    }
}

/// Text that is lent to the caller, with a zero byte behind it.
@safe
struct LentText: ~Copyable {
    private var memory = LentMemory<UInt8>()

    /// Takes other bytes.
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

    /// How many bytes there are before the zero byte.
    var count: Int { max(0, memory.count - 1) }
}

/// Text that is there for ever: names of formats, of features, of types.
func immortal(_ text: String) -> UnsafePointer<CChar> {
    let bytes = Array(text.utf8)
    let place = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
    for (index, byte) in bytes.enumerated() { unsafe place[index] = CChar(bitPattern: byte) }
    unsafe place[bytes.count] = 0
    return unsafe UnsafePointer(place)
}

/// The bytes of a text that the caller gives with its length; `nil` where that cannot be.
func bytes(_ start: UnsafePointer<CChar>?, _ length: Int) -> [UInt8]? {
    if length == 0 { return [] }
    guard length > 0, let start = unsafe start else { return nil }
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: length))
}

/// The bytes of a text that ends in a zero byte; `nil` where there is none.
func bytes(_ text: UnsafePointer<CChar>?) -> [UInt8]? {
    guard let text = unsafe text else { return nil }
    return unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
}

/// A text that ends in a zero byte, as text; `nil` where there is none.
func string(_ text: UnsafePointer<CChar>?) -> String? {
    guard let bytes = unsafe bytes(text) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
}

/// Things that the caller gives one behind the other; none where there is no pointer.
@safe
struct Given<Thing> {
    private let first: UnsafePointer<Thing>?
    let indices: Range<Int>

    init(_ first: UnsafePointer<Thing>?, _ count: Int) {
        unsafe self.first = unsafe first
        indices = unsafe 0..<(first == nil ? 0 : max(0, count))
    }

    subscript(index: Int) -> Thing? {
        guard indices.contains(index), let first = unsafe first else { return nil }
        return unsafe first[index]
    }
}

/// Structures of the caller that begin with their size.
protocol Sized {
    init()
    var struct_size: Int { get set }
}

/// The options that a caller gives, which may be longer than this library knows them. The usual ones where there are none,
/// `nil` where the size is that of no version: a part of a structure would be read as a whole one. Likewise where an
/// option is set that this library does not know.
func given<Options: Sized>(_ options: UnsafePointer<Options>?) -> Options? {
    var taken = Options()
    guard let options = unsafe options else { return taken }
    let size = unsafe options.pointee.struct_size
    guard isSound(size, Options.self) else { return nil }
    // An option that this library does not know, and that is set, would be ignored.
    let known = MemoryLayout<Options>.size
    let rest = unsafe UnsafeRawBufferPointer(start: UnsafeRawPointer(options) + known, count: size - known)
    guard unsafe rest.allSatisfy({ $0 == 0 }) else { return nil }
    taken = unsafe options.pointee
    return taken
}

/// Whether a structure of the caller's is of this version or of a later one, which is longer.
private func isSound<Structure>(_ size: Int, _ kind: Structure.Type) -> Bool {
    (MemoryLayout<Structure>.size...4096).contains(size)
}

/// Fills a structure of the caller's in. `false` where the size is that of no version.
func fill<Result: Sized>(_ place: UnsafeMutablePointer<Result>?, with result: Result) -> Bool {
    guard let place = unsafe place else { return false }
    let size = unsafe place.pointee.struct_size
    guard isSound(size, Result.self) else { return false }
    unsafe place.pointee = result
    unsafe place.pointee.struct_size = size
    return true
}
