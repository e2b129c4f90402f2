/// A file that stays open, so that each source over it reads the same bytes from the first one on, whatever lies under
/// its name by then.
///
/// One source at a time, since they share the place in the file.
package final class HeldFile: Sendable {
    private let file: FileDescriptor
    private let size: Int

    /// Opens a file; `nil` where it is no regular file and its bytes can be had only once.
    package init?(path: LocalPath) throws(FileError) {
        let file = try FileDescriptor(reading: path)
        let status = try file.status()
        guard status.kind == .regular else { return nil }
        self.file = file
        size = status.size
    }

    /// A source over the whole file. It must not outlive the file.
    package func source(blockSize: Int) throws(FileError) -> ByteSource {
        try file.rewind()
        return try ByteSource(FileDescriptor(borrowing: file.number, name: file.name), size, blockSize)
    }
}
