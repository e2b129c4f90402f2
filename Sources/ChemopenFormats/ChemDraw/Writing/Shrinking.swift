import ChemopenModel

/// Molecules that are wider than any page.
enum Shrinking {
    /// The widest that a molecule may be on a page, in Ångström.
    static let widest = 3000.0
    /// The farthest from its first atom that the content of an abbreviation may reach, which stands where its label does.
    private static let widestPiece = 200.0

    /// Makes a molecule that is wider than any page as small as a page, brackets and pieces with it, and pieces that still
    /// reach too far; `false` where nothing is. It is a little smaller than it might be: read back, it is not made smaller
    /// again.
    static func shrink(_ molecule: inout Molecule) -> Bool {
        shrink(&molecule, to: widest, besides: nil)
    }

    private static func shrink(_ molecule: inout Molecule, to widest: Double, besides outside: Int?) -> Bool {
        // A molecule is moved in the plane of its page, and keeps its heights. A piece is turned there.
        let isPiece = widest != Self.widest
        let extent = isPiece ? reach(of: molecule, besides: outside) : extent(of: molecule)
        var isShrunk = extent > widest || !extent.isFinite
        if isShrunk { shrink(&molecule, by: extent.isFinite ? 0.999 * widest / extent : 0) }
        if molecule.extras.isEmpty { return isShrunk }
        for index in molecule.extras.contents.abbreviations.indices {
            // The neighbour outside is drawn where it is, however far from the label.
            let outside = FragmentParts.outside(of: molecule.extras.contents.abbreviations[index].molecule)
            if shrink(&molecule.extras.contents.abbreviations[index].molecule, to: widestPiece, besides: outside) {
                isShrunk = true
            }
        }
        return isShrunk
    }

    /// The extent of the atoms in the direction in which they reach farthest, or their greatest height.
    private static func extent(of molecule: borrowing Molecule) -> Double {
        let atoms = molecule.atoms
        guard let first = atoms.first?.position else { return 0 }
        var (least, most) = (first, first)
        var height = 0.0
        for atom in atoms {
            let place = atom.position
            least = Position(min(least.x, place.x), min(least.y, place.y), min(least.z, place.z))
            most = Position(max(most.x, place.x), max(most.y, place.y), max(most.z, place.z))
            height = max(height, abs(place.z))
        }
        return max(most.x - least.x, most.y - least.y, most.z - least.z, height)
    }

    /// How far the atoms but one reach from the first of them.
    private static func reach(of molecule: borrowing Molecule, besides outside: Int?) -> Double {
        let atoms = molecule.atoms
        guard let start = atoms.indices.first(where: { $0 != outside }) else { return 0 }
        let first = atoms[start].position
        var farthest = 0.0
        for (index, atom) in atoms.enumerated() where index != outside {
            let (x, y, z) = (atom.position.x - first.x, atom.position.y - first.y, atom.position.z - first.z)
            farthest = max(farthest, (x * x + y * y + z * z).squareRoot())
        }
        return farthest
    }

    private static func shrink(_ molecule: inout Molecule, by factor: Double) {
        for index in molecule.atoms.indices { molecule.atoms[index].position.shrink(by: factor) }
        if molecule.extras.isEmpty { return }
        for group in molecule.extras.contents.sgroups.indices {
            for index in molecule.extras.contents.sgroups[group].brackets.indices {
                molecule.extras.contents.sgroups[group].brackets[index].start.shrink(by: factor)
                molecule.extras.contents.sgroups[group].brackets[index].end.shrink(by: factor)
            }
        }
        for index in molecule.extras.contents.abbreviations.indices {
            shrink(&molecule.extras.contents.abbreviations[index].molecule, by: factor)
        }
    }
}

extension Position {
    /// In ten-thousandths, as drawings are read.
    fileprivate mutating func shrink(by factor: Double) {
        func shrunk(_ length: Double) -> Double { (length * factor * 10_000).rounded() / 10_000 }
        self = Position(shrunk(x), shrunk(y), shrunk(z))
    }
}
