// The function names follow chemopen.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CChemopen
import Chemopen

/// The formats as C structures, created once.
@safe
enum FormatTable {
    private nonisolated(unsafe) static let entries: UnsafeBufferPointer<chemopen_format> = unsafe make()

    private static func make() -> UnsafeBufferPointer<chemopen_format> {
        let formats = FormatRegistry.standard.all
        let place = UnsafeMutableBufferPointer<chemopen_format>.allocate(capacity: formats.count)
        for (index, format) in formats.enumerated() {
            var entry = unsafe chemopen_format()
            unsafe entry.id = unsafe immortal(format.id)
            unsafe entry.name = unsafe immortal(format.name)
            unsafe entry.mime_type = unsafe immortal(format.mimeTypes.first ?? "")
            unsafe entry.extension = unsafe immortal(format.extensions.first ?? "")
            unsafe entry.is_read = format.makeReader == nil ? 0 : 1
            unsafe entry.is_written = format.isWritable ? 1 : 0
            unsafe place.initializeElement(at: index, to: entry)
        }
        return UnsafeBufferPointer(place)
    }

    static var all: UnsafeBufferPointer<chemopen_format> { unsafe entries }

    static func entry(of format: Format) -> UnsafePointer<chemopen_format>? {
        let formats = FormatRegistry.standard.all
        guard let index = formats.firstIndex(where: { $0.id == format.id }), let first = unsafe entries.baseAddress
        else {
            return nil
        }
        return unsafe first + index
    }
}

extension Format {
    /// Returns the format with the caller's ID: `.some(nil)` if the ID is null, and `nil` if there is no such format.
    static func named(_ id: UnsafePointer<CChar>?) -> Format?? {
        guard let id = unsafe string(id) else { return .some(nil) }
        guard let format = FormatRegistry.standard[id] else { return nil }
        return format
    }
}

extension CharacterEncoding {
    /// Returns the encoding that the caller specifies, or `nil` if the name is null.
    static func given(_ name: UnsafePointer<CChar>?) throws(CallError) -> CharacterEncoding? {
        guard let name = unsafe string(name) else { return nil }
        if let encoding = CharacterEncoding(name) { return encoding }
        throw CallError(CHEMOPEN_UNSUPPORTED, CharacterEncoding.complaint(about: name))
    }
}

@c @implementation
public func chemopen_formats(
    _ formats: UnsafeMutablePointer<UnsafePointer<chemopen_format>?>?, _ count: UnsafeMutablePointer<Int>?
) -> chemopen_status {
    guard let formats = unsafe formats, let count = unsafe count else { return CHEMOPEN_MISUSE }
    unsafe formats.pointee = unsafe FormatTable.all.baseAddress
    unsafe count.pointee = unsafe FormatTable.all.count
    return CHEMOPEN_OK
}

@c @implementation
public func chemopen_version(_ version: UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> chemopen_status {
    unsafe lend("0.1.0", to: version)
}

@c @implementation
public func chemopen_status_text(
    _ status: chemopen_status, _ text: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> chemopen_status {
    switch status {
    case CHEMOPEN_OK: unsafe lend("done", to: text)
    case CHEMOPEN_END: unsafe lend("there are no more records", to: text)
    case CHEMOPEN_BAD_RECORD: unsafe lend("the record cannot be read", to: text)
    case CHEMOPEN_ABSENT: unsafe lend("the requested item does not exist", to: text)
    case CHEMOPEN_STOPPED: unsafe lend("stopped; no output was written", to: text)
    case CHEMOPEN_MISUSE: unsafe lend("the call is not valid", to: text)
    case CHEMOPEN_FILE: unsafe lend("the file cannot be read", to: text)
    case CHEMOPEN_UNKNOWN: unsafe lend("unknown file format", to: text)
    case CHEMOPEN_UNSUPPORTED: unsafe lend("the format does not support this", to: text)
    case CHEMOPEN_OUTPUT: unsafe lend("the output cannot be written", to: text)
    default: unsafe lend("unknown status", to: text)
    }
}

/// Returns a string literal, which is valid forever.
private func lend(_ literal: StaticString, to place: UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> chemopen_status {
    guard let place = unsafe place else { return CHEMOPEN_MISUSE }
    unsafe place.pointee = unsafe UnsafeRawPointer(literal.utf8Start).assumingMemoryBound(to: CChar.self)
    return CHEMOPEN_OK
}

/// The symbols of all elements by their numbers.
@safe
private enum SymbolTable {
    nonisolated(unsafe) static let symbols: [UnsafePointer<CChar>] = unsafe (0...118).map {
        unsafe immortal(ChemicalElement(rawValue: $0)?.symbol ?? "")
    }
}

@c @implementation
public func chemopen_element_symbol(
    _ number: Int32, _ symbol: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> chemopen_status {
    guard let symbol = unsafe symbol else { return CHEMOPEN_MISUSE }
    unsafe symbol.pointee = nil
    guard (1...118).contains(number) else { return CHEMOPEN_ABSENT }
    unsafe symbol.pointee = unsafe SymbolTable.symbols[Int(number)]
    return CHEMOPEN_OK
}

@c @implementation
public func chemopen_utf8(
    _ text: UnsafePointer<CChar>?, _ length: Int, _ out: UnsafeMutablePointer<CChar>?, _ room: Int,
    _ needed: UnsafeMutablePointer<Int>?
) -> chemopen_status {
    guard let needed = unsafe needed, let bytes = unsafe bytes(text, length), room >= 0 else { return CHEMOPEN_MISUSE }
    let decoded = utf8(bytes.span)
    unsafe needed.pointee = decoded.count
    if room == 0 { return CHEMOPEN_OK }
    guard let out = unsafe out else { return CHEMOPEN_MISUSE }
    var end = min(room, decoded.count)
    while end > 0, end < decoded.count, decoded[end] & 0xC0 == 0x80 { end -= 1 }
    for index in 0..<end { unsafe out[index] = CChar(bitPattern: decoded[index]) }
    return CHEMOPEN_OK
}

/// Converts bytes to UTF-8. Bytes that are not valid UTF-8 are decoded as Windows-1252.
func utf8(_ bytes: Span<UInt8>) -> [UInt8] {
    var copy: [UInt8] = []
    copy.append(copying: bytes)
    return isASCII(bytes) || isUTF8(bytes) ? copy : Array(Text(bytes: copy).string.utf8)
}
