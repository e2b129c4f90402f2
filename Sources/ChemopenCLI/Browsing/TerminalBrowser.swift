import Chemopen
import ChemopenBrowse

/// `chemopen view --terminal`: shows files in the terminal as a list, and the picture and fields of one record.
///
/// Only the records on the screen are read. The index of the file, searches and conditions run in the background.
struct TerminalBrowser: ~Copyable {
    private let browser: FileBrowser
    private let keys: TerminalKeys
    private let hasColors: Bool
    private var file = 0
    /// The position of the chosen record in the list, and of the first one on the screen.
    private var cursor = 0
    private var top = 0
    /// Whether one record fills the screen, and its first line on the screen.
    private var isDetail = false
    private var detailTop = 0
    private var isHelp = false
    private var prompt: Prompt?
    private var message = ""
    private var query = ""
    private var size = (columns: 80, rows: 24)
    private var known = Known()

    /// Text that the user is typing.
    private struct Prompt {
        enum Kind: String {
            case search = "/"
            case condition = "&"
            case record = ":"
        }

        let kind: Kind
        var text = ""
    }

    /// The content of the last screen, to avoid reading and drawing it again.
    private struct Known {
        var rows: [FileBrowser.Entry] = []
        var range = 0..<0
        var detail: [Styled] = []
        var detailKey: [Int] = []
    }

    private static let help = [
        ("Up, Down, k, j", "choose a record"),
        ("PageUp, PageDown, b, Space", "move by one screen"),
        ("Home, End, g, G", "go to the first or last record"),
        (": NUMBER", "go to a record"),
        ("/ TEXT", "show the records with this text in a name or value"),
        ("& CONDITION", "show the matching records, such as MASS < 500"),
        ("Escape", "show all records again"),
        ("Enter", "show only this record, or the list again"),
        ("Tab", "show the next file"),
        ("q", "quit"),
    ]

    // MARK: Start and end

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        for option in [Option.page, .limit, .replace, .noBrowser, .receive, .resume] where arguments.has(option) {
            throw UsageError("--terminal cannot be combined with \(option.name)")
        }
        _ = try arguments.files()
        let (format, options) = (try arguments.format(of: .from), try arguments.readOptions())
        let selection = try arguments.selection()
        guard terminal.isInteractive, environment("TERM") != "dumb" else {
            throw UsageError("--terminal requires a terminal (use chemopen info to print a list)")
        }
        let files = arguments.fetchedFiles(on: terminal, takesURI: true)
        defer { files.remove() }
        if files.paths.isEmpty { return files.status }
        if terminal.tellPacked(files.paths) { return .unreadable }
        let service = FileBrowser(files.paths, as: format, options, choosing: selection)
        let failures = service.failures
        for failure in failures { terminal.tell(failure) }
        if failures.count == service.fileCount { return .unreadable }
        terminal.flush()
        guard let keys = TerminalKeys.open() else {
            terminal.tell(.error, "the terminal cannot be used (use chemopen info to print a list)")
            return .unreadable
        }
        var browser = TerminalBrowser(service, keys, hasColors: terminal.hasColors)
        service.serving { browser.show() }
        browser.close()
        return files.status
    }

    private init(_ browser: FileBrowser, _ keys: consuming TerminalKeys, hasColors: Bool) {
        self.browser = browser
        self.keys = keys
        self.hasColors = hasColors
        // Begin with the first file that can be read.
        while file + 1 < browser.fileCount, browser.overview(of: file).format.isEmpty { file += 1 }
    }

    private consuming func close() {
        // Restores the cursor and the previous screen.
        keys.write(Array("\u{1B}[?25h\u{1B}[?1049l".utf8))
        keys.restore()
    }

    private mutating func show() {
        keys.write(Array("\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J".utf8))
        size = keys.size ?? size
        browser.wait(forRecords: size.rows, of: file)
        var last = browser.overview(of: file)
        draw(last)
        while true {
            guard let bytes = keys.bytes(within: last.isComplete ? 500 : 100) else { return }
            for key in Key.keys(in: bytes) where !take(key) { return }
            let isChanged = browser.refresh(file)
            if isChanged {
                browser.endSearch()
                (known, query, message) = (Known(), "", "the file has changed and was opened again")
            }
            let now = browser.overview(of: file)
            let current = keys.size ?? size
            if bytes.isEmpty, !isChanged, now == last, current == size { continue }
            if current != size { keys.write(Array("\u{1B}[2J".utf8)) }
            size = current
            if now.count != last.count || now.name != last.name { known.range = 0..<0 }
            last = now
            draw(now)
        }
    }

    // MARK: Keys

    /// Performs a key. Returns `false` if the user quits.
    private mutating func take(_ key: Key) -> Bool {
        message = ""
        if key == .interrupt { return false }
        if prompt != nil {
            takeInPrompt(key)
            return true
        }
        if isHelp {
            isHelp = false
            return true
        }
        if isDetail, takeInDetail(key) { return true }
        let page = max(1, listRows - 1)
        switch key {
        case .character("q"): return false
        case .up, .character("k"): move(to: cursor - 1)
        case .down, .character("j"): move(to: cursor + 1)
        case .pageUp, .character("b"): move(to: cursor - page)
        case .pageDown, .character(" "): move(to: cursor + page)
        case .home, .character("g"): move(to: 0)
        case .end, .character("G"): move(to: .max)
        case .enter, .right: (isDetail, detailTop) = (true, 0)
        case .character("/"): prompt = Prompt(kind: .search)
        case .character("&"): prompt = Prompt(kind: .condition)
        case .character(":"): prompt = Prompt(kind: .record)
        case .character("?"), .character("h"): isHelp = true
        case .tab: showNextFile()
        case .escape: endSearch()
        default: break
        }
        return true
    }

    /// Performs a key while one record fills the screen. Returns `false` if the list handles the key.
    private mutating func takeInDetail(_ key: Key) -> Bool {
        let page = max(1, size.rows - 3)
        switch key {
        case .enter, .escape, .left: isDetail = false
        case .pageDown, .character(" "): detailTop += page
        case .pageUp, .character("b"): detailTop -= page
        case .down: detailTop += 1
        case .up: detailTop -= 1
        case .character("j"), .character("k"):
            move(to: cursor + (key == .character("j") ? 1 : -1))
            detailTop = 0
        default: return false
        }
        detailTop = max(0, min(detailTop, known.detail.count - page))
        return true
    }

    private mutating func takeInPrompt(_ key: Key) {
        switch key {
        case .escape: prompt = nil
        case .backspace:
            if prompt?.text.popLast() == nil { prompt = nil }
        case .character(let character): prompt?.text.append(character)
        case .enter:
            guard let done = prompt else { return }
            prompt = nil
            perform(done)
        default: break
        }
    }

    private mutating func perform(_ done: Prompt) {
        let text = done.text.trimmingBlanks
        switch done.kind {
        case .record:
            guard let number = Int(text), number > 0 else {
                message = "a record number is required, not \"\(text)\""
                return
            }
            endSearch()
            move(to: number - 1)
        case .search, .condition:
            if text.isEmpty { return endSearch() }
            if let problem = browser.search(text, isCondition: done.kind == .condition, in: file) {
                message = problem
                query = ""
            } else {
                query = done.kind.rawValue + text
            }
            (cursor, top, detailTop) = (0, 0, 0)
            known.range = 0..<0
        }
    }

    private mutating func endSearch() {
        if query.isEmpty { return }
        // The chosen record stays chosen in the complete list.
        let number = browser.records(cursor..<cursor + 1, of: file).first?.number
        browser.endSearch()
        query = ""
        known.range = 0..<0
        move(to: (number ?? 1) - 1)
    }

    private mutating func move(to place: Int) {
        let count = browser.overview(of: file).count
        cursor = max(0, min(place, count - 1))
    }

    private mutating func showNextFile() {
        guard browser.fileCount > 1 else { return }
        browser.endSearch()
        file = (file + 1) % browser.fileCount
        (cursor, top, detailTop, query) = (0, 0, 0, "")
        known = Known()
    }

    // MARK: Layout

    /// Whether the record is shown to the right of the list, not below it.
    private var isWide: Bool { size.columns >= 80 }
    private var bodyRows: Int { max(1, size.rows - 2) }
    private var listRows: Int { isWide ? bodyRows : max(1, bodyRows / 2 - 1) }
    private var listColumns: Int { isWide ? min(72, size.columns * 9 / 20) : size.columns }

    private mutating func draw(_ overview: FileBrowser.Overview) {
        cursor = max(0, min(cursor, overview.count - 1))
        if cursor < top { top = cursor }
        if cursor >= top + listRows { top = cursor - listRows + 1 }
        top = max(0, min(top, max(0, overview.count - listRows)))
        var lines = [titleBar(overview)]
        if isHelp {
            lines += TextLayout.twoColumns(Self.help, to: size.columns)
        } else if isDetail {
            lines += detail(size.columns, size.rows).dropFirst(detailTop)
        } else if isWide {
            let rest = size.columns - listColumns - 3
            let (rows, details) = (list(), detail(rest, bodyRows))
            for place in 0..<bodyRows {
                let row = rows.indices.contains(place) ? rows[place] : Styled()
                let detail = details.indices.contains(place) ? details[place] : Styled()
                lines.append(row.fitted(to: listColumns) + Styled(" │ ", .dim) + detail)
            }
        } else {
            lines += list()
            lines += Array(repeating: Styled(), count: max(0, listRows + 1 - lines.count))
            lines.append(Styled(String(repeating: "─", count: size.columns), .dim))
            lines += detail(size.columns, bodyRows - listRows - 1)
        }
        lines = Array(lines.prefix(size.rows - 1))
        lines += Array(repeating: Styled(), count: max(0, size.rows - 1 - lines.count))
        lines.append(statusBar(overview))
        var bytes = Array("\u{1B}[H".utf8)
        for (place, line) in lines.enumerated() {
            if place > 0 { bytes += Array("\r\n".utf8) }
            bytes += Array(line.truncated(to: size.columns).rendered(colored: hasColors).utf8)
            bytes += Array("\u{1B}[K".utf8)
        }
        keys.write(bytes)
    }

    private func titleBar(_ overview: FileBrowser.Overview) -> Styled {
        var text = Styled(overview.name, .heading)
        if browser.fileCount > 1 { text.append(" (file \(file + 1) of \(browser.fileCount))") }
        if !overview.format.isEmpty { text.append("  \(overview.format)", .dim) }
        if overview.count > 0 { text.append("  \(cursor + 1) of \(overview.count)", .number) }
        if !query.isEmpty { text.append("  \(query)", .hit) }
        if !overview.isComplete { text.append("  \(Int(overview.progress * 100)) %", .moved) }
        return text
    }

    private func statusBar(_ overview: FileBrowser.Overview) -> Styled {
        if let prompt { return Styled(prompt.kind.rawValue, .heading) + prompt.text + Styled(" ", .chosen) }
        if !message.isEmpty { return Styled(message, .error) }
        if !overview.problem.isEmpty { return Styled(overview.problem, .warning) }
        if overview.count == 0, overview.isComplete { return Styled("no record found", .warning) }
        let all = "/ search  & condition  : record  Enter details  ? keys  q quit"
        return Styled(all.displayWidth <= size.columns ? all : "? keys  q quit", .dim)
    }

    private mutating func list() -> [Styled] {
        let range = top..<top + listRows
        if known.range != range {
            known.rows = browser.records(range, of: file)
            known.range = range
        }
        return known.rows.enumerated().map { place, entry in
            row(entry, isChosen: top + place == cursor).fitted(to: listColumns)
        }
    }

    private func row(_ entry: FileBrowser.Entry, isChosen: Bool) -> Styled {
        var row = Styled(isChosen ? ">" : " ") + Styled("\(entry.number)".rightAligned(in: 6), .dim) + " "
        let formula: Styled =
            switch entry.content {
            case .failure: Styled("unreadable", .error)
            case .success(let record):
                switch record.subject {
                case .molecule(let molecule): Styled(molecule.formula, .formula)
                case .reaction: Styled("reaction", .dim)
                case .none: Styled("no structure", .dim)
                }
            }
        let width = max(8, (listColumns - row.width) * 3 / 5)
        row += Styled(entry.title.isEmpty ? "-" : entry.title.shown).fitted(to: width) + " "
        row += formula
        return isChosen ? Styled(row.fitted(to: listColumns).text, .chosen) : row
    }

    private mutating func detail(_ columns: Int, _ rows: Int) -> [Styled] {
        if !known.rows.indices.contains(cursor - top) || known.range != top..<top + listRows { _ = list() }
        guard known.rows.indices.contains(cursor - top), columns > 3, rows > 0 else { return [] }
        let entry = known.rows[cursor - top]
        let key = [file, entry.number, columns, rows]
        if known.detailKey != key {
            known.detailKey = key
            let fields = (try? entry.content.get())?.fields.count ?? 0
            // Some fields are visible below the picture if there is room for both.
            let rest = rows - 2 - min(fields, rows / 2)
            let pictureRows = isDetail ? rows - 3 : rest < 6 ? rows - 1 : rest
            known.detail = RecordDetail(entry: entry, columns: columns).lines(pictureRows: pictureRows)
        }
        return known.detail
    }
}
