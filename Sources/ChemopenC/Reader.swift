// The function names follow chemopen.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CChemopen
import Chemopen

/// A file that is being read.
@safe
final class ReaderHandle: Handle {
    private var records: RecordRange?
    /// Whether there are no further records.
    private var isAtEnd = false
    private var hasRecord = false
    private var names = LentNames([])
    private var versions: [String: UnsafePointer<CChar>] = unsafe [:]
    private var lentBytes = LentText()
    private var lentText = LentText()
    private var lentIssues = unsafe LentMemory<chemopen_issue>()
    private var lentColumns = unsafe LentMemory<chemopen_column>()

    deinit {
        let names = unsafe Array(versions.keys)
        for name in names { unsafe versions[name]?.deallocate() }
    }

    /// Opens a source.
    func begin(
        _ options: UnsafePointer<chemopen_read_options>?, _ open: () throws(FileError) -> ByteSource
    ) -> chemopen_status {
        unsafe begin(options) { format, options throws(ReadError) in
            let source: ByteSource
            do throws(FileError) {
                source = try open()
            } catch {
                throw ReadError(error)
            }
            if let format {
                records = RecordRange(try .open(source, as: format, options))
            } else {
                records = RecordRange(try .open(source, options))
            }
        }
    }

    /// Opens a range of a file.
    func begin(
        _ path: LocalPath, _ wanted: Range<Int>, _ options: UnsafePointer<chemopen_read_options>?
    ) -> chemopen_status {
        unsafe begin(options) { format, options throws(ReadError) in
            records = try RecordRange(path: path, wanted, as: format, options)
        }
    }

    private func begin(
        _ given: UnsafePointer<chemopen_read_options>?, _ open: (Format?, ReadOptions) throws(ReadError) -> Void
    ) -> chemopen_status {
        guard let taken = unsafe ChemopenC.given(given) else { return misuse("the size of the options is not valid") }
        guard let format = unsafe Format.named(taken.format) else {
            return fail(CallError(CHEMOPEN_UNSUPPORTED, unsafe "unknown format: \"\(string(taken.format) ?? "")\""))
        }
        var options = ReadOptions()
        options.skipsStructures = unsafe taken.flags & UInt32(CHEMOPEN_SKIP_STRUCTURES) != 0
        let largest = unsafe taken.largest_record
        if largest > 0 { options.largestRecord = min(options.largestRecord, Int(clamping: largest)) }
        do throws(CallError) {
            options.encoding = unsafe try CharacterEncoding.given(taken.encoding)
        } catch {
            return fail(error)
        }
        do throws(ReadError) {
            try open(format, options)
        } catch {
            isAtEnd = true
            return fail(CallError(error))
        }
        return CHEMOPEN_OK
    }

    /// Whether the file has been opened successfully.
    private var isOpen: Bool { records != nil }

    func next(_ record: RecordHandle) -> chemopen_status {
        guard isOpen else { return misuse("the file could not be opened") }
        if isAtEnd { return CHEMOPEN_END }
        record.beginChange()
        do throws(ReadError) {
            if try read(into: &record.record) {
                hasRecord = true
                // Records share their names, because a file can have many columns and a record only a few fields.
                if record.record.fields.columns != names.columns { names = LentNames(record.record.fields.columns) }
                record.use(names)
                return CHEMOPEN_OK
            }
            isAtEnd = true
            record.empty()
            return CHEMOPEN_END
        } catch {
            record.empty()
            switch error.kind {
            case .broken, .tooLarge: hasRecord = true
            case .file, .unrecognized: isAtEnd = true
            }
            return fail(CallError(error))
        }
    }

    private func read(into record: inout Record) throws(ReadError) -> Bool {
        try records?.read(into: &record) ?? false
    }

    /// Returns a value of the record stream, or `nil` if there is no stream.
    private func ask<Answer>(_ question: (borrowing RecordStream) -> Answer) -> Answer? {
        Self.ask(records, question)
    }

    private static func ask<Answer>(
        _ range: borrowing RecordRange?, _ question: (borrowing RecordStream) -> Answer
    ) -> Answer? {
        switch range {
        case .some(let range): question(range.records)
        case .none: nil
        }
    }

    var format: Format? { ask { $0.format } }

    /// The bytes of the last record, whether or not it could be read. `nil` before the first record.
    var recordBytes: [UInt8]? {
        guard hasRecord else { return nil }
        return ask { records in
            var bytes: [UInt8] = []
            records.copyRecordBytes(to: &bytes)
            return bytes
        }
    }

    /// Whether the last record is at the start of the file.
    var isAtStart: Bool { ask { $0.place.offset == 0 } ?? false }

    func lendProgress() -> (done: Int, size: Int)? {
        ask { ($0.bytesRead, $0.size ?? 0) }
    }

    func lendPlace(to result: UnsafeMutablePointer<chemopen_place>?) -> chemopen_status {
        guard hasRecord, let place = ask({ $0.place }) else { return CHEMOPEN_ABSENT }
        if unsafe versions[place.version] == nil, unsafe versions.count < 16 {
            unsafe versions[place.version] = unsafe immortal(place.version)
        }
        var lent = unsafe chemopen_place()
        unsafe lent.record = Int64(place.record)
        unsafe lent.line = Int64(place.line)
        unsafe lent.offset = Int64(place.offset)
        unsafe lent.length = Int64(place.length)
        unsafe lent.version = unsafe versions[place.version]
        return unsafe fill(result, with: lent) ? CHEMOPEN_OK : CHEMOPEN_MISUSE
    }

    func lendBytes() -> chemopen_text? {
        guard let bytes = recordBytes else { return nil }
        lentBytes.set(bytes.span)
        return unsafe chemopen_text(bytes: lentBytes.pointer, length: bytes.count)
    }

    func lendIssues() -> (first: UnsafePointer<chemopen_issue>?, count: Int) {
        unsafe fill(&lentIssues, with: ask { $0.issues } ?? [], text: &lentText)
        return unsafe (lentIssues.pointer, lentIssues.count)
    }

    func lendColumns() -> (first: UnsafePointer<chemopen_column>?, count: Int) {
        let columns = ask { $0.header.columns } ?? []
        return unsafe lend(columns.map { ($0.name, $0.kind.name) }, text: &lentText, entries: &lentColumns)
    }
}

/// Lends the names and types of columns to the caller.
func lend(
    _ columns: [(name: Text, type: Text)], text: inout LentText, entries: inout LentMemory<chemopen_column>
) -> (first: UnsafePointer<chemopen_column>?, count: Int) {
    var bytes: [UInt8] = []
    for column in columns { bytes += column.name.bytes + column.type.bytes }
    text.set(bytes.span)
    unsafe entries.empty(for: columns.count)
    var start = 0
    for column in columns {
        var entry = unsafe chemopen_column()
        unsafe entry.name = unsafe chemopen_text(
            bytes: text.pointer.map { unsafe $0 + start }, length: column.name.bytes.count)
        start += column.name.bytes.count
        unsafe entry.type = unsafe chemopen_text(
            bytes: text.pointer.map { unsafe $0 + start }, length: column.type.bytes.count)
        start += column.type.bytes.count
        unsafe entries.append(entry)
    }
    return unsafe (entries.pointer, columns.count)
}

// MARK: Opening

@c @implementation
public func chemopen_reader_open(
    _ reader: UnsafeMutablePointer<OpaquePointer?>?, _ path: UnsafePointer<CChar>?,
    _ options: UnsafePointer<chemopen_read_options>?
) -> chemopen_status {
    unsafe open(reader, ReaderHandle()) { handle in
        guard let path = unsafe bytes(path) else { return handle.misuse("the path is null") }
        return unsafe handle.begin(options) { () throws(FileError) in try ByteSource(path: LocalPath(bytes: path)) }
    }
}

@c @implementation
public func chemopen_reader_open_fd(
    _ reader: UnsafeMutablePointer<OpaquePointer?>?, _ descriptor: CInt, _ name: UnsafePointer<CChar>?,
    _ options: UnsafePointer<chemopen_read_options>?
) -> chemopen_status {
    unsafe open(reader, ReaderHandle()) { handle in
        let name = unsafe LocalPath(bytes: bytes(name) ?? Array("descriptor \(descriptor)".utf8))
        return unsafe handle.begin(options) { () throws(FileError) in
            try ByteSource(descriptor: descriptor, name: name)
        }
    }
}

@c @implementation
public func chemopen_reader_open_memory(
    _ reader: UnsafeMutablePointer<OpaquePointer?>?, _ content: UnsafeRawPointer?, _ length: Int,
    _ name: UnsafePointer<CChar>?, _ options: UnsafePointer<chemopen_read_options>?
) -> chemopen_status {
    unsafe open(reader, ReaderHandle()) { handle in
        guard let content = unsafe bytes(content?.assumingMemoryBound(to: CChar.self), length) else {
            return handle.misuse("the bytes are null")
        }
        let name = unsafe LocalPath(bytes: bytes(name) ?? Array("memory".utf8))
        return unsafe handle.begin(options) { () throws(FileError) in try ByteSource(content, name: name) }
    }
}

@c @implementation
public func chemopen_reader_open_function(
    _ reader: UnsafeMutablePointer<OpaquePointer?>?, _ read: chemopen_read_function?,
    _ context: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?,
    _ options: UnsafePointer<chemopen_read_options>?
) -> chemopen_status {
    unsafe open(reader, ReaderHandle()) { handle in
        guard let read = unsafe read else { return handle.misuse("the function is null") }
        let name = unsafe LocalPath(bytes: bytes(name) ?? Array("function".utf8))
        let caller = unsafe CallersFunction(read: read, context: context)
        return unsafe handle.begin(options) { () throws(FileError) in
            try ByteSource(name: name) { (output: inout OutputSpan<UInt8>) throws(FileError) in
                guard caller.read(into: &output) else { throw FileError(name, .other(errno: 5)) }
            }
        }
    }
}

/// The caller's read function. It is called only on the caller's thread.
@safe
private struct CallersFunction: @unchecked Sendable {
    let read: chemopen_read_function
    let context: UnsafeMutableRawPointer?

    /// Reads bytes. Returns `false` if the function reports an error.
    func read(into output: inout OutputSpan<UInt8>) -> Bool {
        unsafe output.withUnsafeMutableBufferPointer { buffer, count in
            guard let start = buffer.baseAddress, count < buffer.count else { return true }
            let room = buffer.count - count
            let taken = unsafe read(context, start + count, room)
            guard (0...room).contains(taken) else { return false }
            count += taken
            return true
        }
    }
}

@c @implementation
public func chemopen_reader_open_range(
    _ reader: UnsafeMutablePointer<OpaquePointer?>?, _ path: UnsafePointer<CChar>?, _ from: UInt64, _ to: UInt64,
    _ options: UnsafePointer<chemopen_read_options>?
) -> chemopen_status {
    unsafe open(reader, ReaderHandle()) { handle in
        guard let path = unsafe bytes(path) else { return handle.misuse("the path is null") }
        guard from <= to else { return handle.misuse("the end of the range is less than its start") }
        return unsafe handle.begin(LocalPath(bytes: path), Int(clamping: from)..<Int(clamping: to), options)
    }
}

@c @implementation
public func chemopen_partitions(
    _ path: UnsafePointer<CChar>?, _ wanted: Int, _ ends: UnsafeMutablePointer<UInt64>?,
    _ count: UnsafeMutablePointer<Int>?
) -> chemopen_status {
    guard let path = unsafe bytes(path), let ends = unsafe ends, let count = unsafe count, wanted > 0 else {
        return CHEMOPEN_MISUSE
    }
    unsafe count.pointee = 0
    do throws(ReadError) {
        let found = try RecordRange.ends(of: LocalPath(bytes: path), pieces: wanted)
        for (index, end) in found.enumerated() { unsafe ends[index] = end == .max ? .max : UInt64(clamping: end) }
        unsafe count.pointee = found.count
        return CHEMOPEN_OK
    } catch {
        return CallError(error).status
    }
}

// MARK: Records one after the other

@c @implementation
public func chemopen_reader_next(_ reader: OpaquePointer?, _ record: OpaquePointer?) -> chemopen_status {
    unsafe with(reader, as: ReaderHandle.self) { reader in
        unsafe with(record, as: RecordHandle.self) { reader.next($0) }
    }
}

@c @implementation
public func chemopen_reader_error(
    _ reader: OpaquePointer?, _ error: UnsafeMutablePointer<chemopen_error>?
) -> chemopen_status {
    unsafe with(reader, as: ReaderHandle.self) { unsafe $0.lendFailure(to: error) }
}

@c @implementation
public func chemopen_reader_format(
    _ reader: OpaquePointer?, _ format: UnsafeMutablePointer<UnsafePointer<chemopen_format>?>?
) -> chemopen_status {
    guard let format = unsafe format else { return CHEMOPEN_MISUSE }
    unsafe format.pointee = nil
    return unsafe with(reader, as: ReaderHandle.self) { reader in
        guard let found = reader.format else { return CHEMOPEN_MISUSE }
        unsafe format.pointee = unsafe FormatTable.entry(of: found)
        return CHEMOPEN_OK
    }
}

@c @implementation
public func chemopen_reader_progress(
    _ reader: OpaquePointer?, _ done: UnsafeMutablePointer<UInt64>?, _ size: UnsafeMutablePointer<UInt64>?
) -> chemopen_status {
    guard let done = unsafe done, let size = unsafe size else { return CHEMOPEN_MISUSE }
    unsafe (done.pointee, size.pointee) = (0, 0)
    return unsafe with(reader, as: ReaderHandle.self) { reader in
        guard let progress = reader.lendProgress() else { return CHEMOPEN_MISUSE }
        unsafe (done.pointee, size.pointee) = (UInt64(clamping: progress.done), UInt64(clamping: progress.size))
        return CHEMOPEN_OK
    }
}

@c @implementation
public func chemopen_reader_place(
    _ reader: OpaquePointer?, _ place: UnsafeMutablePointer<chemopen_place>?
) -> chemopen_status {
    guard unsafe place != nil else { return CHEMOPEN_MISUSE }
    return unsafe with(reader, as: ReaderHandle.self) { unsafe $0.lendPlace(to: place) }
}

@c @implementation
public func chemopen_reader_bytes(
    _ reader: OpaquePointer?, _ text: UnsafeMutablePointer<chemopen_text>?
) -> chemopen_status {
    guard let text = unsafe text else { return CHEMOPEN_MISUSE }
    unsafe text.pointee = unsafe chemopen_text()
    return unsafe with(reader, as: ReaderHandle.self) { reader in
        guard let lent = unsafe reader.lendBytes() else { return CHEMOPEN_ABSENT }
        unsafe text.pointee = unsafe lent
        return CHEMOPEN_OK
    }
}

@c @implementation
public func chemopen_reader_issues(
    _ reader: OpaquePointer?, _ issues: UnsafeMutablePointer<UnsafePointer<chemopen_issue>?>?,
    _ count: UnsafeMutablePointer<Int>?
) -> chemopen_status {
    guard let issues = unsafe issues, let count = unsafe count else { return CHEMOPEN_MISUSE }
    unsafe (issues.pointee, count.pointee) = (nil, 0)
    return unsafe with(reader, as: ReaderHandle.self) { reader in
        unsafe (issues.pointee, count.pointee) = unsafe reader.lendIssues()
        return CHEMOPEN_OK
    }
}

@c @implementation
public func chemopen_reader_columns(
    _ reader: OpaquePointer?, _ columns: UnsafeMutablePointer<UnsafePointer<chemopen_column>?>?,
    _ count: UnsafeMutablePointer<Int>?
) -> chemopen_status {
    guard let columns = unsafe columns, let count = unsafe count else { return CHEMOPEN_MISUSE }
    unsafe (columns.pointee, count.pointee) = (nil, 0)
    return unsafe with(reader, as: ReaderHandle.self) { reader in
        unsafe (columns.pointee, count.pointee) = unsafe reader.lendColumns()
        return CHEMOPEN_OK
    }
}

@c @implementation
public func chemopen_reader_close(_ reader: UnsafeMutablePointer<OpaquePointer?>?) -> chemopen_status {
    unsafe close(reader, ReaderHandle.self)
}
