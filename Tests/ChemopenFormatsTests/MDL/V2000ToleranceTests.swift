import ChemopenFormats
import ChemopenModel
import Testing

@Suite("V2000 deviations")
struct V2000ToleranceTests {
    /// C=N with a charge on N: atoms in lines 5 and 6, the bond in line 7, the charge in line 8, the end in line 9.
    private let book = V2000.molfile(
        atoms: [V2000.atom("C", at: "    1.5000    0.0000    0.0000"), V2000.atom("N")], bonds: [V2000.bond(1, 2, 2)],
        properties: ["M  CHG  1   2   1"])

    private func book(replacing line: Int, by text: String...) -> String {
        var lines = book.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        lines.replaceSubrange(line - 1..<line, with: text)
        return lines.joined(separator: "\n")
    }

    /// Checks that the molecule is complete.
    private func expectWhole(
        _ reading: ReadRecord, charge: Int16 = 1, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(reading.symbols == ["C", "N"], sourceLocation: sourceLocation)
        #expect(reading.atoms.map(\.charge) == [0, charge], sourceLocation: sourceLocation)
        #expect(reading.atoms.first?.position == Position(1.5, 0, 0), sourceLocation: sourceLocation)
        #expect(reading.bonds == [Bond(0, 1, .double)], sourceLocation: sourceLocation)
    }

    @Test("a valid file has no messages")
    func nothingToTell() throws {
        let reading = try read(book)
        expectWhole(reading)
        #expect(reading.issues.isEmpty)
        #expect(reading.place.version == "V2000")
        #expect(reading.molecule.name == "title")
        #expect(reading.molecule.flags == [])
    }

    // Text.

    @Test("lines end in LF, CR LF or CR, and the last may have no end", arguments: ["\n", "\r\n", "\r"])
    func lineEnds(end: String) throws {
        let text = book.split(separator: "\n").count
        #expect(text == 7)
        let ended = book.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: end)
        expectWhole(try read(ended))
        #expect(try read(ended).doubtfulLines == [])
        expectWhole(try read(String(ended.dropLast())))
    }

    @Test("a file may mix line ends")
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

    @Test("a byte order mark is not part of the title")
    func byteOrderMark() throws {
        let reading = try read("\u{FEFF}" + book)
        expectWhole(reading)
        #expect(reading.molecule.name == "title")
        #expect(reading.doubtfulLines == [])
    }

    @Test("NUL after the last line is ignored, and NUL inside a line is reported")
    func nul() throws {
        let behind = try read(book + "\0\0\0")
        expectWhole(behind)
        #expect(behind.doubtfulLines == [])
        let inside = try read(book(replacing: 1, by: "ti\0tle"))
        expectWhole(inside)
        #expect(inside.toldLines == [1])
        #expect(!inside.molecule.name.bytes.contains(0))
    }

    @Test("Windows-1252 is decoded and preserved byte for byte")
    func windows1252() throws {
        var bytes = Array(book.utf8)
        bytes.replaceSubrange(0..<5, with: [0xB5, 0x6D, 0xE9])
        let reading = try #require(readAll(bytes, as: .molfile).first?.reading)
        #expect(reading.molecule.name.string == "µmé")
        #expect(reading.molecule.name.bytes == [0xB5, 0x6D, 0xE9])
        #expect(reading.doubtfulLines == [])
    }

    // Header and counts.

    @Test("a symbol with a non-ASCII byte is a label for any bits of that byte")
    func symbolBeyondASCII() throws {
        var bytes = Array(V2000.molfile(atoms: [V2000.atom("C!")]).utf8)
        let place = try #require(bytes.firstIndex(of: UInt8(ascii: "!")))
        bytes[place] = 0xD8
        let reading = try #require(try readAll(bytes, as: .molfile).first?.reading)
        #expect(reading.atoms.map(\.element) == [.none])
        #expect(reading.molecule.labels.map(\.bytes) == [[0x43, 0xD8]])
    }

    @Test("a missing or extra header line is corrected with a warning")
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

    @Test("misaligned counts are read with a warning if the line contains the version")
    func freeCounts() throws {
        let reading = try read(book(replacing: 4, by: "2 1 0 0 0 V2000"))
        expectWhole(reading)
        #expect(reading.doubtfulLines == [4])
        let alone = try read(V2000.molfile(counts: "1 0 0 0 0 V2000"))
        #expect(alone.symbols == ["C"])
        #expect(alone.doubtfulLines == [4])
    }

    @Test(
        "only the first two counts are required",
        arguments: ["  2  1", "  2  1                            V2000", "  2  1  0", "  2  1  0     0"])
    func shortCounts(line: String) throws {
        let reading = try read(book(replacing: 4, by: line))
        expectWhole(reading)
        #expect(reading.doubtfulLines == [])
    }

    @Test(
        "the version may be at any position and in any case",
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

    @Test("the number of property lines is ignored", arguments: ["  0", "  1", "  9", "   ", "-99"])
    func propertyCount(count: String) throws {
        let reading = try read(book(replacing: 4, by: "  2  1  0  0  0  0  0  0  0  0\(count) V2000"))
        expectWhole(reading)
        #expect(reading.issues.isEmpty)
    }

    @Test("the obsolete fourth count is ignored")
    func obsoleteCount() throws {
        let reading = try read(book(replacing: 4, by: "  2  1  0  7  0  0  9  9  9  9999 V2000"))
        expectWhole(reading)
        #expect(reading.doubtfulLines == [])
    }

    @Test("the chiral flag is preserved")
    func chiralFlag() throws {
        #expect(try read(book(replacing: 4, by: V2000.counts(2, 1, chiral: 1))).molecule.flags == .chiral)
        #expect(try read(book).molecule.flags == [])
    }

    @Test("three dimensions are detected by heights or the header, and missing coordinates by zeros")
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

    @Test("additional or missing atoms are read as found, with a warning")
    func wrongAtomCount() throws {
        for count in [0, 1, 3, 9, 999] {
            let reading = try read(book(replacing: 4, by: V2000.counts(count, 1)))
            expectWhole(reading)
            #expect(!reading.doubtfulLines.isEmpty, "\(count) atoms announced")
        }
    }

    @Test("additional or missing bonds are read as found, with a warning")
    func wrongBondCount() throws {
        for count in [0, 2, 9, 999] {
            let reading = try read(book(replacing: 4, by: V2000.counts(2, count)))
            expectWhole(reading)
            #expect(!reading.doubtfulLines.isEmpty, "\(count) bonds announced")
        }
    }

    @Test("a thousand atoms are read completely or rejected, but never truncated")
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

    @Test("a missing M  END at the end of the file is reported")
    func missingEnd() throws {
        let reading = try read(String(book.dropLast("M  END\n".count)))
        expectWhole(reading)
        #expect(!reading.doubtfulLines.isEmpty)
    }

    @Test("M  END with wrong spaces is reported", arguments: ["M END", " M  END", "M   END", "m  end"])
    func misspelledEnd(end: String) throws {
        let reading = try read(book(replacing: 9, by: end))
        expectWhole(reading)
        #expect(reading.toldLines == [9])
    }

    @Test("M  END may have trailing spaces")
    func endWithBlanks() throws {
        let reading = try read(book(replacing: 9, by: "M  END   "))
        expectWhole(reading)
        #expect(reading.doubtfulLines == [])
    }

    // Atom lines.

    @Test("coordinates shifted by one column are read with a warning")
    func shiftedCoordinates() throws {
        let right = try read(book(replacing: 5, by: " " + V2000.atom("C", at: "    1.5000    0.0000    0.0000")))
        expectWhole(right)
        #expect(right.doubtfulLines == [5])
        let left = try read(
            book(replacing: 5, by: String(V2000.atom("C", at: "    1.5000    0.0000    0.0000").dropFirst())))
        expectWhole(left)
        #expect(left.doubtfulLines == [5])
    }

    @Test("a line shifted by one column preserves its codes", arguments: [" ", ""])
    func shiftedCodes(margin: String) throws {
        let line = V2000.atom("N", at: "    1.5000    0.0000    0.0000", charge: 5, map: 12)
        let shifted = margin.isEmpty ? String(line.dropFirst()) : margin + line
        let reading = try read(V2000.molfile(atoms: [shifted]))
        #expect(reading.symbols == ["N"])
        #expect(reading.atoms[0].charge == -1)
        #expect(reading.atoms[0].mapNumber == 12)
        #expect(reading.doubtfulLines == [5])
    }

    @Test("tabs or single spaces may separate the fields, with a warning")
    func freeAtomLine() throws {
        for text in ["1.5\t0\t0\tC\t0\t0", "1.5 0.0 0.0 C 0 0 0 0", "1.5000 0.0000 0.0000 C"] {
            let reading = try read(book(replacing: 5, by: text))
            expectWhole(reading)
            #expect(reading.doubtfulLines == [5])
        }
    }

    @Test("fields separated by spaces have their codes in the same order")
    func freeAtomCodes() throws {
        let reading = try read(V2000.molfile(atoms: ["1.5 0.0 0.0 N 1 5 0 0 0 4 0 0 0 17 0 0"]))
        #expect(reading.atoms[0].isotope == 15)
        #expect(reading.atoms[0].charge == -1)
        #expect(reading.notes(0) == [.valence(4)])
        #expect(reading.atoms[0].mapNumber == 17)
    }

    @Test("a decimal comma is read as a point, with a warning")
    func decimalComma() throws {
        let reading = try read(book(replacing: 5, by: V2000.atom("C", at: "    1,5000    0,0000    0,0000")))
        expectWhole(reading)
        #expect(reading.doubtfulLines == [5])
    }

    @Test(
        "a value that is not a finite number is read as 0, with a warning",
        arguments: ["       NaN", "       nan", "       Inf", "      -inf", "    1e9999"])
    func notFinite(x: String) throws {
        let reading = try read(V2000.molfile(atoms: [V2000.atom("N", at: x + "    2.0000    3.0000", charge: 3)]))
        #expect(reading.atoms[0].position == Position(0, 2, 3))
        #expect(reading.atoms[0].charge == 1)
        #expect(reading.doubtfulLines == [5])
    }

    // Bond lines.

    @Test("misaligned bond fields are read with a warning")
    func freeBondLine() throws {
        for text in ["1 2 2 0", "1\t2\t2\t0", " 1 2 2", "1 2 2 0 0 0 0"] {
            let reading = try read(book(replacing: 7, by: text))
            expectWhole(reading)
            #expect(reading.doubtfulLines == [7], "\(text)")
        }
    }

    // Property lines.

    @Test("M  CHG in steps of three columns is read by its fields, with a warning")
    func narrowCharges() throws {
        let reading = try read(book(replacing: 8, by: "M  CHG  2  1 -1  2  1"))
        #expect(reading.atoms.map(\.charge) == [-1, 1])
        #expect(reading.doubtfulLines == [8])
    }

    @Test("M  CHG with fewer entries than announced is read with a warning")
    func missingEntries() throws {
        let reading = try read(book(replacing: 8, by: "M  CHG  8   2   1"))
        expectWhole(reading)
        #expect(reading.doubtfulLines == [8])
        let half = try read(book(replacing: 8, by: "M  CHG  2   2   1   1"))
        expectWhole(half)
        #expect(half.doubtfulLines == [8])
    }

    @Test(
        "an entry of M  CHG for a missing atom is dropped with a warning",
        arguments: ["  77   5", "   0   5", "  -1   5", " 999  -1"])
    func strangeAtom(entry: String) throws {
        let reading = try read(book(replacing: 8, by: "M  CHG  2\(entry)   2   1"))
        expectWhole(reading)
        #expect(reading.doubtfulLines == [8])
    }

    @Test("lowercase property lines are read with a warning")
    func smallLetters() throws {
        let reading = try read(book(replacing: 8, by: "m  chg  1   2   1"))
        expectWhole(reading)
        #expect(reading.toldLines == [8])
    }

    @Test(
        "an invalid charge has no effect and is reported",
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
        "an excessive charge is reported",
        arguments: ["M  CHG  1   2 9999999999", "M  CHG  1   2 99999"])
    func enormousCharge(line: String) throws {
        let outcome = try #require(readAll(book(replacing: 8, by: line), as: .molfile).first)
        #expect(outcome.error?.line == 8 || outcome.reading?.toldLines == [8])
    }

    @Test("a blank line before M  END is ignored")
    func blankLine() throws {
        for blank in ["", "   "] {
            let reading = try read(book(replacing: 9, by: blank, "M  END"))
            expectWhole(reading)
            #expect(reading.doubtfulLines == [])
        }
    }

    @Test("other text among the property lines is ignored with a warning")
    func strayText() throws {
        let reading = try read(book(replacing: 8, by: "This is prose.", "M  CHG  1   2   1"))
        expectWhole(reading)
        #expect(reading.doubtfulLines == [8])
    }

    // Hostile files.

    @Test("a molfile truncated at any byte is rejected or read with a warning")
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

    @Test("a molfile with any damaged byte is read or rejected")
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

    @Test("any line may be missing or repeated")
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

    @Test("empty input or an empty line is not a record")
    func nothing() throws {
        #expect(try readAll("", as: .molfile).count == 0)
        #expect(try readAll("\n", as: .molfile).allSatisfy { $0.reading == nil })
    }
}
