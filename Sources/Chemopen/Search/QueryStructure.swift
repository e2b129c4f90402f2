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
    /// Creates a pattern from a molecule or reaction, to be found as a substructure.
    ///
    /// - Parameter file: The path of a file with one molecule or reaction, or a SMILES if no such file exists.
    /// - Throws: `QueryStructureError` if the file does not contain exactly one structure or the SMILES is invalid.
    public init(drawnIn file: LocalPath) throws(QueryStructureError) {
        self = try Self.pattern(of: file) { structure throws(DrawnPatternError) in
            switch structure {
            case .molecule(let molecule): try SMARTSPattern(drawn: molecule)
            case .reaction(let reaction): try SMARTSPattern(drawn: reaction)
            }
        }
    }

    /// Creates a pattern for an exact match of a molecule or reaction.
    ///
    /// - Parameter word: The path of a file with one molecule or reaction, or a SMILES if no such file exists.
    /// - Parameter findsRacemates: Whether an enantiomer also matches its racemate.
    /// - Throws: `QueryStructureError` if the file does not contain exactly one structure or the SMILES is invalid.
    public init(exactlyAsIn word: LocalPath, findsRacemates: Bool = false) throws(QueryStructureError) {
        self = try Self.pattern(of: word) { structure throws(DrawnPatternError) in
            switch structure {
            case .molecule(let molecule): SMARTSPattern(exactly: molecule, findsRacemates: findsRacemates)
            case .reaction(let reaction): try SMARTSPattern(exactly: reaction, findsRacemates: findsRacemates)
            }
        }
    }

    private enum Structure {
        case molecule(Molecule)
        case reaction(Reaction)

        /// The structure of a record, or `nil` if it has no atoms.
        init?(_ record: Record) {
            switch record.subject {
            case .molecule(let molecule) where !molecule.atoms.isEmpty: self = .molecule(molecule)
            case .reaction(let reaction) where !reaction.components.isEmpty: self = .reaction(reaction)
            case .molecule, .reaction, .none: return nil
            }
        }
    }

    private static func pattern(
        of word: LocalPath, _ make: (Structure) throws(DrawnPatternError) -> SMARTSPattern
    ) throws(QueryStructureError) -> SMARTSPattern {
        let structure = !word.isDash && fileKind(word) == .missing ? try spelled(word) : try drawn(word)
        do throws(DrawnPatternError) {
            return try make(structure)
        } catch {
            throw QueryStructureError("\(word.shown): \(error)")
        }
    }

    private static func spelled(_ word: LocalPath) throws(QueryStructureError) -> Structure {
        let text = word.text ?? word.shown
        var reader = SMILESReader()
        do throws(SMILESError) {
            try reader.read(text)
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
        let record = reader.reaction.map { Record($0) } ?? Record(reader.molecule)
        guard let structure = Structure(record) else {
            throw QueryStructureError("expected a file or a SMILES to search for")
        }
        return structure
    }

    private static func drawn(_ file: LocalPath) throws(QueryStructureError) -> Structure {
        var found: [Structure?] = []
        do throws(ReadError) {
            var records = try readUnknown(path: file)
            while found.count < 2, var record = try records.next() {
                record.expandAbbreviations()
                found.append(Structure(record))
            }
        } catch {
            throw QueryStructureError("\(error)")
        }
        guard found.count == 1, let structure = found[0] else {
            throw QueryStructureError("\(file.shown): must contain exactly one molecule or reaction to search for")
        }
        return structure
    }
}
