import ChemopenFormats
import ChemopenModel
import Testing

/// Labels that look like elements must not become elements without a message.
@Suite("Labels that look like elements")
struct SpelledLabelTests {
    private static let symbols: [String] =
        (1...118).compactMap { ChemicalElement(rawValue: $0)?.symbol } + [
            "D", "T", "L", "A", "Q", "R#", "*", "CL", "Du",
        ]

    private static let labels: [String] = symbols.flatMap { [$0, $0.lowercased(), " " + $0, $0 + " ", "\t" + $0] }

    private static let ways: [(Format, WriteOptions.Version)] = [
        (.molfile, .asNeeded), (.molfile, .v2000), (.molfile, .v3000), (.sdfile, .asNeeded), (.sdfile, .v3000),
        (.rdfile, .v2000), (.rdfile, .v3000), (.sketchEl, .asNeeded), (.dataSheet, .asNeeded),
    ]

    private func molecule(_ label: String) -> Molecule {
        var molecule = Molecule()
        molecule.atoms = [Atom(.carbon), Atom(.none, at: Position(1.5))]
        molecule.bonds = [Bond(0, 1)]
        molecule.setLabel(Text(label), ofAtom: 1)
        return molecule
    }

    private func through(
        _ molecule: Molecule, _ format: Format, _ version: WriteOptions.Version
    ) throws -> (Molecule, isTold: Bool) {
        let written = try write(molecule, as: format, .version(version))
        let again = try #require(try readAll(written.bytes, as: format).first?.reading?.record.molecule)
        return (again, written.losses.contains { $0.feature == .labels })
    }

    /// Checks that the atoms are the same or that a loss was reported, and that no label became an element.
    private func compare(_ again: Molecule, _ molecule: Molecule, isTold: Bool, _ path: String) {
        let (symbol, label) = (again.symbol(ofAtom: 1), molecule.symbol(ofAtom: 1))
        #expect(again.atoms[1].element == .none, "\(label) through \(path) is an element")
        #expect(symbol == label || isTold, "\(label) through \(path) is \(symbol), and nothing was said")
        #expect(again.formula == molecule.formula, "\(label) through \(path)")
    }

    @Test("remain labels in every format, or are reported as lost", arguments: 0..<ways.count)
    func oneFormat(way: Int) throws {
        let (format, version) = Self.ways[way]
        for label in Self.labels {
            let molecule = molecule(label)
            let (again, isTold) = try through(molecule, format, version)
            compare(again, molecule, isTold: isTold, "\(format.id) \(version)")
        }
    }

    @Test("remain labels through any two formats")
    func twoFormats() throws {
        for label in Self.labels {
            let molecule = molecule(label)
            for (first, version) in Self.ways {
                let (once, isTold) = try through(molecule, first, version)
                for (second, version) in Self.ways {
                    let (twice, isToldAgain) = try through(once, second, version)
                    compare(twice, molecule, isTold: isTold || isToldAgain, "\(first.id), \(second.id)")
                }
            }
        }
    }

    @Test("labels of elements are read as elements; D and T are hydrogen with a mass")
    func elements() throws {
        for symbol in (1...118).compactMap({ ChemicalElement(rawValue: $0)?.symbol }) + ["D", "T"] {
            let molecule = try read(V2000.molfile(atoms: [V2000.atom(symbol)])).molecule
            for (format, version) in Self.ways {
                let (again, isTold) = try through(molecule, format, version)
                #expect(again.atoms[0].element == molecule.atoms[0].element)
                #expect(again.atoms[0].isotope == molecule.atoms[0].isotope)
                #expect(!isTold, "\(symbol) in \(format.id)")
            }
        }
    }

    @Test("remain names of templates after a conversion to SketchEl")
    func templates() throws {
        var molecule = Molecule()
        molecule.atoms = [Atom(.none)]
        molecule.setLabel("P", ofAtom: 0)
        molecule.addNote(.templateClass("AA"), toAtom: 0)
        let text = try write(molecule, as: .sketchEl).text
        let again = try read(text, as: .sketchEl).molecule
        #expect(again.atoms[0].element == .none)
        #expect(try write(again, as: .sketchEl).text == text)
        #expect(try read(try write(again, as: .molfile).text).molecule.atoms[0].element == .none)
    }
}
