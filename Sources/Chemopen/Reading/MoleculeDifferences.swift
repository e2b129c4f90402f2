extension DifferenceList {
    /// Compares molecules atom by atom and bond by bond. Where the atoms do not match in number, the totals have to do.
    mutating func compare(_ one: Molecule, _ other: Molecule) {
        note("title", one.name, other.name)
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
        compareExtras(one.extras.contents, other.extras.contents)
    }

    private mutating func compareAtoms(_ one: Molecule, _ other: Molecule) {
        let hydrogens = (one.hydrogenCounts(), other.hydrogenCounts())
        for index in one.atoms.indices {
            let (first, second) = (one.atoms[index], other.atoms[index])
            let name = "atom \(index + 1)"
            note("\(name) symbol", one.chemicalSymbol(ofAtom: index), other.chemicalSymbol(ofAtom: index))
            note("\(name) charge", first.charge, second.charge)
            note("\(name) isotope", first.isotope, second.isotope)
            note("\(name) radical", first.radical.mdlCode, second.radical.mdlCode)
            note("\(name) hydrogens", hydrogens.0[index], hydrogens.1[index])
            note("\(name) map number", first.mapNumber, second.mapNumber)
            if !isNear(first.position, second.position) {
                note("\(name) position", first.position.described, second.position.described)
            }
            // A valence says how many hydrogens there are, which is seen above.
            let notes = (
                one.notes(onAtom: index).filter(\.isNoValence), other.notes(onAtom: index).filter(\.isNoValence)
            )
            if notes.0 != notes.1 { note("\(name) notes", notes.0.described, notes.1.described) }
        }
    }

    private func isNear(_ one: Position, _ other: Position) -> Bool {
        // A little more, for what is lost in the last digit of a sum.
        let limit = tolerance * (1 + 1e-9) + 1e-12
        return abs(one.x - other.x) <= limit && abs(one.y - other.y) <= limit && abs(one.z - other.z) <= limit
    }

    /// Bonds are found by their atoms; their order in the file means nothing.
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
        note("\(name) reacting centre", one.reactingCentre, other.reactingCentre)
    }

    private mutating func compareExtras(_ one: Extras.Contents, _ other: Extras.Contents) {
        compare("Sgroups", one.sgroups, other.sgroups)
        compare("stereo groups", one.stereoGroups, other.stereoGroups)
        compare("collections", one.collections, other.collections)
        compare("link nodes", one.linkNodes, other.linkNodes)
        compare("abbreviations", one.abbreviations, other.abbreviations)
        compare("R-groups", one.rgroups, other.rgroups)
        compare("templates", one.templates, other.templates)
    }

    private mutating func compare<Thing: Equatable>(_ name: String, _ one: [Thing], _ other: [Thing]) {
        if one.count != other.count {
            note("number of \(name)", one.count, other.count)
        } else if let place = one.indices.first(where: { one[$0] != other[$0] }) {
            note(name, "number \(place + 1)", "not the same")
        }
    }
}

/// The atoms of a bond, the lower first.
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

extension Molecule {
    /// The symbol, but that of hydrogen for `D` and `T`, whose isotope says the rest.
    fileprivate func chemicalSymbol(ofAtom index: Int) -> Text {
        let element = atoms[index].element
        return element == .none ? symbol(ofAtom: index) : Text(element.symbol)
    }
}

extension AtomNote {
    fileprivate var isNoValence: Bool {
        if case .valence = self { false } else { true }
    }
}

extension [AtomNote] {
    fileprivate var described: String {
        isEmpty ? "none" : map { "\($0)" }.joined(separator: ", ")
    }
}
