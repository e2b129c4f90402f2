/// A key that a terminal reports.
enum Key: Equatable {
    case up, down, left, right, pageUp, pageDown, home, end, enter, escape, backspace, tab, interrupt
    case character(Character)

    /// Returns the keys in bytes from a terminal. Unknown sequences are ignored.
    static func keys(in bytes: [UInt8]) -> [Key] {
        var keys: [Key] = []
        var place = 0
        while place < bytes.count {
            let byte = bytes[place]
            switch byte {
            case 0x1B:
                let (key, length) = sequence(bytes[place...])
                if let key { keys.append(key) }
                place += length
            case 0x03: keys.append(.interrupt)
            case 0x09: keys.append(.tab)
            case 0x0A, 0x0D: keys.append(.enter)
            case 0x08, 0x7F: keys.append(.backspace)
            case 0x02: keys.append(.pageUp)
            case 0x06: keys.append(.pageDown)
            case 0x0E: keys.append(.down)
            case 0x10: keys.append(.up)
            case ..<0x20: break
            default:
                let end = bytes[(place + 1)...].firstIndex { $0 & 0xC0 != 0x80 } ?? bytes.count
                if let character = String(decoding: bytes[place..<end], as: UTF8.self).first {
                    keys.append(.character(character))
                }
                place = end
                continue
            }
            if byte != 0x1B { place += 1 }
        }
        return keys
    }

    /// Returns the key of an escape sequence and its length.
    private static func sequence(_ bytes: ArraySlice<UInt8>) -> (Key?, Int) {
        let rest = bytes.dropFirst()
        guard let kind = rest.first, kind == UInt8(ascii: "[") || kind == UInt8(ascii: "O") else {
            return (.escape, 1)
        }
        let body = rest.dropFirst()
        guard let end = body.firstIndex(where: { 0x40...0x7E ~= $0 }) else { return (nil, bytes.count) }
        let length = end - bytes.startIndex + 1
        let number = String(decoding: body[body.startIndex..<end], as: UTF8.self)
        switch bytes[end] {
        case UInt8(ascii: "A"): return (.up, length)
        case UInt8(ascii: "B"): return (.down, length)
        case UInt8(ascii: "C"): return (.right, length)
        case UInt8(ascii: "D"): return (.left, length)
        case UInt8(ascii: "H"): return (.home, length)
        case UInt8(ascii: "F"): return (.end, length)
        case UInt8(ascii: "~"):
            let known: [String: Key] = ["1": .home, "7": .home, "4": .end, "8": .end, "5": .pageUp, "6": .pageDown]
            return (known[number], length)
        default: return (nil, length)
        }
    }
}
