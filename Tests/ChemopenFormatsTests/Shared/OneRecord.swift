import ChemopenBytes
import ChemopenFormats
import ChemopenModel
import Testing

/// A record that was read, with all that was told of it.
struct ReadRecord {
    var record: Record
    var issues: [ChemopenFormats.Issue]
    var place: RecordPlace

    /// The record's molecule; an empty one where there is none, which no test expects.
    var molecule: Molecule { record.molecule ?? Molecule() }

    var atoms: [Atom] { molecule.atoms }

    var bonds: [Bond] { molecule.bonds }

    var extras: Extras.Contents { molecule.extras.contents }

    /// The lines that something was told of, each once.
    var toldLines: [Int] { Array(Set(issues.map(\.line))).sorted() }

    /// The lines where something was doubtful, each once.
    var doubtfulLines: [Int] { Array(Set(issues.lazy.filter { $0.severity == .doubt }.map(\.line))).sorted() }

    var symbols: [String] { molecule.atoms.indices.map { molecule.symbol(ofAtom: $0).string } }

    func notes(_ atom: Int) -> [AtomNote] { Array(molecule.notes(onAtom: atom)) }
}

/// The outcome of one record of a file.
enum Outcome {
    case record(ReadRecord)
    case refused(ReadError)

    var reading: ReadRecord? {
        if case .record(let reading) = self { reading } else { nil }
    }

    var error: ReadError? {
        if case .refused(let error) = self { error } else { nil }
    }

    /// The record's title, or a question mark for a record that was refused.
    var title: String { reading?.molecule.name.string ?? "?" }
}

/// Reads all records of a file, those that are refused included.
///
/// With a block size, the bytes come in blocks of it, as from a pipe.
func readAll(
    _ bytes: [UInt8], as format: Format = .sdfile, inBlocksOf blockSize: Int? = nil
) throws -> [Outcome] {
    let source = try blockSize.map { try ByteSource(inBlocksOf: $0, bytes) } ?? ByteSource(bytes)
    let makeReader = try #require(format.makeReader)
    var reader = try makeReader(source, ReadOptions())
    var outcomes: [Outcome] = []
    while outcomes.count < 10_000 {
        var record = Record()
        do throws(ReadError) {
            guard try reader.read(into: &record) else { break }
            outcomes.append(.record(ReadRecord(record: record, issues: issues(of: reader), place: place(of: reader))))
        } catch {
            outcomes.append(.refused(error))
        }
    }
    return outcomes
}

func readAll(_ text: String, as format: Format = .sdfile, inBlocksOf blockSize: Int? = nil) throws -> [Outcome] {
    try readAll(Array(text.utf8), as: format, inBlocksOf: blockSize)
}

/// Reads the only record of a file, which must be one.
func read(_ text: String, as format: Format = .molfile) throws -> ReadRecord {
    let outcomes = try readAll(text, as: format)
    try #require(outcomes.count == 1)
    switch outcomes[0] {
    case .record(let reading): return reading
    case .refused(let error): throw error
    }
}

/// A reader whose type is unknown is lent to a function before it is asked.
private func issues(of reader: borrowing any RecordReader & ~Copyable) -> [ChemopenFormats.Issue] { reader.issues }
private func place(of reader: borrowing any RecordReader & ~Copyable) -> RecordPlace { reader.place }

/// A writer's output for records.
struct WrittenText {
    var bytes: [UInt8]
    var reports: [WriteReport]

    var text: String { Text(bytes: bytes).string }

    var lines: [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    var losses: [Loss] { reports.flatMap(\.losses) }
}

/// Writes records into memory.
func write(_ records: [Record], as format: Format, _ options: WriteOptions = WriteOptions()) throws -> WrittenText {
    let makeWriter = try #require(format.makeWriter)
    var writer = try makeWriter(ByteSink(), options)
    try writer.begin(SheetHeader())
    var reports: [WriteReport] = []
    for record in records { reports.append(try writer.write(record)) }
    try writer.finish()
    return WrittenText(bytes: writer.takeBytes(), reports: reports)
}

/// Writes a molecule as a molfile, or as another format.
func write(_ molecule: Molecule, as format: Format = .molfile, _ options: WriteOptions = WriteOptions()) throws
    -> WrittenText
{
    try write([Record(molecule)], as: format, options)
}

/// Reads a molfile and writes it again.
func rewrite(_ text: String, as format: Format = .molfile, _ options: WriteOptions = WriteOptions()) throws
    -> WrittenText
{
    let records = try readAll(text, as: format).map { outcome in
        if let error = outcome.error { throw error }
        return try #require(outcome.reading).record
    }
    return try write(records, as: format, options)
}

extension WriteOptions {
    static func version(_ version: Version) -> WriteOptions {
        var options = WriteOptions()
        options.version = version
        return options
    }
}

/// Text of lines, each with its end.
func lines(_ lines: String...) -> String {
    lines.map { $0 + "\n" }.joined()
}
