import ChemopenModel

/// One of two versions of a structure, prepared for pairing their atoms.
struct AlignmentSide {
    let molecule: Molecule
    /// The numbers of the atoms in the file.
    let numbers: [Int32]
    /// The element or label of each atom.
    let plain: [UInt64]
    /// Whether each atom is an ordinary hydrogen with one neighbor, which other versions may not have as an atom.
    let isHydrogen: [Bool]
    /// Hashes of the surroundings of each atom, by radius. The first list ignores hydrogens, charges and isotopes.
    private(set) var plainRounds: [[UInt64]] = []
    private(set) var richRounds: [[UInt64]] = []
    private let starts: [Int32]
    private let list: [Int32]

    /// The maximum radius of the surroundings, in bonds.
    private static let mostRounds = 12

    init(_ molecule: Molecule) {
        self.molecule = molecule
        let count = molecule.atoms.count
        let numbers = molecule.extras.contents.atomNumbers
        self.numbers = numbers.count == count ? numbers : (0..<count).map { Int32(clamping: $0 + 1) }
        var starts = [Int32](repeating: 0, count: count + 1)
        let bonds = molecule.bonds.filter { Int($0.from) < count && Int($0.to) < count && $0.from != $0.to }
        for bond in bonds {
            starts[Int(bond.from) + 1] += 1
            starts[Int(bond.to) + 1] += 1
        }
        for atom in 0..<count { starts[atom + 1] += starts[atom] }
        var ends = starts
        var list = [Int32](repeating: 0, count: 2 * bonds.count)
        for bond in bonds {
            for (end, partner) in [(bond.from, bond.to), (bond.to, bond.from)] {
                list[Int(ends[Int(end)])] = partner
                ends[Int(end)] += 1
            }
        }
        (self.starts, self.list) = (starts, list)
        let labels = molecule.labels.map { Self.hash($0.bytes) }
        plain = molecule.atoms.map { atom in
            if atom.element == .none, labels.indices.contains(Int(atom.label)) { return labels[Int(atom.label)] }
            return Self.mixed(UInt64(atom.element.rawValue) &+ 1)
        }
        isHydrogen = molecule.atoms.indices.map { place in
            let atom = molecule.atoms[place]
            guard atom.element == .hydrogen, atom.isotope == 0, atom.charge == 0, atom.radical == .none,
                atom.label == Atom.noLabel, starts[place + 1] - starts[place] == 1
            else { return false }
            return molecule.atoms[Int(list[Int(starts[place])])].element != .hydrogen
        }
    }

    /// The atoms bonded to an atom. If two bonds lead to an atom, the atom occurs twice.
    func neighbors(of atom: Int) -> ArraySlice<Int32> { list[Int(starts[atom])..<Int(starts[atom + 1])] }

    func degree(of atom: Int) -> Int { Int(starts[atom + 1] - starts[atom]) }

    // MARK: Surroundings

    /// Computes the hashes of the surroundings.
    mutating func exploreSurroundings() {
        if !plainRounds.isEmpty { return }
        let hydrogens = molecule.hydrogenCounts()
        let rich = molecule.atoms.indices.map { place in
            let atom = molecule.atoms[place]
            let drawn = neighbors(of: place).count { isHydrogen[Int($0)] }
            let degree = degree(of: place) - drawn
            var color = plain[place] ^ UInt64(truncatingIfNeeded: hydrogens[place] + drawn) << 8 ^ UInt64(degree) << 16
            color ^= UInt64(UInt16(bitPattern: atom.charge)) << 40 ^ UInt64(atom.isotope) << 24
            return Self.mixed(color ^ UInt64(UInt32(bitPattern: Int32(truncatingIfNeeded: atom.radical.mdlCode))) << 56)
        }
        plainRounds = rounds(from: plain)
        richRounds = rounds(from: rich)
    }

    private func rounds(from colors: [UInt64]) -> [[UInt64]] {
        var rounds = [colors]
        var classes = Set(colors).count
        while rounds.count <= Self.mostRounds, let last = rounds.last {
            let next = last.indices.map { atom in
                var sum: UInt64 = 0
                for neighbor in neighbors(of: atom) where !isHydrogen[Int(neighbor)] {
                    sum &+= Self.mixed(last[Int(neighbor)] ^ 0x9E37_79B9_7F4A_7C15)
                }
                return Self.mixed(last[atom] &* 3 &+ sum)
            }
            let found = Set(next).count
            // Both versions need the same radius, so only a structure without any new information ends early.
            if found <= classes, rounds.count > 3 { break }
            classes = found
            rounds.append(next)
        }
        return rounds
    }

    static func mixed(_ value: UInt64) -> UInt64 {
        var value = value &+ 0x9E37_79B9_7F4A_7C15
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    private static func hash(_ bytes: [UInt8]) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return mixed(hash)
    }
}
