/// An error that explains to a person why a file operation failed.
///
///     do {
///         let source = try ByteSource(path: "a.sdf")
///     } catch {
///         print(error)  // a.sdf: no such file
///     }
public struct FileError: Error, Sendable, Hashable {
    /// The reason why a file could not be read or written.
    public enum Reason: Sendable, Hashable {
        /// The path does not exist.
        case notFound
        /// The directory for a new file does not exist.
        case folderNotFound
        /// The path is a directory, but a file is required.
        case isDirectory
        /// The path is not a directory, but a directory is required.
        case notDirectory
        /// The path is a named pipe, but a regular file is required.
        case isNamedPipe
        /// The path is a device or a socket, but a regular file is required.
        case notRegular
        /// The path is a named pipe without a writer.
        case nobodyWrites
        /// The user does not have permission.
        case noPermission
        /// The file exists and must not be replaced.
        case alreadyExists
        /// Another program has changed the file since it was read.
        case changedMeanwhile
        /// Another program shortened or overwrote the file before it was completely read.
        case changedWhileRead
        /// The disk is full, or the user's quota is exceeded.
        case noSpace
        /// The reader of a pipe has closed it.
        case brokenPipe
        /// The gzip stream is truncated, or its checksum does not match.
        case damagedGzip
        /// A byte is invalid in the specified encoding. Its offset in the decompressed file starts at 0, its line at 1.
        case invalidText(encoding: String, offset: Int, line: Int)
        /// The file exceeds the size limit of the operation.
        case tooLarge
        /// The file has no bytes.
        case isEmpty
        /// Not enough memory is available.
        case noMemory
        /// The file could not be fetched; the text gives the reason.
        case notFetched(String)
        /// Any other error, by its system error number.
        case other(errno: Int32)
    }

    /// The path as specified by the caller, or the name of the stream.
    public let path: LocalPath
    /// The reason for the failure.
    public let reason: Reason

    /// Whether the file exists but its content is lost, because the disk fails or the gzip data is damaged.
    ///
    /// The part that was read must never be written as if it were the complete file.
    package var isLostContent: Bool {
        switch reason {
        case .damagedGzip, .changedWhileRead, .noSpace, .brokenPipe, .noMemory, .tooLarge, .other: true
        default: false
        }
    }

    /// Creates an error for a path.
    public init(_ path: LocalPath, _ reason: Reason) {
        self.path = path
        self.reason = reason
    }

    /// Creates an error for a path that is text.
    public init(_ path: String, _ reason: Reason) {
        self.init(LocalPath(path), reason)
    }

    /// The path and the explanation in one line.
    public var description: String {
        "\(path.shown): \(explanation)"
    }

    /// The explanation without the path.
    public var explanation: String {
        switch reason {
        case .notFound: "no such file"
        case .folderNotFound: "no such directory"
        case .isDirectory: "is a directory"
        case .notDirectory: "is not a directory"
        case .isNamedPipe: "is a named pipe, not a file"
        case .notRegular: "is not a regular file"
        case .nobodyWrites: "is a named pipe without a writer"
        case .noPermission: "permission denied"
        case .alreadyExists: "already exists"
        case .changedMeanwhile: "another program has changed the file; it was not written, try again"
        case .changedWhileRead: "another program has changed the file while it was read; try again"
        case .noSpace: "no space left on the device"
        case .brokenPipe: "the reader has closed the pipe"
        case .damagedGzip: "damaged or truncated gzip data"
        case .invalidText(let encoding, let offset, let line):
            "line \(line) is not \(encoding) at byte \(offset) of the file; specify its encoding"
        case .tooLarge: "is too large"
        case .isEmpty: "the file is empty"
        case .noMemory: "not enough memory"
        case .notFetched(let why): why
        case .other(let number): systemMessage(number)
        }
    }
}

extension FileError: CustomStringConvertible {}
