import Foundation
import Testing

@testable import ChemopenBrowse

/// The output of `--json`, validated against `docs/output.schema.json`.
@Suite("JSON output")
struct OutputSchemaTests {
    private static let schema = try? JSONSchema(at: Program.testData + "/../docs/output.schema.json")

    /// Every fixture, passed to a few runs of the program.
    private static let fixtures: [String] = {
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: Program.testData)) ?? []
        return folders.filter { $0 != "help" }.sorted().flatMap { folder in
            let path = Program.testData + "/" + folder
            let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
            return names.filter { !$0.hasSuffix(".md") }.sorted().map { path + "/" + $0 }
        }
    }()

    /// Validates each line of an output against the definition of a command.
    ///
    /// - Returns: The number of lines.
    @discardableResult
    private func hold(_ output: String, against name: String) throws -> Int {
        let schema = try #require(Self.schema)
        let lines = output.split(separator: "\n")
        for line in lines {
            let value = try #require(JSONValue(Array(line.utf8)), "\(line.prefix(300))")
            for name in [name, "line"] {
                let fault = schema.fault(of: value, as: name)
                #expect(fault == nil, "\(name), \(fault ?? ""): \(line.prefix(300))")
            }
        }
        return lines.count
    }

    @Test("matches the schema for every fixture", arguments: ["info", "check", "identify"])
    func fixtures(_ command: String) throws {
        let outcome = try Program()([command, "--json"] + Self.fixtures)
        #expect(try hold(outcome.output, against: command) > 500)
    }

    @Test("matches the schema for statistics of every fixture")
    func statistics() throws {
        let outcome = try Program()(["stats", "--json", "--compute", "mass,formula"] + Self.fixtures)
        #expect(try hold(outcome.output, against: "stats") > 500)
    }

    @Test("matches the schema for conversion reports", arguments: ["mol", "rxn", "ds", "smi"])
    func reports(_ target: String) throws {
        let program = try Program()
        for (place, file) in Self.fixtures.enumerated() where place % 5 == 0 {
            _ = try program("convert", "-f", "--report", "report.jsonl", file, "out.\(target)")
        }
        // Without --on-error, an error in one of these files would end the run.
        let words = ["convert", "-f", "--on-error", "keep", "--report", "all.jsonl", "--to", "sdf"]
        _ = try program(words + Self.fixtures + ["out.sdf"])
        let lines = try hold(program.text("report.jsonl") ?? "", against: "report")
        #expect(try lines + hold(program.text("all.jsonl") ?? "", against: "report") > 100)
    }

    @Test("matches the schema for comparison, editing and history")
    func changes() throws {
        let program = try Program()
        try program.put(record("a", ("X", "1")) + record("b", ("X", "2")) + record("c", ("X", "3")), at: "one.sdf")
        try program.put(record("c", ("X", "3")) + record("a", ("X", "9")) + record("d", element: "N"), at: "two.sdf")
        #expect(try hold(program("diff", "--json", "one.sdf", "two.sdf").output, against: "diff") > 3)
        #expect(
            try hold(program("diff", "--json", Program.testData + "/ds/columns.ds", "one.sdf").output, against: "diff")
                > 0)
        _ = try program.shell(
            """
            git init -q -b main . && git config user.name me && git config user.email me@example.org
            git add one.sdf && git commit -qm first
            """)
        let edits = [
            ["--record", "a", "--set", "X=5"], ["--record", "b", "--title", "B"], ["--record", "c", "--delete"],
        ]
        for edit in edits {
            #expect(try hold(program(["edit", "--json"] + edit + ["one.sdf"]).output, against: "edit") == 1)
        }
        _ = try program.shell("git commit -qam second")
        #expect(try hold(program("history", "--json", "one.sdf").output, against: "history") > 3)
        for command in [["undelete", "--record", "c"], ["revert", "HEAD"], ["restore", "--record", "a"]] {
            try hold(program(command + ["--json", "one.sdf"]).output, against: "edit")
        }
    }

    @Test("matches the schema for information about formats and programs")
    func standing() throws {
        let program = try Program()
        #expect(try hold(program("formats", "--json").output, against: "formats") > 10)
        #expect(try hold(program("handlers", "--json").output, against: "handlers") > 5)
        try hold(program("doctor", "--json").output, against: "doctor")
        try hold(program("recent", "--json").output, against: "recent")
        let files = ["/sdf/vitamins.sdf", "/ds/columns.ds", "/mol/caffeine.mol"].map { Program.testData + $0 }
        #expect(try hold(program(["open", "--json", "--dry-run"] + files).output, against: "open") == 3)
    }

    @Test("matches the schema for install and uninstall")
    func installing() throws {
        let program = try Program()
        let made = try program("install", "--json", "--prefix", "place")
        #expect(try hold(made.output, against: "install") == 1)
        #expect(made.output.contains(#"/place/share/mime/packages/"#))
        let gone = try program("uninstall", "--json", "--prefix", "place")
        #expect(try hold(gone.output, against: "uninstall") == 1)
        #expect(gone.output.contains(#"/place/share/mime/packages/"#) && gone.output.contains(#""left":[]"#))
        #expect(try program("uninstall", "--json", "--prefix", "none").output.hasPrefix(#"{"files":[],"left":[],"#))
        #expect(try program("install", "--json", "--files", "files").status == 2)
        _ = try program.shell("git init -q . && git config merge.chemopen.name mine")
        let set = try program("git-setup", "--json").output
        #expect(try hold(set, against: "git-setup") == 1)
        #expect(set.hasPrefix(#"{"set":true,"attributes":""#))
        #expect(set.hasSuffix(#""kept":[{"key":"merge.chemopen.name","value":"mine"}]}"# + "\n"))
        #expect(try program("git-setup", "--json", "--remove").output == #"{"set":false,"kept":[]}"# + "\n")
    }

    @Test("matches the schema for conversion, search, merge, copy and benchmark")
    func outcomes() throws {
        let program = try Program()
        let vitamins = Program.testData + "/sdf/vitamins.sdf"
        try program.put(record("a", ("X", "1")) + record("b", x: "0.0x00"), at: "a.sdf")
        let made = try program("convert", "--json", "--to", "mol", "--split", "parts", "a.sdf", vitamins)
        #expect(try hold(made.output, against: "convert") == 1)
        #expect(
            made.output.hasPrefix(
                #"{"inputs":["a.sdf","\#(vitamins)"],"output":"parts","format":"mol","read":8,"written":8,"unreadable":1,"#
                    + #""losses":[{"file":"a.sdf","feature":"fields","detail":"X","count":1,"rewritten":false,"#
                    + #""records":1,"list":"1"},{"file":"\#(vitamins)","feature":"fields","detail":"VITAMIN","count":7,"#
                    + #""rewritten":false,"records":7,"list":"1-7"},"#))
        #expect(made.output.contains(#""errors":[{"file":"a.sdf","record":2,"kind":"error","line":"#))
        #expect(made.output.hasSuffix(#""warnings":[],"notes":[],"status":1}"# + "\n"))
        try program.put(record("a", ("X", "2")), at: "ours.sdf")
        try program.put(record("a", ("X", "3")), at: "theirs.sdf")
        let none = try program("convert", "--json", "--where", "Y = 1", "ours.sdf", "none.rdf")
        #expect(none.output.contains(#""output":"none.rdf""#) && none.output.contains(#"no record has a field \"Y\""#))
        let failed = try program("convert", "--json", "a.sdf", "none.rdf")
        #expect(
            failed.output.hasSuffix(
                #""failure":"none.rdf: already exists (use --force to overwrite)","status":5}"# + "\n"))
        let refused = try program("convert", "--json", "a.sdf", "-")
        #expect(refused.status == 2 && refused.output.isEmpty)
        for outcome in [none, failed, try program("convert", "--json", "nothing.sdf", "b.sdf")] {
            #expect(try hold(outcome.output, against: "convert") == 1)
        }
        let found = try program("grep", "--json", "C", "a.sdf", Program.testData + "/cdx/abbreviation-ambiguous.cdx")
        #expect(try hold(found.output, against: "grep") > 1)
        let first = record("a", ("X", "1")).replacing("\n", with: "\\n")
        #expect(
            found.output.hasPrefix(
                #"{"file":"a.sdf","record":1,"kind":"hit","title":"a","format":"sdf","line":1,"offset":0,"text":"\#(first)"}"#
            ))
        #expect(found.output.contains(#"{"file":"a.sdf","record":2,"kind":"error","#))
        let options: [([String], String)] = [
            (["-c"], #"{"file":"\#(vitamins)","kind":"count","hits":4}"#),
            (["-l"], #"{"file":"\#(vitamins)","kind":"file"}"#),
            (
                ["-n", "-m1"],
                #"{"file":"\#(vitamins)","record":2,"kind":"hit","title":"nicotinic acid","format":"sdf","line":50,"offset":1358}"#
            ),
        ]
        for (words, line) in options {
            let outcome = try program(["grep", "--json"] + words + ["[#7]", vitamins])
            #expect(outcome.output == line + "\n")
            try hold(outcome.output, against: "grep")
        }
        try program.put(record("a", ("X", "1")), at: "base.sdf")
        let merged = try program("merge", "--json", "-O", "merged.sdf", "base.sdf", "ours.sdf", "theirs.sdf")
        #expect(try hold(merged.output, against: "merge") == 1)
        #expect(try hold(program("copy", "--json", "--dry-run", vitamins).output, against: "copy") > 5)
        #expect(try hold(program("bench", "--json", "-n1", vitamins).output, against: "bench") == 4)
        #expect(try hold(program("bench", "--json", "--keep", vitamins).output, against: "bench") == 1)
        _ = try program("serve", "--tokens", "tokens", "--add", "anna")
        #expect(try hold(program("serve", "--tokens", "tokens", "--list", "--json").output, against: "serve") == 1)
    }

    @Test("has a schema definition for every command with --json")
    func definitions() throws {
        let program = try Program()
        let commands = try program("help").output.split(separator: "\n")
            .compactMap { $0.hasPrefix("  ") ? $0.split(separator: " ").first.map(String.init) : nil }
        let known = ["restore": "edit", "undelete": "edit", "revert": "edit", "browse": "line"]
        var found = 0
        for command in commands where try program("help", command).output.contains("\n      --json") {
            #expect(Self.schema?.definitions[known[command] ?? command] != nil, "\(command)")
            found += 1
        }
        #expect(found > 8)
    }

    @Test(
        "fails validation if it deviates from the schema",
        arguments: [
            #"{"file":"a","record":1,"kind":"error","line":1,"offset":0}"#,
            #"{"file":"a","record":"1","kind":"error","line":1,"offset":0,"message":"m"}"#,
            #"{"file":"a","record":1,"kind":"error","line":1,"offset":0,"message":"m","more":1}"#,
            #"{"file":"a","record":1,"kind":"molecule","line":1,"offset":0,"message":"m"}"#, "[]", "1",
        ])
    func refused(_ line: String) throws {
        let value = try #require(JSONValue(Array(line.utf8)))
        #expect(Self.schema?.fault(of: value, as: "check") != nil)
    }
}

/// The subset of JSON Schema that `docs/output.schema.json` uses. An unknown keyword is an error.
private struct JSONSchema: Sendable {
    let definitions: [String: JSONValue]

    init(at path: String) throws {
        let whole = try #require(JSONValue([UInt8](Data(contentsOf: URL(fileURLWithPath: path)))))
        definitions = try #require(whole["$defs"]?.object)
    }

    /// Returns the first deviation of a value from a definition, or `nil` if it is valid.
    func fault(of value: JSONValue, as name: String) -> String? {
        guard let schema = definitions[name]?.object else { return "there is no definition \(name)" }
        for (word, said) in schema {
            if let fault = fault(of: value, word, said, schema) { return fault }
        }
        return nil
    }

    private func fault(of value: JSONValue, _ schema: JSONValue) -> String? {
        guard let words = schema.object else { return "\(schema) is no schema" }
        return words.lazy.compactMap { fault(of: value, $0.key, $0.value, words) }.first
    }

    private func fault(of value: JSONValue, _ word: String, _ said: JSONValue, _ schema: [String: JSONValue]) -> String?
    {
        switch (word, said) {
        case ("$ref", .string(let path)): return fault(of: value, as: String(path.dropFirst("#/$defs/".count)))
        case ("anyOf", .array(let schemas)):
            return schemas.contains { fault(of: value, $0) == nil } ? nil : "\(value) is none of what it may be"
        case ("type", .string(let type)): return isOf(type, value) ? nil : "\(value) is no \(type)"
        case ("type", .array(let types)):
            return types.contains { isOf($0.string ?? "", value) } ? nil : "\(value) is none of \(types)"
        case ("const", let constant): return value == constant ? nil : "\(value) is not \(constant)"
        case ("enum", .array(let values)): return values.contains(value) ? nil : "\(value) is none of \(values)"
        case ("items", let items): return value.array?.lazy.compactMap { fault(of: $0, items) }.first
        case ("required", .array(let names)):
            return names.first { value[$0.string ?? ""] == nil }.map { "\($0) is missing" }
        case ("properties", .object(let properties)):
            return properties.lazy.compactMap { name, schema in value[name].flatMap { fault(of: $0, schema) } }.first
        case ("additionalProperties", let said):
            let known = schema["properties"]?.object ?? [:]
            let others = (value.object ?? [:]).filter { known[$0.key] == nil }
            if said == .bool(false) { return others.keys.first.map { "\($0) is not known" } }
            return others.values.lazy.compactMap { fault(of: $0, said) }.first
        default: return "the word \(word) is not known"
        }
    }

    private func isOf(_ type: String, _ value: JSONValue) -> Bool {
        switch (type, value) {
        case ("null", .null), ("string", .string), ("array", .array), ("object", .object), ("boolean", .bool),
            ("number", .number):
            true
        case ("integer", .number(let number)): number == number.rounded()
        default: false
        }
    }
}
