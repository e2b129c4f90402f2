import ChemopenModel

/// A reader for SMILES and CXSMILES, which reuses its memory; the inverse of `SMILESText`.
///
///     var reader = SMILESReader()
///     try reader.read("C[C@H](N)C(=O)O")
///     print(reader.molecule.formula)           // C3H7NO2
///
/// Aromatic rings are converted to their Kekulé form. Hydrogen counts are fixed if the molecule's rule would imply
/// others. Configurations become parities and double-bond geometries, because there are no positions to derive them
/// from.
public struct SMILESReader: Sendable {
    /// The last molecule that was read. For a reaction, use `reaction` instead.
    public private(set) var molecule = Molecule()
    /// The components of a reaction, or `nil` if a molecule was read.
    public private(set) var reaction: Reaction?
    /// Warnings about questionable and skipped parts of the text.
    public private(set) var doubts: [SMILESWarning] = []

    private var parser = SMILESParser()

    /// Creates a reader.
    public init() {}

    /// Reads a SMILES, optionally followed by a space and CX extensions.
    ///
    /// The result is in `molecule` or `reaction`, and warnings are in `doubts`.
    ///
    /// - Throws: `SMILESError` if the text is invalid or contains anything else.
    public mutating func read(_ text: String) throws(SMILESError) {
        let bytes = Array(text.utf8)
        let end = bytes.firstIndex(of: UInt8(ascii: " ")) ?? bytes.count
        let extensions = Self.extensions(in: bytes, from: end, to: bytes.count)
        guard extensions.map({ $0.upperBound + 1 == bytes.count }) ?? (end == bytes.count) else {
            throw SMILESError(expected: "the end of the text or CX extensions", range: end..<bytes.count)
        }
        try read(0..<end, extended: extensions, of: bytes)
    }

    /// Returns the range of the CX extensions after a SMILES, without their vertical bars, or `nil` if there are no
    /// extensions.
    package static func extensions(in bytes: [UInt8], from start: Int, to end: Int) -> Range<Int>? {
        var index = start
        while index < end, bytes[index] == UInt8(ascii: " ") { index += 1 }
        guard index > start, index < end, bytes[index] == UInt8(ascii: "|") else { return nil }
        guard let close = bytes[(index + 1)..<end].firstIndex(of: UInt8(ascii: "|")) else { return nil }
        return index + 1..<close
    }

    /// Reads a SMILES from a range of bytes.
    ///
    /// - Parameters:
    ///   - extensions: the range of the CX extensions without their vertical bars.
    ///   - old: a molecule whose memory can be reused.
    /// - Throws: `SMILESError` if the SMILES is invalid. Invalid extensions only cause warnings.
    public mutating func read(
        _ range: Range<Int>, extended extensions: Range<Int>? = nil, of bytes: [UInt8], into old: Molecule = Molecule()
    ) throws(SMILESError) {
        reaction = nil
        if !doubts.isEmpty { doubts = [] }
        try parser.parse(range, of: bytes, into: old)
        if let extensions {
            var extended = CXExtensions(extensions, of: bytes, parser)
            extended.apply()
            if !extended.kinds.isEmpty {
                // The kinds of bonds determine the hydrogens of their atoms.
                let kinds = extended.kinds
                try parser.parse(range, of: bytes, into: Molecule(), kinds: kinds)
                extended = CXExtensions(extensions, of: bytes, parser, areKindsSet: true)
                extended.apply()
            }
            doubts += extended.doubts
            parser.pieces = extended.pieces
        }
        doubts += parser.doubts
        if parser.isReaction {
            reaction = parser.takeReaction()
        } else if let only = parser.pieces.popLast() {
            molecule = only.molecule
        }
    }

    /// Returns whether the bytes can be the beginning of a SMILES that was truncated anywhere. Rings and branches can
    /// be open, and the last atom can be incomplete.
    package mutating func isBeginning(_ range: Range<Int>, of bytes: [UInt8]) -> Bool {
        parser.parseBeginning(range, of: bytes)
    }

    /// Moves the molecule out of the reader, which avoids copies when you change it.
    ///
    /// - Returns: the last molecule that was read. `molecule` is empty afterwards.
    public mutating func takeMolecule() -> Molecule {
        var taken = Molecule()
        swap(&taken, &molecule)
        return taken
    }
}

extension Molecule {
    /// Creates a molecule from a SMILES.
    ///
    ///     let toluene = try Molecule(smiles: "Cc1ccccc1")
    ///
    /// - Throws: `SMILESError` if the text is invalid or a reaction.
    public init(smiles text: String) throws(SMILESError) {
        var reader = SMILESReader()
        try reader.read(text)
        guard reader.reaction == nil else {
            throw SMILESError(expected: "a molecule, not a reaction", range: 0..<text.utf8.count)
        }
        self = reader.takeMolecule()
    }
}
