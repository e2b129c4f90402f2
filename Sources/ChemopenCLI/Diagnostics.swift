import Chemopen

/// Tells people what is wrong with the records of a file, and where.
struct Diagnostics {
    let terminal: Terminal
    /// How many messages of one file are shown; the others are only counted.
    var limit = Int.max
    private var shown = 0
    private var withheld = 0

    init(on terminal: Terminal, limit: Int = .max) {
        self.terminal = terminal
        self.limit = limit
    }

    /// Tells of a record that cannot be read; `text` is the record as it stands in the file.
    mutating func tell(_ error: ReadError, at place: RecordPlace, text: [UInt8]) {
        if case .file = error.kind {
            terminal.tell(.error, "\(error)")
            return
        }
        if error.kind == .unrecognised {
            terminal.tell(.error, "\(error.file): \(error.message)")
            return
        }
        guard takeTurn() else { return }
        let spot = self.spot(error.file, line: error.line, columns: error.columns, record: error.record, offset: error.offset)
        terminal.tell(.error, of: spot, error.message)
        showLine(error.line - place.line, columns: error.columns, of: text)
        let title = firstLine(of: text)
        terminal.tell(
            .note, of: error.file,
            "record \(error.record)\(title.isEmpty ? "" : ", \"\(title)\"")\(error.record > 0 ? " is passed over" : "")")
    }

    /// Tells of something doubtful that was read all the same.
    mutating func tell(_ issue: Issue, at place: RecordPlace, in file: String, as kind: Terminal.Kind = .warning) {
        guard takeTurn() else { return }
        let found = issue.found.isEmpty ? "" : ", found \"\(issue.found.shown)\""
        terminal.tell(
            kind,
            of: spot(file, line: issue.line, columns: issue.columns, record: place.record, offset: issue.offset ?? place.offset),
            issue.message + found + (place.record > 0 ? " (record \(place.record))" : ""))
    }

    /// Says how many messages were not shown.
    mutating func finish(_ file: String) {
        if withheld > 0 { terminal.tell(.note, of: file, "\(withheld) more messages; chemopen check shows all of them") }
        withheld = 0
        shown = 0
    }

    private mutating func takeTurn() -> Bool {
        if shown < limit {
            shown += 1
            return true
        }
        withheld += 1
        return false
    }

    private func spot(_ file: String, line: Int, columns: Range<Int>, record: Int, offset: Int) -> String {
        if line > 0 { return "\(file):\(line)" + (columns.isEmpty ? "" : ":\(columns.lowerBound)") }
        return record > 0 ? "\(file): record \(record), byte \(offset)" : file
    }

    // MARK: The line at fault

    private func showLine(_ index: Int, columns: Range<Int>, of text: [UInt8]) {
        guard !columns.isEmpty, let line = Self.line(index, of: text) else { return }
        let width = 160
        guard line.count <= width else { return }
        let before = Text(bytes: line.prefix(columns.lowerBound - 1)).string.unicodeScalars.count
        let marked = Text(bytes: line.dropFirst(columns.lowerBound - 1).prefix(columns.count)).string.unicodeScalars.count
        let mark = String(repeating: " ", count: before) + String(repeating: "^", count: max(1, marked))
        terminal.show(Text(bytes: line).string, mark: mark)
    }

    private static func line(_ index: Int, of text: [UInt8]) -> ArraySlice<UInt8>? {
        guard index >= 0 else { return nil }
        var lines = LineCursor(0..<text.count, of: text.span)
        for _ in 0..<index where lines.next(in: text.span) == nil { return nil }
        return lines.next(in: text.span).map { text[$0] }
    }

    /// The first line of a record is its title in most formats; one that is none is left out.
    private func firstLine(of text: [UInt8]) -> String {
        guard let line = Self.line(0, of: text), line.count <= 80, let first = line.first,
            first != UInt8(ascii: "$"), first != UInt8(ascii: "<"), first != UInt8(ascii: ">"),
            line.allSatisfy({ $0 >= 0x20 })
        else { return "" }
        return Text(bytes: line).shown
    }
}
