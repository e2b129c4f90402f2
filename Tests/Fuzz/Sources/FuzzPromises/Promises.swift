import Chemopen
import Glibc

/// Guarantees of a reader and its writer that must be met for every input, however broken.
public struct Promises: Sendable {
    /// The format to read, or `nil` to detect it from the content.
    let format: Format?
    let comparison: Comparison
    /// Whether complete files are rewritten, instead of single records.
    let isWhole: Bool

    /// The records whose outputs are compared. All records are written and read again in any case, and all files are
    /// cut.
    public enum Comparison: String, Sendable {
        case all
        /// Records that were read without a warning.
        case sound
        case none
    }

    public init(format: Format?, comparison: Comparison, isWhole: Bool = false) {
        self.format = format
        self.comparison = comparison
        self.isWhole = isWhole
    }

    public func `try`(_ input: [UInt8]) {
        guard let stream = open(input) else { return }
        let format = stream.format
        let reading = Reading(of: stream, limit: input.count)
        if isWhole { return tryRewriting(input) }
        if let lastRecordEnd = format.lastRecordEnd {
            tryCut(input, at: lastRecordEnd(input.span), as: format, reading)
        }
        for (record, isSound) in reading.records {
            tryDerived(record)
            let isCompared = comparison == .all || (comparison == .sound && isSound)
            // If two versions produce the same output, it is tested once.
            var texts: [[UInt8]] = []
            for version in [WriteOptions.Version.asNeeded, .v2000, .v3000] {
                guard let text = written(record, reading.header, as: format, version), !texts.contains(text) else {
                    continue
                }
                let broken = tryReading(text, as: format, version)
                if isCompared, let broken { fail(broken.message, broken.texts) }
                texts.append(text)
            }
        }
    }

    /// Reads an input and writes its records in all formats. The output must be readable without a warning, and
    /// writing it again must produce the same output. Reports each violation.
    ///
    /// - Returns: The number of written records.
    public func tryWriters(
        _ input: [UInt8], _ writers: [(format: Format, version: WriteOptions.Version)], mostRecords: Int,
        _ tell: (BrokenPromise, Format) -> Void
    ) -> Int {
        guard let stream = open(input) else { return 0 }
        let source = stream.format
        let reading = Reading(of: stream, limit: input.count)
        var count = 0
        for (record, isSound) in reading.records.prefix(mostRecords) {
            tryDerived(record)
            for (format, version) in writers {
                count += 1
                // If the file has no columns, the table uses the fields of the records.
                var header = reading.header
                if format.id != source.id {
                    header = SheetHeader()
                    header.columns = record.fields.columns
                }
                guard let text = written(record, header, as: format, version),
                    let broken = tryReading(text, as: format, version)
                else { continue }
                if comparison == .all || comparison == .sound && isSound || !broken.isComparison {
                    tell(broken, format)
                }
            }
        }
        return count
    }

    private func open(_ input: [UInt8]) -> RecordStream? {
        do throws(ReadError) {
            guard let format else { return try readUnknown(bytes: input) }
            return try stream(of: input, as: format)
        } catch {
            touch(error.description)
            return nil
        }
    }
}

/// The complete output of a stream.
private struct Reading {
    var records: [(record: Record, isSound: Bool)] = []
    var broken: [ReadError] = []
    var header = SheetHeader()

    /// Reads to the end. The number of records cannot exceed `limit`, the size of the input.
    init(of stream: consuming RecordStream, limit: Int) {
        var bytes: [UInt8] = []
        while true {
            do throws(ReadError) {
                guard let record = try stream.next() else { break }
                records.append((record, stream.issues.isEmpty))
            } catch {
                touch(error.description)
                broken.append(error)
                if case .file = error.kind { break }
            }
            for issue in stream.issues { touch(issue.message) }
            stream.copyRecordBytes(to: &bytes)
            if records.count + broken.count > limit + 1 {
                fail("more records than bytes: the reader does not advance")
            }
        }
        header = stream.header
    }
}

/// Cuts a file at a record boundary, and checks that the two parts contain the same records.
private func tryCut(_ input: [UInt8], at cut: Int?, as format: Format, _ whole: Reading) {
    // Compressed files are not cut, because their bytes are not the bytes of records.
    guard let cut, !input.starts(with: [0x1F, 0x8B]) else { return }
    if !(0...input.count).contains(cut) { fail("the last record ends outside the file, at \(cut)") }
    var sound = 0
    var refused = 0
    for piece in [input[..<cut], input[cut...]] {
        do throws(ReadError) {
            let reading = Reading(of: try stream(of: Array(piece), as: format), limit: input.count)
            sound += reading.records.count
            refused += reading.broken.count
        } catch {
            return
        }
    }
    if sound != whole.records.count || refused != whole.broken.count {
        fail(
            "cut at byte \(cut): \(sound) records and \(refused) broken, "
                + "uncut: \(whole.records.count) and \(whole.broken.count)")
    }
}

/// Rewrites a complete file in each format of its family. The output must be readable, and rewriting it must produce
/// the same bytes.
private func tryRewriting(_ input: [UInt8]) {
    for format in FormatRegistry.standard.all {
        guard let rewrite = format.rewrite, let first = rewrite(input) else { continue }
        for loss in first.losses { touch(loss.detail.string) }
        do throws(ReadError) {
            _ = Reading(of: try stream(of: first.bytes, as: format), limit: first.bytes.count)
        } catch {
            fail("the output as \(format.id) does not open: \(error)", [first.bytes])
        }
        guard let second = rewrite(first.bytes) else {
            fail("the output as \(format.id) cannot be written again", [first.bytes])
        }
        if second.bytes != first.bytes {
            fail("the first and second output as \(format.id) differ", [first.bytes, second.bytes])
        }
    }
}

/// Computes every derived property of a record. No computation may crash.
private func tryDerived(_ record: Record) {
    var molecules = record.reaction?.components.map(\.molecule) ?? []
    if let molecule = record.molecule { molecules.append(molecule) }
    for molecule in molecules {
        let composition = molecule.composition()
        touch(composition.formula.description)
        touch(Int(composition.mass.rounded(.down).bitPattern & 1))
        for index in molecule.atoms.indices { touch(molecule.symbol(ofAtom: index).string) }
    }
    for field in record.fields { touch(field.value.string) }
}

/// A violated guarantee about writing, and the texts that show it.
public struct BrokenPromise {
    public let message: String
    public let texts: [[UInt8]]
    /// Whether both outputs can be read but differ.
    public let isComparison: Bool

    init(_ message: String, _ texts: [UInt8]..., isComparison: Bool = false) {
        self.message = message
        self.texts = texts
        self.isComparison = isComparison
    }
}

/// Checks that a written record is read without a warning, and that writing it again produces the same bytes.
private func tryReading(_ first: [UInt8], as format: Format, _ version: WriteOptions.Version) -> BrokenPromise? {
    let again: Reading
    do throws(ReadError) {
        again = Reading(of: try stream(of: first, as: format), limit: first.count)
    } catch {
        return BrokenPromise("the output does not open: \(error)", first)
    }
    if let error = again.broken.first { return BrokenPromise("the output cannot be read: \(error)", first) }
    guard again.records.count == 1 else { return BrokenPromise("1 record written, \(again.records.count) read", first) }
    guard let second = written(again.records[0].record, again.header, as: format, version) else {
        return BrokenPromise("the record read from the output cannot be written", first)
    }
    return first == second ? nil : BrokenPromise("the two outputs differ", first, second, isComparison: true)
}

/// Returns the record in a format, or `nil` if the format cannot represent it.
private func written(
    _ record: Record, _ header: SheetHeader, as format: Format, _ version: WriteOptions.Version
) -> [UInt8]? {
    guard format.isWritable else { return nil }
    var options = WriteOptions()
    options.version = version
    do throws(WriteError) {
        var writer = try format.makeWriter(ByteSink(), options)
        try writer.begin(header)
        for loss in try writer.write(record).losses { touch(loss.detail.string) }
        try writer.finish()
        return writer.takeBytes()
    } catch {
        touch(error.description)
        return nil
    }
}

private func stream(of bytes: [UInt8], as format: Format) throws(ReadError) -> RecordStream {
    let source: ByteSource
    do throws(FileError) {
        source = try ByteSource(bytes)
    } catch {
        throw ReadError(.file(error), file: "memory", expected: "\(error)")
    }
    return try RecordStream.open(source, as: format)
}

/// Ends the run with a crash, so libFuzzer saves the input, and prints the texts of the violation.
public func fail(_ message: String, _ texts: [[UInt8]] = []) -> Never {
    for text in texts { show(Array("-----\n".utf8) + text) }
    fatalError(message)
}

/// Writes without a buffer, because the crash would discard buffered output.
private func show(_ text: [UInt8]) {
    unsafe text.withUnsafeBytes { _ = unsafe write(2, $0.baseAddress, $0.count) }
}

/// Prevents the optimizer from removing a result.
@inline(never)
private func touch<Value>(_ value: Value) {
    withExtendedLifetime(value) {}
}
