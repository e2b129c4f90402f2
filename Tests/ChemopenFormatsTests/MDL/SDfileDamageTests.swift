import ChemopenBytes
import ChemopenFormats
import ChemopenModel
import Testing

@Suite("Damaged SD file")
struct SDfileDamageTests {
    private func record(_ title: String = "one", _ data: String...) -> String {
        V2000.molfile(title: title) + data.map { $0 + "\n" }.joined()
    }

    /// Reads a damaged text between two valid records.
    private func surrounded(_ damaged: String) throws -> [Outcome] {
        try readAll(record("first", "> <x>", "1", "", "$$$$") + damaged + record("last", "> <x>", "2", "", "$$$$"))
    }

    private static let broken = [
        "broken\n$$$$\n",
        "broken\n\n\nno counts line\n$$$$\n",
        "broken\n\n\n  1  0  0  0  0  0            999 V2000\n$$$$\n",
        "broken\n\n\n  1  0  0  0  0  0            999 V2000\n    0.0000  x 0.0000    0.0000 C   0  0\nM  END\n$$$$\n",
        "broken\n\n\n  2  1  0  0  0  0            999 V2000\n    0.0000    0.0000    0.0000 C   0  0\n$$$$\n",
        V2000.molfile(atoms: ["    0.0000    0.0000    0.0000 C   0  x"]) + "> <x>\n1\n\n$$$$\n",
    ]

    @Test("a broken record does not affect other records", arguments: broken)
    func brokenRecord(damaged: String) throws {
        let outcomes = try surrounded(damaged)
        #expect(outcomes.count == 3)
        #expect(outcomes.first?.title == "first")
        #expect(outcomes.last?.title == "last")
        #expect(outcomes.last?.reading?.record.fields["x"]?.value == "2")
        #expect(outcomes[1].error != nil || outcomes[1].reading?.doubtfulLines != [])
        #expect(outcomes.last?.reading?.place.record == 3)
        #expect(
            outcomes.last?.reading?.place.line == 11
                + damaged.split(separator: "\n", omittingEmptySubsequences: false).count - 1)
    }

    @Test("an error has the record, the line and the columns")
    func errorPlace() throws {
        let outcomes = try surrounded(Self.broken[3])
        let error = try #require(outcomes[1].error)
        #expect(error.record == 2)
        #expect(error.line == 15)
        #expect(error.columns == 11..<21)
        #expect(error.found == "  x 0.0000")
        #expect(error.offset == record("first", "> <x>", "1", "", "$$$$").utf8.count)
    }

    @Test("every message has the line number in the file")
    func issueLines() throws {
        let doubtful = V2000.molfile(
            title: "doubtful", atoms: [V2000.atom("cl")], properties: ["M  CHG  1   9   1", "prose"])
        let outcomes = try surrounded(doubtful + "$$$$\n")
        #expect(outcomes[1].reading?.toldLines == [15, 16, 17])
    }

    @Test(
        "two consecutive separators enclose no record, and are reported",
        arguments: ["$$$$\n", "\n$$$$\n", "\n\n\n$$$$\n"])
    func emptyRecord(empty: String) throws {
        let outcomes = try surrounded(empty)
        #expect(outcomes.map(\.title) == ["first", "last"])
        #expect(outcomes[1].reading?.toldLines.isEmpty == false)
        #expect(outcomes[1].reading?.record.fields["x"]?.value == "2")
        #expect(outcomes[1].reading?.place.record == 2)
    }

    @Test("empty lines after a separator do not affect the next record", arguments: [1, 2, 3])
    func emptyLinesBefore(count: Int) throws {
        let outcomes = try readAll(
            record("first", "$$$$") + String(repeating: "\n", count: count) + record("last", "> <x>", "2", "", "$$$$"))
        #expect(outcomes.count == 2)
        #expect(outcomes[1].title == "last")
        #expect(outcomes[1].reading?.atoms.count == 1)
        #expect(outcomes[1].reading?.record.fields["x"]?.value == "2")
        #expect(outcomes[1].reading?.doubtfulLines.isEmpty == false)
    }

    @Test("a missing M  END before the data is reported")
    func missingEnd() throws {
        let text = V2000.molfile(title: "a", properties: ["M  CHG  1   1   1"], end: "") + "> <x>\n1\n\n$$$$\n"
        let outcomes = try surrounded(text)
        #expect(outcomes.map(\.title) == ["first", "a", "last"])
        #expect(outcomes[1].reading?.atoms.first?.charge == 1)
        #expect(outcomes[1].reading?.record.fields["x"]?.value == "1")
        #expect(outcomes[1].reading?.doubtfulLines.isEmpty == false)
    }

    @Test("a missing M  END before $$$$ is reported")
    func missingEndBeforeSeparator() throws {
        let outcomes = try surrounded(V2000.molfile(title: "a", end: "") + "$$$$\n")
        #expect(outcomes.map(\.title) == ["first", "a", "last"])
        #expect(outcomes[1].reading?.atoms.count == 1)
        #expect(outcomes[1].reading?.doubtfulLines.isEmpty == false)
    }

    @Test(
        "content after the last record is reported by its kind",
        arguments: [
            ("\n", "empty lines"), ("\r\n\n", "empty lines"), ("\u{1A}", "control characters"),
            ("\0\0", "control characters"),
        ])
    func padding(_ padding: String, _ words: String) throws {
        var reader = try SDfileReader(ByteSource(Array((record() + "$$$$\n" + padding).utf8)), ReadOptions())
        var record = Record()
        #expect(try reader.read(into: &record))
        #expect(try !reader.read(into: &record))
        #expect(reader.issues.map(\.message) == ["\(words) after the last record"])
    }

    @Test("a NUL in a value becomes a space, with a single message for each line")
    func lettersOfNothing() throws {
        let told = try read(record("one", "> <x>", "a\0\0", "b", "\0", "", ">", "\0", "", "$$$$"), as: .sdfile)
        #expect(told.record.fields.map(\.value) == ["a  \nb\n ", " "])
        let nul = "a NUL in the line; replaced by a blank"
        let lines = told.issues.filter { $0.message == nul }.map { $0.line - told.place.line }
        #expect(lines == [7, 9, 12])
    }

    @Test("text between M  END and the data is reported, and all fields are read")
    func textBehindEnd() throws {
        let outcomes = try surrounded(record("a", "some prose", "", "> <x>", "1", "", "$$$$"))
        #expect(outcomes.map(\.title) == ["first", "a", "last"])
        #expect(outcomes[1].reading?.record.fields["x"]?.value == "1")
        #expect(outcomes[1].reading?.doubtfulLines == [17])
    }

    @Test("text between two fields is reported, and all fields are read")
    func textBetweenFields() throws {
        let outcomes = try surrounded(record("a", "> <w>", "0", "", "lost line", "> <x>", "1", "", "$$$$"))
        #expect(outcomes[1].reading?.record.fields.map(\.value) == ["0", "1"])
        #expect(outcomes[1].reading?.doubtfulLines == [20])
    }

    @Test("a record without a molfile preserves its data, and is reported")
    func onlyData() throws {
        let outcomes = try surrounded("> <x>\n1\n\n> <y>\n2\n\n$$$$\n")
        #expect(outcomes.count == 3)
        #expect(outcomes[1].reading?.record.molecule == nil)
        #expect(outcomes[1].reading?.record.fields.map(\.value) == ["1", "2"])
        #expect(outcomes[1].reading?.doubtfulLines.isEmpty == false)
    }

    @Test("a truncated file has all records before the cut")
    func cutAnywhere() throws {
        let first = record("first", "> <x>", "1", "", "$$$$")
        let bytes = Array((first + record("last", "> <x>", "2", "", "$$$$")).utf8)
        for length in first.utf8.count..<bytes.count {
            let outcomes = try readAll(Array(bytes[..<length]))
            #expect(outcomes.first?.title == "first")
            #expect(outcomes.first?.reading?.record.fields["x"]?.value == "1")
            #expect(outcomes.count <= 2)
        }
    }

    @Test("a damaged byte affects only its own record, unless it joins two records")
    func damagedAnywhere() throws {
        let text = record("first", "> <x>", "1", "", "$$$$") + record("last", "> <x>", "2", "", "$$$$")
        let bytes = Array(text.utf8)
        for place in bytes.indices {
            for value in [0x00, 0x0A, 0x0D, 0x20, 0x24, 0x39, 0x3E, 0xFF] as [UInt8] {
                var damaged = bytes
                damaged[place] = value
                #expect(try (1...3).contains(readAll(damaged).count))
            }
        }
    }

    // Bytes.

    @Test("lines may end in LF, CR LF or CR", arguments: ["\n", "\r\n", "\r"])
    func lineEnds(end: String) throws {
        let text = (record("a", "> <x>", "1", "2", "", "$$$$") + record("b", "> <x>", " ", "", "$$$$")).split(
            separator: "\n", omittingEmptySubsequences: false)
        let outcomes = try readAll(text.joined(separator: end))
        #expect(outcomes.map(\.title) == ["a", "b"])
        #expect(outcomes.map { $0.reading?.record.fields["x"]?.value } == ["1\n2", " "])
        #expect(outcomes.allSatisfy { $0.reading?.doubtfulLines == [] })
    }

    @Test("a file may mix line ends between records and lines")
    func mixedLineEnds() throws {
        let lines = (record("a", "> <x>", "1", "2", "", "$$$$") + record("b", "> <x>", "3", "4", "", "$$$$")).split(
            separator: "\n", omittingEmptySubsequences: false
        ).dropLast()
        let ends = ["\r", "\r\n", "\n"]
        for shift in 0..<3 {
            for step in [1, 2, 4, 12] {
                var text = ""
                for (index, line) in lines.enumerated() { text += line + ends[(index / step + shift) % 3] }
                let outcomes = try readAll(text)
                #expect(outcomes.map(\.title) == ["a", "b"])
                #expect(outcomes.map { $0.reading?.record.fields["x"]?.value } == ["1\n2", "3\n4"])
            }
        }
    }

    @Test("a byte order mark is removed from the first title and preserved in any other")
    func byteOrderMark() throws {
        let outcomes = try readAll("\u{FEFF}" + record("a", "$$$$") + record("\u{FEFF}b", "$$$$"))
        #expect(outcomes.map(\.title) == ["a", "\u{FEFF}b"])
    }

    @Test("bytes of Windows-1252 survive a round trip")
    func windows1252() throws {
        var bytes = Array(record("title?", "> <µ?>", "50 ?M", "", "$$$$").utf8)
        for place in bytes.indices where bytes[place] == UInt8(ascii: "?") { bytes[place] = 0xB5 }
        let outcome = try #require(readAll(bytes).first?.reading)
        #expect(outcome.molecule.name.bytes.last == 0xB5)
        #expect(outcome.molecule.name.string == "titleµ")
        #expect(outcome.record.fields.first?.value.string == "50 µM")
        let written = try write([outcome.record], as: .sdfile)
        let lines = written.bytes.split(separator: 0x0A).map { Array($0) }
        #expect(lines[0] == Array("title".utf8) + [0xB5])
        #expect(lines.contains(Array("50 ".utf8) + [0xB5, 0x4D]))
        #expect(written.losses == [])
    }

    @Test("NUL inside a line is reported")
    func nul() throws {
        let outcomes = try surrounded(record("a", "> <x>", "b\0c", "", "$$$$"))
        #expect(outcomes.map(\.title) == ["first", "a", "last"])
        #expect(outcomes[1].reading?.toldLines == [18])
        #expect(outcomes[1].reading?.record.fields["x"]?.value == "b c")
    }

    // Blocks.

    /// Returns the content of a file as a reader sees it, with one line for each record.
    private func digest(_ outcomes: [Outcome]) -> [String] {
        outcomes.map { outcome in
            switch outcome {
            case .record(let reading):
                let fields = reading.record.fields.map { "\($0.name)=\($0.value)" }
                return "\(reading.place) \(reading.molecule.name) \(reading.atoms.count) \(fields) \(reading.issues)"
            case .refused(let error): return "\(error) \(error.offset)"
            }
        }
    }

    @Test("block sizes from 1 to 200 produce the same records, including line ends", arguments: ["\n", "\r\n", "\r"])
    func blockSizes(end: String) throws {
        let text =
            record("a", "> <x>", "1", "", "$$$$ text") + record("b", "> <x>", "$$$$", "", "$$$$") + "$$$$\n"
            + Self.broken[3]
            + record("c", "> <x>", "1", "$$$$") + record("d", "> <price>", "$$$$100", "", "$$$$") + "\n"
            + record("e", "> <x>", "1")
            + "$$$$\n\n"
        let ended = text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: end)
        let whole = digest(try readAll(ended))
        #expect(whole.count == 6)
        for blockSize in 1...200 {
            #expect(digest(try readAll(ended, inBlocksOf: blockSize)) == whole, "blocks of \(blockSize)")
        }
    }

    @Test("a record above the size limit is rejected, and the next record is read")
    func tooLarge() throws {
        let text =
            record("a", "$$$$") + record("b", "> <x>", String(repeating: "1", count: 5000), "", "$$$$")
            + record("c", "$$$$")
        var options = ReadOptions()
        options.largestRecord = 1000
        let makeReader = try #require(Format.sdfile.makeReader)
        var reader = try makeReader(try .init(inBlocksOf: 100, Array(text.utf8)), options)
        var titles: [String] = []
        while titles.count < 10 {
            var record = Record()
            do throws(ReadError) {
                guard try reader.read(into: &record) else { break }
                titles.append(record.molecule?.name.string ?? "-")
            } catch {
                titles.append(error.kind == .tooLarge ? "too large" : "?")
            }
        }
        #expect(titles == ["a", "too large", "c"])
    }
}
