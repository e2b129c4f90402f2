import ChemopenChemistry
import ChemopenFormats
import ChemopenModel

extension DifferenceList {
    /// Compares molecules atom by atom and bond by bond, and names the atoms and bonds that only one of the molecules
    /// has.
    ///
    /// If only one of the molecules has abbreviations, they are replaced with their atoms. If only one has coordinates,
    /// configurations are compared instead of positions and wedges.
    mutating func compare(_ one: Molecule, _ other: Molecule) {
        if one == other { return }
        if one.hasAbbreviations == other.hasAbbreviations {
            compareAsTheyAre(one, other)
        } else {
            compareAsTheyAre(one.drawnOut, other.drawnOut)
        }
    }

    private mutating func compareAsTheyAre(_ one: Molecule, _ other: Molecule) {
        note("comment", one.comment, other.comment)
        note("chiral flag", one.flags.contains(.chiral), other.flags.contains(.chiral))
        let isPlaced = (one.hasPositions, other.hasPositions)
        if isPlaced.0 == isPlaced.1 {
            comparePlaced(one, other, comparesDrawings: true)
        } else {
            comparePlaced(one.withStatedConfigurations(), other.withStatedConfigurations(), comparesDrawings: false)
        }
    }

    private mutating func comparePlaced(_ one: Molecule, _ other: Molecule, comparesDrawings: Bool) {
        var byNumber: [Difference]?
        if one.atoms.count == other.atoms.count {
            let pairs = PairedAtoms(one, other, partners: Array(0..<Int32(clamping: one.atoms.count)))
            byNumber = differences(pairs, comparesDrawings)
            if byNumber?.isEmpty == true { return }
            // In most changed drawings, atoms have other properties or positions, and are not renumbered.
            let isInPlace = comparesDrawings && one.isDrawn && pairs.isSameGraph && !pairs.hasExchangedPositions
            if isInPlace, let byNumber { return add(byNumber) }
        }
        let alignment = AtomAlignment(one, other)
        let pairs = PairedAtoms(one, other, partners: alignment.partners)
        var isRenumbered = alignment.isRenumbered
        var aligned = byNumber.map { pairs.isByNumber ? $0 : differences(pairs, comparesDrawings) }
        if aligned == nil, !pairs.isUnrelated { aligned = differences(pairs, comparesDrawings) }
        if aligned?.isEmpty != true, !one.isDrawn || !other.isDrawn,
            let partners = one.partnersOfSameStructure(in: other)
        {
            // Without a drawing, symmetric atoms such as those of a carboxylic acid can be paired in several ways.
            let canonical = differences(PairedAtoms(one, other, partners: partners), comparesDrawings)
            if aligned.map({ canonical.count < $0.count }) ?? true { (aligned, isRenumbered) = (canonical, true) }
        }
        guard var list = aligned, !pairs.isUnrelated || list.isEmpty else {
            if let byNumber { return add(byNumber) }
            note("number of atoms", one.atoms.count, other.atoms.count)
            note("number of bonds", one.bonds.count, other.bonds.count)
            note("formula", one.formula, other.formula)
            return
        }
        // Atoms may also have been modified without a change of their number. The pairing with fewer differences is
        // used.
        if let byNumber, !list.isEmpty, byNumber.count <= 2 * list.count { return add(byNumber) }
        if isRenumbered, comparesDrawings || !list.isEmpty {
            let text = list.isEmpty ? "same structure, atoms renumbered" : "atoms renumbered"
            list.insert(Difference(path + text, nil, nil), at: 0)
        }
        add(list)
    }

    private mutating func add(_ found: [Difference]) { differences += found }

    /// Returns the differences of paired atoms and bonds, without adding them.
    private func differences(_ pairs: PairedAtoms, _ comparesDrawings: Bool) -> [Difference] {
        var list = DifferenceList(tolerance: tolerance, path: path)
        list.compareAtoms(pairs, comparesDrawings)
        list.compareBonds(pairs, comparesDrawings)
        if !pairs.one.isDrawn, !pairs.other.isDrawn { list.compareConfigurations(pairs) }
        list.compareExtras(pairs, comparesDrawings)
        return list.differences
    }

    // MARK: Atoms

    private mutating func compareAtoms(_ pairs: PairedAtoms, _ comparesDrawings: Bool) {
        let (one, other) = (pairs.one, pairs.other)
        for atom in pairs.deletedAtoms { note("atom \(atom + 1)", onlyFirst: one.described(atom, pairs.bonds.0)) }
        for (index, partner) in pairs.atoms {
            let (first, second) = (one.atoms[index], other.atoms[partner])
            let name = "atom \(index + 1)"
            let compared = (ComparedAtom(index, of: one), ComparedAtom(partner, of: other))
            note("\(name) symbol", compared.0.symbol, compared.1.symbol)
            note("\(name) charge", first.charge, second.charge)
            note("\(name) isotope", first.isotope, second.isotope)
            note("\(name) radical", first.radical.mdlCode, second.radical.mdlCode)
            if !pairs.hasDerivedHydrogens(index, partner) {
                note("\(name) hydrogens", pairs.hydrogens.0[index], pairs.hydrogens.1[partner])
            }
            note("\(name) map number", first.mapNumber, second.mapNumber)
            if comparesDrawings, !isNear(first.position, second.position) {
                note("\(name) position", first.position.described, second.position.described)
            }
            let notes = (compared.0.notes, compared.1.notes.map { pairs.renumbered($0) })
            if notes.0 != notes.1, Set(notes.0) != Set(notes.1) {
                note("\(name) notes", notes.0.described, notes.1.described)
            }
        }
        for atom in pairs.addedAtoms { note("atom \(atom + 1)", onlySecond: other.described(atom, pairs.bonds.1)) }
        // A formula can contain hydrogens that only one of the structures draws as atoms.
        if comparesDrawings { note("drawn hydrogens", pairs.drawnHydrogens.0, pairs.drawnHydrogens.1) }
    }

    private func isNear(_ one: Position, _ other: Position) -> Bool {
        // Increases the limit slightly to allow for rounding errors.
        let limit = tolerance * (1 + 1e-9) + 1e-12
        return abs(one.x - other.x) <= limit && abs(one.y - other.y) <= limit && abs(one.z - other.z) <= limit
    }

    // MARK: Bonds

    /// Compares bonds by their atoms, because their order in a file is not significant.
    private mutating func compareBonds(_ pairs: PairedAtoms, _ comparesDrawings: Bool) {
        let aromatic = pairs.aromaticBonds
        var redrawn = 0
        for place in pairs.one.bonds.indices {
            let bond = pairs.one.bonds[place]
            guard let partner = pairs.partner(ofBond: place) else {
                if pairs.isBetweenPairs(bond) {
                    note("bond \(BondEnds(bond))", onlyFirst: pairs.one.described(bond))
                }
                continue
            }
            let other = pairs.renumbered(pairs.other.bonds[partner])
            if bond.order != other.order, aromatic.0[place], aromatic.1[partner] {
                // The same ring is drawn as aromatic, or with other double bonds.
                if bond.order != .aromatic, other.order != .aromatic { redrawn += 1 }
            } else {
                note("bond \(BondEnds(bond)) order", bond.order, other.order)
            }
            compareTraits(bond, other, "bond \(BondEnds(bond))", comparesDrawings)
        }
        for (ends, bond) in pairs.addedBonds.map({ (BondEnds($0), $0) }).sorted(by: { $0.0 < $1.0 }) {
            note("bond \(ends)", onlySecond: pairs.one.described(bond))
        }
        if redrawn > 0, comparesDrawings {
            note("Kekulé form", onlySecond: "\(redrawn) bonds of aromatic rings redrawn")
        }
    }

    private mutating func compareTraits(_ one: Bond, _ other: Bond, _ name: String, _ comparesDrawings: Bool) {
        if comparesDrawings {
            note("\(name) stereo", one.mark, other.mark)
            let hasDirection = one.order == .dative || one.mark == .up || one.mark == .down
            if hasDirection, one.mark == other.mark {
                note("\(name) begins at atom", one.from + 1, other.from + 1)
            }
        }
        note("\(name) query", one.traits.subtracting(.hasNotes).rawValue, other.traits.subtracting(.hasNotes).rawValue)
        note("\(name) reacting center", one.reactingCenter, other.reactingCenter)
    }

    /// Compares the specified stereo configurations. In a drawing, they follow from the coordinates.
    private mutating func compareConfigurations(_ pairs: PairedAtoms) {
        for (index, partner) in pairs.atoms {
            guard let parities = pairs.parities(index, partner) else { continue }
            note("atom \(index + 1) parity", parities.0, parities.1)
        }
        let common = pairs.commonParts
        for index in common.0.atoms.indices {
            let one = common.0.configuration(ofAtom: index)?.normalized
            let other = common.1.configuration(ofAtom: index)?.normalized
            if one == other { continue }
            note(
                "atom \(common.numbers[index] + 1) configuration", one?.described ?? "not stated",
                other?.described ?? "not stated")
        }
        let geometries = (StatedGeometries(of: common.0).byEnds, StatedGeometries(of: common.1).byEnds)
        for ends in Set(geometries.0.keys).union(geometries.1.keys).sorted() {
            let name = BondEnds(common.numbers[Int(ends.low)], common.numbers[Int(ends.high)])
            note("bond \(name) geometry", geometries.0[ends] ?? "not stated", geometries.1[ends] ?? "not stated")
        }
    }

    // MARK: Extras

    private mutating func compareExtras(_ pairs: PairedAtoms, _ comparesDrawings: Bool) {
        if pairs.one.extras.isEmpty, pairs.other.extras.isEmpty { return }
        var (one, other, _) = pairs.commonParts
        if !comparesDrawings {
            for group in one.extras.contents.sgroups.indices { one.extras.contents.sgroups[group].brackets = [] }
            for group in other.extras.contents.sgroups.indices { other.extras.contents.sgroups[group].brackets = [] }
        }
        compareExtras(one.extras.contents, other.extras.contents)
        compare(
            "Sgroups", one.extras.contents.sgroups.inOrderOfContent(in: one),
            other.extras.contents.sgroups.inOrderOfContent(in: other))
    }

    private mutating func compareExtras(_ one: Extras.Contents, _ other: Extras.Contents) {
        compare("stereo groups", one.stereoGroups.inOrderOfContent, other.stereoGroups.inOrderOfContent)
        compare("collections", one.collections, other.collections)
        compare("link nodes", one.linkNodes, other.linkNodes)
        compare("abbreviations", one.abbreviations, other.abbreviations)
        compareRGroups(one.rgroups, other.rgroups)
        compareTemplates(one.templates, other.templates)
    }

    private mutating func compareRGroups(_ one: [RGroup], _ other: [RGroup]) {
        note("number of R-groups", one.count, other.count)
        for (first, second) in zip(one, other) {
            within("R-group \(first.number)") { list in
                list.note("number", first.number, second.number)
                if first.logic != second.logic { list.note("condition", onlyFirst: "not the same") }
                list.note("number of members", first.members.count, second.members.count)
                for (member, other) in zip(first.members, second.members) {
                    list.within("member") { $0.compare(member, other) }
                }
            }
        }
    }

    private mutating func compareTemplates(_ one: [Template], _ other: [Template]) {
        note("number of templates", one.count, other.count)
        for (first, second) in zip(one, other) {
            within("template \(first.name.visible)") { list in
                list.note("name", first.name, second.name)
                if first.keywords != second.keywords { list.note("keywords", onlyFirst: "not the same") }
                list.compare(first.molecule, second.molecule)
            }
        }
    }

    private mutating func compare<Item: Equatable>(_ name: String, _ one: [Item], _ other: [Item]) {
        if one.count != other.count {
            note("number of \(name)", one.count, other.count)
        } else if let place = one.indices.first(where: { one[$0] != other[$0] }) {
            note(name, "number \(place + 1)", "not the same")
        }
    }
}

/// The atoms of a bond, in ascending order.
struct BondEnds: Hashable, Comparable, CustomStringConvertible {
    let low: Int32
    let high: Int32

    init(_ bond: Bond) {
        low = min(bond.from, bond.to)
        high = max(bond.from, bond.to)
    }

    init(_ one: Int32, _ other: Int32) {
        (low, high) = (min(one, other), max(one, other))
    }

    static func < (one: BondEnds, other: BondEnds) -> Bool {
        (one.low, one.high) < (other.low, other.high)
    }

    var description: String { "\(low + 1)-\(high + 1)" }
}

/// The specified geometries of double bonds, relative to the first neighbor at each end.
private struct StatedGeometries {
    private(set) var byEnds: [BondEnds: String] = [:]

    init(of molecule: Molecule) {
        if molecule.extras.isEmpty { return }
        let bonds = molecule.bonds
        let stated = molecule.extras.contents.bondNotes.filter {
            $0.note.geometry != nil && bonds.indices.contains(Int($0.index))
        }
        if stated.isEmpty { return }
        let bondsOfAtoms = BondsOfAtoms(molecule)
        for tagged in stated {
            guard let geometry = tagged.note.geometry else { continue }
            let bond = bonds[Int(tagged.index)]
            var isTrans = geometry.isTrans
            for (end, partner) in [(bond.from, bond.to), (bond.to, bond.from)] {
                let neighbors = bondsOfAtoms.bonds(of: Int(end)).compactMap { bonds[$0].partner(of: Int(end)) }
                let first = neighbors.filter { $0 != partner }.min() ?? -1
                if first != geometry.one, first != geometry.other { isTrans.toggle() }
            }
            byEnds[BondEnds(bond)] = isTrans ? "trans" : "cis"
        }
    }
}

extension Molecule {
    /// Whether at least two atoms have different coordinates, which determine the configurations.
    fileprivate var isDrawn: Bool {
        guard let first = atoms.first else { return false }
        return atoms.contains { $0.position != first.position }
    }

    /// Whether the atoms have coordinates.
    fileprivate var hasPositions: Bool {
        !flags.contains(.withoutCoordinates) && atoms.contains { $0.position != Position() }
    }

    /// Returns an atom that another structure does not have, as text with its neighbors.
    fileprivate func described(_ index: Int, _ bondsOfAtoms: BondsOfAtoms) -> String {
        let atom = atoms[index]
        let mass = atom.isotope == 0 ? "" : "\(atom.isotope)"
        let charge = atom.charge == 0 ? "" : " (charge \(atom.charge))"
        let neighbors = bondsOfAtoms.bonds(of: index).compactMap { place -> String? in
            guard let neighbor = bonds[place].partner(of: index) else { return nil }
            let order = bonds[place].order == .single ? "" : " (\(bonds[place].order))"
            return named(Int(neighbor)) + order
        }
        let bonded = neighbors.isEmpty ? "without bonds" : "bonded to \(neighbors.joined(separator: ", "))"
        return "\(mass)\(ComparedAtom(index, of: self).symbol.visible)\(charge) \(bonded)"
    }

    /// Returns a bond that another structure does not have, as text with its atoms.
    fileprivate func described(_ bond: Bond) -> String {
        "\(bond.order), \(named(Int(bond.from))) and \(named(Int(bond.to)))"
    }

    private func named(_ atom: Int) -> String {
        atoms.indices.contains(atom) ? "\(ComparedAtom(atom, of: self).symbol.visible)\(atom + 1)" : "\(atom + 1)"
    }
}

extension [Sgroup] {
    /// The groups in a canonical order, without their numbers and with sorted atoms and bonds. If an abbreviation has
    /// no list of bonds, the bonds that leave it are used.
    func inOrderOfContent(in molecule: Molecule) -> [Sgroup] {
        if isEmpty { return self }
        let bondsOfAtoms = BondsOfAtoms(molecule)
        var groups: [(place: Int, sgroup: Sgroup)] = enumerated().map { place, sgroup in
            var sgroup = sgroup
            sgroup.number = 0
            if sgroup.kind == .abbreviation, sgroup.bonds.isEmpty {
                sgroup.bonds = bondsOfAtoms.bonds(leaving: Set(sgroup.atoms)).map { Int32(clamping: $0) }
            }
            sgroup.atoms.sort()
            sgroup.bonds.sort()
            if sgroup.data?.values == [""] { sgroup.data?.values = [] }
            return (place, sgroup)
        }
        groups.sort { one, other in
            let (first, second) = (one.sgroup.kind.code.bytes, other.sgroup.kind.code.bytes)
            if first != second { return first.lexicographicallyPrecedes(second) }
            return one.sgroup.atoms.lexicographicallyPrecedes(other.sgroup.atoms)
        }
        var places = [Int32](repeating: 0, count: groups.count)
        for (place, group) in groups.enumerated() { places[group.place] = Int32(clamping: place) }
        return groups.map { group in
            var sgroup = group.sgroup
            sgroup.parent = sgroup.parent.map { places.indices.contains(Int($0)) ? places[Int($0)] : $0 }
            return sgroup
        }
    }
}

extension [StereoGroup] {
    /// The groups in a canonical order.
    var inOrderOfContent: [StereoGroup] {
        sorted { one, other in
            let kinds: [StereoGroup.Kind] = [.absolute, .racemic, .relative]
            let (first, second) = (kinds.firstIndex(of: one.kind) ?? 0, kinds.firstIndex(of: other.kind) ?? 0)
            return (first, one.number) < (second, other.number)
        }
    }
}

extension Position {
    fileprivate var described: String {
        var bytes: [UInt8] = []
        for (index, value) in [x, y, z].enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: " ")) }
            bytes.appendShortest(value)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// An atom in the form used for comparisons.
struct ComparedAtom {
    let molecule: Molecule
    let index: Int

    init(_ index: Int, of molecule: Molecule) {
        self.molecule = molecule
        self.index = index
    }

    /// The symbol. It is hydrogen for `D` and `T` because the isotope is compared separately, `R1` for an R-group site,
    /// and `L` for an atom list.
    var symbol: Text {
        let element = molecule.atoms[index].element
        if element != .none { return Text(element.symbol) }
        let isList = molecule.notes(onAtom: index).contains { if case .elementList = $0 { true } else { false } }
        if isList { return "L" }
        let symbol = molecule.symbol(ofAtom: index)
        return symbol == "R#" ? molecule.notes(onAtom: index).rgroup.map { Text("R\($0)") } ?? symbol : symbol
    }

    /// The notes, except those that are compared in another way: the valence as part of the number of hydrogens,
    /// R-group numbers in the symbol, and configurations.
    var notes: [AtomNote] {
        let symbol = molecule.symbol(ofAtom: index)
        let isNamed = molecule.notes(onAtom: index).rgroup.map { symbol == "R#" || symbol == Text("R\($0)") } ?? false
        return molecule.notes(onAtom: index).filter { note in
            switch note {
            case .valence, .configuration: false
            case .rgroups: !isNamed
            default: true
            }
        }
    }
}

extension AtomNote.Configuration {
    /// The configuration as in SMILES. It refers to the neighbors in ascending order.
    fileprivate var described: String { "@\(shape.code)\(arrangement)" }
}

extension [AtomNote] {
    var described: String {
        isEmpty ? "none" : map { "\($0)" }.joined(separator: ", ")
    }
}
