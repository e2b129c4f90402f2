import Foundation
import Testing

@Suite("Unusual files", .serialized)
struct HostileFileTests {
    private let desk: Desk

    init() throws {
        desk = try Desk()
    }

    // MARK: A file that changes while it is read

    /// Reads an SD file of 10,000 records, and runs a shell command after the first records. The remaining output
    /// waits in a pipe until then.
    private func info(andMeanwhile line: String) throws -> (status: String, records: Int, errors: String) {
        let record = ethanol + "> <ID>\n7\n\n$$$$\n"
        try desk.put(String(repeating: record, count: 10_000), at: "files/large.sdf")
        let reading = "'\(Desk.program)' info --json large.sdf 2> errors; echo $? > status"
        try desk.run(
            "sh", ["-c", "{ \(reading); } | { head -c 1 > /dev/null; \(line); grep -c '\"atoms\"' > count; }"])
        let count = desk.text("files/count").filter(\.isNumber)
        return (desk.text("files/status"), Int(count) ?? 0, desk.text("files/errors"))
    }

    @Test("if a file is cut off while it is read, the records before the cut are printed, and an error")
    func truncated() throws {
        let outcome = try info(andMeanwhile: "truncate -s 3000100 large.sdf")
        #expect(outcome.status == "1\n")
        #expect((7000..<10_000).contains(outcome.records))
        #expect(outcome.errors.contains("error: large.sdf: another program has changed the file while it was read"))
    }

    @Test("a file replaced during reading is read with its old content")
    func replaced() throws {
        let outcome = try info(andMeanwhile: "echo nothing > new; mv new large.sdf")
        #expect(outcome.status == "0\n" && outcome.records == 10_000 && outcome.errors.isEmpty)
    }

    @Test("a file deleted during reading is read to its end")
    func removed() throws {
        let outcome = try info(andMeanwhile: "rm large.sdf")
        #expect(outcome.status == "0\n" && outcome.records == 10_000 && outcome.errors.isEmpty)
    }

    // MARK: Special files

    @Test("identify reads named pipes, follows links, and reports other paths by name")
    func kinds() throws {
        let file = try desk.put(ethanol, at: "files/a.mol")
        try desk.run("mkfifo", ["pipe.mol"])
        try FileManager.default.createSymbolicLink(atPath: desk.root + "/files/link.mol", withDestinationPath: file)
        try FileManager.default.createSymbolicLink(
            atPath: desk.root + "/files/loop.mol", withDestinationPath: "loop.mol")
        let outcome = try desk.chemopen("identify", "pipe.mol", "link.mol", "loop.mol", ".", "/dev/null")
        #expect(outcome.status == 3)
        #expect(outcome.output == "link.mol: MDL Molfile V2000, chemical/x-mdl-molfile, detected by content\n")
        let lines = outcome.errors.split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines.first == "chemopen: error: pipe.mol: is a named pipe without a writer")
        #expect(lines.last == "chemopen: error: /dev/null: the file is empty")
        for line in ["identify <(cat a.mol)", "identify pipe.mol & cat a.mol > pipe.mol; wait"] {
            let piped = try desk.run("bash", ["-c", "'\(Desk.program)' \(line)"])
            #expect(piped.output.contains("MDL Molfile V2000"))
        }
    }

    @Test("a name with invalid UTF-8 or control characters is identified, and shown without control characters")
    func names() throws {
        try desk.put(ethanol, at: "files/a.mol")
        let line =
            "for n in \"$(printf 'x\\377.mol')\" \"$(printf 'y\\033[31m\\nz.mol')\"; do"
            + " cp a.mol \"$n\"; '\(Desk.program)' identify \"$n\" \"$n.none\"; done"
        let outcome = try desk.run("sh", ["-c", line])
        #expect(outcome.lines.count == 2)
        for line in outcome.lines {
            #expect(line.hasSuffix("mol: MDL Molfile V2000, chemical/x-mdl-molfile, detected by content"))
        }
        let all = outcome.output + outcome.errors
        #expect(all.unicodeScalars.allSatisfy { $0 == "\n" || !(0..<0x20).contains($0.value) })
        #expect(outcome.errors.split(separator: "\n").count == 2)
    }

    @Test("file content reaches the terminal without control characters")
    func contents() throws {
        try desk.addBrowser()
        let steering = ethanol.replacing("ethanol", with: "eth\u{1B}]0;x\u{7}\u{9B}31m").replacing(
            " O  ", with: " \u{1B}[ ")
        try desk.put(steering, at: "files/a.mol")
        try desk.put("\u{1B}[31mhello\n", at: "files/b.mol")
        try desk.put(steering.replacing("0.0000", with: "\u{1B}[3m"), at: "files/c.mol")
        for words in [["identify"], ["info"], ["open", "--list"], ["open", "--view"], ["check"], ["doctor"]] {
            let outcome = try desk.run(Desk.program, words + ["a.mol", "b.mol", "c.mol"])
            let all = outcome.output + outcome.errors
            #expect(!all.isEmpty)
            #expect(
                all.unicodeScalars.allSatisfy {
                    $0 == "\n" || !(0..<0x20).contains($0.value) && !(0x7F..<0xA0).contains($0.value)
                },
                "\(words)")
        }
    }

    // MARK: Declared types

    @Test("a declared type takes precedence over the file name, but never over the content")
    func declaredTypes() throws {
        // A molecule longer than the examined prefix may be the first of several records.
        let head = ethanol.split(separator: "\n", omittingEmptySubsequences: false)
        let atoms = Array(repeating: head[4], count: 999)
        let large = (head[..<3] + ["999  0  0  0  0  0  0  0  0  0999 V2000"] + atoms + ["M  END", ""]).joined(
            separator: "\n")
        try desk.put(large, at: "files/large")
        try desk.put(large, at: "files/large.sdf")
        try desk.put(ethanol, at: "files/a.mol")
        let known = ": MDL Molfile V2000, chemical/x-mdl-molfile, detected by content and declared type\n"
        let type = "Chemical/X-MDL-Molfile; charset=utf-8"
        let outcome = try desk.chemopen("identify", "--mime", type, "large", "large.sdf")
        #expect(outcome.output == "large" + known + "large.sdf" + known)
        #expect(try desk.chemopen("identify", "large").output.contains("MDL SDfile V2000"))
        let wrong = try desk.chemopen("identify", "--mime", "chemical/x-mdl-sdfile", "a.mol")
        #expect(wrong.output == "a.mol: MDL Molfile V2000, chemical/x-mdl-molfile, detected by content\n")
        #expect(wrong.errors == "chemopen: warning: a.mol: was declared as an MDL SDfile, but is an MDL Molfile\n")
        let json = try desk.chemopen("identify", "--json", "--mime", "chemical/x-cdx", "a.mol").output
        #expect(json.contains("\"format\":\"mol\"") && json.contains("\"declared_as\":\"cdx\""))
        let list = try desk.chemopen("open", "--list", "--mime", "chemical/x-mdl-molfile-compressed", "large")
        #expect(list.output.hasPrefix("large: MDL Molfile V2000\n"))
        #expect(try desk.chemopen("identify", "--mime", "sdf", "a.mol").status == 2)
    }
}
