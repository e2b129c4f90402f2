import ChemopenModel

/// A molecule of the drawing, with the data that belong to it.
struct DrawnFragment {
    /// The fragment, or the object that contains nodes outside any fragment.
    let object: Int
    var molecule: Molecule
    /// The box around its nodes, in points.
    let box: DrawnBox
    var issues: [Issue]
    /// The names and data of the molecule.
    var fields: [(name: Text, value: Text)] = []
    /// Chemopen's annotations about the complete molecule.
    var said: OwnStatement?
}

/// Finds molecules and atoms by the IDs of the objects from which they were read.
///
/// The tables are created on demand, because most drawings do not need them.
final class DrawingPlaces {
    /// The object from which a molecule was read, and the atoms of its nodes.
    struct Owner {
        let object: Int
        var atoms: [DrawnAtom]
        var atomCount: Int
        /// The fragments that became parts of the molecule.
        var objects: [Int] = []
    }

    /// The objects from which molecules were read, in the order of the file.
    private let owners: [Owner]
    private let drawing: Drawing
    private var objects: DrawnObjects?
    /// The molecule and atom of each node.
    private lazy var atomsOfNode = makeAtoms()

    init(_ drawing: Drawing, _ owners: [Owner]) {
        self.drawing = drawing
        self.owners = owners
    }

    private func makeAtoms() -> [(molecule: Int32, atom: Int32)] {
        var atoms = Array(repeating: (molecule: Int32(-1), atom: Int32(0)), count: drawing.objects.count)
        for (molecule, owner) in owners.enumerated() {
            for place in owner.atoms {
                atoms[place.node] = (Int32(clamping: molecule), Int32(clamping: place.atom))
            }
        }
        return atoms
    }

    private func object(_ kind: DrawnObjects.Kind, called id: UInt32) -> Int? {
        if objects == nil { objects = DrawnObjects(of: drawing) }
        return objects?.first(kind, called: id)
    }

    func arrow(called id: UInt32) -> Int? { object(.arrow, called: id) }

    func text(called id: UInt32) -> Int? { object(.text, called: id) }

    func graphic(called id: UInt32) -> Int? { object(.graphic, called: id) }

    /// Returns the node with an ID. Nodes on a page take precedence over nodes inside abbreviations.
    func node(called id: UInt32) -> Int? { object(.node, called: id) ?? object(.innerNode, called: id) }

    func group(called id: UInt32) -> Int? { object(.group, called: id) }

    /// Returns the molecules in a fragment or a group.
    func molecules(called id: UInt32) -> Range<Int> {
        if let molecule = molecule(ofFragment: id) { return molecule..<molecule + 1 }
        return group(called: id).map(molecules(within:)) ?? 0..<0
    }

    /// Returns the molecule of the first fragment with an ID that contains one.
    private func molecule(ofFragment id: UInt32) -> Int? {
        if id == 0 { return nil }
        return moleculesOfFragments[id]
    }

    private lazy var moleculesOfFragments: [UInt32: Int] = {
        var molecules: [UInt32: Int] = [:]
        for (molecule, owner) in owners.enumerated().reversed() where drawing.kind(of: owner.object) == .fragment {
            molecules[drawing.objects[owner.object].id] = molecule
        }
        for (molecule, owner) in owners.enumerated() {
            for object in owner.objects where molecules[drawing.objects[object].id] == nil {
                molecules[drawing.objects[object].id] = molecule
            }
        }
        return molecules
    }()

    /// Returns the molecules within an object.
    func molecules(within object: Int) -> Range<Int> {
        let first = firstOwner(atOrBehind: object)
        return first..<max(first, firstOwner(atOrBehind: drawing.objects[object].end))
    }

    private func firstOwner(atOrBehind object: Int) -> Int {
        var (low, high) = (0, owners.count)
        while low < high {
            let middle = (low + high) / 2
            if owners[middle].object < object { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the molecule that contains a node or a bond.
    func molecule(of id: UInt32) -> Int? {
        if let node = node(called: id), let place = atom(ofNode: node) { return place.molecule }
        guard let bond = object(.bond, called: id) else { return molecules(called: id).first }
        for child in drawing.children(of: drawing.objects[bond].parent) {
            if let place = atom(ofNode: child) { return place.molecule }
        }
        return nil
    }

    func atom(ofNode node: Int) -> (molecule: Int, atom: Int)? {
        let place = atomsOfNode[node]
        return place.molecule >= 0 ? (Int(place.molecule), Int(place.atom)) : nil
    }

    /// Returns the atoms of a node, a fragment or a group.
    func atoms(within id: UInt32) -> [(molecule: Int, atom: Int)] {
        if let node = node(called: id), let place = atom(ofNode: node) { return [place] }
        if object(.bond, called: id) != nil { return [] }
        return molecules(called: id).flatMap { molecule in
            (0..<owners[molecule].atomCount).map { (molecule, $0) }
        }
    }
}

extension Drawing {
    /// The fragments and groups on the pages that have an ID.
    var namedHolders: [Int] {
        others.filter { place in
            let object = objects[place]
            return object.isOnPage && object.id != 0 && (object.kind == .fragment || object.kind == .group)
        }
    }
}
