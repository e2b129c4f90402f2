/// Positions the labels of atoms on their free sides.
struct Labeling {
    private(set) var labels: [AtomLabel] = []
    private var faces: [AtomFace] = []
    /// The possible poses of each label, with the preferred one first.
    private var poses: [[AtomLabel.Pose]] = []
    private let points: [Picture.Point]
    private let graph: BondGraph
    /// The directions of open bonds, which lead to no other atom.
    private let openBonds: [Int: [Picture.Point]]
    private let style: Picture.Style

    /// The number of rounds. Several rounds are needed because a label that was moved may overlap a third label.
    private static let mostRounds = 3

    init(
        _ points: [Picture.Point], _ graph: BondGraph, _ openBonds: [Int: [Picture.Point]] = [:],
        _ style: Picture.Style
    ) {
        self.points = points
        self.graph = graph
        self.openBonds = openBonds
        self.style = style
        labels.reserveCapacity(points.count)
    }

    /// Adds the label of the next atom.
    mutating func add(_ face: AtomFace, atom index: Int) {
        let poses = poses(of: face, atom: index)
        faces.append(face)
        self.poses.append(poses)
        labels.append(AtomLabel(face, at: points[index], poses.first ?? .init(), style))
    }

    private func poses(of face: AtomFace, atom index: Int) -> [AtomLabel.Pose] {
        var sides: [AtomLabel.Pose]
        let places: [AtomLabel.MarkPlace]
        var isHydrogenAbove = false
        switch face {
        case .corner: return []
        case .words(let text, let marks):
            let (side, isCentered) = LabelSides(directions(from: index)).forWords
            let other = AtomLabel.Side.left == side ? AtomLabel.Side.right : .left
            sides = [.init(side: side, isCentered: isCentered)]
            if !isCentered { sides.append(.init(side: other)) }
            // The marks of a reversed label are at its other end.
            let isTurned = side == .left && text.isTurnable
            places = marks.isEmpty ? [.behind] : isTurned ? [.before, .behind, .above] : [.behind, .before, .above]
        case .element(let text):
            let order = LabelSides(directions(from: index), isHydride: face.isHydride).forHydrogens
            sides = (text.hydrogens > 0 ? order : [order[0]]).map { .init(side: $0) }
            isHydrogenAbove = text.hydrogens > 0
            let all: [AtomLabel.MarkPlace] = text.before.isEmpty ? [.behind, .before, .above] : [.behind, .above]
            places = text.behind.isEmpty ? [.behind] : all
        }
        return places.flatMap { place in
            sides.compactMap { pose in
                if place == .above, pose.side == .above, isHydrogenAbove { return nil }
                var pose = pose
                pose.marks = place
                return pose
            }
        }
    }

    private func directions(from index: Int) -> [Picture.Point] {
        let directions = graph[index].map { points[$0.atom] - points[index] }.filter { $0.length > 0.01 }
        return openBonds.isEmpty ? directions : directions + (openBonds[index] ?? [])
    }

    /// Moves hydrogens, texts and marks that overlap other labels or bonds.
    ///
    /// - Parameter isView: Whether the molecule is a projection from 3D, where some parts hide others.
    mutating func mend(isView: Bool) {
        defer { leaveOutCopies(isView: isView) }
        guard poses.contains(where: { $0.count > 1 }) else { return }
        let bonds = BondIndex(points, graph)
        for _ in 0..<Self.mostRounds {
            var boxes = BoxIndex()
            for (index, label) in labels.enumerated() { for box in label.boxes { boxes.add(box, of: index) } }
            var isMoved = false
            for index in labels.indices where poses[index].count > 1 {
                var best = cost(labels[index], of: index, boxes, bonds)
                if best == 0 { continue }
                for pose in poses[index].dropFirst() {
                    let other = AtomLabel(faces[index], at: points[index], pose, style)
                    let otherCost = cost(other, of: index, boxes, bonds)
                    if otherCost < best {
                        best = otherCost
                        labels[index] = other
                        isMoved = true
                    }
                }
                // The old boxes of a moved label remain in the index, but are ignored.
                for box in isMoved ? labels[index].boxes : [] { boxes.add(box, of: index) }
            }
            if !isMoved { return }
        }
    }

    /// Removes letters that repeat others at the same position or, in a projection, overlap equal letters. Bonds
    /// still end at the removed letters.
    private mutating func leaveOutCopies(isView: Bool) {
        var boxes = BoxIndex()
        var written: [Picture.Letters] = []
        for index in labels.indices {
            let word = labels[index].letters.map(\.text)
            labels[index].letters.removeAll { letters in
                var isCopy = false
                boxes.visit(near: letters.box) { other, place in
                    if isCopy || written[place].text != letters.text || written[place].size != letters.size { return }
                    let isSame = (other.center - letters.box.center).length < 0.1 * style.fontSize
                    isCopy = isSame || isView && word.count == 1 && other.overlaps(letters.box)
                }
                return isCopy
            }
            for letters in labels[index].letters {
                boxes.add(letters.box, of: written.count)
                written.append(letters)
            }
        }
    }

    private func cost(_ label: AtomLabel, of index: Int, _ boxes: BoxIndex, _ bonds: BondIndex) -> Int {
        var cost = 0
        // Marks may overlap the subscripts of the atom's own hydrogens.
        for (place, box) in label.boxes.enumerated() {
            let inner = box.grown(by: -0.4)
            for other in label.boxes[..<place] where other.overlaps(inner) { cost += 4 }
        }
        for box in label.boxes {
            let wide = box.grown(by: 0.4)
            var isHit = false
            boxes.visit(near: wide) { other, owner in
                if owner != index, !isHit, other.overlaps(wide), labels[owner].boxes.contains(other) { isHit = true }
            }
            if isHit { cost += 4 }
            let isAtAtom = box.contains(points[index])
            bonds.index.visit(near: box) { _, place in
                let bond = bonds.lines[place]
                let isOwn = bond.from == index || bond.to == index
                if isOwn && isAtAtom || box.part(of: bond.start, bond.end) == nil { return }
                cost += isOwn ? 2 : 1
            }
        }
        return cost
    }
}

/// The lines between bonded atoms, indexed by position.
private struct BondIndex {
    typealias Line = (start: Picture.Point, end: Picture.Point, from: Int, to: Int)

    private(set) var index = BoxIndex()
    private(set) var lines: [Line] = []

    init(_ points: [Picture.Point], _ graph: BondGraph) {
        for from in points.indices {
            for neighbor in graph[from] where neighbor.atom > from {
                var box = Box.empty
                box.add(points[from])
                box.add(points[neighbor.atom])
                index.add(box, of: lines.count)
                lines.append((points[from], points[neighbor.atom], from, neighbor.atom))
            }
        }
    }
}
