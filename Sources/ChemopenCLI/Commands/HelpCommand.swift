import Chemopen

/// `chemopen help`: the same as `--help`.
enum HelpCommand: Command {
    static let name = "help"
    static let group = CommandGroup.look
    static let isPaged = true
    static let summary = "show the help of a command"
    static let usage = "chemopen help [COMMAND | all | where | obabel]"
    static let example = "chemopen help convert"
    static let options: [Option] = []
    static var words: [String] {
        allCommands.map { $0.name } + [Help.topicOfAll, ConditionHelp.topic, ObabelHelp.topic]
    }

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        guard let name = arguments.operands.first?.shown else {
            Help.printOverview(on: terminal)
            return .done
        }
        if name == Help.topicOfAll {
            Help.printOverview(all: true, on: terminal)
            return .done
        }
        if name == ConditionHelp.topic {
            ConditionHelp.print(on: terminal)
            return .done
        }
        if name == ObabelHelp.topic {
            ObabelHelp.print(on: terminal)
            return .done
        }
        guard let command = allCommands.first(where: { $0.name == name }) else {
            throw UsageError(
                "there is no command \"\(name)\"" + suggestion(for: name, among: allCommands.map { $0.name }))
        }
        Help.print(command, on: terminal)
        return .done
    }
}
