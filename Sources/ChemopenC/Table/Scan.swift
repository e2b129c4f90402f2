// The function names follow chemopen.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CChemopen
import Chemopen
import Glibc

/// A table of the records in files.
@safe
final class ScanHandle: Handle {
    private var plan: TablePlan?
    private var text = LentText()
    private var columns = unsafe LentMemory<chemopen_column>()
    private var ear: CallersEar?

    func begin(_ paths: [LocalPath], _ memory: [UInt8]?, _ options: chemopen_scan_options) -> chemopen_status {
        do throws(CallError) {
            let plan = unsafe try Self.plan(paths, memory, options)
            ear = unsafe options.event.map { unsafe CallersEar($0, options.context) }
            try ear?.hear(SpokenRemark.all(of: [], plan.remarks))
            self.plan = plan
            return CHEMOPEN_OK
        } catch {
            return fail(error)
        }
    }

    private static func plan(
        _ paths: [LocalPath], _ memory: [UInt8]?, _ options: chemopen_scan_options
    ) throws(CallError) -> TablePlan {
        var plan = TablePlan(paths: paths, memory: memory)
        guard let format = unsafe Format.named(options.format) else {
            throw CallError(CHEMOPEN_UNSUPPORTED, unsafe "unknown format: \"\(string(options.format) ?? "")\"")
        }
        plan.format = format
        plan.encoding = unsafe try CharacterEncoding.given(options.encoding)
        plan.conditions = try unsafe RecordFilter.list(options.conditions, options.condition_count).get()
        if unsafe options.range_from > 0 || options.range_to > 0 {
            guard memory == nil else { throw CallError(CHEMOPEN_MISUSE, "bytes in memory cannot have a range") }
            let end = unsafe options.range_to == 0 ? Int.max : Int(clamping: options.range_to)
            guard unsafe Int(clamping: options.range_from) <= end else {
                throw CallError(CHEMOPEN_MISUSE, "the end of the range is less than its start")
            }
            plan.range = unsafe Int(clamping: options.range_from)..<end
        }
        if unsafe options.batch_bytes > 0 {
            plan.batchBytes = unsafe min(TablePlan.mostBatchBytes, Int(clamping: options.batch_bytes))
        }
        var wish = TablePlan.Wish()
        if let structure = unsafe string(options.structure), structure == "auto" {
            wish.structures = plan.usualForms
        } else if let structure = unsafe string(options.structure) {
            guard let forms = StructureForm.list(structure) else {
                let known = StructureForm.allCases.map(\.rawValue)
                let hint = suggestion(for: structure, among: known)
                throw CallError(
                    CHEMOPEN_MISUSE,
                    "expected \(known.joined(separator: ", ")) for a structure, found \"\(structure)\"\(hint)")
            }
            wish.structures = forms
        }
        if let names = unsafe options.computed {
            guard let list = unsafe texts(names, options.computed_count) else {
                throw CallError(CHEMOPEN_MISUSE, "the name of a computed value is null")
            }
            wish.computed = list.map { String(decoding: $0, as: UTF8.self) }
        }
        if let names = unsafe options.columns {
            guard let list = unsafe texts(names, options.column_count) else {
                throw CallError(CHEMOPEN_MISUSE, "the name of a column is null")
            }
            wish.columns = list.map { Text(bytes: $0) }
            if let types = unsafe options.types {
                let given = unsafe Given(types, options.column_count)
                for index in unsafe given.indices {
                    wish.types.append(try kind(unsafe string(given[index] ?? nil)))
                }
            }
        }
        try plan.settle(wish)
        return plan
    }

    private static func texts(_ list: UnsafePointer<UnsafePointer<CChar>?>, _ count: Int) -> [[UInt8]]? {
        guard count >= 0 else { return nil }
        let texts = unsafe UnsafeBufferPointer(start: list, count: count).map { unsafe bytes($0) }
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
        return unsafe lend(plan.columns.map { (Text($0.name), Text($0.type.rawValue)) }, text: &text, entries: &columns)
    }

    func begin(_ stream: UnsafeMutablePointer<ArrowArrayStream>) -> chemopen_status {
        guard let plan else { return misuse("the files could not be opened") }
        unsafe stream.pointee = unsafe .exported(TableStream(plan, ear))
        return CHEMOPEN_OK
    }
}

extension ArrowArrayStream {
    /// Exports the stream for callers. Its errors are `errno` values of the C library.
    static func exported(_ table: TableStream) -> ArrowArrayStream {
        var stream = unsafe ArrowArrayStream()
        unsafe stream.private_data = unsafe Unmanaged.passRetained(table).toOpaque()
        unsafe stream.get_schema = { stream, out in
            guard let table = unsafe TableStream.behind(stream), let out = unsafe out else { return EINVAL }
            unsafe out.pointee = unsafe table.schema()
            return 0
        }
        unsafe stream.get_next = { stream, out in
            guard let table = unsafe TableStream.behind(stream), let out = unsafe out else { return EINVAL }
            unsafe out.pointee = unsafe ArrowArray()
            do throws(CallError) {
                if let batch = try unsafe table.next() { unsafe out.pointee = unsafe batch }
                return 0
            } catch {
                table.note(error.message)
                return EIO
            }
        }
        unsafe stream.get_last_error = { stream in unsafe TableStream.behind(stream)?.lentError }
        unsafe stream.release = { stream in
            guard let stream = unsafe stream, let table = unsafe stream.pointee.private_data else { return }
            unsafe stream.pointee.release = nil
            unsafe stream.pointee.private_data = nil
            unsafe Unmanaged<TableStream>.fromOpaque(table).release()
        }
        return unsafe stream
    }
}

extension TableStream {
    fileprivate static func behind(_ stream: UnsafeMutablePointer<ArrowArrayStream>?) -> TableStream? {
        guard let stream = unsafe stream, let table = unsafe stream.pointee.private_data else { return nil }
        return unsafe Unmanaged<TableStream>.fromOpaque(table).takeUnretainedValue()
    }
}

@c @implementation
public func chemopen_scan_open(
    _ scan: UnsafeMutablePointer<OpaquePointer?>?, _ list: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int,
    _ options: UnsafePointer<chemopen_scan_options>?
) -> chemopen_status {
    unsafe open(scan, ScanHandle()) { handle in
        guard let options = unsafe given(options) else { return handle.misuse("the size of the options is not valid") }
        guard let paths = unsafe paths(list, count), !paths.isEmpty else { return handle.misuse("no paths specified") }
        return unsafe handle.begin(paths, nil, options)
    }
}

@c @implementation
public func chemopen_scan_open_memory(
    _ scan: UnsafeMutablePointer<OpaquePointer?>?, _ content: UnsafeRawPointer?, _ length: Int,
    _ name: UnsafePointer<CChar>?, _ options: UnsafePointer<chemopen_scan_options>?
) -> chemopen_status {
    unsafe open(scan, ScanHandle()) { handle in
        guard let options = unsafe given(options) else { return handle.misuse("the size of the options is not valid") }
        guard let content = unsafe bytes(content?.assumingMemoryBound(to: CChar.self), length) else {
            return handle.misuse("the content is null")
        }
        let name = unsafe LocalPath(bytes: bytes(name) ?? Array("memory".utf8))
        return unsafe handle.begin([name], content, options)
    }
}

@c @implementation
public func chemopen_scan_columns(
    _ scan: OpaquePointer?, _ columns: UnsafeMutablePointer<UnsafePointer<chemopen_column>?>?,
    _ count: UnsafeMutablePointer<Int>?
) -> chemopen_status {
    guard let columns = unsafe columns, let count = unsafe count else { return CHEMOPEN_MISUSE }
    unsafe (columns.pointee, count.pointee) = (nil, 0)
    return unsafe with(scan, as: ScanHandle.self) { scan in
        guard let lent = unsafe scan.lendColumns() else { return CHEMOPEN_MISUSE }
        unsafe (columns.pointee, count.pointee) = unsafe lent
        return CHEMOPEN_OK
    }
}

@c @implementation
public func chemopen_scan_stream(
    _ scan: OpaquePointer?, _ stream: UnsafeMutablePointer<ArrowArrayStream>?
) -> chemopen_status {
    guard let stream = unsafe stream else { return CHEMOPEN_MISUSE }
    unsafe stream.pointee = unsafe ArrowArrayStream()
    return unsafe with(scan, as: ScanHandle.self) { unsafe $0.begin(stream) }
}

@c @implementation
public func chemopen_release_capsule(_ capsule: UnsafeMutableRawPointer?) -> chemopen_status {
    typealias GetPointer = @convention(c) (UnsafeMutableRawPointer, UnsafePointer<CChar>) -> UnsafeMutableRawPointer?
    typealias IsValid = @convention(c) (UnsafeMutableRawPointer, UnsafePointer<CChar>) -> CInt
    guard let capsule = unsafe capsule, let function = unsafe dlsym(nil, "PyCapsule_GetPointer"),
        let test = unsafe dlsym(nil, "PyCapsule_IsValid")
    else { return CHEMOPEN_MISUSE }
    let (pointer, isValid) = unsafe (
        unsafeBitCast(function, to: GetPointer.self), unsafeBitCast(test, to: IsValid.self)
    )
    for kind in [CapsuleKind.stream, .schema, .array] {
        guard unsafe isValid(capsule, kind.rawValue) != 0, let place = unsafe pointer(capsule, kind.rawValue) else {
            continue
        }
        unsafe kind.release(place)
        unsafe free(place)
        return CHEMOPEN_OK
    }
    return CHEMOPEN_MISUSE
}

/// The structures of Arrow's C interface that a capsule can contain, by its name.
private enum CapsuleKind: String {
    case stream = "arrow_array_stream"
    case schema = "arrow_schema"
    case array = "arrow_array"

    /// Releases a structure unless this has already been done.
    func release(_ place: UnsafeMutableRawPointer) {
        switch self {
        case .stream:
            let stream = unsafe place.assumingMemoryBound(to: ArrowArrayStream.self)
            if let release = unsafe stream.pointee.release { unsafe release(stream) }
        case .schema:
            let schema = unsafe place.assumingMemoryBound(to: ArrowSchema.self)
            if let release = unsafe schema.pointee.release { unsafe release(schema) }
        case .array:
            let array = unsafe place.assumingMemoryBound(to: ArrowArray.self)
            if let release = unsafe array.pointee.release { unsafe release(array) }
        }
    }
}

@c @implementation
public func chemopen_scan_error(
    _ scan: OpaquePointer?, _ error: UnsafeMutablePointer<chemopen_error>?
) -> chemopen_status {
    unsafe with(scan, as: ScanHandle.self) { unsafe $0.lendFailure(to: error) }
}

@c @implementation
public func chemopen_scan_close(_ scan: UnsafeMutablePointer<OpaquePointer?>?) -> chemopen_status {
    unsafe close(scan, ScanHandle.self)
}
