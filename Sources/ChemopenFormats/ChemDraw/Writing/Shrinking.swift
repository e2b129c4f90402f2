import ChemopenModel

extension Molecule {
    /// The widest that a molecule may be on a page, in Ångström.
    static let widestOnPage = 3000.0

    /// The extent of its atoms in the direction in which they reach farthest.
    private var extent: Double {
        guard let first = atoms.first?.position else { return 0 }
        var (least, most) = (first, first)
        for atom in atoms {
            let place = atom.position
            least = Position(min(least.x, place.x), min(least.y, place.y), min(least.z, place.z))
            most = Position(max(most.x, place.x), max(most.y, place.y), max(most.z, place.z))
        }
        return max(most.x - least.x, most.y - least.y, most.z - least.z)
    }

    /// Makes a molecule that is wider than any page as small as a page, brackets and pieces with it; `false` where it is no
    /// wider. It is a little smaller than it might be: read back, it is not made smaller again.
    mutating func shrinkToPage() -> Bool {
        let extent = extent
        if extent <= Self.widestOnPage { return false }
        shrink(by: extent.isFinite ? 0.999 * Self.widestOnPage / extent : 0)
        return true
    }

    private mutating func shrink(by factor: Double) {
        for index in atoms.indices { atoms[index].position.shrink(by: factor) }
        if extras.isEmpty { return }
        for group in extras.contents.sgroups.indices {
            for index in extras.contents.sgroups[group].brackets.indices {
                extras.contents.sgroups[group].brackets[index].start.shrink(by: factor)
                extras.contents.sgroups[group].brackets[index].end.shrink(by: factor)
            }
        }
        for index in extras.contents.abbreviations.indices {
            extras.contents.abbreviations[index].molecule.shrink(by: factor)
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
