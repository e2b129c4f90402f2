import Chemopen

/// A request that the program does not understand.
struct UsageError: Error {
    let message: String
    /// The text that is not understood, and a mark to stand under the part that is not.
    let text: String
    let mark: String

    init(_ message: String, in text: String = "", mark: String = "") {
        self.message = message
        self.text = text
        self.mark = mark
    }

    /// - Parameter part: the part that is not understood, in characters: where it begins and how many they are.
    init(_ message: String, in text: String, at part: (start: Int, count: Int)) {
        let mark = String(repeating: " ", count: part.start) + String(repeating: "^", count: max(1, part.count))
        self.init(message, in: text, mark: mark)
    }
}

/// The words of a command line, sorted into options and operands.
///
/// Options are `--name`, `--name value`, `--name=value`, `-n`, `-n value` and `-nvalue`, anywhere among the operands;
/// behind `--` everything is an operand, and so is `-`. A word is bytes, as the path that it may be.
struct Arguments {
    private(set) var operands: [LocalPath] = []
    private var given: [(option: Option, value: LocalPath)] = []
    /// The formats that the program knows.
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
            guard option.value != nil else { throw UsageError("\(option.name) takes no value") }
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
                // One letter is an option, but of obabel's -x3 both are.
                let left = LocalPath(bytes: Array(letters)).shown
                let shown = ObabelHabits.answer(to: "-" + left.prefix(2)) == nil ? left.prefix(1) : left.prefix(2)
                // `-json` is `--json` with a dash too few.
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
            throw UsageError("\(option.name) needs a value: \(option.name) \(name)")
        }
        return value
    }

    private mutating func add(_ option: Option, _ value: LocalPath) throws(UsageError) {
        if option.value != nil, !option.isRepeatable, let other = given.first(where: { $0.option == option }) {
            throw UsageError("\(option.name) is given twice: \"\(other.value.shown)\" and \"\(value.shown)\"")
        }
        given.append((option, value))
    }
}

extension Arguments {
    func has(_ option: Option) -> Bool {
        given.contains { $0.option == option }
    }

    /// The value given to an option, as text. Other bytes are shown by their digits, and are no name of anything.
    func value(of option: Option) -> String? {
        path(of: option).map { $0.text ?? $0.shown }
    }

    /// The value given to an option, byte for byte.
    func path(of option: Option) -> LocalPath? {
        given.first { $0.option == option }?.value
    }

    /// The name of a data field given to an option, byte for byte.
    func field(of option: Option) -> Text? {
        path(of: option).map { Text(bytes: $0.bytes) }
    }

    /// All values, in the order in which they were given.
    func values(of option: Option) -> [LocalPath] {
        given.filter { $0.option == option }.map(\.value)
    }

    /// The whole number given to an option.
    func number(of option: Option, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = value(of: option) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw UsageError(
                "\(option.name) needs a whole number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\"")
        }
        return number
    }

    /// How many threads are to work; `usual` where nothing is said.
    func threadCount(usual: @autoclosure () -> Int = 1) throws(UsageError) -> Int {
        guard let number = try number(of: .threads, in: 0...256) else { return usual() }
        return number == 0 ? processorCount() : number
    }

    /// How many threads usually do work that takes much longer than reading: up to four where a file is large. A pipe is read
    /// by one, so that what comes slowly goes on at once.
    static func threadsForLongWork(on files: [LocalPath]) -> Int {
        files.contains { regularFileSize($0) ?? 0 >= 4_000_000 } ? min(4, processorCount()) : 1
    }

    /// The operands of a command that works on one file after the other.
    func files() throws(UsageError) -> [LocalPath] {
        if operands.isEmpty { throw UsageError("no file is named; - is standard input") }
        return operands
    }

    /// The operands of a command that desktops call: a `file:` URI stands for its file, unless a file is called so.
    func localFiles() -> [LocalPath] {
        operands.map { operand in
            guard operand.hasPrefix("file:"), fileKind(operand) == .missing, let text = operand.text else {
                return operand
            }
            return LocalPath(uri: text) ?? operand
        }
    }
}
