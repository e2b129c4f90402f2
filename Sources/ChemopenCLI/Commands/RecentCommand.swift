import Chemopen

/// `chemopen recent`: lists recently opened files.
enum RecentCommand: Command {
    static let name = "recent"
    static let group = CommandGroup.desktop
    static let isPaged = true
    static let summary = "list recently opened files, clear the list, or turn it off"
    static let usage = "chemopen recent [options] [list | on | off | clear]"
    static let example = "chemopen recent off"
    static let options: [Option] = [.json]
    static let words = ["list", "on", "off", "clear"]
    static let remarks = [
        "list     prints time, file, source and the sender's note, latest first",
        "clear    clears the list",
        "off      clears the list and stops recording until on",
        "The list has at most 100 entries, in recent.ds in your data directory: a DataSheet that only you",
        "can read.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        let words = arguments.operands.map { $0.text ?? $0.shown }
        let action = words.first ?? "list"
        guard words.count <= 1, self.words.contains(action) else {
            throw UsageError(
                "recent accepts list, on, off or clear, not \"\(words.joined(separator: " "))\""
                    + suggestion(for: action, among: self.words))
        }
        let recent = RecentFiles(in: .current)
        do throws(OpenError) {
            switch action {
            case "on": try recent.keep(true)
            case "off": try recent.keep(false)
            case "clear": try recent.clear()
            default: try list(recent, asJSON: arguments.has(.json), on: terminal)
            }
        } catch {
            terminal.tell(.error, error.description)
            return error.kind.status
        }
        return .done
    }

    private static func list(_ recent: RecentFiles, asJSON: Bool, on terminal: Terminal) throws(OpenError) {
        for entry in try recent.entries() {
            if asJSON {
                write(entry, on: terminal)
            } else {
                let origin = entry.origin.isEmpty ? "" : "  from \(entry.origin)"
                let note = entry.note.isEmpty ? "" : "  \(entry.note)"
                terminal.print(printable("\(entry.opened)  \(entry.path.shown)\(origin)\(note)"))
            }
        }
        if !recent.areKept { terminal.tell(.note, "the list is turned off (use chemopen recent on to enable it)") }
    }

    private static func write(_ entry: RecentFiles.Entry, on terminal: Terminal) {
        var json = JSON()
        json.object { json in
            json.field("file", entry.path)
            json.field("opened", entry.opened)
            if !entry.origin.isEmpty { json.field("origin", entry.origin) }
            if !entry.note.isEmpty { json.field("note", entry.note) }
        }
        json.endLine()
        terminal.write(json.bytes)
    }
}
