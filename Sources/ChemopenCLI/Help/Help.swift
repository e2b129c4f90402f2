/// The help pages, generated from the declarations of the commands.
enum Help {
    static let summary = "read, convert and compare chemical files, and open them"
    static let synopses = ["chemopen FILE...", "chemopen COMMAND [options] FILE..."]
    static let remarks = [
        "The format is detected from the content, also in gzip files. - is standard input or output.",
        "For the options of a command, use chemopen COMMAND --help; for the version, --version.",
    ]
    static let example = "chemopen convert kinases.sdf.gz kinases.rdf"

    static func printOverview(on terminal: Terminal) {
        terminal.print("chemopen \(version): \(summary)")
        terminal.print()
        for (place, synopsis) in synopses.enumerated() {
            terminal.print((place == 0 ? "Usage: " : "       ") + synopsis)
        }
        terminal.print()
        terminal.print("Commands:")
        printColumns(allCommands.map { ($0.name, $0.summary) }, on: terminal)
        terminal.print()
        for line in remarks { terminal.print(line) }
        terminal.print()
        terminal.print("Exit status:")
        printColumns(ExitStatus.allCases.map { ("\($0.rawValue)", $0.meaning) }, on: terminal)
        terminal.print()
        terminal.print("Example: \(example)")
    }

    static func print(_ command: any Command.Type, on terminal: Terminal) {
        terminal.print("chemopen \(command.name): \(command.summary)")
        terminal.print()
        terminal.print("Usage: \(command.usage)")
        terminal.print()
        printColumns(command.allOptions.map { ($0.synopsis, $0.help) }, on: terminal)
        if !command.remarks.isEmpty { terminal.print() }
        for line in command.remarks { terminal.print(line) }
        terminal.print()
        for line in command.exampleLines { terminal.print(line) }
    }

    static func printColumns(_ rows: [(String, String)], on terminal: Terminal) {
        for line in twoColumns(rows) { terminal.print(line) }
    }
}
