import ChemopenChemistry
import ChemopenModel
import Testing

@Suite("Patterns of reactions")
struct ReactionPatternTests {
    private func finds(_ pattern: String, in smiles: String) throws -> Bool {
        var reader = SMILESReader()
        try reader.read(smiles)
        let reaction = try #require(reader.reaction)
        return ReactionSearch.all(of: try SMARTSPattern(pattern)).contains { search in
            var search = search
            return search.finds(in: reaction)
        }
    }

    @Test(
        "each component is found on its side of the arrow",
        arguments: [
            ("CO>>C=O", true), ("C=O>>CO", false), (">>C=O", true), ("CO>>", true), (">[Cr]>", true), (">O>", false),
            ("C->C>>", false),
        ])
    func sides(_ pattern: String, _ isFound: Bool) throws {
        #expect(try finds(pattern, in: "CCO>[Cr]>CC=O") == isFound)
    }

    @Test(
        "each component of the pattern needs a component of its own",
        arguments: [
            ("O.N>>", "OCCN>>C", false), ("O.N>>", "CO.CN>>C", true), ("O.N>>", "CN.OCCN>>C", true),
            ("O.N.N>>", "CN.OCCN>>C", false), ("(O).(N)>>", "OCCN>>C", false), ("(OCCN)>>", "OCCN>>C", true),
        ])
    func components(_ pattern: String, _ reaction: String, _ isFound: Bool) throws {
        #expect(try finds(pattern, in: reaction) == isFound)
    }

    @Test(
        "a map number on both sides matches atoms of the same number",
        arguments: [
            ("[C:1]O>>[C:1]=O", "[CH3:7][CH2:8][OH:9]>>[CH3:7][CH:8]=[O:9]", true),
            ("[C:1]O>>[C:1]=O", "[CH3:7][CH2:8][OH:9]>>[CH3:8][CH:7]=[O:9]", false),
            ("[C:1]O>>[C:1]=O", "CCO>>CC=O", false),
            ("[C:1]O>>C=O", "CCO>>CC=O", true),
            ("[C:1].[C:2]>>[C:1][C:2]", "[CH3:4]Br.[CH3:5]I>>[CH3:5][CH3:4]", true),
            ("[C:1].[C:2]>>[C:1]-[C:2]", "[CH3:4]Br.[CH3:5]I>>[CH3:5]O[CH3:4]", false),
        ])
    func maps(_ pattern: String, _ reaction: String, _ isFound: Bool) throws {
        #expect(try finds(pattern, in: reaction) == isFound)
    }

    @Test("a reaction pattern matches no molecule")
    func molecules() throws {
        var search = SubstructureSearch(try SMARTSPattern("C>>"))
        #expect(search.pattern.isReaction)
        #expect(!search.finds(in: try Molecule(smiles: "CC")))
        #expect(search.matches(in: try Molecule(smiles: "CC")).isEmpty)
        #expect(search.matchCount(ofFirstAtomIn: try Molecule(smiles: "CC")) == 0)
    }

    @Test(
        "an invalid reaction is refused at its place",
        arguments: [("C>C", 1..<2), ("C>>C>C", 1..<5), (">>", 0..<2), ("C>>(C", 3..<4), ("C.>>C", 2..<2)])
    func errors(_ pattern: String, _ range: Range<Int>) {
        let error = #expect(throws: SMARTSError.self) { try SMARTSPattern(pattern) }
        #expect(error?.range == range)
    }
}
