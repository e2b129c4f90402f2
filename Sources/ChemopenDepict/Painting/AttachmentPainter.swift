import ChemopenModel

/// A bond that attaches an atom of an R-group member.
struct OpenBond {
    var direction: Picture.Point
    /// The number of the bond, if its atom has several.
    var number: String?

    /// Returns the open bonds of all atoms, each in a free direction.
    static func all(of molecule: Molecule, _ points: [Picture.Point], _ graph: BondGraph) -> [Int: [OpenBond]] {
        if molecule.extras.isEmpty { return [:] }
        var found: [Int: [OpenBond]] = [:]
        for tagged in molecule.extras.contents.atomNotes {
            let index = Int(tagged.index)
            guard case .attachmentPoint(let first, let second) = tagged.note, points.indices.contains(index) else {
                continue
            }
            var directions = graph[index].map { points[$0.atom] - points[index] }
            for (number, isThere) in [("1", first), ("2", second)] where isThere {
                let direction = Picture.Point.direction(NotePlacer.freeAngle(between: directions))
                directions.append(direction)
                found[index, default: []].append(
                    OpenBond(direction: direction, number: first && second ? number : nil))
            }
        }
        return found
    }
}

extension MoleculeSketch {
    /// Returns the marks of open bonds in an R-group member, each with a wavy line at its end.
    func attachmentMarks() -> [Picture.Mark] {
        var marks: [Picture.Mark] = []
        var clearances = 1_000_000
        for (index, bonds) in openBonds.sorted(by: { $0.key < $1.key }) {
            for bond in bonds {
                let direction = bond.direction
                let end = points[index] + direction * style.bondLength
                let lines = clipping.visible(points[index], end, from: index, to: index, &clearances)
                for (from, to) in lines { marks.append(.stroke(.init([from, to], width: style.lineWidth))) }
                let half = direction.left * 4.5
                marks.append(
                    .stroke(.init((end - half).wave(to: end + half, swing: 1, halfLength: 1.5), width: style.lineWidth))
                )
                if let number = bond.number {
                    let size = style.fontSize * 0.6
                    let width = Lettering.width(of: number, size: size)
                    let place = end + direction * 4.5 + Point(-width / 2, size * 0.36)
                    marks.append(.letters(.init(number, at: place, size: size, ink: .note)))
                }
            }
        }
        return marks
    }
}
