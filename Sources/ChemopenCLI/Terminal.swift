import Chemopen

/// Standard output and standard error as the commands see them.
///
/// Results are collected and written in large pieces. Messages go to standard error as `chemopen: kind: text`. When
/// nobody reads the results any more, the program ends quietly.
final class Terminal {
    enum Kind: String {
        case note, remark, warning, error
    }

    /// The words that the program was called with.
    var typed = TypedLine(words: ["chemopen"])
    /// The command takes a file from standard input.
    var takesPipe = false
    var isUnpackingTold = false
    /// Looked up once for all files that fail, since each word is opened.
    private(set) lazy var packedWords = TypedLine.Packed(of: typed)
    private var output: [UInt8] = []
    private var isProgressShown = false
    private static let blockSize = 64 * 1024

    /// Somebody looks at the results.
    let isInteractive = isTerminal(1)
    /// Somebody looks at the messages.
    let isSeen = isTerminal(2)
    /// Colours on standard output.
    let hasColors: Bool
    /// A line on standard error that says how far the work has come.
    let showsProgress: Bool
    /// Colours on standard error.
    private let hasColorsInMessages: Bool

    init() {
        let allowed = Self.allowed(noColor: environment("NO_COLOR"), kind: environment("TERM"))
        hasColors = allowed.colors && isInteractive
        hasColorsInMessages = allowed.colors && isTerminal(2)
        showsProgress = allowed.progress && isTerminal(2)
    }

    /// Whether a terminal may be sent colours, and progress: `NO_COLOR` speaks of colours alone, and a dumb terminal erases
    /// no line either.
    static func allowed(noColor: String?, kind: String?) -> (colors: Bool, progress: Bool) {
        let isAble = kind != "dumb"
        return (isAble && (noColor ?? "").isEmpty, isAble)
    }

    // MARK: Results

    /// Writes a line of plain text; control characters in it become dots.
    func print(_ line: String = "") {
        output.append(contentsOf: printable(line).utf8)
        output.append(UInt8(ascii: "\n"))
        if output.count > Self.blockSize { flush() }
    }

    /// Writes bytes as they are.
    func write(_ bytes: [UInt8]) {
        output.append(contentsOf: bytes)
        if output.count > Self.blockSize { flush() }
    }

    /// Writes what a function adds, as it is.
    func write(_ add: (inout [UInt8]) -> Void) {
        add(&output)
        if output.count > Self.blockSize { flush() }
    }

    /// Results were collected that nobody has seen.
    var hasPendingOutput: Bool { !output.isEmpty }

    /// Hands on what was collected.
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

    /// Says something in the program's name.
    func tell(_ kind: Kind, _ text: String) {
        tell(kind, of: "chemopen", text)
    }

    /// Says something of a place: `a.sdf:12:5: error: text`.
    func tell(_ kind: Kind, of place: String, _ text: String) {
        let color = kind == .error ? "31" : kind == .warning ? "35" : "36"
        let label = hasColorsInMessages ? "\u{1B}[1;\(color)m\(kind.rawValue):\u{1B}[0m" : "\(kind.rawValue):"
        writeError("\(printable(place.shortened)): \(label) \(printable(text.shortened))")
    }

    /// Shows a line of a file and a mark under a part of it.
    func show(_ line: String, mark: String) {
        let (line, mark) = excerpt(line, mark: mark)
        writeError(printable(line))
        if !mark.isEmpty { writeError(hasColorsInMessages ? "\u{1B}[1;32m\(mark)\u{1B}[0m" : mark) }
    }

    private func writeError(_ line: String) {
        if isInteractive || isProgressShown { settle() }
        try? writeAll(Array((line + "\n").utf8), to: 2)
    }

    /// Brings results and messages into one order where the same person sees both.
    private func settle() {
        hideProgress()
        if isInteractive { flush() }
    }

    // MARK: Progress

    /// Replaces the line that says how far the work has come.
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

/// The text with a dot for everything that would steer a terminal: control characters and marks of direction.
func printable(_ text: String) -> String {
    if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
        scalars.append(scalar.steersDisplay ? "·" : scalar)
    }
    return String(scalars)
}
