import ChemopenModel

/// Makes values of the data of binary properties. How wide a number is, its property's length says.
struct CDXValues {
    static let fontTable: UInt16 = 0x0100

    /// No page is wider or higher than this.
    static let farthest = 32_000.0

    let isBigEndian: Bool
    private(set) var characterSets = CDXCharacterSets()
    private var doubt: String?

    init(isBigEndian: Bool) {
        self.isBigEndian = isBigEndian
    }

    /// The doubt about the value made last.
    mutating func takeDoubt() -> String? {
        defer { doubt = nil }
        return doubt
    }

    mutating func value(of row: DrawnPropertyTable.Row, in data: ArraySlice<UInt8>) -> DrawnValue? {
        switch row.type {
        case .signed, .unsigned, .named, .namedFromMinusOne, .identifier: number(row.type, data)
        case .flag, .truth: flag(data)
        case .charge: charge(data)
        case .bondOrder: order(data)
        case .coordinate: wrongLength(data, 4) ? nil : .real(coordinate(data, 0))
        case .multiplied(let factor, _):
            integer(data, signed: true).map { .real(Double($0) / Double(factor)) } ?? refuse(data)
        case .real: real(data)
        case .point: point(data)
        case .point3D:
            wrongLength(data, 12, orMore: true)
                ? nil : .position(Position(coordinate(data, 0), coordinate(data, 4), coordinate(data, 8)))
        case .box: box(data)
        case .text: .text(text(data, isUTF8: row.property == .utf8Text))
        case .identifiers: .identifiers(identifiers(data))
        case .countedIdentifiers: countedIdentifiers(data)
        case .elements: elements(data)
        case .names: names(data)
        case .tagValue: tagValue(data)
        case .bits, .words, .points, .points3D, .coordinates, .countedNumbers, .hexadecimal, .base64, .styled, .fonts,
            .colours, .represented:
            nil
        }
    }

    // MARK: Numbers

    /// A number of 1, 2 or 4 bytes.
    private func integer(_ data: ArraySlice<UInt8>, signed: Bool) -> Int? {
        switch data.count {
        case 1: signed ? Int(Int8(bitPattern: data[data.startIndex])) : Int(data[data.startIndex])
        case 2: signed ? Int(Int16(bitPattern: word(data, 0))) : Int(word(data, 0))
        case 4: signed ? Int(Int32(bitPattern: long(data, 0))) : Int(long(data, 0))
        default: nil
        }
    }

    private mutating func number(_ type: DrawnType, _ data: ArraySlice<UInt8>) -> DrawnValue? {
        let signed =
            switch type {
            case .unsigned, .identifier: false
            default: true
            }
        guard let value = integer(data, signed: signed) else { return refuse(data) }
        if let (names, first) = type.names, !names.indices.contains(value &- first) || names[value &- first].isEmpty {
            doubt = "there is no value \(value); read as if it were the lowest"
            return .integer(first)
        }
        return .integer(value)
    }

    private func flag(_ data: ArraySlice<UInt8>) -> DrawnValue {
        .integer(data.isEmpty || data.contains { $0 != 0 } ? 1 : 0)
    }

    private mutating func charge(_ data: ArraySlice<UInt8>) -> DrawnValue? {
        guard let value = integer(data, signed: true) else { return refuse(data) }
        return .real(data.count == 4 ? Double(value) / 16_777_216 : Double(value))
    }

    private mutating func order(_ data: ArraySlice<UInt8>) -> DrawnValue? {
        guard let value = integer(data, signed: false) else { return refuse(data) }
        let isEveryBit = value == 1 << (8 * data.count) - 1
        return .integer(isEveryBit ? DrawnOrder.any : value & 0xFFFF)
    }

    private mutating func real(_ data: ArraySlice<UInt8>) -> DrawnValue? {
        guard data.count == 8 else {
            guard let value = integer(data, signed: true) else { return refuse(data) }
            return .real(Double(value))
        }
        let first = UInt64(long(data, 0))
        let second = UInt64(long(data, 4))
        let value = Double(bitPattern: isBigEndian ? first << 32 | second : second << 32 | first)
        if value.isFinite { return .real(value) }
        doubt = "is no finite number; left out"
        return nil
    }

    /// Tags state a number as 4 or 8 bytes and a text as it stands. A text as short as a number is one where it can be
    /// read as text.
    private mutating func tagValue(_ data: ArraySlice<UInt8>) -> DrawnValue? {
        let isReadable = data.allSatisfy { $0 >= 0x20 || $0 == 9 || $0 == 10 || $0 == 13 }
        if !isReadable, data.count == 8, case .real(let value)? = real(data) { return .real(value) }
        if !isReadable, data.count == 4, let value = integer(data, signed: true) { return .integer(value) }
        return .text(text(data, isUTF8: false))
    }

    // MARK: Places

    private func coordinate(_ data: ArraySlice<UInt8>, _ place: Int) -> Double {
        Double(Int32(bitPattern: long(data, place))) / 65536
    }

    private mutating func point(_ data: ArraySlice<UInt8>) -> DrawnValue? {
        if wrongLength(data, 8, orMore: true) { return nil }
        let position = Position(coordinate(data, 4), coordinate(data, 0))
        if max(abs(position.x), abs(position.y)) > Self.farthest { doubt = "lies far outside of any page" }
        return .position(position)
    }

    private mutating func box(_ data: ArraySlice<UInt8>) -> DrawnValue? {
        if wrongLength(data, 16, orMore: true) { return nil }
        return .box(
            DrawnBox(
                left: coordinate(data, 4), top: coordinate(data, 0), right: coordinate(data, 12),
                bottom: coordinate(data, 8)))
    }

    // MARK: Lists

    private mutating func identifiers(_ data: ArraySlice<UInt8>) -> [UInt32] {
        if data.count % 4 != 0 { doubt = "\(data.count) bytes are no list of ids; the whole ones are read" }
        return stride(from: 0, to: data.count / 4 * 4, by: 4).map { long(data, $0) }
    }

    /// A count and so many ids. Lists without the count occur.
    private mutating func countedIdentifiers(_ data: ArraySlice<UInt8>) -> DrawnValue {
        guard data.count % 4 == 2 else { return .identifiers(identifiers(data)) }
        let claimed = Int(word(data, 0))
        let ids = identifiers(data.dropFirst(2))
        if claimed != ids.count { doubt = "claims \(claimed) ids and holds \(ids.count); these are read" }
        return .identifiers(Array(ids.prefix(max(claimed, ids.count))))
    }

    /// A count, negative where the elements are excluded, and so many atomic numbers.
    private mutating func elements(_ data: ArraySlice<UInt8>) -> DrawnValue? {
        guard data.count >= 2 else { return refuse(data) }
        let claimed = Int(Int16(bitPattern: word(data, 0)))
        let numbers = stride(from: 2, to: data.count - 1, by: 2).map { Int(word(data, $0)) }
        if abs(claimed) != numbers.count {
            doubt = "claims \(abs(claimed)) elements and holds \(numbers.count); these are read"
        }
        return .elements(DrawnElements(numbers: numbers, areExcluded: claimed < 0))
    }

    private mutating func names(_ data: ArraySlice<UInt8>) -> DrawnValue? {
        guard data.count >= 2 else { return refuse(data) }
        let claimed = Int(Int16(bitPattern: word(data, 0)))
        var names: [Text] = []
        var rest = data.dropFirst(2)
        while names.count < abs(claimed), rest.count >= 2 {
            let length = Int(word(rest, 0))
            rest = rest.dropFirst(2)
            guard length <= rest.count else { break }
            names.append(text(rest.prefix(length), isUTF8: false))
            rest = rest.dropFirst(length)
        }
        if names.count != abs(claimed) {
            doubt = "claims \(abs(claimed)) names and holds \(names.count); these are read"
        }
        return .names(names, areExcluded: claimed < 0)
    }

    // MARK: Text

    mutating func readFonts(_ data: ArraySlice<UInt8>) {
        characterSets.readFonts(data, isBigEndian: isBigEndian)
    }

    /// Text behind the number of its styles and the styles, ten bytes each.
    ///
    /// Names of tags and properties have neither; they are known by a number of styles that does not fit.
    private mutating func text(_ data: ArraySlice<UInt8>, isUTF8: Bool) -> Text {
        guard data.count >= 2 else { return characterSets.text(of: data, isUTF8: isUTF8) }
        let styleCount = Int(word(data, 0))
        let start = 2 + 10 * styleCount
        guard start <= data.count else {
            if styleCount == 0xFFFF { doubt = "claims 65535 styles; read as text without styles" }
            let isCount = data[data.startIndex] == 0xFF && data[data.startIndex + 1] == 0xFF
            return characterSets.text(of: isCount ? data.dropFirst(2) : data, isUTF8: isUTF8)
        }
        let body = data.dropFirst(start)
        if isUTF8 {
            let text = characterSets.text(of: body, isUTF8: true)
            if text.isUTF8 { return text }
            doubt = "some bytes are no UTF-8; these are read as Windows-1252"
            return CDXCharacterSets.mended(text)
        }
        if styleCount > 0, Int(word(data, 2 + 10 * (styleCount - 1))) > body.count {
            doubt = "a style that starts behind the text"
        }
        if CDXCharacterSets.isPlain(body.span) { return Text(bytes: body) }
        var runs: [CDXCharacterSets.Run] = []
        for place in 0..<styleCount {
            runs.append(.init(start: Int(word(data, 2 + 10 * place)), font: word(data, 4 + 10 * place)))
        }
        return characterSets.text(of: body, runs: runs)
    }

    // MARK: Tables of looks

    /// Tables that nothing is made of are looked at only for whether their counts are true.
    func doubt(aboutTable tag: UInt16, in data: ArraySlice<UInt8>) -> String? {
        switch tag {
        case Self.fontTable: return characterSets.isTableCut ? "a font table that is shorter than it claims" : nil
        case 0x0300 where data.count < 2 + 6 * Int(word(data, 0)):
            return "a colour table that is shorter than it claims"
        case 0x0704 where data.count < 2 + 2 * Int(word(data, 0)): return "line starts that are fewer than they claim"
        case 0x0A23 where data.count < 2 + 8 * Int(word(data, 0)): return "curve points that are fewer than they claim"
        default: return nil
        }
    }

    // MARK: Bytes

    private mutating func refuse(_ data: ArraySlice<UInt8>) -> DrawnValue? {
        doubt = "\(data.count) bytes are no value of it; left out"
        return nil
    }

    private mutating func wrongLength(_ data: ArraySlice<UInt8>, _ length: Int, orMore: Bool = false) -> Bool {
        if data.count == length || (orMore && data.count > length) { return false }
        doubt = "\(data.count) bytes are no value of it; left out"
        return true
    }

    private func word(_ data: ArraySlice<UInt8>, _ place: Int) -> UInt16 {
        let at = data.startIndex + place
        guard place >= 0, at + 2 <= data.endIndex else { return 0 }
        let (first, second) = (UInt16(data[at]), UInt16(data[at + 1]))
        return isBigEndian ? first << 8 | second : second << 8 | first
    }

    private func long(_ data: ArraySlice<UInt8>, _ place: Int) -> UInt32 {
        let (first, second) = (UInt32(word(data, place)), UInt32(word(data, place + 2)))
        return isBigEndian ? first << 16 | second : second << 16 | first
    }
}
