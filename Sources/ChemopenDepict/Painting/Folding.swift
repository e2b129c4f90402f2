import ChemopenModel

/// Removes atoms and names that would only hide other parts of a drawing.
enum Folding {
    /// Returns the molecule with one copy of each multiple group with coinciding copies.
    static func multiples(of molecule: Molecule) -> Molecule {
        let sgroups = molecule.extras.isEmpty ? [] : molecule.extras.contents.sgroups.filter { $0.kind == .multiple }
        if sgroups.isEmpty { return molecule }
        var parents: [Int: Int] = [:]
        for sgroup in sgroups {
            for (copy, parent) in parentsOfCopies(in: sgroup, molecule.atoms) ?? [:] { parents[copy] = parent }
        }
        if parents.isEmpty { return molecule }
        let counts = molecule.hydrogenCounts()
        var result = molecule
        let kept = Set(parents.values)
        // The bonds to the next copy are removed, but no hydrogens replace them.
        for parent in kept { result.atoms[parent].hydrogens = .fixed(counts[parent]) }
        for index in result.bonds.indices {
            let (from, to) = (Int(result.bonds[index].from), Int(result.bonds[index].to))
            switch (parents[from], parents[to]) {
            case (let parent?, nil) where !kept.contains(to):
                result.bonds[index].from = Int32(truncatingIfNeeded: parent)
            case (nil, let parent?) where !kept.contains(from):
                result.bonds[index].to = Int32(truncatingIfNeeded: parent)
            default: break
            }
        }
        result.removeAtoms(parents.keys)
        return result
    }

    /// Maps the atoms of the copies to the atoms of the first one at the same positions; `nil` if any position
    /// differs.
    private static func parentsOfCopies(in sgroup: Sgroup, _ atoms: [Atom]) -> [Int: Int]? {
        var first: [Position: Int] = [:]
        let parents = Set(sgroup.parentAtoms)
        for parent in parents where atoms.indices.contains(Int(parent)) {
            first[atoms[Int(parent)].position] = Int(parent)
        }
        guard !first.isEmpty, first.count == parents.count else { return nil }
        var found: [Int: Int] = [:]
        for atom in sgroup.atoms where !parents.contains(atom) {
            guard atoms.indices.contains(Int(atom)), let parent = first[atoms[Int(atom)].position] else { return nil }
            found[Int(atom)] = parent
        }
        return found
    }

    /// Returns the molecule without aliases that are Protein Data Bank atom names such as `CAU` and `OXT`.
    ///
    /// These names are not labels, and they would hide the elements.
    static func atomNames(of molecule: Molecule) -> Molecule {
        if molecule.extras.isEmpty { return molecule }
        var (named, carbons) = (0, 0)
        for (index, atom) in molecule.atoms.enumerated() where atom.marks.contains(.hasNotes) {
            for case .alias(let alias) in molecule.notes(onAtom: index) where isName(alias, of: atom.element) {
                named += 1
                if atom.element == .carbon { carbons += 1 }
            }
        }
        guard carbons > 1, named * 4 > molecule.atoms.count * 3 else { return molecule }
        var result = molecule
        result.extras.contents.atomNotes.removeAll { if case .alias = $0.note { true } else { false } }
        return result
    }

    /// Whether a text is an atom name: the element's symbol in capitals, followed by capitals or digits.
    private static func isName(_ name: Text, of element: ChemicalElement) -> Bool {
        let symbol = element.symbol.utf8.map { $0 & 0xDF }
        guard element != .none, name.bytes.count > symbol.count, name.bytes.starts(with: symbol) else { return false }
        let (letters, figures) = (UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"))
        return name.bytes.dropFirst(symbol.count).allSatisfy {
            letters.contains($0) || figures.contains($0) || $0 == UInt8(ascii: "'")
        }
    }
}
