/// The limits of the work for a single record, which protect against records that were designed to be slow.
///
/// All limits of this kind are defined here. Readers, perception, canonical order, search, history and drawing check
/// them, and each reports if a record reaches one: no data are omitted silently. Real records are far below these
/// limits.
///
/// | step | limit | when it is reached |
/// |---|---|---|
/// | reading | bytes, atoms, components | the record is refused |
/// | rings | steps, words, bonds of candidates, sets | larger rings may be missing; reported by operations that need them |
/// | canonical order | steps | the order may depend on the file |
/// | search | steps | the record is reported as not searched to the end |
/// | drawing | milliseconds | there is no picture |
/// | history | bytes of a version | the version is rejected |
public enum RecordCost {
    /// The maximum size of a record in its file, in bytes.
    public static let mostBytes = 1 << 27
    /// The maximum number of atoms in SMILES and JSON, which need only a few bytes for each. In other formats, the
    /// maximum size of a record also limits the number of its atoms.
    public static let mostAtoms = 250_000
    /// The maximum number of components in a reaction.
    public static let mostComponents = 25_000

    /// Computes the limit of steps to find the rings of a molecule.
    ///
    /// - Parameter atomsAndBonds: the number of atoms plus the number of bonds.
    /// - Returns: the maximum number of steps.
    public static func ringSteps(_ atomsAndBonds: Int) -> Int { min((1 << 20) &+ 1024 &* atomsAndBonds, 1 << 26) }
    /// The maximum number of 64-bit words for comparing the rings of a block: 16 MB.
    public static let mostRingWords = 2 << 20
    /// The maximum number of bonds in all rings of a block that are candidates for the smallest rings: 32 MB.
    public static let mostRingBonds = 8 << 20

    /// The maximum number of ring sets to examine for aromaticity in a fused system.
    public static let mostRingSubsets = 20_000

    /// The maximum number of steps to compute a canonical order.
    public static let mostOrderSteps = 20_000_000
    /// The maximum number of steps to search for one pattern.
    public static let mostSearchSteps = 2_000_000

    /// The maximum processor time for a thumbnail without its pixels, in milliseconds.
    public static let thumbnailMilliseconds = 1200
    /// The maximum processor time for the pixels of a thumbnail, in milliseconds.
    public static let thumbnailPixelsMilliseconds = 600
    /// The maximum processor time for the pixels of any other picture, in milliseconds.
    public static let pixelsMilliseconds = 10_000

    /// The maximum size of an uncompressed file version from git, in bytes.
    public static let mostVersionBytes = 40_000_000
}
