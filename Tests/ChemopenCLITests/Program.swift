import Foundation
import TestFolders

/// The built program, run as a separate process in a directory that is deleted after the test.
final class Program {
    struct Outcome {
        let status: Int32
        let output: String
        let errors: String
    }

    private let files: TestFolder

    init() throws {
        files = try TestFolder()
    }

    var folder: String { files.path }

    static var path: String { TestFolder.program }

    static let testData = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("TestData").path

    /// Runs the program. Paths are relative to the directory.
    func callAsFunction(_ arguments: String..., input: String = "") throws -> Outcome {
        try run(Self.path, arguments, input)
    }

    /// Runs the program with a list of arguments.
    func callAsFunction(_ arguments: [String], input: String = "") throws -> Outcome {
        try run(Self.path, arguments, input)
    }

    /// Runs a shell command line in which `chemopen` is the program.
    func shell(_ line: String) throws -> Outcome {
        try run("/bin/sh", ["-c", "chemopen() { '\(Self.path)' \"$@\"; }\n" + line], "")
    }

    private func run(_ executable: String, _ arguments: [String], _ input: String) throws -> Outcome {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: try put(input, at: ".input")))
        let output = FileHandle(forWritingAtPath: try put("", at: ".output"))
        let errors = FileHandle(forWritingAtPath: try put("", at: ".errors"))
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        process.waitUntilExit()
        return Outcome(status: process.terminationStatus, output: text(".output") ?? "", errors: text(".errors") ?? "")
    }

    // MARK: Files

    @discardableResult
    func put(_ text: String, at name: String) throws -> String {
        try files.put(text, at: name)
    }

    func text(_ name: String) -> String? { files.text(name) }

    /// The files that the test and the program created.
    var names: [String] {
        files.names.filter { !$0.hasPrefix(".") }
    }
}

/// Returns a record of an SD file with one atom, a title and data fields.
func record(
    _ title: String, _ fields: (String, String)..., element: String = "C", x: String = "0.0000"
) -> String {
    let column = String(repeating: " ", count: 10 - x.count) + x
    var text = "\(title)\n  someone\n\n  1  0  0  0  0  0  0  0  0  0999 V2000\n"
    text += "\(column)    0.0000    0.0000 \(element)   0  0  0  0  0  0  0  0  0  0  0  0\nM  END\n"
    for (name, value) in fields { text += "> <\(name)>\n\(value)\n\n" }
    return text + "$$$$\n"
}
