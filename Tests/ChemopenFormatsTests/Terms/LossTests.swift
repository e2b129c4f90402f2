import ChemopenModel
import Testing

@testable import ChemopenFormats

@Suite("Losses of a record")
struct LossTests {
    @Test("losses of the same kind are counted together, and the total is exact for any number of kinds")
    func bounded() {
        var losses: [Loss] = []
        for number in 0..<100_000 { losses.note(.unknown, Text("x\(number)"), count: 2) }
        losses.note(.unknown, "x0")
        losses.note(.fields)
        losses.note(.fields)
        #expect(losses.count == [Loss].mostDetails + 2)
        #expect(losses.first == Loss(.unknown, "x0", count: 3))
        #expect(losses.last == Loss(.fields, count: 2))
        #expect(losses.reduce(0) { $0 + $1.count } == 200_003)
        let others = 2 * (100_000 - [Loss].mostDetails)
        #expect(losses.contains(Loss(.unknown, "and others", count: others)))
    }

    @Test("content in another representation is counted separately from lost content")
    func rewritten() {
        var losses: [Loss] = []
        for number in 0..<40 { losses.note(.fields, Text("written as \(number)")) }
        losses.note(.fields, "gone")
        #expect(losses.suffix(2) == [Loss(.fields, "written in other ways", count: 8), Loss(.fields, "and others")])
    }
}

@Suite("Columns of a file")
struct FieldColumnsTests {
    /// Returns the number of columns after each record; `names` specifies the fields of each record.
    private func sizes(_ records: Int, _ names: (Int) -> [String]) -> [Int] {
        var columns = FieldColumns()
        return (0..<records).map { record in
            columns.beginRecord()
            for name in names(record) {
                let bytes = Array(name.utf8)
                let place = columns.place(of: 0..<bytes.count, in: bytes.span)
                #expect(columns.columns[place].name == Text(name))
            }
            return columns.columns.count
        }
    }

    @Test("new names in every record do not accumulate")
    func newNames() {
        let sizes = sizes(5000) { ["ID", "F\($0)"] }
        #expect(sizes.max() == 257)
        #expect(sizes.suffix(200).contains { $0 > 100 })
    }

    @Test("names that occur in all records are preserved, for any number of names")
    func manyNames() {
        let names = (0..<1000).map { "F\($0)" }
        #expect(sizes(20) { _ in names } == Array(repeating: 1000, count: 20))
    }

    @Test("more hydrogens than SMILES can represent are reported")
    func countlessHydrogens() throws {
        var molecule = Molecule()
        molecule.atoms = [Atom(.carbon), Atom(.hydrogen)]
        molecule.bonds = [Bond(0, 1)]
        molecule.atoms[0].hydrogens = .fixed(127)
        let losses = try write(molecule, as: .smiles).losses
        #expect(losses.contains(Loss(.hydrogenCounts, "more than 127 at an atom")))
    }

    @Test("a title is on one line of SMILES, and tabs or line ends are reported", arguments: [" ", "\t", "\n"])
    func titleOnOneLine(_ blank: String) throws {
        var molecule = Molecule()
        molecule.atoms = [Atom(.carbon)]
        for words in ["a b", "two words and more of them"] {
            molecule.name = Text(words.split(separator: " ").joined(separator: blank))
            let written = try write(molecule, as: .smiles)
            #expect(written.text == "C\t\(words)\n")
            #expect(written.losses.contains { $0.detail == "written on one line" } == (blank != " "))
        }
    }
}
