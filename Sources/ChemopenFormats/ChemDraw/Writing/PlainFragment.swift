import ChemopenModel

/// The fragment of a plain molecule: elements with charges and parities in a plane, single, double and triple bonds, and nothing
/// else said of them, as in nearly all. It is measured and written straight from the atoms and bonds, as `FragmentWriter` writes it.
///
/// The memory that it takes in between is kept for the next molecule.
struct PlainFragment {
    /// An atom and what its bonds amount to.
    private struct Site {
        /// In ten-thousandths of an Ångström, y downwards.
        var place: WholePlace
        /// How far its neighbours reach to the right.
        var reach = 0.0
        var bondOrders: Int32 = 0
        var isBonded = false
        var hydrogens: Int8 = 0

        @inline(__always)
        mutating func add(_ bond: Bond, towards reach: Double) {
            bondOrders &+= Int32(bond.orderNumber)
            isBonded = true
            self.reach += reach
        }

        /// Whether it is a corner of the skeleton, at which nothing is written.
        @inline(__always)
        func isCorner(_ atom: Atom) -> Bool { atom.element == .carbon && atom.charge == 0 && isBonded }
    }

    private var sites: [Site] = []
    /// Around the sites.
    private var bounds = WholeBounds()
    private var hasParities = false
    private var hasDoubleBonds = false
    private var positions: [Position] = []
    private var sides = LabelSides(PageStyle.usualSize)
    private var around = DrawnNeighbours()
    private var rings = RingBonds()
    private var nodes: [UsualNode] = []
    private var labels: [UsualLabel] = []
    private var bonds: [UsualBond] = []

    // MARK: Measuring

    /// Takes a molecule that is plain.
    ///
    /// - Returns: Where it stands; nothing for a molecule that is not plain, or is drawn smaller than it is.
    mutating func take(_ molecule: borrowing Molecule, _ style: PageStyle) -> MoleculePlace? {
        guard style.isUsual, molecule.extras.isEmpty, molecule.labels.isEmpty, molecule.hydrogenRule == .mdl,
            molecule.flags.isDisjoint(with: [.threeDimensional, .withoutCoordinates]),
            takeAtoms(molecule.atoms), let lengths = takeBonds(molecule.bonds, molecule.atoms), countHydrogens(molecule)
        else { return nil }
        let stretching = lengths.areShort ? stretch(molecule) : 1
        return MoleculePlace(bounds, style, stretching: stretching)
    }

    private mutating func takeAtoms(_ atoms: [Atom]) -> Bool {
        // Wider molecules are made smaller.
        let far = Shrinking.widest / 3
        bounds = WholeBounds()
        hasParities = false
        sites.removeAll(keepingCapacity: true)
        sites.reserveCapacity(atoms.count)
        for index in atoms.indices {
            var atom = atoms[index]
            if atom.marks.parity != 0 {
                hasParities = true
                atom.marks.parity = 0
            }
            let (x, y) = (atom.position.x, atom.position.y)
            guard atom.element != .none, OwnStatement.isPlain(atom), atom.position.z == 0, x.magnitude < far,
                y.magnitude < far
            else { return false }
            let place = WholePlace(x: rounded(x * PagePlaces.unit), y: 0 &- rounded(y * PagePlaces.unit))
            bounds.include(place)
            sites.append(Site(place: place))
        }
        // Atoms that all stand in one place have none.
        return atoms.count == 1 || !atoms.isEmpty && !bounds.isPoint
    }

    /// Takes the places of atoms anew, further apart: bonds that are too short for letters are drawn longer.
    private mutating func stretch(_ molecule: borrowing Molecule) -> Double {
        let factor = MoleculePlace.stretching(of: molecule, molecule.widest)
        if factor == 1 { return factor }
        let atoms = molecule.atoms
        bounds = WholeBounds()
        for index in atoms.indices {
            let (x, y) = (atoms[index].position.x * factor, atoms[index].position.y * factor)
            sites[index].place = WholePlace(x: rounded(x * PagePlaces.unit), y: 0 &- rounded(y * PagePlaces.unit))
            bounds.include(sites[index].place)
        }
        return factor
    }

    private mutating func takeBonds(_ bonds: [Bond], _ atoms: [Atom]) -> BondLengths? {
        var lengths = BondLengths()
        var hasDoubleBonds = false
        var sites = self.sites.mutableSpan
        for index in bonds.indices {
            let bond = bonds[index]
            let (from, to) = (Int(bond.from), Int(bond.to))
            guard 1...3 ~= bond.orderNumber, bond.traits.isEmpty, bond.reactingCentre == 0, from != to,
                from < sites.count, to < sites.count
            else { return nil }
            if bond.orderNumber == 2 { hasDoubleBonds = true }
            let (start, end) = (atoms[from].position, atoms[to].position)
            lengths.add(start, end)
            sites[from].add(bond, towards: end.x - start.x)
            sites[to].add(bond, towards: start.x - end.x)
        }
        self.hasDoubleBonds = hasDoubleBonds
        return lengths
    }

    private mutating func countHydrogens(_ molecule: borrowing Molecule) -> Bool {
        let atoms = molecule.atoms
        var counts: [Int] = []
        var sites = self.sites.mutableSpan
        for index in atoms.indices {
            var count = atoms[index].plainHydrogens(bondOrderSum: Int(sites[index].bondOrders)) ?? -1
            if count < 0 {
                if counts.isEmpty { counts = molecule.hydrogenCounts() }
                count = counts[index]
            }
            // More have no room in a short label.
            guard 0...9 ~= count, -9...9 ~= atoms[index].charge else { return false }
            sites[index].hydrogens = Int8(truncatingIfNeeded: count)
        }
        return true
    }

    // MARK: Writing

    /// Adds the molecule that was taken to the object that is open.
    ///
    /// - Parameter statements: are made of the fragment beside those that the molecule asks for.
    mutating func write(
        _ molecule: Molecule, at place: MoleculePlace, _ statements: [Text], _ fields: Fields?,
        to page: inout DrawnPage
    ) -> FragmentWriter.Made {
        let fragment = page.takeIDs(1)
        let count = molecule.atoms.count
        var made = FragmentWriter.Made(
            fragment: fragment, firstAtom: page.takeIDs(count + molecule.bonds.count), atomCount: count,
            box: DrawnBox(around: []))
        findPlaces(at: place)
        made.box = makeNodes(molecule, firstAtom: made.firstAtom, firstLabel: page.nextID)
        makeBonds(molecule, made)
        page.drawing.open(.fragment, id: fragment)
        page.drawing.set(.boundingBox, box: made.box)
        page.setZ()
        if molecule.flags.contains(.chiral) { page.drawing.set(.absolute, integer: 1) }
        if hasParities {
            addOneByOne(molecule.atoms, to: &page)
        } else {
            _ = page.takeIDs(labels.count)
            page.drawing.add(nodes.span, labels.span, bonds.span)
        }
        for statement in statements { page.say(statement) }
        if let moved = place.statement { page.say(moved) }
        var writer = FragmentWriter()
        writer.writeContents(of: molecule, besides: molecule, to: &page)
        if let fields { page.say(fields) }
        page.drawing.close()
        return made
    }

    /// Adds the nodes, with our statement in those that have a parity, and the bonds.
    private func addOneByOne(_ atoms: [Atom], to page: inout DrawnPage) {
        var labels = labels[...]
        for index in nodes.indices {
            let label = nodes[index].element == 0 ? nil : labels.popFirst()
            if atoms[index].marks.isEmpty {
                page.drawing.add(nodes[index], label)
            } else {
                page.drawing.open(nodes[index])
                for statement in OwnStatement.statements(of: atoms[index], isElement: true) { page.say(statement) }
                if let label { page.drawing.add(label) }
                page.drawing.close()
            }
            if label != nil { _ = page.takeIDs(1) }
        }
        for bond in bonds { page.drawing.add(bond) }
    }

    private mutating func findPlaces(at place: MoleculePlace) {
        positions.removeAll(keepingCapacity: true)
        positions.reserveCapacity(sites.count)
        for index in sites.indices {
            sites[index].place = place.points(sites[index].place)
            positions.append(sites[index].place.position)
        }
    }

    /// Makes the nodes and their labels.
    ///
    /// - Returns: The box around them.
    private mutating func makeNodes(
        _ molecule: borrowing Molecule, firstAtom: UInt32, firstLabel: UInt32
    ) -> DrawnBox {
        let atoms = molecule.atoms
        var box = WholeBounds()
        var hasSides = false
        var nextID = firstLabel
        let mayTurn = atoms.count <= LabelSides.mostAtoms
        nodes.removeAll(keepingCapacity: true)
        nodes.reserveCapacity(atoms.count)
        labels.removeAll(keepingCapacity: true)
        for index in atoms.indices {
            let atom = atoms[index]
            let site = sites[index]
            box.include(site.place)
            let isCorner = site.isCorner(atom)
            nodes.append(
                UsualNode(
                    id: firstAtom &+ UInt32(truncatingIfNeeded: index), place: site.place,
                    element: isCorner ? 0 : atom.element.rawValue, charge: atom.charge,
                    hydrogens: isCorner ? -1 : site.hydrogens))
            // The statement of a parity has an id before that of the label.
            if atom.marks.parity != 0 { nextID &+= 1 }
            guard !isCorner, let text = ShortText(of: atom, hydrogens: Int(site.hydrogens)) else { continue }
            var isTurned = site.reach > 0.1 && site.hydrogens > 0
            if site.hydrogens > 0, mayTurn {
                if !hasSides { fillSides(molecule) }
                hasSides = true
                isTurned = sides.isBetterTurned(text.count, isTurned: isTurned, at: positions[index])
            }
            let label = UsualLabel(text, isTurned: isTurned, id: nextID, at: positions[index])
            nextID &+= 1
            labels.append(label)
            box.include(label.box)
        }
        return box.box
    }

    private mutating func fillSides(_ molecule: borrowing Molecule) {
        sides.removeAll()
        for bond in molecule.bonds { sides.add(from: positions[Int(bond.from)], to: positions[Int(bond.to)]) }
        for (index, atom) in molecule.atoms.enumerated() where !sites[index].isCorner(atom) {
            sides.add(label: positions[index])
        }
    }

    private mutating func makeBonds(_ molecule: borrowing Molecule, _ made: FragmentWriter.Made) {
        let drawn = molecule.bonds
        if hasDoubleBonds {
            around.fill(with: drawn, among: sites.count)
            rings.find(around)
        }
        let sides = DoubleBondSides(molecule, around, isInRing: rings.isInRing)
        bonds.removeAll(keepingCapacity: true)
        bonds.reserveCapacity(drawn.count)
        for index in drawn.indices {
            let bond = drawn[index]
            let isDouble = bond.orderNumber == 2
            bonds.append(
                UsualBond(
                    id: made.id(ofBond: index), begin: made.id(ofAtom: Int(bond.from)),
                    end: made.id(ofAtom: Int(bond.to)), order: 1 &<< (Int(bond.orderNumber) &- 1),
                    display: DrawnBond.display(of: bond.mark), side: isDouble ? sides.side(of: index) : nil))
        }
    }
}

extension Molecule {
    /// How far its atoms reach in the plane, in the direction in which they reach farthest.
    fileprivate var widest: Double {
        var box = DrawnBox(around: [])
        for atom in atoms { box.include(atom.position) }
        return max(box.right - box.left, box.bottom - box.top)
    }
}
