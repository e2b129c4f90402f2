import ChemopenBytes

/// A record of the running programs and the files they opened. It prevents a program that passes its file back from
/// being started again.
///
/// For each process, a note is stored next to the private copies. Notes of processes that have ended are deleted.
public enum LaunchLog {
    /// Records a launch.
    public static func note(
        _ running: Launch.Running, of handler: Handler, on files: [LocalPath], in session: SessionEnvironment
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

    /// Returns the programs that opened the file and are this process or one of its ancestors.
    ///
    /// - Returns: the IDs of the programs.
    public static func handlersInLaunchChain(_ file: LocalPath, in session: SessionEnvironment) -> Set<String> {
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

/// The status of a running process.
struct RunningProcess {
    /// The start time in the kernel's units. Together with the process ID it identifies the process even if the ID is
    /// reused.
    let start: String
    let parent: Int32
    /// The name of the process, truncated by the kernel.
    let name: String

    init?(_ id: Int32) {
        // The name is in parentheses and may itself contain any character, so search for the last parenthesis.
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
