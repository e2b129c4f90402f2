/// The most that one record may cost, whoever made it.
///
/// This is the one table of these limits. Readers, perception, canonical order, search, history and drawing check them, and
/// each reports when a record reaches one: nothing is left out silently. Real records stay far below them.
///
/// | step | limit | when it is reached |
/// |---|---|---|
/// | reading | bytes, atoms, components | the record is refused |
/// | rings | steps, words of bits, bonds of candidates | larger rings may be missing; reported by whoever needs them |
/// | canonical order | steps | the order may depend on the file |
/// | search | steps | the record is reported as not searched to the end |
/// | drawing | milliseconds | there is no picture |
/// | history | bytes of a version | the version is refused |
public enum RecordCost {
    /// The bytes of a record in its file.
    public static let mostBytes = 1 << 27
    /// The atoms of a molecule in a notation that spends a few bytes on each, SMILES or JSON. In others the bytes of the
    /// record limit them.
    public static let mostAtoms = 250_000
    /// The components of a reaction.
    public static let mostComponents = 25_000

    /// The steps for the rings of a molecule with so many atoms and bonds.
    public static func ringSteps(_ atomsAndBonds: Int) -> Int { min((1 << 20) &+ 1024 &* atomsAndBonds, 1 << 26) }
    /// The words of bits in which the rings of a block are compared: 32 MB.
    public static let mostRingWords = 4 << 20
    /// The bonds of all rings of a block that may be among the smallest: 32 MB.
    public static let mostRingBonds = 8 << 20

    /// The steps for a canonical order.
    public static let mostOrderSteps = 20_000_000
    /// The steps of a search for one pattern.
    public static let mostSearchSteps = 2_000_000

    /// The processor time of a thumbnail without its pixels, in milliseconds.
    public static let thumbnailMilliseconds = 1200
    /// The processor time that the pixels of a thumbnail may take, in milliseconds.
    public static let thumbnailPixelsMilliseconds = 600
    /// The processor time that the pixels of another picture may take, in milliseconds.
    public static let pixelsMilliseconds = 10_000

    /// The bytes of a version that git has of a file, unpacked.
    public static let mostVersionBytes = 40_000_000
}
