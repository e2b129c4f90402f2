import ChemopenModel
import Testing

@testable import ChemopenFormats

@Suite("Molecules with the same hydrogens in all rules")
struct AlikeMoleculeTests {
    @Test("need no hydrogen annotation in a molfile, whatever the other properties of their atoms")
    func chance() {
        let elements: [ChemicalElement] = [
            .carbon, .nitrogen, .oxygen, .sulfur, .phosphorus, .chlorine, .sodium, .none,
        ]
        let notes: [AtomNote] = [
            .alias("a"), .field("xA"), .transientField("yA"), .query("H:1"), .unsaturated, .valence(4), .drawnCharge(1),
        ]
        var chance: UInt64 = 1
        func number(below bound: Int) -> Int {
            chance = chance &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(chance >> 33) % bound
        }
        var alike = 0
        var withNotes = 0
        for _ in 0..<20_000 {
            var molecule = Molecule()
            for _ in 0...number(below: 4) {
                var atom = Atom(elements[number(below: 3) == 0 ? number(below: elements.count) : 0])
                if number(below: 10) == 0 { atom.charge = Int16(number(below: 3) - 1) }
                if number(below: 20) == 0 { atom.radical = .unpaired(1) }
                if number(below: 30) == 0 { atom.hydrogens = .fixed(number(below: 4)) }
                molecule.atoms.append(atom)
            }
            for atom in molecule.atoms.indices.dropFirst() {
                let order = Bond.Order(rawValue: UInt8(number(below: 10) == 0 ? number(below: 9) : 1)) ?? .single
                molecule.bonds.append(Bond(number(below: atom), atom, order))
            }
            for atom in molecule.atoms.indices where number(below: 3) == 0 {
                molecule.extras.contents.atomNotes.append(Indexed(atom, notes[number(below: notes.count)]))
            }
            molecule.markNotes()
            guard molecule.isAlikeByAllRules else { continue }
            alike += 1
            if !molecule.extras.isEmpty { withNotes += 1 }
            let counts = molecule.hydrogenCounts()
            for rule in [Molecule.HydrogenRule.mdl, .sketchEl, .mdl2017] {
                molecule.hydrogenRule = rule
                #expect(molecule.hydrogenCounts() == counts)
                let said = HydrogenStatements(molecule, drawnCharges: [:], isExtended: false)
                #expect(said.valences.isEmpty && said.counts.isEmpty && said.aromatic.isEmpty && said.unsaid == 0)
            }
        }
        #expect(alike > 2000 && withNotes > 500)
    }
}
