import ChemopenModel

/// A molecule of the drawing, and where its objects went.
struct DrawnFragment {
    /// The fragment, or what holds the nodes that stand outside of one.
    let object: Int
    var molecule: Molecule
    let atoms: [(node: Int, atom: Int)]
    /// The box around its nodes, in points.
    let box: DrawnBox
    var issues: [Issue]
    /// Names and data that belong to it.
    var fields: [(name: Text, value: Text)] = []
}

/// Where the molecules' atoms are, by the ids of the objects that they were read from.
///
/// The tables are made when something is first looked up: most drawings are never asked.
final class DrawingPlaces {
    /// The objects by their ids, each kind by itself, since one id may mean several things.
    private struct Tables {
        /// Nodes of molecules; those of the page before those inside abbreviations.
        var nodes: [UInt32: Int] = [:]
        var bonds: [UInt32: Int] = [:]
        var groups: [UInt32: Int] = [:]
        var texts: [UInt32: Int] = [:]
        var graphics: [UInt32: Int] = [:]
        var arrows: [UInt32: Int] = [:]
        /// The molecules by their fragments.
        var fragments: [UInt32: Int] = [:]
    }

    /// The objects of the molecules, in the order of the file.
    private let owners: [Int]
    private let fragments: [DrawnFragment]
    private let drawing: Drawing
    private lazy var tables = makeTables()
    /// The atoms by node, as molecule and atom.
    private lazy var atomsOfNode = makeAtoms()

    init(_ drawing: Drawing, _ fragments: [DrawnFragment]) {
        self.drawing = drawing
        self.fragments = fragments
        owners = fragments.map(\.object)
    }

    private func makeAtoms() -> [Int: (molecule: Int, atom: Int)] {
        var atoms: [Int: (molecule: Int, atom: Int)] = [:]
        for (molecule, fragment) in fragments.enumerated() {
            for (node, atom) in fragment.atoms { atoms[node] = (molecule, atom) }
        }
        return atoms
    }

    private func makeTables() -> Tables {
        var tables = Tables()
        for (molecule, fragment) in fragments.enumerated() {
            let id = drawing.objects[fragment.object].id
            if id != 0, tables.fragments[id] == nil, drawing.kind(of: fragment.object) == .fragment {
                tables.fragments[id] = molecule
            }
        }
        for (place, object) in drawing.objects.enumerated() where object.id != 0 {
            switch object.kind {
            case .node:
                if let known = tables.nodes[object.id] {
                    if drawing.objects[known].isInNode, !object.isInNode { tables.nodes[object.id] = place }
                } else {
                    tables.nodes[object.id] = place
                }
            case .bond: Self.enter(place, object.id, &tables.bonds)
            case .graphic: Self.enter(place, object.id, &tables.graphics)
            case .arrow: Self.enter(place, object.id, &tables.arrows)
            case .group where object.isOnPage: Self.enter(place, object.id, &tables.groups)
            case .text where !object.isInNode: Self.enter(place, object.id, &tables.texts)
            default: break
            }
        }
        return tables
    }

    private static func enter(_ place: Int, _ id: UInt32, _ table: inout [UInt32: Int]) {
        if table[id] == nil { table[id] = place }
    }

    func arrow(called id: UInt32) -> Int? { tables.arrows[id] }

    func text(called id: UInt32) -> Int? { tables.texts[id] }

    func graphic(called id: UInt32) -> Int? { tables.graphics[id] }

    func node(called id: UInt32) -> Int? { tables.nodes[id] }

    func group(called id: UInt32) -> Int? { tables.groups[id] }

    /// The molecules of a fragment or a group.
    func molecules(called id: UInt32) -> Range<Int> {
        if let molecule = tables.fragments[id] { return molecule..<molecule + 1 }
        return tables.groups[id].map(molecules(within:)) ?? 0..<0
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
        if let node = tables.nodes[id], let place = atomsOfNode[node] { return place.molecule }
        guard let bond = tables.bonds[id] else { return molecules(called: id).first }
        for child in drawing.children(of: drawing.objects[bond].parent) {
            if let place = atomsOfNode[child] { return place.molecule }
        }
        return nil
    }

    func atom(ofNode node: Int) -> (molecule: Int, atom: Int)? { atomsOfNode[node] }

    /// The atoms of a node, a fragment or a group.
    func atoms(within id: UInt32) -> [(molecule: Int, atom: Int)] {
        if let node = tables.nodes[id], let place = atomsOfNode[node] { return [place] }
        if tables.bonds[id] != nil { return [] }
        return molecules(called: id).flatMap { molecule in
            fragments[molecule].molecule.atoms.indices.map { (molecule, $0) }
        }
    }
}
