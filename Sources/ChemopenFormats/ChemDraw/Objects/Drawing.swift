import ChemopenModel

/// A ChemDraw document as both of its spellings have it: objects within objects, each with properties.
///
/// Objects lie in one array in the order of the file, and an object names others by their place in it: the tree needs
/// no recursion to be built, walked or let go, however deep it is. An object stands before all that it contains.
struct Drawing {
    /// 48 bytes, so that a drawing's objects are one block of memory.
    struct Object {
        let kind: DrawnKind
        fileprivate(set) var standing: Standing
        /// The id that other objects use; several may have the same, and 0 is no name.
        let id: UInt32
        fileprivate let startPlace: UInt32
        fileprivate let parentPlace: Int32
        fileprivate let pagePlace: Int32
        fileprivate var endPlace = Int32.max
        fileprivate var firstChild: Int32 = -1
        fileprivate var lastChild: Int32 = -1
        fileprivate var nextSibling: Int32 = -1
        fileprivate var lastProperty: Int32 = -1
        /// A bit for each property that it states, by the last six bits of the tag.
        fileprivate var stated: UInt64 = 0

        struct Standing: OptionSet {
            let rawValue: UInt8

            static let closed = Standing(rawValue: 1)
            static let inNode = Standing(rawValue: 2)
            static let onPage = Standing(rawValue: 4)
        }

        /// The object that it stands in; -1 for the document.
        var parent: Int { Int(parentPlace) }
        /// Where it begins in the file.
        var offset: Int { Int(startPlace) }
        /// All that it contains stands before this place.
        var end: Int { Int(endPlace) }
        /// The page that it stands on; the document where it stands on none.
        var page: Int { Int(pagePlace) }
        /// The file goes on behind it; not so for those in whose midst it breaks off.
        var isClosed: Bool { standing.contains(.closed) }
        /// It is part of an abbreviation's content.
        var isInNode: Bool { standing.contains(.inNode) }
        /// Only pages, groups and tables stand around it.
        var isOnPage: Bool { standing.contains(.onPage) }
    }

    /// A property that is stated of an object: 16 bytes. What does not fit stands aside, among its like.
    private struct Entry {
        let property: DrawnProperty
        let form: Form
        /// The property before it of the same object.
        let previous: Int32
        /// The number itself, or where the value stands aside, as the form says.
        let bits: UInt64

        enum Form: UInt8 {
            case integer, real, position, box, identifiers, bytes, other
        }

        var place: Int { Int(truncatingIfNeeded: bits) }

        /// Two places of a range in one number.
        var range: Range<Int> { Int(bits >> 32)..<Int(bits & 0xFFFF_FFFF) }
    }

    private(set) var objects: [Object] = []
    private var entries: [Entry] = []
    private var positions: [Position] = []
    private var boxes: [DrawnBox] = []
    private var identifiers: [UInt32] = []
    private var otherValues: [DrawnValue] = []
    /// The bytes that texts are taken from where they stand in the file as they are meant.
    private let bytes: [UInt8]
    /// The kinds of the objects, a bit for each.
    private var kinds: UInt64 = 0
    /// The things in the file beyond the tables of kinds and properties, by name, and how often.
    private(set) var unknown: [String: Int] = [:]
    /// The same as it stands in the file, with the objects that it stands in.
    private(set) var kept: [(object: Int, text: Text)] = []
    private var keptBytes = 0
    /// The doubts about the spelling.
    var issues: [Issue] = []
    /// Why the file could not be read to its end.
    var damage: Issue?
    /// The file is wrong in its midst and not just cut off: nothing of it is to be trusted.
    var isBroken = false
    /// The object that is being read, and how many stand around it with it.
    private var innermost = -1
    private(set) var depth = 0
    /// The lines of a text file.
    private let lines: LineTable?
    /// Looks are kept, too, and what is in no table: all that is needed to write the drawing again.
    let isWhole: Bool

    private static let mostKeptBytes = 1 << 22

    /// Drawings nest thirteen deep; what nests deeper than this is told.
    static let unusualDepth = 1024

    /// The document; there is one as soon as anything has been read.
    static let document = 0

    /// A drawing of which texts stand in a file, and whose faults are told with the lines of a text.
    init(of bytes: [UInt8], linesOf text: [UInt8]? = nil, isWhole: Bool = false) {
        self.bytes = bytes
        self.isWhole = isWhole
        lines = text.map { LineTable(of: $0) }
    }
}

// MARK: - Building

extension Drawing {
    /// The object that is being read.
    var current: Int? { innermost >= 0 ? innermost : nil }

    /// Makes room for what a file of so many bytes usually holds.
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
        var standing: Object.Standing = []
        var page: Int32 = 0
        if parent >= 0 {
            let around = objects[parent]
            if around.isInNode || around.kind == .node { standing.insert(.inNode) }
            if around.isOnPage, around.kind.isContainer { standing.insert(.onPage) }
            page = kind == .page ? place : around.pagePlace
            if around.lastChild >= 0 {
                objects[Int(around.lastChild)].nextSibling = place
            } else {
                objects[parent].firstChild = place
            }
            objects[parent].lastChild = place
        } else {
            standing.insert(.onPage)
        }
        objects.append(
            Object(
                kind: kind, standing: standing, id: id, startPlace: UInt32(clamping: offset),
                parentPlace: Int32(truncatingIfNeeded: parent), pagePlace: page))
        innermost = Int(place)
        depth &+= 1
        kinds |= kind.bit
        if depth == Self.unusualDepth { doubt("objects nest more than \(Self.unusualDepth) deep", at: offset) }
    }

    @inline(__always)
    mutating func close() {
        guard innermost >= 0 else { return }
        objects[innermost].standing.insert(.closed)
        objects[innermost].endPlace = Int32(truncatingIfNeeded: objects.count)
        innermost = objects[innermost].parent
        depth &-= 1
    }

    /// Says something of the object that is being read. Where it is said twice, the later word counts.
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

    /// A text that stands in the file as it is meant.
    @inline(__always)
    mutating func set(_ property: DrawnProperty, textAt range: Range<Int>) {
        add(property, .bytes, range: range)
    }

    /// Ids that stand in the file one behind the other, the low byte first.
    mutating func set(_ property: DrawnProperty, identifiersIn bytes: Span<UInt8>, at range: Range<Int>) {
        let start = identifiers.count
        for place in stride(from: range.lowerBound, to: range.upperBound, by: 4) {
            let (first, second) = (UInt32(bytes[place]), UInt32(bytes[place &+ 1]) << 8)
            let (third, fourth) = (UInt32(bytes[place &+ 2]) << 16, UInt32(bytes[place &+ 3]) << 24)
            identifiers.append(first | second | third | fourth)
        }
        add(property, .identifiers, range: start..<identifiers.count)
    }

    private mutating func add(_ property: DrawnProperty, _ form: Entry.Form, range: Range<Int>) {
        let (start, end) = (UInt32(clamping: range.lowerBound), UInt32(clamping: range.upperBound))
        add(property, form, UInt64(start) << 32 | UInt64(end))
    }

    @inline(__always)
    private mutating func add(_ property: DrawnProperty, _ form: Entry.Form, _ bits: UInt64) {
        if innermost < 0 { return }
        let place = Int32(truncatingIfNeeded: entries.count)
        entries.append(
            Entry(property: property, form: form, previous: objects[innermost].lastProperty, bits: bits))
        objects[innermost].lastProperty = place
        objects[innermost].stated |= property.bit
    }

    mutating func countUnknown(_ name: String) {
        let limit = 1000
        if unknown.count < limit || unknown[name] != nil { unknown[name, default: 0] += 1 }
    }

    /// Keeps a part of the object that is being read as it stands in the file. What is longer than all that a drawing
    /// says in its own words is only counted.
    mutating func keep(_ text: [UInt8]) {
        guard let current, keptBytes + text.count <= Self.mostKeptBytes else { return }
        keptBytes += text.count
        kept.append((current, Text(bytes: text)))
    }

    mutating func doubt(_ message: String, found: Text = "", at offset: Int) {
        issues.note(issue(message, found: found, at: offset))
    }
}

// MARK: - Telling

extension Drawing {
    func issue(_ message: String, found: Text = "", at offset: Int) -> Issue {
        Issue(line: line(at: offset), offset: offset, message, found: found)
    }

    /// The issue with an object, by its name and id.
    func issue(_ message: String, with object: Int, found: Text = "") -> Issue {
        let thing = objects[object]
        let name = thing.id == 0 ? "<\(thing.kind.name)>" : "<\(thing.kind.name) id=\"\(thing.id)\">"
        return issue("\(name): \(message)", found: found, at: thing.offset)
    }

    /// The line that holds a byte; 0 in a binary file.
    func line(at offset: Int) -> Int { lines?.line(at: offset) ?? 0 }

    /// Where a line of a text file begins.
    func offset(ofLine line: Int) -> Int { lines?.offset(ofLine: line) ?? 0 }
}

// MARK: - Looking

extension Drawing {
    /// The objects directly within another, in the order of the file.
    struct Children: Sequence, IteratorProtocol {
        fileprivate let objects: [Object]
        fileprivate var place: Int

        @inline(__always)
        mutating func next() -> Int? {
            guard place >= 0 else { return nil }
            let found = place
            place = Int(objects[place].nextSibling)
            return found
        }
    }

    /// An object and all that it contains. One in whose midst the file breaks off goes on to the last object.
    func objects(within object: Int) -> Range<Int> { object..<max(object, min(objects[object].end, objects.count)) }

    func children(of object: Int) -> Children {
        Children(objects: objects, place: Int(objects[object].firstChild))
    }

    func children(of object: Int, _ kind: DrawnKind) -> [Int] {
        children(of: object).filter { objects[$0].kind == kind }
    }

    func kind(of object: Int) -> DrawnKind { objects[object].kind }

    /// Whether there are objects of a kind.
    func has(_ kind: DrawnKind) -> Bool { kinds & kind.bit != 0 }

    func page(of object: Int) -> Int { objects[object].page }

    /// Whether an object may state one of several properties; it does not where this says no.
    @inline(__always)
    func mayState(_ properties: DrawnPropertySet, _ object: Int) -> Bool {
        objects[object].stated & properties.bits != 0
    }

    /// The last statement of a property.
    @inline(__always)
    private func entry(_ property: DrawnProperty, of object: Int) -> Entry? {
        // Most properties are asked for where they are not stated.
        if objects[object].stated & property.bit == 0 { return nil }
        return entry(property, from: objects[object].lastProperty)
    }

    private func entry(_ property: DrawnProperty, from last: Int32) -> Entry? {
        var place = Int(last)
        while place >= 0 {
            if entries[place].property == property { return entries[place] }
            place = Int(entries[place].previous)
        }
        return nil
    }

    /// The last statement of a property, if it has a form.
    @inline(__always)
    private func entry(_ property: DrawnProperty, of object: Int, _ form: Entry.Form) -> Entry? {
        guard let entry = entry(property, of: object), entry.form.rawValue == form.rawValue else { return nil }
        return entry
    }

    func value(_ property: DrawnProperty, of object: Int) -> DrawnValue? {
        entry(property, of: object).map(value(of:))
    }

    /// Hands on all statements of an object, in their order.
    func forEachStatement(of object: Int, _ take: (DrawnProperty, DrawnValue) -> Void) {
        let last = Int(objects[object].lastProperty)
        guard last >= 0 else { return }
        // Nearly always they stand in a row; the chain leads from the last one to the first.
        var first = last
        while Int(entries[first].previous) == first - 1, first > 0 { first -= 1 }
        if entries[first].previous < 0 {
            for place in first...last { take(entries[place].property, value(of: entries[place])) }
            return
        }
        var places: [Int] = []
        var place = last
        while place >= 0 {
            places.append(place)
            place = Int(entries[place].previous)
        }
        for place in places.reversed() { take(entries[place].property, value(of: entries[place])) }
    }

    private func value(of entry: Entry) -> DrawnValue {
        switch entry.form {
        case .integer: .integer(Int(Int64(bitPattern: entry.bits)))
        case .real: .real(Double(bitPattern: entry.bits))
        case .position: .position(positions[entry.place])
        case .box: .box(boxes[entry.place])
        case .identifiers: .identifiers(Array(identifiers[entry.range]))
        case .bytes: .text(Text(bytes: bytes[entry.range]))
        case .other: otherValues[entry.place]
        }
    }

    @inline(__always)
    func integer(_ property: DrawnProperty, of object: Int) -> Int? {
        entry(property, of: object, .integer).map { Int(Int64(bitPattern: $0.bits)) }
    }

    @inline(__always)
    func real(_ property: DrawnProperty, of object: Int) -> Double? {
        entry(property, of: object, .real).map { Double(bitPattern: $0.bits) }
    }

    @inline(__always)
    func position(_ property: DrawnProperty, of object: Int) -> Position? {
        entry(property, of: object, .position).map { positions[$0.place] }
    }

    func box(_ property: DrawnProperty, of object: Int) -> DrawnBox? {
        entry(property, of: object, .box).map { boxes[$0.place] }
    }

    func text(_ property: DrawnProperty, of object: Int) -> Text? {
        guard let entry = entry(property, of: object) else { return nil }
        switch entry.form {
        case .bytes: return Text(bytes: bytes[entry.range])
        case .other:
            if case .text(let text) = otherValues[entry.place] { return text }
            return nil
        default: return nil
        }
    }

    func identifiers(_ property: DrawnProperty, of object: Int) -> [UInt32] {
        guard let entry = entry(property, of: object) else { return [] }
        switch entry.form {
        case .integer: return [UInt32(clamping: Int64(bitPattern: entry.bits))]
        case .identifiers: return Array(identifiers[entry.range])
        default: return []
        }
    }

    func identifier(_ property: DrawnProperty, of object: Int) -> UInt32? {
        guard let value = integer(property, of: object), value > 0 else { return nil }
        return UInt32(clamping: value)
    }

    func isSet(_ property: DrawnProperty, of object: Int) -> Bool {
        integer(property, of: object).map { $0 != 0 } ?? false
    }
}

extension DrawnProperty {
    @inline(__always)
    fileprivate var bit: UInt64 { 1 << UInt64(rawValue & 63) }
}

/// Properties that are asked for together, by the bits that they share with others.
struct DrawnPropertySet: Sendable {
    fileprivate let bits: UInt64

    @inline(__always)
    init(_ property: DrawnProperty) { bits = property.bit }

    @inline(__always)
    private init(bits: UInt64) { self.bits = bits }

    @inline(__always)
    static func | (set: DrawnPropertySet, property: DrawnProperty) -> DrawnPropertySet {
        DrawnPropertySet(bits: set.bits | property.bit)
    }
}
