import Foundation
import Testing

@testable import ChemopenCLI

/// Conflict markers that a line-based merge left in a file.
@Suite("Conflict markers in a file")
struct ConflictTests {
    let chemopen: Program

    init() throws {
        chemopen = try Program()
    }

    private let ours = "<<<<<<< ours\nfrom A\n=======\n"
    private let theirs = "from B\n>>>>>>> theirs\n"

    @Test(
        "check reports the lines of a conflict for any line end or compression, and strict conversion writes no output",
        arguments: ["\n", "\r\n"])
    func told(_ lineEnd: String) throws {
        let text = record("m1", ("NOTE", "x")).replacing("x\n\n", with: "\(ours)\(theirs)\n").replacing(
            "\n", with: lineEnd)
        try chemopen.put(text, at: "a.sdf")
        let message = "a.sdf:8: warning: unresolved git conflict up to line 12"
        let outcome = try chemopen("check", "a.sdf")
        #expect(outcome.output.hasPrefix(message))
        #expect(outcome.status == 1)
        let refused = try chemopen("convert", "--strict", "a.sdf", "b.sdf")
        #expect(refused.errors.hasPrefix("a.sdf:8: error: unresolved git conflict up to line 12"))
        #expect(refused.status == 1)
        #expect(chemopen.text("b.sdf") == nil)
        #expect(try chemopen("convert", "a.sdf", "b.sdf").status == 0)
        #expect(
            try chemopen.shell("gzip a.sdf; chemopen check a.sdf.gz").output.hasPrefix(
                "a.sdf.gz:8: warning: unresolved git conflict"))
    }

    @Test(
        "markers out of order, alone or inside a line are not a conflict",
        arguments: [
            "=======\n", ">>>>>>> b\n=======\n<<<<<<< a\n", "<<<<<<< a\n>>>>>>> b\n",
            " <<<<<<< a\n=======\n>>>>>>> b\n",
            "<<<<<<< a\n========\n>>>>>>> b\n", "<<<<<<<\n=======\n>>>>>>>\n",
        ])
    func falseAlarms(_ value: String) throws {
        try chemopen.put(record("m1", ("NOTE", "x")).replacing("x\n\n", with: "\(value)\n"), at: "a.sdf")
        #expect(try !chemopen("check", "a.sdf").output.contains("git conflict"))
        #expect(try !chemopen("convert", "--strict", "a.sdf", "b.sdf").errors.contains("git conflict"))
    }

    @Test("a marker is found at any position relative to the block boundaries")
    func blocks() throws {
        for length in stride(from: 65_500, through: 65_560, by: 7) {
            let long = String(repeating: "x", count: length)
            let text = record("m1", ("NOTE", "x")).replacing("x\n\n", with: "\(long)\n\(ours)\(theirs)\n")
            try chemopen.put(text, at: "a.sdf")
            #expect(
                try chemopen("check", "a.sdf").output.contains("a.sdf:9: warning: unresolved git conflict"), "\(length)"
            )
        }
    }

    @Test(
        "a conflict is reported in a file of every format",
        arguments: ["mol", "rxn", "rdf", "ds", "csv", "jsonl", "smi", "el", "cdxml"])
    func formats(_ id: String) throws {
        let folder = Program.testData + "/" + id
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        let name = try #require(names.first { $0.hasSuffix(".\(id)") })
        let text = try String(contentsOfFile: folder + "/" + name, encoding: .isoLatin1)
        try chemopen.put(text.hasSuffix("\n") ? text + ours + theirs : text + "\n" + ours + theirs, at: "a.\(id)")
        #expect(try chemopen("check", "a.\(id)").output.contains(": warning: unresolved git conflict"))
    }
}
