import Chemopen

/// Prints changes of records, a line for each part.
struct ChangeTeller {
    let printsJSON: Bool
    let terminal: Terminal
    private var json = JSON()

    init(printsJSON: Bool, _ terminal: Terminal) {
        self.printsJSON = printsJSON
        self.terminal = terminal
    }

    mutating func tell(_ change: RecordChange) {
        guard printsJSON else {
            for line in change.lines { terminal.print(line) }
            return
        }
        json.object { $0.keys(of: change) }
        json.endLine()
        terminal.write(json.bytes)
        json.removeAll()
    }
}

extension JSON {
    /// What a change says, within an object.
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
