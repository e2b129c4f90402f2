import ChemopenModel

/// Reads SMILES and CXSMILES, one after the other in the same memory; the inverse of `SMILESText`.
///
///     var reader = SMILESReader()
///     try reader.read("C[C@H](N)C(=O)O")
///     print(reader.molecule.formula)           // C3H7NO2
///
/// Aromatic rings get their Kekulé form. Hydrogens are fixed where the molecule's rule would count others. Configurations
/// become parities and the geometries of double bonds, as there are no positions to see them by.
public struct SMILESReader: Sendable {
    /// The molecule that was read; all atoms of a reaction stand in its parts.
    public private(set) var molecule = Molecule()
    /// The components of a reaction: those in front of the arrow, above it and behind it. Nothing for a molecule.
    public private(set) var reaction: Reaction?
    /// What is doubtful, and what was left out.
    public private(set) var doubts: [SMILESDoubt] = []

    private var parser = SMILESParser()

    /// A reader that has read nothing.
    public init() {}

    /// Reads a text that is a SMILES from its first byte to its last, which CX extensions may follow behind a blank.
    public mutating func read(_ text: String) throws(SMILESError) {
        let bytes = Array(text.utf8)
        let end = bytes.firstIndex(of: UInt8(ascii: " ")) ?? bytes.count
        let extensions = Self.extensions(in: bytes, from: end, to: bytes.count)
        guard extensions.map({ $0.upperBound + 1 == bytes.count }) ?? (end == bytes.count) else {
            throw SMILESError(expected: "the end of the text, or CX extensions to it", range: end..<bytes.count)
        }
        try read(0..<end, extended: extensions, of: bytes)
    }

    /// The CX extensions behind the blanks that follow a SMILES, without the bars around them.
    package static func extensions(in bytes: [UInt8], from start: Int, to end: Int) -> Range<Int>? {
        var index = start
        while index < end, bytes[index] == UInt8(ascii: " ") { index += 1 }
        guard index > start, index < end, bytes[index] == UInt8(ascii: "|") else { return nil }
        guard let close = bytes[(index + 1)..<end].firstIndex(of: UInt8(ascii: "|")) else { return nil }
        return index + 1..<close
    }

    /// Reads a part of some bytes as a SMILES, and another as the CX extensions to it, without the bars around these.
    ///
    /// - Parameter old: a molecule whose memory may be used again.
    public mutating func read(
        _ range: Range<Int>, extended extensions: Range<Int>? = nil, of bytes: [UInt8], into old: Molecule = Molecule()
    ) throws(SMILESError) {
        reaction = nil
        if !doubts.isEmpty { doubts = [] }
        try parser.parse(range, of: bytes, into: old)
        if let extensions {
            var extended = CXExtensions(extensions, of: bytes, parser)
            extended.apply()
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

    /// Whether bytes are the beginning of a SMILES that was cut off anywhere: rings and branches may be open, an atom half spelled.
    package mutating func isBeginning(_ range: Range<Int>, of bytes: [UInt8]) -> Bool {
        parser.parseBeginning(range, of: bytes)
    }

    /// Takes the molecule out, so that it is held in one place.
    public mutating func takeMolecule() -> Molecule {
        var taken = Molecule()
        swap(&taken, &molecule)
        return taken
    }
}

extension Molecule {
    /// The molecule that a SMILES spells.
    ///
    ///     let toluene = try Molecule(smiles: "Cc1ccccc1")
    public init(smiles text: String) throws(SMILESError) {
        var reader = SMILESReader()
        try reader.read(text)
        guard reader.reaction == nil else {
            throw SMILESError(expected: "a molecule and no reaction", range: 0..<text.utf8.count)
        }
        self = reader.takeMolecule()
    }
}
