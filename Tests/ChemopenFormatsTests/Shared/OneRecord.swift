import ChemopenBytes
import ChemopenFormats
import ChemopenModel
import Testing

/// A record with its messages.
struct ReadRecord {
    var record: Record
    var issues: [ChemopenFormats.Issue]
    var place: RecordPlace

    /// The molecule of the record, or an empty molecule, which no test expects.
    var molecule: Molecule { record.molecule ?? Molecule() }

    var atoms: [Atom] { molecule.atoms }

    var bonds: [Bond] { molecule.bonds }

    var extras: Extras.Contents { molecule.extras.contents }

    /// The lines with messages, without duplicates.
    var toldLines: [Int] { Array(Set(issues.map(\.line))).sorted() }

    /// The lines with warnings, without duplicates.
    var doubtfulLines: [Int] { Array(Set(issues.lazy.filter { $0.severity == .doubt }.map(\.line))).sorted() }

    var symbols: [String] { molecule.atoms.indices.map { molecule.symbol(ofAtom: $0).string } }

    func notes(_ atom: Int) -> [AtomNote] { Array(molecule.notes(onAtom: atom)) }
}

/// The result for one record of a file.
enum Outcome {
    case record(ReadRecord)
    case refused(ReadError)

    var reading: ReadRecord? {
        if case .record(let reading) = self { reading } else { nil }
    }

    var error: ReadError? {
        if case .refused(let error) = self { error } else { nil }
    }

    /// The title of the record, or a question mark for a rejected record.
    var title: String { reading?.molecule.name.string ?? "?" }
}

/// Reads all records of a file, including rejected ones.
///
/// If there is a block size, the bytes are read in such blocks, like from a pipe.
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

/// Reads a file that must contain exactly one record.
func read(_ text: String, as format: Format = .molfile) throws -> ReadRecord {
    let outcomes = try readAll(text, as: format)
    try #require(outcomes.count == 1)
    switch outcomes[0] {
    case .record(let reading): return reading
    case .refused(let error): throw error
    }
}

/// Returns the issues. A noncopyable reader of unknown type can be borrowed only by a function.
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
    var writer = try format.makeWriter(ByteSink(), options)
    try writer.begin(SheetHeader())
    var reports: [WriteReport] = []
    for record in records { reports.append(try writer.write(record)) }
    try writer.finish()
    return WrittenText(bytes: writer.takeBytes(), reports: reports)
}

/// Writes a molecule as a molfile, or in another format.
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

/// Joins lines, each with a line end.
func lines(_ lines: String...) -> String {
    lines.map { $0 + "\n" }.joined()
}
