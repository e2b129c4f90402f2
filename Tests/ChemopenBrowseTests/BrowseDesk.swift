import Chemopen
import Foundation
import TestFolders

@testable import ChemopenBrowse

/// A directory of files to browse, with its own cache. It is deleted after the test.
final class BrowseDesk {
    private let files: TestFolder

    init() throws {
        files = try TestFolder()
    }

    var folder: String { files.path }

    var session: SessionEnvironment { SessionEnvironment(["XDG_CACHE_HOME": folder + "/cache", "HOME": folder]) }

    @discardableResult
    func put(_ text: String, at name: String) throws -> String {
        try files.put(text, at: name)
    }

    func browse(_ paths: String...) -> BrowseService {
        BrowseService(paths, in: session)
    }
}

/// Returns the rows of a response, without the two leading columns that every row has.
func rows(_ answer: String) -> [[String]] {
    table(answer).map { $0.dropFirst(2).map(\.shown) }
}

private func table(_ answer: String) -> [[JSONValue]] {
    (JSONValue(Array(answer.utf8))?["rows"]?.array ?? []).map { $0.array ?? [] }
}

func ids(_ answer: String) -> [String] {
    table(answer).compactMap { $0.first?.string }
}

extension JSONValue {
    /// The value in the notation of the tests.
    fileprivate var shown: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let value): "\(value)"
        case .string(let text): text
        case .array(let values): "[" + values.map(\.shown).joined(separator: ",") + "]"
        case .object(let members): "{" + members.keys.sorted().joined(separator: ",") + "}"
        }
    }
}

/// Returns a record of an SD file.
func record(_ title: String, _ atoms: [String], bonds: Int = 0, fields: [(String, String)] = []) -> String {
    var text = "\(title)\n\n\n"
    func column(_ number: Int) -> String { String(repeating: " ", count: 3 - "\(number)".count) + "\(number)" }
    text += "\(column(atoms.count))\(column(bonds))  0  0  0  0  0  0  0  0999 V2000\n"
    for (place, atom) in atoms.enumerated() {
        text += "    \(place).0000    0.0000    0.0000 \(atom)   0  0\n"
    }
    for bond in 0..<bonds { text += "\(column(bond + 1))\(column(bond + 2))  1  0\n" }
    text += "M  END\n"
    for (name, value) in fields { text += "> <\(name)>\n\(value)\n\n" }
    return text + "$$$$\n"
}
