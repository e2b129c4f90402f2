/// The reason why a file failed, in words for people.
///
///     do {
///         let source = try ByteSource(path: "a.sdf")
///     } catch {
///         print(error)  // a.sdf: no such file
///     }
public struct FileError: Error, Sendable, Hashable {
    /// Why a file could not be read or written.
    public enum Reason: Sendable, Hashable {
        /// There is nothing at the path.
        case notFound
        /// The folder that should hold the new file is missing.
        case folderNotFound
        /// The path leads to a folder where a file is wanted.
        case isDirectory
        /// The path leads to something else where a folder is wanted.
        case notDirectory
        /// The path leads to a named pipe where a file is wanted.
        case isNamedPipe
        /// The path leads to a device or a socket where a file is wanted.
        case notRegular
        /// The path leads to a named pipe, and nobody writes to it.
        case nobodyWrites
        /// The system does not let this user do it.
        case noPermission
        /// A file stands there already, and was not to be replaced.
        case alreadyExists
        /// Another program has written the file since it was read.
        case changedMeanwhile
        /// The disk, or the user's share of it, is full.
        case noSpace
        /// Nobody reads the other end any more.
        case brokenPipe
        /// The gzip stream breaks off, or its checksum does not agree.
        case damagedGzip
        /// A byte is not text in the encoding that was given; its offset from 0 in the unpacked file, its line from 1.
        case invalidText(encoding: String, offset: Int, line: Int)
        /// The file is longer than it may be here.
        case tooLarge
        /// There is not a byte in the file.
        case isEmpty
        /// The system has no memory left.
        case noMemory
        /// It could not be had from its address, for a reason in words.
        case notFetched(String)
        /// Anything else, by the number the system gave.
        case other(errno: Int32)
    }

    /// The path as the caller gave it, or the name of the stream.
    public let path: LocalPath
    /// Why it failed.
    public let reason: Reason

    /// Whether the file is there and may be read, but its bytes cannot be had: the disk fails, or the gzip data is damaged.
    ///
    /// What was read of such a file is only a part of it, and is never written as if it were all.
    package var isLostContent: Bool {
        switch reason {
        case .damagedGzip, .noMemory, .tooLarge, .other: true
        default: false
        }
    }

    /// An error of the file at a path.
    public init(_ path: LocalPath, _ reason: Reason) {
        self.path = path
        self.reason = reason
    }

    /// An error of the file at a path that is text.
    public init(_ path: String, _ reason: Reason) {
        self.init(LocalPath(path), reason)
    }

    /// One line: the path, then what is wrong with it.
    public var description: String {
        "\(path.shown): \(explanation)"
    }

    /// The fault, without the path.
    public var explanation: String {
        switch reason {
        case .notFound: "no such file"
        case .folderNotFound: "no such folder to write into"
        case .isDirectory: "is a folder"
        case .notDirectory: "is not a folder"
        case .isNamedPipe: "is a named pipe, and no file"
        case .notRegular: "is not a regular file"
        case .nobodyWrites: "is a named pipe, and nobody writes to it"
        case .noPermission: "permission denied"
        case .alreadyExists: "exists already"
        case .changedMeanwhile: "another program has changed the file meanwhile; nothing is written, try again"
        case .noSpace: "no space left on the device"
        case .brokenPipe: "nobody reads the other end"
        case .damagedGzip: "damaged or truncated gzip data"
        case .invalidText(let encoding, let offset, let line):
            "line \(line) is not \(encoding) at byte \(offset) of the file; give the encoding that it has"
        case .tooLarge: "is too large"
        case .isEmpty: "the file is empty"
        case .noMemory: "not enough memory"
        case .notFetched(let why): why
        case .other(let number): systemMessage(number)
        }
    }
}

extension FileError: CustomStringConvertible {}
