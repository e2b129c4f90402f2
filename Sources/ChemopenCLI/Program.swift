import Chemopen

/// The program `chemopen`.
///
///     import ChemopenCLI
///
///     Program.run()                                        // what the program itself does
///     Program.run(among: FormatRegistry.standard.adding(.xyz))   // one that knows a format more
public struct Program {
    private let formats: FormatRegistry

    /// Runs the command line and exits the process.
    ///
    /// - Parameter formats: the formats that the commands support.
    public static func run(among formats: FormatRegistry = .standard) -> Never {
        turnSignalsIntoErrors()
        keepFreedMemory()
        releaseRelocations()
        let terminal = Terminal()
        let words = Array(programArguments().dropFirst())
        terminal.typed.words += words
        let status = Program(formats: formats).run(words, on: terminal)
        terminal.finish()
        endProcess(status.rawValue)
    }

    private func run(_ words: [LocalPath], on terminal: Terminal) -> ExitStatus {
        guard let first = words.first else {
            Help.printOverview(on: terminal)
            return .usage
        }
        if let coloring = Self.coloring(in: words) { terminal.use(coloring) }
        // A command is also found after the option for colors.
        if first == "--color" || first.hasPrefix("--color=") {
            if Self.coloring(in: words) == nil {
                terminal.tell(.error, Terminal.Coloring.complaint(about: words.dropFirst().first?.shown ?? ""))
                return .usage
            }
            return run(Array(words.dropFirst(first == "--color" ? 2 : 1)), on: terminal)
        }
        switch first.shown {
        case "--help", "-h":
            terminal.isPaged = true
            Help.printOverview(on: terminal)
            return .done
        case "--version", "-V":
            terminal.print("chemopen \(version)")
            return .done
        default: break
        }
        if let command = allCommands.first(where: { LocalPath($0.name) == first }) {
            return run(command, Array(words.dropFirst()), on: terminal)
        }
        if isMistyped(first) {
            terminal.tell(
                .error,
                "there is no command and no file \"\(first.shown)\""
                    + suggestion(for: first.shown, among: allCommands.map { $0.name }))
            return .usage
        }
        return run(OpenCommand.self, words, on: terminal)
    }

    /// Returns the value of the option for colors. It is read first, so that it applies to errors in other options.
    private static func coloring(in words: [LocalPath]) -> Terminal.Coloring? {
        for (place, word) in words.enumerated() {
            if word == "--" { return nil }
            if word.hasPrefix("--color=") { return Terminal.Coloring(rawValue: String(word.shown.dropFirst(8))) }
            if word == "--color", place + 1 < words.count {
                return Terminal.Coloring(rawValue: words[place + 1].shown)
            }
        }
        return nil
    }

    /// Returns whether an argument is a misspelled command: there is no file with this name, but a similar command.
    private func isMistyped(_ word: LocalPath) -> Bool {
        !word.hasPrefix("-") && fileKind(word) == .missing && !word.shown.contains(".") && !word.shown.contains("/")
            && nearestName(to: word.shown, among: allCommands.map { $0.name }) != nil
    }

    /// Returns a hint if `open` does not have an option that `convert` has, for a command line without a command.
    private func hintAtConvert(_ message: String, _ command: any Command.Type) -> String {
        guard command.name == OpenCommand.name, message.hasPrefix("there is no option "),
            let word = message.split(separator: " ").last,
            ConvertCommand.allOptions.contains(where: { $0.name == word || $0.short ?? "" == word })
        else { return "" }
        return "; chemopen convert supports it"
    }

    private func run(_ command: any Command.Type, _ words: [LocalPath], on terminal: Terminal) -> ExitStatus {
        terminal.takesPipe = command.takesPipe
        terminal.command = command.name
        do throws(UsageError) {
            let options = command.allOptions
            let arguments = try Arguments(words, accepting: options, among: formats)
            if options.contains(where: { $0 == .coloring && $0.value != nil }),
                let word = arguments.value(of: .coloring), Terminal.Coloring(rawValue: word) == nil
            {
                throw UsageError(Terminal.Coloring.complaint(about: word))
            }
            terminal.isPaged = command.isPaged || arguments.has(.help)
            if arguments.has(.help) {
                Help.print(command, on: terminal)
                return .done
            }
            command.confine(words, arguments, on: terminal)
            return try command.run(arguments, on: terminal)
        } catch {
            let isPacked = Packer.named(in: error.message) != nil
            let hint = isPacked ? terminal.hint(at: error.message) : hintAtConvert(error.message, command)
            terminal.tell(.error, error.message + hint)
            if !error.text.isEmpty { terminal.show(error.text, mark: error.mark) }
            terminal.tell(.note, "run chemopen \(command.name) --help for help")
            return .usage
        }
    }
}
