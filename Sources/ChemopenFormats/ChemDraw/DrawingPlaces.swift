import ChemopenModel

/// A molecule of the drawing, and where its objects went.
struct DrawnFragment {
    /// The fragment, or what holds the nodes that stand outside of one.
    let object: Int
    var molecule: Molecule
    let atoms: [Int: Int]
    /// The box around its nodes, in points.
    let box: DrawnBox
    var issues: [Issue]
    /// Names and data that belong to it.
    var fields: [(name: Text, value: Text)] = []
}

/// Where the molecules' atoms are, by the ids of the objects that they were read from.
struct DrawingPlaces {
    /// The atoms by node, as molecule and atom.
    private var atomsOfNode: [Int: (molecule: Int, atom: Int)] = [:]
    private var atomCounts: [Int] = []
    /// Nodes of molecules by id; those of the page before those inside abbreviations.
    private var nodesByID: [UInt32: Int] = [:]
    private var bondsByID: [UInt32: Int] = [:]
    private var fragmentsByID: [UInt32: Int] = [:]
    private var groupsByID: [UInt32: Int] = [:]
    private var textsByID: [UInt32: Int] = [:]
    private var graphicsByID: [UInt32: Int] = [:]
    private var arrowsByID: [UInt32: Int] = [:]
    /// The objects of the molecules, in the order of the file.
    private let owners: [Int]
    private let drawing: Drawing

    init(_ drawing: Drawing, _ fragments: [DrawnFragment]) {
        self.drawing = drawing
        owners = fragments.map(\.object)
        for (molecule, fragment) in fragments.enumerated() {
            atomCounts.append(fragment.molecule.atoms.count)
            for (node, atom) in fragment.atoms { atomsOfNode[node] = (molecule, atom) }
            let id = drawing.objects[fragment.object].id
            if id != 0, fragmentsByID[id] == nil, drawing.kind(of: fragment.object) == .fragment {
                fragmentsByID[id] = molecule
            }
        }
        for (place, object) in drawing.objects.enumerated() where object.id != 0 {
            switch object.kind {
            case .node:
                guard let known = nodesByID[object.id] else {
                    nodesByID[object.id] = place
                    continue
                }
                if drawing.objects[known].isInNode, !object.isInNode { nodesByID[object.id] = place }
            case .bond: Self.enter(place, object.id, &bondsByID)
            case .graphic: Self.enter(place, object.id, &graphicsByID)
            case .arrow: Self.enter(place, object.id, &arrowsByID)
            case .group where object.isOnPage: Self.enter(place, object.id, &groupsByID)
            case .text where !object.isInNode: Self.enter(place, object.id, &textsByID)
            default: break
            }
        }
    }

    private static func enter(_ place: Int, _ id: UInt32, _ table: inout [UInt32: Int]) {
        if table[id] == nil { table[id] = place }
    }

    func arrow(called id: UInt32) -> Int? { arrowsByID[id] }

    func text(called id: UInt32) -> Int? { textsByID[id] }

    func graphic(called id: UInt32) -> Int? { graphicsByID[id] }

    func node(called id: UInt32) -> Int? { nodesByID[id] }

    func group(called id: UInt32) -> Int? { groupsByID[id] }

    /// The molecules of a fragment or a group.
    func molecules(called id: UInt32) -> Range<Int> {
        if let molecule = fragmentsByID[id] { return molecule..<molecule + 1 }
        return groupsByID[id].map(molecules(within:)) ?? 0..<0
    }

    /// The molecules within an object: those whose places lie before its end.
    func molecules(within object: Int) -> Range<Int> {
        let first = firstOwner(atOrBehind: object)
        return first..<max(first, firstOwner(atOrBehind: drawing.objects[object].end))
    }

    private func firstOwner(atOrBehind object: Int) -> Int {
        var (low, high) = (0, owners.count)
        while low < high {
            let middle = (low + high) / 2
            if owners[middle] < object { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The molecule that a node or a bond is part of.
    func molecule(of id: UInt32) -> Int? {
        if let node = nodesByID[id], let place = atomsOfNode[node] { return place.molecule }
        guard let bond = bondsByID[id] else { return molecules(called: id).first }
        for child in drawing.children(of: drawing.objects[bond].parent) {
            if let place = atomsOfNode[child] { return place.molecule }
        }
        return nil
    }

    func atom(ofNode node: Int) -> (molecule: Int, atom: Int)? { atomsOfNode[node] }

    /// The atoms of a node, a fragment or a group.
    func atoms(within id: UInt32) -> [(molecule: Int, atom: Int)] {
        if let node = nodesByID[id], let place = atomsOfNode[node] { return [place] }
        if bondsByID[id] != nil { return [] }
        return molecules(called: id).flatMap { molecule in (0..<atomCounts[molecule]).map { (molecule, $0) } }
    }
}
