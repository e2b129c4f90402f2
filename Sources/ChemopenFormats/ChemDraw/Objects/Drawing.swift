import ChemopenModel

/// A ChemDraw document as both of its spellings have it: objects within objects, each with properties.
///
/// Objects lie in one array in the order of the file, and an object names others by their place in it: the tree needs
/// no recursion to be built, walked or let go, however deep it is. An object stands before all that it contains.
///
/// A class: whoever looks at it keeps it, and a copy would count all its arrays anew.
final class Drawing {
    /// 40 bytes, so that a drawing's objects are one block of memory.
    struct Object {
        let kind: DrawnKind
        let standing: Standing
        /// The id that other objects use; several may have the same, and 0 is no name.
        let id: UInt32
        let startPlace: UInt32
        let parentPlace: Int32
        let pagePlace: Int32
        private var endPlace = Int32.max
        private(set) var lastProperty: Int32 = -1
        /// A bit for each property that it states, by the last six bits of the tag.
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

        /// The object that it stands in; -1 for the document.
        var parent: Int { Int(parentPlace) }
        /// Where it begins in the file.
        var offset: Int { Int(startPlace) }
        /// All that it contains stands before this place.
        var end: Int { Int(endPlace) }
        /// The page that it stands on; the document where it stands on none.
        var page: Int { Int(pagePlace) }
        /// The file goes on behind it; not so for those in whose midst it breaks off.
        var isClosed: Bool { endPlace != .max }
        /// It is part of an abbreviation's content.
        var isInNode: Bool { standing.contains(.inNode) }
        /// Only pages, groups and tables stand around it.
        var isOnPage: Bool { standing.contains(.onPage) }

        /// Ends it before a place; returns the object that it stands in.
        @inline(__always)
        mutating func close(before place: Int) -> Int {
            endPlace = Int32(truncatingIfNeeded: place)
            return parent
        }

        /// Notes where a property is stated; returns the place of the statement before.
        @inline(__always)
        mutating func state(_ property: DrawnProperty, at place: Int) -> Int32 {
            defer { lastProperty = Int32(truncatingIfNeeded: place) }
            stated |= property.bit
            return lastProperty
        }
    }

    /// A property that is stated of an object: 16 bytes. What does not fit stands aside, among its like.
    struct Entry {
        let property: DrawnProperty
        let form: Form
        /// The property before it of the same object.
        let previous: Int32
        /// The number itself, or where the value stands aside, as the form says.
        let bits: UInt64

        enum Form: UInt8 {
            case integer, real, position, box, identifiers, bytes, other
        }

        var integer: Int { Int(Int64(bitPattern: bits)) }

        var real: Double { Double(bitPattern: bits) }

        var place: Int { Int(truncatingIfNeeded: bits) }

        /// Two places of a range in one number.
        var range: Range<Int> { Int(bits >> 32)..<Int(bits & 0xFFFF_FFFF) }
    }

    /// The values that do not fit into an entry.
    struct Values {
        let positions: [Position]
        let boxes: [DrawnBox]
        let identifiers: [UInt32]
        let others: [DrawnValue]
        /// The bytes that texts are taken from where they stand in the file as they are meant.
        let bytes: [UInt8]
    }

    let objects: [Object]
    private let entries: [Entry]
    private let values: Values
    /// The kinds of the objects, a bit for each.
    private let kinds: UInt64
    /// The things in the file beyond the tables of kinds and properties, by name, and how often.
    let unknown: [String: Int]
    /// The same as it stands in the file, with the objects that it stands in.
    let kept: [(object: Int, text: Text)]
    /// The doubts about the spelling.
    let issues: [Issue]
    /// Why the file could not be read to its end.
    let damage: Issue?
    /// The file is wrong in its midst and not just cut off: nothing of it is to be trusted.
    let isBroken: Bool
    private let lines: LineTable
    /// All objects but nodes and bonds, which are most of them.
    private(set) lazy var others = objects.indices.filter { objects[$0].kind != .node && objects[$0].kind != .bond }
    /// Whether the drawing is one that we have written.
    private(set) lazy var isOwn =
        !objects.isEmpty && text(.creationProgram, of: Self.document) == OwnStatement.program

    /// Drawings nest thirteen deep; what nests deeper than this is told.
    static let unusualDepth = 1024

    /// The document; there is one as soon as anything has been read.
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

// MARK: - Telling

extension Drawing {
    func issue(_ message: String, found: Text = "", at offset: Int) -> Issue {
        lines.issue(message, found: found, at: offset)
    }

    /// The issue with an object, by its name and id.
    func issue(_ message: String, with object: Int, found: Text = "") -> Issue {
        let thing = objects[object]
        let name = thing.id == 0 ? "<\(thing.kind.name)>" : "<\(thing.kind.name) id=\"\(thing.id)\">"
        return issue("\(name): \(message)", found: found, at: thing.offset)
    }
}

// MARK: - Looking

extension Drawing {
    /// The objects directly within another, in the order of the file.
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

    /// An object and all that it contains. One in whose midst the file breaks off goes on to the last object.
    func objects(within object: Int) -> Range<Int> { object..<max(object, min(objects[object].end, objects.count)) }

    func children(of object: Int) -> Children {
        Children(objects: objects, place: object + 1, end: min(objects[object].end, objects.count))
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

    /// The value of a statement of the form.
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

    /// Reads the bytes of a text where they are stored; returns nil if there is none.
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

    @inline(__always)
    static func | (one: DrawnPropertySet, other: DrawnPropertySet) -> DrawnPropertySet {
        DrawnPropertySet(bits: one.bits | other.bits)
    }
}
