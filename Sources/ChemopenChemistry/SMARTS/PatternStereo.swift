import ChemopenModel

/// The configurations of patterns.
extension QueryGraph {
    /// Returns the geometries of double bonds that the directions of adjacent bonds define.
    func doubleBondGeometries() -> [Geometry] {
        var found: [Geometry] = []
        for (place, bond) in bonds.enumerated() where bond.expression == Expression(.double) {
            let number = Int32(truncatingIfNeeded: place)
            guard let first = directed(from: bond.from, besides: number),
                let second = directed(from: bond.to, besides: number)
            else { continue }
            found.append(
                Geometry(bond: number, first: first.atom, second: second.atom, isTrans: first.isUp != second.isUp))
        }
        return found
    }

    /// Returns a neighbor whose bond has a direction, and whether the neighbor is above the atom.
    private func directed(from atom: Int32, besides double: Int32) -> (atom: Int32, isUp: Bool)? {
        for place in atoms[Int(atom)].bonds where place >= 0 && place != double {
            let bond = bonds[Int(place)]
            if bond.direction == .none { continue }
            let isAway = bond.from == atom
            return (bond.other(than: atom), (bond.direction == .up) == isAway)
        }
        return nil
    }
}

extension MoleculeGraph {
    /// Returns whether the matched atoms have the configurations of the pattern.
    func hasStereo(of query: QueryGraph, _ map: [Int32]) -> Bool {
        for (place, atom) in query.atoms.enumerated() where atom.chirality != .none {
            if !turns(Int32(truncatingIfNeeded: place), as: Int(map[place]), query, map) { return false }
        }
        return hasCoordinations(of: query, map) && hasGeometries(of: query, map)
    }

    /// Returns whether the matched atoms have the configurations of the pattern that are not tetrahedral. Neighbors
    /// that the pattern does not contain can be anywhere.
    func hasCoordinations(of query: QueryGraph, _ map: [Int32]) -> Bool {
        for (place, atom) in query.atoms.enumerated() {
            guard let asked = atom.coordination else { continue }
            guard let known = coordination(of: Int(map[place])), known.shape == asked.shape else { return false }
            var order =
                asked.neighbors?.map { $0 < 0 ? -1 : map[Int($0)] }
                ?? atom.bonds.map { bond in
                    let number = Int32(truncatingIfNeeded: place)
                    return bond < 0 ? Coordination.hydrogen : map[Int(query.bonds[Int(bond)].other(than: number))]
                }
            while order.count < known.corners.count { order.append(-1) }
            guard order.count == known.corners.count,
                known.fits(asked.shape.arrangements[asked.arrangement - 1].map { order[$0] })
            else { return false }
        }
        return true
    }

    /// Returns whether the matched atoms have the double-bond geometries of the pattern.
    func hasGeometries(of query: QueryGraph, _ map: [Int32]) -> Bool {
        for geometry in query.geometries {
            let bond = query.bonds[Int(geometry.bond)]
            let ends = (map[Int(bond.from)], map[Int(bond.to)])
            guard let edge = edge(between: ends.0, and: ends.1), geometries[Int(edge)].isKnown else { return false }
            let known = geometries[Int(edge)]
            let isForward = edges[Int(edge)].from == ends.0
            let first = isForward ? map[Int(geometry.first)] : map[Int(geometry.second)]
            let second = isForward ? map[Int(geometry.second)] : map[Int(geometry.first)]
            // Each neighbor that is not the reference neighbor at its end inverts the result.
            let isOneOther = (first != known.first) != (second != known.second)
            let isTrans = known.isTrans != isOneOther
            if isTrans != geometry.isTrans { return false }
        }
        return true
    }

    fileprivate func turns(_ place: Int32, as index: Int, _ query: QueryGraph, _ map: [Int32]) -> Bool {
        let atom = query.atoms[Int(place)]
        if atom.bonds.count < 3 { return true }
        let isUnsure = atom.chirality == .anticlockwiseOrUnknown || atom.chirality == .clockwiseOrUnknown
        let known = centers[index]
        if known == .none { return isUnsure }
        let range = range(of: index)
        var slots: [Int32] = []
        for bond in atom.bonds {
            let there = bond < 0 ? -1 : map[Int(query.bonds[Int(bond)].other(than: place))]
            let slot = bond < 0 ? nil : range.first { neighbors[$0].atom == there }
            slots.append(Int32(truncatingIfNeeded: slot.map { $0 - range.lowerBound } ?? range.count))
        }
        // A neighbor that the pattern does not contain is the last.
        if slots.count == 3, range.count == 4, let missing = (Int32(0)..<4).first(where: { !slots.contains($0) }) {
            slots.append(missing)
        }
        let isClockwise = atom.chirality == .clockwise || atom.chirality == .clockwiseOrUnknown
        return isEvenPermutation(slots) == (isClockwise == (known == .clockwise))
    }
}

extension SMARTSPattern {
    /// Returns whether the matched atoms have the configurations of this exact pattern. Configurations in a racemic or
    /// relative stereo group must all be the same or all be mirrored, and the group must correspond to one of the same
    /// kind.
    func hasCenters(in graph: borrowing MoleculeGraph, _ query: QueryGraph, _ map: [Int32], _ groups: MirroredGroups?)
        -> Bool
    {
        var partners: [Int32: Int32] = [:]
        var owners: [Int32: Int32] = [:]
        var areSame: [Int32: Bool] = [:]
        for (place, atom) in query.atoms.enumerated() where atom.chirality != .none {
            let index = Int(map[place])
            let isSame = graph.turns(Int32(truncatingIfNeeded: place), as: index, query, map)
            let group = groups?.groupOfVertex[index] ?? -1
            if atom.stereoGroup < 0, group < 0 {
                if isSame { continue }
                return false
            }
            if graph.centers[index] == .none || group < 0 { return false }
            if atom.stereoGroup < 0 {
                guard findsRacemates else { return false }
            } else {
                guard stereoKinds[Int(atom.stereoGroup)] == groups?.groups[Int(group)].kind,
                    partners[atom.stereoGroup] ?? group == group, owners[group] ?? atom.stereoGroup == atom.stereoGroup
                else { return false }
                partners[atom.stereoGroup] = group
                owners[group] = atom.stereoGroup
            }
            if areSame[group] ?? isSame != isSame { return false }
            areSame[group] = isSame
        }
        return true
    }
}
