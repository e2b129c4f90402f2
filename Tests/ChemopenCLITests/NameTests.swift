import Chemopen
import TestFolders
import Testing

@testable import ChemopenCLI

@Suite("File names")
struct NameTests {
    /// Two names that differ in one byte, and that programs might confuse.
    struct Pair: Sendable, CustomTestStringConvertible {
        let one: [UInt8]
        let other: [UInt8]
        let testDescription: String

        static let all = [
            Pair(one: [0x71, 0xE9], other: [0x71, 0xE8], testDescription: "letters of Latin-1"),
            Pair(one: [0xFF], other: [0xFE], testDescription: "bytes of no encoding"),
            Pair(one: Array("a\nb\tc".utf8), other: Array("a\nb\td".utf8), testDescription: "a line end and a tab"),
            Pair(one: Array("-x".utf8), other: Array("-y".utf8), testDescription: "a dash in front"),
            Pair(one: Array("\\xE9".utf8), other: Array("\\xE8".utf8), testDescription: "what such a byte is shown as"),
        ]
    }

    /// An argument of a command that accepts a path.
    struct Call: Sendable {
        /// `FILE` for an input, `OUT` for an output, or the name of an option.
        let place: String
        /// The arguments after the command, for a file stem without a directory.
        let words: @Sendable (LocalPath) -> [LocalPath]
        /// The files that the command creates, relative to the directory.
        var makes: @Sendable (LocalPath) -> [LocalPath] = { _ in [] }
        /// Whether each of these files contains the title of the record.
        var keepsTitle = true
        /// Whether the command creates additional entries in the directories of these files.
        var makesMore = false
        /// Whether the output contains the name.
        var tells = false
        var input = ""
        /// The command line that runs first.
        var before: @Sendable (LocalPath) -> [LocalPath] = { _ in [] }

        static func reading(_ options: LocalPath..., tells: Bool = false, input: String = "") -> Call {
            Call(place: "FILE", words: { options + ["--", "\($0).sdf"] }, tells: tells, input: input)
        }
    }

    /// Returns the calls for options that select records by a structure.
    private static func choosing(_ options: LocalPath...) -> [Call] {
        (["--substructure", "--exact"] as [LocalPath]).map { option in
            Call(place: option.shown, words: { options + [option, "\($0).sdf", "--", "\($0).sdf"] })
        }
    }

    /// Returns the calls for a command that copies records to a file.
    private static func copying(_ options: [LocalPath], table: Bool = false) -> [Call] {
        (["FILE", "--output", "--substructure", "--exact"] as [LocalPath]).map { place in
            let isChoice = place == "--substructure" || place == "--exact"
            return Call(
                place: place.shown,
                words: { name in
                    let choice: [LocalPath] = isChoice ? [place, "\(name).sdf"] : []
                    let files: [LocalPath] = table ? ["\(name).sdf", "\(name).sdf"] : ["\(name).sdf"]
                    return options + choice + ["--output", "\(name).new.sdf", "--"] + files
                }, makes: { ["\($0).new.sdf"] })
        }
    }

    /// All arguments that accept a path, by command. A command without such an argument has an empty list.
    static let calls: [String: [Call]] = [
        "open": [
            .reading(tells: true), .reading("--json"), .reading("--list", tells: true), .reading("--dry-run"),
            Call(place: "FILE", words: { ["--save-as", "rdf", "--", "\($0).sdf"] }, makes: { ["\(stem($0)).rdf"] }),
            Call(place: "--keep", words: { ["--keep", $0] }),
        ] + choosing("--list"),
        "sort": copying(["-k", "title"]), "uniq": copying(["--by", "title"]), "sample": copying(["1"]),
        "head": copying([]), "tail": copying([]), "select": copying(["--drop", "NOTE"]),
        "stats": [.reading()] + choosing(),
        "split": [
            Call(place: "FILE", words: { ["-n", "9", "--", "\($0).sdf"] }, makes: { ["\(stem($0))-0001.sdf"] }),
            Call(
                place: "--output", words: { ["-n", "9", "--output", $0, "--", "\($0).sdf"] },
                makes: { ["\($0)/\(stem($0))-0001.sdf"] }),
            Call(
                place: "--substructure",
                words: { ["-n", "9", "--output", $0, "--substructure", "\($0).sdf", "--", "\($0).sdf"] },
                makes: { ["\($0)/\(stem($0))-0001.sdf"] }),
            Call(
                place: "--exact",
                words: { ["-n", "9", "--output", $0, "--exact", "\($0).sdf", "--", "\($0).sdf"] },
                makes: { ["\($0)/\(stem($0))-0001.sdf"] }),
        ],
        "join": copying(["--on", "NAME"], table: true),
        "identify": [.reading(tells: true), .reading("--json", tells: true)],
        "info": [.reading(tells: true), .reading("--json", tells: true), .reading("--count")] + choosing(),
        "convert": [
            Call(
                place: "--substructure",
                words: { ["--substructure", "\($0).sdf", "--", "\($0).sdf", "\($0).rdf"] }, makes: { ["\($0).rdf"] }),
            Call(
                place: "--exact", words: { ["--exact", "\($0).sdf", "--", "\($0).sdf", "\($0).rdf"] },
                makes: { ["\($0).rdf"] }),
            Call(place: "FILE", words: { ["--", "\($0).sdf", "\($0).rdf"] }, makes: { ["\($0).rdf"] }),
            Call(
                place: "OUT", words: { ["--", "\($0).sdf", "./\($0).sdf.gz"] }, makes: { ["\($0).sdf.gz"] },
                keepsTitle: false),
            Call(
                place: "FILE", words: { ["-j2", "--to", "rdf", "--output", "\($0).rd", "--", "\($0).sdf"] },
                makes: { ["\($0).rd"] }),
            Call(place: "--output", words: { ["-O", "\($0).ds", "./\($0).sdf"] }, makes: { ["\($0).ds"] }),
            Call(
                place: "--split", words: { ["--split", $0, "--to", "mol", "--", "\($0).sdf"] },
                makes: { ["\($0)/\(stem($0))-000001.mol"] }),
            Call(
                place: "--split",
                words: { ["--split", "./\($0)", "--split-by", "NAME", "--to", "mol", "./\($0).sdf"] },
                makes: { ["\($0)/\(stem($0)).mol"] }),
            Call(
                place: "--report", words: { ["--report", "\($0).jsonl", "--", "\($0).sdf", "\($0).mol"] },
                makes: { ["\($0).jsonl", "\($0).mol"] }, keepsTitle: false),
            Call(
                place: "--style", words: { ["--style", "\($0).cdxml", "--", "\($0).sdf", "\($0).cdx"] },
                makes: { ["\($0).cdxml", "\($0).cdx"] }, before: { ["convert", "--", "\($0).sdf", "\($0).cdxml"] }),
            Call(
                place: "OUT", words: { ["--on-error", "keep", "--from", "rxn", "--", "\($0).sdf", "\($0).rxn"] },
                makes: { ["\($0).rxn.rejects"] }, tells: true),
        ],
        "view": [
            Call(
                place: "FILE", words: { ["-O", "\(stem($0)).html", "--", "\($0).sdf"] }, makes: { ["\(stem($0)).html"] }
            ),
            Call(
                place: "--output", words: { ["--output", "\($0).html", "--", "\($0).sdf"] }, makes: { ["\($0).html"] }),
            Call(
                place: "--substructure",
                words: { ["-O", "\(stem($0)).html", "--substructure", "\($0).sdf", "--", "\($0).sdf"] },
                makes: { ["\(stem($0)).html"] }),
            Call(
                place: "--exact", words: { ["-O", "\(stem($0)).html", "--exact", "\($0).sdf", "--", "\($0).sdf"] },
                makes: { ["\(stem($0)).html"] }),
        ],
        "serve": [
            Call(
                place: "--tokens", words: { ["--tokens", "\($0).tok", "--add", "anna"] }, makes: { ["\($0).tok"] },
                keepsTitle: false)
        ],
        "browse": [.reading("--json", tells: true, input: #"{"request":"NAVIGATION"}"#)] + choosing("--json"),
        "depict": choosing() + [
            .reading(),
            Call(
                place: "OUT", words: { ["--", "\($0).sdf", "\($0).svg"] }, makes: { ["\($0).svg"] }, keepsTitle: false),
            Call(
                place: "--output", words: { ["-O", "\($0).svg", "--", "\($0).sdf"] }, makes: { ["\($0).svg"] },
                keepsTitle: false),
        ],
        "copy": [.reading("--dry-run")] + choosing("--dry-run"),
        "check": [.reading(tells: true), .reading("--json")] + choosing(),
        "edit": choosing("--set", "NOTE=x") + [
            Call(
                place: "--structure", words: { ["--records", "1", "--structure", "\($0).sdf", "--", "\($0).sdf"] }),
            Call(place: "FILE", words: { ["--set", "NOTE=x", "--", "\($0).sdf"] }),
            Call(
                place: "--output", words: { ["--set", "NOTE=x", "-O", "\($0).edt", "--", "\($0).sdf"] },
                makes: { ["\($0).edt"] }),
            Call(
                place: "--insert", words: { ["--insert", "\($0).sdf", "-O", "\($0).two", "--", "\($0).sdf"] },
                makes: { ["\($0).two"] }),
        ],
        "diff": [
            Call(place: "FILE", words: { ["--", "\($0).sdf", "./\($0).sdf"] }),
            Call(
                place: "--output", words: { ["--html", "-O", "\($0).htm", "--", "\($0).sdf", "./\($0).sdf"] },
                makes: { ["\($0).htm"] }, keepsTitle: false),
        ]
            + (["--substructure", "--exact"] as [LocalPath]).map { option in
                Call(place: option.shown, words: { [option, "\($0).sdf", "--", "\($0).sdf", "./\($0).sdf"] })
            },
        "merge": [
            Call(
                place: "--output",
                words: { ["-O", "\($0).mrg", "--", "\($0).sdf", "./\($0).sdf", "\($0).sdf"] }, makes: { ["\($0).mrg"] }),
            Call(
                place: "--name",
                words: { ["--name", $0, "-O", "\($0).mrg", "--", "\($0).sdf", "./\($0).sdf", "\($0).sdf"] },
                makes: { ["\($0).mrg"] }),
        ],
        "textconv": [.reading()], "git-setup": [],
        "grep": [.reading("-c", "*"), .reading("-l", "*", tells: true)] + choosing("-c"),
        "formats": [], "handlers": [], "recent": [], "cache": [], "login": [], "logout": [], "help": [],
        "doctor": [.reading(tells: true), .reading("--json", tells: true)],
        "thumbnail": [
            Call(
                place: "OUT", words: { ["--", "\($0).sdf", "\($0).png"] }, makes: { ["\($0).png"] }, keepsTitle: false)
        ],
        "install": [
            Call(
                place: "--prefix", words: { ["--prefix", $0] },
                makes: { ["\($0)/share/applications/chemopen.desktop", "\($0)/share/chemopen/installed"] },
                keepsTitle: false, makesMore: true),
            Call(
                place: "--files", words: { ["--files", $0] }, makes: { ["\($0)/chemopen.xml"] }, keepsTitle: false,
                makesMore: true),
            Call(
                place: "--staging", words: { ["--staging", $0] },
                makes: { ["\($0)/usr/share/man/man1/chemopen.1"] }, keepsTitle: false, makesMore: true),
        ],
        "uninstall": [
            Call(
                place: "--prefix", words: { ["--prefix", $0] },
                makes: { _ in [] }, before: { ["install", "--prefix", $0] })
        ],
        "bench": [.reading("-n1", "--to", "rdf", tells: true), .reading("--keep", tells: true)] + choosing("-n1"),
    ]

    /// The commands that call git. `HistoryTests` tests them with names that git could misinterpret.
    static let underGit: Set = ["history", "restore", "undelete", "revert"]

    /// The commands that use the clipboard. `ClipboardTests` tests them with unusual names.
    static let onClipboard: Set = ["paste"]

    /// Returns the stem of files that are named after a file or a field with this name.
    private static func stem(_ name: LocalPath) -> LocalPath {
        LocalPath(
            bytes: name.bytes.drop { $0 == UInt8(ascii: "-") }.map { $0 < 0x20 || "\\".utf8.contains($0) ? 0x5F : $0 })
    }

    @Test("the tests cover each path argument of each command")
    func everyPlace() {
        #expect(Set(Self.calls.keys).union(Self.underGit).union(Self.onClipboard) == Set(allCommands.map { $0.name }))
        for command in allCommands where !Self.underGit.union(Self.onClipboard).contains(command.name) {
            let tried = Set((Self.calls[command.name] ?? []).map(\.place))
            for option in command.allOptions where option.isPath {
                #expect(tried.contains(option.name), "\(command.name) \(option.name)")
            }
            for word in ["FILE", "OUT", "IN", "A B"] where command.usage.contains(word) {
                #expect(!tried.isEmpty, "\(command.usage)")
            }
            for option in command.allOptions where ["FILE", "DIR", "FOLDER", "OUT", "PAGE"].contains(option.value) {
                #expect(option.isPath, "\(command.name) \(option.name)")
            }
        }
    }

    @Test(
        "a command reads and writes exactly the specified files, and prints their names correctly",
        arguments: allCommands.map { $0.name }, Pair.all)
    func everyCommand(_ command: String, _ pair: Pair) throws {
        for call in Self.calls[command] ?? [] {
            let desk = try NameDesk()
            var expected: Set<LocalPath> = []
            for (bytes, title) in [(pair.one, "first"), (pair.other, "second")] {
                let name = LocalPath(bytes: bytes)
                // A field cannot contain a line end.
                let field = bytes.map { $0 < 0x20 ? UInt8(ascii: "_") : $0 }
                try desk.put(sample(title, field), at: "\(name).sdf")
                expected.insert("\(name).sdf")
            }
            // A program that replaces invalid bytes in names would use these files.
            try desk.put(Array("decoy".utf8), at: "q\u{FFFD}.sdf")
            try desk.put(Array("decoy".utf8), at: "\u{FFFD}.sdf")
            expected.formUnion(["q\u{FFFD}.sdf", "\u{FFFD}.sdf"])
            for (bytes, title) in [(pair.one, "first"), (pair.other, "second")] {
                let name = LocalPath(bytes: bytes)
                let before = call.before(name)
                if !before.isEmpty { try desk.run(before) }
                let outcome = try desk.run([LocalPath(command)] + call.words(name), input: call.input)
                let text = outcome.output + outcome.errors
                let line = "\(call.words(name).map(\.shown)) \(text)"
                #expect(outcome.status <= 1, "\(line)")
                #expect(!text.contains("\u{FFFD}") && !text.contains("/proc/"), "\(line)")
                if call.tells {
                    let shown = LocalPath(bytes: bytes.map { $0 < 0x20 ? UInt8(ascii: "*") : $0 }).shown
                    let told = text.replacing("·", with: "*").replacing("\\n", with: "*").replacing("\\t", with: "*")
                        .replacing(#"\\"#, with: #"\"#)
                    #expect(told.contains(shown.replacing(#"\\"#, with: #"\"#) + ".sdf"), "\(line)")
                }
                for file in call.makes(name) {
                    expected.insert(file)
                    let content = try desk.bytes(of: file)
                    #expect(content != nil, "\(line)")
                    guard call.keepsTitle, let content else { continue }
                    #expect(String(decoding: content, as: UTF8.self).contains(title), "\(line)")
                }
            }
            let found = try desk.names()
            if call.makesMore {
                #expect(Set(found.map(\.firstPart)) == Set(expected.map(\.firstPart)), "\(call.place)")
            } else {
                #expect(found == expected, "\(call.place)")
            }
        }
    }

    private func sample(_ title: String, _ field: [UInt8]) -> [UInt8] {
        let record = Array(record(title).utf8)
        let end = Array("$$$$\n".utf8)
        return record.dropLast(end.count) + Array("> <NAME>\n".utf8) + field + Array("\n\n".utf8) + end
    }
}

/// A directory of files with arbitrary names, and the program that runs in it.
private struct NameDesk {
    private let program: Program
    /// The home directory, separate from the files of the test.
    private let home: TestFolder

    init() throws {
        program = try Program()
        home = try TestFolder()
    }

    private func path(_ name: LocalPath) -> LocalPath {
        LocalPath(program.folder).appending(name)
    }

    func put(_ bytes: [UInt8], at name: LocalPath) throws {
        var sink = try ByteSink(path: path(name), replacing: true)
        sink.bytes = bytes
        try sink.commit()
    }

    func bytes(of name: LocalPath) throws -> [UInt8]? {
        fileKind(path(name)) == .missing ? nil : try readFile(path(name))
    }

    /// Returns the names of all files, including those in subdirectories.
    func names() throws -> Set<LocalPath> {
        var names: Set<LocalPath> = []
        var folders: [LocalPath?] = [nil]
        while let folder = folders.popLast() {
            for entry in try folderEntries(folder.map(path) ?? LocalPath(program.folder)) {
                let name = folder.map { $0.appending(entry) } ?? entry
                if entry.hasPrefix(".") { continue }
                if fileKind(path(name)) == .directory { folders.append(name) } else { names.insert(name) }
            }
        }
        return names
    }

    /// Runs the program through a script, because `Process` cannot pass arguments with arbitrary bytes.
    @discardableResult
    func run(_ words: [LocalPath], input: String = "") throws -> Program.Outcome {
        let quote = UInt8(ascii: "'")
        let line = words.flatMap { word in
            Array(" '".utf8) + word.bytes.flatMap { $0 == quote ? Array("'\\''".utf8) : [$0] } + [quote]
        }
        try program.put(input, at: ".request")
        let variables = ["HOME", "XDG_RUNTIME_DIR", "XDG_DATA_DIRS", "XDG_CONFIG_DIRS", "TMPDIR"]
            .map { "\($0)='\(home.path)'" }.joined(separator: " ")
        let script =
            "unset DISPLAY WAYLAND_DISPLAY XDG_DATA_HOME XDG_CONFIG_HOME XDG_CACHE_HOME XDG_STATE_HOME; "
            + "export \(variables); chemopen"
        try put(Array(script.utf8) + line + Array(" < .request\n".utf8), at: ".script")
        return try program.shell(". ./.script")
    }
}

extension LocalPath {
    fileprivate var firstPart: LocalPath { LocalPath(bytes: Array(bytes.prefix { $0 != UInt8(ascii: "/") })) }
}
