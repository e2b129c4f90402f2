/// A file that is written beside the main work, and begun when there is something to write.
///
///     let rejects = SideFile("out.sdf.rejects")
///     rejects.append(bytes)
///     try rejects.commit()
///
/// A failure on the way is told by `failure` and by `commit()`. Without `commit()` no file is there.
package final class SideFile {
    private let path: LocalPath
    private let replacing: Bool
    private var sink: ByteSink?
    /// The error that the file failed with; nothing more is written then.
    package private(set) var failure: FileError?

    package init(_ path: LocalPath, replacing: Bool = false) {
        self.path = path
        self.replacing = replacing
    }

    /// Begins the file, also when nothing will be written.
    package func begin() {
        append([])
    }

    package func append(_ bytes: [UInt8]) {
        if failure != nil { return }
        do throws(FileError) {
            if sink == nil { sink = try ByteSink(path: path, replacing: replacing) }
            sink?.bytes.append(contentsOf: bytes)
            try sink?.flushIfLarge()
        } catch {
            failure = error
        }
    }

    /// Puts the file, if it was begun, in its place.
    package func commit() throws(FileError) {
        if let failure { throw failure }
        try sink?.commit()
    }
}
