import ChemopenModel

/// The expansion of R-group sites to all molecules that a drawing represents.
///
/// Each site gets one of the members of its R-group or no member, as permitted by the occurrence of the group. A site
/// without a member is a hydrogen if the R-group requires it, and otherwise any atom or no atom. Sites of R-groups
/// without members remain, and R-groups without sites are ignored.
///
/// If a group requires another one, the occurrence of the other group must be satisfied. This condition applies to all
/// groups anyway.
enum RGroupChoices {
    /// The maximum number of molecules.
    private static let most = 256
    /// The maximum number of choices for all sites, most of which may be impossible.
    private static let mostChoices = 4096

    /// An atom that a member of an R-group replaces.
    private struct Site {
        let atom: Int
        let bond: Int?
        /// The possible members, each with its R-group.
        var members: [(group: Int, member: Int)] = []
        var restIsHydrogen = false
    }

    /// Returns a molecule without R-groups for each permitted choice of members, or the molecule itself if it has no
    /// R-groups with members.
    static func all(of molecule: Molecule) throws(DrawnPatternError) -> [Molecule] {
        if molecule.extras.isEmpty { return [molecule] }
        let used = Set(
            molecule.extras.contents.atomNotes.flatMap { tagged in
                if case .rgroups(let numbers) = tagged.note { numbers } else { [Int32]() }
            })
        let groups = molecule.extras.contents.rgroups.filter { !$0.members.isEmpty && used.contains($0.number) }
        let sites = try sites(of: molecule, groups)
        if sites.isEmpty { return [molecule] }
        var points: [[Int]] = []
        for group in groups { points.append(try attachmentPoints(of: group)) }
        var occurrences: [[ClosedRange<Int>]] = []
        for group in groups { occurrences.append(try occurrence(of: group)) }
        var count = 1
        for site in sites {
            count *= site.members.count + 1
            if count > mostChoices { throw tooMany }
        }
        var bare = molecule
        bare.extras.contents.rgroups = []
        var all: [Molecule] = []
        for number in 0..<count {
            var (rest, counts) = (number, [Int](repeating: 0, count: groups.count))
            let choice = sites.map { site -> (group: Int, member: Int)? in
                let place = rest % (site.members.count + 1)
                rest /= site.members.count + 1
                if place == site.members.count { return nil }
                counts[site.members[place].group] += 1
                return site.members[place]
            }
            let isAllowed = groups.indices.allSatisfy { group in
                occurrences[group].contains { $0.contains(counts[group]) }
            }
            if !isAllowed { continue }
            if all.count == most { throw tooMany }
            all.append(filled(bare, sites, choice) { (groups[$0].members[$1], points[$0][$1]) })
        }
        if all.isEmpty { throw DrawnPatternError(description: "the conditions of the R-groups cannot be satisfied") }
        return all
    }

    private static var tooMany: DrawnPatternError {
        DrawnPatternError(description: "the R-groups have more than \(most) combinations")
    }

    private static func sites(of molecule: Molecule, _ groups: [RGroup]) throws(DrawnPatternError) -> [Site] {
        if groups.isEmpty { return [] }
        let bonds = BondsOfAtoms(molecule)
        var sites: [Site] = []
        for atom in molecule.atoms.indices {
            for case .rgroups(let numbers) in molecule.notes(onAtom: atom) {
                let own = bonds.bonds(of: atom)
                var site = Site(atom: atom, bond: own.first)
                for (place, group) in groups.enumerated() where numbers.contains(group.number) {
                    site.members += group.members.indices.map { (place, $0) }
                    if group.logic?.restIsHydrogen == true { site.restIsHydrogen = true }
                }
                if site.members.isEmpty { continue }
                guard own.count <= 1 else {
                    throw DrawnPatternError(description: "atom \(atom + 1) is an R-group site with several bonds")
                }
                sites.append(site)
            }
        }
        return sites
    }

    /// Returns the atom of each member that is bonded to the site's neighbor.
    private static func attachmentPoints(of group: RGroup) throws(DrawnPatternError) -> [Int] {
        var points: [Int] = []
        for member in group.members {
            var found: [Int] = []
            for atom in member.atoms.indices {
                for note in member.notes(onAtom: atom) {
                    switch note {
                    case .attachmentPoint(first: true, second: false): found.append(atom)
                    case .attachmentPoint: found += [atom, atom]
                    case .rgroups:
                        throw DrawnPatternError(description: "R\(group.number) contains another R-group")
                    default: break
                    }
                }
            }
            guard found.count == 1 || found.isEmpty && member.atoms.count == 1 else {
                throw DrawnPatternError(description: "a member of R\(group.number) must have one attachment point")
            }
            points.append(found.first ?? 0)
        }
        return points
    }

    /// Returns the numbers of members that an R-group permits, such as `>0` or `1,3-4`. By default, at least one.
    private static func occurrence(of group: RGroup) throws(DrawnPatternError) -> [ClosedRange<Int>] {
        let text = (group.logic?.occurrence ?? Text()).bytes.filter { $0 > 0x20 }
        if text.isEmpty { return [1...Int.max] }
        func number(_ bytes: ArraySlice<UInt8>) -> Int? {
            guard 1...4 ~= bytes.count, bytes.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
            return bytes.reduce(0) { $0 * 10 + Int($1 & 15) }
        }
        var ranges: [ClosedRange<Int>] = []
        for part in text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            let ends = part.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
            if part.first == UInt8(ascii: ">"), let low = number(part.dropFirst()) {
                ranges.append(low + 1...Int.max)
            } else if part.first == UInt8(ascii: "<"), let high = number(part.dropFirst()) {
                if high > 0 { ranges.append(0...high - 1) }
            } else if ends.count == 2, let low = number(ends[0]), let high = number(ends[1]), low <= high {
                ranges.append(low...high)
            } else if let only = number(part) {
                ranges.append(only...only)
            } else {
                throw DrawnPatternError(
                    description: "R\(group.number) has the unknown occurrence \"\(Text(bytes: text).string)\"")
            }
        }
        return ranges
    }

    /// Returns the molecule with members at its sites.
    ///
    /// - Parameter member: returns a member and its attachment point.
    private static func filled(
        _ molecule: Molecule, _ sites: [Site], _ choice: [(group: Int, member: Int)?],
        _ member: (_ group: Int, _ member: Int) -> (Molecule, Int)
    ) -> Molecule {
        var result = molecule
        var removed: [Int] = []
        for (site, chosen) in zip(sites, choice) {
            guard let chosen else {
                if site.restIsHydrogen {
                    result.atoms[site.atom] = Atom(.hydrogen, at: molecule.atoms[site.atom].position)
                    result.extras.contents.atomNotes.removeAll(of: site.atom) { _ in true }
                } else {
                    removed.append(site.atom)
                }
                continue
            }
            var (piece, point) = member(chosen.group, chosen.member)
            // The attachment point gets the index of the site, so that wedges at its neighbor remain valid.
            let (here, there) = (molecule.atoms[site.atom].position, piece.atoms[point].position)
            for atom in piece.atoms.indices {
                let position = piece.atoms[atom].position
                piece.atoms[atom].position = Position(
                    position.x + here.x - there.x, position.y + here.y - there.y, position.z + here.z - there.z)
            }
            let first = result.atoms.count
            result.append(piece)
            if let bond = site.bond {
                let end = Int32(clamping: first + point)
                if Int(result.bonds[bond].from) == site.atom {
                    result.bonds[bond].from = end
                } else {
                    result.bonds[bond].to = end
                }
            }
            removed.append(site.atom)
        }
        result.removeAtoms(removed)
        return result
    }
}
