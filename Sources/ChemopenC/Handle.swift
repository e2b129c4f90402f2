import CChemopen
import Chemopen
import Glibc

/// The object behind a pointer that the caller has.
class Handle {
    /// A call is under way: a function of the caller's that it has called must not begin another.
    fileprivate var isBusy = false
    private(set) var failure: CallError?
    private var message = LentText()
    private var file = LentText()

    init() {}

    /// Notes what went wrong, and returns its status.
    func fail(_ failure: CallError) -> chemopen_status {
        self.failure = failure
        return failure.status
    }

    /// Notes that a call makes no sense.
    func misuse(_ message: String) -> chemopen_status {
        fail(CallError(CHEMOPEN_MISUSE, message))
    }

    /// Lends what went wrong last.
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

/// The last failure, and where it happened.
struct CallError: Error {
    var status: chemopen_status
    var message: String
    var file = ""
    var record = 0
    var line = 0
    var columns = 0..<0
    var offset = 0
    /// The errno; 0 where the system is not to blame.
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
        case .broken, .tooLarge: status = CHEMOPEN_BROKEN
        case .unrecognised: status = CHEMOPEN_UNKNOWN
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
        case .impossible: status = CHEMOPEN_IMPOSSIBLE
        }
        message = error.description
    }

    init(_ failure: Conversion.Failure) {
        switch failure {
        case .read(let error): self.init(error)
        case .write(let error): self.init(error)
        case .impossible(let why): self.init(CHEMOPEN_IMPOSSIBLE, why)
        case .stopped: self.init(CHEMOPEN_STOPPED, "stopped at a record that could not be read; nothing is written")
        case .cancelled: self.init(CHEMOPEN_STOPPED, "stopped by the caller; nothing is written")
        }
    }
}

extension FileError.Reason {
    /// The number that the system has for it; 0 where it has none.
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
        case .changedMeanwhile, .invalidText: 0
        }
    }
}

// MARK: The way from pointers to handles

/// Does something with the handle behind a pointer, unless it is in use.
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

/// Gives the caller a handle, whatever the status of its making: it tells why.
func open<Kind: Handle>(
    _ place: UnsafeMutablePointer<OpaquePointer?>?, _ handle: @autoclosure () -> Kind,
    _ begin: (Kind) -> chemopen_status
) -> chemopen_status {
    guard let place = unsafe place else { return CHEMOPEN_MISUSE }
    let handle = handle()
    // A function of the caller's that is called on the way does not see it.
    unsafe place.pointee = nil
    let status = begin(handle)
    unsafe place.pointee = unsafe OpaquePointer(Unmanaged.passRetained(handle).toOpaque())
    return status
}

/// Takes a handle back and sets the pointer to it to null.
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
extension chemopen_scan_options: Sized {}
