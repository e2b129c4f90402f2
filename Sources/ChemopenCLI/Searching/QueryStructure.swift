import Chemopen

extension Option {
    static let substructure = Option(
        "--substructure", path: "FILE", isRepeatable: true,
        help: "take only records that contain the structure drawn in FILE")
    static let exact = Option(
        "--exact", path: "FILE|SMILES", isRepeatable: true, help: "take only records of this very structure")
}

extension Arguments {
    /// The structure that is drawn in a file, to be found as a part.
    static func substructure(drawnIn file: LocalPath) throws(UsageError) -> SMARTSPattern {
        try pattern(of: file) { molecule throws(DrawnPatternError) in try SMARTSPattern(drawn: molecule) }
    }

    /// The molecule of a file or of a SMILES, to be found as it is.
    static func structure(exactly word: LocalPath) throws(UsageError) -> SMARTSPattern {
        try pattern(of: word) { molecule throws(DrawnPatternError) in try SMARTSPattern(exactly: molecule) }
    }

    private static func pattern(
        of word: LocalPath, _ make: (Molecule) throws(DrawnPatternError) -> SMARTSPattern
    ) throws(UsageError) -> SMARTSPattern {
        let molecule = try molecule(in: word)
        do throws(DrawnPatternError) {
            return try make(molecule)
        } catch {
            throw UsageError("\(word.shown): \(error)")
        }
    }

    /// The only molecule of a file, or that which a SMILES spells where there is no such file.
    private static func molecule(in word: LocalPath) throws(UsageError) -> Molecule {
        if !word.isDash, fileKind(word) == .missing {
            let text = word.text ?? word.shown
            do throws(SMILESError) {
                return try Molecule(smiles: text)
            } catch {
                let before = String(decoding: Array(text.utf8).prefix(error.range.lowerBound), as: UTF8.self)
                throw UsageError(
                    "no file is called so, and as SMILES: \(error)", in: text,
                    at: (before.unicodeScalars.count, error.range.count))
            }
        }
        var found: [Molecule] = []
        do throws(ReadError) {
            var records = try readUnknown(path: word)
            while found.count < 2, var record = try records.next() {
                record.expandAbbreviations()
                // Neither a reaction nor a record of nothing is a structure to look for.
                found.append(record.molecule ?? Molecule())
            }
        } catch {
            throw UsageError("\(error)")
        }
        guard found.count == 1, !found[0].atoms.isEmpty else {
            throw UsageError("\(word.shown): a structure to look for is one molecule in a file of its own")
        }
        return found[0]
    }
}
