import ChemopenBytes
import ChemopenFormats
import ChemopenModel
import Testing

/// Returns a molfile of one atom with its symbol as the title.
private func atom(_ symbol: String) -> String {
    """
    \(symbol)


      1  0  0  0  0  0            999 V2000
        0.0000    0.0000    0.0000 \(symbol)   0  0  0  0  0  0  0  0  0  0  0  0
    M  END

    """
}

/// Returns a V2000 reaction of the atoms C, N, O and F.
private func reaction(_ counts: String, between: String = "", keyword: String = "$MOL") -> String {
    "$RXN\nname\n      program\ncomment\n\(counts)\n"
        + ["C", "N", "O", "F"].map { "\(keyword)\n\(atom($0))" }.joined(separator: between)
}

@Suite("RXN file")
struct RXNfileTests {
    private func names(_ text: String) throws -> (roles: [[String]], issues: [String]) {
        let reading = try Reading.all(text, by: RXNfileReader.self)
        let reaction = try #require(reading.records.first?.reaction)
        let roles = [reaction.reactants, reaction.agents, reaction.products]
        return (roles.map { $0.map(\.molecule.name.string) }, reading.issues.map(\.message))
    }

    @Test("reactants come first, then products, then the agents in the third count")
    func roles() throws {
        #expect(try names(reaction("  2  1  1")) == ([["C", "N"], ["F"], ["O"]], []))
    }

    @Test("the header has the name, the program line and the comment of the reaction")
    func header() throws {
        let read = try #require(try Reading.all(reaction("  2  2"), by: RXNfileReader.self).records.first?.reaction)
        #expect([read.name, read.origin, read.comment] == ["name", "      program", "comment"])
    }

    @Test("components that exceed the counts are agents, and missing components are reported")
    func countsAtOdds() throws {
        #expect(
            try names(reaction("  1  1")) == (
                [["C"], ["O", "F"], ["N"]],
                ["2 components are announced, but 4 are present; the others are read as agents"]
            ))
        #expect(
            try names(reaction("  3999")) == (
                [["C", "N", "O"], [], ["F"]],
                ["1002 components are announced, but 4 are present; the announced number is ignored"]
            ))
    }

    @Test("misaligned counts, blank lines between components and $MDL instead of $MOL are read with a warning")
    func looseForms() throws {
        let roles = [["C", "N"], [], ["O", "F"]]
        #expect(try names(reaction("2 2")) == (roles, ["the counts are not in their columns; split at blanks"]))
        #expect(
            try names(reaction("  2  2", between: "\n"))
                == (roles, Array(repeating: "a blank line between the components; skipped", count: 3)))
        #expect(
            try names(reaction("  2  2", keyword: "$MDL"))
                == (roles, Array(repeating: "$MDL instead of $MOL; read as $MOL", count: 4)))
    }

    @Test("invalid counts are rejected with their line", arguments: ["  x  2", " -1  2", "  1", ""])
    func badCounts(_ counts: String) throws {
        let reading = try Reading.all(reaction(counts), by: RXNfileReader.self)
        #expect(reading.records.isEmpty)
        #expect(reading.errors.map(\.line) == [5])
    }

    @Test("an extra or missing header line is corrected if the counts are unambiguous")
    func mendedHeader() throws {
        let long = reaction("  2  2").replacing("comment\n", with: "comment\nmore\n")
        #expect(try names(long) == ([["C", "N"], [], ["O", "F"]], ["the header has 4 lines instead of 3"]))
        let short = reaction("  2  2").replacing("comment\n", with: "")
        #expect(try names(short) == ([["C", "N"], [], ["O", "F"]], ["the header has 2 lines instead of 3"]))
    }

    @Test("several reactions in one file are several records, for any block size", arguments: ["\n", "\r\n", "\r"])
    func severalReactions(lineEnd: String) throws {
        let text = "\n\(reaction("  2  2"))\(reaction("  4  0"))".lines(endingIn: lineEnd)
        let whole = try Reading.all(text, by: RXNfileReader.self)
        #expect(whole.records.map { $0.reaction?.reactants.count } == [2, 4])
        for size in stride(from: 1, through: text.count, by: 7) {
            #expect(try Reading.all(text, by: RXNfileReader.self, inBlocksOf: size) == whole)
        }
    }

    @Test("text after the reaction is reported, preserved and written back")
    func trailingText() throws {
        let reading = try Reading.all(reaction("  2  2") + "the end\n", by: RXNfileReader.self)
        #expect(reading.issues.map(\.message) == ["text after the reaction; preserved verbatim"])
        #expect(try Writing.all(reading.records, by: RXNfileWriter.self).string.hasSuffix("M  END\nthe end\n"))
    }

    @Test("a round trip preserves every reaction", arguments: Fixture.all(in: "rxn"))
    func roundTrip(_ fixture: Fixture) throws {
        let first = try Reading.all(fixture.bytes, by: RXNfileReader.self)
        #expect(first.errors.isEmpty)
        #expect(first.records.count == 1)
        var options = WriteOptions()
        if first.places.first?.version == "V3000" { options.version = .v3000 }
        let writing = try Writing.all(first.records, by: RXNfileWriter.self, options)
        let second = try Reading.all(writing.text, by: RXNfileReader.self)
        #expect(second.errors.isEmpty)
        #expect(second.issues.isEmpty)
        let isSame = second.records.map(\.withoutOrigins) == first.records.map(\.withoutOrigins)
        #expect(isSame)
    }

    @Test("a V2000 reaction has the expected text")
    func wholeReaction() throws {
        var carbon = Molecule()
        carbon.atoms = [Atom(.carbon)]
        var written = Reaction(Reaction.Step(reactants: [.init(carbon)], products: []))
        written.name = "nothing comes of it"
        #expect(
            try Writing.all([Record(written)], by: RXNfileWriter.self).string == """
                $RXN
                nothing comes of it
                      CHEMOPEN

                  1  0
                $MOL

                  CHEMOPEN          2D

                  1  0  0  0  0  0  0  0  0  0999 V2000
                    0.0000    0.0000    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0
                M  END

                """)
    }

    @Test("a component that needs V3000 converts the complete reaction to V3000, with a note")
    func version() throws {
        var adduct = Molecule()
        adduct.atoms = [Atom(.nitrogen), Atom(.boron)]
        adduct.bonds = [Bond(0, 1)]
        adduct.bonds[0].order = .dative
        let record = Record(Reaction(Reaction.Step(reactants: [.init(Molecule())], products: [.init(adduct)])))
        let writing = try Writing.all([record], by: RXNfileWriter.self)
        #expect(writing.string.hasPrefix("$RXN V3000\n\n      CHEMOPEN\n\nM  V30 COUNTS 1 1\nM  V30 BEGIN REACTANT\n"))
        #expect(writing.string.hasSuffix("M  V30 END PRODUCT\nM  END\n"))
        #expect(writing.reports.map(\.reason) == ["a dative bond"])
    }

    @Test("properties beyond a reaction of one step are reported as lost")
    func losses() throws {
        var step = Reaction.Step(reactants: [.init(Molecule())], products: [.init(Molecule())])
        step.conditions = ["reflux"]
        step.arrow = .resonance
        step.reactants[0].stoichiometry = "2"
        var record = Record(Reaction(step, step))
        record.fields.append("YIELD", "5")
        let losses = try Writing.all([record], by: RXNfileWriter.self).losses
        #expect(losses.map(\.feature) == [.severalSteps, .conditions, .arrowKinds, .stoichiometry, .fields])
        #expect(losses.map(\.count) == [2, 2, 2, 2, 1])
        #expect(losses[2].detail == "resonance")
    }

    @Test("a file contains one reaction and no molecule")
    func impossible() {
        let record = Record(Reaction(Reaction.Step()))
        #expect(throws: WriteError.self) { try Writing.all([record, record], by: RXNfileWriter.self) }
        #expect(throws: WriteError.self) { try Writing.all([Record(Molecule())], by: RXNfileWriter.self) }
    }
}
