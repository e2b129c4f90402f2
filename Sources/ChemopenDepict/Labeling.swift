/// Puts labels at atoms, each to its free side.
struct Labeling {
    private(set) var labels: [AtomLabel] = []
    private var faces: [AtomFace] = []
    private var sides: [[AtomLabel.Side]] = []
    private let points: [Picture.Point]
    private let graph: BondGraph
    private let style: Picture.Style

    init(_ points: [Picture.Point], _ graph: BondGraph, _ style: Picture.Style) {
        self.points = points
        self.graph = graph
        self.style = style
        labels.reserveCapacity(points.count)
    }

    /// Adds the label of the next atom.
    mutating func add(_ face: AtomFace, atom index: Int) {
        faces.append(face)
        if case .corner = face {
            sides.append([])
            labels.append(AtomLabel(face, at: points[index], on: .right, isCentered: false, style))
            return
        }
        let directions = graph[index].map { points[$0.atom] - points[index] }.filter { $0.length > 0.01 }
        let free = LabelSides(directions, isHydride: face.isHydride)
        if case .words = face {
            let (side, isCentered) = free.forWords
            sides.append(isCentered ? [side] : [side, side == .left ? .right : .left])
            labels.append(AtomLabel(face, at: points[index], on: side, isCentered: isCentered, style))
        } else {
            let order = free.forHydrogens
            sides.append(order)
            labels.append(AtomLabel(face, at: points[index], on: order[0], isCentered: false, style))
        }
    }

    /// Moves hydrogens and words to another side where they would stand upon other labels or on bonds.
    mutating func mend() {
        var boxes = BoxIndex()
        for (index, label) in labels.enumerated() { for box in label.boxes { boxes.add(box, of: index) } }
        var bonds = BoxIndex()
        var lines: [(Picture.Point, Picture.Point, Int, Int)] = []
        for index in points.indices {
            for neighbor in graph[index] where neighbor.atom > index {
                var box = Box.empty
                box.add(points[index])
                box.add(points[neighbor.atom])
                bonds.add(box, of: lines.count)
                lines.append((points[index], points[neighbor.atom], index, neighbor.atom))
            }
        }
        func cost(_ label: AtomLabel, of index: Int) -> Int {
            var cost = 0
            for box in label.boxes {
                if boxes.overlaps(box.grown(by: 0.4), except: index) { cost += 4 }
                bonds.visit(near: box) { _, place in
                    let (start, end, from, to) = lines[place]
                    if from == index || to == index { return }
                    if box.part(of: start, end) != nil { cost += 1 }
                }
            }
            return cost
        }
        for index in labels.indices where sides[index].count > 1 {
            if case .element(let text) = faces[index], text.hydrogens == 0 { continue }
            var best = cost(labels[index], of: index)
            if best == 0 { continue }
            for side in sides[index].dropFirst() {
                let other = AtomLabel(faces[index], at: points[index], on: side, isCentered: false, style)
                let otherCost = cost(other, of: index)
                if otherCost < best {
                    best = otherCost
                    labels[index] = other
                }
            }
        }
    }
}
