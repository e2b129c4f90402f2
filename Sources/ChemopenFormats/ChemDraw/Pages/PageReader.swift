import ChemopenModel

/// Converts a drawing to pages, with every visible item at its position.
///
/// The reader does not change any objects. Read the drawing together with its appearance before you use it.
struct PageReader: PagePart {
    let drawing: Drawing
    let settings: PageSettings
    /// Whether each object is hidden: it belongs to the content of an abbreviation or to an invisible object.
    private let isHidden: [Bool]
    /// The IDs of arrows and curves. If a graphic refers to one of them, it is an older version of it and is not drawn.
    private let arrows: Set<UInt32>
    /// The nodes whose charge or electrons are shown by a symbol.
    private let shownBySymbols: Set<UInt32>

    /// Returns the pages of a drawing; there is always at least one.
    static func pages(of drawing: Drawing) -> [Page] {
        if drawing.objects.isEmpty { return [Page()] }
        return PageReader(drawing).pages()
    }

    private init(_ drawing: Drawing) {
        self.drawing = drawing
        settings = PageSettings(of: drawing)
        var hidden = [Bool](repeating: false, count: drawing.objects.count)
        var arrows: Set<UInt32> = []
        var shown: Set<UInt32> = []
        for (place, object) in drawing.objects.enumerated() {
            let parent = object.parent
            if parent >= 0 {
                let isContent = object.kind == .fragment && drawing.kind(of: parent) == .node
                hidden[place] = hidden[parent] || isContent || drawing.integer(.visible, of: place) == 0
            }
            if object.kind == .arrow || object.kind == .curve { arrows.insert(object.id) }
            if case .references(let references)? = drawing.value(.represents, of: place) {
                for reference in references.prefix(16) { shown.insert(reference.object) }
            }
        }
        isHidden = hidden
        self.arrows = arrows
        shownBySymbols = shown
    }

    // MARK: Pages

    private struct Placed {
        var z: Int
        var things: [Page.Item]
    }

    private func pages() -> [Page] {
        let sheets = drawing.objects.indices.filter { place in
            drawing.kind(of: place) == .page && drawing.kind(of: drawing.objects[place].parent) == .document
        }
        let (numbers, offsets) = sheetsOfObjects(sheets)
        var placed = [[Placed]](repeating: [], count: max(1, sheets.count))
        var undrawn = [[String: Int]](repeating: [:], count: max(1, sheets.count))
        var z = 0
        for (place, object) in drawing.objects.enumerated() where !isHidden[place] {
            let number = Int(numbers[place])
            if let name = Self.undrawnName(of: object.kind) {
                undrawn[number][name, default: 0] += 1
                continue
            }
            let (things, missing) = things(of: place)
            for name in missing { undrawn[number][name, default: 0] += 1 }
            if things.isEmpty { continue }
            z = drawing.integer(.z, of: place) ?? z
            let offset = offsets[place] ?? Page.Point(0, 0)
            let moved = offset == Page.Point(0, 0) ? things : things.map { $0.moved(by: offset) }
            placed[number].append(Placed(z: z, things: moved))
        }
        return placed.indices.map { number in
            var page = Page()
            // Swift's sort is not guaranteed to be stable, so compare the indices too.
            let order = placed[number].indices.sorted {
                (placed[number][$0].z, $0) < (placed[number][$1].z, $1)
            }
            page.things = order.flatMap { placed[number][$0].things }
            page.undrawn = undrawn[number].sorted { $0.key < $1.key }.map { Page.UnsupportedItem($0.key, $0.value) }
            page.ground = settings.ground
            return page
        }
    }

    /// Returns the page number of each object, and the offsets of the objects in table cells.
    private func sheetsOfObjects(_ sheets: [Int]) -> (numbers: [Int32], offsets: [Int: Page.Point]) {
        var numbers = [Int32](repeating: 0, count: drawing.objects.count)
        var offsets: [Int: Page.Point] = [:]
        var next: Int32 = 0
        for (place, object) in drawing.objects.enumerated() where object.parent >= 0 {
            if sheets.indices.contains(Int(next)), sheets[Int(next)] == place {
                numbers[place] = next
                next += 1
                continue
            }
            numbers[place] = numbers[object.parent]
            let outer = offsets[object.parent]
            if object.kind == .page, let cell = drawing.box(.boundsInParent, of: place) {
                offsets[place] = Page.Point(cell.left + (outer?.x ?? 0), cell.top + (outer?.y ?? 0))
            } else if let outer {
                offsets[place] = outer
            }
        }
        return (numbers, offsets)
    }

    // MARK: Items

    /// Returns the items that draw one object, and the names of anything that cannot be drawn.
    private func things(of place: Int) -> (things: [Page.Item], missing: [String]) {
        let shapes = PageShapeReader(drawing: drawing, settings: settings)
        let texts = PageTextReader(drawing: drawing, settings: settings)
        switch drawing.kind(of: place) {
        case .fragment, .group, .page, .document:
            let placeless = drawing.children(of: place, .node).filter { nodePlace($0) == nil }
            let structures = PageStructureReader(drawing: drawing, settings: settings, shownBySymbols: shownBySymbols)
            return (
                structures.structure(of: place).map { [.structure($0)] + structures.connectionPoints(of: place) } ?? [],
                placeless.map { _ in "atom without coordinates" }
            )
        case .text:
            let isLabel = drawing.kind(of: drawing.objects[place].parent) == .node
            return (
                isLabel ? [] : texts.text(of: place).map { [.text($0)] } ?? [],
                texts.isCutOff(place) ? ["end of a text of more than \(PageTextReader.mostLetters) letters"] : []
            )
        case .arrow: return (shapes.arrow(of: place).map { [.arrow($0)] } ?? [], [])
        case .graphic:
            if let id = drawing.identifier(.supersededBy, of: place), arrows.contains(id) { return ([], []) }
            return (shapes.graphic(of: place), [])
        case .curve: return (shapes.curve(of: place), [])
        case .table: return (shapes.table(of: place), [])
        case .thinLayerPlate: return (shapes.plate(of: place), [])
        case .alternativeGroup: return (shapes.frames(of: place), [])
        case .embeddedObject: return embedded(in: place)
        default: return ([], [])
        }
    }

    /// Returns the name of a visible kind of object that is not supported, or nil if the kind is supported.
    private static func undrawnName(of kind: DrawnKind) -> String? {
        switch kind.name {
        case "spectrum", "geometry", "constraint", "stoichiometrygrid", "bioshape", "plasmidmap", "rlogic", "gepplate",
            "ColoredMolecularArea", "border":
            kind.name
        default: kind.isKnown ? nil : "object \(kind.name)"
        }
    }

    /// Returns an embedded picture, if it is in a format that every program can show.
    private func embedded(in place: Int) -> (things: [Page.Item], missing: [String]) {
        let kinds: [(DrawnProperty, Page.Image.Kind)] = [
            (.png, .png), (.jpeg, .jpeg), (.bitmap, .bmp), (.gif, .gif),
        ]
        for (property, kind) in kinds {
            guard case .bytes(let bytes)? = drawing.value(property, of: place), !bytes.isEmpty,
                let box = drawing.box(.boundingBox, of: place)?.upright, isSound(box)
            else { continue }
            let corner = Page.Point(box.left, box.top)
            let image = Page.Image(kind, bytes, at: corner, width: box.right - box.left, height: box.bottom - box.top)
            return ([.image(image)], [])
        }
        let others: [(tags: ClosedRange<UInt16>, name: String)] = [
            (0x0A62...0x0A62, "PICT"), (0x0A63...0x0A63, "WMF"), (0x0A64...0x0A64, "OLE"), (0x0A65...0x0A65, "EMF"),
            (0x0A66...0x0A66, "PICT"), (0x0A67...0x0A67, "WMF"), (0x0A68...0x0A68, "OLE"), (0x0A69...0x0A69, "EMF"),
            (0x0A6F...0x0A6F, "TIFF"), (0x0A73...0x0A73, "PDF"),
        ]
        for (tags, name) in others where drawing.value(DrawnProperty(rawValue: tags.lowerBound), of: place) != nil {
            return (placeholder(for: name, at: place), ["embeddedobject (\(name))"])
        }
        return (placeholder(for: "?", at: place), ["embeddedobject"])
    }

    /// Returns a frame with a name, drawn instead of an unsupported picture.
    private func placeholder(for name: String, at place: Int) -> [Page.Item] {
        guard let box = drawing.box(.boundingBox, of: place)?.upright, isSound(box) else { return [] }
        let gray = Page.Color(0x80, 0x80, 0x80)
        let center = Page.Point((box.left + box.right) / 2, (box.top + box.bottom) / 2)
        let frame = Page.Shape(
            .rectangle(
                center: center, Page.Point(box.right, center.y), Page.Point(center.x, box.bottom), rounding: 0),
            line: Page.Line(width: settings.lineWidth, color: gray, dash: settings.hashSpacing))
        var run = Page.TextRun(name)
        run.color = gray
        let text = Page.Writing([Page.TextLine([run], at: center)], alignment: .center)
        return [.shape(frame), .text(text)]
    }
}

extension Page.Item {
    /// Returns the item, moved by an offset.
    fileprivate func moved(by offset: Page.Point) -> Page.Item {
        func moved(_ point: Page.Point) -> Page.Point { Page.Point(point.x + offset.x, point.y + offset.y) }
        func moved(_ writing: Page.Writing) -> Page.Writing {
            var writing = writing
            for index in writing.lines.indices { writing.lines[index].place = moved(writing.lines[index].place) }
            return writing
        }
        switch self {
        case .structure(var structure):
            for index in structure.molecule.atoms.indices {
                structure.molecule.atoms[index].position.x += offset.x
                structure.molecule.atoms[index].position.y += offset.y
            }
            for index in structure.labels.indices {
                structure.labels[index].writing = moved(structure.labels[index].writing)
            }
            return .structure(structure)
        case .text(let writing): return .text(moved(writing))
        case .arrow(var arrow):
            arrow.tail = moved(arrow.tail)
            arrow.head = moved(arrow.head)
            arrow.center = arrow.center.map(moved)
            arrow.curve = arrow.curve.map(moved)
            return .arrow(arrow)
        case .shape(var shape):
            switch shape.form {
            case .path(let points, let isClosed): shape.form = .path(points.map(moved), isClosed: isClosed)
            case .curve(let points, let isClosed): shape.form = .curve(points.map(moved), isClosed: isClosed)
            case .arc(let center, let start, let sweep):
                shape.form = .arc(center: moved(center), from: moved(start), sweep: sweep)
            case .rectangle(let center, let one, let other, let rounding):
                shape.form = .rectangle(center: moved(center), moved(one), moved(other), rounding: rounding)
            case .oval(let center, let one, let other):
                shape.form = .oval(center: moved(center), moved(one), moved(other))
            case .lobe(let start, let end): shape.form = .lobe(from: moved(start), to: moved(end))
            case .bracket(let kind, let start, let end, let lip):
                shape.form = .bracket(kind, from: moved(start), to: moved(end), lip: lip)
            case .symbol(let kind, let place, let end): shape.form = .symbol(kind, at: moved(place), to: moved(end))
            }
            return .shape(shape)
        case .image(var image):
            image.corner = moved(image.corner)
            return .image(image)
        }
    }
}
