import Chemopen
import Synchronization

extension Arguments {
    /// How an address is fetched.
    func fetchOptions() -> FetchOptions {
        var options = FetchOptions()
        options.isOffline = has(.offline)
        options.encrypts = has(.encrypt)
        let line = FetchLine()
        options.tell = { line.show($0) }
        return options
    }

    /// The operands of a command that takes nothing but files of this machine: addresses are fetched first, and those that
    /// cannot be are told.
    func fetchedFiles(on terminal: Terminal, takesURI: Bool = false) -> FetchedFiles {
        FetchedFiles(takesURI ? localFiles() : operands, by: self, on: terminal)
    }
}

/// Files of this machine in place of the addresses that were typed.
struct FetchedFiles {
    private(set) var paths: [LocalPath] = []
    private(set) var status = ExitStatus.done
    /// Where copies lie that are to go away after use.
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

    /// Leaves processes of this program behind, which tidy up when the processes have ended.
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

/// Tells on a terminal how far a fetch has come, and notes on standard error in any case.
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
