import ChemopenBytes
import ChemopenModel

/// Rewrites a complete binary drawing as CDXML: properties are decoded from CDX and encoded as CDXML. If CDXML cannot
/// represent something, it is reported as a loss.
struct CDXToCDXML {
    private(set) var losses: [Loss] = []
    private let source: CDXTokens
    private var drawing = WrittenDrawing(.xml)
    private var reading: CDXReading
    /// The properties of each object, in the order in which the objects are opened. They can follow the content of an
    /// object.
    private var properties: [Properties] = []
    private var depth = 0
    private var greatestDepth = 0

    private typealias Properties = [(property: DrawnProperty, data: ArraySlice<UInt8>)]

    /// Returns the file; nil if its objects are nested more deeply than the XML reader supports.
    static func file(_ source: CDXTokens) -> RewrittenFile? {
        var made = CDXToCDXML(source)
        made.gather()
        made.write()
        if made.greatestDepth > XMLEvents.greatestDepth { return nil }
        made.losses.note(made.drawing.takeLosses())
        made.losses.note(.unknown, "characters that XML cannot represent", count: made.drawing.droppedLetters)
        return RewrittenFile(made.drawing.bytes, losses: made.losses)
    }

    private init(_ source: CDXTokens) {
        self.source = source
        reading = CDXReading(isBigEndian: source.numbers.isBigEndian)
    }

    private mutating func gather() {
        var open: [(object: Int, places: [DrawnProperty: Int])] = []
        for token in source.tokens {
            switch token {
            case .open:
                open.append((properties.count, [:]))
                properties.append([])
            case .property(let tag, let data):
                guard let object = open.last?.object else { continue }
                let property = DrawnProperty(rawValue: tag)
                if property == .fontTable { reading.readFonts(data) }
                // If a property has several values, the last one applies.
                if let place = open[open.count - 1].places[property], property != .attribute, property != .letters {
                    note(property)
                    properties[object][place].data = data
                } else {
                    open[open.count - 1].places[property] = properties[object].count
                    properties[object].append((property, data))
                }
            case .close: _ = open.popLast()
            }
        }
    }

    private mutating func write() {
        drawing.begin()
        var object = -1
        /// The number of open objects that are omitted: an unsupported object and the objects inside it.
        var left = 0
        for token in source.tokens {
            switch token {
            case .open(let kind, let id):
                object += 1
                if left > 0 || !open(kind, id, properties[object]) { left += 1 }
            case .property: break
            case .close:
                if left > 0 {
                    left -= 1
                } else {
                    drawing.close()
                    depth -= 1
                }
            }
        }
    }

    /// Opens an object and sets its properties. Returns false if CDXML has no name for it.
    private mutating func open(_ kind: DrawnKind, _ id: UInt32, _ properties: Properties) -> Bool {
        guard let name = name(of: kind, properties) else {
            losses.note(.unknown, Text("object \(kind.name)"))
            return false
        }
        drawing.open(kind, id: id, name: name)
        depth += 1
        let hasElements = properties.contains { Self.elements.contains($0.property) && !$0.data.isEmpty }
        greatestDepth = max(greatestDepth, hasElements ? depth + 1 : depth)
        var names: Set<[UInt8]> = id == 0 ? [] : [Array("id".utf8)]
        for (property, data) in properties {
            switch property {
            case .text: _ = drawing.set(.text, runs(of: data, copy: Self.data(.utf8Text, properties)))
            case .utf8Text where Self.data(.text, properties) != nil: break
            case .utf8Text: _ = drawing.set(.text, runs(of: data, copy: data))
            case .ownName where kind == .own: break
            case .element where data.isEmpty && Self.data(.attribute, properties) != nil: break
            case .attribute: setOwn(data, &names)
            case .letters: drawing.add(letters: Array(data))
            default: if !set(property, data, properties, &names) { note(property) }
            }
        }
        return true
    }

    /// The properties that become child elements of their object.
    private static let elements: Set<DrawnProperty> = [.text, .utf8Text, .fontTable, .colorTable, .represents]

    private static func data(_ property: DrawnProperty, _ properties: Properties) -> ArraySlice<UInt8>? {
        properties.first { $0.property == property }?.data
    }

    /// Returns the name of an element. A name from the file must be valid and must not be in the tables.
    private func name(of kind: DrawnKind, _ properties: Properties) -> [UInt8]? {
        if kind == .own, let own = Self.data(.ownName, properties) {
            return XMLText.isName(Array(own)) && DrawnKind.named(Array(own)) == nil ? Array(own) : nil
        }
        let isNamed = kind.isKnown && kind.name != String(kind.rawValue, radix: 16, uppercase: true)
        return isNamed ? kind.nameInBytes : nil
    }

    // MARK: Properties

    private mutating func set(
        _ property: DrawnProperty, _ data: ArraySlice<UInt8>, _ properties: Properties, _ names: inout Set<[UInt8]>
    ) -> Bool {
        guard let row = DrawnPropertyTable.row(of: property) else { return false }
        let prefix = property == .labelStyle ? "Label" : property == .captionStyle ? "Caption" : ""
        let spelled = prefix.isEmpty ? [row.name] : ["Font", "Size", "Face", "Color"].map { prefix + $0 }
        for name in spelled where !name.isEmpty && !isNew(Array(name.utf8), &names) { return true }
        let type = row.type.form == .tagValue ? tagType(properties, data) : row.type
        // Tables are written even if they are incomplete.
        guard let value = reading.value(of: type, in: data), reading.isExact || row.name.isEmpty else { return false }
        let isExact = reading.isExact
        if type.form == .text, reading.isStyled(data) { losses.note(.unknown, Text("fonts of \(row.name)")) }
        return drawing.set(property, value) && isExact
    }

    /// Returns the type of a tag's value.
    private func tagType(_ properties: Properties, _ data: ArraySlice<UInt8>) -> DrawnType {
        let stated = Self.data(.tagType, properties).flatMap { source.numbers.integer($0, isSigned: false) }
        if stated == 1, source.numbers.real(data) != nil { return .real }
        return stated == 2 && data.count == 4 ? .signed(4) : .text
    }

    /// Records the name of an attribute. Returns false if the object already has it.
    private mutating func isNew(_ name: [UInt8], _ names: inout Set<[UInt8]>) -> Bool {
        if names.insert(name).inserted { return true }
        losses.note(.unknown, Text("attribute \(String(decoding: name, as: UTF8.self))"))
        return false
    }

    /// Sets an attribute that is not in the tables.
    private mutating func setOwn(_ data: ArraySlice<UInt8>, _ names: inout Set<[UInt8]>) {
        let name = Array(data.prefix { $0 != Ascii.equals })
        // An attribute named `xmlns` would declare a namespace.
        guard name.count < data.count, XMLText.isName(name), !name.elementsEqual("xmlns".utf8) else {
            return note(.attribute)
        }
        if isNew(name, &names) { drawing.setAttribute(name, Array(data.dropFirst(name.count + 1))) }
    }

    /// Returns the runs of a text. Newer programs also store its letters in a second, UTF-8 copy.
    private mutating func runs(of data: ArraySlice<UInt8>, copy: ArraySlice<UInt8>?) -> DrawnValue {
        guard case .styled(let text)? = reading.value(of: .styled, in: data) else { return .styled(StyledText()) }
        func letters(_ text: StyledText) -> [UInt8] { text.runs.flatMap(\.text.bytes) }
        guard let copy, case .styled(let other)? = reading.value(of: .utf8Styled, in: copy),
            letters(other) != letters(text)
        else { return .styled(text) }
        // If the copy has no styles, those of the text are used.
        guard other.runs.count == 1, other.runs[0].font == nil, var run = text.runs.first, text.runs.count == 1 else {
            return .styled(other)
        }
        run.text = other.runs[0].text
        return .styled(StyledText(runs: [run]))
    }

    private mutating func note(_ property: DrawnProperty) {
        let name = DrawnPropertyTable.row(of: property)?.name ?? ""
        losses.note(.unknown, Text("property \(name.isEmpty ? property.digits : name)"))
    }
}

extension DrawnProperty {
    /// The tag in four hexadecimal digits.
    var digits: String {
        let digits = String(rawValue, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    }
}
