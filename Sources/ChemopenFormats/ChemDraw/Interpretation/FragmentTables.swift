import ChemopenModel

/// The type of a node.
enum NodeType: Int {
    case unspecified, element, elementList, elementListNickname, nickname, fragment, formula, genericNickname
    case anonymousAlternatives, namedAlternatives, multiAttachment, variableAttachment, connectionPoint, linkNode
    case monomer

    init(of node: Int, in drawing: Drawing) {
        self = drawing.integer(.nodeType, of: node).map { NodeType(rawValue: $0) ?? .unspecified } ?? .element
    }

    /// Whether the node represents several atoms at the end of a bond.
    var isAttachment: Bool { self == .multiAttachment || self == .variableAttachment }
}

/// The nodes and bonds of one fragment, as ranges in the arrays of all fragments.
struct FragmentTable {
    let owner: Int
    let nodes: Range<Int>
    let bonds: Range<Int>
    /// The IDs of nodes to which others are attached together.
    fileprivate(set) var attached: Set<UInt32> = []
    fileprivate(set) var issues: [Issue] = []
}

/// The nodes and bonds of all fragments. The ranges are adjacent, so that all fragments of a drawing share a few blocks
/// of memory.
struct FragmentTables {
    struct Node {
        private let objectPlace: Int32
        /// The type assumed for the node; its label can determine the type.
        var type: NodeType
        /// The position of the node in the molecule.
        var place = Place.nothing
        fileprivate var firstBond: Int32 = -1
        fileprivate var lastBond: Int32 = -1
        fileprivate var bondCount: Int32 = 0

        fileprivate init(_ object: Int, _ type: NodeType) {
            objectPlace = Int32(truncatingIfNeeded: object)
            self.type = type
        }

        var object: Int { Int(objectPlace) }
    }

    /// The position of a node in the molecule, to which its bonds lead.
    enum Place {
        case nothing
        case atom(Int32)
        /// The atoms of an abbreviation, stored with its bonds.
        case joints
        /// A connection point, by its index.
        case point(Int32)
    }

    struct Bond {
        private let objectPlace: Int32
        private let beginPlace: Int32
        private let endPlace: Int32
        /// The next bonds of its two nodes.
        fileprivate var nextAtBegin: Int32 = -1
        fileprivate var nextAtEnd: Int32 = -1
        /// The index among the bonds of the piece; -1 if the bond is omitted.
        var place: Int32 = -1
        /// The atoms at its ends that belong to an abbreviation, if any.
        fileprivate var jointAtBegin: Int32 = -1
        fileprivate var jointAtEnd: Int32 = -1

        fileprivate init(_ object: Int, _ begin: Int, _ end: Int) {
            objectPlace = Int32(truncatingIfNeeded: object)
            beginPlace = Int32(truncatingIfNeeded: begin)
            endPlace = Int32(truncatingIfNeeded: end)
        }

        var object: Int { Int(objectPlace) }
        /// The indices of its nodes.
        var begin: Int { Int(beginPlace) }
        var end: Int { Int(endPlace) }

        func otherEnd(than node: Int) -> Int { begin == node ? end : begin }
    }

    var nodes: [Node] = []
    var bonds: [Bond] = []
    private let drawing: Drawing
    /// The tables that were prepared in advance, and the index of each object's table.
    private var made: [FragmentTable] = []
    private var places: [Int32] = []
    /// The nodes by ID. Nodes before the start of a fragment are not part of it.
    private var ids: IDTable
    private var bondObjects: [Int] = []
    /// The nodes and bonds of large fragments by ID, created on demand.
    private var nodesByID: [Int: DrawnIDs] = [:]
    private var bondsByID: [Int: DrawnIDs] = [:]
    /// Up to this number, a linear search is used.
    private static let few = 16

    init(_ drawing: Drawing) {
        self.drawing = drawing
        ids = IDTable(for: drawing.objects) { $0 == .node }
        nodes.reserveCapacity(drawing.objects.count / 2)
        bonds.reserveCapacity(drawing.objects.count / 2)
    }

    /// Returns the table of an object that contains nodes. A prepared table can be used only once.
    mutating func take(_ owner: Int) -> FragmentTable {
        guard places.indices.contains(owner), places[owner] >= 0 else { return make(owner) }
        defer { places[owner] = -1 }
        return made[Int(places[owner])]
    }

    /// Prepares a table, and returns it.
    mutating func prepare(_ owner: Int) -> FragmentTable {
        if places.isEmpty { places = Array(repeating: -1, count: drawing.objects.count) }
        let table = make(owner)
        places[owner] = Int32(truncatingIfNeeded: made.count)
        made.append(table)
        return table
    }

    /// Creates a table. Omits the objects that contain the end of a truncated file, because they are incomplete.
    private mutating func make(_ owner: Int) -> FragmentTable {
        bondObjects.removeAll(keepingCapacity: true)
        let firstNode = nodes.count
        var attached: Set<UInt32> = []
        var issues: [Issue] = []
        func note(_ message: String, _ object: Int) {
            issues.note(drawing.issue(message, with: object))
        }
        for child in drawing.children(of: owner) {
            let object = drawing.objects[child]
            if object.isClosed, object.kind == .node {
                if object.id != 0 {
                    if ids[object.id] >= firstNode {
                        note("another node has the same id; bonds lead to the first one", child)
                    } else {
                        ids[object.id] = Int32(truncatingIfNeeded: nodes.count)
                    }
                }
                if drawing.mayState(DrawnPropertySet(.attachments), child) {
                    attached.formUnion(drawing.identifiers(.attachments, of: child))
                }
                nodes.append(Node(child, NodeType(of: child, in: drawing)))
            } else if object.isClosed, object.kind == .bond {
                bondObjects.append(child)
            }
        }
        let firstBond = bonds.count
        for object in bondObjects {
            let (begin, end) = (drawing.identifier(.begin, of: object), drawing.identifier(.end, of: object))
            let (from, to) = (begin.map { Int(ids[$0]) } ?? -1, end.map { Int(ids[$0]) } ?? -1)
            if from >= firstNode, to >= firstNode, from != to {
                add(Bond(object, from, to))
            } else {
                let fault = Self.fault(begin, isFound: from >= firstNode) ?? Self.fault(end, isFound: to >= firstNode)
                note(fault ?? "a bond from an atom to itself; omitted", object)
            }
        }
        return FragmentTable(
            owner: owner, nodes: firstNode..<nodes.count, bonds: firstBond..<bonds.count, attached: attached,
            issues: issues)
    }

    /// Returns the problem with the ID of a bond's end, if any.
    private static func fault(_ id: UInt32?, isFound: Bool) -> String? {
        guard let id else { return "a bond without a stated end; omitted" }
        return isFound ? nil : "a bond to \(id), not a node of its fragment; omitted"
    }

    private mutating func add(_ bond: Bond) {
        let place = Int32(truncatingIfNeeded: bonds.count)
        bonds.append(bond)
        link(place, to: bond.begin)
        link(place, to: bond.end)
    }

    private mutating func link(_ bond: Int32, to node: Int) {
        let last = Int(nodes[node].lastBond)
        nodes[node].lastBond = bond
        nodes[node].bondCount &+= 1
        if last < 0 {
            nodes[node].firstBond = bond
        } else if bonds[last].begin == node {
            bonds[last].nextAtBegin = bond
        } else {
            bonds[last].nextAtEnd = bond
        }
    }

    // MARK: Queries

    func bondCount(ofNode node: Int) -> Int { Int(nodes[node].bondCount) }

    /// Returns the bonds at a node, in the order of the file.
    func bonds(ofNode node: Int) -> [Int] {
        var found: [Int] = []
        found.reserveCapacity(Int(nodes[node].bondCount))
        var bond = firstBond(ofNode: node)
        while let next = bond {
            found.append(next)
            bond = self.bond(behind: next, ofNode: node)
        }
        return found
    }

    func firstBond(ofNode node: Int) -> Int? {
        let first = nodes[node].firstBond
        return first < 0 ? nil : Int(first)
    }

    private func bond(behind bond: Int, ofNode node: Int) -> Int? {
        let next = bonds[bond].begin == node ? bonds[bond].nextAtBegin : bonds[bond].nextAtEnd
        return next < 0 ? nil : Int(next)
    }

    /// Whether an earlier bond already joins the same two atoms. Searches the bonds of the node that has fewer.
    func isSecond(_ bond: Int) -> Bool {
        let (begin, end) = (bonds[bond].begin, bonds[bond].end)
        let (node, other) = nodes[begin].bondCount <= nodes[end].bondCount ? (begin, end) : (end, begin)
        var earlier = firstBond(ofNode: node)
        while let place = earlier, place != bond {
            if bonds[place].place >= 0, bonds[place].otherEnd(than: node) == other,
                atom(at: node, of: place) == atom(at: node, of: bond),
                atom(at: other, of: place) == atom(at: other, of: bond)
            {
                return true
            }
            earlier = self.bond(behind: place, ofNode: node)
        }
        return false
    }

    /// Returns the node with an ID in a fragment.
    mutating func node(called id: UInt32, in table: FragmentTable) -> Int? {
        let nodes = nodes
        return Self.place(of: id, in: table.nodes, drawing, &nodesByID[table.owner]) { nodes[$0].object }
    }

    mutating func bond(called id: UInt32, in table: FragmentTable) -> Int? {
        let bonds = bonds
        return Self.place(of: id, in: table.bonds, drawing, &bondsByID[table.owner]) { bonds[$0].object }
    }

    private static func place(
        of id: UInt32, in places: Range<Int>, _ drawing: Drawing, _ names: inout DrawnIDs?, _ object: (Int) -> Int
    ) -> Int? {
        if id == 0 { return nil }
        if places.count <= few { return places.first { drawing.objects[object($0)].id == id } }
        if names == nil {
            names = DrawnIDs(places.map { (place: $0, object: object($0)) }, among: drawing.objects)
        }
        return names?.place(of: id)
    }

    // MARK: Atoms

    /// Returns the atom at one end of a bond.
    func atom(at node: Int, of bond: Int) -> Int? {
        switch nodes[node].place {
        case .atom(let atom): return Int(atom)
        case .joints:
            let joint = bonds[bond].begin == node ? bonds[bond].jointAtBegin : bonds[bond].jointAtEnd
            return joint < 0 ? nil : Int(joint)
        case .point, .nothing: return nil
        }
    }

    /// Sets the atom of an abbreviation to which a bond leads.
    mutating func join(_ bond: Int, at node: Int, to atom: Int) {
        if bonds[bond].begin == node {
            bonds[bond].jointAtBegin = Int32(clamping: atom)
        } else {
            bonds[bond].jointAtEnd = Int32(clamping: atom)
        }
    }
}
