import ChemopenChemistry
import ChemopenModel
import Testing

@Suite("Stereo groups in identity")
struct StereoGroupTests {
    private func canonical(_ smiles: String) throws -> String {
        var reader = SMILESReader()
        try reader.read(smiles)
        var text = SMILESText()
        text.isCanonical = true
        text.appendExtended(reader.molecule)
        text.appendExtensions()
        return String(decoding: text.bytes, as: UTF8.self)
    }

    private func molecule(_ smiles: String) throws -> Molecule {
        var reader = SMILESReader()
        try reader.read(smiles)
        return reader.molecule
    }

    private func finds(_ query: String, _ target: String, findsRacemates: Bool = false) throws -> Bool {
        let pattern = try SMARTSPattern(exactly: molecule(query), findsRacemates: findsRacemates)
        var search = SubstructureSearch(pattern)
        return search.finds(in: try molecule(target))
    }

    /// Two drawings of the same substance.
    static let same = [
        ("C[C@H](O)CC |&1:1|", "C[C@@H](O)CC |&1:1|"), ("C[C@H](O)CC |o1:1|", "CC[C@H](O)C |o1:2|"),
        ("C[C@H](F)[C@H](Cl)Br |&1:1,3|", "C[C@@H](F)[C@@H](Cl)Br |&1:1,3|"),
        ("O[C@H](F)[C@@H](Cl)Br |&1:1,&2:3|", "O[C@@H](F)[C@@H](Cl)Br |&7:1,&3:3|"),
        ("O[C@H](F)[C@@H](Cl)Br |o1:1,&2:3|", "Br[C@H](Cl)[C@H](F)O |&1:1,o5:3|"),
        ("C[C@H](O)[C@H](N)[C@@H](F)C |a:1,&1:3,5|", "C[C@H](O)[C@@H](N)[C@H](F)C |a:1,&2:5,3|"),
        ("C[C@H](O)C[C@H](O)C |&1:1,4|", "C[C@@H](O)C[C@@H](O)C |&1:1,4|"),
    ]

    /// Two different substances.
    static let different = [
        ("C[C@H](O)CC |&1:1|", "C[C@H](O)CC |o1:1|"), ("C[C@H](O)CC |&1:1|", "C[C@H](O)CC"),
        ("C[C@H](F)[C@H](Cl)Br |&1:1,3|", "C[C@@H](F)[C@H](Cl)Br |&1:1,3|"),
        ("C[C@H](F)[C@H](Cl)Br |&1:1,3|", "C[C@H](F)[C@H](Cl)Br |&1:1,&2:3|"),
        ("C[C@H](O)[C@H](N)CC |a:1,&1:3|", "C[C@@H](O)[C@H](N)CC |a:1,&1:3|"),
    ]

    @Test("each mirror image of a group has the same canonical text, and they find each other", arguments: same)
    func mirrored(_ one: String, _ other: String) throws {
        #expect(try canonical(one) == canonical(other))
        #expect(try canonical(canonical(one)) == canonical(one))
        #expect(try finds(one, other) && finds(other, one) && finds(one, one))
    }

    @Test("different groups and relative configurations are different substances", arguments: different)
    func distinguished(_ one: String, _ other: String) throws {
        #expect(try canonical(one) != canonical(other))
        #expect(try !finds(one, other) && !finds(other, one))
    }

    @Test("an enantiomer finds a group with its configuration only on request")
    func enantiomers() throws {
        for racemate in ["C[C@H](O)CC |&1:1|", "C[C@@H](O)CC |o1:1|"] {
            #expect(try !finds("C[C@H](O)CC", racemate))
            #expect(try finds("C[C@H](O)CC", racemate, findsRacemates: true))
            #expect(try finds("CC(O)CC", racemate))
        }
        #expect(try !finds("C[C@H](F)[C@H](Cl)Br", "C[C@@H](F)[C@H](Cl)Br |&1:1,3|", findsRacemates: true))
    }

    @Test("many groups are not all compared, which is reported")
    func many() throws {
        let groups = (0..<9).map { "&\($0 + 1):\(3 * $0 + 1)" }.joined(separator: ",")
        var text = SMILESText()
        text.isCanonical = true
        text.appendExtended(try molecule("C" + String(repeating: "[C@](F)(Cl)", count: 9) + "Br |\(groups)|"))
        #expect(text.uncanonical > 0)
    }
}
