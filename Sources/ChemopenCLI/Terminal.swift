import Chemopen

/// Standard output and standard error for commands.
///
/// Results are buffered and written in large blocks. Messages are written to standard error as `chemopen: kind: text`.
/// If the reader of the results closes the pipe, the program ends without an error. On a terminal, lines are wrapped at
/// its width, and long output is shown in a pager.
final class Terminal {
    enum Kind: String {
        case note, remark, warning, error
    }

    /// The command line as typed.
    var typed = TypedLine(words: ["chemopen"])
    /// The name of the command; empty before it is known.
    var command = ""
    /// Whether the command reads a file from standard input.
    var takesPipe = false
    var isUnpackingTold = false
    /// It is determined once for all failed files, because it opens each argument.
    private(set) lazy var packedWords = TypedLine.Packed(of: typed)
    private var output: [UInt8] = []
    private var isProgressShown = false
    private static let blockSize = 64 * 1024

    /// Whether standard output is a terminal.
    let isInteractive = isTerminal(1)
    /// Whether standard error is a terminal.
    let isSeen = isTerminal(2)
    /// Whether standard output supports colors.
    private(set) var hasColors: Bool
    /// Whether to show a progress line on standard error.
    let showsProgress: Bool
    /// Whether standard error supports colors.
    private var hasColorsInMessages: Bool
    /// Whether long output of this command is shown in a pager.
    var isPaged = false
    private var pager: Pager?
    private var isPagerTried = false

    /// The columns and rows of the terminal; `nil` if standard output is no terminal. Output is then not wrapped.
    let screen: (columns: Int, rows: Int)?
    private let columnsOfMessages: Int?

    /// When to use colors.
    enum Coloring: String, CaseIterable {
        case auto, always, never

        /// The error message about an invalid value.
        static func complaint(about word: String) -> String {
            let known = allCases.map(\.rawValue)
            let hint = suggestion(for: word, among: known)
            return "--color requires \(known.joined(separator: ", ")), not \"\(word)\"" + hint
        }
    }

    init() {
        let allowed = Self.allowed(noColor: environment("NO_COLOR"), kind: environment("TERM"))
        hasColors = allowed.colors && isInteractive
        hasColorsInMessages = allowed.colors && isSeen
        showsProgress = allowed.progress && isSeen
        let size = terminalSize(1)
        screen = isInteractive ? (max(TextLayout.narrowest, size?.columns ?? 80), max(5, size?.rows ?? 24)) : nil
        columnsOfMessages = isSeen ? max(TextLayout.narrowest, terminalWidth(2) ?? 80) : nil
    }

    /// Returns whether to use colors and progress. `NO_COLOR` affects only colors; a dumb terminal cannot erase lines
    /// either.
    static func allowed(noColor: String?, kind: String?) -> (colors: Bool, progress: Bool) {
        let isAble = kind != "dumb"
        return (isAble && (noColor ?? "").isEmpty, isAble)
    }

    /// Follows the option `--color`. It takes precedence over `NO_COLOR`.
    func use(_ coloring: Coloring) {
        switch coloring {
        case .auto: break
        case .always: (hasColors, hasColorsInMessages) = (true, true)
        case .never: (hasColors, hasColorsInMessages) = (false, false)
        }
    }

    /// The number of columns that output can use, or `nil` if lines have no limit.
    var columns: Int? { screen?.columns }

    // MARK: Results

    /// Prints a line of text. Control characters are replaced with dots. On a terminal, a long line is wrapped.
    func print(_ line: String = "") {
        if screen != nil { return print(Styled(line)) }
        put(printable(line))
    }

    /// Prints a line with styles. On a terminal, a long line is wrapped.
    ///
    /// - Parameter hanging: the indentation of the lines after the first.
    func print(_ line: Styled, hanging: Int? = nil) {
        guard let columns else { return put(line.rendered(colored: hasColors)) }
        for line in TextLayout.wrapped(line, to: columns, hanging: hanging) { put(line.rendered(colored: hasColors)) }
    }

    /// Prints a line that is never wrapped, such as a line of a file or of a picture.
    func print(unwrapped line: Styled) {
        put(line.rendered(colored: hasColors))
    }

    private func put(_ line: String) {
        output.append(contentsOf: line.utf8)
        output.append(UInt8(ascii: "\n"))
        if output.count > Self.blockSize { flush() }
    }

    /// Writes raw bytes.
    func write(_ bytes: [UInt8]) {
        output.append(contentsOf: bytes)
        if output.count > Self.blockSize { flush() }
    }

    /// Writes the raw bytes that a function appends.
    func write(_ add: (inout [UInt8]) -> Void) {
        add(&output)
        if output.count > Self.blockSize { flush() }
    }

    /// Whether buffered results have not been written yet.
    var hasPendingOutput: Bool { !output.isEmpty }

    /// Writes the buffered results.
    func flush() {
        if output.isEmpty { return }
        startPager()
        do throws(FileError) {
            hideProgress()
            try writeAll(output, to: pager?.descriptor ?? 1)
        } catch {
            pager?.finish()
            if error.reason == .brokenPipe { endProcess(ExitStatus.done.rawValue) }
            pager = nil
            tell(.error, "\(error)")
            endProcess(ExitStatus.unwritable.rawValue)
        }
        output.removeAll(keepingCapacity: true)
    }

    /// Writes the remaining results and waits until the user leaves the pager. The process can then exit.
    func finish() {
        hideProgress()
        // Output that fits on the screen needs no pager.
        if !isPagerTried, isOnOneScreen { isPagerTried = true }
        flush()
        pager?.finish()
        pager = nil
    }

    /// Whether the pending output fits on the screen, with room for the next prompt.
    private var isOnOneScreen: Bool {
        guard let screen else { return true }
        let lines = output.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.count < screen.rows
    }

    private func startPager() {
        guard mayPage else { return }
        isPagerTried = true
        pager = Pager.ofEnvironment.flatMap(Pager.init)
    }

    /// Whether a pager can still be started. Until then, messages stay in the order of the results.
    var mayPage: Bool { isPaged && isInteractive && !isPagerTried }

    // MARK: Messages

    /// Prints a message with the program's name.
    func tell(_ kind: Kind, _ text: String) {
        tell(kind, of: "chemopen", text)
    }

    /// Prints a message with a position: `a.sdf:12:5: error: text`.
    func tell(_ kind: Kind, of place: String, _ text: String) {
        writeError(Styled("\(place.shortened): ") + Styled("\(kind.rawValue):", kind.style) + " \(text.shortened)")
    }

    /// Shows a line of a file, with a mark below a part of it.
    func show(_ line: String, mark: String) {
        if mark.isEmpty { return writeError(Styled(line)) }
        let (line, mark) = excerpt(line, mark: mark, columns: columnsOfMessages)
        writeError(Styled(line), isWrapped: false)
        writeError(Styled(mark, .hit), isWrapped: false)
    }

    private func writeError(_ line: Styled, isWrapped: Bool = true) {
        var lines = [line]
        if isWrapped, let columnsOfMessages { lines = TextLayout.wrapped(line, to: columnsOfMessages) }
        let text = lines.map { $0.rendered(colored: hasColorsInMessages) + "\n" }.joined()
        if isSeen, mayPage || pager != nil { return write(Array(text.utf8)) }
        if isInteractive || isProgressShown { settle() }
        try? writeAll(Array(text.utf8), to: 2)
    }

    /// Preserves the order of results and messages if both are shown on the same terminal.
    private func settle() {
        hideProgress()
        if isInteractive { flush() }
    }

    // MARK: Progress

    /// Replaces the progress line.
    func showProgress(_ text: String) {
        guard showsProgress, pager == nil else { return }
        let width = max(20, terminalWidth(2) ?? 80) - 1
        try? writeAll(Array("\r\u{1B}[K\(text.prefix(columns: width))".utf8), to: 2)
        isProgressShown = true
    }

    func hideProgress() {
        guard isProgressShown else { return }
        isProgressShown = false
        try? writeAll(Array("\r\u{1B}[K".utf8), to: 2)
    }
}

extension Terminal.Kind {
    /// The style of the label.
    var style: Styled.Style {
        switch self {
        case .error: .error
        case .warning: .warning
        case .note, .remark: .note
        }
    }
}

/// Replaces control characters and direction marks with dots, because they would control a terminal.
func printable(_ text: String) -> String {
    if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
        scalars.append(scalar.steersDisplay ? "·" : scalar)
    }
    return String(scalars)
}
