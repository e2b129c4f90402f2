import Chemopen

/// Reports problems in the records of a file on standard error, with their positions.
struct Diagnostics {
    private let terminal: Terminal
    private var shown = 0
    private var withheld = 0
    /// The number of times each warning occurred. Only the first few are shown.
    private var doubts: [String: Int] = [:]
    private static let likeDoubts = 3
    /// The maximum number of messages shown for a file. Further messages are only counted.
    private static let limit = 20

    init(on terminal: Terminal) {
        self.terminal = terminal
    }

    /// Reports an unreadable record and shows the line with the error.
    mutating func tell(_ record: UnreadableRecord) {
        let error = record.error
        switch error.kind {
        case .file, .unrecognized: return terminal.tell(error)
        case .broken, .tooLarge: break
        }
        guard takeTurn() else { return }
        terminal.tell(.error, of: Self.spot(error), error.message)
        if let line = FaultyLine(record) { terminal.show(line.text, mark: line.mark) }
        terminal.tell(.note, of: error.file, Self.note(on: record) + "; reading continues after it")
    }

    /// Reports a warning. Remarks are ignored here because only `check` lists them.
    mutating func tell(_ issue: Issue, at place: RecordPlace, in file: String) {
        if issue.severity == .remark { return }
        let isKnown = doubts[issue.message] != nil || doubts.count < 1000
        if isKnown { doubts[issue.message, default: 0] += 1 }
        guard !isKnown || doubts[issue.message, default: 0] <= Self.likeDoubts else {
            withheld += 1
            return
        }
        guard takeTurn() else { return }
        terminal.tell(.warning, of: Self.spot(issue, place, file), Self.message(issue, place))
    }

    /// Reports the number of messages that were not shown.
    mutating func finish() {
        if withheld > 0 {
            terminal.tell(
                .note, "\(withheld) more \(withheld == 1 ? "message" : "messages") (use chemopen check to show all)")
        }
        withheld = 0
        shown = 0
        doubts = [:]
    }

    private mutating func takeTurn() -> Bool {
        if shown < Self.limit {
            shown += 1
            return true
        }
        withheld += 1
        return false
    }
}

// MARK: As lines

extension Diagnostics {
    /// Prints the error of a record as lines of the result.
    static func print(_ record: UnreadableRecord, on terminal: Terminal) {
        let error = record.error
        if case .file = error.kind { return terminal.print("\(error)") }
        terminal.print(line(.error, of: spot(error), error.message))
        if let line = FaultyLine(record) {
            let (text, mark) =
                terminal.columns.map { excerpt(line.text, mark: line.mark, columns: $0) } ?? (line.text, line.mark)
            terminal.print(unwrapped: Styled(text))
            terminal.print(unwrapped: Styled(mark, .hit))
        }
        terminal.print(line(.note, of: error.file, note(on: record)))
    }

    /// Formats a problem as a line of the result.
    static func line(_ kind: Terminal.Kind, _ issue: Issue, at place: RecordPlace, in file: String) -> Styled {
        line(kind, of: spot(issue, place, file), message(issue, place))
    }

    private static func line(_ kind: Terminal.Kind, of place: String, _ text: String) -> Styled {
        Styled("\(place): ") + Styled("\(kind.rawValue):", kind.style) + " \(text)"
    }

    private static func message(_ issue: Issue, _ place: RecordPlace) -> String {
        let found = issue.found.isEmpty ? "" : ", found \"\(issue.found.shown)\""
        return issue.message + found + (place.record > 0 ? " (record \(place.record))" : "")
    }

    /// Formats the record's number and title: `record 31, "CHEMBL25"`.
    private static func note(on record: UnreadableRecord) -> String {
        let title = FaultyLine.title(of: record.text)
        return "record \(record.error.record)" + (title.isEmpty ? "" : ", \"\(title)\"")
    }

    private static func spot(_ error: ReadError) -> String {
        spot(error.file, error.line, error.columns, record: error.record, offset: error.offset)
    }

    private static func spot(_ issue: Issue, _ place: RecordPlace, _ file: String) -> String {
        spot(file, issue.line, issue.columns, record: place.record, offset: issue.offset ?? place.offset)
    }

    /// Formats a position: `a.sdf:12:5`, or the record and byte offset if there are no lines.
    private static func spot(_ file: String, _ line: Int, _ columns: Range<Int>, record: Int, offset: Int) -> String {
        if line > 0 { return "\(file):\(line)" + (columns.isEmpty ? "" : ":\(columns.lowerBound)") }
        return record > 0 ? "\(file): record \(record), byte \(offset)" : file
    }
}

/// The line with the error, and a second line that marks the invalid part.
private struct FaultyLine {
    let text: String
    let mark: String

    private static let widest = 160

    init?(_ record: UnreadableRecord) {
        let columns = record.error.columns
        guard !columns.isEmpty, let line = Self.line(record.error.line - record.place.line, of: record.text),
            line.count <= Self.widest
        else { return nil }
        let before = line.prefix(columns.lowerBound - 1)
        let marked = line.dropFirst(before.count).prefix(columns.count)
        text = Text(bytes: line).string
        mark =
            String(repeating: " ", count: Self.width(before))
            + String(repeating: "^", count: max(1, Self.width(marked)))
    }

    private static func width(_ bytes: ArraySlice<UInt8>) -> Int {
        Text(bytes: bytes).string.unicodeScalars.count
    }

    private static func line(_ index: Int, of text: [UInt8]) -> ArraySlice<UInt8>? {
        guard index >= 0 else { return nil }
        var lines = LineCursor(0..<text.count, of: text.span)
        for _ in 0..<index where lines.next(in: text.span) == nil { return nil }
        return lines.next(in: text.span).map { text[$0] }
    }

    /// Returns the first line of a record, which is the title in most formats. Empty if it does not look like a title.
    static func title(of text: [UInt8]) -> String {
        guard let line = line(0, of: text), line.count <= 80, let first = line.first, !"$<>".utf8.contains(first),
            line.allSatisfy({ $0 >= 0x20 })
        else { return "" }
        return Text(bytes: line).shown
    }
}
