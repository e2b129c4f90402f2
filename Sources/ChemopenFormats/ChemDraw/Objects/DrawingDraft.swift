import ChemopenModel

/// A drawing that is being built: objects are opened and closed, and their properties are set in between.
struct DrawingDraft {
    private(set) var objects: [Drawing.Object] = []
    private var entries: [Drawing.Entry] = []
    private var positions: [Position] = []
    private var boxes: [DrawnBox] = []
    private var identifiers: [UInt32] = []
    private var otherValues: [DrawnValue] = []
    private let bytes: [UInt8]
    private var kinds: UInt64 = 0
    private var unknown: [String: Int] = [:]
    private var kept: [(object: Int, text: Text)] = []
    private var keptBytes = 0
    /// The warnings about the encoding.
    var issues: [Issue] = []
    /// The reason why the file could not be read to its end.
    var damage: Issue?
    /// Whether the file is malformed rather than just truncated. If so, no part of it is trusted.
    var isBroken = false
    /// The innermost open object, and the number of open objects.
    private var innermost = -1
    private(set) var depth = 0
    let lines: LineTable
    /// Whether the appearance and unknown content are preserved too, which is required to rewrite the drawing.
    let isWhole: Bool

    private static let mostKeptBytes = 1 << 22

    /// Creates a drawing with texts stored in `bytes`; issues refer to the lines of `text`.
    init(of bytes: [UInt8] = [], linesOf text: [UInt8]? = nil, isWhole: Bool = false) {
        self.bytes = bytes
        self.isWhole = isWhole
        lines = LineTable(of: text)
    }

    /// The drawing in its current state.
    var finished: Drawing {
        Drawing(
            objects, entries,
            .init(positions: positions, boxes: boxes, identifiers: identifiers, others: otherValues, bytes: bytes),
            kinds: kinds, unknown: unknown, kept: kept, issues: issues, damage: damage, isBroken: isBroken,
            lines: lines)
    }

    /// The innermost open object.
    var current: Int? { innermost >= 0 ? innermost : nil }

    func kind(of object: Int) -> DrawnKind { objects[object].kind }

    mutating func doubt(_ message: String, found: Text = "", at offset: Int) {
        issues.note(lines.issue(message, found: found, at: offset))
    }
}

// MARK: - Objects

extension DrawingDraft {
    /// Reserves the memory that a file of this size usually needs.
    mutating func reserve(forBytes count: Int) {
        objects.reserveCapacity(count / 32 + 8)
        entries.reserveCapacity(count / 16 + 8)
        positions.reserveCapacity(count / 64 + 8)
        boxes.reserveCapacity(count / 128 + 8)
    }

    @inline(__always)
    mutating func open(_ kind: DrawnKind, id: UInt32, offset: Int) {
        let place = Int32(truncatingIfNeeded: objects.count)
        let parent = innermost
        var standing: Drawing.Object.Standing = []
        var page: Int32 = 0
        if parent >= 0 {
            let around = objects[parent]
            if around.isInNode || around.kind == .node { standing.insert(.inNode) }
            if around.isOnPage, around.kind.isContainer { standing.insert(.onPage) }
            page = kind == .page ? place : around.pagePlace
        } else {
            standing.insert(.onPage)
        }
        objects.append(
            Drawing.Object(
                kind: kind, standing: standing, id: id, startPlace: UInt32(clamping: offset),
                parentPlace: Int32(truncatingIfNeeded: parent), pagePlace: page))
        innermost = Int(place)
        depth &+= 1
        kinds |= kind.bit
        if depth == Drawing.unusualDepth { doubt("more than \(Drawing.unusualDepth) nested objects", at: offset) }
    }

    @inline(__always)
    mutating func close() {
        guard innermost >= 0 else { return }
        innermost = objects[innermost].close(before: objects.count)
        depth &-= 1
    }
}

// MARK: - Statements

extension DrawingDraft {
    /// Sets a property of the innermost open object. If a property is set twice, the last value applies.
    mutating func set(_ property: DrawnProperty, _ value: DrawnValue) {
        switch value {
        case .integer(let number): set(property, integer: number)
        case .real(let number): set(property, real: number)
        case .position(let position): set(property, position: position)
        case .box(let box): set(property, box: box)
        case .identifiers(let ids):
            let start = identifiers.count
            identifiers += ids
            add(property, .identifiers, range: start..<identifiers.count)
        default:
            add(property, .other, UInt64(otherValues.count))
            otherValues.append(value)
        }
    }

    @inline(__always)
    mutating func set(_ property: DrawnProperty, integer number: Int) {
        add(property, .integer, UInt64(bitPattern: Int64(number)))
    }

    @inline(__always)
    mutating func set(_ property: DrawnProperty, real number: Double) {
        add(property, .real, number.bitPattern)
    }

    @inline(__always)
    mutating func set(_ property: DrawnProperty, position: Position) {
        add(property, .position, UInt64(positions.count))
        positions.append(position)
    }

    @inline(__always)
    mutating func set(_ property: DrawnProperty, box: DrawnBox) {
        add(property, .box, UInt64(boxes.count))
        boxes.append(box)
    }

    /// Sets a text that is stored verbatim in the file.
    @inline(__always)
    mutating func set(_ property: DrawnProperty, textAt range: Range<Int>) {
        add(property, .bytes, range: range)
    }

    /// Sets a list of little-endian IDs that is stored in the file.
    mutating func set(_ property: DrawnProperty, identifiersIn bytes: Span<UInt8>, at range: Range<Int>) {
        let start = identifiers.count
        for place in stride(from: range.lowerBound, to: range.upperBound, by: 4) {
            let (first, second) = (UInt32(bytes[place]), UInt32(bytes[place &+ 1]) << 8)
            let (third, fourth) = (UInt32(bytes[place &+ 2]) << 16, UInt32(bytes[place &+ 3]) << 24)
            identifiers.append(first | second | third | fourth)
        }
        add(property, .identifiers, range: start..<identifiers.count)
    }

    private mutating func add(_ property: DrawnProperty, _ form: Drawing.Entry.Form, range: Range<Int>) {
        let (start, end) = (UInt32(clamping: range.lowerBound), UInt32(clamping: range.upperBound))
        add(property, form, UInt64(start) << 32 | UInt64(end))
    }

    @inline(__always)
    private mutating func add(_ property: DrawnProperty, _ form: Drawing.Entry.Form, _ bits: UInt64) {
        if innermost < 0 { return }
        let previous = objects[innermost].state(property, at: entries.count)
        entries.append(Drawing.Entry(property: property, form: form, previous: previous, bits: bits))
    }
}

// MARK: - Unknown content

extension DrawingDraft {
    mutating func countUnknown(_ name: String) {
        let limit = 1000
        if unknown.count < limit || unknown[name] != nil { unknown[name, default: 0] += 1 }
    }

    /// Preserves a part of the current object verbatim. Content beyond the size limit is only counted.
    mutating func keep(_ text: [UInt8]) {
        guard let current, keptBytes + text.count <= Self.mostKeptBytes else { return }
        keptBytes += text.count
        kept.append((current, Text(bytes: text)))
    }
}
