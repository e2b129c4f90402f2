import Foundation

/// A directory for a single test, deleted after the test.
package final class TestFolder: Sendable {
    package let path: String

    /// Creates a directory whose name starts with a prefix, which may contain unusual characters.
    package init(_ word: String = "chemopen-") throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(word + UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    package func path(_ name: String) -> String { path + "/" + name }

    package func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
    }

    /// Writes a file, replacing any existing file, and returns its path.
    @discardableResult
    package func put(_ text: String, at name: String, isProgram: Bool = false) throws -> String {
        try put(Array(text.utf8), at: name, isProgram: isProgram)
    }

    @discardableResult
    package func put(_ bytes: [UInt8], at name: String, isProgram: Bool = false) throws -> String {
        let url = URL(fileURLWithPath: path(name))
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try? FileManager.default.removeItem(at: url)
        try Data(bytes).write(to: url)
        if isProgram { try setMode(0o755, of: name) }
        return url.path
    }

    package func text(_ name: String) -> String? {
        FileManager.default.contents(atPath: path(name)).map { String(decoding: $0, as: UTF8.self) }
    }

    package func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
    }

    package func setMode(_ mode: Int, of name: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
    }

    package func mode(of name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? Int
    }

    /// The names of the files in the directory, including hidden files.
    package var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    /// The path of the built program, which is next to the tests.
    package static let program: String = {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("chemopen").path
    }()
}
