import ChemopenModel

/// A molecule that is to be drawn though it has no coordinates, or stands in space: what is asked of the program that places
/// atoms, and the drawing that its answer makes.
///
/// Positions say nothing but configurations here, which the drawing shows as wedges, and by the sides of double bonds.
public struct FlatLayout: Sendable {
    /// The molecule without positions, its configurations stated.
    private let stated: Molecule
    private let graph: MoleculeGraph
    /// The bonds that are asked about, by their places: those between two atoms, each pair once.
    private let bonds: [Int]
    /// Parities as they came: a file keeps them.
    private let parities: [Int]

    /// A molecule of more atoms is not laid out.
    public static let mostAtoms = 2000

    /// The length of a bond in the drawing.
    private static let bondLength = 1.5

    /// - Parameter hidesHydrogens: the hydrogens that need not be drawn are no atoms of the drawing.
    public init?(of molecule: Molecule, hidesHydrogens: Bool) {
        var stated = StatedConfigurations.state(molecule)
        if hidesHydrogens { stated = StatedConfigurations.countHydrogens(of: stated) }
        guard 2...Self.mostAtoms ~= stated.atoms.count, stated.bonds.count <= 3 * Self.mostAtoms else { return nil }
        parities = hidesHydrogens ? [] : molecule.atoms.map(\.marks.parity)
        graph = MoleculeGraph(stereoOf: stated)
        var known = Set<UInt64>()
        bonds = stated.bonds.indices.filter { place in
            let bond = stated.bonds[place]
            let (from, to) = (Int(bond.from), Int(bond.to))
            let isSound = stated.atoms.indices.contains(from) && stated.atoms.indices.contains(to) && from != to
            guard isSound else { return false }
            return known.insert(UInt64(min(from, to)) << 32 | UInt64(max(from, to))).inserted
        }
        self.stated = stated
    }

    // MARK: The question

    /// The structure in numbers: what `chemopen-layout` reads as a line. The same structure asks the same.
    public var question: [UInt8] {
        var orders: [Int32: (edge: Int, order: Int)] = [:]
        for (place, edge) in graph.edges.enumerated() {
            orders[edge.origin] = (place, edge.order.isMultiple ? min(3, Int(edge.order.rawValue)) : 1)
        }
        var text: [UInt8] = []
        func add(_ number: Int) {
            text += "\(number)".utf8
            text.append(UInt8(ascii: " "))
        }
        func origin(_ vertex: Int32) -> Int { Int(graph.vertices[Int(vertex)].origin) }
        add(stated.atoms.count)
        add(bonds.count)
        for atom in stated.atoms {
            // Something that is no element takes the room of a carbon.
            add(atom.element == .none ? 6 : Int(atom.element.rawValue))
            add(Int(atom.charge))
        }
        for place in bonds {
            let bond = stated.bonds[place]
            let known = orders[Int32(truncatingIfNeeded: place)]
            for number in [Int(bond.from), Int(bond.to), known?.order ?? 1] { add(number) }
            if let known, graph.geometries[known.edge].isKnown {
                let (edge, geometry) = (graph.edges[known.edge], graph.geometries[known.edge])
                let isTurned = origin(edge.from) != Int(bond.from)
                let ends = isTurned ? (geometry.second, geometry.first) : (geometry.first, geometry.second)
                add(origin(ends.0))
                add(origin(ends.1))
                add(geometry.isTrans ? 2 : 1)
            } else {
                for _ in 0..<3 { add(0) }
            }
        }
        text[text.count - 1] = UInt8(ascii: "\n")
        return text
    }

    // MARK: The answer

    /// The drawing that an answer makes; `nil` where it is none, or places two atoms at one point.
    public func drawing(_ answer: [UInt8]) -> Molecule? {
        var numbers: [Int] = []
        for word in answer.split(separator: UInt8(ascii: " ")) {
            guard let number = Int(String(decoding: word, as: UTF8.self)) else { return nil }
            numbers.append(number)
        }
        guard numbers.count == 2 * stated.atoms.count else { return nil }
        let lengths = numbers.map { Double($0) / 1000 }
        return drawing(stated.atoms.indices.map { (x: lengths[2 * $0], y: lengths[2 * $0 + 1]) })
    }

    /// A drawing by simpler means, for what the program fails at; `nil` where the structure is too large for them.
    public func plainDrawing() -> Molecule? {
        let ends = bonds.map { (Int(stated.bonds[$0].from), Int(stated.bonds[$0].to)) }
        return SpringLayout(atoms: stated.atoms.count, bonds: ends).flatMap { drawing($0.places) }
    }

    private func drawing(_ places: [(x: Double, y: Double)]) -> Molecule? {
        var points = Set<Position>()
        for place in places {
            // In hundredths of a bond.
            let point = Position((place.x * 100).rounded(), (place.y * 100).rounded())
            guard points.insert(point).inserted else { return nil }
        }
        var drawing = stated
        drawing.flags.remove(.withoutCoordinates)
        for index in drawing.atoms.indices {
            let (x, y) = places[index]
            drawing.atoms[index].position = Position(x * Self.bondLength, y * Self.bondLength)
        }
        if !drawing.extras.isEmpty { drawing.extras.contents.forgetPlaces() }
        DrawnConfigurations.mendGeometries(in: &drawing, as: graph)
        DrawnConfigurations.draw(in: &drawing, as: graph)
        if !drawing.extras.isEmpty {
            // The drawing shows them now.
            drawing.extras.contents.bondNotes.removeAll { if case .geometry = $0.note { true } else { false } }
        }
        for index in drawing.atoms.indices {
            drawing.atoms[index].marks.parity = parities.isEmpty ? 0 : parities[index]
        }
        return drawing
    }
}

extension Extras.Contents {
    /// Forgets the places of brackets, which were those of other positions.
    fileprivate mutating func forgetPlaces() {
        for place in sgroups.indices {
            sgroups[place].brackets = []
            for vector in sgroups[place].bondVectors.indices { sgroups[place].bondVectors[vector].vector = nil }
        }
    }
}
