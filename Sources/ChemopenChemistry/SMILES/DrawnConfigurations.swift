import ChemopenModel

/// Shows in a drawing the configurations that a molecule states.
enum DrawnConfigurations {
    /// Gives a drawing the wedges that show the parities, and wavy bonds where nothing is known of a geometry.
    static func draw(in molecule: inout Molecule) {
        if molecule.flags.contains(.threeDimensional) { return }
        var undrawn = molecule
        for index in undrawn.atoms.indices { undrawn.atoms[index].position = Position() }
        let stated = MoleculeGraph(stereoOf: undrawn)
        let wedges = drawWedges(
            in: &molecule, at: molecule.atoms.indices.filter { stated.handedness(ofAtom: $0) != .none })
        let drawn = MoleculeGraph(stereoOf: molecule)
        for (bond, centre) in wedges where drawn.handedness(ofAtom: centre) != stated.handedness(ofAtom: centre) {
            molecule.bonds[bond].mark = .down
        }
        for edge in drawn.edges.indices where drawn.geometries[edge].isKnown && !stated.geometries[edge].isKnown {
            molecule.bonds[Int(drawn.edges[edge].origin)].mark = .either
        }
    }

    /// Draws a wedge upwards at each centre that has a single bond to spare; returns the bonds with their centres.
    private static func drawWedges(in molecule: inout Molecule, at centres: [Int]) -> [Int: Int] {
        let bondsOfAtoms = BondsOfAtoms(molecule)
        var wedges: [Int: Int] = [:]
        for index in centres {
            /// A wedge shows best on a bond to an atom at the end of a chain, and to none that is a centre itself.
            func cost(_ bond: Int) -> Int {
                guard let partner = molecule.bonds[bond].partner(of: index) else { return .max }
                return (molecule.atoms[partner].marks.parity == 0 ? 0 : 100) + bondsOfAtoms.bonds(of: partner).count
            }
            let free = bondsOfAtoms.bonds(of: index).filter { molecule.bonds[$0].order == .single && wedges[$0] == nil }
            guard let bond = free.min(by: { cost($0) < cost($1) }) else { continue }
            if molecule.bonds[bond].from != index { molecule.bonds[bond].turn() }
            molecule.bonds[bond].mark = .up
            wedges[bond] = index
        }
        return wedges
    }
}

extension MoleculeGraph {
    /// A molecule with its configurations.
    fileprivate init(stereoOf molecule: borrowing Molecule) {
        self.init()
        take(molecule, unifies: false)
        perceiveStereo(of: molecule)
    }

    fileprivate func handedness(ofAtom index: Int) -> Handedness {
        let place = placeOfAtom[index]
        return place < 0 ? .none : centres[Int(place)]
    }
}
