import Chemopen
import Glibc

/// The promises of a reader and its writer for every input, however broken.
public struct Promises: Sendable {
    /// `nil` where the content has to tell.
    let format: Format?
    let comparison: Comparison
    /// The file is written again as it stands, and not record by record.
    let isWhole: Bool

    /// Of which records the writings are compared. All are written and read again in any case, and all files are cut.
    public enum Comparison: String, Sendable {
        case all
        /// Those that were read without a doubt.
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
            // What one version writes like another is tried once.
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

    /// Reads an input and writes its records in other formats, too: what is written is read without a complaint, and
    /// written again it is the same. Tells of each promise that is not kept.
    ///
    /// - Returns: how many records were written.
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
                // A table has the columns of the fields, where it has none from the file.
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

/// Everything that comes out of a stream.
private struct Reading {
    var records: [(record: Record, isSound: Bool)] = []
    var broken: [ReadError] = []
    var header = SheetHeader()

    /// Reads to the end; `limit` is the size of the input, which no number of records can exceed.
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
                fail("more records than bytes: the reader does not move on")
            }
        }
        header = stream.header
    }
}

/// A file cut where its format says that a record ends holds the same records in two pieces.
private func tryCut(_ input: [UInt8], at cut: Int?, as format: Format, _ whole: Reading) {
    // Nobody cuts what is compressed: its bytes are not those of records.
    guard let cut, !input.starts(with: [0x1F, 0x8B]) else { return }
    if !(0...input.count).contains(cut) { fail("the last record ends outside of the file, at \(cut)") }
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
                + "whole: \(whole.records.count) and \(whole.broken.count)")
    }
}

/// A file that is written again as it stands, in each format of its family, opens again, and written once more it is the same
/// to the byte.
private func tryRewriting(_ input: [UInt8]) {
    for format in FormatRegistry.standard.all {
        guard let rewrite = format.rewrite, let first = rewrite(input) else { continue }
        for loss in first.losses { touch(loss.detail.string) }
        do throws(ReadError) {
            _ = Reading(of: try stream(of: first.bytes, as: format), limit: first.bytes.count)
        } catch {
            fail("what was written as \(format.id) does not open: \(error)", [first.bytes])
        }
        guard let second = rewrite(first.bytes) else {
            fail("what was written as \(format.id) is not written again", [first.bytes])
        }
        if second.bytes != first.bytes {
            fail("written twice as \(format.id), not the same", [first.bytes, second.bytes])
        }
    }
}

/// Whatever can be worked out of a record can be worked out of this one.
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

/// A promise about writing that was not kept, and the texts that show it.
public struct BrokenPromise {
    public let message: String
    public let texts: [[UInt8]]
    /// Both writings can be read, and differ.
    public let isComparison: Bool

    init(_ message: String, _ texts: [UInt8]..., isComparison: Bool = false) {
        self.message = message
        self.texts = texts
        self.isComparison = isComparison
    }
}

/// A written record is read without a complaint, and written again it is the same to the byte.
private func tryReading(_ first: [UInt8], as format: Format, _ version: WriteOptions.Version) -> BrokenPromise? {
    let again: Reading
    do throws(ReadError) {
        again = Reading(of: try stream(of: first, as: format), limit: first.count)
    } catch {
        return BrokenPromise("what was written does not open: \(error)", first)
    }
    if let error = again.broken.first { return BrokenPromise("what was written is not read: \(error)", first) }
    guard again.records.count == 1 else { return BrokenPromise("1 record written, \(again.records.count) read", first) }
    guard let second = written(again.records[0].record, again.header, as: format, version) else {
        return BrokenPromise("what was read from our own is not written", first)
    }
    return first == second ? nil : BrokenPromise("written twice, not the same", first, second, isComparison: true)
}

/// `nil` where the format cannot hold the record.
private func written(
    _ record: Record, _ header: SheetHeader, as format: Format, _ version: WriteOptions.Version
) -> [UInt8]? {
    guard let makeWriter = format.makeWriter else { return nil }
    var options = WriteOptions()
    options.version = version
    do throws(WriteError) {
        var writer = try makeWriter(ByteSink(), options)
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

/// Ends the run so that libFuzzer keeps the input, and shows the texts that went wrong.
public func fail(_ message: String, _ texts: [[UInt8]] = []) -> Never {
    for text in texts { show(Array("-----\n".utf8) + text) }
    fatalError(message)
}

/// Writes past all buffers, which the end of the program would leave full.
private func show(_ text: [UInt8]) {
    unsafe text.withUnsafeBytes { _ = unsafe write(2, $0.baseAddress, $0.count) }
}

/// Keeps a result from being optimised away.
@inline(never)
private func touch<Value>(_ value: Value) {
    withExtendedLifetime(value) {}
}
