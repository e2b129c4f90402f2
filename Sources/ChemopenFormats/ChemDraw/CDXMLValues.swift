import ChemopenBytes
import ChemopenModel

/// Makes values of the texts of CDXML attributes.
enum CDXMLValues {
    /// The value, or nothing where the text is none.
    static func value(of row: DrawnPropertyTable.Row, in text: ArraySlice<UInt8>) -> DrawnValue? {
        switch row.type {
        case .signed, .unsigned: integer(text).map { .integer($0) }
        case .named, .namedFromMinusOne: named(row, text)
        case .identifier: integer(text).flatMap { $0 >= 0 ? .integer($0) : nil }
        case .flag: flag(text)
        case .charge, .coordinate, .real: real(text).map { .real($0) }
        case .bondOrder: order(text)
        case .point: numbers(text, atLeast: 2).map { .position(Position($0.0, $0.1)) }
        case .point3D: numbers(text, atLeast: 3).map { .position(Position($0.0, $0.1, $0.2)) }
        case .box: numbers(text, atLeast: 4).map { .box(DrawnBox(left: $0.0, top: $0.1, right: $0.2, bottom: $0.3)) }
        case .text: .text(CDXCharacterSets.withOneKindOfLineEnd(text))
        case .tagValue: .text(Text(bytes: text))
        case .identifiers, .countedIdentifiers: identifiers(text)
        case .elements: elements(text)
        case .names: names(text)
        }
    }

    /// A whole number, written as one or as a decimal fraction that is one.
    static func integer(_ text: ArraySlice<UInt8>) -> Int? {
        let bytes = text.span
        return integer(bytes, bytes.trimmed(0..<bytes.count))
    }

    private static func integer(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        if let value = parseInteger(bytes, range) { return value }
        guard let value = parseDouble(bytes, range) else { return nil }
        return Int(exactly: value)
    }

    private static func real(_ text: ArraySlice<UInt8>) -> Double? {
        let bytes = text.span
        return parseDouble(bytes, bytes.trimmed(0..<bytes.count))
    }

    private static func words(_ text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        text.split { $0 <= 0x20 }
    }

    /// Where the next word stands at or behind a place; empty at the end.
    @inline(__always)
    private static func word(in bytes: Span<UInt8>, from place: Int) -> Range<Int> {
        var start = place
        while start < bytes.count, bytes[start] <= 0x20 { start &+= 1 }
        var end = start
        while end < bytes.count, bytes[end] > 0x20 { end &+= 1 }
        return start..<end
    }

    /// The first numbers of a text, at most four of them.
    private static func numbers(
        _ text: ArraySlice<UInt8>, atLeast count: Int
    ) -> (Double, Double, Double, Double)? {
        let bytes = text.span
        var values = (0.0, 0.0, 0.0, 0.0)
        var at = 0
        for place in 0..<count {
            let word = word(in: bytes, from: at)
            at = word.upperBound
            guard let number = parseDouble(bytes, word), abs(number) < 1e9 else { return nil }
            switch place {
            case 0: values.0 = number
            case 1: values.1 = number
            case 2: values.2 = number
            default: values.3 = number
            }
        }
        return values
    }

    private static func flag(_ text: ArraySlice<UInt8>) -> DrawnValue? {
        let bytes = text.span
        if bytes.isEmpty || bytes.spells("yes") || bytes.spells("true") || bytes.spells("1") { return .integer(1) }
        return bytes.spells("no") || bytes.spells("false") || bytes.spells("0") ? .integer(0) : nil
    }

    private static func named(_ row: DrawnPropertyTable.Row, _ text: ArraySlice<UInt8>) -> DrawnValue? {
        if text.isEmpty { return nil }
        if let number = row.number(ofValue: text.span) { return .integer(number) }
        guard let value = integer(text), row.isNumberOfValue(value) else { return nil }
        return .integer(value)
    }

    private static func order(_ text: ArraySlice<UInt8>) -> DrawnValue? {
        let bytes = text.span
        if bytes.count == 1, 0x31...0x36 ~= bytes[0] { return .integer(1 << Int(bytes[0] - 0x31)) }
        if bytes.spells("any") { return .integer(DrawnOrder.any) }
        var bits = 0
        for word in words(text) {
            if let place = DrawnOrder.names.firstIndex(where: { $0.utf8.elementsEqual(word) }) {
                bits |= 1 << place
            } else if let value = real(word), let place = orderNumbers.firstIndex(of: value) {
                bits |= 1 << place
            } else {
                return nil
            }
        }
        return bits == 0 ? nil : .integer(bits)
    }

    private static let orderNumbers: [Double] = [1, 2, 3, 4, 5, 6, 0.5, 1.5, 2.5, 3.5, 4.5, 5.5]

    private static func identifiers(_ text: ArraySlice<UInt8>) -> DrawnValue? {
        let bytes = text.span
        var ids: [UInt32] = []
        var word = word(in: bytes, from: 0)
        while !word.isEmpty {
            guard let id = integer(bytes, word), let exact = UInt32(exactly: id) else { return nil }
            ids.append(exact)
            word = Self.word(in: bytes, from: word.upperBound)
        }
        return .identifiers(ids)
    }

    private static func elements(_ text: ArraySlice<UInt8>) -> DrawnValue? {
        var words = words(text)
        let areExcluded = words.first?.elementsEqual("NOT".utf8) ?? false
        if areExcluded { words.removeFirst() }
        var numbers: [Int] = []
        for word in words {
            guard let number = integer(word) else { return nil }
            numbers.append(number)
        }
        return .elements(DrawnElements(numbers: numbers, areExcluded: areExcluded))
    }

    private static func names(_ text: ArraySlice<UInt8>) -> DrawnValue {
        var words = words(text)
        let areExcluded = words.first?.elementsEqual("NOT".utf8) ?? false
        if areExcluded { words.removeFirst() }
        return .names(words.map { Text(bytes: $0) }, areExcluded: areExcluded)
    }
}

extension Span where Element == UInt8 {
    /// Whether the bytes are those of a word, and no others.
    @inline(__always)
    fileprivate func spells(_ word: StaticString) -> Bool {
        count == word.utf8CodeUnitCount && range(0..<count, begins: word)
    }

    /// Whether the bytes are those of a word, and no others.
    func spells(_ word: [UInt8]) -> Bool {
        guard count == word.count else { return false }
        for place in indices where self[place] != word[place] { return false }
        return true
    }
}
