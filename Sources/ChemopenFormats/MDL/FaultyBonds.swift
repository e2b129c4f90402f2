import ChemopenModel

extension MolfileReader {
    /// Takes out bonds from an atom to itself and second bonds between the same two atoms, and says so.
    ///
    /// Returns where each bond of the file now is, -1 for those left out; nothing where all are in their places.
    mutating func dropFaultyBonds(_ bonds: inout [Bond], of total: Int, alreadyDropped: [Int] = []) -> [Int32] {
        let faulty = faultyBonds(bonds)
        if faulty.isEmpty, alreadyDropped.isEmpty { return [] }
        var numbering: [Int32] = []
        var kept: [Bond] = []
        var read = 0
        for number in 0..<total {
            if alreadyDropped.contains(number) {
                numbering.append(-1)
                continue
            }
            guard read < bonds.count else { break }
            if faulty.contains(read) {
                let bond = bonds[read]
                let reason = bond.from == bond.to ? "from an atom to itself" : "the second between its atoms"
                issues.append(
                    Issue(
                        line: firstLine &+ lines.line &- total &+ number,
                        "bond \(number + 1) (\(bond.from + 1)-\(bond.to + 1)) is \(reason); left out"))
                numbering.append(-1)
            } else {
                numbering.append(Int32(clamping: kept.count))
                kept.append(bonds[read])
            }
            read += 1
        }
        bonds = kept
        return numbering
    }

    /// The indices of bonds that no molecule has.
    ///
    /// A filter of one bit for each hash of two atoms passes nearly every molecule; only a molecule with a hit in it, or
    /// too large for the filter, is looked at pair by pair.
    private func faultyBonds(_ bonds: [Bond]) -> Set<Int> {
        var filter = [64 of UInt64](repeating: 0)
        var isSuspicious = bonds.count > 400
        for bond in bonds where !isSuspicious {
            let low = UInt32(bitPattern: min(bond.from, bond.to))
            let high = UInt32(bitPattern: max(bond.from, bond.to))
            let hash = (low &* 0x9E37_79B1 ^ high &* 0x85EB_CA6B) >> 20
            let bit: UInt64 = 1 << UInt64(hash & 63)
            let place = Int(hash >> 6)
            isSuspicious = low == high || filter[place] & bit != 0
            filter[place] |= bit
        }
        if !isSuspicious { return [] }
        if bonds.count <= 64, !hasDoubles(bonds) { return [] }
        var faulty: Set<Int> = []
        var seen: Set<UInt64> = []
        for (index, bond) in bonds.enumerated() {
            let low = UInt64(UInt32(bitPattern: min(bond.from, bond.to)))
            let high = UInt64(UInt32(bitPattern: max(bond.from, bond.to)))
            if low == high || !seen.insert(high << 32 | low).inserted { faulty.insert(index) }
        }
        return faulty
    }

    /// Two bonds with one bit of the filter are seldom the same: a small molecule is soon looked through.
    private func hasDoubles(_ bonds: [Bond]) -> Bool {
        for (index, bond) in bonds.enumerated() {
            if bond.from == bond.to { return true }
            for other in bonds[..<index]
            where (other.from == bond.from && other.to == bond.to) || (other.from == bond.to && other.to == bond.from) {
                return true
            }
        }
        return false
    }
}
