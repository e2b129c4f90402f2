/// The reason why an argument or a file does not specify a structure to search for.
public struct QueryStructureError: Error, Sendable {
    /// The error message.
    public let message: String
    /// The invalid text, if the text is the reason.
    public let text: String
    /// The invalid part of the text: the index of its first character and its length.
    public let part: (start: Int, count: Int)

    fileprivate init(_ message: String, in text: String = "", at part: (start: Int, count: Int) = (0, 0)) {
        self.message = message
        self.text = text
        self.part = part
    }
}

extension SMARTSPattern {
    /// Creates a pattern from a molecule, to be found as a substructure.
    ///
    /// - Parameter file: The path of a file with one molecule, or a SMILES if no such file exists.
    /// - Throws: `QueryStructureError` if the file does not contain exactly one molecule or the SMILES is invalid.
    public init(drawnIn file: LocalPath) throws(QueryStructureError) {
        self = try Self.pattern(of: file) { molecule throws(DrawnPatternError) in try SMARTSPattern(drawn: molecule) }
    }

    /// Creates a pattern for an exact match of a molecule.
    ///
    /// - Parameter word: The path of a file with one molecule, or a SMILES if no such file exists.
    /// - Parameter findsRacemates: Whether an enantiomer also matches its racemate.
    /// - Throws: `QueryStructureError` if the file does not contain exactly one molecule or the SMILES is invalid.
    public init(exactlyAsIn word: LocalPath, findsRacemates: Bool = false) throws(QueryStructureError) {
        self = try Self.pattern(of: word) { molecule throws(DrawnPatternError) in
            try SMARTSPattern(exactly: molecule, findsRacemates: findsRacemates)
        }
    }

    private static func pattern(
        of word: LocalPath, _ make: (Molecule) throws(DrawnPatternError) -> SMARTSPattern
    ) throws(QueryStructureError) -> SMARTSPattern {
        let molecule = try molecule(in: word)
        do throws(DrawnPatternError) {
            return try make(molecule)
        } catch {
            throw QueryStructureError("\(word.shown): \(error)")
        }
    }

    private static func molecule(in word: LocalPath) throws(QueryStructureError) -> Molecule {
        if !word.isDash, fileKind(word) == .missing {
            let text = word.text ?? word.shown
            let molecule: Molecule
            do throws(SMILESError) {
                molecule = try Molecule(smiles: text)
            } catch {
                if word.folder != "." || FormatRegistry.standard.format(ofName: word) != nil,
                    !text.contains("=")
                {
                    throw QueryStructureError("\(FileError(word, .notFound))")
                }
                let before = String(decoding: Array(text.utf8).prefix(error.range.lowerBound), as: UTF8.self)
                throw QueryStructureError(
                    "neither a file nor a valid SMILES: \(error)", in: text,
                    at: (before.unicodeScalars.count, error.range.count))
            }
            if molecule.atoms.isEmpty {
                throw QueryStructureError("expected a file or a SMILES to search for")
            }
            return molecule
        }
        var found: [Molecule] = []
        do throws(ReadError) {
            var records = try readUnknown(path: word)
            while found.count < 2, var record = try records.next() {
                record.expandAbbreviations()
                // A reaction or an empty record is not a structure to search for.
                found.append(record.molecule ?? Molecule())
            }
        } catch {
            throw QueryStructureError("\(error)")
        }
        guard found.count == 1, !found[0].atoms.isEmpty else {
            throw QueryStructureError("\(word.shown): must contain exactly one molecule to search for")
        }
        return found[0]
    }
}
