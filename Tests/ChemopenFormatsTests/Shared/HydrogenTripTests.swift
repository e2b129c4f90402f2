import ChemopenFormats
import ChemopenModel
import Testing

/// Hydrogens of random molecules, through every format that can be written.
@Suite("Hydrogens in every format")
struct HydrogenTripTests {
    /// A reproducible sequence of pseudorandom numbers.
    private struct Dice {
        var state: UInt64

        mutating func roll(_ sides: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % sides
        }

        mutating func pick<Value>(_ values: [Value]) -> Value { values[roll(values.count)] }
    }

    private static let elements: [ChemicalElement] = [
        .carbon, .carbon, .nitrogen, .nitrogen, .oxygen, .sulfur, .phosphorus, .chlorine, .bromine, .iodine, .fluorine,
        .boron, .silicon, .hydrogen, .selenium, .arsenic, .sodium, .magnesium, .aluminium, .zinc, .iron, .platinum,
        .tin, .lead, .bismuth, .thallium, .xenon,
    ]
    private static let orders: [Bond.Order] = [
        .single, .single, .single, .single, .double, .double, .triple, .zero, .dative, .hydrogen, .aromatic,
        .quadruple,
    ]

    /// Returns a tree of up to seven atoms, sometimes with an additional bond.
    private static func molecule(_ dice: inout Dice, orders: [Bond.Order]) -> Molecule {
        var molecule = Molecule()
        molecule.hydrogenRule = dice.pick([.mdl, .mdl, .sketchEl, .mdl2017])
        for place in 0...dice.roll(7) {
            var atom = Atom(dice.pick(elements), at: Position(Double(place), Double(place % 2)))
            if dice.roll(4) == 0 { atom.charge = Int16(dice.roll(6) - 2) }
            if dice.roll(8) == 0 { atom.radical = dice.pick([.singlet, .doublet, .triplet]) }
            if dice.roll(3) == 0 { atom.hydrogens = .fixed(dice.roll(5)) }
            molecule.atoms.append(atom)
            if place > 0 { molecule.bonds.append(Bond(place, dice.roll(place), dice.pick(orders))) }
        }
        let last = molecule.atoms.count - 1
        if last > 2, !molecule.bonds.contains(where: { Set([$0.from, $0.to]) == Set([0, Int32(last)]) }) {
            molecule.bonds.append(Bond(0, last, dice.pick(orders)))
        }
        for index in molecule.atoms.indices where dice.roll(6) == 0 && molecule.hydrogenRule != .sketchEl {
            molecule.addNote(.valence(dice.roll(7)), toAtom: index)
        }
        return molecule
    }

    private static let ways: [(Format, WriteOptions.Version)] = [
        (.molfile, .asNeeded), (.molfile, .v2000), (.molfile, .v3000), (.sdfile, .asNeeded), (.sketchEl, .asNeeded),
        (.dataSheet, .asNeeded),
    ]

    /// Writes a molecule and reads it back. Returns `nil` if the writer reports that V2000 cannot represent a
    /// valence.
    private func through(_ molecule: Molecule, _ format: Format, _ version: WriteOptions.Version) throws -> Molecule? {
        let written = try write(molecule, as: format, .version(version))
        if written.losses.contains(where: { $0.feature == .valences }) { return nil }
        return try #require(try readAll(written.bytes, as: format).first?.reading?.record.molecule)
    }

    @Test("each atom preserves its hydrogens for any element, charge and bonds", arguments: 0..<6)
    func oneFormat(way: Int) throws {
        let (format, version) = Self.ways[way]
        var dice = Dice(state: 1)
        for number in 0..<400 {
            let molecule = Self.molecule(&dice, orders: Self.orders)
            guard let again = try through(molecule, format, version) else { continue }
            #expect(again.hydrogenCounts() == molecule.hydrogenCounts(), "molecule \(number): \(molecule.formula)")
        }
    }

    @Test("hydrogens are preserved between any two formats")
    func twoFormats() throws {
        var dice = Dice(state: 2)
        for number in 0..<120 {
            let molecule = Self.molecule(&dice, orders: Self.orders)
            let counts = molecule.hydrogenCounts()
            for (first, version) in Self.ways {
                guard let once = try through(molecule, first, version) else { continue }
                for (second, version) in Self.ways {
                    guard let twice = try through(once, second, version) else { continue }
                    #expect(twice.hydrogenCounts() == counts, "molecule \(number) through \(first.id), \(second.id)")
                }
            }
        }
    }

    @Test("unless a bond order requires it, M  HYD is not written, and the output is stable")
    func noHydrogenLines() throws {
        var dice = Dice(state: 3)
        let orders: [Bond.Order] = [.single, .double, .triple, .dative, .hydrogen, .aromatic]
        for _ in 0..<200 {
            let molecule = Self.molecule(&dice, orders: orders)
            for version in [WriteOptions.Version.v2000, .v3000] {
                let text = try write(molecule, as: .molfile, .version(version)).text
                #expect(!text.contains("HYD"))
                #expect(try rewrite(text, as: .molfile, .version(version)).text == text)
            }
        }
    }
}
