import Foundation
import Testing

@testable import ChemopenCLI

@Suite("Help")
struct HelpTests {
    let chemopen: Program

    init() throws {
        chemopen = try Program()
    }

    static let pages: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: Program.testData + "/help")) ?? []
        return names.filter { $0.hasSuffix(".txt") }.map { String($0.dropLast(4)) }.sorted()
    }()

    private func page(_ name: String) throws -> String {
        try String(contentsOfFile: Program.testData + "/help/\(name).txt", encoding: .utf8)
    }

    @Test("each help page matches its stored copy", arguments: pages)
    func wholePage(_ name: String) throws {
        let outcome = name == "chemopen" ? try chemopen("--help") : try chemopen(name, "--help")
        #expect(outcome.output == (try page(name)))
        #expect(outcome.status == 0)
    }

    @Test("each command has a help page, an example and a --help option")
    func everyCommand() throws {
        let commands = allCommands.map { $0.name }
        #expect(commands.sorted() == Self.pages.filter { $0 != "chemopen" })
        for command in commands {
            let page = try page(command)
            #expect(page.contains("\nExample: chemopen ") || page.contains("\nExamples:\n  chemopen "))
            // As in grep, -h omits the names of files.
            #expect(page.contains(command == "grep" ? "      --help  " : "-h, --help"))
            #expect(page.split(separator: "\n").allSatisfy { $0.count <= 100 })
        }
    }

    @Test("help COMMAND shows the page of the command")
    func helpCommand() throws {
        #expect(try chemopen("help", "info").output == (try page("info")))
    }

    @Test("help obabel refers only to existing options, and an option of obabel causes an error with its equivalent")
    func obabel() throws {
        let page = try chemopen("help", "obabel").output
        var known: Set<String> = ["--help"]
        for command in allCommands {
            for option in command.options { known.insert(option.name) }
        }
        for line in page.split(separator: "\n").map(String.init) where line.hasPrefix("  ") {
            #expect(line.count <= 100)
            let here = line.components(separatedBy: "  ").last ?? ""
            let words = here.components(separatedBy: CharacterSet(charactersIn: " ;,"))
            for word in words where word.hasPrefix("--") { #expect(known.contains(word), "\(line)") }
        }
        let refused = try chemopen("convert", "-m", "a.sdf", "b.sdf")
        #expect(refused.status == 2)
        #expect(refused.errors.hasPrefix("chemopen: error: there is no option -m; obabel's -m: --split DIR\n"))
        let filter = try chemopen("convert", "--filter", "MASS<5", "a.sdf", "b.sdf").errors
        #expect(filter.hasPrefix("chemopen: error: there is no option --filter; obabel's --filter: --where"))
    }

    @Test("--version prints one line")
    func version() throws {
        #expect(try chemopen("--version").output.hasPrefix("chemopen 0."))
    }
}
