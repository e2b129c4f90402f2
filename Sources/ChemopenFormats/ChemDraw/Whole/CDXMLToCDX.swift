import ChemopenBytes
import ChemopenModel

/// Puts a drawing of XML into the binary spelling, attribute by attribute.
///
/// Attributes and elements in no table go under tags that the format leaves to its users; those without room there are told.
struct CDXMLToCDX {
    private(set) var result = CDXTokens()
    private(set) var losses: [Loss] = []
    private let source: CDXMLTokens
    private let ends: [Int]
    private let conversion = DrawnConversion(numbers: CDXNumbers(isBigEndian: false))
    private var texts = DrawnTexts(numbers: CDXNumbers(isBigEndian: false))
    /// The font of runs that name none.
    private var font = 0
    private var hasDocument = false

    private typealias Attribute = CDXMLTokens.Attribute

    /// Nothing where the elements are no drawing.
    init?(_ source: CDXMLTokens) {
        self.source = source
        ends = source.ends()
        write()
        if !hasDocument { return nil }
        result.tokens.append(.close)
    }

    private mutating func write() {
        /// Whether the elements that are open are objects.
        var open: [Bool] = []
        var place = 0
        while place < source.tokens.count {
            switch source.tokens[place] {
            case .start(let name, let attributes):
                if isRead(name) {
                    place = ends[place]
                } else {
                    open.append(writeStart(name, attributes, place))
                }
            case .text: break
            case .end: if open.popLast() == true { result.tokens.append(.close) }
            }
            place += 1
        }
    }

    /// Whether an element has been read with the object that it stands in.
    private func isRead(_ name: [UInt8]) -> Bool {
        hasDocument && Self.parts.contains(name)
    }

    private static let parts: Set<[UInt8]> = [
        CDXMLTokens.run, represent, Array(CDXMLNames.fontTable.utf8), Array(CDXMLNames.colourTable.utf8),
    ]
    private static let represent = Array("represent".utf8)

    // MARK: Objects

    /// Writes the start of an object; `false` where its end is not to be written: of the document, which holds the pages
    /// of further ones, and of what is no object.
    private mutating func writeStart(_ name: [UInt8], _ attributes: [Attribute], _ place: Int) -> Bool {
        if name.elementsEqual(CDXMLNames.list.utf8), !hasDocument { return false }
        let kind = DrawnKind.named(name)
        if kind == .document {
            if hasDocument {
                losses.note(.unknown, "settings of a further document")
                return false
            }
            hasDocument = true
            readFonts(within: place)
        } else if !hasDocument {
            losses.note(.unknown, "object \(name.text)")
            return false
        }
        var id: UInt32 = 0
        if let text = attributes.first(where: { $0.isCalled("id") })?.value {
            if let number = CDXMLValues.integer(text.span), let exact = UInt32(exactly: number) {
                id = exact
            } else {
                losses.note(.unknown, "attribute id")
            }
        }
        result.tokens.append(.open(kind ?? .own, id: id))
        if kind == nil { add(.ownName, name) }
        writeProperties(attributes, of: kind)
        writeParts(within: place, isText: kind == .text)
        return kind != .document
    }

    private mutating func add(_ property: DrawnProperty, _ data: [UInt8]) {
        result.tokens.append(.property(property.rawValue, data[...]))
    }

    // MARK: Properties

    private mutating func writeProperties(_ attributes: [Attribute], of kind: DrawnKind?) {
        /// Fonts, sizes, faces and colours that are one property, which stands where the font does.
        var styles: [[UInt8]: (property: DrawnProperty, data: [UInt8])?] = [:]
        for (prefix, property) in [("Label", DrawnProperty.labelStyle), ("Caption", .captionStyle)] {
            guard let data = texts.style(of: attributes, prefix) else { continue }
            for part in ["Size", "Face", "Color"] { styles[Array((prefix + part).utf8)] = .some(nil) }
            styles[Array((prefix + "Font").utf8)] = (property, data)
        }
        let tagType = attributes.first { $0.isCalled("TagType") }?.value
        for attribute in attributes where !attribute.isCalled("id") {
            if let style = styles[attribute.name] {
                if let style { add(style.property, style.data) }
                continue
            }
            guard kind != nil, let row = DrawnPropertyTable.row(named: attribute.name),
                let data = data(of: attribute.value, row, kind, tagType)
            else {
                add(.attribute, attribute.name + [Ascii.equals] + attribute.value)
                // An atom whose element is no number is no carbon, which it would be without one.
                if kind == .node, attribute.isCalled("Element") { add(.element, []) }
                continue
            }
            add(row.property, data)
        }
    }

    private func data(
        of text: [UInt8], _ row: DrawnPropertyTable.Row, _ kind: DrawnKind?, _ tagType: [UInt8]?
    ) -> [UInt8]? {
        switch row.type {
        case .text:
            let isBare = row.property == .name && (kind == .objectTag || kind == .chemicalProperty)
            return texts.data(of: text, isBare: isBare)
        case .tagValue:
            if tagType?.elementsEqual("Double".utf8) == true, let number = CDXMLValues.real(text.span) {
                var data: [UInt8] = []
                texts.numbers.append(Int(truncatingIfNeeded: number.bitPattern), bytes: 8, to: &data)
                return data
            }
            if tagType?.elementsEqual("Long".utf8) == true, let number = CDXMLValues.integer(text.span),
                let exact = Int32(exactly: number)
            {
                var data: [UInt8] = []
                texts.numbers.append(Int(exact), bytes: 4, to: &data)
                return data
            }
            return texts.data(of: text, isBare: false)
        case .names:
            var names = text.split { $0 <= 0x20 }
            let isExcluded = names.first?.elementsEqual("NOT".utf8) == true
            if isExcluded { names.removeFirst() }
            guard names.count < 0x8000, names.allSatisfy({ $0.count < 0xFFFE }) else { return nil }
            var data: [UInt8] = []
            texts.numbers.append(isExcluded ? -names.count : names.count, bytes: 2, to: &data)
            for name in names {
                let name = texts.data(of: Array(name), isBare: false)
                texts.numbers.append(name.count, bytes: 2, to: &data)
                data += name
            }
            return data
        default: return conversion.data(of: text, row)
        }
    }

    // MARK: Text and tables

    /// The elements directly within another, in their order; returns the text between them.
    @discardableResult
    private func children(of place: Int, _ take: ([UInt8], [Attribute], Int) -> Void) -> [UInt8] {
        var letters: [UInt8] = []
        var child = place + 1
        while child < ends[place] {
            switch source.tokens[child] {
            case .start(let name, let attributes):
                take(name, attributes, child)
                child = ends[child]
            case .text(let text): letters += text
            case .end: break
            }
            child += 1
        }
        return letters
    }

    /// Writes what stands in elements and is a property in the binary spelling.
    private mutating func writeParts(within place: Int, isText: Bool) {
        var runs: [StyledText.Run] = []
        var represented: [UInt8] = []
        var tables: [(DrawnProperty, [UInt8]?)] = []
        var unread: [Text] = []
        var coarse = 0
        let letters = children(of: place) { name, attributes, child in
            if name == CDXMLTokens.run, isText {
                runs.append(run(attributes, child, &unread, &coarse))
            } else if name == Self.represent {
                if let data = reference(attributes) { represented += data } else { unread.append("represent") }
            } else if name.elementsEqual(CDXMLNames.fontTable.utf8) {
                tables.append((.fontTable, fonts(within: child)))
            } else if name.elementsEqual(CDXMLNames.colourTable.utf8) {
                tables.append((.colourTable, colours(within: child)))
            } else if name == CDXMLTokens.run {
                unread.append("s")
            }
        }
        for (property, data) in tables {
            if let data {
                add(property, data)
            } else {
                unread.append(property == .fontTable ? "fonttable" : "colortable")
            }
        }
        if !represented.isEmpty { add(.represents, represented) }
        if !letters.isEmpty { add(.letters, letters) }
        if !runs.isEmpty {
            if let (text, copy) = texts.data(of: runs) {
                add(.text, text)
                if let copy { add(.utf8Text, copy) }
            } else {
                unread.append("t")
            }
        }
        losses.note(.precision, "written in twentieths of a point", count: coarse)
        for name in unread { losses.note(.unknown, Text(bytes: Array("element ".utf8) + name.bytes)) }
    }

    private func run(_ attributes: [Attribute], _ place: Int, _ unread: inout [Text], _ coarse: inout Int)
        -> StyledText.Run
    {
        var letters: [UInt8] = []
        for token in source.tokens[place..<ends[place]] { if case .text(let text) = token { letters += text } }
        var run = StyledText.Run(text: CDXCharacterSets.withOneKindOfLineEnd(letters[...]))
        for attribute in attributes {
            let number = CDXMLValues.real(attribute.value.span)
            switch String(decoding: attribute.name, as: UTF8.self) {
            case "font": run.font = number.flatMap { Int(exactly: $0) }
            case "face": run.face = number.flatMap { Int(exactly: $0) }
            case "color": run.colour = number.flatMap { Int(exactly: $0) }
            case "size":
                run.size = number
                if let number, (number * 20).rounded() != number * 20 { coarse += 1 }
            default: unread.append(Text(bytes: Array("s with ".utf8) + attribute.name))
            }
        }
        if !attributes.isEmpty, run.font == nil { run.font = font }
        return run
    }

    private func reference(_ attributes: [Attribute]) -> [UInt8]? {
        guard let name = attributes.first(where: { $0.isCalled("attribute") })?.value,
            let object = attributes.first(where: { $0.isCalled("object") })?.value,
            let id = CDXMLValues.integer(object.span).flatMap({ UInt32(exactly: $0) }),
            let row = DrawnPropertyTable.row(named: name)
        else { return nil }
        var data: [UInt8] = []
        texts.numbers.append(Int(id), bytes: 4, to: &data)
        texts.numbers.append(Int(row.property.rawValue), bytes: 2, to: &data)
        return data
    }

    /// Learns the character sets before the first text is met.
    private mutating func readFonts(within place: Int) {
        var table: [UInt8]?
        var first: Int?
        children(of: place) { name, _, child in
            guard name.elementsEqual(CDXMLNames.fontTable.utf8), table == nil else { return }
            table = fonts(within: child)
            children(of: child) { _, attributes, _ in
                guard first == nil, let id = attributes.first(where: { $0.isCalled("id") })?.value else { return }
                first = CDXMLValues.integer(id.span)
            }
        }
        if let table { texts.readFonts(table[...]) }
        font = first ?? 0
    }

    private func fonts(within place: Int) -> [UInt8]? {
        var fonts: [UInt8] = []
        var count = 0
        var isSound = true
        children(of: place) { _, attributes, _ in
            func value(_ name: String) -> [UInt8] { attributes.first { $0.isCalled(name) }?.value ?? [] }
            guard let id = CDXMLValues.integer(value("id").span), 0...0xFFFF ~= id,
                let set = DrawnCharsets.number(of: value("charset")), 0...0xFFFF ~= set, value("name").count <= 0xFFFF
            else {
                isSound = false
                return
            }
            for number in [id, set, value("name").count] { texts.numbers.append(number, bytes: 2, to: &fonts) }
            fonts += value("name")
            count += 1
        }
        guard isSound, count <= 0xFFFF else { return nil }
        var data: [UInt8] = []
        let isWindows = 1
        texts.numbers.append(isWindows, bytes: 2, to: &data)
        texts.numbers.append(count, bytes: 2, to: &data)
        return data + fonts
    }

    private func colours(within place: Int) -> [UInt8]? {
        var parts: [Int?] = []
        children(of: place) { _, attributes, _ in
            for name in ["r", "g", "b"] {
                let value = attributes.first { $0.isCalled(name) }.flatMap { CDXMLValues.real($0.value.span) }
                parts.append(value.map { Int((max(0, min(1, $0)) * 65_535).rounded()) })
            }
        }
        let numbers = parts.compactMap { $0 }
        guard numbers.count == parts.count, parts.count / 3 <= 0xFFFF else { return nil }
        var data: [UInt8] = []
        texts.numbers.append(numbers.count / 3, bytes: 2, to: &data)
        for number in numbers { texts.numbers.append(number, bytes: 2, to: &data) }
        return data
    }
}
