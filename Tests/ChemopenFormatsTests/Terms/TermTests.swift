import ChemopenModel
import Testing

@testable import ChemopenFormats

/// Properties of all term tables.
@Suite("Term tables")
struct TermTableTests {
    @Test("every keyword, line and column has a single meaning")
    func unique() {
        let marks = MarkTerm.first + MarkTerm.others
        let keys = AtomTerm.all.compactMap(\.key) + marks.map(\.key)
        let columns = AtomTerm.all.compactMap(\.column) + marks.compactMap(\.column)
        let lines = AtomTerm.all.compactMap(\.line) + Array(Set(SgroupTerm.all.compactMap(\.line)))
        #expect(Set(keys).count == keys.count)
        #expect(Set(columns).count == columns.count)
        #expect(Set(lines).count == lines.count)
    }

    @Test("the features that a version of the MDL formats does not support are known")
    func missing() {
        #expect(MDLTables.all.missing.list == [.coordinationStereo, .abbreviations, .extensionFields])
        let beyondV2000 = Format.molfile.supportedFeatures.subtracting(Format.molfile.supportedFeatures(in: .v2000))
        #expect(
            beyondV2000.list == [
                .dativeBonds, .hydrogenBonds, .multicenterBonds, .bondDisplay, .stereoGroups, .collections, .templates,
            ])
    }
}

/// The complete table of bond properties.
@Suite("Bond terms")
struct BondTermTests {
    @Test("each term has its own columns in V2000, or requires V3000")
    func columns() {
        let columns = BondTerm.all.compactMap(\.column)
        #expect(Set(columns).count == columns.count)
        #expect(BondTerm.all.allSatisfy { ($0.column == nil) == ($0.need != nil) })
    }

    @Test("an invalid V2000 code is reported and read as 0", arguments: ["  0  3  0", "  0  0200"])
    func outOfColumns(codes: String) throws {
        let line = "  1  2  1  0" + codes
        let text = "\n\n\n  2  1  0  0  0  0  0  0  0  0999 V2000\n" + atomLine + atomLine + line + "\nM  END\n"
        let reading = try readMolfile(Array(text.utf8))
        #expect(reading.molecule.bonds == [Bond(0, 1)])
        #expect(reading.issues.map(\.message).contains { $0.hasSuffix("is undefined; read as 0") })
    }

    private let atomLine = "    0.0000    0.0000    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0\n"

    /// Returns valid codes, including the minimum and the maximum.
    private static func codes(of term: BondTerm) -> [Int] {
        [term.range.lowerBound, -1, 1, 2, 4, term.range.upperBound].filter { $0 != 0 && term.range.contains($0) }
    }

    @Test("each term has its own keyword and preserves its value")
    func inverse() {
        #expect(Set(BondTerm.all.map(\.key)).count == BondTerm.all.count)
        for (place, term) in BondTerm.all.enumerated() {
            for code in Self.codes(of: term) {
                var bond = Bond(0, 1)
                term.set(&bond, code)
                #expect(term.get(bond) == code)
                #expect(BondTerm.all.indices.filter { BondTerm.all[$0].get(bond) != 0 } == [place])
            }
        }
    }

    @Test("every value survives V3000, and V2000 if it has a column")
    func trips() throws {
        for term in BondTerm.all {
            for code in Self.codes(of: term) {
                var molecule = Molecule()
                molecule.atoms = [Atom(.carbon), Atom(.carbon, at: Position(1))]
                var bond = Bond(0, 1)
                term.set(&bond, code)
                molecule.bonds = [bond]
                for version in [WriteOptions.Version.v2000, .v3000] where version == .v3000 || term.column != nil {
                    let written = try write([Record(molecule)], as: .molfile, .version(version))
                    #expect(try readMolfile(written.bytes).molecule.bonds == [bond], "\(term.key) in \(version)")
                }
            }
        }
    }

    @Test("an invalid value is preserved verbatim")
    func outOfRange() throws {
        for word in ["TOPO=3", "RXCTR=200", "RXCTR=32", "RXCTR=-33", "STBOX=2", "TOPO=x"] {
            let table = "COUNTS 2 1 0 0 0\nBEGIN ATOM\n1 C 0 0 0 0\n2 C 1 0 0 0\nEND ATOM\n"
            let text = v3000Molfile(table + "BEGIN BOND\n1 1 1 2 \(word)\nEND BOND")
            #expect(writeV3000(try readMolfile(text).molecule).text.contains("1 1 1 2 \(word)\n"))
        }
    }

    @Test("each mark has its own V3000 code")
    func marks() {
        for mark in [Bond.Mark.none, .up, .either, .down] {
            #expect(Bond.Mark(configuration: mark.configuration) == mark)
        }
    }
}

/// The complete table of atom properties that are stored in a bit or a byte.
@Suite("Atom marks")
struct MarkTermTests {
    @Test("each mark has its own keyword and preserves its value")
    func inverse() {
        let terms = MarkTerm.first + MarkTerm.others
        #expect(Set(terms.map(\.key)).count == terms.count)
        #expect(Set(terms.compactMap(\.column)).count == terms.count { $0.column != nil })
        for (place, term) in terms.enumerated() {
            for code in 1...3 where term.range.contains(code) {
                var atom = Atom(.carbon)
                term.set(&atom, code)
                #expect(term.get(atom) == code)
                #expect(terms.indices.filter { terms[$0].get(atom) != 0 } == [place])
            }
        }
    }

    @Test("every mark survives each of its representations", arguments: [WriteOptions.Version.v2000, .v3000])
    func trips(version: WriteOptions.Version) throws {
        for term in MarkTerm.first + MarkTerm.others {
            for code in 1...3 where term.range.contains(code) {
                var molecule = Molecule()
                molecule.atoms = [Atom(.carbon, at: Position(1))]
                term.set(&molecule.atoms[0], code)
                let written = try write([Record(molecule)], as: .molfile, .version(version))
                #expect(term.get(try readMolfile(written.bytes).molecule.atoms[0]) == code, "\(term.key) in \(version)")
            }
        }
    }
}

/// The complete table of Sgroup properties.
@Suite("Sgroup terms")
struct SgroupTermTests {
    /// Returns an Sgroup with the property of a term, in addition to its atoms.
    private static func sgroup(saying term: SgroupTerm) -> Sgroup {
        var sgroup = Sgroup(.abbreviation)
        sgroup.number = 1
        sgroup.atoms = [0, 1]
        switch term.content {
        case .kind: sgroup.kind = .component
        case .word(let field): sgroup[field] = "AB"
        case .text(let field): sgroup[field] = "in water"
        case .number(let field): sgroup[field] = 7
        case .atoms(let field): sgroup[field] = [1]
        case .bonds(let field): sgroup[field] = [0]
        case .data(let field):
            sgroup.kind = .data
            sgroup.data = Sgroup.Data()
            sgroup.data?[field] = "F"
        case .values, .valuePart:
            sgroup.kind = .data
            sgroup.data = Sgroup.Data()
            sgroup.data?.values = [Text(String(repeating: "long ", count: 30) + "text")]
        case .parent: sgroup.parent = 1
        case .bracket: sgroup.brackets = [Sgroup.Bracket(from: Position(1, 2), to: Position(3, 4))]
        case .bracketStyle: sgroup.bracketStyle = .round
        case .expansion: sgroup.isExpanded = true
        case .bondVector: sgroup.bondVectors = [Sgroup.BondVector(bond: 0, vector: Position(1, 2))]
        case .attachment: sgroup.attachments = [Sgroup.AttachmentPoint(atom: 1, leaving: 0, identifier: "1")]
        }
        return sgroup
    }

    @Test("every key and column range of a line is unique")
    func unique() {
        let terms = SgroupTerm.all
        #expect(Set(terms.compactMap(\.key)).count == terms.count { $0.key != nil })
        for kind in [Sgroup.Kind.data, .multiple, .abbreviation] {
            for term in terms {
                guard let key = term.key(in: kind), kind != .data || key != .containedBonds else { continue }
                #expect(SgroupTerm.term(ofKey: key, in: kind)?.line == term.line)
            }
        }
        for term in terms {
            let others = terms.count { $0.line == term.line && term.line != nil && $0.columns == nil }
            #expect(others <= 1)
        }
    }

    @Test("every property survives each of its representations", arguments: [WriteOptions.Version.v2000, .v3000])
    func trips(version: WriteOptions.Version) throws {
        for term in SgroupTerm.all where version == .v3000 ? term.key != nil : term.line != nil {
            var molecule = Molecule()
            molecule.atoms = [Atom(.carbon), Atom(.carbon, at: Position(1)), Atom(.oxygen, at: Position(2))]
            molecule.bonds = [Bond(0, 1), Bond(1, 2)]
            var outer = Sgroup(.generic)
            outer.number = 2
            outer.atoms = [0, 1]
            molecule.extras.contents.sgroups = [Self.sgroup(saying: term), outer]
            let written = try write([Record(molecule)], as: .molfile, .version(version))
            let again = try readMolfile(written.bytes).molecule
            #expect(
                again.extras.contents.sgroups == molecule.extras.contents.sgroups,
                "\(term.key.map(\.rawValue) ?? "") \(term.line.map(\.description) ?? "") in \(version)")
        }
    }

    @Test("an invalid value is preserved verbatim")
    func outOfRange() throws {
        for word in ["BRKTYP=ROUND", "ESTATE=C", "COMPNO=x", "BRKXYZ=(3 1 2 3)", "MULT=3"] {
            let table = "COUNTS 1 0 1 0 0\nBEGIN ATOM\n1 C 0 0 0 0\nEND ATOM\n"
            let text = v3000Molfile(table + "BEGIN SGROUP\n1 SUP 0 ATOMS=(1 1) \(word)\nEND SGROUP")
            #expect(writeV3000(try readMolfile(text).molecule).text.contains("1 SUP 0 ATOMS=(1 1) \(word)\n"))
        }
    }

    @Test("a broken value does not affect later ones in any order, and the output is stable")
    func brokenNeighbors() throws {
        let words = [
            #"BRKXYZ=(9 1 2" 0 1 2 0 0 0 0)"#, "BRKXYZ=(9 1 2 0 1 3 0 0 0 0)", "BRKXYZ=(9 1 2 0 1 3 0 0 0 7)",
            "BRKXYZ=(9 1 2 0 1 3 0", #"SAP=(3 1 0 "1)"#, "CONNECT=(HH)", #"LABEL="n"#, #"CLASS="AA""#, #"X=a"b"#,
            "ESTATE=C", #"XBCORR=("")"#, "(1",
        ]
        let table = "COUNTS 1 0 1 0 0\nBEGIN ATOM\n1 C 0 0 0 0\nEND ATOM\n"
        for first in words {
            for second in words {
                for third in words {
                    let line = "1 SUP 0 ATOMS=(1 1) \(first) \(second) \(third)"
                    let text = v3000Molfile(table + "BEGIN SGROUP\n\(line)\nEND SGROUP")
                    let written = writeV3000(try readMolfile(text).molecule)
                    let again = writeV3000(try readMolfile(Array(written.text.utf8)).molecule)
                    #expect(again.text == written.text, "\(line)")
                }
            }
        }
        let brackets = v3000Molfile(table + "BEGIN SGROUP\n1 SUP 0 ATOMS=(1 1) \(words[0]) \(words[1])\nEND SGROUP")
        #expect(try readMolfile(brackets).molecule.extras.contents.sgroups[0].brackets.count == 1)
    }
}

/// The tables of collection properties.
@Suite("Collection terms")
struct CollectionTermTests {
    @Test("each term has its own keyword and survives V3000")
    func trips() throws {
        #expect(Set(CollectionTerm.all.map(\.key)).count == CollectionTerm.all.count)
        for term in CollectionTerm.all {
            var molecule = Molecule()
            molecule.atoms = [Atom(.carbon), Atom(.carbon, at: Position(1))]
            molecule.bonds = [Bond(0, 1)]
            var sgroup = Sgroup(.generic)
            sgroup.number = 1
            sgroup.atoms = [0]
            molecule.extras.contents.sgroups = [sgroup]
            var collection = AtomCollection("MINE/OWN")
            term.add(&collection, [0])
            #expect(term.get(collection) == [0])
            molecule.extras.contents.collections = [collection]
            let written = try write([Record(molecule)], as: .molfile, .version(.v3000))
            #expect(try readMolfile(written.bytes).molecule.extras.contents.collections == [collection])
        }
    }
}
