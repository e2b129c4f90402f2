/// `chemopen open`, and `chemopen FILE`: shows what is inside where no application is asked.
enum OpenCommand: Command {
    static let name = "open"
    static let summary = "tell what is in a file; the same as chemopen FILE..."
    static let usage = "chemopen open FILE..."
    static let example = "chemopen caffeine.mol"
    static let options: [Option] = []

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        try InfoCommand.run(arguments, on: terminal)
    }
}
