import ChemopenModel

/// Preserves the unknown content of a drawing.
extension DrawingInterpreter {
    /// Adds unknown content to the atom or molecule that contains it. Returns the rest by page.
    mutating func keepUnknownParts() -> [(page: Int, part: Verbatim)] {
        var loose: [(page: Int, part: Verbatim)] = []
        for (object, text) in drawing.kept {
            let thing = drawing.objects[object]
            let name = thing.id == 0 ? "<\(thing.kind.name)> " : "<\(thing.kind.name) id=\"\(thing.id)\"> "
            let whole = Text(bytes: Array(name.utf8) + text.bytes)
            if let place = places.atom(ofNode: object) {
                fragments[place.molecule].molecule.extras.contents.verbatim.append(
                    Verbatim(.chemDraw, of: .atom(Int32(clamping: place.atom)), whole))
            } else if let fragment = molecule(around: object) {
                fragments[fragment].molecule.extras.contents.verbatim.append(Verbatim(.chemDraw, whole))
            } else {
                loose.append((drawing.page(of: object), Verbatim(.chemDraw, whole)))
            }
        }
        return loose
    }
}

/// Finds the objects of a drawing that no record can represent.
struct DrawingRemainder {
    private let drawing: Drawing
    private let places: DrawingPlaces
    /// The objects that a record represents.
    private let used: ObjectSet
    /// The fragments that became molecules, and the pages with reactions.
    private var molecules: ObjectSet
    private var pages: Set<Int> = []

    init(_ drawing: Drawing, _ places: DrawingPlaces, molecules: [DrawnFragment], used: ObjectSet) {
        self.drawing = drawing
        self.places = places
        self.used = used
        self.molecules = ObjectSet(among: drawing.objects.count)
        self.molecules.formUnion(molecules.lazy.map(\.object))
        for object in drawing.others where used.contains(object) {
            if DrawnArrow(object, in: drawing) != nil { pages.insert(drawing.page(of: object)) }
        }
    }

    /// Returns the parts of the file that no record can represent, as a count for each page and kind.
    func passedOver() -> [(page: Int, part: Verbatim)] {
        var tallies: [Int: [String: Int]] = [:]
        let first = drawing.others.first { drawing.kind(of: $0) == .page } ?? Drawing.document
        if !drawing.unknown.isEmpty { tallies[first] = drawing.unknown }
        for object in leftObjects() {
            tallies[drawing.page(of: object), default: [:]]["object \(name(of: object))", default: 0] += 1
        }
        return tallies.sorted { $0.key < $1.key }.flatMap { page, tally in
            tally.sorted { $0.key < $1.key }.map { name, count in
                (page, Verbatim(.chemDraw, passedOver: Text(name), count: count))
            }
        }
    }

    /// Returns the name of an object for a report. The name of a graphic includes its type.
    private func name(of object: Int) -> String {
        let name = drawing.kind(of: object).name
        guard drawing.kind(of: object) == .graphic, let type = drawing.integer(.graphicType, of: object),
            let shape = DrawnPropertyTable.row(of: .graphicType)?.type.name(of: type)
        else { return name }
        return "\(name) \(String(decoding: shape, as: UTF8.self))"
    }

    /// Returns the objects of published kinds that no record can represent.
    private func leftObjects() -> [Int] {
        // An object precedes everything that it contains.
        var hasPlace: [Bool] = []
        hasPlace.reserveCapacity(drawing.objects.count)
        for object in drawing.objects.indices {
            let parent = drawing.objects[object].parent
            let around = parent < 0 || hasPlace[parent]
            hasPlace.append(self.hasPlace(object, around: around))
        }
        return hasPlace.allSatisfy { $0 } ? [] : hasPlace.indices.filter { !hasPlace[$0] }
    }

    /// Whether records represent an object, or a warning already explains why they do not.
    ///
    /// - Parameter around: The result for the parent object.
    private func hasPlace(_ object: Int, around: Bool) -> Bool {
        let parent = drawing.objects[object].parent
        let kindAround = parent < 0 ? .document : drawing.kind(of: parent)
        let kind = drawing.kind(of: object)
        // Objects of unknown kinds are reported separately, by name.
        if !kind.isKnown || !kindAround.isKnown { return true }
        switch kind {
        case .document, .page, .group, .table, .scheme, .step, .alternativeGroup: return true
        case .fragment:
            if molecules.contains(object) || used.contains(object) || kindAround == .node
                || kindAround == .alternativeGroup
            {
                return around
            }
            return !drawing.children(of: object).contains { drawing.kind(of: $0) == .node }
        case .node, .bond, .bracketAttachment, .crossingBond: return around
        case .text:
            if used.contains(object) { return true }
            switch kindAround {
            case .node, .objectTag, .chemicalProperty, .annotation, .alternativeGroup: return around
            default:
                let text = drawing.text(of: object).trimmed
                return text.isEmpty || text == Text.plusSign && pages.contains(drawing.page(of: object))
            }
        case .graphic: return used.contains(object) || repeatsAnother(object)
        case .annotation:
            if kindAround == .arrow || drawing.text(.keyword, of: object) == OwnStatement.keyword { return around }
            return used.contains(object)
        default: return used.contains(object)
        }
    }

    /// Whether a graphic adds no information, because it is superseded, or its charge or flag is also a property of a
    /// node or molecule.
    private func repeatsAnother(_ graphic: Int) -> Bool {
        if let newer = drawing.identifier(.supersededBy, of: graphic),
            places.arrow(called: newer) != nil || places.graphic(called: newer) != nil
        {
            return true
        }
        guard drawing.integer(.graphicType, of: graphic) == 7 else { return false }
        if drawing.isSet(.represents, of: graphic) { return true }
        let parent = drawing.objects[graphic].parent
        return drawing.integer(.symbolType, of: graphic) == 11 && parent >= 0 && drawing.kind(of: parent) == .fragment
    }
}
