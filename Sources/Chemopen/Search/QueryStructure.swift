/// Why a word or a file gives no structure to look for.
public struct QueryStructureError: Error, Sendable {
    /// The complaint.
    public let message: String
    /// The text that is not understood, where that is why.
    public let text: String
    /// The part of the text, in characters: where it begins and how many they are.
    public let part: (start: Int, count: Int)

    fileprivate init(_ message: String, in text: String = "", at part: (start: Int, count: Int) = (0, 0)) {
        self.message = message
        self.text = text
        self.part = part
    }
}

extension SMARTSPattern {
    /// The structure that is drawn in a file, to be found as a part.
    public init(drawnIn file: LocalPath) throws(QueryStructureError) {
        self = try Self.pattern(of: file) { molecule throws(DrawnPatternError) in try SMARTSPattern(drawn: molecule) }
    }

    /// The molecule of a file, or that which a SMILES spells where there is no such file, to be found as it is.
    public init(exactlyAsIn word: LocalPath) throws(QueryStructureError) {
        self = try Self.pattern(of: word) { molecule throws(DrawnPatternError) in try SMARTSPattern(exactly: molecule) }
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
                    "no file is called so, and as SMILES: \(error)", in: text,
                    at: (before.unicodeScalars.count, error.range.count))
            }
            if molecule.atoms.isEmpty {
                throw QueryStructureError("expected a file or a SMILES to look for, found nothing")
            }
            return molecule
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
            throw QueryStructureError("\(error)")
        }
        guard found.count == 1, !found[0].atoms.isEmpty else {
            throw QueryStructureError("\(word.shown): a structure to look for is one molecule in a file of its own")
        }
        return found[0]
    }
}
