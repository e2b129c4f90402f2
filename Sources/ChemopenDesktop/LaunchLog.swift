import ChemopenBytes

/// Who was handed which file and is still running: a program that hands its file back is not asked again.
///
/// A note for each process lies beside the private copies, and goes with the process.
public enum LaunchLog {
    /// Notes a launch down.
    public static func note(
        _ running: Launch.Running, of handler: Handler, on files: [LocalPath], in session: Surroundings
    ) {
        guard let top = try? PrivateFolder.top(session) else { return }
        sweep(top)
        for process in running.processes {
            guard let start = RunningProcess(process)?.start else { continue }
            let lines = [Array(start.utf8), Array(handler.id.utf8)] + files.map { Array($0.uri.utf8) }
            let path = notePath(of: process, in: top)
            removeEntry(path)
            try? writePrivateFile(Array(lines.joined(separator: [UInt8(ascii: "\n")])), to: path)
        }
    }

    /// The programs that were handed the file and are this process, or have started it.
    public static func handlersHandingBack(_ file: LocalPath, in session: Surroundings) -> Set<String> {
        guard let top = try? PrivateFolder.top(session) else { return [] }
        var handlers: Set<String> = []
        var id = currentProcessID()
        for _ in 0..<64 {
            guard id > 1, let process = RunningProcess(id) else { break }
            if let note = try? readFile(notePath(of: id, in: top)) {
                let lines = String(decoding: note, as: UTF8.self).split(separator: "\n").map(String.init)
                if lines.first == process.start, lines.dropFirst(2).contains(file.uri) { handlers.insert(lines[1]) }
            }
            id = process.parent
        }
        return handlers
    }

    private static func notePath(of process: Int32, in top: LocalPath) -> LocalPath {
        top.appending(".started-\(process)")
    }

    /// Removes the notes of processes that have ended.
    private static func sweep(_ top: LocalPath) {
        for entry in (try? folderEntries(top)) ?? [] where entry.hasPrefix(".started-") {
            let name = entry.shown
            if Int32(name.dropFirst(".started-".count)).flatMap(RunningProcess.init) == nil {
                removeEntry(top.appending(entry))
            }
        }
    }
}

/// The system's report of a process that has not ended.
struct RunningProcess {
    /// When it began, in the system's own count: with the number, a name that is never used again.
    let start: String
    let parent: Int32
    /// Its name, as the system shortens it.
    let name: String

    init?(_ id: Int32) {
        // The name, in parentheses, may hold anything.
        guard let text = try? readFile("/proc/\(id)/stat"), let end = text.lastIndex(of: UInt8(ascii: ")")) else {
            return nil
        }
        let words = text[(end + 1)...].split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
        guard words.count > 19, words[0] != "Z", let parent = Int32(words[1]) else { return nil }
        self.parent = parent
        start = words[19]
        name = String(decoding: text[..<end].drop { $0 != UInt8(ascii: "(") }.dropFirst(), as: UTF8.self)
    }
}
