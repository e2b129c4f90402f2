/// The manual page chemopen(1), generated from the declarations of the commands.
enum ManualPage {
    static func text(of commands: [any Command.Type]) -> String {
        var page = Roff()
        page.request("TH", "CHEMOPEN", "1", "", "chemopen \(version)", "User Commands")
        page.section("NAME")
        page.text("chemopen - \(Help.summary)")
        page.section("SYNOPSIS")
        page.asItStands(Help.synopses)
        page.section("DESCRIPTION")
        page.text(Help.remarks.joined(separator: "\n"))
        page.section("COMMANDS")
        for command in commands { page.add(command) }
        page.section("CONDITIONS")
        page.asItStands(ConditionHelp.lines)
        page.section("EXIT STATUS")
        for status in ExitStatus.allCases { page.item("\(status.rawValue)", status.meaning) }
        page.section("EXAMPLE")
        page.asItStands([Help.example])
        return page.text
    }
}

/// Text in the markup language of manual pages.
private struct Roff {
    private(set) var text = ""

    /// Adds a formatting request.
    mutating func request(_ name: String, _ words: String...) {
        text += ".\(name)" + words.map { " \"\(Self.escaped($0))\"" }.joined() + "\n"
    }

    mutating func section(_ title: String) {
        request("SH", title)
    }

    mutating func text(_ words: String) {
        for line in words.split(separator: "\n", omittingEmptySubsequences: false) {
            text += Self.line(String(line)) + "\n"
        }
    }

    /// Adds lines that are not joined.
    mutating func asItStands(_ lines: [String]) {
        request("nf")
        for line in lines { text(line) }
        request("fi")
    }

    /// Adds a term with its description.
    mutating func item(_ term: String, _ meaning: String) {
        request("TP")
        text += "\\fB\(Self.escaped(term))\\fR\n"
        text(meaning)
    }

    mutating func add(_ command: any Command.Type) {
        request("SS", command.name)
        text(command.summary)
        request("PP")
        asItStands([command.usage])
        for option in command.allOptions { item(option.names, option.help) }
        request("PP")
        asItStands(command.remarks + (command.remarks.isEmpty ? [] : [""]) + command.exampleLines)
    }

    /// Escapes a line that would be parsed as a request.
    private static func line(_ text: String) -> String {
        let isRequest = text.hasPrefix(".") || text.hasPrefix("'")
        return (isRequest ? "\\&" : "") + escaped(text)
    }

    private static func escaped(_ text: String) -> String {
        text.replacingEach("\\", by: "\\e").replacingEach("-", by: "\\-").replacingEach("\"", by: "\\(dq")
            .replacingEach("'", by: "\\(aq")
    }
}
