import ChemopenFormats
import Testing

/// Reads a file, writes it, reads that and writes it again; returns the first writing once both are the same.
func settled(
    _ text: String, as format: Format = .molfile, _ version: WriteOptions.Version = .asNeeded
) throws -> WrittenText {
    let first = try rewrite(text, as: format, .version(version))
    let second = try rewrite(first.text, as: format, .version(version))
    #expect(second.text == first.text)
    return first
}

/// Expects that each record of a file is written into a format, in each version, as it is written again when it was read.
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
    /// The lines in front of a molfile's only atom, and such an atom.
    static let headOfOne = "a\n\n\n  1  0  0  0  0  0  0  0  0  0999 V2000\n"
    static let carbon = "    0.0000    0.0000    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0\n"
}

/// Molfiles of V3000.
enum V3000 {
    /// A molfile of three carbons in a chain, with lines behind its bonds and behind its table.
    static func chain(_ lines: [String], behind: [String] = []) -> String {
        let head = ["title", "", "", "  0  0  0     0  0            999 V3000", "M  V30 BEGIN CTAB"]
        let table = ["COUNTS 3 2 0 0 0", "BEGIN ATOM", "1 C 0 0 0 0", "2 C 1 0 0 0", "3 C 2 0 0 0", "END ATOM"]
        let bonds = ["BEGIN BOND", "1 1 1 2", "2 1 2 3", "END BOND"]
        return
            (head + (table + bonds + lines + ["END CTAB"] + behind).map { "M  V30 " + $0 } + ["M  END"])
            .map { $0 + "\n" }.joined()
    }

    /// A molfile of atoms, with lines behind them and behind their table.
    static func table(_ atoms: [String], _ lines: [String] = [], behind: [String] = []) -> String {
        (["a", "", "", "  0  0  0     0  0            999 V3000"]
            + (block(atoms, lines) + behind).map { "M  V30 " + $0 } + ["M  END", ""]).joined(separator: "\n")
    }

    /// The lines of a table of atoms, with lines behind them.
    static func block(_ atoms: [String], _ lines: [String] = []) -> [String] {
        ["BEGIN CTAB", "COUNTS \(atoms.count) 0 0 0 0", "BEGIN ATOM"] + atoms + ["END ATOM"] + lines + ["END CTAB"]
    }
}
