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
        /// Nodes of molecules, and those inside abbreviations.
        var nodes: DrawnIDs
        var innerNodes: DrawnIDs
        var bonds: DrawnIDs
        var groups: DrawnIDs
        var texts: DrawnIDs
        var graphics: DrawnIDs
        var arrows: DrawnIDs
        /// The molecules by their fragments.
        var fragments: DrawnIDs

        init(_ empty: DrawnIDs) {
            (nodes, innerNodes, bonds, groups) = (empty, empty, empty, empty)
            (texts, graphics, arrows, fragments) = (empty, empty, empty, empty)
        }
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

    private func makeAtoms() -> [(molecule: Int32, atom: Int32)] {
        var atoms = Array(repeating: (molecule: Int32(-1), atom: Int32(0)), count: drawing.objects.count)
        for (molecule, fragment) in fragments.enumerated() {
            for (node, atom) in fragment.atoms { atoms[node] = (Int32(clamping: molecule), Int32(clamping: atom)) }
        }
        return atoms
    }

    private func makeTables() -> Tables {
        var lowest = UInt32.max
        var highest: UInt32 = 0
        for place in drawing.objects.indices {
            let id = drawing.objects[place].id
            if id == 0 { continue }
            lowest = min(lowest, id)
            highest = max(highest, id)
        }
        // Several tables are made: none may be much longer than there are objects.
        var tables = Tables(DrawnIDs(from: lowest, to: highest, count: drawing.objects.count / 4))
        for (molecule, fragment) in fragments.enumerated() where drawing.kind(of: fragment.object) == .fragment {
            tables.fragments.enter(drawing.objects[fragment.object].id, at: molecule)
        }
        for place in drawing.objects.indices {
            let id = drawing.objects[place].id
            let isInNode = drawing.objects[place].isInNode
            switch drawing.kind(of: place) {
            case .node where isInNode: tables.innerNodes.enter(id, at: place)
            case .node: tables.nodes.enter(id, at: place)
            case .bond: tables.bonds.enter(id, at: place)
            case .graphic: tables.graphics.enter(id, at: place)
            case .arrow: tables.arrows.enter(id, at: place)
            case .group where drawing.objects[place].isOnPage: tables.groups.enter(id, at: place)
            case .text where !isInNode: tables.texts.enter(id, at: place)
            default: break
            }
        }
        return tables
    }

    func arrow(called id: UInt32) -> Int? { tables.arrows.place(of: id) }

    func text(called id: UInt32) -> Int? { tables.texts.place(of: id) }

    func graphic(called id: UInt32) -> Int? { tables.graphics.place(of: id) }

    /// The node of an id; those of the page go before those inside abbreviations.
    func node(called id: UInt32) -> Int? { tables.nodes.place(of: id) ?? tables.innerNodes.place(of: id) }

    func group(called id: UInt32) -> Int? { tables.groups.place(of: id) }

    /// The molecules of a fragment or a group.
    func molecules(called id: UInt32) -> Range<Int> {
        if let molecule = tables.fragments.place(of: id) { return molecule..<molecule + 1 }
        return group(called: id).map(molecules(within:)) ?? 0..<0
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
        if let node = node(called: id), let place = atom(ofNode: node) { return place.molecule }
        guard let bond = tables.bonds.place(of: id) else { return molecules(called: id).first }
        for child in drawing.children(of: drawing.objects[bond].parent) {
            if let place = atom(ofNode: child) { return place.molecule }
        }
        return nil
    }

    func atom(ofNode node: Int) -> (molecule: Int, atom: Int)? {
        let place = atomsOfNode[node]
        return place.molecule >= 0 ? (Int(place.molecule), Int(place.atom)) : nil
    }

    /// The atoms of a node, a fragment or a group.
    func atoms(within id: UInt32) -> [(molecule: Int, atom: Int)] {
        if let node = node(called: id), let place = atom(ofNode: node) { return [place] }
        if tables.bonds.place(of: id) != nil { return [] }
        return molecules(called: id).flatMap { molecule in
            fragments[molecule].molecule.atoms.indices.map { (molecule, $0) }
        }
    }
}
