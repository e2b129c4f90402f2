import ChemopenModel

/// The meaning of the label of a node.
enum LabelMeaning {
    /// The label agrees with the node's element, or there is no label.
    case agrees
    case atom(Atom)
    case structure(LabelStructure)
    /// The label is an unknown name.
    case name
}

/// Reads labels that are the only description of a node. Programs draw the text that users type: according to the
/// format, a node without an element is carbon, but its label on the page can be `OTs`.
extension FragmentReader {
    /// Reads the label of a node. If the label describes the node completely, adds its atoms and returns their position
    /// in the molecule.
    ///
    /// If the label is unknown, the type of the node becomes `unspecified`.
    mutating func readLabel(
        _ index: Int, _ position: Position, _ table: FragmentTable, into piece: inout DrawnPiece,
        _ groups: inout [PendingAbbreviation]
    ) -> FragmentTables.Place? {
        let node = tables.nodes[index].object
        // Most nodes have only properties and no label.
        if drawing.objects(within: node).count == 1 { return nil }
        if tables.nodes[index].type == .element, agrees(node, index) { return nil }
        // If the content does not match the bonds, a warning already exists.
        let hasContent = drawing.children(of: node).contains { drawing.kind(of: $0) == .fragment }
        if hasContent || drawing.hasOwnStatement(in: node) { return nil }
        let label = labelText(of: node)
        if label.isEmpty || isKnown(label, index) { return nil }
        switch meaning(of: label, index) {
        case .agrees: return nil
        case .atom(let atom):
            return .atom(Int32(clamping: addAtom(index, at: position, reading: atom, to: &piece, &groups)))
        case .structure(let structure):
            let inner = inner(structure, index, at: position)
            let joints = structure.joints
            let bonds = tables.bondCount(ofNode: index)
            let ends = joints.count == 1 ? Array(repeating: joints[0], count: bonds) : joints
            if let place = place(inner, index, label, at: position, ends, table, into: &piece, &groups) {
                return place
            }
        case .name: break
        }
        if tables.nodes[index].type == .element {
            if let symbol = statedSymbol(node), label.string.holds(symbol) {
                doubt(
                    "unknown label; read as the node's element, \(symbol)", node, found: label)
                return nil
            }
            tables.nodes[index].type = .unspecified
        }
        doubt("unknown label; read as an atom with this name", node, found: label)
        return nil
    }

    /// Returns the symbol of the element that a node specifies.
    private func statedSymbol(_ node: Int) -> String? {
        guard let number = drawing.integer(.element, of: node), let code = UInt8(exactly: number) else { return nil }
        return ChemicalElement(rawValue: code)?.symbol
    }

    /// Whether the label of an element node is its symbol, with optional hydrogens, charge and mass. Adds a warning
    /// if these differ from the node's properties.
    private mutating func agrees(_ node: Int, _ index: Int) -> Bool {
        let number = drawing.integer(.element, of: node) ?? 6
        guard number > 0, let code = UInt8(exactly: number), let element = ChemicalElement(rawValue: code) else {
            return true
        }
        for child in drawing.children(of: node) where drawing.kind(of: child) == .text {
            let read = { (text: borrowing Span<UInt8>) in (isEmpty: text.isEmpty, label: ElementLabel(text, element)) }
            guard
                let (isEmpty, label) = drawing.read(.utf8Text, of: child, read) ?? drawing.read(.text, of: child, read)
            else { continue }
            if isEmpty { continue }
            guard let label else { return false }
            if !drawing.isOwn { compare(label, element, node, index) }
            return true
        }
        return true
    }

    private mutating func compare(_ label: ElementLabel, _ element: ChemicalElement, _ node: Int, _ index: Int) {
        let charge = drawing.real(.charge, of: node) ?? 0
        if label.charge != 0, charge == 0 {
            doubt("the label shows a charge that the node does not state; ignored", node, found: labelText(of: node))
        }
        if label.mass != 0, drawing.integer(.isotope, of: node) ?? 0 != label.mass {
            doubt("the label shows a mass that the node does not state; ignored", node, found: labelText(of: node))
        }
        if label.hydrogens > 0, drawing.integer(.radical, of: node) ?? 0 == 0,
            let count = hydrogens(of: element, charge, node, index), count != label.hydrogens
        {
            doubt("the label shows a different number of hydrogens; read as \(count)", node, found: labelText(of: node))
        }
    }

    /// Returns the hydrogens of a node: the stated number, or the number that the valence rule implies.
    private func hydrogens(of element: ChemicalElement, _ charge: Double, _ node: Int, _ index: Int) -> Int? {
        if let stated = drawing.integer(.hydrogens, of: node), 0...20 ~= stated { return stated }
        guard !drawing.isSet(.abnormalValence, of: node), abs(charge) <= 15 else { return nil }
        var sum = 0
        for bond in tables.bonds(ofNode: index) {
            let order = DrawnBond.order(of: tables.bonds[bond].object, in: drawing)
            guard let valence = order.valence, 1...3 ~= valence else { return nil }
            sum += valence
        }
        var atom = Atom(element)
        atom.charge = Int16(charge.rounded())
        return atom.hydrogens(bondOrderSum: sum, by: .mdl)
    }

    /// Whether a label is the name of a variable or of an R-group site.
    private mutating func isKnown(_ label: Text, _ index: Int) -> Bool {
        let isSite = label.numberOfSite != nil
        guard isSite || Self.knownName(label) != nil else { return false }
        if tables.nodes[index].type == .element { tables.nodes[index].type = isSite ? .genericNickname : .unspecified }
        return true
    }

    private mutating func meaning(of label: Text, _ index: Int) -> LabelMeaning {
        let node = tables.nodes[index].object
        var outer = 0
        for bond in tables.bonds(ofNode: index) {
            let order = DrawnBond.order(of: tables.bonds[bond].object, in: drawing)
            let other = tables.nodes[tables.bonds[bond].otherEnd(than: index)].type
            guard let valence = order.valence, 1...3 ~= valence, !other.isAttachment else { return .name }
            outer += valence
        }
        let charge = drawing.real(.charge, of: node) ?? 0
        guard charge.rounded() == charge, abs(charge) <= 4 else { return .name }
        let question = LabelStructure.Question(
            label: label, bonds: tables.bondCount(ofNode: index), outer: outer, charge: Int(charge))
        guard let structure = labels.structure(question) else { return .name }
        if structure.atoms.count == 1, let atom = structure.atoms.first {
            let element = drawing.integer(.element, of: node) ?? 6
            let isElement = tables.nodes[index].type == .element
            return isElement && element == Int(atom.element.rawValue) && atom.isPlainElement ? .agrees : .atom(atom)
        }
        if drawing.integer(.isotope, of: node) ?? 0 != 0 || drawing.integer(.radical, of: node) ?? 0 != 0 {
            return .name
        }
        return structure.joints.count > 1 && !hasRoom(structure.joints.count, index) ? .name : .structure(structure)
    }

    /// Whether the neighboring atom has enough free valences for several groups instead of one bond.
    private func hasRoom(_ count: Int, _ index: Int) -> Bool {
        guard let bond = tables.firstBond(ofNode: index) else { return false }
        let neighbor = tables.bonds[bond].otherEnd(than: index)
        guard tables.nodes[neighbor].type == .element else { return false }
        let number = drawing.integer(.element, of: tables.nodes[neighbor].object) ?? 6
        guard let code = UInt8(exactly: number), let element = ChemicalElement(rawValue: code) else { return false }
        var sum = count - 1
        for bond in tables.bonds(ofNode: neighbor) {
            sum += DrawnBond.order(of: tables.bonds[bond].object, in: drawing).valence ?? 8
        }
        return sum < LabelValence.most(of: element)
    }

    /// Returns the atoms of a structure at the position of its label, in the form of a node's content.
    private mutating func inner(_ structure: LabelStructure, _ index: Int, at position: Position) -> DrawnPiece {
        var inner = DrawnPiece()
        var neighbor: Position?
        let bonds = tables.bonds(ofNode: index)
        let places = bonds.map { tables.nodes[tables.bonds[$0].otherEnd(than: index)].object }.compactMap {
            drawing.position(isInSpace ? .position3D : .position, of: $0)
        }.map { place($0) }
        if !places.isEmpty {
            let count = Double(places.count)
            neighbor = Position(places.reduce(0) { $0 + $1.x } / count, places.reduce(0) { $0 + $1.y } / count)
        }
        let positions = structure.positions(at: position, from: neighbor)
        for (atom, position) in zip(structure.atoms, positions) {
            var placed = atom
            placed.position = position
            _ = inner.draft.add(placed)
        }
        for bond in structure.bonds { _ = inner.draft.add(bond) }
        let node = tables.nodes[index].object
        inner.points = bonds.map { _ in DrawnPiece.Point(object: node, atoms: structure.joints) }
        atomsLeft -= structure.atoms.count
        return inner
    }
}

extension Atom {
    /// Whether it is an element with only implicit hydrogens, without a charge or isotope.
    fileprivate var isPlainElement: Bool { charge == 0 && isotope == 0 && hydrogens == .unstated }
}

/// A cache of the structures of labels.
struct KnownLabels {
    private var structures: [LabelStructure.Question: LabelStructure?] = [:]

    /// The maximum number of distinct labels. Further labels are treated as names.
    private static let most = 500

    mutating func structure(_ question: LabelStructure.Question) -> LabelStructure? {
        if question.label.bytes.count > 2 * LabelTokens.mostLetters { return nil }
        if let known = structures[question] { return known }
        guard structures.count < Self.most else { return nil }
        let structure = LabelStructure.named(question)
        structures[question] = .some(structure)
        return structure
    }
}

/// A label that is an element symbol with hydrogens, a charge and a mass: `NH2`, `H3C`, `13CH3`, `O-`.
struct ElementLabel {
    private(set) var hydrogens = 0
    private(set) var charge = 0
    private(set) var mass = 0

    /// Returns nil for any other label.
    init?(_ text: borrowing Span<UInt8>, _ element: ChemicalElement) {
        let (first, second) = element.symbolBytes
        let isHydrogen = element == .hydrogen
        var place = 0
        var hasSymbol = false
        func number() -> Int {
            var number = 0
            while place < text.count, UInt8(ascii: "0")...UInt8(ascii: "9") ~= text[place] {
                number = min(number * 10 + Int(text[place] & 15), 1000)
                place += 1
            }
            return number
        }
        while place < text.count {
            let letter = text[place]
            let isSymbol =
                letter == first && (second == 0 || place + 1 < text.count && text[place + 1] == second)
            if isSymbol, !hasSymbol {
                hasSymbol = true
                place += second == 0 ? 1 : 2
                continue
            }
            switch letter {
            case UInt8(ascii: "H"):
                place += 1
                let count = number()
                hydrogens += count == 0 ? 1 : count
            case UInt8(ascii: "D") where isHydrogen && !hasSymbol, UInt8(ascii: "T") where isHydrogen && !hasSymbol:
                place += 1
                hasSymbol = true
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                let start = place
                let count = number()
                if start == 0 {
                    mass = count
                } else {
                    guard place < text.count, Self.sign(text[place]) != 0, count > 0, charge == 0 else { return nil }
                    charge = Self.sign(text[place]) * count
                    place += 1
                }
            case UInt8(ascii: "+"), UInt8(ascii: "-"):
                place += 1
                let count = number()
                charge += Self.sign(letter) * (count == 0 ? 1 : count)
            case 9, 10, 13, 32, UInt8(ascii: ":"): place += 1
            // `FeII` specifies the oxidation state of the metal.
            case UInt8(ascii: "I"), UInt8(ascii: "V"), UInt8(ascii: "("), UInt8(ascii: ")"):
                guard hasSymbol, element.isMetal else { return nil }
                place += 1
            default: return nil
            }
        }
        if !hasSymbol { return nil }
    }

    private static func sign(_ letter: UInt8) -> Int {
        letter == UInt8(ascii: "+") ? 1 : letter == UInt8(ascii: "-") ? -1 : 0
    }
}
