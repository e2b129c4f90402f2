// The function names follow chemopen.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CChemopen
import Chemopen

/// A file that is being written.
final class WriterHandle: Handle {
    private var output: FormatOutput?
    private var format: Format?
    private var isInMemory = false
    private var isFinished = false
    private var written = 0
    /// Records that wait because the format requires all columns before the first row.
    private var waiting: [Record] = []
    private var losses = LentLosses()
    private var bytes = LentText()

    /// Starts to write a file, or to memory if there is no path.
    func begin(_ format: Format, into path: LocalPath?, _ given: chemopen_write_options) -> chemopen_status {
        guard let options = WriteOptions(version: given.version, carriageReturns: given.carriage_returns) else {
            return misuse("unknown version: \(given.version)")
        }
        do throws(WriteError) {
            let sink: ByteSink
            do throws(FileError) {
                if let path {
                    sink = try ByteSink(path: path, replacing: given.replaces != 0)
                } else {
                    sink = ByteSink()
                }
            } catch {
                throw WriteError(error)
            }
            output = try FormatOutput(sink, format, options)
        } catch {
            return fail(CallError(error))
        }
        self.format = format
        isInMemory = path == nil
        return CHEMOPEN_OK
    }

    func write(_ record: Record) -> chemopen_status {
        let (status, found) = add(record)
        losses.set(found.losses.map { (written, $0) })
        return status
    }

    /// Writes a record and returns its losses.
    func add(_ record: Record) -> (status: chemopen_status, report: WriteReport) {
        let none = WriteReport()
        guard let format, !isFinished else { return (misuse("the output is not open"), none) }
        if written > 0, !format.supportedFeatures.contains(.severalRecords) {
            let fault = CallError(CHEMOPEN_UNSUPPORTED, "\(format.described) can contain only one record")
            return (fail(fault), none)
        }
        if case .molecule = record.subject, !format.supportedFeatures.contains(.molecules) {
            let fault = CallError(
                CHEMOPEN_UNSUPPORTED, "the record is a molecule, but \(format.described) can contain only reactions")
            return (fail(fault), none)
        }
        if format.needsColumns {
            waiting.append(record)
            written += 1
            return (CHEMOPEN_OK, none)
        }
        do throws(WriteError) {
            let report = try output?.write(record.expanded(for: format)) ?? none
            written += 1
            return (CHEMOPEN_OK, report)
        } catch {
            return (fail(CallError(error)), none)
        }
    }

    func copy(from reader: ReaderHandle) -> chemopen_status {
        losses.set([])
        guard let format, !isFinished else { return misuse("the output is not open") }
        guard let other = reader.format, let bytes = reader.recordBytes else {
            return misuse("the reader has not read a record yet")
        }
        guard other.id == format.id, !format.needsColumns else {
            return fail(
                CallError(
                    CHEMOPEN_UNSUPPORTED, "a record of \(other.described) cannot be copied to \(format.described)")
            )
        }
        if written > 0, !format.supportedFeatures.contains(.severalRecords) {
            return fail(CallError(CHEMOPEN_UNSUPPORTED, "\(format.described) can contain only one record"))
        }
        do throws(WriteError) {
            try output?.copy(bytes, beginsFile: reader.isAtStart)
            written += 1
        } catch {
            return fail(CallError(error))
        }
        return CHEMOPEN_OK
    }

    func finish() -> chemopen_status {
        losses.set([])
        guard let format, !isFinished else { return misuse("the output is not open") }
        isFinished = true
        do throws(WriteError) {
            if format.needsColumns { try writeTable(of: format) }
            try output?.finish()
            if isInMemory, let taken = output?.takeBytes() { bytes.set(taken.span) }
            output = nil
        } catch {
            output = nil
            return fail(CallError(error))
        }
        return CHEMOPEN_OK
    }

    private func writeTable(of format: Format) throws(WriteError) {
        var survey = ColumnTypeInference(for: format)
        for record in waiting { survey.take(record) }
        let header = survey.header
        try output?.begin(header)
        var lost: [(Int, Loss)] = []
        for (index, record) in waiting.enumerated() {
            for row in survey.rows(of: record, in: header) {
                lost += (try output?.write(row) ?? WriteReport()).losses.map { (index + 1, $0) }
            }
        }
        waiting = []
        losses.set(lost)
    }

    func lendLosses() -> (first: UnsafePointer<chemopen_loss>?, count: Int) { unsafe (losses.pointer, losses.count) }

    func lendBytes() -> chemopen_text? {
        guard isFinished, isInMemory, failure?.status != CHEMOPEN_OUTPUT else { return nil }
        return unsafe chemopen_text(bytes: bytes.pointer, length: bytes.count)
    }
}

/// A writer that writes the header before the first record.
private struct FormatOutput: ~Copyable {
    private var writer: any RecordWriter & ~Copyable
    private var hasBegun = false

    init(_ sink: consuming ByteSink, _ format: Format, _ options: WriteOptions) throws(WriteError) {
        writer = try format.makeWriter(sink, options)
    }

    mutating func begin(_ header: SheetHeader) throws(WriteError) {
        if hasBegun { return }
        hasBegun = true
        try writer.begin(header)
    }

    mutating func write(_ record: Record) throws(WriteError) -> WriteReport {
        try begin(SheetHeader())
        return try writer.write(record)
    }

    mutating func copy(_ bytes: [UInt8], beginsFile: Bool) throws(WriteError) {
        try begin(SheetHeader())
        try writer.copy(bytes, beginsFile: beginsFile)
    }

    mutating func finish() throws(WriteError) {
        try begin(SheetHeader())
        try writer.finish()
    }

    mutating func takeBytes() -> [UInt8] { writer.takeBytes() }
}

@c @implementation
public func chemopen_writer_open(
    _ writer: UnsafeMutablePointer<OpaquePointer?>?, _ path: UnsafePointer<CChar>?, _ format: UnsafePointer<CChar>?,
    _ options: UnsafePointer<chemopen_write_options>?
) -> chemopen_status {
    unsafe open(writer, WriterHandle()) { handle in
        guard let path = unsafe bytes(path).map({ LocalPath(bytes: $0) }) else {
            return handle.misuse("the path is null")
        }
        guard let options = unsafe given(options) else { return handle.misuse("the size of the options is not valid") }
        switch unsafe Format.target(format, path) {
        case .success(let format): return handle.begin(format, into: path, options)
        case .failure(let failure): return handle.fail(failure)
        }
    }
}

@c @implementation
public func chemopen_writer_open_memory(
    _ writer: UnsafeMutablePointer<OpaquePointer?>?, _ format: UnsafePointer<CChar>?,
    _ options: UnsafePointer<chemopen_write_options>?
) -> chemopen_status {
    unsafe open(writer, WriterHandle()) { handle in
        guard unsafe format != nil else { return handle.misuse("the format is null") }
        guard let options = unsafe given(options) else { return handle.misuse("the size of the options is not valid") }
        switch unsafe Format.target(format, nil) {
        case .success(let format): return handle.begin(format, into: nil, options)
        case .failure(let failure): return handle.fail(failure)
        }
    }
}

extension Format {
    /// Returns the output format for an ID or for the extension of a path.
    static func target(_ id: UnsafePointer<CChar>?, _ path: LocalPath?) -> Result<Format, CallError> {
        guard let named = unsafe named(id) else {
            return .failure(CallError(CHEMOPEN_UNSUPPORTED, unsafe "unknown format: \"\(string(id) ?? "")\""))
        }
        return target(named, path)
    }

    /// Returns the specified format, or the format for the extension of a path.
    static func target(_ named: Format?, _ path: LocalPath?) -> Result<Format, CallError> {
        if let named { return .success(named) }
        guard let format = path.flatMap(FormatRegistry.standard.format(ofName:)) else {
            let suffix = path.map(fileExtension) ?? ""
            return .failure(CallError(CHEMOPEN_UNSUPPORTED, "no format has the extension .\(suffix); specify a format"))
        }
        return .success(format)
    }
}

@c @implementation
public func chemopen_writer_write(_ writer: OpaquePointer?, _ record: OpaquePointer?) -> chemopen_status {
    unsafe with(writer, as: WriterHandle.self) { writer in
        unsafe with(record, as: RecordHandle.self) { writer.write($0.record) }
    }
}

@c @implementation
public func chemopen_writer_copy(_ writer: OpaquePointer?, _ reader: OpaquePointer?) -> chemopen_status {
    unsafe with(writer, as: WriterHandle.self) { writer in
        unsafe with(reader, as: ReaderHandle.self) { writer.copy(from: $0) }
    }
}

@c @implementation
public func chemopen_writer_losses(
    _ writer: OpaquePointer?, _ losses: UnsafeMutablePointer<UnsafePointer<chemopen_loss>?>?,
    _ count: UnsafeMutablePointer<Int>?
) -> chemopen_status {
    guard let losses = unsafe losses, let count = unsafe count else { return CHEMOPEN_MISUSE }
    unsafe (losses.pointee, count.pointee) = (nil, 0)
    return unsafe with(writer, as: WriterHandle.self) { writer in
        unsafe (losses.pointee, count.pointee) = unsafe writer.lendLosses()
        return CHEMOPEN_OK
    }
}

@c @implementation
public func chemopen_writer_finish(_ writer: OpaquePointer?) -> chemopen_status {
    unsafe with(writer, as: WriterHandle.self) { $0.finish() }
}

@c @implementation
public func chemopen_writer_bytes(
    _ writer: OpaquePointer?, _ text: UnsafeMutablePointer<chemopen_text>?
) -> chemopen_status {
    guard let text = unsafe text else { return CHEMOPEN_MISUSE }
    unsafe text.pointee = unsafe chemopen_text()
    return unsafe with(writer, as: WriterHandle.self) { writer in
        guard let lent = unsafe writer.lendBytes() else {
            return writer.misuse("there are no bytes before the writer is finished")
        }
        unsafe text.pointee = unsafe lent
        return CHEMOPEN_OK
    }
}

@c @implementation
public func chemopen_writer_error(
    _ writer: OpaquePointer?, _ error: UnsafeMutablePointer<chemopen_error>?
) -> chemopen_status {
    unsafe with(writer, as: WriterHandle.self) { unsafe $0.lendFailure(to: error) }
}

@c @implementation
public func chemopen_writer_close(_ writer: UnsafeMutablePointer<OpaquePointer?>?) -> chemopen_status {
    unsafe close(writer, WriterHandle.self)
}
