import ChemopenChemistry
import ChemopenModel
import Testing

@Suite("All matches of a pattern")
struct AllMatchesTests {
    /// A pattern without branches: the elements of its atoms, or 0 for any atom. Each bond matches any bond.
    private struct Chain {
        let elements: [UInt8]

        var smarts: String { elements.map { $0 == 0 ? "*" : "[#\($0)]" }.joined(separator: "~") }

        /// Finds all matches by trying every path in the molecule.
        func matches(in molecule: Molecule) -> Set<Set<Int>> {
            var neighbors = [Set<Int>](repeating: [], count: molecule.atoms.count)
            for bond in molecule.bonds {
                neighbors[Int(bond.from)].insert(Int(bond.to))
                neighbors[Int(bond.to)].insert(Int(bond.from))
            }
            var paths: [[Int]] = [[]]
            for element in elements {
                paths = paths.flatMap { path in
                    let candidates = path.last.map { neighbors[$0] } ?? Set(molecule.atoms.indices)
                    return candidates.filter { atom in
                        !path.contains(atom) && (element == 0 || molecule.atoms[atom].element.rawValue == element)
                    }.map { path + [$0] }
                }
            }
            return Set(paths.map { Set($0) })
        }
    }

    private static let molecules = [
        "CC(=O)Oc1ccccc1C(=O)O", "C1CC2CCC1CC2", "OCC1OC(O)C(O)C(O)C1O", "c1ccc2ccccc2c1",
        "CN1C=NC2=C1C(=O)N(C)C(=O)N2C",
        "CCCCCC", "C12C3C4C1C5C2C3C45", "[Na+].[Cl-]", "O",
    ]

    @Test("the matches of random chains are those found by trying every path, each with other atoms")
    func chains() throws {
        var dice = SeededNumbers(seed: 41)
        var search: SubstructureSearch
        var total = 0
        for _ in 0..<200 {
            let chain = Chain(
                elements: (0..<Int.random(in: 1...5, using: &dice)).map { _ in
                    [0, 6, 6, 7, 8].randomElement(using: &dice) ?? 0
                })
            search = SubstructureSearch(try SMARTSPattern(chain.smarts))
            for text in Self.molecules {
                let molecule = try Molecule(smiles: text)
                let found = search.matches(in: molecule, atMost: 10_000)
                #expect(Set(found.map { Set($0) }) == chain.matches(in: molecule), "\(chain.smarts) in \(text)")
                #expect(Set(found.map { Set($0) }).count == found.count, "\(chain.smarts) in \(text)")
                #expect(search.finds(in: molecule) == !found.isEmpty && !search.gaveUp)
                total += found.count
                let few = search.matches(in: molecule, atMost: 2)
                #expect(few == Array(found.prefix(2)))
            }
        }
        #expect(total > 1000)
    }

    @Test("each match is in the order of the pattern, and a pattern without matches has an empty result")
    func order() throws {
        let molecule = try Molecule(smiles: "OCCN")
        var search = SubstructureSearch(try SMARTSPattern("NCC"))
        #expect(search.matches(in: molecule) == [[3, 2, 1]])
        search = SubstructureSearch(try SMARTSPattern("[$(CO)]"))
        #expect(search.matches(in: molecule) == [[1]])
        search = SubstructureSearch(try SMARTSPattern("CS"))
        #expect(search.matches(in: molecule).isEmpty && search.matches(in: Molecule()).isEmpty)
    }
}
