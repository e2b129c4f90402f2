/// A file that is read anywhere, by several threads at once. What is read stays this file, whatever happens to its name.
package final class RandomAccessFile: Sendable {
    private let file: FileDescriptor
    package let kind: FileKind
    /// Which file was opened, and its state then.
    package let identity: FileIdentity

    package init(_ path: LocalPath) throws(FileError) {
        let file = try FileDescriptor(reading: path)
        let status = try file.status()
        guard status.kind != .directory else { throw FileError(path, .isDirectory) }
        kind = status.kind
        identity = status.identity
        self.file = file
    }

    /// A file for bytes that come from elsewhere and are to be read again; nobody else can find it.
    package init(spoolIn folder: LocalPath) throws(FileError) {
        let file = try FileDescriptor(unnamedIn: folder)
        let status = try file.status()
        kind = status.kind
        identity = status.identity
        self.file = file
    }

    /// A path that leads to this very file.
    package var path: LocalPath { file.linkPath }

    /// Where the file that was opened is, without links; `nil` if the system does not say.
    package var realPath: LocalPath? { linkTarget(file.linkPath) }

    /// The state the file is in now.
    package func currentIdentity() -> FileIdentity? {
        try? file.status().identity
    }

    /// Adds bytes at the end of a spool.
    package func append(_ bytes: Span<UInt8>) throws(FileError) {
        try file.write(bytes)
    }

    /// The bytes of a range, fewer where the file ends before it.
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

/// A file that takes what a source unpacks, up to so many bytes.
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
