import Chemopen

/// Prints changes of records, one line for each part.
struct ChangeReporter {
    let printsJSON: Bool
    let terminal: Terminal
    private var json = JSON()

    init(printsJSON: Bool, _ terminal: Terminal) {
        self.printsJSON = printsJSON
        self.terminal = terminal
    }

    /// Prints a change.
    ///
    /// - Parameters:
    ///   - commit: the commit that made the change.
    ///   - parts: the parts to print; `nil` for all.
    mutating func tell(_ change: RecordChange, of commit: Commit? = nil, only parts: Set<RecordPart>? = nil) {
        guard printsJSON else {
            if let commit, commit != told {
                if told != nil { terminal.print() }
                terminal.print("\(commit.id.prefix(12)) \(commit.date) \(commit.author): \(commit.subject)")
                told = commit
            }
            for line in change.lines(only: parts) { terminal.print((commit == nil ? "" : "  ") + line) }
            return
        }
        json.object { json in
            if let commit { json.keys(of: commit) }
            json.keys(of: change)
        }
        json.endLine()
        terminal.write(json.bytes)
        json.removeAll()
    }

    /// The commit of the last printed change.
    private var told: Commit?
}

extension JSON {
    /// Writes the author and date of a change into an object.
    mutating func keys(of commit: Commit) {
        field("commit", commit.id)
        field("author", commit.author)
        field("address", commit.address)
        field("date", commit.date)
        field("subject", commit.subject)
    }

    /// Writes the parts of a change into an object.
    mutating func keys(of change: RecordChange) {
        if let number = change.before?.number ?? change.after?.number { field("record", number) }
        if let number = change.after?.number, let before = change.before, before.number != number {
            field("now", number)
        }
        field("change", change.kind.rawValue)
        field("name", change.name)
        if !change.parts.isEmpty {
            key("parts")
            array { json in
                for part in change.parts {
                    json.object { json in
                        json.field("part", part.part.description)
                        if let before = part.before { json.field("before", before) }
                        if let after = part.after { json.field("after", after) }
                    }
                }
            }
        }
        if change.kind == .moved { return }
        if let before = change.before { field("before", Text(bytes: before.bytes)) }
        if let after = change.after { field("after", Text(bytes: after.bytes)) }
    }
}
