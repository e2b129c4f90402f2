import ChemopenFormats
import ChemopenModel
import Testing

/// A file in `bad` with the verdict in its README.
struct BadFile: Sendable, CustomTestStringConvertible {
    let name: String
    let verdict: String

    var testDescription: String { "\(name): \(verdict)" }

    /// All molfiles and SD files in the README, except files whose content has another format.
    static let all: [BadFile] = {
        guard let bytes = try? Fixture("bad/README.md").bytes else { return [] }
        return Text(bytes: bytes).string.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingBlanks }
            guard cells.count == 4, cells[0].hasPrefix("`"), cells[0].hasSuffix(".mol`") || cells[0].hasSuffix(".sdf`")
            else {
                return nil
            }
            let verdict = String(cells[2].drop { $0 == "`" }.prefix { $0 != "`" })
            if verdict == "not recognized" || verdict == "read" { return nil }
            return BadFile(name: String(cells[0].dropFirst().dropLast()), verdict: verdict)
        }
    }()
}

extension Substring {
    fileprivate var trimmingBlanks: Substring {
        var text = self
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return text
    }
}

@Suite("Broken files")
struct BadFileTests {
    @Test("each broken file has the verdict in the README", arguments: BadFile.all)
    func verdict(of file: BadFile) throws {
        let isTable = file.name.hasSuffix(".sdf")
        let outcomes = try readAll(Fixture("bad/" + file.name).bytes, as: isTable ? .sdfile : .molfile)
        let isRefused = outcomes.contains { $0.error != nil }
        let isRead = outcomes.contains { $0.reading != nil }
        let isTold = isRefused || outcomes.contains { $0.reading?.doubtfulLines.isEmpty == false }
        switch file.verdict {
        case "refused": #expect(isRefused && !isRead)
        case "read with a warning": #expect(isRead && isTold)
        case "refused or read with a warning": #expect(isTold)
        default: Issue.record("unknown verdict")
        }
    }

    @Test("an error is one line with the file, line, column, expected and found text")
    func description() {
        var error = ReadError(file: "a.sdf", record: 2, offset: 99, expected: "an atom line", found: "x")
        #expect(error.description == "a.sdf: expected an atom line, found \"x\" (record 2, byte 99)")
        error.line = 5
        #expect(error.description == "a.sdf:5: expected an atom line, found \"x\" (record 2)")
        error.columns = 3..<4
        #expect(error.description == "a.sdf:5:3: expected an atom line, found \"x\" (record 2)")
    }

    @Test("an error shows at most sixty characters of the found text, with an ellipsis if it is longer")
    func longText() {
        let sixty = Text(String(repeating: "é", count: 59) + "\t")
        #expect(sixty.shown == String(repeating: "é", count: 59) + "·")
        #expect(Text(sixty.string + "x").shown == String(repeating: "é", count: 59) + "·…")
    }

    @Test("the README lists the broken files")
    func named() {
        #expect(BadFile.all.count > 100)
    }
}
