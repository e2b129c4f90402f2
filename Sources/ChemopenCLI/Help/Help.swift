/// The help pages, generated from the declarations of the commands.
enum Help {
    static let summary = "read, convert and compare chemical files, and open them"
    static let synopses = ["chemopen FILE...", "chemopen COMMAND [options] FILE..."]
    static let remarks = [
        "The format is detected from the content, also in gzip files. - is standard input or output.",
        "For the options of a command, use chemopen COMMAND --help; for the version, --version.",
        "chemopen help all also lists the commands for other programs.",
    ]
    static let example = "chemopen convert kinases.sdf.gz kinases.rdf"

    /// The topic that lists all commands.
    static let topicOfAll = "all"

    /// The commands that most people need first, in the order of need.
    static let first: [any Command.Type] = [
        InfoCommand.self, ConvertCommand.self, GrepCommand.self, ViewCommand.self, OpenCommand.self,
    ]

    /// Prints the page of the program.
    ///
    /// - Parameter all: whether to list the commands for other programs too.
    static func printOverview(all: Bool = false, on terminal: Terminal) {
        let page = HelpPage(terminal)
        page.heading("chemopen \(version): \(summary)")
        page.usage(synopses)
        let groups = Self.groups(all: all)
        let width = groups.flatMap { $0.commands.map { $0.name.count } }.max() ?? 0
        for (title, commands) in groups {
            page.heading("\(title):", isFollowed: true)
            page.rows(commands.map { ($0.name, $0.summary) }, least: width)
            page.blank()
        }
        page.prose(remarks)
        page.blank()
        page.heading("Exit status:", isFollowed: true)
        page.rows(ExitStatus.allCases.map { ("\($0.rawValue)", $0.meaning) })
        page.blank()
        page.examples(["Example: \(example)"])
    }

    /// The groups of commands: the most needed ones, then the others. Every command is in one group.
    static func groups(all: Bool) -> [(title: String, commands: [any Command.Type])] {
        var groups: [(title: String, commands: [any Command.Type])] = [("Start with", first)]
        for group in CommandGroup.allCases where all || group != .programs {
            let commands = allCommands.filter { command in
                command.group == group && !first.contains { $0.name == command.name }
            }
            if !commands.isEmpty { groups.append((group.rawValue, commands)) }
        }
        return groups
    }

    static func print(_ command: any Command.Type, on terminal: Terminal) {
        let page = HelpPage(terminal)
        page.heading("chemopen \(command.name): \(command.summary)")
        page.usage(command.usage.split(separator: "\n").map(String.init))
        page.rows(command.allOptions.map { ($0.synopsis, $0.help) })
        if !command.remarks.isEmpty { page.blank() }
        page.prose(command.remarks)
        page.blank()
        page.examples(command.exampleLines)
    }
}

/// The layout of a help page: as declared, or wrapped at the width of a terminal.
struct HelpPage {
    private let terminal: Terminal

    init(_ terminal: Terminal) {
        self.terminal = terminal
    }

    func blank() { terminal.print() }

    /// Prints a heading and an empty line.
    func heading(_ text: String, isFollowed: Bool = false) {
        terminal.print(Styled(text, .heading), hanging: 0)
        if !isFollowed { blank() }
    }

    /// Prints the forms of the command line.
    func usage(_ lines: [String]) {
        for (place, line) in lines.enumerated() {
            let text = line.trimmingBlanks
            let label = place == 0 ? Styled("Usage: ", .heading) : Styled("       ")
            terminal.print(label + text, hanging: 9)
        }
        blank()
    }

    /// Prints terms with their descriptions.
    ///
    /// - Parameter least: the minimum width of the terms, to align several lists.
    func rows(_ rows: [(String, String)], least: Int = 0) {
        guard let columns = terminal.columns else {
            for line in twoColumns(rows, least: least) { terminal.print(line) }
            return
        }
        for line in TextLayout.twoColumns(rows, to: columns, least: least) { terminal.print(line) }
    }

    /// Prints lines of prose.
    func prose(_ lines: [String]) {
        guard let columns = terminal.columns else {
            for line in lines { terminal.print(line) }
            return
        }
        for line in TextLayout.prose(lines, to: min(columns, TextLayout.widestProse)) { terminal.print(line) }
    }

    /// Prints examples, with their heading in the same line or in the line before.
    func examples(_ lines: [String]) {
        guard let columns = terminal.columns else {
            for line in lines { terminal.print(line) }
            return
        }
        let label = "Example: "
        for line in lines {
            if line.hasPrefix(label) {
                let text = String(line.dropFirst(label.count))
                if line.displayWidth <= columns {
                    terminal.print(Styled(label, .heading) + text)
                    continue
                }
                terminal.print(Styled("Example:", .heading))
                for part in TextLayout.command(text, to: columns, indent: 2) { terminal.print(part) }
            } else if line.hasPrefix(" ") {
                let text = line.trimmingBlanks
                for part in TextLayout.command(text, to: columns, indent: 2) { terminal.print(part) }
            } else {
                terminal.print(Styled(line, .heading))
            }
        }
    }
}
