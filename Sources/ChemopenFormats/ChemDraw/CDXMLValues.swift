import ChemopenBytes
import ChemopenModel

/// Makes values of the texts of CDXML attributes.
enum CDXMLValues {
    /// The value, or nothing where the text is none.
    static func value(of row: DrawnPropertyTable.Row, in text: String) -> DrawnValue? {
        switch row.type {
        case .signed, .unsigned: integer(text).map { .integer($0) }
        case .named, .namedFromMinusOne: named(row.type, text)
        case .identifier: integer(text).flatMap { $0 >= 0 ? .integer($0) : nil }
        case .flag: flag(text)
        case .charge, .coordinate, .real: real(text[...]).map { .real($0) }
        case .bondOrder: order(text)
        case .point: numbers(text, atLeast: 2).map { .position(Position($0[0], $0[1])) }
        case .point3D: numbers(text, atLeast: 3).map { .position(Position($0[0], $0[1], $0[2])) }
        case .box:
            numbers(text, atLeast: 4).map {
                .box(DrawnBox(left: $0[0], top: $0[1], right: $0[2], bottom: $0[3]))
            }
        case .text: .text(CDXCharacterSets.withOneKindOfLineEnd(Array(text.utf8)[...]))
        case .tagValue: .text(Text(text))
        case .identifiers, .countedIdentifiers: identifiers(text)
        case .elements: elements(text)
        case .names: names(text)
        }
    }

    /// A whole number, written as one or as a decimal fraction that is one.
    static func integer(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        let range = bytes.span.trimmed(0..<bytes.count)
        if let value = parseInteger(bytes.span, range) { return value }
        guard let value = parseDouble(bytes.span, range) else { return nil }
        return Int(exactly: value)
    }

    private static func real(_ text: Substring) -> Double? {
        let bytes = Array(text.utf8)
        return parseDouble(bytes.span, bytes.span.trimmed(0..<bytes.count))
    }

    private static func numbers(_ text: String, atLeast count: Int) -> [Double]? {
        let numbers = text.split(whereSeparator: isBlank).map { real($0) }
        guard numbers.count >= count else { return nil }
        var values: [Double] = []
        for number in numbers.prefix(count) {
            guard let number else { return nil }
            values.append(number)
        }
        return values
    }

    private static func flag(_ text: String) -> DrawnValue? {
        switch text {
        case "yes", "true", "1", "": .integer(1)
        case "no", "false", "0": .integer(0)
        default: nil
        }
    }

    private static func named(_ type: DrawnType, _ text: String) -> DrawnValue? {
        guard let (names, first) = type.names else { return nil }
        if let place = names.firstIndex(of: text), !text.isEmpty { return .integer(place + first) }
        guard let value = integer(text), names.indices.contains(value &- first) else { return nil }
        return .integer(value)
    }

    private static func order(_ text: String) -> DrawnValue? {
        if text == "any" { return .integer(DrawnOrder.any) }
        var bits = 0
        for word in text.split(whereSeparator: isBlank) {
            if let place = DrawnOrder.names.firstIndex(of: String(word)) {
                bits |= 1 << place
            } else if let value = real(word), let place = DrawnOrder.names.firstIndex(where: { real($0[...]) == value }) {
                bits |= 1 << place
            } else {
                return nil
            }
        }
        return bits == 0 ? nil : .integer(bits)
    }

    private static func identifiers(_ text: String) -> DrawnValue? {
        var ids: [UInt32] = []
        for word in text.split(whereSeparator: isBlank) {
            guard let id = integer(String(word)), let exact = UInt32(exactly: id) else { return nil }
            ids.append(exact)
        }
        return .identifiers(ids)
    }

    private static func elements(_ text: String) -> DrawnValue? {
        var words = text.split(whereSeparator: isBlank)
        let areExcluded = words.first == "NOT"
        if areExcluded { words.removeFirst() }
        var numbers: [Int] = []
        for word in words {
            guard let number = integer(String(word)) else { return nil }
            numbers.append(number)
        }
        return .elements(DrawnElements(numbers: numbers, areExcluded: areExcluded))
    }

    private static func names(_ text: String) -> DrawnValue {
        var words = text.split(whereSeparator: isBlank)
        let areExcluded = words.first == "NOT"
        if areExcluded { words.removeFirst() }
        return .names(words.map { Text(String($0)) }, areExcluded: areExcluded)
    }

    private static func isBlank(_ character: Character) -> Bool { character.isWhitespace }
}
