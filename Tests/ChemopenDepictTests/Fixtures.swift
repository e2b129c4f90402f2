import Foundation

/// The test files of all formats.
enum Fixtures {
    static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("TestData").path

    static func paths(in name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder + "/" + name).sorted()
            .filter { !$0.hasSuffix(".txt") && !$0.hasSuffix(".md") }.map { "\(folder)/\(name)/\($0)" }
    }
}
