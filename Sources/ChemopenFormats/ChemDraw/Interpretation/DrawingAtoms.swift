import ChemopenModel

/// Reads the properties of a node that describe its atom.
extension FragmentReader {
    /// Adds the atom of a node. A node with an unknown label also becomes an abbreviation without a structure, so
    /// that formats without named atoms can store the label.
    ///
    /// - Parameter labeled: The atom that the label specifies, used if the node itself does not specify one.
    mutating func addAtom(
        _ place: Int, at position: Position, reading labeled: Atom? = nil, to piece: inout DrawnPiece,
        _ groups: inout [PendingAbbreviation]
    ) -> Int {
        atomsLeft -= 1
        let node = tables.nodes[place].object
        let type = labeled == nil ? tables.nodes[place].type : .element
        if type == .element, labeled == nil, let atom = plainAtom(of: node, at: position) {
            let index = piece.draft.add(atom)
            if atom.hydrogens.fixed != nil, drawing.isOwn { piece.shown.atoms.append(index) }
            piece.atoms.append(DrawnAtom(node, index))
            return index
        }
        var atom = Atom(.none, at: position)
        var label: Text?
        var freeLabel: Text?
        var notes: [AtomNote] = []
        switch type {
        case .element where labeled != nil:
            if let labeled { atom = labeled }
            atom.position = position
            readElectrons(of: node, besides: labeled, into: &atom)
        case .element, .linkNode:
            (label, freeLabel) = readElement(of: node, into: &atom)
        case .elementList:
            (label, freeLabel) = readElementList(of: node, &notes)
        case .genericNickname:
            (label, freeLabel) = readNickname(of: node, &notes)
            if freeLabel != nil || label == "R#", drawing.ownStatement(in: node)?.atom.label != nil {
                (label, freeLabel) = (nil, nil)
                notes = []
            }
        case .namedAlternatives:
            (label, freeLabel) = readAlternatives(of: node, &notes)
        case .multiAttachment, .variableAttachment:
            label = Self.anything
        case .connectionPoint:
            label = Self.anything
            let kind = drawing.integer(.connectionType, of: node) ?? 0
            if kind > 0, kind < Self.connectionTypes.count {
                notes.append(.keyword(name: "ExternalConnectionType", value: Self.connectionTypes[kind]))
            }
        default:
            (label, freeLabel) = named(labelText(of: node))
        }
        if drawing.mayState(DrawnPropertySet(.charge), node) { readCharge(of: node, into: &atom) }
        let said = drawing.ownStatement(in: node)
        said?.put(into: &atom)
        if let name = said?.atom.label { (label, freeLabel) = (name, nil) }
        notes += said?.atom.notes ?? []
        let index = piece.draft.add(atom, called: label)
        let isShown = type == .element && atom.hydrogens.fixed != nil && said?.atom.atom.hydrogens.fixed == nil
        if isShown, drawing.isOwn { piece.shown.atoms.append(index) }
        piece.atoms.append(DrawnAtom(node, index))
        if let freeLabel {
            let form = PendingAbbreviation.Form.spelledOut(atoms: index..<index + 1, joints: [])
            groups.append(PendingAbbreviation(node: node, label: freeLabel, place: place, form: form))
        }
        if type == .genericNickname, let id = drawing.identifier(.alternativeGroup, of: node),
            let number = alternatives[id], !notes.contains(where: { if case .rgroups = $0 { true } else { false } })
        {
            notes.append(.rgroups([Int32(clamping: number)]))
        }
        if drawing.mayState(Self.queries, node) { readQueries(of: node, &notes) }
        for note in notes { piece.draft.note(note, onAtom: index) }
        if drawing.mayState(Self.marks, node) {
            readEnhancedStereo(of: node, index, into: &piece)
            readMarks(of: node, index, into: &piece)
        }
        return index
    }

    private static let connectionTypes: [Text] = [
        "Unspecified", "Diamond", "Star", "PolymerBead", "Wavy", "Residue", "Peptide", "DNA", "RNA", "Terminus",
        "Sulfide", "Nucleotide", "UnlinkedBranch", "Chem",
    ]

    // MARK: Elements

    /// Returns the atom of a node that specifies only an element and its electrons, which is the usual case.
    private mutating func plainAtom(of node: Int, at position: Position) -> Atom? {
        if drawing.mayState(Self.queries | Self.marks, node) || drawing.hasOwnStatement(in: node) { return nil }
        let number = drawing.integer(.element, of: node) ?? 6
        guard number > 0, let code = UInt8(exactly: number), let element = ChemicalElement(rawValue: code) else {
            return nil
        }
        var atom = Atom(element, at: position)
        if drawing.mayState(Self.electrons, node) { readElectrons(of: node, into: &atom) }
        if drawing.mayState(DrawnPropertySet(.charge), node) { readCharge(of: node, into: &atom) }
        return atom
    }

    /// Adds the properties of the node to an atom from its label; the label takes precedence.
    private mutating func readElectrons(of node: Int, besides labeled: Atom?, into atom: inout Atom) {
        guard let labeled else { return }
        readElectrons(of: node, into: &atom)
        if labeled.isotope != 0 { atom.isotope = labeled.isotope }
        if labeled.hydrogens != .unstated { atom.hydrogens = labeled.hydrogens }
    }

    private mutating func readElectrons(of node: Int, into atom: inout Atom) {
        readIsotope(of: node, into: &atom)
        let radical = drawing.integer(.radical, of: node) ?? 0
        if radical != 0 { atom.radical = Radical(mdlCode: radical) }
        readHydrogens(of: node, into: &atom)
    }

    /// The number for an unreadable element, for which a warning already exists.
    static let unreadable = Int.min

    /// Reads the element of an atom. Returns a name if the number is not an element.
    private mutating func readElement(of node: Int, into atom: inout Atom) -> Name {
        let number = drawing.integer(.element, of: node) ?? 6
        if drawing.mayState(Self.electrons, node) { readElectrons(of: node, into: &atom) }
        guard number > 0, let code = UInt8(exactly: number), let element = ChemicalElement(rawValue: code) else {
            if number != Self.unreadable {
                doubt("there is no element with the number \(number); read as an atom without an element", node)
            }
            atom.hydrogens = .unstated
            return named(labelText(of: node))
        }
        atom.element = element
        return (nil, nil)
    }

    /// The properties of an element's electrons and hydrogens.
    private static var electrons: DrawnPropertySet {
        DrawnPropertySet(.isotope) | .radical | .hydrogens | .abnormalValence
    }

    private mutating func readIsotope(of node: Int, into atom: inout Atom) {
        guard let mass = drawing.integer(.isotope, of: node), mass != 0 else { return }
        guard (1...400).contains(mass) else {
            doubt("there is no isotope with the mass \(mass); ignored", node)
            return
        }
        atom.isotope = UInt16(clamping: mass)
    }

    /// Reads the hydrogens of a node. A specified count is exact; 255 and 65535 mean that no count is specified.
    private mutating func readHydrogens(of node: Int, into atom: inout Atom) {
        if let count = drawing.integer(.hydrogens, of: node), count != 0xFFFF, count != 0xFF, count >= 0 {
            if count > 20 {
                doubt("an atom cannot have \(count) hydrogens; ignored", node)
            } else {
                atom.hydrogens = .fixed(count)
            }
        } else if let count = drawing.integer(.hydrogens, of: node) {
            doubt("\(count) means that no hydrogens are stated; calculated by the valence rule", node)
        } else if drawing.isSet(.abnormalValence, of: node) {
            atom.hydrogens = .fixed(0)
        }
    }

    private mutating func readCharge(of node: Int, into atom: inout Atom) {
        guard let charge = drawing.real(.charge, of: node), charge != 0, charge.isFinite else { return }
        let rounded = max(-1000, min(1000, charge.rounded()))
        if rounded != charge { doubt("the charge \(charge) is read as \(Int(rounded))", node) }
        if abs(rounded) > 15 { doubt("an unusual charge of \(Int(rounded))", node) }
        atom.charge = Int16(rounded)
    }

    // MARK: Labels

    /// Returns the drawn label of a node, in one line.
    func labelText(of node: Int) -> Text {
        for child in drawing.children(of: node) where drawing.kind(of: child) == .text {
            let text = drawing.text(of: child)
            if !text.isEmpty { return text.withoutLineEnds }
        }
        return Text()
    }

    /// The name of an atom that is not an element, and its label if an abbreviation must store it too.
    typealias Name = (label: Text?, freeLabel: Text?)

    /// Names of query atoms and variables from the MDL formats. Other programs treat names that are not elements as
    /// errors.
    private static let knownLabels: Set<Text> = [
        "*", "A", "Q", "X", "M", "R", "AH", "QH", "XH", "MH", "Pol", "Mod",
    ]

    /// Returns the atom name for a label. A label that is also an element symbol becomes `*`, so that a variable `Ar`
    /// is not read as argon.
    func named(_ text: Text) -> Name {
        if text.isEmpty { return (Self.anything, nil) }
        if text.bytes.count <= 3, Self.knownLabels.contains(text) { return (text, nil) }
        return (text.spellsElement ? Self.anything : text, text)
    }

    /// Returns the atom name for a nickname; nil if only Chemopen's annotations could restore the name.
    static func knownName(_ text: Text) -> Text? { knownLabels.contains(text) ? text : nil }

    /// Reads the name of a variable. If a number follows it, it is an R-group site. Often, only the start of the label
    /// is the name.
    private mutating func readNickname(of node: Int, _ notes: inout [AtomNote]) -> Name {
        let label = labelText(of: node)
        let nickname = drawing.text(.genericNickname, of: node) ?? ""
        let text = label.bytes.starts(with: nickname.bytes) ? label : nickname
        if let number = text.numberOfSite {
            notes.append(.rgroups([Int32(clamping: number)]))
            return ("R#", nil)
        }
        return named(text)
    }

    private mutating func readAlternatives(of node: Int, _ notes: inout [AtomNote]) -> Name {
        guard let id = drawing.identifier(.alternativeGroup, of: node), let number = alternatives[id] else {
            doubt("its alternative group does not exist; read as a label", node)
            return named(labelText(of: node))
        }
        notes.append(.rgroups([Int32(clamping: number)]))
        return ("R#", nil)
    }
}

extension Drawing {
    /// Returns the text of a text object. The UTF-8 copy in newer files takes precedence.
    func text(of object: Int) -> Text {
        text(.utf8Text, of: object) ?? text(.text, of: object) ?? Text()
    }
}

extension Text {
    /// The number in `R1` to `R999`.
    var numberOfSite: Int? {
        guard (2...4).contains(bytes.count), bytes[0] == UInt8(ascii: "R"), bytes[1] != UInt8(ascii: "0") else {
            return nil
        }
        var number = 0
        for byte in bytes.dropFirst() {
            guard (0x30...0x39).contains(byte) else { return nil }
            number = number * 10 + Int(byte - 0x30)
        }
        return number
    }

    fileprivate var spellsElement: Bool {
        guard bytes.count <= 2 else { return false }
        let string = string
        return ChemicalElement(symbol: string) != nil || string == "D" || string == "T"
    }

    /// The text with its lines joined.
    fileprivate var withoutLineEnds: Text {
        bytes.contains { $0 == 10 || $0 == 13 } ? Text(bytes: bytes.filter { $0 != 10 && $0 != 13 }) : self
    }
}
