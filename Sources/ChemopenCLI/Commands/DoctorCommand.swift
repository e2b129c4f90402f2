import Chemopen
import ChemopenConfinement

/// `chemopen doctor`: finds out why a double click does not work, and how to fix it.
enum DoctorCommand: Command {
    static let name = "doctor"
    static let group = CommandGroup.desktop
    static let isPaged = true
    static let summary = "find out why a double click or a file type does not work, and how to fix it"
    static let usage = "chemopen doctor [options] [FILE...]"
    static let example = "chemopen doctor reaction.rdf"
    static let options: [Option] = [.json]
    static let remarks = [
        "The exit status is 1 if something needs to be fixed."
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        let registry = HandlerRegistry(.current, program: OpenRequest.ownProgram)
        var findings = DesktopCheck(registry).findings(formats: arguments.formats)
        findings.append(Finding(.fine, Confinement.support))
        let check = FileCheck(registry, among: arguments.formats)
        for path in arguments.localFiles() { findings += check.findings(for: path) }
        for finding in findings {
            if arguments.has(.json) { write(finding, on: terminal) } else { print(finding, on: terminal) }
        }
        let problems = findings.count { $0.kind == .problem }
        if !arguments.has(.json) {
            terminal.print(
                problems == 0
                    ? "no problems found" : "\(problems) \(problems == 1 ? "problem" : "problems") to fix")
        }
        return problems == 0 ? .done : .incomplete
    }

    private static func print(_ finding: Finding, on terminal: Terminal) {
        let mark = finding.kind == .problem ? "!" : finding.kind == .advice ? "?" : " "
        terminal.print("\(mark) \(finding.text)")
        if let remedy = finding.remedy { terminal.print("      \(remedy)") }
    }

    private static func write(_ finding: Finding, on terminal: Terminal) {
        var json = JSON()
        json.object { json in
            json.field("kind", finding.kind.rawValue)
            json.field("text", finding.text)
            if let remedy = finding.remedy { json.field("remedy", remedy) }
        }
        json.endLine()
        terminal.write(json.bytes)
    }
}
