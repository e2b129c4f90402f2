import ChemopenModel

/// Reads the query features of a node.
extension FragmentReader {
    mutating func readElementList(of node: Int, _ notes: inout [AtomNote]) -> Name {
        guard case .elements(let list)? = drawing.value(.elementList, of: node) else {
            doubt("no element list is stated; read as a label", node)
            return named(labelText(of: node))
        }
        var symbols: [Text] = []
        for number in list.numbers {
            if let code = UInt8(exactly: number), code > 0, let element = ChemicalElement(rawValue: code) {
                symbols.append(Text(element.symbol))
            } else {
                doubt("there is no element with the number \(number); omitted from the list", node)
            }
        }
        notes.append(.elementList(ElementList(excluding: list.areExcluded, symbols)))
        return ("L", nil)
    }

    /// The properties that `readQueries` uses.
    static var queries: DrawnPropertySet {
        DrawnPropertySet(.withoutHydrogens) | .ringBondCount | .substituentsExactly | .unsaturation | .freeSites
            | .substituentsUpTo | .translation | .isotopicAbundance | .genericList | .atomNumber
    }

    func readQueries(of node: Int, _ notes: inout [AtomNote]) {
        func integer(_ property: DrawnProperty) -> Int { drawing.integer(property, of: node) ?? 0 }
        let drawn = drawing.isOwn ? 0 : integer(.hydrogens)
        if drawing.isSet(.withoutHydrogens, of: node) { notes.append(.noHydrogens(beside: drawn)) }
        switch integer(.ringBondCount) {
        case 0 where drawing.integer(.ringBondCount, of: node) != nil: notes.append(.ringBondCount(-1))
        case 1: notes.append(.ringBondCount(-2))
        case let count where count > 1: notes.append(.ringBondCount(min(count, 4)))
        default: break
        }
        let exactly = integer(.substituentsExactly)
        if exactly > 0 { notes.append(.substitutionCount(min(exactly, 6))) }
        switch integer(.unsaturation) {
        case 1: notes.append(.keyword(name: "UnsaturatedBonds", value: "MustBeAbsent"))
        case 2: notes.append(.unsaturated)
        default: break
        }
        for (property, name) in Self.otherQueries where integer(property) > 0 {
            notes.append(.keyword(name: name, value: Text("\(integer(property))")))
        }
        if case .names(let names, let areExcluded)? = drawing.value(.genericList, of: node) {
            let list = names.map(\.string).joined(separator: " ")
            notes.append(.keyword(name: "GenericList", value: Text(areExcluded ? "NOT \(list)" : list)))
        }
        if let number = drawing.text(.atomNumber, of: node), !number.isEmpty { notes.append(.value(number)) }
    }

    /// Queries that only ChemDraw supports, stored with their CDX numbers.
    private static let otherQueries: [(DrawnProperty, Text)] = [
        (.freeSites, "FreeSites"), (.substituentsUpTo, "SubstituentsUpTo"), (.translation, "Translation"),
        (.isotopicAbundance, "IsotopicAbundance"),
    ]

    /// The properties that `readMarks` and `readEnhancedStereo` use.
    static var marks: DrawnPropertySet {
        DrawnPropertySet(.reactionStereo) | .reactionChange | .enhancedStereo
    }

    /// Reads the reaction marks of an atom.
    func readMarks(of node: Int, _ index: Int, into piece: inout DrawnPiece) {
        switch drawing.integer(.reactionStereo, of: node) ?? 0 {
        case 1: piece.draft.atoms[index].marks.insert(.inverts)
        case 2: piece.draft.atoms[index].marks.insert(.retains)
        default: break
        }
        if drawing.isSet(.reactionChange, of: node) { piece.draft.atoms[index].marks.insert(.exactChange) }
    }

    func readEnhancedStereo(of node: Int, _ index: Int, into piece: inout DrawnPiece) {
        let type = drawing.integer(.enhancedStereo, of: node) ?? 0
        guard type >= 2 else { return }
        let stated = drawing.integer(.enhancedStereoGroup, of: node) ?? 0
        let number = stated > 0 ? stated : 1
        let atom = Int32(clamping: index)
        switch type {
        case 2: piece.draft.contents.stereoGroups.append(StereoGroup(.absolute, atoms: [atom]))
        case 3: piece.draft.contents.stereoGroups.append(StereoGroup(.relative, number: number, atoms: [atom]))
        default: piece.draft.contents.stereoGroups.append(StereoGroup(.racemic, number: number, atoms: [atom]))
        }
    }

    /// Reads link nodes, which are atoms that can repeat.
    func readLinks(_ table: FragmentTable, into piece: inout DrawnPiece) {
        for index in table.nodes where tables.nodes[index].type == .linkNode {
            guard case .atom(let atom) = tables.nodes[index].place else { continue }
            let node = tables.nodes[index].object
            let low = max(1, drawing.integer(.linkCountLow, of: node) ?? 1)
            let high = max(low, drawing.integer(.linkCountHigh, of: node) ?? 1)
            var neighbors: [Int32] = []
            for bond in tables.bonds(ofNode: index).prefix(2) {
                let other = tables.bonds[bond].otherEnd(than: index)
                if let neighbor = tables.atom(at: other, of: bond) { neighbors.append(Int32(clamping: neighbor)) }
            }
            piece.draft.contents.linkNodes.append(
                LinkNode(atom: Int(atom), repeats: low, to: high, neighbors: neighbors))
        }
    }
}

extension AtomNote {
    /// Returns the note for `ImplicitHydrogens`. If hydrogens are drawn, it only excludes further hydrogens, whereas
    /// the query would exclude all hydrogens. In Chemopen's own drawings it is always the query.
    fileprivate static func noHydrogens(beside drawn: Int) -> AtomNote {
        drawn > 0 ? .keyword(name: "ImplicitHydrogens", value: "no") : .hydrogenQuery(0)
    }
}
