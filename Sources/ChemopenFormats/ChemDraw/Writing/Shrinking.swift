import ChemopenModel

/// Shrinks molecules that are wider than any page.
enum Shrinking {
    /// The maximum width of a molecule on a page, in Ångström.
    static let widest = 3000.0
    /// The maximum distance between the first atom and other atoms in the content of an abbreviation, which is drawn
    /// at its label.
    private static let widestPiece = 200.0

    /// Shrinks a molecule to the maximum width, together with its brackets and pieces, and then any piece that is
    /// still too large. Returns false if nothing changes. The result is slightly smaller than necessary, so that it
    /// is not shrunk again after reading.
    static func shrink(_ molecule: inout Molecule) -> Bool {
        shrink(&molecule, to: widest, besides: nil)
    }

    private static func shrink(_ molecule: inout Molecule, to widest: Double, besides outside: Int?) -> Bool {
        // A molecule is moved only in the plane and keeps its z coordinates. A piece is rotated, so its reach is
        // limited instead.
        let isPiece = widest != Self.widest
        let extent = isPiece ? reach(of: molecule, besides: outside) : extent(of: molecule)
        var isShrunk = extent > widest || !extent.isFinite
        if isShrunk { shrink(&molecule, by: extent.isFinite ? 0.999 * widest / extent : 0) }
        if molecule.extras.isEmpty { return isShrunk }
        for index in molecule.extras.contents.abbreviations.indices {
            // The neighbor outside is drawn at its own position, at any distance from the label.
            let outside = FragmentParts.outside(of: molecule.extras.contents.abbreviations[index].molecule)
            if shrink(&molecule.extras.contents.abbreviations[index].molecule, to: widestPiece, besides: outside) {
                isShrunk = true
            }
        }
        return isShrunk
    }

    /// Returns the largest extent of the atoms along an axis, or their largest height if it is greater.
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

    /// Returns the largest distance from the first atom. Ignores the atom for the neighbor outside.
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
    /// Scales the position and rounds it to four decimals, as readers do.
    fileprivate mutating func shrink(by factor: Double) {
        func shrunk(_ length: Double) -> Double { (length * factor * 10_000).rounded() / 10_000 }
        self = Position(shrunk(x), shrunk(y), shrunk(z))
    }
}
