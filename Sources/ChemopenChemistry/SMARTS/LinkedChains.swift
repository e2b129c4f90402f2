import ChemopenModel

/// The expansion of link nodes to all molecules that a drawing represents.
enum LinkedChains {
    /// The maximum number of molecules, and of repeats of an atom.
    private static let most = 64

    /// Returns a molecule without link nodes for each possible number of repeats, or the molecule itself if it has no
    /// link nodes.
    static func all(of molecule: Molecule) throws(DrawnPatternError) -> [Molecule] {
        if molecule.extras.isEmpty || molecule.extras.contents.linkNodes.isEmpty { return [molecule] }
        var bare = molecule
        bare.extras.contents.linkNodes = []
        var all = [bare]
        var isLinked: Set<Int32> = []
        for link in molecule.extras.contents.linkNodes where isLinked.insert(link.atom).inserted {
            let (least, most) = (max(1, Int(link.minimum)), Int(link.maximum))
            guard least <= most, most <= Self.most, all.count * (most - least + 1) <= Self.most else {
                throw DrawnPatternError(
                    description: "atom \(link.atom + 1) can repeat \(link.minimum) to \(link.maximum) times (too many)")
            }
            var longer: [Molecule] = []
            for chain in all {
                for count in least...most { longer.append(try repeating(link, count, in: chain)) }
            }
            all = longer
        }
        return all
    }

    /// Returns the molecule with an atom repeated as a chain. New atoms are appended to the molecule's atoms.
    private static func repeating(
        _ link: LinkNode, _ count: Int, in molecule: Molecule
    ) throws(DrawnPatternError) -> Molecule {
        let atom = Int(link.atom)
        let own = molecule.bonds.indices.filter { molecule.bonds[$0].partner(of: atom) != nil }
        guard molecule.atoms.indices.contains(atom), own.count == 2 else {
            throw DrawnPatternError(description: "atom \(link.atom + 1) can repeat but does not have two neighbors")
        }
        var chain = molecule
        let order = Set(own.map { molecule.bonds[$0].order }).count == 1 ? molecule.bonds[own[0]].order : .single
        var end = atom
        for _ in 1..<count {
            let copy = chain.atoms.count
            chain.atoms.append(molecule.atoms[atom])
            chain.atoms[copy].marks = []
            for note in molecule.notes(onAtom: atom) { chain.addNote(note, toAtom: copy) }
            chain.bonds.append(Bond(end, copy, order))
            end = copy
        }
        let last = own[1]
        if chain.bonds[last].from == link.atom { chain.bonds[last].from = Int32(clamping: end) }
        if chain.bonds[last].to == link.atom { chain.bonds[last].to = Int32(clamping: end) }
        return chain
    }
}
