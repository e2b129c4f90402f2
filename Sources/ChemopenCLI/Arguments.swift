import Chemopen

/// An invalid command line.
struct UsageError: Error {
    let message: String
    /// The text with the error, and a line that marks the invalid part with carets.
    let text: String
    let mark: String

    init(_ message: String, in text: String = "", mark: String = "") {
        self.message = message
        self.text = text
        self.mark = mark
    }

    /// Creates an error in a text.
    ///
    /// - Parameter part: the invalid part in characters: its start and length.
    init(_ message: String, in text: String, at part: (start: Int, count: Int)) {
        let mark = String(repeating: " ", count: part.start) + String(repeating: "^", count: max(1, part.count))
        self.init(message, in: text, mark: mark)
    }
}

/// The parsed command line: options and operands.
///
/// Options are `--name`, `--name value`, `--name=value`, `-n`, `-n value` and `-nvalue`, in any order with operands.
/// All arguments after `--` are operands. `-` is an operand, too. Arguments are byte strings because they can be paths.
struct Arguments {
    private(set) var operands: [LocalPath] = []
    private var given: [(option: Option, value: LocalPath)] = []
    /// The known formats.
    let formats: FormatRegistry

    init(
        _ words: [LocalPath], accepting options: [Option], among formats: FormatRegistry = .standard
    ) throws(UsageError) {
        self.formats = formats
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                return
            } else if word.isDash || !word.hasPrefix("-") {
                operands.append(word)
            } else if word.hasPrefix("--") {
                try takeLong(word, &rest, options)
            } else {
                try takeShort(word, &rest, options)
            }
        }
    }

    private mutating func takeLong(_ word: LocalPath, _ rest: inout ArraySlice<LocalPath>, _ options: [Option])
        throws(UsageError)
    {
        let parts = word.bytes.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            .map { LocalPath(bytes: Array($0)) }
        let name = parts[0].shown
        guard let option = options.first(where: { $0.name == name }) else {
            let hint =
                renamedOptions[name].flatMap { new in options.contains { $0.name == new } ? "; use \(new)" : nil }
                ?? ObabelHabits.answer(to: name)
                ?? suggestion(for: name, among: options.map(\.name))
            throw UsageError("there is no option \(name)" + hint)
        }
        if parts.count > 1 {
            guard option.value != nil else { throw UsageError("\(option.name) does not accept a value") }
            try add(option, parts[1])
        } else {
            try add(option, try value(for: option, &rest))
        }
    }

    private mutating func takeShort(_ word: LocalPath, _ rest: inout ArraySlice<LocalPath>, _ options: [Option])
        throws(UsageError)
    {
        var letters = word.bytes.dropFirst()
        while let letter = letters.first {
            guard let option = options.first(where: { $0.short.map { Array($0.utf8) } == [UInt8(ascii: "-"), letter] })
            else {
                // An option has one letter, but obabel's `-x3` consists of two characters.
                let left = LocalPath(bytes: Array(letters)).shown
                let shown = ObabelHabits.answer(to: "-" + left.prefix(2)) == nil ? left.prefix(1) : left.prefix(2)
                // Suggest `--json` for `-json`.
                let near = suggestion(for: "-" + word.shown, among: options.map(\.name))
                let hint = near.isEmpty ? ObabelHabits.answer(to: "-\(shown)") ?? "" : near
                throw UsageError("there is no option -\(shown)" + hint)
            }
            letters = letters.dropFirst()
            if option.value != nil, !letters.isEmpty { return try add(option, LocalPath(bytes: Array(letters))) }
            try add(option, try value(for: option, &rest))
        }
    }

    private func value(for option: Option, _ rest: inout ArraySlice<LocalPath>) throws(UsageError) -> LocalPath {
        guard let name = option.value else { return "" }
        guard let value = rest.popFirst() else {
            throw UsageError("\(option.name) requires a value: \(option.name) \(name)")
        }
        return value
    }

    private mutating func add(_ option: Option, _ value: LocalPath) throws(UsageError) {
        if option.value != nil, !option.isRepeatable, let other = given.first(where: { $0.option == option }) {
            throw UsageError("\(option.name) is specified twice: \"\(other.value.shown)\" and \"\(value.shown)\"")
        }
        given.append((option, value))
    }
}

extension Arguments {
    func has(_ option: Option) -> Bool {
        given.contains { $0.option == option }
    }

    /// Returns the value of an option as text. Bytes that are not UTF-8 are shown as hexadecimal digits, which match no
    /// name.
    func value(of option: Option) -> String? {
        path(of: option).map { $0.text ?? $0.shown }
    }

    /// Returns the value of an option as raw bytes.
    func path(of option: Option) -> LocalPath? {
        given.first { $0.option == option }?.value
    }

    /// Returns the field name in an option as raw bytes.
    func field(of option: Option) -> Text? {
        path(of: option).map { Text(bytes: $0.bytes) }
    }

    /// Returns all values of an option, in order.
    func values(of option: Option) -> [LocalPath] {
        given.filter { $0.option == option }.map(\.value)
    }

    /// Returns the value of an option as an integer.
    func number(of option: Option, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = value(of: option) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw UsageError(
                "\(option.name) requires an integer from \(range.lowerBound) to \(range.upperBound), not \"\(text)\"")
        }
        return number
    }

    /// Returns the number of threads to use, or `usual` if the option is missing.
    func threadCount(usual: @autoclosure () -> Int = 1) throws(UsageError) -> Int {
        guard let number = try number(of: .threads, in: 0...256) else { return usual() }
        return number == 0 ? processorCount() : number
    }

    /// Returns the default number of threads for work that takes much longer than reading: up to four for large files.
    /// A pipe uses a single thread to process slow input without delay.
    static func threadsForLongWork(on files: [LocalPath]) -> Int {
        files.contains { regularFileSize($0) ?? 0 >= 4_000_000 } ? min(4, processorCount()) : 1
    }

    /// Returns the operands of a command that processes files one by one.
    func files() throws(UsageError) -> [LocalPath] {
        if operands.isEmpty { throw UsageError("no file specified (use - for standard input)") }
        return operands
    }

    /// Returns the operands of a command that desktops start. A `file:` URI is converted to a path, unless a file has
    /// the URI as its name.
    func localFiles() -> [LocalPath] {
        operands.map { operand in
            guard operand.hasPrefix("file:"), fileKind(operand) == .missing, let text = operand.text else {
                return operand
            }
            return LocalPath(uri: text) ?? operand
        }
    }
}
