import Chemopen
import Foundation
import TestFolders

/// A user with a private desktop: a home directory, data and configuration directories, and only the programs that
/// the test adds.
///
/// The desktop tools of the machine are used. The machine's entries and types are hidden, except the base package of
/// types.
final class Desk {
    struct Outcome {
        let status: Int32
        let output: String
        let errors: String

        var lines: [String] { output.split(separator: "\n").map(String.init) }
    }

    private let files: TestFolder
    private(set) var variables: [String: String] = [:]

    init() throws {
        files = try TestFolder("chemopen desk ")
        let root = files.path
        for folder in ["home", "data", "config", "cache", "run", "bin", "base", "files"] {
            try files.makeFolder(folder)
        }
        try files.setMode(0o700, of: "run")
        variables = [
            "HOME": root + "/home", "XDG_DATA_HOME": root + "/data", "XDG_CONFIG_HOME": root + "/config",
            "XDG_CACHE_HOME": root + "/cache", "XDG_STATE_HOME": root + "/state", "XDG_RUNTIME_DIR": root + "/run",
            "XDG_DATA_DIRS": root + "/base", "XDG_CONFIG_DIRS": root + "/xdg", "PATH": root + "/bin:/usr/bin:/bin",
            "LC_ALL": "C.UTF-8", "DISPLAY": ":99", "DESK": root,
            // No process listens on this address.
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=" + root + "/run/bus",
        ]
        try files.link("bin/chemopen", to: Self.program)
    }

    var root: String { files.path }

    static var program: String { TestFolder.program }

    /// Does the same for a shell command line.
    static var quotedProgram: String { "'\(program)'" }

    static func has(_ programs: String...) -> Bool {
        let session = SessionEnvironment(["PATH": "/usr/bin:/bin"])
        return programs.allSatisfy { session.program($0) != nil }
    }

    /// Replaces the desktop's opener with a script that records the address and opens no page.
    func addBrowser() throws {
        try put("#!/bin/sh\necho \"$1\" >> \"$DESK/page\"\nexit 3\n", at: "bin/xdg-open", isProgram: true)
    }

    // MARK: Running

    @discardableResult
    func chemopen(_ words: String..., with extra: [String: String] = [:]) throws -> Outcome {
        try run(Self.program, words, with: extra)
    }

    /// Runs a desktop tool, or a shell command line with `sh -c`.
    @discardableResult
    func run(_ program: String, _ words: [String], with extra: [String: String] = [:]) throws -> Outcome {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["timeout", "90", program] + words
        process.environment = variables.merging(extra) { $1 }.filter { !$0.value.isEmpty }
        process.currentDirectoryURL = URL(fileURLWithPath: root + "/files")
        let output = root + "/.output"
        let errors = root + "/.errors"
        for path in [output, errors] { _ = FileManager.default.createFile(atPath: path, contents: nil) }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle(forWritingAtPath: output)
        process.standardError = FileHandle(forWritingAtPath: errors)
        try process.run()
        process.waitUntilExit()
        return Outcome(status: process.terminationStatus, output: text(".output"), errors: text(".errors"))
    }

    // MARK: Files

    func text(_ name: String) -> String {
        files.text(name) ?? ""
    }

    @discardableResult
    func put(_ text: String, at name: String, isProgram: Bool = false) throws -> String {
        try files.put(text, at: name, isProgram: isProgram)
    }

    /// Returns all files and directories of the user, with their content.
    func everything() throws -> [String: Data] {
        var found: [String: Data] = [:]
        for folder in ["home", "data", "config", "cache", "state"] {
            let top = root + "/" + folder
            for case let name as String in FileManager.default.enumerator(atPath: top) ?? .init() {
                found[folder + "/" + name] = FileManager.default.contents(atPath: top + "/" + name) ?? Data()
            }
        }
        return found
    }

    // MARK: Types and programs

    /// Adds the base package of types, as on every machine.
    func addBaseTypes() throws {
        try FileManager.default.createDirectory(atPath: root + "/base/mime/packages", withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: "/usr/share/mime/packages/freedesktop.org.xml",
            toPath: root + "/base/mime/packages/freedesktop.org.xml")
        try run("update-mime-database", [root + "/base/mime"])
    }

    /// Installs a program that records its arguments in one line for each start, and the content of the files.
    func addRecorder(_ id: String, _ exec: String = "recorder %F", types: [String], in folder: String = "base") throws {
        try put(
            """
            #!/bin/sh
            line=
            for word in "$@"; do line="$line[$word]"; done
            for word in "$@"; do [ -f "$word" ] && cp "$word" "$DESK/seen.${word##*.}"; done
            printf '%s\\n' "$line" >> "$DESK/started"
            """, at: "bin/recorder", isProgram: true)
        try put(
            """
            [Desktop Entry]
            Type=Application
            Name=\(id) for tests
            Exec=\(exec)
            MimeType=\(types.map { $0 + ";" }.joined())

            """, at: "\(folder)/applications/\(id).desktop")
        try run("update-desktop-database", ["\(root)/\(folder)/applications"])
    }

    /// Waits until a program has started, and returns the arguments of all programs started since the last call.
    func started() throws -> [String] {
        for _ in 0..<100 {
            let lines = text("started").split(separator: "\n").map(String.init)
            if !lines.isEmpty {
                try FileManager.default.removeItem(atPath: root + "/started")
                return lines
            }
            Thread.sleep(forTimeInterval: 0.05)
        }
        return []
    }

    // MARK: Samples

    /// Writes a small file of a format: a fixture, or converted caffeine if there is no fixture.
    func sample(of format: Format, named name: String) throws -> String {
        let data = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("TestData").path
        let folder = data + "/" + format.id
        let target = root + "/files/" + name
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
        let fixture = names.first { name in
            name.hasSuffix("." + format.id) && (try? chemopen("info", folder + "/" + name).status) == 0
                && (try? chemopen("identify", "--json", folder + "/" + name))?.output.contains(
                    "\"format\":\"\(format.id)\"") == true
        }
        if let fixture {
            try FileManager.default.copyItem(atPath: folder + "/" + fixture, toPath: target)
        } else {
            try chemopen("convert", "--to", format.id, data + "/mol/caffeine.mol", target)
        }
        return target
    }
}

/// Ethanol as a molfile.
let ethanol = """
    ethanol
      test

      3  2  0  0  0  0  0  0  0  0999 V2000
        0.0000    0.0000    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0
        1.0000    0.0000    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0
        2.0000    0.0000    0.0000 O   0  0  0  0  0  0  0  0  0  0  0  0
      1  2  1  0
      2  3  1  0
    M  END

    """

/// Ethanol as a V3000 molfile.
let ethanolV3000 = """
    ethanol
      test

      0  0  0     0  0            999 V3000
    M  V30 BEGIN CTAB
    M  V30 COUNTS 3 2 0 0 0
    M  V30 BEGIN ATOM
    M  V30 1 C 0 0 0 0
    M  V30 2 C 1 0 0 0
    M  V30 3 O 2 0 0 0
    M  V30 END ATOM
    M  V30 BEGIN BOND
    M  V30 1 1 1 2
    M  V30 2 1 2 3
    M  V30 END BOND
    M  V30 END CTAB
    M  END

    """

/// Ethanol in SketchEl format.
let ethanolSketch = """
    SketchEl!(3,2)
    C=0.0000,0.0000;0,0
    C=1.2990,0.7500;0,0
    O=2.5981,0.0000;0,0
    1-2=1,0
    2-3=1,0
    !End

    """
