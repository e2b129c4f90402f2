import CChemopen
import Chemopen
import Glibc

/// Files seen as a table.
final class ScanHandle: Handle {
    private var plan: TablePlan?
    private var text = LentText()
    private var columns = LentMemory<chemopen_column>()

    func begin(_ paths: [LocalPath], _ options: chemopen_scan_options) -> chemopen_status {
        do throws(CallError) {
            plan = try Self.plan(paths, options)
            return CHEMOPEN_OK
        } catch {
            return fail(error)
        }
    }

    private static func plan(_ paths: [LocalPath], _ options: chemopen_scan_options) throws(CallError) -> TablePlan {
        var plan = TablePlan(paths: paths)
        guard let format = Format.named(options.format) else {
            throw CallError(CHEMOPEN_IMPOSSIBLE, "no format is called \"\(string(options.format) ?? "")\"")
        }
        plan.format = format
        plan.conditions = try FieldCondition.list(options.conditions, options.condition_count).get()
        if options.range_from > 0 || options.range_to > 0 {
            let end = options.range_to == 0 ? Int.max : Int(clamping: options.range_to)
            guard Int(clamping: options.range_from) <= end else {
                throw CallError(CHEMOPEN_MISUSE, "the range ends before it begins")
            }
            plan.range = Int(clamping: options.range_from)..<end
        }
        if options.batch_bytes > 0 {
            plan.batchBytes = min(TablePlan.mostBatchBytes, Int(clamping: options.batch_bytes))
        }
        var wish = TablePlan.Wish()
        if let structure = string(options.structure) {
            guard structure == "molblock" else {
                throw CallError(CHEMOPEN_MISUSE, "expected \"molblock\" for a structure, found \"\(structure)\"")
            }
            wish.hasStructures = true
        }
        if let names = options.columns {
            guard let list = texts(names, options.column_count) else {
                throw CallError(CHEMOPEN_MISUSE, "the name of a column is null")
            }
            wish.columns = list.map { Text(bytes: $0) }
            if let types = options.types {
                for type in UnsafeBufferPointer(start: types, count: options.column_count) {
                    wish.types.append(try kind(string(type)))
                }
            }
        }
        try plan.settle(wish)
        return plan
    }

    private static func texts(_ list: UnsafePointer<UnsafePointer<CChar>?>, _ count: Int) -> [[UInt8]]? {
        guard count >= 0 else { return nil }
        let texts = UnsafeBufferPointer(start: list, count: count).map { bytes($0) }
        return texts.contains { $0 == nil } ? nil : texts.compactMap(\.self)
    }

    private static func kind(_ name: String?) throws(CallError) -> TableColumn.Kind? {
        guard let name else { return nil }
        if let kind = TableColumn.Kind(rawValue: name) { return kind }
        throw CallError(
            CHEMOPEN_MISUSE, "expected one of string, integer, real, boolean, list for a type, found \"\(name)\"")
    }

    func lendColumns() -> (first: UnsafePointer<chemopen_column>?, count: Int)? {
        guard let plan else { return nil }
        return lend(plan.columns.map { (Text($0.name), Text($0.type.rawValue)) }, text: &text, entries: &columns)
    }

    func begin(_ stream: UnsafeMutablePointer<ArrowArrayStream>) -> chemopen_status {
        guard let plan else { return misuse("the files could not be opened") }
        stream.pointee = .exported(TableStream(plan))
        return CHEMOPEN_OK
    }
}

extension ArrowArrayStream {
    /// The stream as others use it. Errors are those of the C library.
    static func exported(_ table: TableStream) -> ArrowArrayStream {
        var stream = ArrowArrayStream()
        stream.private_data = Unmanaged.passRetained(table).toOpaque()
        stream.get_schema = { stream, out in
            guard let table = TableStream.behind(stream), let out else { return EINVAL }
            out.pointee = table.schema()
            return 0
        }
        stream.get_next = { stream, out in
            guard let table = TableStream.behind(stream), let out else { return EINVAL }
            out.pointee = ArrowArray()
            do throws(CallError) {
                if let batch = try table.next() { out.pointee = batch }
                return 0
            } catch {
                table.note(error.message)
                return EIO
            }
        }
        stream.get_last_error = { stream in TableStream.behind(stream)?.lentError }
        stream.release = { stream in
            guard let stream, let table = stream.pointee.private_data else { return }
            stream.pointee.release = nil
            stream.pointee.private_data = nil
            Unmanaged<TableStream>.fromOpaque(table).release()
        }
        return stream
    }
}

extension TableStream {
    fileprivate static func behind(_ stream: UnsafeMutablePointer<ArrowArrayStream>?) -> TableStream? {
        guard let stream, let table = stream.pointee.private_data else { return nil }
        return Unmanaged<TableStream>.fromOpaque(table).takeUnretainedValue()
    }
}

@c @implementation
public func chemopen_scan_open(
    _ scan: UnsafeMutablePointer<OpaquePointer?>?, _ list: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int,
    _ options: UnsafePointer<chemopen_scan_options>?
) -> chemopen_status {
    open(scan, ScanHandle()) { handle in
        guard let options = given(options) else { return handle.misuse("the options have no size") }
        guard let paths = paths(list, count), !paths.isEmpty else { return handle.misuse("there are no paths") }
        return handle.begin(paths, options)
    }
}

@c @implementation
public func chemopen_scan_columns(
    _ scan: OpaquePointer?, _ columns: UnsafeMutablePointer<UnsafePointer<chemopen_column>?>?,
    _ count: UnsafeMutablePointer<Int>?
) -> chemopen_status {
    guard let columns, let count else { return CHEMOPEN_MISUSE }
    (columns.pointee, count.pointee) = (nil, 0)
    return with(scan, as: ScanHandle.self) { scan in
        guard let lent = scan.lendColumns() else { return CHEMOPEN_MISUSE }
        (columns.pointee, count.pointee) = lent
        return CHEMOPEN_OK
    }
}

@c @implementation
public func chemopen_scan_stream(
    _ scan: OpaquePointer?, _ stream: UnsafeMutablePointer<ArrowArrayStream>?
) -> chemopen_status {
    guard let stream else { return CHEMOPEN_MISUSE }
    stream.pointee = ArrowArrayStream()
    return with(scan, as: ScanHandle.self) { $0.begin(stream) }
}

@c @implementation
public func chemopen_scan_error(
    _ scan: OpaquePointer?, _ error: UnsafeMutablePointer<chemopen_error>?
) -> chemopen_status {
    with(scan, as: ScanHandle.self) { $0.lendFailure(to: error) }
}

@c @implementation
public func chemopen_scan_close(_ scan: UnsafeMutablePointer<OpaquePointer?>?) -> chemopen_status {
    close(scan, ScanHandle.self)
}
