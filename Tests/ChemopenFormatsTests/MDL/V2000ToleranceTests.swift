import ChemopenFormats
import ChemopenModel
import Testing

@Suite("V2000 that departs from the book")
struct V2000ToleranceTests {
    /// C-N with a charge on N; line 5 and 6 atoms, 7 the bond, 8 the charge, 9 the end.
    private let book = V2000.molfile(
        atoms: [V2000.atom("C", at: "    1.5000    0.0000    0.0000"), V2000.atom("N")], bonds: [V2000.bond(1, 2, 2)],
        properties: ["M  CHG  1   2   1"])

    private func book(replacing line: Int, by text: String...) -> String {
        var lines = book.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        lines.replaceSubrange(line - 1..<line, with: text)
        return lines.joined(separator: "\n")
    }

    /// That nothing of the molecule is missing.
    private func expectWhole(
        _ reading: ReadRecord, charge: Int16 = 1, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(reading.symbols == ["C", "N"], sourceLocation: sourceLocation)
        #expect(reading.atoms.map(\.charge) == [0, charge], sourceLocation: sourceLocation)
        #expect(reading.atoms.first?.position == Position(1.5, 0, 0), sourceLocation: sourceLocation)
        #expect(reading.bonds == [Bond(0, 1, .double)], sourceLocation: sourceLocation)
    }

    @Test("by the book there is nothing to tell")
    func nothingToTell() throws {
        let reading = try read(book)
        expectWhole(reading)
        #expect(reading.issues.isEmpty)
        #expect(reading.place.version == "V2000")
        #expect(reading.molecule.name == "title")
        #expect(reading.molecule.flags == [])
    }

    // Text.

    @Test("lines end in LF, CR LF or CR, and the last one in nothing", arguments: ["\n", "\r\n", "\r"])
    func lineEnds(end: String) throws {
        let text = book.split(separator: "\n").count
        #expect(text == 7)
        let ended = book.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: end)
        expectWhole(try read(ended))
        #expect(try read(ended).doubtfulLines == [])
        expectWhole(try read(String(ended.dropLast())))
    }

    @Test("one file may mix line ends")
    func mixedLineEnds() throws {
        let ends = ["\r\n", "\n", "\r"]
        let lines = book.split(separator: "\n", omittingEmptySubsequences: false)
        for shift in 0..<3 {
            var text = ""
            for (index, line) in lines.dropLast().enumerated() { text += line + ends[(index + shift) % 3] }
            let reading = try read(text)
            expectWhole(reading)
            #expect(reading.molecule.name == "title")
            #expect(reading.doubtfulLines == [])
        }
    }

    @Test("a byte order mark is no part of the title")
    func byteOrderMark() throws {
        let reading = try read("\u{FEFF}" + book)
        expectWhole(reading)
        #expect(reading.molecule.name == "title")
        #expect(reading.doubtfulLines == [])
    }

    @Test("NUL behind the last line is nothing, NUL inside a line is told")
    func nul() throws {
        let behind = try read(book + "\0\0\0")
        expectWhole(behind)
        #expect(behind.doubtfulLines == [])
        let inside = try read(book(replacing: 1, by: "ti\0tle"))
        expectWhole(inside)
        #expect(inside.toldLines == [1])
        #expect(!inside.molecule.name.bytes.contains(0))
    }

    @Test("Windows-1252 is read as such and kept byte for byte")
    func windows1252() throws {
        var bytes = Array(book.utf8)
        bytes.replaceSubrange(0..<5, with: [0x80, 0xB5, 0xE9])
        let reading = try #require(readAll(bytes, as: .molfile).first?.reading)
        #expect(reading.molecule.name.string == "€µé")
        #expect(reading.molecule.name.bytes == [0x80, 0xB5, 0xE9])
        #expect(reading.doubtfulLines == [])
    }

    // Header and counts.

    @Test("a symbol with a byte beyond ASCII is a label, whatever that byte's bits are")
    func symbolBeyondASCII() throws {
        var bytes = Array(V2000.molfile(atoms: [V2000.atom("C!")]).utf8)
        let place = try #require(bytes.firstIndex(of: UInt8(ascii: "!")))
        bytes[place] = 0xD8
        let reading = try #require(try readAll(bytes, as: .molfile).first?.reading)
        #expect(reading.atoms.map(\.element) == [.none])
        #expect(reading.molecule.labels.map(\.bytes) == [[0x43, 0xD8]])
    }

    @Test("a header line too few or too many is mended and told")
    func headerLines() throws {
        let fewer = try read(book(replacing: 2))
        expectWhole(fewer)
        #expect(!fewer.doubtfulLines.isEmpty)
        let more = try read(book(replacing: 3, by: "", ""))
        expectWhole(more)
        #expect(!more.doubtfulLines.isEmpty)
        #expect(fewer.molecule.name == "title")
        #expect(more.molecule.name == "title")
    }

    @Test("counts out of their columns are read if the version stands in the line, and told")
    func freeCounts() throws {
        let reading = try read(book(replacing: 4, by: "2 1 0 0 0 V2000"))
        expectWhole(reading)
        #expect(reading.doubtfulLines == [4])
        let alone = try read(V2000.molfile(counts: "1 0 0 0 0 V2000"))
        #expect(alone.symbols == ["C"])
        #expect(alone.doubtfulLines == [4])
    }

    @Test(
        "only the first two counts are needed",
        arguments: ["  2  1", "  2  1                            V2000", "  2  1  0", "  2  1  0     0"])
    func shortCounts(line: String) throws {
        let reading = try read(book(replacing: 4, by: line))
        expectWhole(reading)
        #expect(reading.doubtfulLines == [])
    }

    @Test(
        "the version may stand anywhere in any letters",
        arguments: [
            "  2  1  0  0  0  0  0  0  0  0999 v2000", "  2  1  0  0  0  0  0  0  0  0999  V2000",
            "  2  1  0  0  0  0  0  0  0  0999V2000",
            "  2  1  0  0  0  0            999 V2000",
        ])
    func versions(line: String) throws {
        let reading = try read(book(replacing: 4, by: line))
        expectWhole(reading)
        #expect(reading.doubtfulLines == [])
    }

    @Test("the number of property lines means nothing", arguments: ["  0", "  1", "  9", "   ", "-99"])
    func propertyCount(count: String) throws {
        let reading = try read(book(replacing: 4, by: "  2  1  0  0  0  0  0  0  0  0\(count) V2000"))
        expectWhole(reading)
        #expect(reading.issues.isEmpty)
    }

    @Test("the obsolete fourth count is no number of anything")
    func obsoleteCount() throws {
        let reading = try read(book(replacing: 4, by: "  2  1  0  7  0  0  9  9  9  9999 V2000"))
        expectWhole(reading)
        #expect(reading.doubtfulLines == [])
    }

    @Test("the chiral flag is kept")
    func chiralFlag() throws {
        #expect(try read(book(replacing: 4, by: V2000.counts(2, 1, chiral: 1))).molecule.flags == .chiral)
        #expect(try read(book).molecule.flags == [])
    }

    @Test("heights or the header say three dimensions, no place at all says none")
    func dimensions() throws {
        let flat = try read(book(replacing: 2, by: "  PROGRAM 01020304052D"))
        #expect(flat.molecule.flags == [])
        let spatial = try read(book(replacing: 2, by: "  PROGRAM 01020304053D"))
        #expect(spatial.molecule.flags == .threeDimensional)
        #expect(spatial.molecule.origin == "  PROGRAM 01020304053D")
        let raised = V2000.molfile(atoms: [V2000.atom(at: "    1.0000    0.0000    0.1000")])
        #expect(try read(raised).molecule.flags == .threeDimensional)
        let nowhere = V2000.molfile(atoms: [
            V2000.atom(at: "    0.0000    0.0000    0.0000"), V2000.atom(at: "   -0.0000    0.0000    0.0000"),
        ])
        #expect(try read(nowhere).molecule.flags == .withoutCoordinates)
    }

    @Test("more or fewer atoms than announced are read as they are, and told")
    func wrongAtomCount() throws {
        for count in [0, 1, 3, 9, 999] {
            let reading = try read(book(replacing: 4, by: V2000.counts(count, 1)))
            expectWhole(reading)
            #expect(!reading.doubtfulLines.isEmpty, "\(count) atoms announced")
        }
    }

    @Test("more or fewer bonds than announced are read as they are, and told")
    func wrongBondCount() throws {
        for count in [0, 2, 9, 999] {
            let reading = try read(book(replacing: 4, by: V2000.counts(2, count)))
            expectWhole(reading)
            #expect(!reading.doubtfulLines.isEmpty, "\(count) bonds announced")
        }
    }

    @Test("a thousand atoms are read whole or refused, never cut")
    func thousandAtoms() throws {
        let atoms = Array(repeating: V2000.atom(), count: 1000)
        let counts = "1000  0  0  0  0  0  0  0  0  0999 V2000"
        let outcome = try #require(readAll(V2000.molfile(counts: counts, atoms: atoms), as: .molfile).first)
        if let reading = outcome.reading {
            #expect(reading.atoms.count == 1000)
            #expect(reading.toldLines != [])
        }
    }

    // The end.

    @Test("M  END may be missing at the end of the file, which is told")
    func missingEnd() throws {
        let reading = try read(String(book.dropLast("M  END\n".count)))
        expectWhole(reading)
        #expect(!reading.doubtfulLines.isEmpty)
    }

    @Test("M  END may have wrong blanks, which is told", arguments: ["M END", " M  END", "M   END", "m  end"])
    func misspelledEnd(end: String) throws {
        let reading = try read(book(replacing: 9, by: end))
        expectWhole(reading)
        #expect(reading.toldLines == [9])
    }

    @Test("M  END may have blanks behind it")
    func endWithBlanks() throws {
        let reading = try read(book(replacing: 9, by: "M  END   "))
        expectWhole(reading)
        #expect(reading.doubtfulLines == [])
    }

    // Atom lines.

    @Test("coordinates may stand one column to either side, which is told")
    func shiftedCoordinates() throws {
        let right = try read(book(replacing: 5, by: " " + V2000.atom("C", at: "    1.5000    0.0000    0.0000")))
        expectWhole(right)
        #expect(right.doubtfulLines == [5])
        let left = try read(
            book(replacing: 5, by: String(V2000.atom("C", at: "    1.5000    0.0000    0.0000").dropFirst())))
        expectWhole(left)
        #expect(left.doubtfulLines == [5])
    }

    @Test("a line one column to the side keeps its codes", arguments: [" ", ""])
    func shiftedCodes(margin: String) throws {
        let line = V2000.atom("N", at: "    1.5000    0.0000    0.0000", charge: 5, map: 12)
        let shifted = margin.isEmpty ? String(line.dropFirst()) : margin + line
        let reading = try read(V2000.molfile(atoms: [shifted]))
        #expect(reading.symbols == ["N"])
        #expect(reading.atoms[0].charge == -1)
        #expect(reading.atoms[0].mapNumber == 12)
        #expect(reading.doubtfulLines == [5])
    }

    @Test("tabs or single blanks may part the fields, which is told")
    func freeAtomLine() throws {
        for text in ["1.5\t0\t0\tC\t0\t0", "1.5 0.0 0.0 C 0 0 0 0", "1.5000 0.0000 0.0000 C"] {
            let reading = try read(book(replacing: 5, by: text))
            expectWhole(reading)
            #expect(reading.doubtfulLines == [5])
        }
    }

    @Test("fields apart by blanks hold their codes in the same order")
    func freeAtomCodes() throws {
        let reading = try read(V2000.molfile(atoms: ["1.5 0.0 0.0 N 1 5 0 0 0 4 0 0 0 17 0 0"]))
        #expect(reading.atoms[0].isotope == 15)
        #expect(reading.atoms[0].charge == -1)
        #expect(reading.notes(0) == [.valence(4)])
        #expect(reading.atoms[0].mapNumber == 17)
    }

    @Test("a decimal comma is a point, and told")
    func decimalComma() throws {
        let reading = try read(book(replacing: 5, by: V2000.atom("C", at: "    1,5000    0,0000    0,0000")))
        expectWhole(reading)
        #expect(reading.doubtfulLines == [5])
    }

    @Test(
        "what is no finite number is 0, and told",
        arguments: ["       NaN", "       nan", "       Inf", "      -inf", "    1e9999"])
    func notFinite(x: String) throws {
        let reading = try read(V2000.molfile(atoms: [V2000.atom("N", at: x + "    2.0000    3.0000", charge: 3)]))
        #expect(reading.atoms[0].position == Position(0, 2, 3))
        #expect(reading.atoms[0].charge == 1)
        #expect(reading.doubtfulLines == [5])
    }

    // Bond lines.

    @Test("the fields of a bond may stand anywhere, which is told")
    func freeBondLine() throws {
        for text in ["1 2 2 0", "1\t2\t2\t0", " 1 2 2", "1 2 2 0 0 0 0"] {
            let reading = try read(book(replacing: 7, by: text))
            expectWhole(reading)
            #expect(reading.doubtfulLines == [7], "\(text)")
        }
    }

    // Property lines.

    @Test("M  CHG in steps of three columns is read by its words, and told")
    func narrowCharges() throws {
        let reading = try read(book(replacing: 8, by: "M  CHG  2  1 -1  2  1"))
        #expect(reading.atoms.map(\.charge) == [-1, 1])
        #expect(reading.doubtfulLines == [8])
    }

    @Test("M  CHG that announces more than it holds is read as far as it goes, and told")
    func missingEntries() throws {
        let reading = try read(book(replacing: 8, by: "M  CHG  8   2   1"))
        expectWhole(reading)
        #expect(reading.doubtfulLines == [8])
        let half = try read(book(replacing: 8, by: "M  CHG  2   2   1   1"))
        expectWhole(half)
        #expect(half.doubtfulLines == [8])
    }

    @Test(
        "an entry of M  CHG for an atom that is not there is dropped and told",
        arguments: ["  77   5", "   0   5", "  -1   5", " 999  -1"])
    func strangeAtom(entry: String) throws {
        let reading = try read(book(replacing: 8, by: "M  CHG  2\(entry)   2   1"))
        expectWhole(reading)
        #expect(reading.doubtfulLines == [8])
    }

    @Test("small letters are read, and told")
    func smallLetters() throws {
        let reading = try read(book(replacing: 8, by: "m  chg  1   2   1"))
        expectWhole(reading)
        #expect(reading.toldLines == [8])
    }

    @Test(
        "a charge that is no number has no effect, and is told",
        arguments: ["M  CHG  1   2   x", "M  CHG  x   2   1", "M  CHG -1   2   1"])
    func chargeIsNoNumber(line: String) throws {
        let outcome = try #require(readAll(book(replacing: 8, by: line), as: .molfile).first)
        if let reading = outcome.reading {
            #expect(reading.bonds == [Bond(0, 1, .double)])
            #expect(reading.toldLines == [8])
        } else {
            #expect(outcome.error?.line == 8)
        }
    }

    @Test(
        "a charge too large for anything does not pass in silence",
        arguments: ["M  CHG  1   2 9999999999", "M  CHG  1   2 99999"])
    func enormousCharge(line: String) throws {
        let outcome = try #require(readAll(book(replacing: 8, by: line), as: .molfile).first)
        #expect(outcome.error?.line == 8 || outcome.reading?.toldLines == [8])
    }

    @Test("a blank line before M  END is passed over")
    func blankLine() throws {
        for blank in ["", "   "] {
            let reading = try read(book(replacing: 9, by: blank, "M  END"))
            expectWhole(reading)
            #expect(reading.doubtfulLines == [])
        }
    }

    @Test("other text among the property lines is passed over, and told")
    func strayText() throws {
        let reading = try read(book(replacing: 8, by: "This is prose.", "M  CHG  1   2   1"))
        expectWhole(reading)
        #expect(reading.doubtfulLines == [8])
    }

    // Hostile files.

    @Test("a molfile cut at any byte is refused or read, and never in silence")
    func cutAnywhere() throws {
        let bytes = Array(book.utf8)
        let end = bytes.count - "M  END\n".count
        for length in 1..<bytes.count {
            let outcomes = try readAll(Array(bytes[..<length]), as: .molfile)
            if length <= end, let reading = outcomes.first?.reading {
                #expect(!reading.issues.isEmpty, "cut behind \(length) bytes")
            }
        }
    }

    @Test("a molfile with any byte damaged ends in a record or an error")
    func damagedAnywhere() throws {
        let bytes = Array(book.utf8)
        for place in bytes.indices {
            for value in [0x00, 0x09, 0x0A, 0x0D, 0x20, 0x2D, 0x39, 0x7E, 0xFF] as [UInt8] {
                var damaged = bytes
                damaged[place] = value
                #expect(try readAll(damaged, as: .molfile).count == 1)
            }
        }
    }

    @Test("any line may be missing, or stand twice")
    func missingAndRepeatedLines() throws {
        let lines = book.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { $0 + "\n" }
        for place in lines.indices {
            var without = lines
            without.remove(at: place)
            #expect(try readAll(without.joined(), as: .molfile).count == 1)
            var repeated = lines
            repeated.insert(lines[place], at: place)
            #expect(try readAll(repeated.joined(), as: .molfile).count == 1)
        }
    }

    @Test("nothing at all, or an empty line, is no record")
    func nothing() throws {
        #expect(try readAll("", as: .molfile).count == 0)
        #expect(try readAll("\n", as: .molfile).allSatisfy { $0.reading == nil })
    }
}
