import ChemopenBytes
import ChemopenFormats
import ChemopenModel
import Testing

/// A test format. A line such as `=2` starts a record of that many lines, of which the first is the name of a
/// molecule. Blank lines separate records.
private struct NoteFrame: LineRecordParser {
    static var recordsInFile: RecordsInFile { .several }
    private var issues: [ChemopenFormats.Issue] = []
    private var linesLeft: Int?
    private var isLost = false

    init(_ options: ReadOptions) {}

    mutating func takeIssues() -> [ChemopenFormats.Issue] { exchange(&issues, with: []) }

    mutating func beginRecord() {
        linesLeft = nil
        isLost = false
    }

    mutating func place(_ line: Range<Int>, of bytes: Span<UInt8>) -> LinePlace {
        if let left = linesLeft {
            linesLeft = left - 1
            return left == 1 ? .last : .inside
        }
        let isHead = line.count == 2 && bytes[line.lowerBound] == UInt8(ascii: "=")
        if isLost { return isHead ? .following : .inside }
        if line.isEmpty { return .between }
        isLost = !isHead
        linesLeft = isHead ? Int(bytes[line.lowerBound + 1] - 0x30) : nil
        return .inside
    }

    mutating func read(
        _ lines: inout LineCursor, of buffer: [UInt8], into record: inout Record, at place: RecordPlace
    ) throws(Fault) {
        guard let head = lines.next(in: buffer.span), buffer[head].first == UInt8(ascii: "=") else {
            throw Fault(line: 0, expected: "a line that begins with =")
        }
        var molecule = Molecule()
        if let name = lines.next(in: buffer.span) { molecule.name = Text(bytes: buffer[name]) }
        while let line = lines.next(in: buffer.span) {
            issues.append(
                ChemopenFormats.Issue(line: place.line + lines.line - 1, "more", found: Text(bytes: buffer[line])))
        }
        record.subject = .molecule(molecule)
    }
}

/// The output of the test format.
private struct NoteSpelling: LineRecordFormatter {
    static var refusalOfSecond: String? { nil }

    init(_ options: WriteOptions) {}

    func write(_ record: borrowing Record, to bytes: inout [UInt8]) throws(WriteError) -> WriteReport {
        bytes += "=1\n\(record.molecule?.name.string ?? "")\n".utf8
        return WriteReport()
    }
}

@Suite("Line-based format built from a frame and a spelling")
struct FrameTests {
    private let text = "\u{FEFF}=2\na\nb\n\n\n=1\nc\nx\ny\n=1\nd\n\n=1\ne"

    @Test(
        "is read record by record for any block size, with the correct lines",
        arguments: ["\n", "\r\n", "\r"])
    func blocks(lineEnd: String) throws {
        let text = text.lines(endingIn: lineEnd)
        let whole = try Reading.all(text, by: LineRecordReader<NoteFrame>.self)
        #expect(whole.records.map { $0.molecule?.name } == ["a", "c", "d", "e"])
        #expect(whole.errors.map(\.line) == [8])
        #expect(whole.errors.map(\.message) == ["expected a line that begins with =, found \"x\""])
        #expect(whole.issues.map(\.line) == [3])
        #expect(whole.places.map(\.line) == [1, 6, 8, 10, 13])
        #expect(whole.places.map(\.record) == [1, 2, 3, 4, 5])
        for size in 1...text.count {
            #expect(try Reading.all(text, by: LineRecordReader<NoteFrame>.self, inBlocksOf: size) == whole)
        }
    }

    @Test("returns every byte as part of a record or between two records", arguments: ["\n", "\r\n", "\r"])
    func bytes(lineEnd: String) throws {
        for end in ["", "\n", "\n\n\n", "\n=1"] {
            let text = (text + end).lines(endingIn: lineEnd)
            var reader = try LineRecordReader<NoteFrame>(try ByteSource(text), ReadOptions())
            var copy: [UInt8] = []
            var record = Record()
            var isRecord = true
            while isRecord {
                isRecord = (try? reader.read(into: &record)) ?? true
                reader.copyBytesBetweenRecords(to: &copy)
                if isRecord { reader.copyRecordBytes(to: &copy) }
            }
            #expect(copy == text)
        }
    }

    @Test("skips a record that is too large, and reads the next")
    func tooLarge() throws {
        var options = ReadOptions()
        options.largestRecord = 64
        let text = Array("=1\na\n=3\n\(String(repeating: "b", count: 500))\nc\nd\n=1\ne\n".utf8)
        for size in [1, 7, 16, 64] {
            let reading = try Reading.all(text, by: LineRecordReader<NoteFrame>.self, inBlocksOf: size, options)
            #expect(reading.records.map { $0.molecule?.name } == ["a", "e"])
            #expect(reading.errors.map(\.kind) == [.tooLarge])
            #expect(reading.places.map(\.line) == [1, 3, 7])
        }
    }

    @Test("is written with the requested line ends, and closes a copied line without an end")
    func written() throws {
        var options = WriteOptions()
        options.carriageReturns = true
        var writer = try LineRecordWriter<NoteSpelling>(ByteSink(), options)
        _ = try writer.write(Record(Molecule()))
        try writer.copy(Array("=1\nb".utf8), beginsFile: false)
        _ = try writer.write(Record(Molecule()))
        try writer.copy(Array("=1\nc".utf8), beginsFile: false)
        try writer.copy(rest: Array("\n".utf8))
        try writer.finish()
        #expect(String(decoding: writer.takeBytes(), as: UTF8.self) == "=1\r\n\r\n=1\nb\r\n=1\r\n\r\n=1\nc\r\n\n")
    }

    @Test("does not count a rejected record in a single-record file")
    func refused() throws {
        var writer = try MolfileRecordWriter(ByteSink(), WriteOptions())
        #expect(throws: WriteError.self) { try writer.write(Record(Reaction(Reaction.Step()))) }
        _ = try writer.write(Record(Molecule()))
        #expect(throws: WriteError.self) { try writer.write(Record(Molecule())) }
        #expect(String(decoding: writer.takeBytes(), as: UTF8.self).hasSuffix("M  END\n"))
    }

    @Test("reports a change only once if V2000 is tried first and V3000 is written")
    func takenBack() throws {
        var molecule = Molecule()
        molecule.name = "a\u{1}b"
        molecule.atoms = [Atom(.carbon, at: Position(1.23456, 0, 0))]
        let writing = try Writing.all([Record(molecule)], by: MolfileRecordWriter.self)
        #expect(writing.reports.map(\.version) == ["V3000"])
        #expect(writing.losses == [Loss(.names, "control characters")])
    }
}
