import ChemopenBytes
import ChemopenModel

/// The looks of a CDXML document that are no attributes of objects: fonts, colours, and runs of text.
struct CDXMLLooks {
    private var fonts: [DrawnFont] = []
    private var colours: [DrawnColour] = []
    /// The runs of the text that is being read, each with the bytes that it has so far.
    var runs: [(style: StyledText.Run, bytes: [UInt8])] = []

    /// A file whose tables are longer than this has them for some other purpose.
    private static let longestTable = 0xFFFF

    /// Takes what an element says of a font or a colour; whether it is a table of them.
    mutating func start(
        _ role: CDXMLNames.ElementRole, _ name: Int32, _ attributes: Span<XMLEvents.Event>, _ text: Span<UInt8>,
        _ names: XMLNames
    ) -> Bool {
        switch role {
        case .font:
            var font = DrawnFont(id: 0, characterSet: 0, name: Text())
            Self.forEach(attributes, text, names) { name, value in
                switch name {
                case "id": font.id = CDXMLValues.integer(value) ?? 0
                case "name": font.name = Text(bytes: value.bytes(0..<value.count))
                default: break
                }
            }
            if fonts.count < Self.longestTable { fonts.append(font) }
        case .colour:
            var colour = DrawnColour(red: 0, green: 0, blue: 0)
            Self.forEach(attributes, text, names) { name, value in
                let part = UInt16(max(0, min(1, CDXMLValues.real(value) ?? 0)) * 65535)
                switch name {
                case "r": colour.red = part
                case "g": colour.green = part
                case "b": colour.blue = part
                default: break
                }
            }
            if colours.count < Self.longestTable { colours.append(colour) }
        default:
            let name = String(decoding: names[Int(name)], as: UTF8.self)
            return name == CDXMLNames.fontTable || name == CDXMLNames.colourTable
        }
        return false
    }

    /// Puts the tables that have been read into the document.
    mutating func moveTables(to drawing: inout DrawingDraft) {
        if !fonts.isEmpty { drawing.set(.fontTable, .fonts(fonts)) }
        if !colours.isEmpty { drawing.set(.colourTable, .colours(colours)) }
        (fonts, colours) = ([], [])
    }

    mutating func startRun(_ attributes: Span<XMLEvents.Event>, _ text: Span<UInt8>, _ names: XMLNames) {
        var run = StyledText.Run(font: nil, face: nil, size: nil, colour: nil, text: Text())
        Self.forEach(attributes, text, names) { name, value in
            switch name {
            case "font": run.font = CDXMLValues.integer(value)
            case "face": run.face = CDXMLValues.integer(value)
            case "color": run.colour = CDXMLValues.integer(value)
            case "size": run.size = CDXMLValues.real(value)
            default: break
            }
        }
        runs.append((run, []))
    }

    mutating func add(_ text: Span<UInt8>) {
        if !runs.isEmpty { runs[runs.count - 1].bytes.append(copying: text) }
    }

    var styledText: StyledText {
        StyledText(
            runs: runs.map { run, bytes in
                var run = run
                run.text = CDXCharacterSets.withOneKindOfLineEnd(bytes[...])
                return run
            })
    }

    /// The property that a symbol stands for.
    static func reference(
        _ attributes: Span<XMLEvents.Event>, _ text: Span<UInt8>, _ names: XMLNames
    ) -> DrawnValue? {
        var object: UInt32?
        var property: UInt16 = 0
        forEach(attributes, text, names) { name, value in
            if name == "object" { object = CDXMLValues.integer(value).flatMap { UInt32(exactly: $0) } }
            if name == "attribute" { property = value.spells(Array("Charge".utf8)) ? DrawnProperty.charge.rawValue : 0 }
        }
        return object.map { .represented([DrawnReference(object: $0, property: property)]) }
    }

    private static func forEach(
        _ attributes: Span<XMLEvents.Event>, _ text: Span<UInt8>, _ names: XMLNames,
        _ take: (String, Span<UInt8>) -> Void
    ) {
        for place in attributes.indices {
            let name = String(decoding: names[Int(attributes[place].name)], as: UTF8.self)
            attributes[place].withText(in: text) { take(name, $0) }
        }
    }
}

extension CDXMLLooks {
    /// The value of an attribute that nobody but a painter asks for; nothing where it is none.
    static func value(of row: DrawnPropertyTable.Row, in text: Span<UInt8>) -> DrawnValue? {
        switch row.type {
        case .bits(let names, _):
            if let number = CDXMLValues.integer(text) { return .integer(number) }
            var bits = 0
            for word in words(text) {
                if let place = names.firstIndex(of: word) { bits |= 1 << place }
            }
            return .integer(bits)
        case .words(let names):
            if let number = CDXMLValues.integer(text) { return .integer(number) }
            let word = words(text).first ?? ""
            return names.first { $0.value == word }.map { .integer($0.key) }
        case .points, .coordinates, .countedNumbers: return .numbers(numbers(text))
        case .points3D:
            let numbers = numbers(text)
            return .numbers(
                stride(from: 0, to: numbers.count - 2, by: 3).flatMap { [numbers[$0], numbers[$0 + 1]] })
        case .hexadecimal: return .bytes(hexadecimal(text))
        case .base64: return .bytes(Base64.decode(text.bytes(0..<text.count)[...]).bytes)
        case .signed, .unsigned: return CDXMLValues.real(text).map { .integer(Int(max(-1e12, min(1e12, $0)))) }
        case .identifier: return CDXMLValues.identifier(text, in: 0..<text.count).map { .integer($0) }
        case .identifiers, .countedIdentifiers: return CDXMLValues.identifiers(text).map { .identifiers($0) }
        case .flag, .truth: return CDXMLValues.flag(text).map { .integer($0) }
        case .coordinate, .real, .multiplied, .charge: return CDXMLValues.real(text).map { .real($0) }
        case .point: return CDXMLValues.point(text, 0..<text.count).map { .position($0) }
        case .box: return CDXMLValues.box(text, 0..<text.count).map { .box($0) }
        case .named, .namedFromMinusOne: return CDXMLValues.named(row, text).map { .integer($0) }
        case .text: return .text(CDXMLValues.text(text))
        case .point3D: return CDXMLValues.value(of: row, in: text)
        case .elements, .names, .bondOrder, .tagValue, .styled, .fonts, .colours, .represented: return nil
        }
    }

    private static func words(_ text: Span<UInt8>) -> [String] {
        text.bytes(0..<text.count).split(separator: Ascii.blank).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func numbers(_ text: Span<UInt8>) -> [Double] {
        var numbers: [Double] = []
        var at = 0
        while let number = Numeral.decimal(text, wordAt: &at) { numbers.append(number) }
        return numbers
    }

    /// The bytes of a picture, up to the first letter that is no digit; white space may stand between them.
    private static func hexadecimal(_ text: Span<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var half: UInt8?
        for place in text.indices {
            let letter = text[place]
            if letter <= Ascii.blank { continue }
            let digit: UInt8
            switch letter {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = letter - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = letter - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = letter - UInt8(ascii: "A") + 10
            default: return bytes
            }
            if let first = half {
                bytes.append(first << 4 | digit)
                half = nil
            } else {
                half = digit
            }
        }
        return bytes
    }
}
