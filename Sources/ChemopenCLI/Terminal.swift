import Chemopen

/// Standard output and standard error as commands use them.
///
/// Results are buffered and written in large blocks. Messages are written to standard error as `chemopen: kind: text`.
/// If the reader of the results exits, the program ends without an error.
final class Terminal {
    enum Kind: String {
        case note, remark, warning, error
    }

    /// The command line as typed.
    var typed = TypedLine(words: ["chemopen"])
    /// Whether the command reads a file from standard input.
    var takesPipe = false
    var isUnpackingTold = false
    /// Determined once for all failed files, because each argument is opened for it.
    private(set) lazy var packedWords = TypedLine.Packed(of: typed)
    private var output: [UInt8] = []
    private var isProgressShown = false
    private static let blockSize = 64 * 1024

    /// Whether standard output is a terminal.
    let isInteractive = isTerminal(1)
    /// Whether standard error is a terminal.
    let isSeen = isTerminal(2)
    /// Whether standard output supports colors.
    let hasColors: Bool
    /// Whether to show a progress line on standard error.
    let showsProgress: Bool
    /// Whether standard error supports colors.
    private let hasColorsInMessages: Bool

    init() {
        let allowed = Self.allowed(noColor: environment("NO_COLOR"), kind: environment("TERM"))
        hasColors = allowed.colors && isInteractive
        hasColorsInMessages = allowed.colors && isTerminal(2)
        showsProgress = allowed.progress && isTerminal(2)
    }

    /// Returns whether to use colors and progress. `NO_COLOR` affects only colors; a dumb terminal cannot erase lines
    /// either.
    static func allowed(noColor: String?, kind: String?) -> (colors: Bool, progress: Bool) {
        let isAble = kind != "dumb"
        return (isAble && (noColor ?? "").isEmpty, isAble)
    }

    // MARK: Results

    /// Prints a line of text. Control characters are replaced with dots.
    func print(_ line: String = "") {
        output.append(contentsOf: printable(line).utf8)
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
        do throws(FileError) {
            try writeAll(output, to: 1)
        } catch {
            if error.reason == .brokenPipe { endProcess(ExitStatus.done.rawValue) }
            tell(.error, "\(error)")
            endProcess(ExitStatus.unwritable.rawValue)
        }
        output.removeAll(keepingCapacity: true)
    }

    // MARK: Messages

    /// Prints a message with the program's name.
    func tell(_ kind: Kind, _ text: String) {
        tell(kind, of: "chemopen", text)
    }

    /// Prints a message with a position: `a.sdf:12:5: error: text`.
    func tell(_ kind: Kind, of place: String, _ text: String) {
        let color = kind == .error ? "31" : kind == .warning ? "35" : "36"
        let label = hasColorsInMessages ? "\u{1B}[1;\(color)m\(kind.rawValue):\u{1B}[0m" : "\(kind.rawValue):"
        writeError("\(printable(place.shortened)): \(label) \(printable(text.shortened))")
    }

    /// Shows a line of a file, with a mark below a part of it.
    func show(_ line: String, mark: String) {
        let (line, mark) = excerpt(line, mark: mark)
        writeError(printable(line))
        if !mark.isEmpty { writeError(hasColorsInMessages ? "\u{1B}[1;32m\(mark)\u{1B}[0m" : mark) }
    }

    private func writeError(_ line: String) {
        if isInteractive || isProgressShown { settle() }
        try? writeAll(Array((line + "\n").utf8), to: 2)
    }

    /// Preserves the order of results and messages if both are shown on the same terminal.
    private func settle() {
        hideProgress()
        if isInteractive { flush() }
    }

    // MARK: Progress

    /// Replaces the progress line.
    func showProgress(_ text: String) {
        guard showsProgress else { return }
        let width = max(20, terminalWidth(2) ?? 80) - 1
        try? writeAll(Array("\r\u{1B}[K\(text.prefix(width))".utf8), to: 2)
        isProgressShown = true
    }

    func hideProgress() {
        guard isProgressShown else { return }
        isProgressShown = false
        try? writeAll(Array("\r\u{1B}[K".utf8), to: 2)
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
