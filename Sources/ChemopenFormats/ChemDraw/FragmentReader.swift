import ChemopenModel

/// The atoms and bonds of a fragment, and where its objects went.
struct DrawnPiece {
    /// A connection point of an abbreviation's content: the atoms it leads to, one in a sound drawing.
    struct Point {
        let object: Int
        var atoms: [Int] = []

        /// The atom, where all bonds lead to one.
        var onlyAtom: Int? {
            guard let first = atoms.first, atoms.allSatisfy({ $0 == first }) else { return nil }
            return first
        }
    }

    var draft = MoleculeDraft()
    /// In the order in which the abbreviation's bonds are meant.
    var points: [Point] = []
    /// The node objects and their atoms, those within abbreviations included.
    var atoms: [(node: Int, atom: Int)] = []
    /// The bonds by their places in the table of the fragment that was read last; -1 for those left out.
    var bonds: [Int] = []
}

/// Reads fragments: nodes become atoms, bonds bonds, and nodes with a fragment inside abbreviations.
struct FragmentReader {
    let drawing: Drawing
    let scale: DrawingScale
    /// The names of the alternative groups by their ids, as numbers of R-groups.
    let alternatives: [UInt32: Int]
    /// Nodes of which something else speaks: no abbreviation around them stays one atom.
    let mentioned: Set<Int>
    var issues: [Issue] = []
    /// Whether the fragment that is being read has heights.
    var isInSpace = false
    /// The atoms that may still come: no drawing makes more of itself than this.
    var atomsLeft = 1_000_000
    private var isExhausted = false

    static let greatestDepth = 32

    init(_ drawing: Drawing, scale: DrawingScale, alternatives: [UInt32: Int], mentioned: Set<Int>) {
        self.drawing = drawing
        self.scale = scale
        self.alternatives = alternatives
        self.mentioned = mentioned
    }

    /// Reads a fragment of a page, or nodes that stand outside of one.
    mutating func piece(of owner: Int) -> DrawnPiece {
        var hasNodes = false
        var haveHeights = true
        for node in drawing.children(of: owner) where drawing.kind(of: node) == .node {
            hasNodes = true
            if drawing.position(.position3D, of: node) == nil { haveHeights = false }
        }
        isInSpace = hasNodes && haveHeights
        return read(owner, within: nil)
    }

    /// What a bond finds at its end.
    enum Place {
        case atom(Int)
        /// The atoms of an abbreviation, by the place of the outer bond.
        case joints([Int: Int])
        /// A connection point, by its place.
        case point(Int)
    }

    /// The node that an inner fragment belongs to.
    struct Holder {
        var position: Position
        var depth: Int
    }

    mutating func read(_ owner: Int, within holder: Holder?) -> DrawnPiece {
        var table = FragmentTable(of: owner, in: drawing)
        issues += table.takeIssues()
        var piece = DrawnPiece()
        piece.bonds = Array(repeating: -1, count: table.bonds.count)
        piece.atoms.reserveCapacity(table.nodes.count)
        piece.draft.reserve(atoms: table.nodes.count, bonds: table.bonds.count)
        var places: [Place?] = []
        places.reserveCapacity(table.nodes.count)
        var groups: [PendingAbbreviation] = []
        for (index, node) in table.nodes.enumerated() {
            let position = position(of: node, within: holder)
            if atomsLeft <= 0 {
                if !isExhausted { doubt("more than a million atoms; the rest is left out", node) }
                isExhausted = true
                places.append(nil)
                continue
            }
            switch table.types[index] {
            case .connectionPoint where holder != nil:
                places.append(.point(piece.points.count))
                piece.points.append(.init(object: node))
            case .unspecified, .nickname, .fragment, .monomer:
                let place = readAbbreviation(index, position, table, into: &piece, depth: holder?.depth ?? 0, &groups)
                places.append(
                    place ?? .atom(addAtom(node, at: position, to: &piece, table, index, &groups)))
            case .multiAttachment, .variableAttachment:
                if table.bonds(ofNode: index).isEmpty {
                    doubt("an attachment without a bond; left out", node)
                    places.append(nil)
                } else {
                    places.append(.atom(addAtom(node, at: position, to: &piece, table, index, &groups)))
                }
            default:
                places.append(.atom(addAtom(node, at: position, to: &piece, table, index, &groups)))
            }
        }
        readBonds(table, places, into: &piece)
        readAttachments(table, places, into: &piece)
        finish(groups, table, into: &piece)
        if holder != nil { sortPoints(of: owner, table, &piece) }
        readStereo(table, places, into: &piece)
        readLinks(table, places, into: &piece)
        return piece
    }

    // MARK: Atoms

    private func position(of node: Int, within holder: Holder?) -> Position {
        if isInSpace, let position = drawing.position(.position3D, of: node) { return scale.place(position) }
        if let position = drawing.position(.position, of: node) { return scale.place(position) }
        return holder?.position ?? Position()
    }

    // MARK: Bonds

    private mutating func readBonds(_ table: FragmentTable, _ places: [Place?], into piece: inout DrawnPiece) {
        for (index, bond) in table.bonds.enumerated() {
            guard let begin = places[bond.begin], let end = places[bond.end] else {
                doubt("a bond to a node that is left out; left out", bond.object)
                continue
            }
            switch (begin, end) {
            case (.point(let point), let other), (let other, .point(let point)):
                if let atom = atom(at: other, of: index) { piece.points[point].atoms.append(atom) }
            default:
                guard let from = atom(at: begin, of: index), let to = atom(at: end, of: index) else {
                    doubt("a bond to an abbreviation that has no place for it; left out", bond.object)
                    continue
                }
                addBond(bond.object, index, from, to, to: &piece)
            }
        }
    }

    func atom(at place: Place?, of bond: Int) -> Int? {
        switch place {
        case .atom(let atom): atom
        case .joints(let joints): joints[bond]
        default: nil
        }
    }

    private mutating func addBond(_ object: Int, _ place: Int, _ from: Int, _ to: Int, to piece: inout DrawnPiece) {
        let (bond, notes) = DrawnBond.read(object, from, to, in: drawing)
        guard let index = piece.draft.add(bond) else {
            doubt(
                from == to ? "a bond from an atom to itself; left out" : "a second bond between two atoms; left out",
                object)
            return
        }
        piece.bonds[place] = index
        for note in notes { piece.draft.note(note, onBond: index) }
        if DrawnBond.isUnusual(object, in: drawing) {
            let bits = drawing.integer(.order, of: object) ?? DrawnOrder.single
            let shown = Text(DrawnOrder.spelling(of: bits))
            if bond.order == .any, bits != DrawnOrder.any {
                doubt("the bond's order is none that is known; read as any", object, found: shown)
            }
        }
    }

    // MARK: Bonds to several atoms at once

    private mutating func readAttachments(_ table: FragmentTable, _ places: [Place?], into piece: inout DrawnPiece) {
        for (index, type) in table.types.enumerated() where type == .multiAttachment || type == .variableAttachment {
            guard case .atom? = places[index] else { continue }
            let node = table.nodes[index]
            var ends: [Int32] = []
            for id in drawing.identifiers(.attachments, of: node) {
                guard let other = table.node(called: id), other != index else {
                    doubt("attached to a node \(id) that is not there; left out", node)
                    continue
                }
                switch places[other] {
                case .atom(let atom): ends.append(Int32(clamping: atom))
                case .joints(let joints): ends += joints.values.sorted().prefix(1).map { Int32(clamping: $0) }
                default: continue
                }
            }
            if ends.isEmpty {
                doubt("an attachment without atoms", node)
                continue
            }
            for bond in table.bonds(ofNode: index) {
                let place = piece.bonds[bond]
                if place < 0 { continue }
                piece.draft.note(.endpoints(atoms: ends, any: type == .variableAttachment), onBond: place)
            }
        }
    }

    // MARK: Doubts

    mutating func doubt(_ message: String, _ object: Int, found: Text = "") {
        guard issues.count < Drawing.mostIssues else { return }
        issues.append(drawing.issue(message, with: object, found: found))
    }
}

/// What a node is.
enum NodeType: Int {
    case unspecified, element, elementList, elementListNickname, nickname, fragment, formula, genericNickname
    case anonymousAlternatives, namedAlternatives, multiAttachment, variableAttachment, connectionPoint, linkNode
    case monomer

    init(of node: Int, in drawing: Drawing) {
        self = NodeType(rawValue: drawing.integer(.nodeType, of: node) ?? 1) ?? .unspecified
    }
}

/// The nodes and bonds of a fragment, found by their ids among each other.
struct FragmentTable {
    struct Bond {
        let object: Int
        /// Places among the nodes.
        let begin: Int
        let end: Int
    }

    let nodes: [Int]
    /// What the nodes are.
    private(set) var types: [NodeType] = []
    private(set) var bonds: [Bond] = []
    /// The places of the bonds at each node, in the order of the file, and where those of a node begin.
    private var nodeBonds: [Int] = []
    private var nodeStarts: [Int] = []
    /// The ids of nodes to which others are attached together.
    private(set) var attached: Set<UInt32> = []
    private var nodePlaces: DrawnIDs
    private var bondPlaces: DrawnIDs
    private var issues: [Issue] = []

    /// Objects in whose midst the file breaks off are left out: they lack what would have followed.
    init(of owner: Int, in drawing: Drawing) {
        var nodes: [Int] = []
        var bondObjects: [Int] = []
        nodes.reserveCapacity(drawing.childCount(of: owner))
        bondObjects.reserveCapacity(drawing.childCount(of: owner))
        for child in drawing.children(of: owner) where drawing.objects[child].isClosed {
            switch drawing.kind(of: child) {
            case .node: nodes.append(child)
            case .bond: bondObjects.append(child)
            default: break
            }
        }
        self.nodes = nodes
        types.reserveCapacity(nodes.count)
        nodePlaces = DrawnIDs(of: nodes, among: drawing.objects)
        bondPlaces = DrawnIDs(of: bondObjects, among: drawing.objects)
        for (place, node) in nodes.enumerated() {
            types.append(NodeType(of: node, in: drawing))
            let attachments = drawing.identifiers(.attachments, of: node)
            if !attachments.isEmpty { attached.formUnion(attachments) }
            if !nodePlaces.enter(drawing.objects[node].id, at: place) {
                note("another node has this id; bonds go to the first", node, drawing)
            }
        }
        bonds.reserveCapacity(bondObjects.count)
        for object in bondObjects {
            guard let begin = end(.begin, of: object, drawing), let end = end(.end, of: object, drawing) else {
                continue
            }
            if begin == end {
                note("a bond from an atom to itself; left out", object, drawing)
                continue
            }
            let place = bonds.count
            bonds.append(Bond(object: object, begin: begin, end: end))
            bondPlaces.enter(drawing.objects[object].id, at: place)
        }
        sortBonds()
    }

    /// Counts the bonds of each node, and fills their places in from behind.
    private mutating func sortBonds() {
        nodeStarts = Array(repeating: 0, count: nodes.count + 1)
        for bond in bonds {
            nodeStarts[bond.begin] += 1
            nodeStarts[bond.end] += 1
        }
        for place in nodes.indices { nodeStarts[place + 1] += nodeStarts[place] }
        nodeBonds = Array(repeating: 0, count: 2 * bonds.count)
        for place in bonds.indices.reversed() {
            for end in 0..<2 {
                let node = end == 0 ? bonds[place].begin : bonds[place].end
                nodeStarts[node] -= 1
                nodeBonds[nodeStarts[node]] = place
            }
        }
    }

    func bonds(ofNode place: Int) -> ArraySlice<Int> {
        nodeBonds[nodeStarts[place]..<nodeStarts[place + 1]]
    }

    func node(called id: UInt32) -> Int? { nodePlaces.place(of: id) }

    func bond(called id: UInt32) -> Int? { bondPlaces.place(of: id) }

    mutating func takeIssues() -> [Issue] {
        defer { issues = [] }
        return issues
    }

    private mutating func end(_ property: DrawnProperty, of bond: Int, _ drawing: Drawing) -> Int? {
        guard let id = drawing.identifier(property, of: bond) else {
            note("a bond with an end that is not stated; left out", bond, drawing)
            return nil
        }
        guard let node = nodePlaces.place(of: id) else {
            note("a bond to \(id), which is no node of its fragment; left out", bond, drawing)
            return nil
        }
        return node
    }

    private mutating func note(_ message: String, _ object: Int, _ drawing: Drawing) {
        guard issues.count < Drawing.mostIssues else { return }
        issues.append(drawing.issue(message, with: object))
    }
}
