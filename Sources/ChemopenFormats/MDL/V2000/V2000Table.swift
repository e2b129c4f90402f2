import ChemopenBytes
import ChemopenModel

/// What the lines of a V2000 table say of each other: later ones void earlier ones, or name bonds by number.
struct V2000Table {
    /// Notes of the atom block, which come in the order of the atoms.
    var notes: [Tagged<AtomNote>] = []
    var hasMassDifferences = false
    var hasChargeCodes = false
    /// The atoms that `M  CHG` and `M  RAD` found with a code of the atom block, and those that `M  ISO` found with one.
    var voidedCharges: [Int] = []
    var voidedMasses: [Int] = []
    var hasChargeLines = false
    var hasIsotopeLines = false
    /// Where each bond of the file now is, -1 for those left out; empty where all are in their places.
    var bondNumbering: [Int32] = []
    /// Sgroups by their number in the file.
    var sgroupPlaces: [Int: Int] = [:]
    /// Which Sgroup holds which, by the file's numbers: lines may name one before it is introduced.
    var parents: [Parentage] = []
    /// Data of an Sgroup that the next line continues.
    var openData: [Int: [UInt8]] = [:]
    /// The charges that `M  ZCH` states; they stand above all others.
    var trueCharges: [(Int, Int)] = []
    var hasExtensions = false

    struct Parentage {
        let child: Int
        let parent: Int
        let line: Int
    }

    /// The index of a bond by its number in the file.
    func bondIndex(_ number: Int, count: Int) -> Int32? {
        if bondNumbering.isEmpty { return (1...max(1, count)).contains(number) && count > 0 ? Int32(number - 1) : nil }
        guard bondNumbering.indices.contains(number - 1), bondNumbering[number - 1] >= 0 else { return nil }
        return bondNumbering[number - 1]
    }
}

extension MolfileReader {
    /// Puts in place what could not be said before the last line was read.
    mutating func settle(_ table: V2000Table, _ bytes: Span<UInt8>) {
        tellVoided(
            table.voidedCharges, "M  CHG or M  RAD lines void the charges of the atom block; this atom's was dropped"
        ) { $0.charge == 0 && $0.radical == .none }
        tellVoided(
            table.voidedMasses, "M  ISO lines void the mass differences of the atom block; this atom's was dropped"
        ) { $0.isotope == 0 }
        if table.hasExtensions { molecule.hydrogenRule = .sketchEl }
        if !table.sgroupPlaces.isEmpty || !table.parents.isEmpty { settleSgroups(table) }
        if !table.notes.isEmpty {
            for tagged in table.notes { molecule.atoms[Int(tagged.index)].marks.insert(.hasNotes) }
            withRare { rare in
                if rare.atomNotes.isEmpty {
                    rare.atomNotes = table.notes
                } else {
                    // Both are sorted; the atom block's notes come first on each atom.
                    var merged: [Tagged<AtomNote>] = []
                    var later = rare.atomNotes[...]
                    for note in table.notes {
                        while let first = later.first, first.index < note.index { merged.append(later.removeFirst()) }
                        merged.append(note)
                    }
                    rare.atomNotes = merged + later
                }
            }
        }
        if !table.trueCharges.isEmpty { setTrueCharges(Dictionary(table.trueCharges) { $1 }) }
    }

    /// Sets charges that stand above those that are drawn, which are kept for readers that know no others.
    mutating func setTrueCharges(_ charges: [Int: Int]) {
        for (atom, charge) in charges.sorted(by: { $0.key < $1.key }) {
            let drawn = molecule.atoms[atom].charge
            molecule.atoms[atom].charge = Int16(clamping: charge)
            if molecule.atoms[atom].charge != drawn { note(.drawnCharge(Int(drawn)), onAtom: atom) }
        }
    }

    private mutating func tellVoided(_ atoms: [Int], _ message: String, unless isGone: (Atom) -> Bool) {
        for index in atoms where isGone(molecule.atoms[index]) {
            issues.append(Issue(line: 0, "atom \(index + 1): \(message)"))
        }
    }
}
