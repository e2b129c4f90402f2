import ChemopenModel

/// Chemopen's statements about a node.
struct OwnNodeStatements {
    private(set) var label: Text?
    private(set) var notes: [AtomNote] = []
    /// The numbers of its Sgroups.
    private(set) var groups: [Int] = []
    private(set) var statesHydrogens = false
    /// The stated number of hydrogens, if it is greater than the model supports.
    private(set) var tooMany: Int?

    init(_ statements: [Text], _ atom: inout Atom) {
        for statement in statements {
            if let count = OwnStatement.number(of: statement, .hydrogens) {
                statesHydrogens = true
                if count > HydrogenCount.most { tooMany = count }
            }
            if OwnStatement.set(statement, in: &atom) { continue }
            if let name = OwnStatement.value(of: statement, .label) {
                label = name
            } else if let numbers = OwnStatement.numbers(of: statement, .member) {
                groups += numbers
            } else if let note = OwnStatement.atomNote(statement) {
                notes.append(note)
            }
        }
    }
}

extension Drawing {
    /// Whether one of Chemopen's statements specifies the name of an atom.
    func isCalledOtherwise(_ node: Int) -> Bool {
        ownStatements(in: node).contains { OwnStatement.value(of: $0, .label) != nil }
    }
}

/// Chemopen's statements about a complete molecule.
struct OwnWhole {
    /// There is no structure, or a structure without atoms.
    private(set) var isNone = false
    private(set) var isEmpty = false
    private(set) var componentName = Text()
    private(set) var stoichiometry = Text()
    private(set) var rgroups: [(group: RGroup, alternatives: UInt32)] = []
    /// Whether atoms or bonds have changed since the statements were written.
    private(set) var isOutdated = false

    /// - Parameter memberships: The atoms, with the numbers of their Sgroups.
    init(_ statements: [Text], _ memberships: [(atom: Int, groups: [Int])], into molecule: inout Molecule) {
        var isSized = true
        var groups: [(number: Int, sgroup: Sgroup)] = []
        var others: [Text] = []
        for statement in statements {
            if let numbers = OwnStatement.numbers(of: statement, .size) {
                isSized = numbers == [molecule.atoms.count, molecule.bonds.count]
                if !isSized { isOutdated = true }
            } else if let name = OwnStatement.value(of: statement, .title) {
                molecule.name = name
            } else if let origin = OwnStatement.value(of: statement, .origin) {
                molecule.origin = origin
            } else if let name = OwnStatement.value(of: statement, .component) {
                componentName = name
            } else if let text = OwnStatement.value(of: statement, .stoichiometry) {
                stoichiometry = text
            } else if let group = OwnStatement.rgroup(statement) {
                rgroups.append(group)
            } else if let verbatim = OwnStatement.verbatim(statement, atoms: molecule.atoms.count) {
                molecule.extras.contents.verbatim.append(verbatim)
            } else if statement == OwnStatement.text(.none) {
                isNone = true
            } else if statement == OwnStatement.text(.empty) {
                isEmpty = true
            } else if isSized, let group = SgroupFields.sgroup(of: statement) {
                groups.append(group)
            } else if isSized {
                others.append(statement)
            }
        }
        if !groups.isEmpty { Self.add(groups, memberships, to: &molecule) }
        // Read these last, because collections refer to Sgroups.
        for statement in others { _ = MoleculeTerm.take(statement, into: &molecule) { _ in nil } }
    }

    private static func add(
        _ groups: [(number: Int, sgroup: Sgroup)], _ memberships: [(atom: Int, groups: [Int])],
        to molecule: inout Molecule
    ) {
        var places: [Int: Int] = [:]
        var sgroups = groups.map(\.sgroup)
        for (place, group) in groups.enumerated() where places[group.number] == nil { places[group.number] = place }
        for (atom, numbers) in memberships {
            for number in numbers {
                if let place = places[number] { sgroups[place].atoms.append(Int32(clamping: atom)) }
            }
        }
        for place in sgroups.indices {
            sgroups[place].parent = sgroups[place].parent.map { Int32(clamping: places[Int($0) + 1] ?? -1) }
        }
        let sound = molecule.withoutLooseEnds(sgroups)
        molecule.extras.contents.sgroups = sound.filter { !$0.atoms.isEmpty } + molecule.extras.contents.sgroups
    }
}
