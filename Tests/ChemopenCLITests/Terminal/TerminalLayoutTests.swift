import Chemopen
import Testing

@testable import ChemopenCLI

@Suite("Lines on a terminal")
struct TerminalLayoutTests {
    private static let styles: [Styled.Style] = [.plain, .hit, .heading]

    /// Returns a text of random words, spaces and styles, and its words.
    private func sample(_ numbers: inout Numbers) -> (text: Styled, words: [String]) {
        let letters = ["a", "b", "é", "漢", "e\u{301}", "-", "/", "😀"]
        var (text, words) = (Styled(String(repeating: " ", count: numbers.next(below: 6))), [String]())
        for place in 0..<numbers.next(below: 40) {
            if place > 0 { text.append(String(repeating: " ", count: 1 + numbers.next(below: 3))) }
            var word = ""
            for _ in 0...numbers.next(below: numbers.next(below: 10) == 0 ? 60 : 9) {
                let letter = letters[numbers.next(below: letters.count)]
                // A word can consist of parts in several styles.
                text.append(letter, Self.styles[numbers.next(below: 3)])
                word += letter
            }
            words.append(word)
        }
        return (text, words)
    }

    @Test("a wrapped text has the same words in the same styles, and only a long word exceeds the width")
    func wrapping() {
        var numbers = Numbers(seed: 20)
        for _ in 0..<2000 {
            let (text, words) = sample(&numbers)
            let columns = 20 + numbers.next(below: 181)
            let lines = TextLayout.wrapped(text, to: columns, hanging: [nil, 0, 4, 9][numbers.next(below: 4)])
            #expect(lines.flatMap { $0.text.split(separator: " ").map(String.init) } == words)
            #expect(lines.allSatisfy { $0.width <= columns || $0.text.split(separator: " ").count == 1 })
            if text.width <= columns { #expect(lines == [text]) }
            #expect(cells(lines.reduce(into: Styled()) { $0 += $1 }) == cells(text))
        }
    }

    /// Returns the characters except spaces, with their styles.
    private func cells(_ text: Styled) -> [String] {
        text.parts.flatMap { part in part.text.filter { $0 != " " }.map { "\($0)\(part.style)" } }
    }

    @Test("a truncated text fits and starts like the original, and a fitted one has the exact width")
    func truncation() {
        var numbers = Numbers(seed: 21)
        for _ in 0..<2000 {
            let (text, _) = sample(&numbers)
            let columns = 1 + numbers.next(below: 60)
            let cut = text.truncated(to: columns)
            #expect(cut.width <= columns)
            #expect(cut == text || cut.text.hasSuffix("…") && text.text.hasPrefix(cut.text.dropLast()))
            #expect(text.fitted(to: columns).width == columns)
        }
    }

    @Test("a command line that is continued on several lines is the same command for a shell")
    func commands() throws {
        let chemopen = try Program()
        for command in allCommands {
            for example in [command.example] + command.moreExamples {
                for columns in [40, 60, 80] {
                    let lines = TextLayout.command(example, to: columns, indent: 2).map(\.text)
                    let count = "f() { echo $#; for word; do echo \"$word\"; done; }; set -f; "
                    func words(_ line: String) throws -> String {
                        // A redirection would create a file.
                        try chemopen.shell(count + "f " + line.replacing(">", with: "").replacing("<", with: "")).output
                    }
                    #expect(try words(lines.joined(separator: "\n")) == words(example), "\(lines)")
                }
            }
        }
    }

    @Test("control characters in a styled text are replaced, with and without colors")
    func control() {
        let text = Styled("a\u{1B}[31mb\u{7}", .hit) + "\u{202E}c"
        #expect(text.rendered(colored: false) == "a·[31mb··c")
        #expect(text.rendered(colored: true) == "\u{1B}[1;31ma·[31mb·\u{1B}[0m·c")
    }

    @Test("a table without room for its columns wraps cells, and becomes a list on a narrow terminal")
    func tables() {
        var table = TextTable(["NAME", "TYPES", "NOTE"])
        table.append(["sdf", "chemical/x-mdl-sdfile", "records with data fields, one after the other"])
        table.append(["mol", "chemical/x-mdl-molfile", ""])
        #expect(
            table.lines(fitting: nil).map(\.text)[1].hasSuffix(
                "chemical/x-mdl-sdfile   records with data fields, one after the other"))
        for columns in 20...120 {
            let lines = table.lines(fitting: columns).map(\.text)
            let long = lines.filter { $0.displayWidth > columns && $0.split(separator: " ").count > 1 }
            #expect(long.isEmpty, "\(columns)")
            let words = lines.flatMap { $0.split(separator: " ") }
            for word in ["sdf", "chemical/x-mdl-sdfile", "records", "other", "chemical/x-mdl-molfile"] {
                #expect(words.contains { $0 == word }, "\(columns): \(word)")
            }
        }
    }

    @Test("keys are recognized in any sequence, and unknown sequences are ignored")
    func keys() {
        let known: [(String, Key)] = [
            ("\u{1B}[A", .up), ("\u{1B}OB", .down), ("\u{1B}[5~", .pageUp), ("\u{1B}[6~", .pageDown),
            ("\u{1B}[H", .home), ("\u{1B}[4~", .end), ("\r", .enter), ("\u{7F}", .backspace), ("\t", .tab),
            ("\u{3}", .interrupt), ("q", .character("q")), ("é", .character("é")), ("漢", .character("漢")),
        ]
        var numbers = Numbers(seed: 22)
        for _ in 0..<500 {
            let typed = (0..<numbers.next(below: 8)).map { _ in known[numbers.next(below: known.count)] }
            #expect(Key.keys(in: typed.flatMap { Array($0.0.utf8) }) == typed.map(\.1))
        }
        #expect(Key.keys(in: Array("\u{1B}[1;5P\u{1B}[200~x".utf8)) == [.character("x")])
        #expect(Key.keys(in: [0x1B]) == [.escape])
        for _ in 0..<500 { _ = Key.keys(in: (0..<numbers.next(below: 9)).map { _ in UInt8(numbers.next(below: 256)) }) }
    }

    @Test("the pager is CHEMOPEN_PAGER, PAGER or less, and an empty value or cat is no pager")
    func pager() {
        func command(_ own: String?, _ general: String?, _ terminal: String? = "xterm", less: Bool = true) -> String? {
            Pager.command(own: own, general: general, terminal: terminal) { _ in less }
        }
        #expect(command(nil, nil) == "less")
        #expect(command(nil, nil, less: false) == nil)
        #expect(command("more", "most") == "more")
        #expect(command(nil, "most -s") == "most -s")
        #expect(command("", "most") == nil)
        #expect(command(nil, " cat ") == nil)
        #expect(command("more", nil, "dumb") == nil)
    }

    @Test("a terminal supports sixels if it reports the attribute 4")
    func sixels() {
        for answer in ["\u{1B}[?62;4c", "\u{1B}[?64;1;2;4;22c", "x\u{1B}[?1;4;c"] {
            #expect(TerminalGraphics.reportsSixels(Array(answer.utf8)))
        }
        for answer in ["", "\u{1B}[?4c", "\u{1B}[?62;14;44c", "\u{1B}[?62;4", "62;4c"] {
            #expect(!TerminalGraphics.reportsSixels(Array(answer.utf8)))
        }
    }
}

/// Reproducible random numbers.
struct Numbers {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next(below limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(max(1, limit)))
    }
}
