import ChemopenModel

/// An arrow between two points, drawn as an arrow object or, in older files, as a line with a head.
struct DrawnArrow {
    let object: Int
    let tail: Position
    let head: Position
    let kind: Reaction.Arrow
    /// Whether the arrow can connect two structures of a reaction.
    let isReaction: Bool

    /// Returns the arrow with an ID. If an arrow supersedes a line, the ID of the line refers to that arrow.
    static func find(_ id: UInt32, in drawing: Drawing, _ places: DrawingPlaces) -> DrawnArrow? {
        if let arrow = places.arrow(called: id) { return DrawnArrow(arrow, in: drawing) }
        guard let graphic = places.graphic(called: id) else { return nil }
        if let newer = drawing.identifier(.supersededBy, of: graphic), let arrow = places.arrow(called: newer) {
            return DrawnArrow(arrow, in: drawing)
        }
        return DrawnArrow(graphic, in: drawing)
    }

    /// Reads an arrow; returns nil if the object is not an arrow.
    init?(_ object: Int, in drawing: Drawing) {
        self.object = object
        func integer(_ property: DrawnProperty) -> Int { drawing.integer(property, of: object) ?? 0 }
        if drawing.kind(of: object) == .arrow {
            guard let head = drawing.position(.head3D, of: object), let tail = drawing.position(.tail3D, of: object)
            else {
                return nil
            }
            self.head = Position(head.x, head.y)
            self.tail = Position(tail.x, tail.y)
            let type = integer(.arrowType)
            let hasTip = integer(.arrowheadHead) >= 2 || integer(.arrowheadTail) >= 2 || type > 0
            let isStraight = drawing.real(.angularSize, of: object) ?? 0 == 0
            kind = Self.kind(of: object, in: drawing)
            isReaction = hasTip && isStraight && kind != .dipole
        } else {
            guard integer(.graphicType) == 1, integer(.arrowType) > 0, let box = drawing.box(.boundingBox, of: object)
            else {
                return nil
            }
            head = Position(box.left, box.top)
            tail = Position(box.right, box.bottom)
            kind = Self.kind(ofType: integer(.arrowType)) ?? .forward
            isReaction = kind != .dipole
        }
    }
}

extension DrawnArrow {
    /// Returns the kind of an arrow object. Its marks take precedence over the older arrow type, and the older type
    /// over the tips.
    private static func kind(of object: Int, in drawing: Drawing) -> Reaction.Arrow {
        func integer(_ property: DrawnProperty) -> Int { drawing.integer(property, of: object) ?? 0 }
        switch integer(.crossedOut) {
        case 2: return .crossed
        case 3: return .hashed
        default: break
        }
        if drawing.isSet(.dipole, of: object) { return .dipole }
        if let kind = kind(ofType: integer(.arrowType)) { return kind }
        let hasTips = integer(.arrowheadHead) >= 2 && integer(.arrowheadTail) >= 2
        let isDouble = integer(.shaftSpacing) > 0
        switch integer(.arrowheadType) {
        case 2: return .hollow
        case 3 where isDouble && !hasTips: return .retrosynthetic
        default: break
        }
        if !hasTips { return .forward }
        if !isDouble { return .resonance }
        switch integer(.equilibriumRatio) {
        case 101...: return .equilibriumToProducts
        case 1..<100: return .equilibriumToReactants
        default: return .equilibrium
        }
    }

    private static func kind(ofType type: Int) -> Reaction.Arrow? {
        switch type {
        case 4: .resonance
        case 8: .equilibrium
        case 16: .hollow
        case 32: .retrosynthetic
        case 64: .crossed
        case 128: .dipole
        default: nil
        }
    }
}

/// Infers reactions that no scheme declares, from the positions of objects around an arrow.
extension DrawingInterpreter {
    /// Returns the reactions along all arrows that belong to no step.
    ///
    /// - Parameter isAlone: Whether there are no steps.
    mutating func readArrows(besides declared: [DrawnReaction], isAlone: Bool) -> [DrawnReaction] {
        guard drawing.has(.arrow) || drawing.has(.graphic) else { return [] }
        let all = reactionArrows()
        let arrows = all.filter { !used.contains($0.object) }
        // The agents of a step are close to its arrow and are not the reactants of the next arrow.
        let agents = Set(declared.flatMap(\.agents))
        guard !arrows.isEmpty, !fragments.isEmpty else { return [] }
        guard arrows.count * max(all.count, fragments.count) < 4_000_000 else {
            doubt("too many arrows to infer reactions; only the molecules are read", arrows[0].object)
            return []
        }
        let texts = drawing.others.filter {
            drawing.kind(of: $0) == .text && drawing.objects[$0].isOnPage && arrows.count < 1000
        }
        var reactions: [DrawnReaction] = []
        for arrow in arrows {
            var reaction = infer(arrow, among: all, texts)
            reaction.reactants.removeAll { agents.contains($0) }
            reaction.products.removeAll { agents.contains($0) }
            reaction.offset = drawing.objects[arrow.object].offset
            let labels = DrawingLabels(drawing: drawing, fragments: fragments)
            reaction.take(labels)
            reaction.leaveOutVariables(labels)
            if reaction.reactants.isEmpty || reaction.products.isEmpty {
                doubt("an arrow without a step and without molecules on one side; ignored", arrow.object)
                let page = drawing.page(of: arrow.object)
                for text in reaction.conditions { looseFields.append((page, "Text", text)) }
                continue
            }
            used.insert(arrow.object)
            reaction.page = drawing.page(of: arrow.object)
            let reason: Text = isAlone ? "the file declares no reaction" : "the file declares no step for the arrow"
            reaction.fields.append(("Inferred", Text(bytes: Array("from the drawing: ".utf8) + reason.bytes)))
            reaction.arrow = arrow.kind
            let message = "no step is declared; the reaction is inferred from the arrow"
            reaction.issues.note(drawing.issue(message, at: reaction.offset))
            reactions.append(reaction)
        }
        return reactions
    }

    private func reactionArrows() -> [DrawnArrow] {
        drawing.others.compactMap { object in
            let thing = drawing.objects[object]
            guard thing.isOnPage, thing.kind == .arrow || thing.kind == .graphic else { return nil }
            if thing.kind == .graphic, let newer = drawing.identifier(.supersededBy, of: object),
                places.arrow(called: newer) != nil
            {
                return nil
            }
            guard let arrow = DrawnArrow(object, in: drawing), arrow.isReaction else { return nil }
            return Line(arrow).length > scale.bondLength ? arrow : nil
        }
    }

    /// The line of an arrow, with coordinates along the shaft from its tail and across the shaft.
    private struct Line {
        let length: Double
        private let start: Position
        private let x: Double
        private let y: Double

        init(_ arrow: DrawnArrow) {
            let (x, y) = (arrow.head.x - arrow.tail.x, arrow.head.y - arrow.tail.y)
            let length = (x * x + y * y).squareRoot()
            start = arrow.tail
            self.length = length
            self.x = length > 0 ? x / length : 1
            self.y = length > 0 ? y / length : 0
        }

        func along(_ position: Position) -> Double { (position.x - start.x) * x + (position.y - start.y) * y }

        func across(_ position: Position) -> Double { (position.y - start.y) * x - (position.x - start.x) * y }

        /// Returns the extent of a box along and across the line.
        func reach(of box: DrawnBox) -> (along: ClosedRange<Double>, across: ClosedRange<Double>) {
            let corners = [
                Position(box.left, box.top), Position(box.right, box.top), Position(box.left, box.bottom),
                Position(box.right, box.bottom),
            ]
            let along = corners.map(along)
            let across = corners.map(across)
            return (Self.range(along), Self.range(across))
        }

        private static func range(_ values: [Double]) -> ClosedRange<Double> {
            let low = values.min() ?? 0
            return low...max(low, values.max() ?? 0)
        }
    }

    private mutating func infer(_ arrow: DrawnArrow, among arrows: [DrawnArrow], _ texts: [Int]) -> DrawnReaction {
        let line = Line(arrow)
        let page = drawing.page(of: arrow.object)
        let near = 3 * scale.bondLength
        // Adjacent arrows on the same line limit the area of this arrow.
        var (least, greatest) = (-Double.infinity, Double.infinity)
        for other in arrows where other.object != arrow.object && drawing.page(of: other.object) == page {
            let middle = Position((other.head.x + other.tail.x) / 2, (other.head.y + other.tail.y) / 2)
            guard abs(line.across(middle)) < near else { continue }
            let along = line.along(middle)
            if along < 0 { least = max(least, along) }
            if along > line.length { greatest = min(greatest, along) }
        }
        var reaction = DrawnReaction()
        for (index, fragment) in fragments.enumerated()
        where !fragment.box.isEmpty && drawing.page(of: fragment.object) == page {
            let (along, across) = line.reach(of: fragment.box)
            let middle = (along.lowerBound + along.upperBound) / 2
            guard along.lowerBound > least, along.upperBound < greatest else { continue }
            let isOnLine = across.lowerBound <= scale.bondLength && across.upperBound >= -scale.bondLength
            if (0...line.length).contains(middle) {
                let distance = across.contains(0) ? 0 : min(abs(across.lowerBound), abs(across.upperBound))
                if distance <= near { reaction.agents.append(index) }
            } else if isOnLine {
                if middle < 0 { reaction.reactants.append(index) } else { reaction.products.append(index) }
            }
        }
        guard !reaction.reactants.isEmpty, !reaction.products.isEmpty else { return reaction }
        for object in texts {
            guard drawing.page(of: object) == page, !usedTexts.contains(object), let box = textBox(of: object) else {
                continue
            }
            guard (0...line.length).contains(line.along(box.center)), abs(line.across(box.center)) <= near else {
                continue
            }
            usedTexts.insert(object)
            let text = drawing.text(of: object)
            if !text.isEmpty { reaction.conditions.append(text) }
        }
        return reaction
    }

    /// Returns the box of a text, in points.
    func textBox(of text: Int) -> DrawnBox? {
        if let box = drawing.box(.boundingBox, of: text) { return box.upright }
        guard let position = drawing.position(.position, of: text) else { return nil }
        return DrawnBox(around: [position])
    }
}
