import ChemopenModel

/// A parser for CX extensions, which follow a SMILES between vertical bars. It adds their content to the molecules.
///
/// It supports coordinates, labels and values of atoms, radicals, kinds and geometries of bonds, stereo groups,
/// fragments, link nodes, bonds to any of several atoms, atom queries and Sgroups. Other extensions are preserved
/// verbatim with a warning, so that a conversion reports them as a loss; no extension makes a structure unreadable.
struct CXExtensions {
    private(set) var pieces: [SMILESPiece]
    private(set) var doubts: [SMILESWarning] = []
    private let bytes: [UInt8]
    private var index: Int
    private let end: Int
    private let atomCount: Int
    private let bondCount: Int
    /// The kinds of bonds that must be known when the SMILES is parsed, by the bond's number in the text.
    private(set) var kinds: [Int: SMILESBondKind] = [:]
    /// Whether the SMILES was parsed with the kinds of bonds.
    private let areKindsSet: Bool
    /// The double bonds with a geometry that an extension specifies.
    private var haveGeometry: Set<Int> = []
    private var isPlaced = false
    /// The piece of each Sgroup and its index there. A piece can already contain other Sgroups.
    private var sgroups: [(piece: Int, place: Int)] = []
    /// The notes and labels of each piece, which are added to its molecule at the end.
    private var additions: [Additions]

    init(_ range: Range<Int>, of bytes: [UInt8], _ parser: SMILESParser, areKindsSet: Bool = false) {
        pieces = parser.pieces
        self.bytes = bytes
        (index, end) = (range.lowerBound, range.upperBound)
        additions = pieces.map { _ in Additions() }
        atomCount = pieces.last.map { $0.firstAtom + $0.molecule.atoms.count } ?? 0
        bondCount = pieces.last.map { $0.firstBond + $0.molecule.bonds.count } ?? 0
        self.areKindsSet = areKindsSet
    }

    mutating func apply() {
        var fragments: [[Int]] = []
        while index < end {
            let start = index
            if !takeExtension(&fragments) {
                passOver()
                doubts.append(SMILESWarning(message: "an unsupported CX extension is ignored", range: start..<index))
                if !pieces.isEmpty {
                    let text = Text(bytes: Array(bytes[start..<index]))
                    pieces[0].molecule.extras.contents.verbatim.append(Verbatim(.cxsmiles, text))
                }
            }
            if index < end, bytes[index] == UInt8(ascii: ",") { index += 1 }
        }
        for place in pieces.indices {
            additions[place].add(to: &pieces[place].molecule)
            if isPlaced { DrawnConfigurations.draw(in: &pieces[place].molecule) }
        }
        join(fragments)
    }

    /// Parses one extension.
    ///
    /// - Returns: `false` if the extension is unknown or invalid.
    private mutating func takeExtension(_ fragments: inout [[Int]]) -> Bool {
        if take("(") { return takeCoordinates() }
        if take("$_AV:") { return takeTexts { $0.note(.value($3), $1, $2) } }
        if take("$") { return takeTexts { $0.setLabel($3, $1, $2) } }
        if take("^") { return takeRadicals() }
        if take("a:") { return takeStereoGroup(.absolute, 0) }
        if take("&") { return takeStereoGroup(.racemic) }
        if take("o") { return takeStereoGroup(.relative) }
        if take("f:") { return takeFragments(&fragments) }
        if take("SgD:") { return takeData() }
        if take("SgH:") { return takeHierarchy() }
        if take("Sg:") { return takeSgroup() }
        if take("LN:") { return takeLinkNodes() }
        if take("m:") { return takeEndpoints() }
        if take("C:") { return takeKinds(.dative) }
        if take("H:") { return takeKinds(.hydrogen) }
        if take("Z:") { return takeZeroOrders() }
        if take("ctu:") { return takeGeometries(nil) }
        if take("c:") { return takeGeometries(false) }
        if take("t:") { return takeGeometries(true) }
        if take("rb:") { return takeCounts { .ringBondCount($0) } }
        if take("s:") { return takeCounts { .substitutionCount($0) } }
        if take("u:") { return takeAtoms { $0.note(.unsaturated, $1, $2) } }
        // These wedges show configurations in a drawing; the SMILES itself already specifies them.
        if take("wU:") || take("wD:") || take("w:") { return takeAtoms { _, _, _ in } }
        return false
    }

    // MARK: Text

    private mutating func take(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard index + count <= end else { return false }
        for (offset, byte) in "\(text)".utf8.enumerated() where bytes[index + offset] != byte { return false }
        index += count
        return true
    }

    /// Skips an unsupported extension, up to a comma that is not followed by a digit.
    private mutating func passOver() {
        while index < end {
            if bytes[index] == UInt8(ascii: ","), index + 1 == end || !isNumber(bytes[index + 1]) { return }
            index += 1
        }
    }

    private func isNumber(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private mutating func number() -> Int? {
        var value = 0
        let start = index
        while index < end, isNumber(bytes[index]), value < 1 << 30 {
            value = value * 10 + Int(bytes[index] &- UInt8(ascii: "0"))
            index += 1
        }
        return index > start ? value : nil
    }

    /// Parses numbers that are separated by periods or commas.
    private mutating func numbers(between separator: StaticString) -> [Int]? {
        var found: [Int] = []
        repeat {
            guard let next = number() else { return nil }
            found.append(next)
        } while goesOn(with: separator)
        return found
    }

    /// Parses a separator if a digit follows it.
    private mutating func goesOn(with separator: StaticString) -> Bool {
        let before = index
        if take(separator), index < end, isNumber(bytes[index]) { return true }
        index = before
        return false
    }

    // MARK: Atoms

    /// Returns the piece of an atom and its index there, given its number in the text.
    private func place(ofAtom number: Int) -> (piece: Int, atom: Int)? {
        guard number < atomCount else { return nil }
        var (low, high) = (0, pieces.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if pieces[middle].firstAtom <= number { low = middle } else { high = middle }
        }
        let atom = number - pieces[low].firstAtom
        return pieces[low].molecule.atoms.indices.contains(atom) ? (low, atom) : nil
    }

    /// A change of an atom, which is identified by its piece and its index there.
    private typealias Change = (inout CXExtensions, _ piece: Int, _ atom: Int) -> Void

    /// Changes an atom of the text.
    ///
    /// - Returns: `false` if there is no atom with this number.
    private mutating func change(atom number: Int, _ body: Change) -> Bool {
        guard let (piece, atom) = place(ofAtom: number) else { return false }
        body(&self, piece, atom)
        return true
    }

    private mutating func note(_ note: AtomNote, _ piece: Int, _ atom: Int) {
        additions[piece].notes.append(Indexed(atom, note))
    }

    /// Sets the name of an atom from its label: `_R1` is the site of an R-group, `Q_e` a query atom, and `Pol_p` a
    /// name.
    private mutating func setLabel(_ text: Text, _ piece: Int, _ atom: Int) {
        if let number = CXLabel.site(text.bytes) {
            additions[piece].labels.append((atom, "R#"))
            note(.rgroups([number]), piece, atom)
        } else if pieces[piece].molecule.atoms[atom].element != .none {
            note(.alias(text), piece, atom)
        } else if let name = CXLabel.name(text.bytes) {
            additions[piece].labels.append((atom, name))
        }
    }

    private mutating func bonds(ofAtom atom: Int, _ piece: Int) -> ArraySlice<Int> {
        let bonds = additions[piece].bonds ?? BondsOfAtoms(pieces[piece].molecule)
        additions[piece].bonds = bonds
        return bonds.bonds(of: atom)
    }

    private mutating func takeAtoms(_ body: Change) -> Bool {
        repeat {
            guard let atom = number(), change(atom: atom, body) else { return false }
            // The bond of a wedge.
            if take("."), number() == nil { return false }
        } while goesOn(with: ",")
        return true
    }

    private mutating func takeCounts(_ makeNote: (Int) -> AtomNote) -> Bool {
        repeat {
            guard let atom = number(), take(":") else { return false }
            guard let count = take("*") ? -2 : number().map({ $0 == 0 ? -1 : $0 }),
                change(atom: atom, { $0.note(makeNote(count), $1, $2) })
            else { return false }
        } while goesOn(with: ",")
        return true
    }

    /// Parses `x,y,z;x,y,z)`: the coordinates of each atom.
    private mutating func takeCoordinates() -> Bool {
        guard let close = bytes[index..<end].firstIndex(of: UInt8(ascii: ")")) else { return false }
        let places = bytes[index..<close].split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        index = close + 1
        guard places.count == atomCount else { return false }
        var positions: [Position] = []
        for text in places {
            let numbers = text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { part in
                part.isEmpty ? 0 : Double(String(decoding: part, as: UTF8.self)) ?? .nan
            }
            guard 2...3 ~= numbers.count, numbers.allSatisfy(\.isFinite) else { return false }
            positions.append(Position(numbers[0], numbers[1], numbers.count > 2 ? numbers[2] : 0))
        }
        for piece in pieces.indices {
            let first = pieces[piece].firstAtom
            for atom in pieces[piece].molecule.atoms.indices {
                pieces[piece].molecule.atoms[atom].position = positions[first + atom]
            }
            pieces[piece].molecule.flags = pieces[piece].molecule.hasHeights ? .threeDimensional : []
        }
        isPlaced = true
        return true
    }

    /// Parses `text;;text$`: a text for each atom. Characters can be encoded as numbers.
    private mutating func takeTexts(_ body: (inout CXExtensions, _ piece: Int, _ atom: Int, Text) -> Void) -> Bool {
        guard let close = bytes[index..<end].firstIndex(of: UInt8(ascii: "$")) else { return false }
        var atom = 0
        var text: [UInt8] = []
        while index <= close {
            if index == close || bytes[index] == UInt8(ascii: ";") {
                if !text.isEmpty, !change(atom: atom, { body(&$0, $1, $2, Text(bytes: text)) }) { return false }
                text = []
                atom += 1
                index += 1
            } else if take("&#") {
                guard let scalar = number().flatMap({ Unicode.Scalar(UInt32(clamping: $0)) }), take(";") else {
                    return false
                }
                text += Array(Character(scalar).utf8)
            } else {
                text.append(bytes[index])
                index += 1
            }
        }
        return true
    }

    /// Parses `1:0,3`: a kind of radical and its atoms.
    private mutating func takeRadicals() -> Bool {
        let radicals: [Radical] = [
            .doublet, .unpaired(2), .singlet, .triplet, .unpaired(3), .unpaired(3), .unpaired(3),
        ]
        guard let kind = number(), radicals.indices.contains(kind - 1), take(":") else { return false }
        let radical = radicals[kind - 1]
        var areThere = true
        let isRead = takeAtoms { extensions, piece, place in
            let atom = extensions.pieces[piece].molecule.atoms[place]
            // If hydrogens fill up the valences of an atom, it has no unpaired electrons.
            let isThere =
                atom.radical.unpairedElectrons == radical.unpairedElectrons
                || !SMILESValence.showsRadicals(atom.element)
            if isThere { extensions.pieces[piece].molecule.atoms[place].radical = radical }
            areThere = areThere && isThere
        }
        return isRead && areThere
    }

    /// Parses `1:2,4`: the number and atoms of a stereo group. The absolute group has no number.
    private mutating func takeStereoGroup(_ kind: StereoGroup.Kind, _ known: Int? = nil) -> Bool {
        if known == nil, index < end, !isNumber(bytes[index]) { return false }
        guard let number = known ?? number(), known != nil || take(":"), let atoms = numbers(between: ",") else {
            return false
        }
        var members: [Int: [Int32]] = [:]
        for atom in atoms {
            guard let (piece, place) = place(ofAtom: atom) else { return false }
            members[piece, default: []].append(Int32(truncatingIfNeeded: place))
        }
        for (piece, atoms) in members {
            pieces[piece].molecule.extras.contents.stereoGroups.append(StereoGroup(kind, number: number, atoms: atoms))
        }
        return true
    }

    /// Parses `4:1.3.2.5`: an atom, its minimum and maximum number of repeats, and its neighbors along the chain.
    private mutating func takeLinkNodes() -> Bool {
        repeat {
            guard let atom = number(), take(":"), let numbers = numbers(between: "."), numbers.count >= 2,
                let (piece, place) = place(ofAtom: atom)
            else { return false }
            var neighbors: [Int32] = []
            for number in numbers.dropFirst(2) {
                guard let there = self.place(ofAtom: number), there.piece == piece else { return false }
                neighbors.append(Int32(truncatingIfNeeded: there.atom))
            }
            if neighbors.isEmpty {
                let partners = bonds(ofAtom: place, piece).compactMap {
                    pieces[piece].molecule.bonds[$0].partner(of: place)
                }
                neighbors = partners.map { Int32(truncatingIfNeeded: $0) }
            }
            pieces[piece].molecule.extras.contents.linkNodes.append(
                LinkNode(atom: place, repeats: numbers[0], to: numbers[1], neighbors: neighbors))
        } while goesOn(with: ",")
        return true
    }

    /// Parses `0:1.2.3`: an atom that represents any one of several other atoms.
    private mutating func takeEndpoints() -> Bool {
        repeat {
            guard let atom = number(), take(":"), let ends = numbers(between: "."),
                let (piece, place) = place(ofAtom: atom)
            else { return false }
            let places = ends.compactMap(self.place(ofAtom:)).filter { $0.piece == piece }
            let bonds = bonds(ofAtom: place, piece)
            guard places.count == ends.count, bonds.count == 1, let bond = bonds.first else { return false }
            let atoms = places.map { Int32(truncatingIfNeeded: $0.atom) }
            pieces[piece].molecule.addNote(.endpoints(atoms: atoms, any: true), toBond: bond)
        } while goesOn(with: ",")
        return true
    }

    // MARK: Bonds

    /// Returns the piece of a bond and its index there, given its number in the text. Bonds are numbered in the order
    /// in which they are completed, so a ring bond has the number of its second digit.
    private func place(ofBond number: Int) -> (piece: Int, bond: Int)? {
        guard number < bondCount else { return nil }
        var (low, high) = (0, pieces.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if pieces[middle].firstBond <= number { low = middle } else { high = middle }
        }
        let bond = number - pieces[low].firstBond
        return pieces[low].molecule.bonds.indices.contains(bond) ? (low, bond) : nil
    }

    /// Parses `0.1,2.3`: the first atoms of dative bonds, or ends of hydrogen bonds, and the bonds.
    private mutating func takeKinds(_ order: Bond.Order) -> Bool {
        repeat {
            guard let atom = number(), take("."), let bond = number(), takeKind(order, ofBond: bond, from: atom)
            else { return false }
        } while goesOn(with: ",")
        return true
    }

    private mutating func takeZeroOrders() -> Bool {
        repeat {
            guard let bond = number(), takeKind(.zero, ofBond: bond, from: nil) else { return false }
        } while goesOn(with: ",")
        return true
    }

    /// Records the kind of a bond, or checks it if the SMILES was parsed with it.
    private mutating func takeKind(_ order: Bond.Order, ofBond number: Int, from atom: Int?) -> Bool {
        guard let (piece, place) = place(ofBond: number) else { return false }
        let bond = pieces[piece].molecule.bonds[place]
        let ends = [bond.from, bond.to].map { pieces[piece].firstAtom + Int($0) }
        if let atom, !ends.contains(atom) { return false }
        if areKindsSet { return bond.order == order && (order != .dative || ends[0] == atom) }
        kinds[number] = SMILESBondKind(order: order, atom: atom ?? ends[0])
        return true
    }

    /// Parses `1,4`: double bonds that are cis, trans or explicitly unknown. The geometry refers to the first neighbor
    /// in the text at each end.
    private mutating func takeGeometries(_ isTrans: Bool?) -> Bool {
        repeat {
            guard let number = number(), let (piece, place) = place(ofBond: number),
                pieces[piece].molecule.bonds[place].order == .double
            else { return false }
            guard let isTrans else {
                pieces[piece].molecule.bonds[place].mark = .either
                continue
            }
            let bond = pieces[piece].molecule.bonds[place]
            guard let one = firstNeighbor(of: bond.from, besides: bond.to, piece),
                let other = firstNeighbor(of: bond.to, besides: bond.from, piece)
            else { return false }
            let known = pieces[piece].molecule.notes(onBond: place).lazy.compactMap(\.geometry).first
            guard let known else {
                let geometry = BondNote.Geometry(Int(one), Int(other), isTrans: isTrans)
                if !haveGeometry.insert(number).inserted { return false }
                additions[piece].bondNotes.append(Indexed(place, .geometry(geometry)))
                continue
            }
            let firsts = [one, other]
            let areOthers = !firsts.contains(known.one) != !firsts.contains(known.other)
            if known.isTrans != (isTrans != areOthers) { return false }
        } while goesOn(with: ",")
        return true
    }

    /// Returns the first neighbor of an end of a double bond in the text, except the other end. Returns `nil` if the
    /// atom has so many bonds that it has no geometry.
    private mutating func firstNeighbor(of atom: Int32, besides partner: Int32, _ piece: Int) -> Int32? {
        let bonds = bonds(ofAtom: Int(atom), piece)
        guard bonds.count <= 3 else { return nil }
        let neighbors = bonds.lazy.compactMap { [pieces] in pieces[piece].molecule.bonds[$0].partner(of: Int(atom)) }
        return neighbors.map { Int32(truncatingIfNeeded: $0) }.filter { $0 != partner }.min()
    }

    // MARK: Sgroups

    /// Parses the atoms of an Sgroup, which must all be in the same piece.
    private mutating func takeMembers() -> (piece: Int, atoms: [Int32])? {
        guard let members = numbers(between: ","), take(":") else { return nil }
        let places = members.compactMap(place(ofAtom:))
        guard places.count == members.count, let piece = places.first?.piece, places.allSatisfy({ $0.piece == piece })
        else { return nil }
        return (piece, places.map { Int32(truncatingIfNeeded: $0.atom) })
    }

    /// Parses text up to a colon or comma, which is not consumed.
    private mutating func takeField() -> Text {
        var text: [UInt8] = []
        while index < end, bytes[index] != UInt8(ascii: ":"), bytes[index] != UInt8(ascii: ",") {
            let before = index
            if take("&#"), let scalar = number().flatMap({ Unicode.Scalar(UInt32(clamping: $0)) }), take(";") {
                text += Array(Character(scalar).utf8)
            } else {
                index = before
                text.append(bytes[index])
                index += 1
            }
        }
        return Text(bytes: text)
    }

    private mutating func add(_ sgroup: Sgroup, _ piece: Int) {
        sgroups.append((piece, pieces[piece].molecule.extras.contents.sgroups.count))
        pieces[piece].molecule.extras.contents.sgroups.append(sgroup)
    }

    /// Parses `0,1:name:data:operator:units:tag:(position)`
    private mutating func takeData() -> Bool {
        guard let (piece, atoms) = takeMembers() else { return false }
        var fields: [Text] = []
        repeat { fields.append(takeField()) } while fields.count < 5 && take(":")
        if take(":"), take("(") {
            guard let close = bytes[index..<end].firstIndex(of: UInt8(ascii: ")")) else { return false }
            index = close + 1
        }
        while fields.count < 5 { fields.append(Text()) }
        var sgroup = Sgroup(.data)
        sgroup.atoms = atoms
        var data = Sgroup.Data()
        data.fieldName = fields[0]
        let lines = fields[1].bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if !fields[1].isEmpty { data.values = lines.map { Text(bytes: $0) } }
        (data.queryOperator, data.units) = (fields[2], fields[3])
        sgroup.data = data
        add(sgroup, piece)
        return true
    }

    /// Parses `n:0,1:n:ht:…`: a kind, atoms, a subscript and the connectivity. Lists of crossing bonds can follow.
    private mutating func takeSgroup() -> Bool {
        guard var sgroup = CXSgroup.sgroup(takeField()), take(":"), let (piece, atoms) = takeMembers() else {
            return false
        }
        sgroup.atoms = atoms
        let label = takeField()
        if sgroup.kind == .component, let number = Int32(label.string), number > 0 {
            sgroup.componentNumber = number
        } else {
            sgroup.label = label
        }
        if take(":") { sgroup.connectivity = CXSgroup.connectivities[takeField()] ?? "" }
        passOverBonds()
        let bonds = additions[piece].bonds ?? BondsOfAtoms(pieces[piece].molecule)
        additions[piece].bonds = bonds
        sgroup.bonds = bonds.bonds(leaving: Set(atoms)).map { Int32(truncatingIfNeeded: $0) }
        add(sgroup, piece)
        return true
    }

    /// Skips the lists of an Sgroup's bonds, and the positions of its brackets.
    private mutating func passOverBonds() {
        while index < end {
            switch bytes[index] {
            case UInt8(ascii: ":"): index += 1
            case let byte where isNumber(byte): index += 1
            case UInt8(ascii: ","):
                guard index + 1 < end, bytes[index + 1] == UInt8(ascii: ":") || isNumber(bytes[index + 1]) else {
                    return
                }
                index += 1
            case UInt8(ascii: "("):
                guard let close = bytes[index..<end].firstIndex(of: UInt8(ascii: ")")) else { return }
                index = close + 1
            default: return
            }
        }
    }

    /// Parses `0:1.2`: an Sgroup and its nested Sgroups, as numbers in text order.
    private mutating func takeHierarchy() -> Bool {
        repeat {
            guard let parent = number(), take(":"), let children = numbers(between: "."),
                sgroups.indices.contains(parent)
            else { return false }
            let holder = sgroups[parent]
            for child in children {
                guard sgroups.indices.contains(child), child != parent, sgroups[child].piece == holder.piece else {
                    return false
                }
                let place = sgroups[child].place
                pieces[holder.piece].molecule.extras.contents.sgroups[place].parent = Int32(clamping: holder.place)
            }
        } while goesOn(with: ",")
        return true
    }

    // MARK: Fragments

    /// Parses `0.2,1.3`: pieces that belong to the same component.
    private mutating func takeFragments(_ fragments: inout [[Int]]) -> Bool {
        repeat {
            guard let group = numbers(between: "."), group.allSatisfy(pieces.indices.contains) else { return false }
            fragments.append(group)
        } while goesOn(with: ",")
        return true
    }

    private mutating func join(_ fragments: [[Int]]) {
        var isTaken = Set<Int>()
        for group in fragments {
            guard let first = group.first else { continue }
            let members = group.filter { pieces[$0].role == pieces[first].role && isTaken.insert($0).inserted }
            guard let place = members.first else { continue }
            // Join pairs of molecules, which moves each atom only a few times.
            var molecules = members.map { pieces[$0].molecule }
            while molecules.count > 1 {
                molecules = stride(from: 0, to: molecules.count, by: 2).map { place in
                    var joined = molecules[place]
                    if place + 1 < molecules.count { joined.append(molecules[place + 1]) }
                    return joined
                }
            }
            for member in members { pieces[member].molecule.removeAll() }
            pieces[place].molecule = molecules[0]
        }
        if !isTaken.isEmpty { pieces.removeAll { $0.molecule.atoms.isEmpty } }
    }
}

/// The notes and labels that extensions add to the atoms of a piece.
private struct Additions {
    var notes: [Indexed<AtomNote>] = []
    var bondNotes: [Indexed<BondNote>] = []
    var labels: [(atom: Int, text: Text)] = []
    var bonds: BondsOfAtoms?

    /// Adds the notes and labels to a molecule.
    func add(to molecule: inout Molecule) {
        if !notes.isEmpty {
            for tagged in notes { molecule.atoms[Int(tagged.index)].marks.insert(.hasNotes) }
            molecule.extras.contents.atomNotes.insert(contentsOf: notes)
        }
        if !bondNotes.isEmpty {
            for tagged in bondNotes { molecule.bonds[Int(tagged.index)].traits.insert(.hasNotes) }
            molecule.extras.contents.bondNotes.insert(contentsOf: bondNotes)
        }
        var places: [Text: Int32] = [:]
        for (atom, text) in labels {
            if places[text] == nil {
                places[text] = Int32(clamping: molecule.labels.count)
                molecule.labels.append(text)
            }
            molecule.atoms[atom].label = places[text] ?? Atom.noLabel
        }
    }
}
