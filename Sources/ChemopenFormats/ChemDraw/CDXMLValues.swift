import ChemopenBytes
import ChemopenModel

/// Makes values of the texts of CDXML attributes.
enum CDXMLValues {
    /// The value, or nothing where the text is none.
    static func value(of row: DrawnPropertyTable.Row, in text: ArraySlice<UInt8>) -> DrawnValue? {
        switch row.type {
        case .signed, .unsigned: integer(text).map { .integer($0) }
        case .named, .namedFromMinusOne: named(row.type, text)
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
        let range = bytes.trimmed(0..<bytes.count)
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

    /// The first numbers of a text, at most four of them.
    private static func numbers(
        _ text: ArraySlice<UInt8>, atLeast count: Int
    ) -> (Double, Double, Double, Double)? {
        let bytes = text.span
        var values = (0.0, 0.0, 0.0, 0.0)
        var at = 0
        for place in 0..<count {
            while at < bytes.count, bytes[at] <= 0x20 { at &+= 1 }
            let start = at
            while at < bytes.count, bytes[at] > 0x20 { at &+= 1 }
            guard let number = parseDouble(bytes, start..<at), abs(number) < 1e9 else { return nil }
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
        switch String(decoding: text, as: UTF8.self) {
        case "yes", "true", "1", "": .integer(1)
        case "no", "false", "0": .integer(0)
        default: nil
        }
    }

    private static func named(_ type: DrawnType, _ text: ArraySlice<UInt8>) -> DrawnValue? {
        guard let (names, first) = type.names, !text.isEmpty else { return nil }
        if let place = names.firstIndex(where: { $0.utf8.elementsEqual(text) }) { return .integer(place + first) }
        guard let value = integer(text), names.indices.contains(value &- first) else { return nil }
        return .integer(value)
    }

    private static func order(_ text: ArraySlice<UInt8>) -> DrawnValue? {
        if text.elementsEqual("any".utf8) { return .integer(DrawnOrder.any) }
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
        var ids: [UInt32] = []
        for word in words(text) {
            guard let id = integer(word), let exact = UInt32(exactly: id) else { return nil }
            ids.append(exact)
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
