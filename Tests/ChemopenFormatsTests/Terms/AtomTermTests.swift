import ChemopenModel
import Testing

@testable import ChemopenFormats

/// The complete table of atom properties.
@Suite("Atom terms")
struct AtomTermTests {
    /// Returns the notes of a term.
    private static func notes(of term: AtomTerm) -> [AtomNote] {
        switch term.content {
        case .code(let code):
            [code.range.lowerBound, -1, 0, 1, 2, 3, 14, code.range.upperBound].filter(code.range.contains).map(
                code.make)
        case .text(_, let make): [make("x"), make("a b")]
        case .numbers(_, let make): [make([1]), make([1, 32])]
        case .attachments: [.attachmentOrder([.init(neighbor: 1, point: "1"), .init(neighbor: 2, point: "Al")])]
        case .elements: [.elementList(ElementList(["C", "N"])), .elementList(ElementList(excluding: true, ["F"]))]
        case .configuration: [.configuration(.init(.squarePlanar, 3, of: [1, 2, 3, AtomNote.Configuration.hydrogen]))]
        case .keyword: [.keyword(name: "MINE", value: "3")]
        }
    }

    @Test("every key, line, column and field is unique")
    func unique() {
        let terms = AtomTerm.all
        #expect(Set(terms.compactMap(\.key)).count == terms.count { $0.key != nil })
        #expect(Set(terms.compactMap(\.line)).count == terms.count { $0.line != nil })
        #expect(Set(terms.compactMap(\.column)).count == terms.count { $0.column != nil })
        #expect(Set(terms.compactMap { $0.field.map { "\($0)" } }).count == terms.count { $0.field != nil })
        #expect(Set(terms.compactMap(\.query)).count == terms.count { $0.query != nil })
    }

    @Test("each note belongs to exactly one term, which creates the same note")
    func inverse() {
        for (place, term) in AtomTerm.all.enumerated() {
            for note in Self.notes(of: term) {
                #expect(AtomTerm.place(of: note) == place)
                guard case .code(let code) = term.content, let value = code.get(note) else { continue }
                #expect(code.make(value) == note)
                if value != code.nothing || code.inKeys[value] != nil {
                    #expect(code.note(forKey: code.word(inKey: value)).note == note)
                }
            }
        }
    }

    @Test("every note survives each of its representations", arguments: [WriteOptions.Version.v2000, .v3000])
    func trips(version: WriteOptions.Version) throws {
        for term in AtomTerm.all {
            let isSaid = version == .v3000 ? term.key != nil : term.line != nil || term.column != nil
            for note in Self.notes(of: term) where isSaid {
                if case .code(let code) = term.content, let value = code.get(note), !(-2...14).contains(value) {
                    continue
                }
                if case .code(let code) = term.content, code.get(note) == code.nothing, code.inKeys.isEmpty { continue }
                var molecule = Molecule()
                molecule.atoms = [Atom(.carbon), Atom(.carbon, at: Position(1)), Atom(.carbon, at: Position(2))]
                molecule.bonds = [Bond(0, 1), Bond(0, 2)]
                molecule.addNote(note, toAtom: 0)
                if case .rgroups = note {
                    molecule.atoms[0].element = .none
                    molecule.setLabel("R#", ofAtom: 0)
                }
                if case .attachmentOrder = note, version == .v2000 { continue }
                let written = try write([Record(molecule)], as: .molfile, .version(version))
                let again = try readMolfile(written.bytes).molecule
                #expect(Array(again.notes(onAtom: 0)) == [note], "\(note) in \(version)")
            }
        }
    }

    @Test("every note survives SketchEl fields and queries")
    func fields() {
        for term in AtomTerm.all where term.field != nil || term.query != nil {
            for note in Self.notes(of: term) {
                if let query = ForeignFields.query(for: note) {
                    #expect(ForeignFields.note(forQuery: query) == note)
                } else if let field = ForeignFields.transientField(for: note) {
                    #expect(ForeignFields.note(forField: field) == note)
                } else {
                    Issue.record("no field for \(note)")
                }
            }
        }
    }

    @Test("an invalid value is preserved verbatim in V3000")
    func outOfRange() throws {
        for word in ["RBCNT=-7", "UNSAT=2", "ATTCHPT=5", "HCOUNT=-4", "VAL=-3", "SUBST=x"] {
            let text = v3000Molfile("COUNTS 1 0 0 0 0\nBEGIN ATOM\n1 C 0 0 0 0 \(word)\nEND ATOM")
            let molecule = try readMolfile(text).molecule
            #expect(writeV3000(molecule).text.contains("1 C 0 0 0 0 \(word)\n"))
        }
    }
}
