import ChemopenModel

/// The codes of a V2000 atom block that lines behind the bonds may void, or that wait for them.
struct V2000Codes {
    /// Notes of the atom block, which come in the order of the atoms.
    var notes: [Tagged<AtomNote>] = []
    var hasMassDifferences = false
    var hasChargeCodes = false
}

/// Where the bonds of a V2000 file are in the molecule.
struct V2000Bonds {
    var count = 0
    /// Where each bond of the file now is, -1 for those left out; empty where all are in their places.
    var numbering: [Int32] = []

    /// The index of a bond by its number in the file.
    func index(_ number: Int) -> Int32? {
        if numbering.isEmpty { return (1...max(1, count)).contains(number) && count > 0 ? Int32(number - 1) : nil }
        guard numbering.indices.contains(number - 1), numbering[number - 1] >= 0 else { return nil }
        return numbering[number - 1]
    }
}
