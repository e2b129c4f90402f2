import Foundation
import TestFolders
import Testing

/// Truncated inputs and expensive records on the command line.
@Suite("Input that cannot be read to its end")
struct SafetyTests {
    private func damaged(in chemopen: Program) throws {
        let text = (0..<400).map { record("record \($0)", ("F", "\($0)")) }.joined()
        try chemopen.put(text, at: "a.sdf")
        let packed = try chemopen.shell(
            "gzip -k a.sdf && head -c $(($(stat -c %s a.sdf.gz) * 2 / 3)) a.sdf.gz > cut.sdf.gz")
        #expect(packed.status == 0)
    }

    @Test(
        "a truncated input does not replace a picture, a page or a file, and exits with status 3",
        arguments: [
            ["convert", "-f", "--to", "sdf", "cut.sdf.gz", "old"],
            ["convert", "-f", "--to", "ds", "cut.sdf.gz", "old"],
            ["convert", "-f", "--to", "jsonl", "-j", "2", "cut.sdf.gz", "old"],
            ["depict", "-f", "-o", "svg", "-O", "old", "cut.sdf.gz"], ["view", "-f", "-O", "old", "cut.sdf.gz"],
        ])
    func leavesTheOldFile(words: [String]) throws {
        let chemopen = try Program()
        try damaged(in: chemopen)
        try chemopen.put("OLD", at: "old")
        let names = chemopen.names
        let outcome = try chemopen(words)
        #expect(outcome.status == 3, "\(outcome.errors)")
        #expect(chemopen.text("old") == "OLD")
        #expect(chemopen.names == names)
        #expect(outcome.errors.contains("damaged or truncated gzip data"))
    }

    @Test("with --on-error keep, the records of a truncated input are saved next to the output")
    func keepsAPart() throws {
        let chemopen = try Program()
        try damaged(in: chemopen)
        try chemopen.put("OLD", at: "old.sdf")
        let outcome = try chemopen("convert", "-f", "--on-error", "keep", "cut.sdf.gz", "old.sdf")
        #expect(outcome.status == 3, "\(outcome.errors)")
        #expect(chemopen.text("old.sdf") == "OLD")
        let part = try #require(chemopen.text("old.sdf.partial"))
        #expect(part.hasSuffix("$$$$\n") && chemopen.text("a.sdf")?.hasPrefix(part) == true)
        #expect(outcome.errors.contains("old.sdf.partial"))
    }

    @Test("a broken record in a complete file affects only itself")
    func brokenRecord() throws {
        let chemopen = try Program()
        try chemopen.put(record("a") + "b\n\n\nno counts\n$$$$\n" + record("c"), at: "a.sdf")
        #expect(try chemopen("convert", "a.sdf", "b.sdf").status == 1)
        #expect(chemopen.text("b.sdf") == record("a") + record("c"))
    }

    @Test("the processor time of a thumbnail is limited to two seconds")
    func thumbnail() throws {
        let chemopen = try Program()
        var seed: UInt64 = 7
        func random() -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 40) % 500
        }
        let points = (0..<60_000).map { _ in "\(random()) \(random())" }.joined(separator: " ")
        let curve = "<curve id=\"9\" CurvePoints=\"\(points)\" LineWidth=\"3\" FillType=\"Solid\"/>"
        let atom = "<fragment id=\"2\"><n id=\"3\" p=\"10 10\"/></fragment>"
        try chemopen.put("<CDXML><page id=\"1\">\(atom)\(curve)</page></CDXML>", at: "a.cdxml")
        let line = "TIMEFORMAT='%U %S'; time \(Program.path) thumbnail a.cdxml a.png"
        let outcome = try chemopen.shell("bash -c \"\(line)\" 2> told; echo $? >> told; cat told")
        let lines = outcome.output.split(separator: "\n")
        #expect(["0", "3", "5"].contains(lines.last), "\(outcome.output)")
        let seconds = try #require(lines.dropLast().last).split(separator: " ").compactMap { Double($0) }
        #expect(seconds.count == 2 && seconds.reduce(0, +) < 2.5, "\(outcome.output)")
    }

    @Test("a record with too many atoms is rejected quickly")
    func atoms() throws {
        let chemopen = try Program()
        try chemopen.put(String(repeating: "C", count: 1_000_000) + " long\nCCO ethanol\n", at: "a.smi")
        let outcome = try chemopen("convert", "--canonical", "--to", "smi", "-O", "-", "a.smi")
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("ethanol"))
        #expect(outcome.errors.contains("fewer atoms"))
    }
}
