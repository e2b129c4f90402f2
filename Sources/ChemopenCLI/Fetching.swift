import Chemopen
import Synchronization

extension Arguments {
    /// Returns the options for downloading addresses.
    func fetchOptions() -> FetchOptions {
        var options = FetchOptions()
        options.isOffline = has(.offline)
        options.encrypts = has(.encrypt)
        let line = FetchLine()
        options.onEvent = { line.show($0) }
        return options
    }

    /// Returns the operands of a command that accepts only local files. Addresses are downloaded first; errors are
    /// reported.
    func fetchedFiles(on terminal: Terminal, takesURI: Bool = false) -> FetchedFiles {
        FetchedFiles(takesURI ? localFiles() : operands, by: self, on: terminal)
    }
}

/// Local files that replace the addresses on the command line.
struct FetchedFiles {
    private(set) var paths: [LocalPath] = []
    private(set) var status = ExitStatus.done
    /// The directories of temporary copies.
    private(set) var folders: [PrivateFolder] = []

    init(_ operands: [LocalPath], by arguments: Arguments, on terminal: Terminal) {
        for operand in operands {
            do throws(FileError) {
                let (path, folder) = try arguments.source(operand).localFile(in: .current)
                paths.append(path)
                if let folder { folders.append(folder) }
            } catch {
                terminal.tell(.error, "\(error)")
                status.raise(to: .unreadable)
            }
        }
    }

    /// Starts processes of this program that delete the copies after the given processes have ended.
    func leave(to processes: [Int32]) {
        guard let program = resolvedPath("/proc/self/exe") else { return }
        for folder in folders {
            let words: [LocalPath] = ["chemopen", "open", "--keep", folder.path, "--"] + processes.map { "\($0)" }
            _ = try? spawn(program, words.map(\.bytes), environment: currentEnvironment, in: "/", streams: .none)
        }
    }

    func remove() {
        for folder in folders { folder.remove() }
    }
}

/// Shows the progress of a download on a terminal. Notes are always printed to standard error.
private final class FetchLine: Sendable {
    private let isShown = Mutex(false)

    func show(_ event: FetchEvent) {
        isShown.withLock { isShown in
            switch event {
            case .progress(let bytes, let size):
                guard isTerminal(2) else { return }
                let whole = size.map { " of \(byteCount(Double($0)))" } ?? ""
                write("\r\u{1B}[Kfetching: \(byteCount(Double(bytes)))\(whole)")
                isShown = true
            case .note(let text):
                write((isShown ? "\r\u{1B}[K" : "") + "chemopen: note: \(printable(text))\n")
                isShown = false
            case .done:
                if isShown { write("\r\u{1B}[K") }
                isShown = false
            }
        }
    }

    private func write(_ text: String) { try? writeAll(Array(text.utf8), to: 2) }
}
