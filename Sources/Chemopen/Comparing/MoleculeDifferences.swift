import ChemopenFormats
import ChemopenModel

extension DifferenceList {
    /// Compares molecules atom by atom and bond by bond. If the numbers of atoms differ, only the totals are compared.
    ///
    /// If only one of the molecules has abbreviations, they are replaced with their atoms.
    mutating func compare(_ one: Molecule, _ other: Molecule) {
        if one.hasAbbreviations == other.hasAbbreviations {
            compareAsTheyAre(one, other)
        } else {
            compareAsTheyAre(one.drawnOut, other.drawnOut)
        }
    }

    private mutating func compareAsTheyAre(_ one: Molecule, _ other: Molecule) {
        note("comment", one.comment, other.comment)
        note("chiral flag", one.flags.contains(.chiral), other.flags.contains(.chiral))
        guard one.atoms.count == other.atoms.count else {
            note("number of atoms", one.atoms.count, other.atoms.count)
            note("number of bonds", one.bonds.count, other.bonds.count)
            note("formula", one.formula, other.formula)
            return
        }
        compareAtoms(one, other)
        compareBonds(one, other)
        if !StatedGeometries.areDrawn(one), !StatedGeometries.areDrawn(other) { compareConfigurations(one, other) }
        compareExtras(one.extras.contents, other.extras.contents)
        compare(
            "Sgroups", one.extras.contents.sgroups.inOrderOfContent(in: one),
            other.extras.contents.sgroups.inOrderOfContent(in: other))
    }

    private mutating func compareAtoms(_ one: Molecule, _ other: Molecule) {
        let hydrogens = (one.hydrogenCounts(), other.hydrogenCounts())
        for index in one.atoms.indices {
            let (first, second) = (one.atoms[index], other.atoms[index])
            let name = "atom \(index + 1)"
            let compared = (ComparedAtom(index, of: one), ComparedAtom(index, of: other))
            note("\(name) symbol", compared.0.symbol, compared.1.symbol)
            note("\(name) charge", first.charge, second.charge)
            note("\(name) isotope", first.isotope, second.isotope)
            note("\(name) radical", first.radical.mdlCode, second.radical.mdlCode)
            note("\(name) hydrogens", hydrogens.0[index], hydrogens.1[index])
            note("\(name) map number", first.mapNumber, second.mapNumber)
            if !isNear(first.position, second.position) {
                note("\(name) position", first.position.described, second.position.described)
            }
            let notes = (compared.0.notes, compared.1.notes)
            if notes.0 != notes.1, Set(notes.0) != Set(notes.1) {
                note("\(name) notes", notes.0.described, notes.1.described)
            }
        }
    }

    private func isNear(_ one: Position, _ other: Position) -> Bool {
        // Increases the limit slightly to allow for rounding errors.
        let limit = tolerance * (1 + 1e-9) + 1e-12
        return abs(one.x - other.x) <= limit && abs(one.y - other.y) <= limit && abs(one.z - other.z) <= limit
    }

    /// Compares bonds by their atoms, because their order in a file is not significant.
    private mutating func compareBonds(_ one: Molecule, _ other: Molecule) {
        var places: [BondEnds: [Int]] = [:]
        for index in other.bonds.indices.reversed() { places[BondEnds(other.bonds[index]), default: []].append(index) }
        for bond in one.bonds {
            let ends = BondEnds(bond)
            if let place = places[ends]?.popLast() {
                compare(bond, other.bonds[place], "bond \(ends)")
            } else {
                note("bond \(ends)", onlyFirst: "\(bond.order)")
            }
        }
        for ends in places.keys.sorted() {
            for place in places[ends] ?? [] { note("bond \(ends)", onlySecond: "\(other.bonds[place].order)") }
        }
    }

    private mutating func compare(_ one: Bond, _ other: Bond, _ name: String) {
        note("\(name) order", one.order, other.order)
        note("\(name) stereo", one.mark, other.mark)
        let hasDirection = one.order == .dative || one.mark == .up || one.mark == .down
        if hasDirection, one.mark == other.mark { note("\(name) begins at atom", one.from + 1, other.from + 1) }
        note("\(name) query", one.traits.subtracting(.hasNotes).rawValue, other.traits.subtracting(.hasNotes).rawValue)
        note("\(name) reacting center", one.reactingCenter, other.reactingCenter)
    }

    /// Compares the specified stereo configurations. In a drawing, they follow from the coordinates.
    private mutating func compareConfigurations(_ one: Molecule, _ other: Molecule) {
        for index in one.atoms.indices {
            note("atom \(index + 1) parity", one.atoms[index].marks.parity, other.atoms[index].marks.parity)
        }
        let geometries = (StatedGeometries(of: one).byEnds, StatedGeometries(of: other).byEnds)
        for ends in Set(geometries.0.keys).union(geometries.1.keys).sorted() {
            note("bond \(ends) geometry", geometries.0[ends] ?? "not stated", geometries.1[ends] ?? "not stated")
        }
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
            within("template \(first.name.shown)") { list in
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
private struct BondEnds: Hashable, Comparable, CustomStringConvertible {
    let low: Int32
    let high: Int32

    init(_ bond: Bond) {
        low = min(bond.from, bond.to)
        high = max(bond.from, bond.to)
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

    /// Whether the atoms have coordinates, which determine the geometries.
    static func areDrawn(_ molecule: Molecule) -> Bool {
        guard let first = molecule.atoms.first else { return false }
        return molecule.atoms.contains { $0.position != first.position }
    }
}

extension [Sgroup] {
    /// The groups in a canonical order, without their numbers and with sorted atoms and bonds. If an abbreviation has
    /// no list of bonds, the bonds that leave it are used.
    fileprivate func inOrderOfContent(in molecule: Molecule) -> [Sgroup] {
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
    fileprivate var inOrderOfContent: [StereoGroup] {
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

/// An atom in the form that is compared.
private struct ComparedAtom {
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

    /// The notes, except those that are compared in another way: the valence, as part of the number of hydrogens, and
    /// R-group numbers in the symbol.
    var notes: [AtomNote] {
        let symbol = molecule.symbol(ofAtom: index)
        let isNamed = molecule.notes(onAtom: index).rgroup.map { symbol == "R#" || symbol == Text("R\($0)") } ?? false
        return molecule.notes(onAtom: index).filter { note in
            switch note {
            case .valence: false
            case .rgroups: !isNamed
            default: true
            }
        }
    }
}

extension [AtomNote] {
    fileprivate var described: String {
        isEmpty ? "none" : map { "\($0)" }.joined(separator: ", ")
    }
}
