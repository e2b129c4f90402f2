import Testing

@testable import ChemopenCLI

/// The completions are also tested in the shells themselves, by Tests/Desktop/shells.
@Suite("Manual page and shell completions")
struct CompletionTests {
    private let completion = Completion(commands: allCommands)
    private let manual = ManualPage.text(of: allCommands)

    @Test(
        "the manual and the completions contain every command and every option of the help",
        arguments: allCommands.map { $0.name })
    func options(_ name: String) throws {
        let command = try #require(allCommands.first { $0.name == name })
        let bash = try #require(completion.bash.range(of: "        \(name))\n", upTo: ";;\n        "))
        let zsh = try #require(completion.zsh.range(of: "    \(name))\n", upTo: "    ;;\n"))
        let fish = completion.fish.split(separator: "\n").filter { $0.contains("from \(name)'") }
        let entry = try #require(manual.range(of: ".SS \"\(name.replacing("-", with: "\\-"))\"", upTo: "Example"))
        for option in command.allOptions {
            let long = option.name.dropFirst(2)
            #expect(entry.contains(option.names.replacing("-", with: "\\-").replacing("'", with: "\\(aq")))
            #expect(bash.contains(option.name))
            #expect(zsh.contains(option.name))
            #expect(fish.contains { $0.contains(" -l \(long) ") })
            guard let short = option.short else { continue }
            #expect(bash.contains("\(short) "))
            #expect(zsh.contains("{\(short),"))
            #expect(fish.contains { $0.contains(" -s \(short.dropFirst()) -l \(long) ") })
        }
    }

    @Test("the completions list the values of an option with a fixed set of values")
    func choices() {
        #expect(Option.valence.choices == ["2009", "2017"])
        #expect(completion.bash.contains("--on-error) is_value=1 choices='stop skip keep' ;;"))
        let help = "write FORMAT; by default the extension of OUT decides"
        #expect(completion.zsh.contains("'(-o --to)'{-o,--to=}'[\(help)]:FORMAT:(el ds "))
        #expect(completion.fish.contains(" -l valence -x -a '2009 2017' -d 'count hydrogens by MDL'\\''s rule"))
    }

    @Test("a line of the manual that starts with a period is not a roff request")
    func requests() {
        #expect(manual.hasPrefix(".TH \"CHEMOPEN\" \"1\" \"\" \"chemopen \(version)\" \"User Commands\"\n"))
        let requests = Set(manual.split(separator: "\n").filter { $0.hasPrefix(".") }.map { $0.prefix(3) })
        #expect(requests == [".TH", ".SH", ".SS", ".PP", ".TP", ".nf", ".fi"])
    }
}

extension String {
    /// Returns the part between two texts.
    fileprivate func range(of start: String, upTo end: String) -> Substring? {
        guard let start = firstRange(of: start) else { return nil }
        guard let end = self[start.upperBound...].firstRange(of: end) else { return self[start.upperBound...] }
        return self[start.upperBound..<end.lowerBound]
    }
}
