import ChemopenFormats
import Testing

@Suite("Detection of MDL files by content")
struct MDLSnifferTests {
    /// Returns the ids of the formats that match the text best.
    private func surest(_ text: [UInt8], isWhole: Bool = true) -> [String] {
        let head = Head(text, isWhole: isWhole)
        let found = [Format.rdfile, .rxnfile, .sdfile, .molfile].map { ($0.id, $0.sniff(head)) }
        let best = found.map(\.1).max() ?? .no
        return best == .no ? [] : found.filter { $0.1 == best }.map(\.0)
    }

    @Test(
        "files of other formats are not detected",
        arguments: [
            "prose.sdf", "prose.rxn", "blanks.sdf", "separators-only.sdf", "rdf-xml.rdf", "csv.sdf", "utf-16.sdf",
            "empty.mol",
        ])
    func none(_ name: String) throws {
        #expect(surest(try Fixture("bad/" + name).bytes) == [])
    }

    @Test(
        "the file name is ignored",
        arguments: [
            ("molfile-called.sdf", "mol"), ("molfile-called.rdf", "mol"), ("sdf-called.mol", "sdf"),
            ("reaction-called.mol", "rxn"), ("reaction-called.rdf", "rxn"), ("rdfile-called.rxn", "rdf"),
            ("separator-first.sdf", "sdf"),
        ])
    func misnamed(name: String, format: String) throws {
        #expect(surest(try Fixture("bad/" + name).bytes) == [format])
    }

    @Test("a reaction followed by data is an RD file")
    func reactionWithData() {
        #expect(surest(Array("$RXN\n\n\n\n  0  0\n$DTYPE A\n$DATUM 1\n".utf8)) == ["rdf"])
    }

    @Test("a molecule that continues after the examined prefix may have data, so the name decides")
    func longMolecule() throws {
        let text = try Fixture("mol/charge-v2000.mol").bytes
        #expect(surest(text, isWhole: false) == ["sdf", "mol"])
    }
}
