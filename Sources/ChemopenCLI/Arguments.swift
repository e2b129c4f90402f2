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
}

/// The words of a command line, sorted into options and operands.
///
/// Options are `--name`, `--name value`, `--name=value`, `-n`, `-n value` and `-nvalue`, anywhere among the operands;
/// behind `--` everything is an operand, and so is `-`.
struct Arguments {
    private(set) var operands: [String] = []
    private var given: [(option: Option, value: String)] = []

    init(_ words: [String], accepting options: [Option]) throws(UsageError) {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                return
            } else if word == "-" || !word.hasPrefix("-") {
                operands.append(word)
            } else if word.hasPrefix("--") {
                try takeLong(word, &rest, options)
            } else {
                try takeShort(word, &rest, options)
            }
        }
    }

    private mutating func takeLong(_ word: String, _ rest: inout ArraySlice<String>, _ options: [Option])
        throws(UsageError)
    {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let option = options.first(where: { $0.name == parts[0] }) else {
            throw UsageError("there is no option \(parts[0])" + suggestion(for: parts[0], among: options.map(\.name)))
        }
        if parts.count > 1 {
            guard option.value != nil else { throw UsageError("\(option.name) takes no value") }
            given.append((option, parts[1]))
        } else {
            given.append((option, try value(for: option, &rest)))
        }
    }

    private mutating func takeShort(_ word: String, _ rest: inout ArraySlice<String>, _ options: [Option])
        throws(UsageError)
    {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = options.first(where: { $0.short == "-\(letter)" }) else {
                // `-json` is `--json` with a dash too few.
                throw UsageError(
                    "there is no option -\(letter)" + suggestion(for: "-" + word, among: options.map(\.name)))
            }
            if option.value != nil, !letters.isEmpty {
                given.append((option, String(letters)))
                return
            }
            given.append((option, try value(for: option, &rest)))
        }
    }

    private func value(for option: Option, _ rest: inout ArraySlice<String>) throws(UsageError) -> String {
        guard let name = option.value else { return "" }
        guard let value = rest.popFirst() else {
            throw UsageError("\(option.name) needs a value: \(option.name) \(name)")
        }
        return value
    }
}

extension Arguments {
    func has(_ option: Option) -> Bool {
        given.contains { $0.option == option }
    }

    /// The value given last.
    func value(of option: Option) -> String? {
        given.last { $0.option == option }?.value
    }

    /// All values, in the order in which they were given.
    func values(of option: Option) -> [String] {
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

    /// The operands of a command that works on one file after the other.
    func files() throws(UsageError) -> [String] {
        if operands.isEmpty { throw UsageError("no file is named; - is standard input") }
        return operands
    }
}
