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
        let status = Program(formats: formats).run(Array(programArguments().dropFirst()), on: terminal)
        terminal.hideProgress()
        terminal.flush()
        endProcess(status.rawValue)
    }

    private func run(_ words: [LocalPath], on terminal: Terminal) -> ExitStatus {
        terminal.typed.words += words
        guard let first = words.first else {
            Help.printOverview(on: terminal)
            return .usage
        }
        switch first.shown {
        case "--help", "-h":
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
        do throws(UsageError) {
            let arguments = try Arguments(words, accepting: command.allOptions, among: formats)
            if arguments.has(.help) {
                Help.print(command, on: terminal)
                return .done
            }
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
