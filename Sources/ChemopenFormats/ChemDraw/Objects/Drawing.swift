import ChemopenModel

/// A ChemDraw document, independent of its encoding: nested objects with properties.
///
/// Objects are stored in one array in the order of the file, each before its contents, and refer to one another by
/// index. The tree can therefore be built, iterated and released without recursion, at any depth.
///
/// This is a class because its readers store it; each copy of a struct would retain all of its arrays.
final class Drawing {
    /// An object of 40 bytes, so a drawing's objects are one block of memory.
    struct Object {
        let kind: DrawnKind
        let standing: Standing
        /// The ID that refers to the object. Several objects can have the same ID; 0 means no ID.
        let id: UInt32
        let startPlace: UInt32
        let parentPlace: Int32
        let pagePlace: Int32
        private var endPlace = Int32.max
        private(set) var lastProperty: Int32 = -1
        /// A bit for each property that is set, selected by the last six bits of its tag.
        private(set) var stated: UInt64 = 0

        struct Standing: OptionSet {
            let rawValue: UInt8

            static let inNode = Standing(rawValue: 1)
            static let onPage = Standing(rawValue: 2)
        }

        init(
            kind: DrawnKind, standing: Standing, id: UInt32, startPlace: UInt32, parentPlace: Int32, pagePlace: Int32
        ) {
            self.kind = kind
            self.standing = standing
            self.id = id
            self.startPlace = startPlace
            self.parentPlace = parentPlace
            self.pagePlace = pagePlace
        }

        /// The index of the parent object; -1 for the document.
        var parent: Int { Int(parentPlace) }
        /// The start of the object in the file.
        var offset: Int { Int(startPlace) }
        /// The index after the last object that it contains.
        var end: Int { Int(endPlace) }
        /// The page that contains the object; the document if there is none.
        var page: Int { Int(pagePlace) }
        /// Whether the object was closed. This is false for the objects that contain the end of a truncated file.
        var isClosed: Bool { endPlace != .max }
        /// Whether the object is part of an abbreviation's content.
        var isInNode: Bool { standing.contains(.inNode) }
        /// Whether all ancestors are pages, groups, tables or the document.
        var isOnPage: Bool { standing.contains(.onPage) }

        /// Closes the object before an index, and returns its parent.
        @inline(__always)
        mutating func close(before place: Int) -> Int {
            endPlace = Int32(truncatingIfNeeded: place)
            return parent
        }

        /// Records the entry of a property, and returns the index of the previous entry.
        @inline(__always)
        mutating func state(_ property: DrawnProperty, at place: Int) -> Int32 {
            defer { lastProperty = Int32(truncatingIfNeeded: place) }
            stated |= property.bit
            return lastProperty
        }
    }

    /// A property of an object, in 16 bytes. Larger values are stored in arrays by form.
    struct Entry {
        let property: DrawnProperty
        let form: Form
        /// The index of the object's previous property.
        let previous: Int32
        /// The number itself, or the index or range of a value that is stored elsewhere, depending on the form.
        let bits: UInt64

        enum Form: UInt8 {
            case integer, real, position, box, identifiers, bytes, other
        }

        var integer: Int { Int(Int64(bitPattern: bits)) }

        var real: Double { Double(bitPattern: bits) }

        var place: Int { Int(truncatingIfNeeded: bits) }

        /// A range whose bounds are stored in one number.
        var range: Range<Int> { Int(bits >> 32)..<Int(bits & 0xFFFF_FFFF) }
    }

    /// The values that do not fit into an entry.
    struct Values {
        let positions: [Position]
        let boxes: [DrawnBox]
        let identifiers: [UInt32]
        let others: [DrawnValue]
        /// The bytes of the file, for texts that are stored as ranges.
        let bytes: [UInt8]
    }

    let objects: [Object]
    private let entries: [Entry]
    private let values: Values
    /// A bit for each kind of object in the drawing.
    private let kinds: UInt64
    /// The names and counts of unknown objects and properties.
    let unknown: [String: Int]
    /// The unknown content verbatim, with the objects that contain it.
    let kept: [(object: Int, text: Text)]
    /// The warnings about the encoding.
    let issues: [Issue]
    /// The reason why the file could not be read to its end.
    let damage: Issue?
    /// Whether the file is malformed rather than just truncated. If so, all parts of it are ignored.
    let isBroken: Bool
    private let lines: LineTable
    /// All objects except nodes and bonds, which are the majority.
    private(set) lazy var others = objects.indices.filter { objects[$0].kind != .node && objects[$0].kind != .bond }
    /// Whether Chemopen wrote the drawing.
    private(set) lazy var isOwn =
        !objects.isEmpty && text(.creationProgram, of: Self.document) == OwnStatement.program

    /// The depth that triggers a warning. The deepest known drawing has thirteen levels.
    static let unusualDepth = 1024

    /// The index of the document, which exists as soon as any object was read.
    static let document = 0

    init(
        _ objects: [Object], _ entries: [Entry], _ values: Values, kinds: UInt64, unknown: [String: Int],
        kept: [(object: Int, text: Text)], issues: [Issue], damage: Issue?, isBroken: Bool, lines: LineTable
    ) {
        self.objects = objects
        self.entries = entries
        self.values = values
        self.kinds = kinds
        self.unknown = unknown
        self.kept = kept
        self.issues = issues
        self.damage = damage
        self.isBroken = isBroken
        self.lines = lines
    }
}

// MARK: - Reporting

extension Drawing {
    func issue(_ message: String, found: Text = "", at offset: Int) -> Issue {
        lines.issue(message, found: found, at: offset)
    }

    /// Returns an issue that identifies an object by its name and ID.
    func issue(_ message: String, with object: Int, found: Text = "") -> Issue {
        let thing = objects[object]
        let name = thing.id == 0 ? "<\(thing.kind.name)>" : "<\(thing.kind.name) id=\"\(thing.id)\">"
        return issue("\(name): \(message)", found: found, at: thing.offset)
    }
}

// MARK: - Queries

extension Drawing {
    /// The children of an object, in the order of the file.
    struct Children: Sequence, IteratorProtocol {
        fileprivate let objects: [Object]
        fileprivate var place: Int
        fileprivate let end: Int

        @inline(__always)
        mutating func next() -> Int? {
            guard place < end else { return nil }
            let found = place
            place = objects[place].end
            return found
        }
    }

    /// Returns the range of an object and everything it contains. A truncated object extends to the last object.
    func objects(within object: Int) -> Range<Int> { object..<max(object, min(objects[object].end, objects.count)) }

    func children(of object: Int) -> Children {
        Children(objects: objects, place: object + 1, end: min(objects[object].end, objects.count))
    }

    func children(of object: Int, _ kind: DrawnKind) -> [Int] {
        children(of: object).filter { objects[$0].kind == kind }
    }

    func kind(of object: Int) -> DrawnKind { objects[object].kind }

    /// Whether there is an object of a kind.
    func has(_ kind: DrawnKind) -> Bool { kinds & kind.bit != 0 }

    func page(of object: Int) -> Int { objects[object].page }

    /// Whether an object may have one of several properties. If the result is false, it does not.
    @inline(__always)
    func mayState(_ properties: DrawnPropertySet, _ object: Int) -> Bool {
        objects[object].stated & properties.bits != 0
    }

    /// Returns the last entry of a property.
    @inline(__always)
    private func entry(_ property: DrawnProperty, of object: Int) -> Entry? {
        // Most requested properties are missing, so check the bit first.
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

    /// Returns the last entry of a property, if it has the given form.
    @inline(__always)
    private func entry(_ property: DrawnProperty, of object: Int, _ form: Entry.Form) -> Entry? {
        guard let entry = entry(property, of: object), entry.form.rawValue == form.rawValue else { return nil }
        return entry
    }

    func value(_ property: DrawnProperty, of object: Int) -> DrawnValue? {
        entry(property, of: object).map(value(of:))
    }

    func value(of entry: Entry) -> DrawnValue {
        switch entry.form {
        case .integer: .integer(entry.integer)
        case .real: .real(entry.real)
        case .position: .position(position(of: entry))
        case .box: .box(box(of: entry))
        case .identifiers: .identifiers(Array(values.identifiers[entry.range]))
        case .bytes: .text(Text(bytes: values.bytes[entry.range]))
        case .other: values.others[entry.place]
        }
    }

    /// Returns the value of an entry with this form.
    @inline(__always)
    func position(of entry: Entry) -> Position { values.positions[entry.place] }

    @inline(__always)
    func box(of entry: Entry) -> DrawnBox { values.boxes[entry.place] }

    @inline(__always)
    func integer(_ property: DrawnProperty, of object: Int) -> Int? {
        entry(property, of: object, .integer).map(\.integer)
    }

    @inline(__always)
    func real(_ property: DrawnProperty, of object: Int) -> Double? {
        entry(property, of: object, .real).map(\.real)
    }

    @inline(__always)
    func position(_ property: DrawnProperty, of object: Int) -> Position? {
        entry(property, of: object, .position).map { values.positions[$0.place] }
    }

    func box(_ property: DrawnProperty, of object: Int) -> DrawnBox? {
        entry(property, of: object, .box).map { values.boxes[$0.place] }
    }

    func text(_ property: DrawnProperty, of object: Int) -> Text? {
        guard let entry = entry(property, of: object) else { return nil }
        switch entry.form {
        case .bytes: return Text(bytes: values.bytes[entry.range])
        case .other:
            if case .text(let text) = values.others[entry.place] { return text }
            return nil
        default: return nil
        }
    }

    /// Passes the bytes of a text to a closure without copying them; returns nil if there is no text.
    func read<Result>(
        _ property: DrawnProperty, of object: Int, _ body: (borrowing Span<UInt8>) -> Result
    ) -> Result? {
        guard let entry = entry(property, of: object) else { return nil }
        switch entry.form {
        case .bytes:
            let bytes = values.bytes
            let span = bytes.span
            return body(span.extracting(entry.range))
        case .other:
            guard case .text(let text) = values.others[entry.place] else { return nil }
            let span = text.bytes.span
            return body(span)
        default: return nil
        }
    }

    func identifiers(_ property: DrawnProperty, of object: Int) -> [UInt32] {
        guard let entry = entry(property, of: object) else { return [] }
        switch entry.form {
        case .integer: return [UInt32(clamping: Int64(bitPattern: entry.bits))]
        case .identifiers: return Array(values.identifiers[entry.range])
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
    var bit: UInt64 { 1 << UInt64(rawValue & 63) }
}

/// A set of properties, stored as bits that can be shared with other properties.
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

    @inline(__always)
    static func | (one: DrawnPropertySet, other: DrawnPropertySet) -> DrawnPropertySet {
        DrawnPropertySet(bits: one.bits | other.bits)
    }
}
