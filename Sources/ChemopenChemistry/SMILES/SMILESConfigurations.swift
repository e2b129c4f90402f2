import ChemopenModel

/// The conversion of configurations from the text to the model.
extension SMILESParser {
    /// Converts the rotation directions of neighbors to parities.
    mutating func setParities() {
        if centers.isEmpty { return }
        let suppressed = SuppressedHydrogens.find(in: molecule)
        for center in centers {
            guard 3...4 ~= center.count, drafts[Int(center.atom)].hydrogens <= 1 else {
                doubt("a configuration of an atom without three or four neighbors is ignored", at: center.range)
                continue
            }
            var order: [Int32] = []
            for slot in 0..<center.count {
                let neighbor = center.neighbors[slot]
                let isHydrogen = suppressed.indices.contains(Int(neighbor)) && suppressed[Int(neighbor)] >= 0
                order.append(isHydrogen ? SMILESCenter.hydrogen : neighbor)
            }
            guard order.filter({ $0 == SMILESCenter.hydrogen }).count <= 1 else {
                doubt("a configuration of an atom with two hydrogens is ignored", at: center.range)
                continue
            }
            // In index order, an odd parity is clockwise.
            let turn = isEvenPermutation(order) ? center.turn : center.turn.opposite
            molecule.atoms[Int(center.atom)].marks.parity = turn == .clockwise ? 1 : 2
        }
    }

    /// Converts the bond directions at both ends of double bonds to geometries.
    mutating func setGeometries() {
        if directions.isEmpty { return }
        /// For each atom, the directions of its bonds, usually at most two.
        var marks: [Int32: [Int]] = [:]
        for (place, direction) in directions.enumerated() {
            let bond = molecule.bonds[Int(direction.bond)]
            for end in [bond.from, bond.to] { marks[end, default: []].append(place) }
        }
        var isUsed = [Bool](repeating: false, count: directions.count)
        var geometries: [Indexed<BondNote>] = []
        for (place, bond) in molecule.bonds.enumerated() where bond.order == .double {
            guard let first = marks[bond.from], let second = marks[bond.to] else { continue }
            for mark in first + second { isUsed[mark] = true }
            guard let one = side(of: bond.from, first), let other = side(of: bond.to, second) else {
                doubt(
                    "a double-bond geometry with two neighbors on one side is ignored", at: range(first + second))
                continue
            }
            geometries.append(
                Indexed(
                    place,
                    .geometry(BondNote.Geometry(Int(one.atom), Int(other.atom), isTrans: one.isAbove != other.isAbove)))
            )
            molecule.bonds[place].traits.insert(.hasNotes)
        }
        if !geometries.isEmpty { molecule.extras.contents.bondNotes = geometries }
        for (place, direction) in directions.enumerated() where !isUsed[place] {
            doubt(
                "a bond direction without another one across a double bond is ignored",
                at: direction.place..<direction.place + 1)
        }
    }

    private func range(_ marks: [Int]) -> Range<Int> {
        let place = marks.map { directions[$0].place }.min() ?? 0
        return place..<place + 1
    }

    /// Returns a neighbor whose bond has a direction, and whether it is above the atom.
    ///
    /// - Returns: `nil` if two neighbors are both above or both below the atom.
    private func side(of atom: Int32, _ marks: [Int]) -> (atom: Int32, isAbove: Bool)? {
        var found: (atom: Int32, isAbove: Bool)?
        for mark in marks {
            let bond = molecule.bonds[Int(directions[mark].bond)]
            let isAbove = directions[mark].isUp == (bond.from == atom)
            if let found, found.isAbove == isAbove { return nil }
            found = (bond.from == atom ? bond.to : bond.from, isAbove)
        }
        return found
    }
}
