import ChemopenFormats
import Testing

/// Reads a file, writes it, and reads and writes the result again. Returns the first output if both are the same.
func settled(
    _ text: String, as format: Format = .molfile, _ version: WriteOptions.Version = .asNeeded
) throws -> WrittenText {
    let first = try rewrite(text, as: format, .version(version))
    let second = try rewrite(first.text, as: format, .version(version))
    #expect(second.text == first.text)
    return first
}

/// Checks that writing each record of a file in a format, in each version, is stable after reading it back.
func expectSettled(_ what: String, _ text: String, _ source: Format, _ target: Format) throws {
    for case .record(let reading) in try readAll(text, as: source) {
        for version in [WriteOptions.Version.asNeeded, .v2000, .v3000] {
            let first = try write([reading.record], as: target, .version(version)).text
            let second = try write([read(first, as: target).record], as: target, .version(version)).text
            #expect(first == second, "\(what)")
        }
    }
}

extension V2000 {
    /// The lines before the only atom of a molfile, and the line of such an atom.
    static let headOfOne = "a\n\n\n  1  0  0  0  0  0  0  0  0  0999 V2000\n"
    static let carbon = "    0.0000    0.0000    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0\n"
}

/// V3000 molfiles.
enum V3000 {
    /// Returns a molfile of three carbons in a chain, with lines after its bonds and after its table.
    static func chain(_ lines: [String], behind: [String] = []) -> String {
        let head = ["title", "", "", "  0  0  0     0  0            999 V3000", "M  V30 BEGIN CTAB"]
        let table = ["COUNTS 3 2 0 0 0", "BEGIN ATOM", "1 C 0 0 0 0", "2 C 1 0 0 0", "3 C 2 0 0 0", "END ATOM"]
        let bonds = ["BEGIN BOND", "1 1 1 2", "2 1 2 3", "END BOND"]
        return
            (head + (table + bonds + lines + ["END CTAB"] + behind).map { "M  V30 " + $0 } + ["M  END"])
            .map { $0 + "\n" }.joined()
    }

    /// Returns a molfile of atoms, with lines after them and after their table.
    static func table(_ atoms: [String], _ lines: [String] = [], behind: [String] = []) -> String {
        (["a", "", "", "  0  0  0     0  0            999 V3000"]
            + (block(atoms, lines) + behind).map { "M  V30 " + $0 } + ["M  END", ""]).joined(separator: "\n")
    }

    /// Returns the lines of an atom table, followed by other lines.
    static func block(_ atoms: [String], _ lines: [String] = []) -> [String] {
        ["BEGIN CTAB", "COUNTS \(atoms.count) 0 0 0 0", "BEGIN ATOM"] + atoms + ["END ATOM"] + lines + ["END CTAB"]
    }
}
