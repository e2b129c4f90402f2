import ChemopenBytes
import ChemopenModel

/// Puts a drawing of the binary spelling into XML, property by property. What XML has no words for is told.
struct CDXToCDXML {
    private(set) var result = CDXMLTokens()
    private(set) var losses: [Loss] = []
    private let source: CDXTokens
    private let conversion: DrawnConversion
    private var texts: DrawnTexts
    /// The properties of the objects, in the order in which these are opened. They may stand behind what an object contains.
    private var properties: [[(tag: UInt16, data: ArraySlice<UInt8>)]] = []

    init(_ source: CDXTokens) {
        self.source = source
        conversion = DrawnConversion(numbers: source.numbers)
        texts = DrawnTexts(numbers: source.numbers)
        gather()
        write()
    }

    private mutating func gather() {
        var open: [(object: Int, places: [UInt16: Int])] = []
        for token in source.tokens {
            switch token {
            case .open:
                open.append((properties.count, [:]))
                properties.append([])
            case .property(let tag, let data):
                guard let object = open.last?.object else { continue }
                if tag == DrawnProperty.fontTable.rawValue { texts.readFonts(data) }
                // Where it is said twice, the later word counts.
                if let place = open[open.count - 1].places[tag], !Self.mayRepeat.contains(tag) {
                    note("property", tag)
                    properties[object][place].data = data
                } else {
                    open[open.count - 1].places[tag] = properties[object].count
                    properties[object].append((tag, data))
                }
            case .close: _ = open.popLast()
            }
        }
    }

    private static let mayRepeat: Set<UInt16> = [DrawnProperty.attribute.rawValue, DrawnProperty.letters.rawValue]

    private mutating func write() {
        var object = -1
        /// How many objects are open in one that is left out, with it.
        var left = 0
        for token in source.tokens {
            switch token {
            case .open(let kind, let id):
                object += 1
                if left > 0 || !writeStart(of: kind, id, properties[object]) { left += 1 }
            case .property: break
            case .close:
                if left > 0 { left -= 1 } else { result.tokens.append(.end) }
            }
        }
    }

    // MARK: Objects

    /// Writes the start of an object and what stands at its head; `false` where XML has no name for it.
    private mutating func writeStart(
        of kind: DrawnKind, _ id: UInt32, _ properties: [(tag: UInt16, data: ArraySlice<UInt8>)]
    ) -> Bool {
        guard let name = name(of: kind, properties) else {
            losses.note(.unknown, Text("object \(kind.name)"))
            return false
        }
        var attributes: [CDXMLTokens.Attribute] = []
        if id != 0 { attributes.append(.init("id", DrawnConversion.decimal(Int(id)))) }
        var head: [CDXMLTokens.Token] = []
        let copy = properties.first { $0.tag == DrawnProperty.utf8Text.rawValue }?.data
        let tagType = properties.first { $0.tag == DrawnProperty.tagType.rawValue }
            .flatMap { source.numbers.integer($0.data, isSigned: false) }
        for (tag, data) in properties {
            switch DrawnProperty(rawValue: tag) {
            case .text: head += runs(of: data, copy)
            case .utf8Text where properties.contains { $0.tag == DrawnProperty.text.rawValue }: break
            case .utf8Text: head += runs(of: data, data)
            case .fontTable: head += fonts(data)
            case .colourTable: head += colours(data)
            case .represents: head += represented(data)
            case .labelStyle: attributes += style(data, "Label", tag)
            case .captionStyle: attributes += style(data, "Caption", tag)
            case .ownName where kind == .own: break
            case .element where data.isEmpty && properties.contains { $0.tag == DrawnProperty.attribute.rawValue }:
                break
            case .attribute:
                if let attribute = ownAttribute(data) { attributes.append(attribute) } else { note("property", tag) }
            case .letters: head.append(.text(Array(data)))
            default:
                guard let row = DrawnPropertyTable.anyRow(of: tag), !row.name.isEmpty,
                    let text = text(of: data, row, tagType)
                else {
                    note("property", tag)
                    continue
                }
                attributes.append(.init(row.name, text))
            }
        }
        result.tokens.append(.start(name, attributes))
        result.tokens += head
        return true
    }

    /// The name of an object's element: of its own only where that is a name, and in no table.
    private func name(of kind: DrawnKind, _ properties: [(tag: UInt16, data: ArraySlice<UInt8>)]) -> [UInt8]? {
        if kind == .own, let own = properties.first(where: { $0.tag == DrawnProperty.ownName.rawValue }) {
            let name = Array(own.data)
            return XMLText.isName(name) && DrawnKind.named(name) == nil ? name : nil
        }
        let isNamed = kind.isKnown && kind.name != String(kind.rawValue, radix: 16, uppercase: true)
        return isNamed ? kind.nameInBytes : nil
    }

    private mutating func text(
        of data: ArraySlice<UInt8>, _ row: DrawnPropertyTable.Row, _ tagType: Int?
    ) -> [UInt8]? {
        switch row.type {
        case .text: return letters(of: data, row)
        case .tagValue:
            if tagType == 1, let number = source.numbers.real(data) { return DrawnConversion.real(number) }
            if tagType == 2, data.count == 4, let number = source.numbers.integer(data, isSigned: true) {
                return DrawnConversion.decimal(number)
            }
            return letters(of: data, row)
        case .names: return names(data)
        default: return conversion.text(of: data, row)
        }
    }

    private mutating func letters(of data: ArraySlice<UInt8>, _ row: DrawnPropertyTable.Row) -> [UInt8] {
        let (text, isStyled) = texts.letters(of: data)
        if isStyled { losses.note(.unknown, Text("fonts of \(row.name)")) }
        return text.bytes
    }

    private func names(_ data: ArraySlice<UInt8>) -> [UInt8]? {
        guard let count = source.numbers.integer(data.prefix(2), isSigned: true) else { return nil }
        var names: [[UInt8]] = count < 0 ? [Array("NOT".utf8)] : []
        var rest = data.dropFirst(2)
        for _ in 0..<abs(count) {
            guard let length = source.numbers.word(rest, 0), length <= rest.count - 2 else { return nil }
            let name = texts.letters(of: rest.dropFirst(2).prefix(length)).text.bytes
            if name.isEmpty || name.contains(where: { $0 <= 0x20 }) { return nil }
            names.append(name)
            rest = rest.dropFirst(2 + length)
        }
        return rest.isEmpty ? Array(names.joined(separator: [Ascii.blank])) : nil
    }

    private mutating func style(
        _ data: ArraySlice<UInt8>, _ prefix: String, _ tag: UInt16
    ) -> [CDXMLTokens.Attribute] {
        guard let attributes = texts.style(of: data, prefix) else {
            note("property", tag)
            return []
        }
        return attributes
    }

    private func ownAttribute(_ data: ArraySlice<UInt8>) -> CDXMLTokens.Attribute? {
        guard let end = data.firstIndex(of: Ascii.equals) else { return nil }
        let name = Array(data[..<end])
        // An attribute of this name would be a namespace.
        guard XMLText.isName(name), !name.elementsEqual("xmlns".utf8) else { return nil }
        return .init(name: name, value: Array(data[(end + 1)...]))
    }

    // MARK: Text and tables

    private func runs(of data: ArraySlice<UInt8>, _ copy: ArraySlice<UInt8>?) -> [CDXMLTokens.Token] {
        texts.runs(of: data, copy: copy).flatMap { run in
            var attributes: [CDXMLTokens.Attribute] = []
            if let font = run.font { attributes.append(.init("font", DrawnConversion.decimal(font))) }
            if let size = run.size { attributes.append(.init("size", DrawnConversion.real(size))) }
            if let colour = run.colour { attributes.append(.init("color", DrawnConversion.decimal(colour))) }
            if let face = run.face, face != 0 { attributes.append(.init("face", DrawnConversion.decimal(face))) }
            let letters: [CDXMLTokens.Token] = run.text.isEmpty ? [] : [.text(run.text.bytes)]
            return [.start(CDXMLTokens.run, attributes)] + letters + [.end]
        }
    }

    private mutating func fonts(_ data: ArraySlice<UInt8>) -> [CDXMLTokens.Token] {
        var tokens: [CDXMLTokens.Token] = [.start(Array(CDXMLNames.fontTable.utf8), [])]
        var rest = data.dropFirst(4)
        for _ in 0..<(source.numbers.word(data, 2) ?? 0) {
            guard let id = source.numbers.word(rest, 0), let set = source.numbers.word(rest, 2),
                let length = source.numbers.word(rest, 4), length <= rest.count - 6
            else {
                note("property", DrawnProperty.fontTable.rawValue)
                break
            }
            let name = CDXCharacterSets().text(of: rest.dropFirst(6).prefix(length), isUTF8: false)
            tokens.append(
                .start(
                    Array("font".utf8),
                    [
                        .init("id", DrawnConversion.decimal(id)), .init("charset", DrawnCharsets.name(of: set)),
                        .init("name", name.bytes),
                    ]))
            tokens.append(.end)
            rest = rest.dropFirst(6 + length)
        }
        return tokens + [.end]
    }

    private mutating func colours(_ data: ArraySlice<UInt8>) -> [CDXMLTokens.Token] {
        var tokens: [CDXMLTokens.Token] = [.start(Array(CDXMLNames.colourTable.utf8), [])]
        for place in 0..<(source.numbers.word(data, 0) ?? 0) {
            let parts = (0..<3).compactMap { source.numbers.word(data, 2 + 6 * place + 2 * $0) }
            guard parts.count == 3 else {
                note("property", DrawnProperty.colourTable.rawValue)
                break
            }
            let most = 65_535.0
            let values = parts.map { DrawnConversion.fraction($0, of: most) }
            tokens.append(
                .start(Array("color".utf8), zip(["r", "g", "b"], values).map { .init($0, $1) }))
            tokens.append(.end)
        }
        return tokens + [.end]
    }

    /// Which properties of other objects a graphic shows.
    private mutating func represented(_ data: ArraySlice<UInt8>) -> [CDXMLTokens.Token] {
        var tokens: [CDXMLTokens.Token] = []
        for place in stride(from: 0, to: data.count, by: 6) {
            guard let object = source.numbers.long(data, place), let tag = source.numbers.word(data, place + 4),
                let row = DrawnPropertyTable.anyRow(of: UInt16(tag)), !row.name.isEmpty
            else {
                note("property", DrawnProperty.represents.rawValue)
                break
            }
            tokens.append(
                .start(
                    Array("represent".utf8),
                    [.init("attribute", Array(row.name.utf8)), .init("object", DrawnConversion.decimal(Int(object)))]))
            tokens.append(.end)
        }
        return tokens
    }

    private mutating func note(_ kind: String, _ tag: UInt16) {
        let row = DrawnPropertyTable.anyRow(of: tag)
        let digits = String(tag, radix: 16, uppercase: true)
        let number = String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
        losses.note(.unknown, Text("\(kind) \(row.map { $0.name.isEmpty ? number : $0.name } ?? number)"))
    }
}

/// The character sets of fonts, by number and by name.
enum DrawnCharsets {
    private static let names = [0: "Unknown", 1252: "iso-8859-1", 10000: "x-mac-roman", 65001: "utf-8"]
    private static let prefix = "windows-"

    static func name(of number: Int) -> [UInt8] { Array((names[number] ?? "\(prefix)\(number)").utf8) }

    static func number(of name: [UInt8]) -> Int? {
        let name = String(decoding: name, as: UTF8.self).lowercased()
        if let number = names.first(where: { $0.value.lowercased() == name })?.key { return number }
        return name.hasPrefix(prefix) ? Int(name.dropFirst(prefix.count)) : Int(name)
    }
}

extension [UInt8] {
    /// The bytes as a text.
    var text: Text { Text(bytes: self) }
}
