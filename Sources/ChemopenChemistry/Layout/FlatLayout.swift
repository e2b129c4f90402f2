import ChemopenModel

/// The 2D layout of a molecule that has no coordinates or 3D coordinates.
///
/// It creates the request to the layout program, and a drawing from the program's response. The original positions are
/// used only to determine configurations. The drawing shows these with wedges and by the sides of double bonds.
public struct FlatLayout: Sendable {
    /// The molecule without positions, with explicit configurations.
    private let stated: Molecule
    private let graph: MoleculeGraph
    /// The indices of the bonds in the request: one bond for each pair of different atoms.
    private let bonds: [Int]
    /// The original parities, which are restored because a file preserves them.
    private let parities: [Int]

    /// The maximum number of atoms that are laid out.
    public static let mostAtoms = 2000

    /// The length of a bond in the drawing.
    private static let bondLength = 1.5

    /// Prepares the layout of a molecule.
    ///
    /// - Parameter hidesHydrogens: whether to omit the hydrogens that do not need to be drawn.
    /// - Returns: `nil` if the molecule has fewer than two atoms, or more atoms or bonds than can be laid out.
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

    // MARK: Request

    /// The structure as a line of numbers, which `chemopen-layout` reads. Equal structures produce equal lines.
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
            // An atom that is not an element occupies the same space as a carbon.
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

    // MARK: Response

    /// Returns the drawing for a response.
    ///
    /// - Returns: the drawing, or `nil` if the response is invalid or assigns the same position to two atoms.
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

    /// Returns the double bonds with a specified geometry that a drawing does not show.
    private func bondsNotShown(in drawing: Molecule) -> Set<Int32> {
        if !graph.geometries.contains(where: \.isKnown) { return [] }
        let drawn = MoleculeGraph(stereoOf: drawing)
        var open: Set<Int32> = []
        for (edge, geometry) in graph.geometries.enumerated() where geometry.isKnown {
            let isShown = drawn.geometries.indices.contains(edge) && drawn.geometries[edge].isKnown
            if !isShown { open.insert(graph.edges[edge].origin) }
        }
        return open
    }

    /// Returns a coordinate with four decimals, as in molfiles.
    private static func rounded(_ number: Double) -> Double { (number * 10_000).rounded() / 10_000 }

    /// Returns a drawing from a simpler layout, for structures that the program cannot lay out.
    ///
    /// - Returns: the drawing, or `nil` if the structure is too large or two atoms have the same position.
    public func plainDrawing() -> Molecule? {
        let ends = bonds.map { (Int(stated.bonds[$0].from), Int(stated.bonds[$0].to)) }
        return SpringLayout(atoms: stated.atoms.count, bonds: ends).flatMap { drawing($0.places) }
    }

    private func drawing(_ places: [(x: Double, y: Double)]) -> Molecule? {
        var points = Set<Position>()
        for place in places {
            // Compare positions in units of a hundredth of a bond length.
            let point = Position((place.x * 100).rounded(), (place.y * 100).rounded())
            guard points.insert(point).inserted else { return nil }
        }
        var drawing = stated
        drawing.flags.remove(.withoutCoordinates)
        for index in drawing.atoms.indices {
            let (x, y) = places[index]
            drawing.atoms[index].position = Position(
                Self.rounded(x * Self.bondLength), Self.rounded(y * Self.bondLength))
        }
        if !drawing.extras.isEmpty { drawing.extras.contents.forgetPlaces() }
        DrawnConfigurations.mendGeometries(in: &drawing, as: graph)
        var hidden: Set<Int32> = []
        if !graph.coordinations.isEmpty {
            hidden = Set(DrawnCoordination(drawing, as: graph).draw(in: &drawing).map { Int32(clamping: $0) })
        }
        DrawnConfigurations.draw(in: &drawing, as: graph)
        DrawnCoordination.hideUnstated(in: &drawing, as: graph)
        if !drawing.extras.isEmpty {
            // The drawing now shows these configurations.
            let open = bondsNotShown(in: drawing)
            drawing.extras.contents.bondNotes.removeAll { $0.note.geometry != nil && !open.contains($0.index) }
            drawing.extras.contents.atomNotes.removeAll { tagged in
                guard case .configuration = tagged.note else { return false }
                return !hidden.contains(tagged.index)
            }
            drawing.markNotes()
        }
        for index in drawing.atoms.indices {
            drawing.atoms[index].marks.parity = parities.isEmpty ? 0 : parities[index]
        }
        return drawing
    }
}

extension Extras.Contents {
    /// Removes the positions of brackets, which refer to the old coordinates.
    fileprivate mutating func forgetPlaces() {
        for place in sgroups.indices {
            sgroups[place].brackets = []
            for vector in sgroups[place].bondVectors.indices { sgroups[place].bondVectors[vector].vector = nil }
        }
    }
}
