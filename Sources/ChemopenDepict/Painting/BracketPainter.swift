import ChemopenModel

/// Draws the brackets of Sgroups with their texts, and collects attached data.
struct BracketPainter {
    typealias Point = Picture.Point

    let sketch: MoleculeSketch
    private(set) var marks: [Picture.Mark] = []
    /// Attached data: the text, the atoms, and the position if the file specifies one.
    private(set) var data: [(text: String, atoms: [Int], place: Point?)] = []
    /// The texts at brackets, which are added after all brackets are drawn: the position, and the step to avoid
    /// overlaps.
    private var texts: [(text: String, place: Point, step: Double)] = []
    private var style: Picture.Style { sketch.style }

    init(_ sketch: MoleculeSketch) {
        self.sketch = sketch
    }

    private static let mostGroups = 500

    mutating func paintAll() {
        if sketch.molecule.extras.isEmpty { return }
        for sgroup in sketch.molecule.extras.contents.sgroups.prefix(Self.mostGroups) {
            switch sgroup.kind {
            case .abbreviation: break
            case .data: paintData(sgroup)
            default: paintBrackets(sgroup)
            }
        }
        paintTexts()
    }

    // MARK: Brackets

    private mutating func paintBrackets(_ sgroup: Sgroup) {
        var content = Box.empty
        for atom in sgroup.atoms where sketch.points.indices.contains(Int(atom)) {
            content.add(sketch.points[Int(atom)])
            content.add(sketch.labels[Int(atom)].box)
        }
        guard !content.isEmpty else { return }
        var lines = sgroup.brackets.map { (sketch.frame.place($0.start), sketch.frame.place($0.end)) }
        lines.removeAll { ($0.1 - $0.0).length < 1 }
        if lines.isEmpty || sketch.frame.isProjected {
            let box = content.grown(by: 5)
            lines = [
                (Point(box.left, box.bottom), Point(box.left, box.top)),
                (Point(box.right, box.top), Point(box.right, box.bottom)),
            ]
        }
        for place in lines.indices { lines[place] = beside(labels: lines[place], around: content.center) }
        for (start, end) in lines {
            paintBracket(start, end, around: content.center, isRound: sgroup.bracketStyle == .round)
        }
        // The texts are at the rightmost bracket.
        guard let last = lines.max(by: { $0.0.x + $0.1.x < $1.0.x + $1.1.x }) else { return }
        let (below, above) = sgroup.bracketTexts
        let lower = last.0.y > last.1.y ? last.0 : last.1
        let upper = last.0.y > last.1.y ? last.1 : last.0
        if !below.isEmpty { texts.append((below, lower + Point(2, textSize * 0.3), textSize)) }
        if !above.isEmpty { texts.append((above, upper + Point(2, textSize * 0.3), -textSize)) }
    }

    private var textSize: Double { style.fontSize * 0.65 }

    /// Adds the texts at their brackets, shifted if they would overlap other marks.
    private mutating func paintTexts() {
        if texts.isEmpty { return }
        var taken = sketch.clipping.boxes
        var lines = BoxIndex()
        var ends: [(Point, Point)] = []
        for case .stroke(let stroke) in marks {
            for (start, end) in zip(stroke.points, stroke.points.dropFirst()) {
                var box = Box.empty
                box.add(start)
                box.add(end)
                lines.add(box, of: ends.count)
                ends.append((start, end))
            }
        }
        func isFree(_ box: Box) -> Bool {
            var isFree = !taken.overlaps(box)
            lines.visit(near: box) { _, place in
                if box.part(of: ends[place].0, ends[place].1) != nil { isFree = false }
            }
            return isFree
        }
        for (text, place, step) in texts {
            let tries = (0...6).map { Point(place.x, place.y + Double($0) * step) }
            var letters = Picture.Letters(text, at: place, size: textSize)
            for start in tries {
                letters.start = start
                if isFree(letters.box) { break }
            }
            if !isFree(letters.box) { letters.start = place }
            taken.add(letters.box, of: -2)
            marks.append(.letters(letters))
        }
    }

    /// Moves a bracket outward until it does not overlap a label.
    private func beside(labels line: (Point, Point), around center: Point) -> (Point, Point) {
        let way = line.1 - line.0
        let outward = way.unit.left * (way.cross(center - line.0) > 0 ? -1 : 1)
        for step in 0..<20 {
            let shift = outward * Double(step)
            let moved = (line.0 + shift, line.1 + shift)
            let ends = (moved.0 - outward * 3.2, moved.1 - outward * 3.2)
            var around = Box.empty
            for point in [moved.0, moved.1, ends.0, ends.1] { around.add(point) }
            var isFree = true
            sketch.clipping.boxes.visit(near: around) { box, _ in
                let parts = [(moved.0, moved.1), (moved.0, ends.0), (moved.1, ends.1)]
                if parts.contains(where: { box.grown(by: 0.6).part(of: $0.0, $0.1) != nil }) { isFree = false }
            }
            if isFree { return moved }
        }
        return line
    }

    private mutating func paintBracket(_ start: Point, _ end: Point, around center: Point, isRound: Bool) {
        let way = end - start
        let isLeft = way.cross(center - start) > 0
        let inward = way.unit.left * (isLeft ? 1 : -1)
        let depth = min(3.2, way.length * 0.2)
        if isRound {
            let points = (0...12).map { step in
                let part = Double(step) / 12
                let bulge = 4 * part * (1 - part)
                return start + way * part + inward * (depth * (1 - bulge))
            }
            marks.append(.stroke(.init(points, width: style.lineWidth)))
        } else {
            marks.append(
                .stroke(.init([start + inward * depth, start, end, end + inward * depth], width: style.lineWidth)))
        }
    }

    // MARK: Data

    private mutating func paintData(_ sgroup: Sgroup) {
        guard let data = sgroup.data, !data.fieldName.bytes.starts(with: "MRV_".utf8) else { return }
        var text = data.values.map(\.string).joined(separator: " ").trimmed(to: 60)
        if text.isEmpty { return }
        if !data.units.isEmpty { text += " " + data.units.string.trimmed(to: 20) }
        let place = sketch.frame.isProjected ? nil : data.place.map { sketch.frame.place($0) }
        let atoms = sgroup.atoms.map { Int($0) }.filter(sketch.points.indices.contains)
        if place != nil || !atoms.isEmpty { self.data.append((text, atoms, place)) }
    }
}

extension Sgroup {
    /// The texts at the lower and the upper end of the last bracket.
    fileprivate var bracketTexts: (below: String, above: String) {
        let connectivity = connectivity.string.lowercased()
        let name = label.string.trimmed(to: 40)
        switch kind {
        case .multiple: return (name, "")
        case .repeatingUnit: return (name.isEmpty ? "n" : name, connectivity)
        case .monomer: return ("mon", "")
        case .mer: return ("mer", connectivity)
        case .copolymer:
            let kinds = ["ALT": "alt", "RAN": "ran", "BLO": "blk"]
            return (kinds[subtype.string] ?? "co", connectivity)
        case .crosslink: return ("xl", connectivity)
        case .modification: return ("mod", "")
        case .graft: return ("grf", connectivity)
        case .component: return ("c" + (componentNumber > 0 ? "\(componentNumber)" : ""), "")
        case .mixture: return ("mix", "")
        case .formulation: return ("f", "")
        case .anyPolymer: return ("any", connectivity)
        default: return (name, "")
        }
    }
}

extension Sgroup.Data {
    /// The position of the text if it is absolute: two numbers in ten columns each, with an `A` after them.
    fileprivate var place: Position? {
        let bytes = display.bytes
        guard bytes.count > 25, bytes[24] == UInt8(ascii: "D"), bytes[25] == UInt8(ascii: "A") else { return nil }
        func number(_ columns: Range<Int>) -> Double? {
            Double(String(decoding: bytes[columns].filter { $0 != 0x20 }, as: UTF8.self))
        }
        guard let x = number(0..<10), let y = number(10..<20), x.isFinite, y.isFinite else { return nil }
        return x == 0 && y == 0 ? nil : Position(x, y)
    }
}

extension String {
    /// Returns the string without outer blanks, truncated to a length.
    func trimmed(to limit: Int) -> String {
        var text = unicodeScalars.map { $0.value < 0x20 ? " " : $0 }[...]
        while text.first == " " { text = text.dropFirst() }
        while text.last == " " { text = text.dropLast() }
        return LabelText.string(text.prefix(limit)) + (text.count > limit ? "…" : "")
    }
}
