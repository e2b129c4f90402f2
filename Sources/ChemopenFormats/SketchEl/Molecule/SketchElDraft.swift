import ChemopenModel

/// The limits of a molecule's text.
enum SketchElMolecule {
    /// The maximum nesting depth of abbreviations.
    static let greatestDepth = 50
    /// The maximum number of labels in a search for duplicates. Real molecules have only a few labels, and a search
    /// among thousands of labels would be too expensive.
    static let labelsLookedAt = 64

    /// The numbers in the first line.
    struct Counts {
        var atoms: Int
        var bonds: Int
    }
}

/// A molecule while its text is read.
struct SketchElDraft {
    var molecule: Molecule
    var issues: [Issue] = []
    /// Rare contents, which are stored in the molecule at the end. The notes are separate because they are the most
    /// common.
    var rare: Extras.Contents?
    var atomNotes: [Indexed<AtomNote>] = []
    var bondNotes: [Indexed<BondNote>] = []
    /// The line of the text's first line in its file.
    let firstLine: Int

    init(_ molecule: consuming Molecule, firstLine: Int) {
        self.molecule = molecule
        self.firstLine = firstLine
    }

    /// Starts a new molecule in the existing memory.
    mutating func begin() {
        molecule.removeAll()
        molecule.hydrogenRule = .sketchEl
    }

    mutating func withRare(_ change: (inout Extras.Contents) -> Void) {
        var contents = rare.take() ?? Extras.Contents()
        change(&contents)
        rare = consume contents
    }

    /// Completes the molecule, without interpreting its fields.
    mutating func settle() {
        dropRepeatedBonds()
        if rare != nil || !atomNotes.isEmpty || !bondNotes.isEmpty { settleRare() }
    }
}

// The steps after all lines of a molecule have been read.
extension SketchElDraft {
    /// Stores the rare contents in the molecule and checks the abbreviations.
    private mutating func settleRare() {
        var contents = rare.take() ?? Extras.Contents()
        swap(&contents.atomNotes, &atomNotes)
        swap(&contents.bondNotes, &bondNotes)
        // The name of a template is not an element, even if it looks like a symbol.
        var named: [Int] = []
        for tagged in contents.atomNotes {
            switch tagged.note {
            case .transientField(let text) where ForeignFields.isTemplateClass(text): named.append(Int(tagged.index))
            // An abbreviation without a valid molecule is preserved as text.
            case .field(let text) where text.begins("a"): named.append(Int(tagged.index))
            default: break
            }
        }
        makePlaceholders(ofAtoms: named)
        let abbreviations = contents.abbreviations
        molecule.extras = Extras(consume contents)
        if !abbreviations.isEmpty { examine(abbreviations) }
    }

    /// Checks that each abbreviation has one neighbor, which the placeholder in its molecule represents.
    private mutating func examine(_ abbreviations: [Abbreviation]) {
        let neighbors = molecule.neighborCounts(of: abbreviations)
        var alone: [Int] = []
        for abbreviation in abbreviations {
            let count = neighbors[abbreviation.atom] ?? 0
            let place = Int(abbreviation.atom)
            let line = firstLine &+ place &+ 1
            if count != 1 {
                alone.append(place)
                issues.note(
                    Issue(
                        line: line, "an abbreviation must have one neighbor, not \(count); preserved as a label",
                        found: molecule.symbol(ofAtom: place)))
            }
            let piece = abbreviation.molecule
            if !piece.atoms.indices.contains(where: { piece.symbol(ofAtom: $0) == "*" }) {
                issues.note(Issue(line: line, "the abbreviation's molecule has no atom * as its attachment point"))
            }
        }
        makePlaceholders(ofAtoms: alone)
    }

    /// Removes further bonds between the same two atoms.
    private mutating func dropRepeatedBonds() {
        let repeated = repeatedBonds()
        if repeated.isEmpty { return }
        var numbers: [Int32] = []
        var kept: [Bond] = []
        for (index, bond) in molecule.bonds.enumerated() {
            if repeated.contains(index) {
                numbers.append(-1)
                issues.note(
                    Issue(
                        line: firstLine &+ molecule.atoms.count &+ index &+ 1,
                        "a second bond between atoms \(bond.from + 1) and \(bond.to + 1); ignored"))
            } else {
                numbers.append(Int32(clamping: kept.count))
                kept.append(bond)
            }
        }
        molecule.bonds = kept
        bondNotes = bondNotes.compactMap { tagged in
            let number = numbers[Int(tagged.index)]
            return number < 0 ? nil : Indexed(Int(number), tagged.note)
        }
        guard rare != nil else { return }
        withRare { contents in
            contents.verbatim = contents.verbatim.compactMap { verbatim in
                guard case .bond(let bond) = verbatim.owner else { return verbatim }
                let number = numbers[Int(bond)]
                return number < 0 ? nil : Verbatim(verbatim.dialect, of: .bond(number), verbatim.text)
            }
        }
    }

    /// Returns the indices of repeated bonds. A filter with one bit per hash of two atoms is sufficient for most bonds.
    /// If it finds a match, earlier bonds are compared. Only large molecules, and those with a repeated bond, are
    /// examined completely.
    private func repeatedBonds() -> Set<Int> {
        var filter = [64 of UInt64](repeating: 0)
        let bonds = molecule.bonds
        var isSuspicious = bonds.count > 400
        for (index, bond) in bonds.enumerated() where !isSuspicious {
            let low = UInt32(bitPattern: min(bond.from, bond.to))
            let high = UInt32(bitPattern: max(bond.from, bond.to))
            let hash = (low &* 0x9E37_79B1 ^ high &* 0x85EB_CA6B) >> 20
            let bit: UInt64 = 1 << UInt64(hash & 63)
            let place = Int(hash >> 6)
            if filter[place] & bit != 0 {
                isSuspicious = bonds[..<index].contains {
                    ($0.from == bond.from && $0.to == bond.to) || ($0.from == bond.to && $0.to == bond.from)
                }
            }
            filter[place] |= bit
        }
        if !isSuspicious { return [] }
        var repeated: Set<Int> = []
        var seen: Set<UInt64> = []
        for (index, bond) in molecule.bonds.enumerated() {
            let low = UInt64(UInt32(bitPattern: min(bond.from, bond.to)))
            let high = UInt64(UInt32(bitPattern: max(bond.from, bond.to)))
            if !seen.insert(high << 32 | low).inserted { repeated.insert(index) }
        }
        return repeated
    }
}

extension Molecule {
    /// Returns the number of bonds at the atom of each abbreviation.
    func neighborCounts(of abbreviations: [Abbreviation]) -> [Int32: Int] {
        var counts: [Int32: Int] = [:]
        for abbreviation in abbreviations { counts[abbreviation.atom] = 0 }
        for bond in bonds {
            counts[bond.from]? += 1
            counts[bond.to]? += 1
        }
        return counts
    }
}

extension SketchElDraft {
    /// Marks the molecule as one without coordinates if all positions are 0.
    mutating func setWithoutCoordinates() {
        if molecule.atoms.isEmpty || molecule.flags.contains(.threeDimensional) { return }
        for atom in molecule.atoms where atom.position != Position() { return }
        molecule.flags.insert(.withoutCoordinates)
    }

    /// Replaces elements of atoms by labels with the same text.
    private mutating func makePlaceholders(ofAtoms indices: [Int]) {
        var places: [ChemicalElement: Int32] = [:]
        for index in indices where molecule.atoms[index].element != .none {
            let element = molecule.atoms[index].element
            let place = places[element] ?? molecule.place(ofLabel: Text(element.symbol))
            places[element] = place
            molecule.atoms[index].element = .none
            molecule.atoms[index].label = place
        }
    }
}
