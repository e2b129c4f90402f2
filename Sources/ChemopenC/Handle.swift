import CChemopen
import Chemopen
import Glibc

/// The object behind an opaque pointer of the caller.
class Handle {
    /// Whether a call is in progress. A callback function must not call the library with the same handle.
    fileprivate var isBusy = false
    private(set) var failure: CallError?
    private var message = LentText()
    private var file = LentText()

    init() {}

    /// Stores an error and returns its status.
    func fail(_ failure: CallError) -> chemopen_status {
        self.failure = failure
        return failure.status
    }

    /// Stores the error of an invalid call.
    func misuse(_ message: String) -> chemopen_status {
        fail(CallError(CHEMOPEN_MISUSE, message))
    }

    /// Writes the last error to the caller's structure.
    func lendFailure(to place: UnsafeMutablePointer<chemopen_error>?) -> chemopen_status {
        guard unsafe place != nil else { return CHEMOPEN_MISUSE }
        var error = unsafe chemopen_error()
        message.set((failure?.message ?? "").shortened)
        file.set(failure?.file ?? "")
        unsafe error.message = unsafe message.pointer
        unsafe error.file = unsafe file.pointer
        if let failure {
            unsafe error.status = failure.status
            unsafe error.record = Int64(failure.record)
            unsafe error.line = Int64(failure.line)
            unsafe error.column = Int64(failure.columns.lowerBound)
            unsafe error.column_end = Int64(failure.columns.upperBound)
            unsafe error.offset = Int64(failure.offset)
            unsafe error.system_error = failure.systemError
        }
        guard unsafe fill(place, with: error) else { return CHEMOPEN_MISUSE }
        return failure == nil ? CHEMOPEN_ABSENT : CHEMOPEN_OK
    }
}

/// An error with its position.
struct CallError: Error {
    var status: chemopen_status
    var message: String
    var file = ""
    var record = 0
    var line = 0
    var columns = 0..<0
    var offset = 0
    /// The system's `errno`, or 0 if the system did not report an error.
    var systemError: Int32 = 0

    init(_ status: chemopen_status, _ message: String) {
        self.status = status
        self.message = message
    }

    init(_ error: ReadError) {
        switch error.kind {
        case .file(let error):
            status = CHEMOPEN_FILE
            systemError = error.reason.systemError
        case .broken, .tooLarge: status = CHEMOPEN_BAD_RECORD
        case .unrecognized: status = CHEMOPEN_UNKNOWN
        }
        message = "\(error)"
        file = error.file
        record = error.record
        line = error.line
        columns = error.columns
        offset = error.offset
    }

    init(_ error: WriteError) {
        switch error.kind {
        case .file(let error):
            status = CHEMOPEN_OUTPUT
            file = error.path.shown
            systemError = error.reason.systemError
        case .impossible: status = CHEMOPEN_UNSUPPORTED
        }
        message = error.description
    }

    init(_ failure: Conversion.Failure) {
        switch failure {
        case .read(let error): self.init(error)
        case .write(let error): self.init(error)
        case .impossible(let why): self.init(CHEMOPEN_UNSUPPORTED, why)
        case .stopped: self.init(CHEMOPEN_STOPPED, "stopped at a record that could not be read; no output was written")
        case .cancelled: self.init(CHEMOPEN_STOPPED, "stopped by the caller; no output was written")
        }
    }
}

extension FileError.Reason {
    /// The system's error number, or 0 if there is none.
    fileprivate var systemError: Int32 {
        switch self {
        case .notFound, .folderNotFound: ENOENT
        case .isDirectory: EISDIR
        case .notDirectory: ENOTDIR
        case .noPermission: EACCES
        case .alreadyExists: EEXIST
        case .noSpace: ENOSPC
        case .brokenPipe: EPIPE
        case .tooLarge: EFBIG
        case .noMemory: ENOMEM
        case .other(let number): number
        case .isNamedPipe, .notRegular, .nobodyWrites, .damagedGzip, .isEmpty, .notFetched: 0
        case .changedMeanwhile, .changedWhileRead, .invalidText: 0
        }
    }
}

// MARK: The way from pointers to handles

/// Calls a function with the handle of a pointer, unless the handle is in use.
func with<Kind: Handle>(
    _ pointer: OpaquePointer?, as kind: Kind.Type, _ body: (Kind) -> chemopen_status
) -> chemopen_status {
    guard let pointer = unsafe pointer else { return CHEMOPEN_MISUSE }
    let handle = unsafe Unmanaged<Kind>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
    if handle.isBusy { return CHEMOPEN_MISUSE }
    handle.isBusy = true
    defer { handle.isBusy = false }
    return body(handle)
}

/// Creates a handle for the caller even if opening fails. The caller can then read the error.
func open<Kind: Handle>(
    _ place: UnsafeMutablePointer<OpaquePointer?>?, _ handle: @autoclosure () -> Kind,
    _ begin: (Kind) -> chemopen_status
) -> chemopen_status {
    guard let place = unsafe place else { return CHEMOPEN_MISUSE }
    let handle = handle()
    // A callback function must not see the handle before it is complete.
    unsafe place.pointee = nil
    let status = begin(handle)
    unsafe place.pointee = unsafe OpaquePointer(Unmanaged.passRetained(handle).toOpaque())
    return status
}

/// Releases a handle and sets the caller's pointer to null.
func close<Kind: Handle>(_ place: UnsafeMutablePointer<OpaquePointer?>?, _ kind: Kind.Type) -> chemopen_status {
    guard let place = unsafe place, let pointer = unsafe place.pointee else { return CHEMOPEN_MISUSE }
    let handle = unsafe Unmanaged<Kind>.fromOpaque(UnsafeRawPointer(pointer))
    if unsafe handle.takeUnretainedValue().isBusy { return CHEMOPEN_MISUSE }
    unsafe handle.release()
    unsafe place.pointee = nil
    return CHEMOPEN_OK
}

extension chemopen_error: Sized {}
extension chemopen_identity: Sized {}
extension chemopen_read_options: Sized {}
extension chemopen_place: Sized {}
extension chemopen_draw_options: Sized {}
extension chemopen_write_options: Sized {}
extension chemopen_progress: Sized {}
extension chemopen_event: Sized {}
extension chemopen_convert_options: Sized {}
extension chemopen_summary: Sized {}
extension chemopen_scan_options: Sized {
    @safe static var earlierSizes: [Int] { unsafe [MemoryLayout<Self>.size - 2 * MemoryLayout<Int>.size] }
}
extension chemopen_step: Sized {}
extension chemopen_component: Sized {}
extension chemopen_table_options: Sized {}
extension chemopen_table_summary: Sized {}
extension chemopen_change_options: Sized {}
extension chemopen_fetch_options: Sized {}
extension chemopen_copy: Sized {}
extension chemopen_change: Sized {}
