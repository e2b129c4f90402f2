import ChemopenModel

/// A ChemDraw document as both of its spellings have it: objects within objects, each with properties.
///
/// Objects lie in one array in the order of the file, and an object names others by their place in it: the tree needs
/// no recursion to be built, walked or let go, however deep it is. An object stands before all that it contains.
struct Drawing {
    struct Object {
        let kind: DrawnKind
        /// What other objects call it; several may be called the same, and 0 is no name.
        let id: UInt32
        let parent: Int
        /// Where it begins in the file.
        let offset: Int
        /// The file goes on behind it; not so for those in whose midst it breaks off.
        fileprivate(set) var isClosed = false
        /// All that it contains stands before this place.
        fileprivate(set) var end = Int.max
        /// It is part of an abbreviation's content.
        let isInNode: Bool
        /// Only pages, groups and tables stand around it.
        let isOnPage: Bool
        /// The page that it stands on; the document where it stands on none.
        let page: Int
        fileprivate var firstChild: Int32 = -1
        fileprivate var lastChild: Int32 = -1
        fileprivate var nextSibling: Int32 = -1
        fileprivate var childCount: Int32 = 0
        fileprivate var lastProperty: Int32 = -1
        /// A bit for each property that it states, by the last six bits of the tag.
        fileprivate var stated: UInt64 = 0

        /// Takes a child; returns the one before it.
        fileprivate mutating func add(child: Int32) -> Int32 {
            defer { lastChild = child }
            if firstChild < 0 { firstChild = child }
            childCount &+= 1
            return lastChild
        }

        fileprivate mutating func close(before end: Int) {
            isClosed = true
            self.end = end
        }

        /// Notes where a property is stated; returns the place of the one before it.
        fileprivate mutating func state(_ property: DrawnProperty, at place: Int32) -> Int32 {
            defer { lastProperty = place }
            stated |= property.bit
            return lastProperty
        }
    }

    /// A property that is stated of an object.
    private struct Entry {
        let property: DrawnProperty
        /// The property before it of the same object.
        let previous: Int32
        let value: Value
    }

    /// A value as it is kept. One that needs memory of its own stands aside, so that the others, nearly all of them,
    /// are copied and let go for nothing.
    private enum Value {
        case integer(Int)
        case real(Double)
        case position(Position)
        case box(DrawnBox)
        case aside(Int)
    }

    private(set) var objects: [Object] = []
    private var entries: [Entry] = []
    private var valuesAside: [DrawnValue] = []
    /// The kinds of the objects, a bit for each.
    private var kinds: UInt64 = 0
    /// What the file holds beyond the tables of kinds and properties, by its name, and how often.
    private(set) var unknown: [String: Int] = [:]
    /// The same as it stands in the file, with the objects that it stands in.
    private(set) var kept: [(object: Int, text: Text)] = []
    private var keptBytes = 0
    /// What was doubtful in the spelling.
    var issues: [Issue] = []
    /// Why the file could not be read to its end.
    var damage: Issue?
    /// The file is wrong in its midst and not just cut off: nothing of it is to be trusted.
    var isBroken = false
    /// The objects that are being read, the outermost first.
    private var path: [Int] = []

    /// Where the lines of a text file begin; nothing in a binary one.
    var lineStarts: [Int] = []

    /// A file that is wrong everywhere is told of so often and no more.
    static let mostIssues = 1000

    private static let mostKeptBytes = 1 << 22

    /// Drawings nest thirteen deep; what nests deeper than this is told.
    static let unusualDepth = 1024

    /// The document; there is one as soon as anything has been read.
    static let document = 0
}

// MARK: - Building

extension Drawing {
    var depth: Int { path.count }

    /// The object that is being read.
    var current: Int? { path.last }

    /// Makes room for what a file of so many bytes usually holds.
    mutating func reserve(forBytes count: Int) {
        objects.reserveCapacity(count / 64 + 8)
        entries.reserveCapacity(count / 32 + 8)
    }

    mutating func open(_ kind: DrawnKind, id: UInt32, offset: Int) {
        let place = objects.count
        let parent = path.last ?? -1
        let isInNode = parent >= 0 && (objects[parent].isInNode || objects[parent].kind == .node)
        let isOnPage = parent < 0 || (objects[parent].isOnPage && objects[parent].kind.isContainer)
        objects.append(
            Object(
                kind: kind, id: id, parent: parent, offset: offset, isInNode: isInNode, isOnPage: isOnPage,
                page: kind == .page ? place : parent < 0 ? 0 : objects[parent].page))
        path.append(place)
        kinds |= kind.bit
        if path.count == Self.unusualDepth { doubt("objects nest more than \(Self.unusualDepth) deep", at: offset) }
        guard parent >= 0 else { return }
        let last = Int(objects[parent].add(child: Int32(clamping: place)))
        if last >= 0 { objects[last].nextSibling = Int32(clamping: place) }
    }

    mutating func close() {
        guard let last = path.popLast() else { return }
        objects[last].close(before: objects.count)
    }

    /// Says something of the object that is being read. Where it is said twice, the later word counts.
    @inline(__always)
    mutating func set(_ property: DrawnProperty, _ value: DrawnValue) {
        switch value {
        case .integer(let number): add(property, .integer(number))
        case .real(let number): add(property, .real(number))
        case .position(let position): add(property, .position(position))
        case .box(let box): add(property, .box(box))
        default:
            add(property, .aside(valuesAside.count))
            valuesAside.append(value)
        }
    }

    private mutating func add(_ property: DrawnProperty, _ value: Value) {
        guard let object = path.last else { return }
        let place = Int32(clamping: entries.count)
        entries.append(Entry(property: property, previous: objects[object].state(property, at: place), value: value))
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
        if issues.count < Self.mostIssues { issues.append(issue(message, found: found, at: offset)) }
    }
}

// MARK: - Telling

extension Drawing {
    func issue(_ message: String, found: Text = "", at offset: Int) -> Issue {
        Issue(line: line(at: offset), offset: offset, message, found: found)
    }

    /// What is wrong with an object, by its name and id.
    func issue(_ message: String, with object: Int, found: Text = "") -> Issue {
        let thing = objects[object]
        let name = thing.id == 0 ? "<\(thing.kind.name)>" : "<\(thing.kind.name) id=\"\(thing.id)\">"
        return issue("\(name): \(message)", found: found, at: thing.offset)
    }

    /// The line that holds a byte; 0 in a binary file.
    func line(at offset: Int) -> Int {
        var (low, high) = (0, lineStarts.count)
        while low < high {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

// MARK: - Looking

extension Drawing {
    /// The objects directly within another, in the order of the file.
    struct Children: Sequence, IteratorProtocol {
        fileprivate let objects: [Object]
        fileprivate var place: Int

        mutating func next() -> Int? {
            guard place >= 0 else { return nil }
            let found = place
            place = Int(objects[place].nextSibling)
            return found
        }
    }

    func children(of object: Int) -> Children {
        Children(objects: objects, place: Int(objects[object].firstChild))
    }

    func children(of object: Int, _ kind: DrawnKind) -> [Int] {
        var found: [Int] = []
        var place = Int(objects[object].firstChild)
        if place < 0 { return found }
        found.reserveCapacity(Int(objects[object].childCount))
        while place >= 0 {
            if objects[place].kind == kind { found.append(place) }
            place = Int(objects[place].nextSibling)
        }
        return found
    }

    func childCount(of object: Int) -> Int { Int(objects[object].childCount) }

    func kind(of object: Int) -> DrawnKind { objects[object].kind }

    /// Whether there are objects of a kind.
    func has(_ kind: DrawnKind) -> Bool { kinds & kind.bit != 0 }

    func page(of object: Int) -> Int { objects[object].page }

    /// Whether an object may state one of several properties; it does not where this says no.
    @inline(__always)
    func mayState(_ properties: DrawnPropertySet, _ object: Int) -> Bool {
        objects[object].stated & properties.bits != 0
    }

    /// The value that is kept last of a property.
    @inline(__always)
    private func kept(_ property: DrawnProperty, of object: Int) -> Value? {
        // Most properties are asked for where they are not stated.
        if objects[object].stated & property.bit == 0 { return nil }
        return keptValue(property, from: objects[object].lastProperty)
    }

    private func keptValue(_ property: DrawnProperty, from last: Int32) -> Value? {
        var place = Int(last)
        while place >= 0 {
            if entries[place].property == property { return entries[place].value }
            place = Int(entries[place].previous)
        }
        return nil
    }

    func value(_ property: DrawnProperty, of object: Int) -> DrawnValue? {
        switch kept(property, of: object) {
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .position(let position): .position(position)
        case .box(let box): .box(box)
        case .aside(let place): valuesAside[place]
        case nil: nil
        }
    }

    func integer(_ property: DrawnProperty, of object: Int) -> Int? {
        if case .integer(let value)? = kept(property, of: object) { value } else { nil }
    }

    func real(_ property: DrawnProperty, of object: Int) -> Double? {
        if case .real(let value)? = kept(property, of: object) { value } else { nil }
    }

    func position(_ property: DrawnProperty, of object: Int) -> Position? {
        if case .position(let value)? = kept(property, of: object) { value } else { nil }
    }

    func box(_ property: DrawnProperty, of object: Int) -> DrawnBox? {
        if case .box(let value)? = kept(property, of: object) { value } else { nil }
    }

    func text(_ property: DrawnProperty, of object: Int) -> Text? {
        guard case .aside(let place)? = kept(property, of: object) else { return nil }
        if case .text(let text) = valuesAside[place] { return text }
        return nil
    }

    func identifiers(_ property: DrawnProperty, of object: Int) -> [UInt32] {
        switch kept(property, of: object) {
        case .integer(let id): return [UInt32(clamping: id)]
        case .aside(let place):
            if case .identifiers(let ids) = valuesAside[place] { return ids }
            return []
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
    fileprivate var bit: UInt64 { 1 << UInt64(rawValue & 63) }
}

/// Properties that are asked for together, by the bits that they share with others.
struct DrawnPropertySet: Sendable {
    fileprivate let bits: UInt64

    init(_ properties: DrawnProperty...) {
        bits = properties.reduce(0) { $0 | $1.bit }
    }
}
