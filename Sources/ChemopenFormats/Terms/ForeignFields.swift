import ChemopenBytes
import ChemopenModel

/// The extension fields of SketchEl files that store properties of atoms and bonds from other formats.
///
/// A field consists of a tag and, after a colon, values separated by commas. Each value is escaped separately.
enum ForeignFields {
    static func text(_ tag: Text, _ values: [Text]) -> Text {
        var bytes = tag.bytes
        for (place, value) in values.enumerated() {
            bytes.append(place == 0 ? UInt8(ascii: ":") : UInt8(ascii: ","))
            escape(value.bytes, into: &bytes)
        }
        return Text(bytes: bytes)
    }

    /// Returns the values of a field, or `nil` if it has a different tag.
    static func values(of text: Text, tag: StaticString) -> [Text]? {
        text.begins(tag) ? values(of: text, tagLength: tag.utf8CodeUnitCount) : nil
    }

    /// Returns the values of a field with a tag of this length, or `nil` if its tag is longer.
    static func values(of text: Text, tagLength: Int) -> [Text]? {
        let bytes = text.bytes.span
        if bytes.count == tagLength { return [] }
        guard bytes.count > tagLength, bytes[tagLength] == UInt8(ascii: ":") else { return nil }
        var values: [Text] = []
        var start = tagLength + 1
        while true {
            let comma = firstIndex(of: Ascii.comma, in: bytes, from: start, to: bytes.count)
            let end = comma ?? bytes.count
            var value: [UInt8] = []
            value.reserveCapacity(end - start)
            SketchElEscapes.unescape(start..<end, of: bytes, into: &value)
            values.append(Text(bytes: value))
            guard let comma else { return values }
            start = comma + 1
        }
    }

    /// Escapes commas and backslashes in a value. The complete field is escaped again later.
    private static func escape(_ value: [UInt8], into bytes: inout [UInt8]) {
        for byte in value {
            switch byte {
            case UInt8(ascii: ","): bytes.append(contentsOf: "\\002C".utf8)
            case UInt8(ascii: "\\"): bytes.append(contentsOf: "\\005C".utf8)
            default: bytes.append(byte)
            }
        }
    }

    private static func number(_ text: Text) -> Int? {
        guard let number = Int(text.string), Text("\(number)") == text else { return nil }
        return number
    }

    // MARK: Queries of atoms

    private static let unsaturated: Text = "U:yes"

    static func query(for list: ElementList) -> Text {
        var bytes = Array((list.isExcluding ? "E!" : "E:").utf8)
        for (place, symbol) in list.symbols.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += symbol.bytes
        }
        return Text(bytes: bytes)
    }

    /// Returns the equivalent SketchEl query, or `nil` if the note is not a query or has no equivalent.
    static func query(for note: AtomNote) -> Text? {
        if case .unsaturated = note { return unsaturated }
        let term = AtomTerm.term(of: note)
        guard let letter = term.query, case .code(let code) = term.content else {
            return nil
        }
        return code.get(note).flatMap { code.word(inQuery: $0) }.map { Text("\(letter):\($0)") }
    }

    /// Returns the note for a SketchEl query, or `nil` if MDL's formats have no equivalent.
    static func note(forQuery text: Text) -> AtomNote? {
        if text == unsaturated { return .unsaturated }
        guard text.bytes.count > 2 else { return nil }
        let rest = text.bytes.dropFirst(2)
        let isAllowing = text.bytes[1] == UInt8(ascii: ":")
        if text.bytes[0] == UInt8(ascii: "E"), isAllowing || text.bytes[1] == UInt8(ascii: "!") {
            let symbols = rest.split(separator: Ascii.comma, omittingEmptySubsequences: false)
            // Other formats cannot represent an empty symbol.
            guard symbols.allSatisfy({ !$0.isEmpty }) else { return nil }
            return .elementList(ElementList(excluding: !isAllowing, symbols.map { Text(bytes: $0) }))
        }
        guard isAllowing, let word = number(Text(bytes: rest)),
            let term = AtomTerm.all.first(where: { $0.query?.asciiValue == text.bytes[0] }),
            case .code(let code) = term.content
        else { return nil }
        return code.note(forQuery: word)
    }

    // MARK: Other notes on atoms

    static func transientField(for note: AtomNote) -> Text? {
        let term = AtomTerm.term(of: note)
        guard let field = term.field else { return nil }
        let tag = Text("\(field)")
        switch term.content {
        case .code(let code): return code.get(note).map { text(tag, [Text("\($0)")]) }
        case .text(let get, _): return get(note).map { text(tag, [$0]) }
        case .numbers(let get, _): return get(note).map { text(tag, $0.map { Text("\($0)") }) }
        case .attachments:
            guard case .attachmentOrder(let order) = note else { return nil }
            return text(tag, order.flatMap { [Text("\($0.neighbor &+ 1)"), $0.point] })
        case .elements, .configuration, .keyword: return nil
        }
    }

    // MARK: Content of other formats

    /// The field for two unpaired electrons in a singlet state.
    static let singlet: Text = "yMDL_SINGLET"

    /// Returns the field for a V3000 keyword without a meaning in the model.
    static func keyword(_ name: Text, _ value: Text) -> Text { text("yMDL_KEY", [name, value]) }

    private static func keyword(_ text: Text) -> (name: Text, value: Text)? {
        guard let values = values(of: text, tag: "yMDL_KEY"), values.count == 2 else { return nil }
        return (values[0], values[1])
    }

    /// Whether a field specifies the template class of its atom.
    static func isTemplateClass(_ text: Text) -> Bool { text.begins("yMDL_SCSR_CLASS:") }

    /// Returns the note for a `y` field, or `nil` if the field has no meaning in the model.
    static func note(forField text: Text) -> AtomNote? {
        guard text.begins("yMDL_") else { return nil }
        if let (name, value) = keyword(text) { return .keyword(name: name, value: value) }
        let tagLength = text.bytes.firstIndex(of: UInt8(ascii: ":")) ?? text.bytes.count
        for place in AtomTerm.all.indices where AtomTerm.all[place].field?.utf8CodeUnitCount == tagLength {
            let term = AtomTerm.all[place]
            guard let field = term.field, let values = values(of: text, tag: field) else { continue }
            switch term.content {
            case .code(let code):
                if values.count == 1, let value = number(values[0]), code.range.contains(value) {
                    return code.make(value)
                }
            case .text(_, let make):
                if values.count == 1 { return make(values[0]) }
            case .numbers(_, let make):
                let numbers = values.compactMap { number($0).flatMap { Int32(exactly: $0) } }
                if numbers.count == values.count { return make(numbers) }
            case .attachments:
                if let order = attachments(values) { return .attachmentOrder(order) }
            case .elements, .configuration, .keyword: break
            }
        }
        return nil
    }

    private static func attachments(_ values: [Text]) -> [AtomNote.Attachment]? {
        var order: [AtomNote.Attachment] = []
        for place in stride(from: 0, to: values.count, by: 2) {
            guard place + 1 < values.count, let neighbor = number(values[place]), 1...Bond.atomLimit ~= neighbor
            else {
                return nil
            }
            order.append(.init(neighbor: neighbor - 1, point: values[place + 1]))
        }
        return order
    }

    /// Returns the stereo group of an atom with a field such as `xCHIRAC:1`.
    static func stereoGroup(_ text: Text) -> (kind: StereoGroup.Kind, number: Int)? {
        guard text.begins("xCHIR") else { return nil }
        for (tag, kind) in stereoTags {
            guard let values = values(of: text, tag: tag) else { continue }
            guard values.count == 1, let number = number(values[0]), 0...0x7FFF_FFFF ~= number else { return nil }
            return (kind, number)
        }
        return nil
    }

    private static let stereoTags: [(tag: StaticString, kind: StereoGroup.Kind)] = [
        ("xCHIRAC", .racemic), ("xCHIREL", .relative),
    ]

    /// Returns the field for the atoms of a stereo group, or `nil` for a group of absolute centers.
    static func field(for group: StereoGroup) -> AtomNote? {
        stereoTags.first { $0.kind == group.kind }.map { .field(text(Text("\($0.tag)"), [Text("\(group.number)")])) }
    }

    // MARK: Marks of atoms

    private static let parities: [Text] = ["", "yCHIRAL_MDL_ODD", "yCHIRAL_MDL_EVEN", "yCHIRAL_MDL_RACEMIC"]
    private static let marks: [(Atom.Marks, Text)] = [
        (.stereoCare, "yMDL_STEREO_CARE"), (.inverts, "yMDL_INVERTS"), (.retains, "yMDL_RETAINS"),
        (.exactChange, "yMDL_EXACT_CHANGE"),
    ]

    static func forEachField(of marks: Atom.Marks, _ take: (Text) -> Void) {
        var rest = marks
        rest.parity = 0
        if marks.parity > 0 { take(parities[marks.parity]) }
        if rest.isEmpty { return }
        for (mark, text) in Self.marks where rest.contains(mark) { take(text) }
    }

    /// Sets the mark for a field. Returns `false` for any other field, or if the parity is already set.
    static func set(_ text: Text, in marks: inout Atom.Marks) -> Bool {
        guard text.begins("yCHIRAL_MDL_") || text.begins("yMDL_") else { return false }
        if marks.parity == 0, let parity = parities.firstIndex(of: text), parity > 0 {
            marks.parity = parity
            return true
        }
        guard let mark = Self.marks.first(where: { $0.1 == text }) else { return false }
        marks.insert(mark.0)
        return true
    }

    // MARK: Bonds

    private static let queries: [(order: Bond.Order, query: Text)] = [
        (.singleOrDouble, "O:1,2"), (.singleOrAromatic, "O:-1,1"), (.doubleOrAromatic, "O:-1,2"),
        (.any, "O:-1,0,1,2,3"),
    ]

    /// Common fields of bonds. They are constants, because a literal would create a new text for each comparison.
    private static let aromatic: Text = "yAROMATIC"
    private static let aromaticQuery: Text = "O:-1"
    private static let zeroHydrogen: Text = "yZERO_HYDROGEN"
    private static let zeroDative: Text = "yZERO_DATIVE"
    private static let inRing: Text = "B:yes"
    private static let inChain: Text = "B:no"
    private static let stereoCare: Text = "yMDL_STEREO_CARE"

    /// Returns the field for a bond order that SketchEl draws as a different order.
    ///
    /// - Parameter isAsked: whether an aromatic bond is a query.
    static func field(for order: Bond.Order, isAsked: Bool) -> BondNote? {
        switch order {
        case .aromatic: isAsked ? .query(aromaticQuery) : .transientField(aromatic)
        case .dative: .transientField(zeroDative)
        case .hydrogen: .transientField(zeroHydrogen)
        default: queries.first { $0.order == order }.map { .query($0.query) }
        }
    }

    /// The meaning of a field of a bond.
    enum Meaning: Equatable {
        case order(Bond.Order)
        case aromatic(isAsked: Bool)
        case note(BondNote)
        case nothing
    }

    static func meaning(of note: BondNote, drawn: Bond.Order) -> Meaning {
        let isOneOrTwo = drawn == .single || drawn == .double
        switch note {
        case .transientField(let text):
            if isOneOrTwo, text == aromatic { return .aromatic(isAsked: false) }
            if drawn == .zero, text == zeroHydrogen { return .order(.hydrogen) }
            if drawn == .zero, text == zeroDative { return .order(.dative) }
            return bondNote(forField: text).map { .note($0) } ?? .nothing
        case .query(let text):
            if isOneOrTwo, text == aromaticQuery { return .aromatic(isAsked: true) }
            guard drawn.valence != nil, let query = queries.first(where: { $0.query == text }) else { return .nothing }
            return .order(query.order)
        default: return .nothing
        }
    }

    /// Whether a field specifies the order of a bond that is drawn with another order.
    static func saysOrder(_ note: BondNote, drawn: Bond.Order) -> Bool {
        switch meaning(of: note, drawn: drawn) {
        case .order, .aromatic: true
        case .note, .nothing: false
        }
    }

    /// Returns the fields for a bond's traits.
    static func fields(of bond: Bond) -> [BondNote] {
        var fields: [BondNote] = []
        if bond.traits.isEmpty, bond.reactingCenter == 0 { return fields }
        if bond.traits.contains(.inRing) { fields.append(.query(inRing)) }
        if bond.traits.contains(.inChain) { fields.append(.query(inChain)) }
        if bond.traits.contains(.stereoCare) { fields.append(.transientField(stereoCare)) }
        if bond.reactingCenter != 0 {
            fields.append(.transientField(text("yMDL_RXCTR", [Text("\(bond.reactingCenter)")])))
        }
        return fields
    }

    /// Sets the bond trait for a field. Returns `false` for any other field.
    static func set(_ note: BondNote, in bond: inout Bond) -> Bool {
        switch note {
        case .query(let text):
            guard text == inRing || text == inChain else { return false }
            bond.traits.insert(text == inRing ? .inRing : .inChain)
        case .transientField(let text):
            if text == stereoCare {
                bond.traits.insert(.stereoCare)
            } else if bond.reactingCenter == 0, let values = values(of: text, tag: "yMDL_RXCTR"), values.count == 1,
                let code = number(values[0]), -32...31 ~= code, code != 0
            {
                bond.reactingCenter = Int8(code)
            } else {
                return false
            }
        default: return false
        }
        return true
    }

    /// Returns the field for a note on a bond, or `nil` if the note is itself a field or has no field.
    static func transientField(for note: BondNote) -> Text? {
        switch note {
        case .endpoints(let atoms, let any):
            text("yMDL_ENDPTS", [any ? "ANY" : "ALL"] + atoms.map { Text("\($0 &+ 1)") })
        case .display(let display): text("yMDL_DISPLAY", [display])
        case .keyword(let name, let value): keyword(name, value)
        default: nil
        }
    }

    private static func bondNote(forField text: Text) -> BondNote? {
        if let values = values(of: text, tag: "yMDL_ENDPTS"), let kind = values.first, kind == "ANY" || kind == "ALL" {
            let atoms = values.dropFirst().compactMap { number($0).flatMap { Int32(exactly: $0 - 1) } }
            return atoms.count == values.count - 1 ? .endpoints(atoms: atoms, any: kind == "ANY") : nil
        }
        if let values = values(of: text, tag: "yMDL_DISPLAY"), values.count == 1 { return .display(values[0]) }
        return keyword(text).map { .keyword(name: $0.name, value: $0.value) }
    }
}
