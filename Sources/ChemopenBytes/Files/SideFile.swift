/// A file that is written in addition to the main output, and created only if there is something to write.
///
///     let rejects = SideFile("out.sdf.rejects")
///     rejects.append(bytes)
///     try rejects.commit()
///
/// If writing fails, `failure` is set and `commit()` throws. Without `commit()`, no file is created.
package final class SideFile {
    private let path: LocalPath
    private let replacing: Bool
    private var sink: ByteSink?
    /// The error that stopped writing.
    package private(set) var failure: FileError?

    package init(_ path: LocalPath, replacing: Bool = false) {
        self.path = path
        self.replacing = replacing
    }

    /// Creates the file even if no bytes follow.
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

    /// Publishes the file under its name, if it was created.
    package func commit() throws(FileError) {
        if let failure { throw failure }
        try sink?.commit()
    }
}
