import CChemopen
import Chemopen

// Reads structures of Arrow's C data interface. The caller guarantees that its pointers are valid; offsets and lengths
// are checked before they are used.

/// The type of a column in the caller's table.
enum ArrowType: Sendable {
    case null
    case integer(bytes: Int, isSigned: Bool)
    case real(bytes: Int)
    case boolean
    /// Text or bytes, with offsets of 4 or 8 bytes.
    case text(offsetBytes: Int)
    /// Text as 16-byte views.
    case view
    indirect case list(offsetBytes: Int, ArrowType)
    /// A number of units since 1970: days, or fractions of a second.
    case date, dateTime
    case time(unitsPerSecond: Int, isUTC: Bool)
    indirect case dictionary(indexBytes: Int, isSigned: Bool, ArrowType)

    /// The maximum depth of nested types.
    private static let mostLevels = 4

    /// Returns the type of a column, or `nil` if it is not supported.
    init?(_ schema: ArrowSchema, level: Int = 0) {
        guard level < Self.mostLevels, let format = unsafe string(schema.format) else { return nil }
        if let values = unsafe schema.dictionary?.pointee {
            guard let index = Self.plain[format], case .integer(let bytes, let isSigned) = index,
                let type = unsafe ArrowType(values, level: level + 1)
            else { return nil }
            self = .dictionary(indexBytes: bytes, isSigned: isSigned, type)
            return
        }
        if let plain = Self.plain[format] {
            self = plain
            return
        }
        switch format {
        case "+l", "+L":
            guard unsafe schema.n_children == 1, let child = unsafe schema.children?.pointee?.pointee,
                let type = unsafe ArrowType(child, level: level + 1)
            else { return nil }
            self = .list(offsetBytes: format == "+l" ? 4 : 8, type)
        default:
            guard format.hasPrefix("ts"), let unit = Array(format.utf8).dropFirst(2).first,
                let units = Self.units[unit]
            else { return nil }
            self = .time(unitsPerSecond: units, isUTC: format.utf8.count > 4)
        }
    }

    private static let units: [UInt8: Int] = [
        UInt8(ascii: "s"): 1, UInt8(ascii: "m"): 1000, UInt8(ascii: "u"): 1_000_000, UInt8(ascii: "n"): 1_000_000_000,
    ]

    /// The types by their format strings.
    private static let plain: [String: ArrowType] = [
        "n": .null, "b": .boolean, "f": .real(bytes: 4), "g": .real(bytes: 8),
        "c": .integer(bytes: 1, isSigned: true), "C": .integer(bytes: 1, isSigned: false),
        "s": .integer(bytes: 2, isSigned: true), "S": .integer(bytes: 2, isSigned: false),
        "i": .integer(bytes: 4, isSigned: true), "I": .integer(bytes: 4, isSigned: false),
        "l": .integer(bytes: 8, isSigned: true), "L": .integer(bytes: 8, isSigned: false),
        "u": .text(offsetBytes: 4), "z": .text(offsetBytes: 4), "U": .text(offsetBytes: 8),
        "Z": .text(offsetBytes: 8), "vu": .view, "vz": .view, "tdD": .date, "tdm": .dateTime,
    ]

    /// The minimum number of buffers in an array of this type.
    var bufferCount: Int {
        switch self {
        case .null: 0
        case .text: 3
        default: 2
        }
    }
}

/// A column in a batch of the caller's table.
@safe
struct ArrowValues {
    private let array: ArrowArray
    private let type: ArrowType

    /// Returns `nil` if the array does not have the parts of its type.
    init?(_ array: ArrowArray, _ type: ArrowType) {
        unsafe self.array = unsafe array
        self.type = type
        guard unsafe array.length >= 0, unsafe array.offset >= 0, unsafe Int(array.n_buffers) >= type.bufferCount,
            unsafe array.n_buffers == 0 || array.buffers != nil
        else { return nil }
        switch type {
        case .list: if unsafe array.n_children != 1 || array.children?.pointee == nil { return nil }
        case .dictionary: if unsafe array.dictionary == nil { return nil }
        default: break
        }
    }

    /// The number of rows.
    var count: Int { unsafe Int(array.length) }

    private func buffer(_ place: Int) -> UnsafeRawPointer? {
        guard unsafe place < Int(array.n_buffers) else { return nil }
        return unsafe array.buffers[place]
    }

    private func load<Value: BitwiseCopyable>(_ buffer: Int, _ index: Int, as kind: Value.Type) -> Value? {
        guard let start = unsafe self.buffer(buffer) else { return nil }
        return unsafe start.loadUnaligned(fromByteOffset: index * MemoryLayout<Value>.size, as: kind)
    }

    private func bit(_ buffer: Int, _ index: Int) -> Bool? {
        load(buffer, index >> 3, as: UInt8.self).map { $0 >> UInt8(truncatingIfNeeded: index & 7) & 1 == 1 }
    }

    private func integer(_ buffer: Int, _ index: Int, bytes: Int, isSigned: Bool) -> Int? {
        switch (bytes, isSigned) {
        case (1, true): load(buffer, index, as: Int8.self).map { Int($0) }
        case (1, false): load(buffer, index, as: UInt8.self).map { Int($0) }
        case (2, true): load(buffer, index, as: Int16.self).map { Int($0) }
        case (2, false): load(buffer, index, as: UInt16.self).map { Int($0) }
        case (4, true): load(buffer, index, as: Int32.self).map { Int($0) }
        case (4, false): load(buffer, index, as: UInt32.self).map { Int($0) }
        default: load(buffer, index, as: Int.self)
        }
    }

    /// Returns whether a row is null.
    private func isNull(_ index: Int) -> Bool {
        if case .null = type { return true }
        return bit(0, index) == false
    }

    /// Calls a function with each value of a row: none if it is null, and one for each element of a list.
    func forEachValue(inRow row: Int, _ body: ([UInt8]) -> Void) {
        guard row >= 0, row < count else { return }
        forEachValue(at: unsafe Int(array.offset) + row, body)
    }

    private func forEachValue(at index: Int, _ body: ([UInt8]) -> Void) {
        if isNull(index) { return }
        var text: [UInt8] = []
        switch type {
        case .null: return
        case .boolean: text += Array((bit(1, index) == true ? "true" : "false").utf8)
        case .integer(8, false):
            text += Array("\(load(1, index, as: UInt64.self) ?? 0)".utf8)
        case .integer(let bytes, let isSigned):
            text.appendDecimal(integer(1, index, bytes: bytes, isSigned: isSigned) ?? 0)
        case .real(4): text += Array("\(load(1, index, as: Float.self) ?? 0)".utf8)
        case .real: Self.append(load(1, index, as: Double.self) ?? 0, to: &text)
        case .text(let offsetBytes):
            let (start, end) = range(index, offsetBytes)
            guard end > start, let bytes = unsafe buffer(2) else { break }
            text = unsafe Array(UnsafeRawBufferPointer(start: bytes + start, count: end - start))
        case .view: text = view(index)
        case .date: text = Self.date(days: Int(load(1, index, as: Int32.self) ?? 0))
        case .dateTime: text = Self.date(days: (load(1, index, as: Int.self) ?? 0) / 86_400_000)
        case .time(let units, let isUTC): text = Self.time(load(1, index, as: Int.self) ?? 0, units, isUTC: isUTC)
        case .list(let offsetBytes, let element):
            guard let child = unsafe array.children?.pointee?.pointee, let values = unsafe ArrowValues(child, element)
            else { return }
            let (start, end) = range(index, offsetBytes)
            for row in start..<max(start, min(end, values.count)) { values.forEachValue(inRow: row, body) }
            return
        case .dictionary(let bytes, let isSigned, let element):
            guard let child = unsafe array.dictionary?.pointee, let values = unsafe ArrowValues(child, element) else {
                return
            }
            return values.forEachValue(
                inRow: integer(1, index, bytes: bytes, isSigned: isSigned) ?? 0, body)
        }
        body(text)
    }

    /// Returns the offsets of a text or list.
    private func range(_ index: Int, _ offsetBytes: Int) -> (Int, Int) {
        let start = integer(1, index, bytes: offsetBytes, isSigned: true) ?? 0
        let end = integer(1, index + 1, bytes: offsetBytes, isSigned: true) ?? 0
        return start >= 0 && end >= start ? (start, end) : (0, 0)
    }

    /// Returns a text from its view: up to 12 bytes are in the view itself.
    private func view(_ index: Int) -> [UInt8] {
        guard let views = unsafe buffer(1) else { return [] }
        let length = Int(load(1, index * 4, as: Int32.self) ?? 0)
        if length <= 12 {
            let start = unsafe views + index * 16 + 4
            return unsafe Array(UnsafeRawBufferPointer(start: start, count: max(0, length)))
        }
        let number = Int(load(1, index * 4 + 2, as: Int32.self) ?? -1)
        let offset = Int(load(1, index * 4 + 3, as: Int32.self) ?? -1)
        // The last buffer contains the lengths of the others.
        guard number >= 0, unsafe number < Int(array.n_buffers) - 3, offset >= 0, let bytes = unsafe buffer(number + 2)
        else { return [] }
        return unsafe Array(UnsafeRawBufferPointer(start: bytes + offset, count: length))
    }

    /// Appends a number as a table prints it, so that reading it returns the same text.
    private static func append(_ value: Double, to text: inout [UInt8]) {
        if value.isFinite { text.appendShortest(value) } else { text += Array("\(value)".utf8) }
    }

    /// Returns a date in ISO 8601.
    private static func date(days: Int) -> [UInt8] {
        // The calendar repeats after 146,097 days; the year starts in March, so that a leap day is its last one.
        let day = max(-1 << 40, min(1 << 40, days)) + 719_468
        let era = (day >= 0 ? day : day - 146_096) / 146_097
        let ofEra = day - era * 146_097
        let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * ofYear + 2) / 153
        let number = month < 10 ? month + 3 : month - 9
        let year = yearOfEra + era * 400 + (number <= 2 ? 1 : 0)
        let date = ofYear - (153 * month + 2) / 5 + 1
        return padded(year, 4) + [UInt8(ascii: "-")] + padded(number, 2) + [UInt8(ascii: "-")] + padded(date, 2)
    }

    /// Returns a date and time in ISO 8601. Trailing zeros of the fraction are omitted.
    private static func time(_ value: Int, _ units: Int, isUTC: Bool) -> [UInt8] {
        let seconds = value / units - (value % units < 0 ? 1 : 0)
        let fraction = (value % units + units) % units
        let days = seconds / 86_400 - (seconds % 86_400 < 0 ? 1 : 0)
        let ofDay = (seconds % 86_400 + 86_400) % 86_400
        var text = date(days: days) + [UInt8(ascii: "T")]
        text += padded(ofDay / 3600, 2) + [UInt8(ascii: ":")] + padded(ofDay / 60 % 60, 2) + [UInt8(ascii: ":")]
        text += padded(ofDay % 60, 2)
        if fraction > 0 {
            var digits = padded(fraction, "\(units)".utf8.count - 1)
            while digits.last == UInt8(ascii: "0") { digits.removeLast() }
            text += [UInt8(ascii: ".")] + digits
        }
        return isUTC ? text + [UInt8(ascii: "Z")] : text
    }

    private static func padded(_ number: Int, _ width: Int) -> [UInt8] {
        let digits = Array("\(abs(number))".utf8)
        let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: max(0, width - digits.count))
        return (number < 0 ? [UInt8(ascii: "-")] : []) + zeros + digits
    }
}
