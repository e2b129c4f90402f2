/// Boxes that can be searched by position.
struct BoxIndex {
    private(set) var boxes: [(box: Box, owner: Int)] = []
    private var cells: [Cell: [Int32]] = [:]
    /// The boxes that cover many cells; every search includes them.
    private var large: [Int32] = []

    private struct Cell: Hashable {
        var column: Int32
        var row: Int32
    }

    private static let side = 24.0
    private static let cellLimit = 64
    /// The largest number of boxes that are searched for a box that covers many cells.
    private static let scanLimit = 1000

    /// Adds a box with the number of its owner.
    mutating func add(_ box: Box, of owner: Int) {
        guard !box.isEmpty else { return }
        let place = Int32(clamping: boxes.count)
        boxes.append((box, owner))
        guard let range = Self.cells(under: box) else { return large.append(place) }
        for cell in range { cells[cell, default: []].append(place) }
    }

    /// The number of boxes visited in one search. If there are more at the same position, the drawing is unreadable
    /// anyway.
    private static let visitLimit = 300

    /// Calls a closure for each box that may overlap `box`, for some boxes more than once.
    func visit(near box: Box, _ body: (Box, Int) -> Void) {
        for place in large.prefix(Self.visitLimit) { body(boxes[Int(place)].box, boxes[Int(place)].owner) }
        guard let range = Self.cells(under: box) else {
            if boxes.count <= Self.scanLimit { for entry in boxes { body(entry.box, entry.owner) } }
            return
        }
        var room = Self.visitLimit
        for cell in range where room > 0 {
            for place in (cells[cell] ?? []).prefix(room) {
                room -= 1
                body(boxes[Int(place)].box, boxes[Int(place)].owner)
            }
        }
    }

    /// Calls a closure for each box that a line may cross, for some boxes more than once.
    func visit(along start: Picture.Point, _ end: Picture.Point, _ body: (Box, Int) -> Void) {
        for place in large.prefix(Self.visitLimit) { body(boxes[Int(place)].box, boxes[Int(place)].owner) }
        let way = end - start
        let steps = Self.steps(along: way)
        var last: Cell?
        for step in 0...steps {
            let point = start + way * (Double(step) / Double(steps))
            let cell = Cell(
                column: Int32(clamping: Self.index(point.x)), row: Int32(clamping: Self.index(point.y)))
            if cell == last { continue }
            last = cell
            for place in (cells[cell] ?? []).prefix(Self.visitLimit) {
                body(boxes[Int(place)].box, boxes[Int(place)].owner)
            }
        }
    }

    private static let mostSteps = 4000

    /// Returns the number of steps for a search along a line.
    static func steps(along way: Picture.Point) -> Int {
        max(1, min(mostSteps, Int(way.length / side * 4)))
    }

    /// Whether a box overlaps a box of another owner.
    func overlaps(_ box: Box, except owner: Int = -1) -> Bool {
        var isHit = false
        visit(near: box) { other, otherOwner in
            if otherOwner != owner, other.overlaps(box) { isHit = true }
        }
        return isHit
    }

    private static func cells(under box: Box) -> [Cell]? {
        let columns = index(box.left)...max(index(box.left), index(box.right))
        let rows = index(box.top)...max(index(box.top), index(box.bottom))
        guard columns.count * rows.count <= cellLimit else { return nil }
        return rows.flatMap { row in columns.map { Cell(column: Int32(clamping: $0), row: Int32(clamping: row)) } }
    }

    private static func index(_ coordinate: Double) -> Int {
        Int((max(-1e6, min(1e6, coordinate)) / side).rounded(.down))
    }
}
