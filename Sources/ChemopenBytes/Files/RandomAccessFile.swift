/// A file that several threads can read at any offset at the same time. It stays the same file even if its name
/// changes.
package final class RandomAccessFile: Sendable {
    private let file: FileDescriptor
    package let kind: FileKind
    /// The identity and version of the file when it was opened.
    package let identity: FileIdentity

    package init(_ path: LocalPath) throws(FileError) {
        let file = try FileDescriptor(reading: path)
        let status = try file.status()
        guard status.kind != .directory else { throw FileError(path, .isDirectory) }
        kind = status.kind
        identity = status.identity
        self.file = file
    }

    /// Creates an unnamed file for bytes that must be read again later. No other program can find it.
    package init(spoolIn folder: LocalPath) throws(FileError) {
        let file = try FileDescriptor(unnamedIn: folder)
        let status = try file.status()
        kind = status.kind
        identity = status.identity
        self.file = file
    }

    /// A path to exactly this file.
    package var path: LocalPath { file.linkPath }

    /// The current location of the opened file, without links, or `nil` if the system does not provide it.
    package var realPath: LocalPath? { linkTarget(file.linkPath) }

    /// Returns the identity and version of the file now.
    package func currentIdentity() -> FileIdentity? {
        try? file.status().identity
    }

    /// Appends bytes to a spool.
    package func append(_ bytes: Span<UInt8>) throws(FileError) {
        try file.write(bytes)
    }

    /// Returns the bytes in a range, fewer if the file ends within it.
    package func bytes(_ range: Range<Int>) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        guard range.lowerBound >= 0 else { return bytes }
        bytes.reserveCapacity(min(range.count, 1 << 24))
        while bytes.count < range.count {
            var added = 0
            let room = min(range.count - bytes.count, 1 << 24)
            let offset = range.lowerBound + bytes.count
            try bytes.append(addingCapacity: room) { (output: inout OutputSpan<UInt8>) throws(FileError) in
                added = try file.read(into: &output, at: offset)
            }
            if added == 0 { break }
        }
        return bytes
    }
}

/// A file of limited size that stores the decompressed bytes of a source.
package struct Spool: Sendable {
    private let file: RandomAccessFile
    private var room: Int

    package init(_ file: RandomAccessFile, atMost room: Int) {
        self.file = file
        self.room = room
    }

    mutating func append(_ bytes: Span<UInt8>, of name: String) throws(FileError) {
        guard bytes.count <= room else { throw FileError(name, .tooLarge) }
        room -= bytes.count
        try file.append(bytes)
    }
}
