import Chemopen

@testable import ChemopenDepict

/// Overlapping marks in the drawing of a molecule.
struct Layout {
    /// Pairs of atoms with overlapping labels.
    private(set) var overlaps: [(one: Int, other: Int)] = []
    /// Bonds that the label of another atom interrupts.
    private(set) var crossings: [(bond: Int, atom: Int)] = []
    /// The number of overlaps that cannot be avoided, because the file has atoms at the same position or on a bond.
    private(set) var given = 0
    let sketch: MoleculeSketch

    /// Overlaps below this distance are not visible.
    private static let grace = 0.3

    init?(of molecule: Molecule) {
        guard let sketch = MoleculeSketch(drawing: molecule, Picture.Style()), sketch.points.count <= 2000 else {
            return nil
        }
        self.sketch = sketch
        findOverlaps()
        findCrossings()
    }

    private mutating func findOverlaps() {
        let size = sketch.style.fontSize * Lettering.capitalHeight
        for (one, label) in sketch.labels.enumerated() where !label.boxes.isEmpty {
            for (other, otherLabel) in sketch.labels.enumerated().dropFirst(one + 1) {
                let isHit = label.boxes.contains { box in
                    otherLabel.boxes.contains { $0.grown(by: -Self.grace).overlaps(box.grown(by: -Self.grace)) }
                }
                if !isHit { continue }
                let way = sketch.points[other] - sketch.points[one]
                if abs(way.x) < size, abs(way.y) < size { given += 1 } else { overlaps.append((one, other)) }
            }
        }
    }

    private mutating func findCrossings() {
        for (place, bond) in sketch.molecule.bonds.enumerated() where BondGraph.isSound(bond, sketch.points.count) {
            let (start, end) = sketch.ends(ofBond: place)
            let way = end - start
            for (atom, label) in sketch.labels.enumerated() {
                guard atom != Int(bond.from), atom != Int(bond.to) else { continue }
                guard label.boxes.contains(where: { $0.grown(by: -Self.grace).part(of: start, end) != nil }) else {
                    continue
                }
                let offset = sketch.points[atom] - start
                let part = min(1, max(0, offset.dot(way) / max(1e-9, way.dot(way))))
                if (offset - way * part).length < 4 { given += 1 } else { crossings.append((place, atom)) }
            }
        }
    }
}
