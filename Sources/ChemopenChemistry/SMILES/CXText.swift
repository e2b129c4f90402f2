import ChemopenModel

/// The CX extensions for molecule features that SMILES does not support; the inverse of `CXExtensions`.
///
/// They can contain names and values of atoms, R-group sites, radicals, kinds and geometries of bonds, stereo groups,
/// link nodes, bonds to any of several atoms, neighbor queries, attached data and polymers.
public struct CXText: Sendable {
    /// A molecule feature that neither SMILES nor the extensions can represent.
    public struct UnrepresentableFeature: Sendable, Hashable {
        /// The feature.
        public let feature: Feature
        /// Details for a report.
        public let words: String
    }

    /// The unsupported features, with one entry for each occurrence.
    public private(set) var unsaid: [UnrepresentableFeature] = []
    /// Features that are completely represented here, although SMILES does not always support them.
    public private(set) var said = Features()

    private var labels: [Int: [UInt8]] = [:]
    private var values: [Int: [UInt8]] = [:]
    /// The atoms of each kind of radical; the first kind is 1.
    private var radicals: [[Int]] = []
    private var stereo: [StereoList] = []
    private var stereoPlaces: [StereoKey: Int] = [:]
    private var hasCanonicalStereo = false
    private var zeroOrders: [Int] = []
    private var hydrogenBonds: [String] = []
    /// The double bonds whose geometry the directions of single bonds cannot express: cis, trans and unknown.
    private var geometries: [[Int]] = [[], [], []]
    private var links: [String] = []
    private var endpoints: [String] = []
    /// The queries for ring bonds and for neighbors.
    private var counts: [[(place: Int, word: String)]] = [[], []]
    private var unsaturated: [Int] = []
    private var sgroups: [[UInt8]] = []
    private var parents: [(parent: Int, child: Int)] = []
    private var fragments: [String] = []

    private struct StereoKey: Sendable, Hashable {
        let kind: StereoGroup.Kind
        let number: Int32
    }

    private struct StereoList: Sendable {
        var kind: StereoGroup.Kind
        var number: Int32
        var atoms: [Int]
    }

    init() {}

    mutating func removeAll() { self = CXText() }

    /// Adds a bond whose kind has no symbol in SMILES. It can be an end of the bond in the text that is an atom.
    mutating func take(_ order: EdgeOrder, ofBond bond: Int, at atom: Int) {
        switch order {
        case .zero: zeroOrders.append(bond)
        case .hydrogen: hydrogenBonds.append("\(atom).\(bond)")
        default: break
        }
    }

    /// Adds the geometry of a double bond, which refers to the first neighbor in the text at each end.
    ///
    /// - Parameter isTrans: `nil` if the geometry is explicitly unknown.
    mutating func take(geometryOfBond bond: Int, isTrans: Bool?) {
        geometries[isTrans.map { $0 ? 1 : 0 } ?? 2].append(bond)
    }

    /// Records that these parts of a reaction's text are one component.
    mutating func join(_ parts: Range<Int>) {
        fragments.append(parts.map { "\($0)" }.joined(separator: "."))
    }

    // MARK: Molecules

    /// Adds the features of a molecule.
    ///
    /// - Parameters:
    ///   - order: the molecule's atoms in text order.
    ///   - first: the number of its first atom in the text.
    ///   - hidden: atoms with unpaired electrons that do not follow from their bonds and hydrogens.
    ///   - isTogether: whether its parts are adjacent in the text, and not components of a reaction.
    mutating func take(
        _ molecule: borrowing Molecule, order: ArraySlice<Int>, from first: Int, hiding hidden: Set<Int>,
        isTogether: Bool, isCanonical: Bool
    ) {
        var places = [Int](repeating: -1, count: molecule.atoms.count)
        for (offset, atom) in order.enumerated() where atom >= 0 { places[atom] = first + offset }
        takeRadicals(molecule, places, hidden)
        if molecule.extras.isEmpty, molecule.labels.isEmpty { return }
        let contents = molecule.extras.contents
        let isNamed = takeNotes(contents.atomNotes, molecule, places)
        for (atom, place) in places.enumerated() where place >= 0 && !isNamed.contains(atom) {
            let name = Self.label(ofAtom: atom, molecule)
            guard molecule.atoms[atom].element == .none, !name.isEmpty, name != "*" else { continue }
            labels[place] = CXLabel.label(ofName: name)
        }
        for group in contents.stereoGroups { take(group, places, isCanonical) }
        for link in contents.linkNodes { take(link, places, isCanonical) }
        note(.rgroups, "members of R-groups", contents.rgroups.reduce(0) { $0 + $1.members.count })
        if isCanonical {
            links.sort()
        }
        if contents.bondNotes.isEmpty, contents.sgroups.isEmpty { return }
        let bonds = BondsOfAtoms(molecule)
        takeEndpoints(contents.bondNotes, molecule, bonds, places)
        var numbers: [Int?] = []
        for sgroup in contents.sgroups {
            let text = isTogether ? text(of: sgroup, molecule, bonds, places, isCanonical) : nil
            if let text { sgroups.append(text) } else { note(.sgroups, sgroup.kind.code.string) }
            numbers.append(text == nil ? nil : sgroups.count - 1)
        }
        for (index, sgroup) in contents.sgroups.enumerated() {
            guard let parent = sgroup.parent, let child = numbers[index] else { continue }
            if numbers.indices.contains(Int(parent)), let place = numbers[Int(parent)] {
                parents.append((place, child))
            } else {
                note(.sgroups, "nesting of groups")
            }
        }
        if isCanonical, parents.isEmpty { sgroups.sort { $0.lexicographicallyPrecedes($1) } }
    }

    private mutating func note(_ feature: Feature, _ words: String, _ count: Int = 1) {
        for _ in 0..<max(0, count) { unsaid.append(UnrepresentableFeature(feature: feature, words: words)) }
    }

    /// Returns the numbers of atoms in the text, or `nil` if one of the atoms is not in the text.
    private func all(_ atoms: [Int32], _ places: [Int]) -> [Int]? {
        let found = atoms.map { places.indices.contains(Int($0)) ? places[Int($0)] : -1 }
        return found.contains(-1) ? nil : found
    }

    // MARK: Atoms

    /// Adds the notes on atoms.
    ///
    /// - Returns: the atoms that need no other label.
    private mutating func takeNotes(
        _ notes: [Indexed<AtomNote>], _ molecule: borrowing Molecule, _ places: [Int]
    ) -> Set<Int> {
        var isNamed: Set<Int> = []
        var isSaid = true
        var hasQueries = false
        for tagged in notes {
            let atom = Int(tagged.index)
            guard places.indices.contains(atom), places[atom] >= 0 else { continue }
            let place = places[atom]
            let isElement = molecule.atoms[atom].element != .none
            switch tagged.note {
            case .rgroups(let numbers):
                if numbers.count == 1, !isElement, let label = CXLabel.label(ofSite: numbers[0]) {
                    labels[place] = label
                    isNamed.insert(atom)
                } else {
                    note(.rgroups, "")
                }
            case .elementList: isNamed.insert(atom)
            case .alias(let text):
                // For atoms that are not an element, a label is the name.
                let isRead = isElement && labels[place] == nil && !text.isEmpty && CXLabel.site(text.bytes) == nil
                if isRead { labels[place] = text.bytes } else { note(.aliases, text.string) }
            case .value(let text):
                if values[place] == nil, !text.isEmpty {
                    values[place] = text.bytes
                } else {
                    note(.atomValues, text.string)
                }
            case .ringBondCount(let count), .substitutionCount(let count):
                hasQueries = true
                let kind = tagged.note == .ringBondCount(count) ? 0 : 1
                if let word = Self.word(for: count) { counts[kind].append((place, word)) } else { isSaid = false }
            case .unsaturated:
                hasQueries = true
                unsaturated.append(place)
            case .hydrogenQuery, .fixedHydrogens, .query: isSaid = false
            default: break
            }
        }
        if hasQueries, isSaid, !molecule.atoms.contains(where: { $0.marks.contains(.stereoCare) }) {
            said.formUnion(Features(.queryAtoms))
        }
        return isNamed
    }

    /// Returns the name of an atom if it is not its element's symbol; otherwise empty.
    private static func label(ofAtom index: Int, _ molecule: borrowing Molecule) -> Text {
        let label = Int(molecule.atoms[index].label)
        return molecule.labels.indices.contains(label) ? molecule.labels[label] : Text()
    }

    private static func word(for count: Int) -> String? {
        switch count {
        case -2: "*"
        case -1: "0"
        case 1..<1 << 20: "\(count)"
        default: nil
        }
    }

    /// Adds radicals that do not follow from missing hydrogens, and the multiplicity of those with two electrons.
    private mutating func takeRadicals(_ molecule: borrowing Molecule, _ places: [Int], _ hidden: Set<Int>) {
        for (atom, place) in places.enumerated() where place >= 0 {
            let radical = molecule.atoms[atom].radical
            if radical == .none { continue }
            if hidden.contains(atom) {
                note(.radicals, "inconsistent with bonds and hydrogens")
                continue
            }
            let isShown = SMILESValence.showsRadicals(molecule.atoms[atom].element)
            let kind: Int
            switch radical {
            case .singlet: kind = 3
            case .triplet: kind = 4
            case .doublet where !isShown: kind = 1
            case .unpaired(2) where !isShown: kind = 2
            case .unpaired(3) where !isShown: kind = 5
            default: kind = 0
            }
            if kind == 0 {
                if !isShown { note(.radicals, "") }
                continue
            }
            while radicals.count <= kind { radicals.append([]) }
            radicals[kind].append(place)
        }
    }

    // MARK: Groups

    private mutating func take(_ group: StereoGroup, _ places: [Int], _ isCanonical: Bool) {
        if !group.bonds.isEmpty { note(.stereoGroups, "bonds of atropisomers") }
        guard var atoms = all(group.atoms, places), !atoms.isEmpty, group.number >= 0 else {
            if group.bonds.isEmpty { note(.stereoGroups, "") }
            return
        }
        if isCanonical { atoms.sort() }
        let key = StereoKey(kind: group.kind, number: group.number)
        if let known = stereoPlaces[key] {
            stereo[known].atoms += atoms
        } else {
            stereoPlaces[key] = stereo.count
            stereo.append(StereoList(kind: group.kind, number: group.number, atoms: atoms))
        }
        if isCanonical { hasCanonicalStereo = true }
    }

    /// The stereo groups as they are printed. In canonical text, their numbers only distinguish the groups.
    private var printedStereo: [StereoList] {
        if !hasCanonicalStereo { return stereo }
        var lists = stereo
        lists.sort { ($0.kind.letter, $0.atoms.first ?? 0) < ($1.kind.letter, $1.atoms.first ?? 0) }
        for index in lists.indices where lists[index].kind != .absolute {
            lists[index].number = Int32(truncatingIfNeeded: index + 1)
        }
        return lists
    }

    private mutating func take(_ link: LinkNode, _ places: [Int], _ isCanonical: Bool) {
        guard let atom = all([link.atom], places)?.first, var ends = all(link.neighbors, places), ends.count == 2,
            link.minimum >= 0, link.maximum >= link.minimum
        else { return note(.linkNodes, "") }
        if isCanonical { ends.sort() }
        let numbers = ["\(link.minimum)", "\(link.maximum)"] + ends.map { "\($0)" }
        links.append("\(atom):\(numbers.joined(separator: "."))")
    }

    private mutating func takeEndpoints(
        _ notes: [Indexed<BondNote>], _ molecule: borrowing Molecule, _ bonds: BondsOfAtoms, _ places: [Int]
    ) {
        for tagged in notes {
            let bond = Int(tagged.index)
            guard case .endpoints(let atoms, let any) = tagged.note, molecule.bonds.indices.contains(bond) else {
                continue
            }
            let star = [molecule.bonds[bond].from, molecule.bonds[bond].to].first { end in
                molecule.atoms.indices.contains(Int(end)) && molecule.atoms[Int(end)].element == .none
                    && bonds.bonds(of: Int(end)).count == 1
            }
            guard any, let star, let place = all([star], places)?.first, let members = all(atoms, places),
                !members.isEmpty
            else {
                note(.multicenterBonds, "")
                continue
            }
            endpoints.append("\(place):\(members.map { "\($0)" }.joined(separator: "."))")
        }
    }

    // MARK: Sgroups

    private mutating func text(
        of sgroup: Sgroup, _ molecule: borrowing Molecule, _ bonds: BondsOfAtoms, _ places: [Int], _ isCanonical: Bool
    ) -> [UInt8]? {
        let atoms = sgroup.atoms.filter { places.indices.contains(Int($0)) && places[Int($0)] >= 0 }
        if atoms.isEmpty { return nil }
        let numbers = atoms.map { places[Int($0)] }
        let members = (isCanonical ? numbers.sorted() : numbers).map { "\($0)" }.joined(separator: ",")
        if atoms.count < sgroup.atoms.count { note(.sgroups, "hydrogens in a group") }
        if let data = sgroup.data, sgroup.kind == .data {
            if !sgroup.bonds.isEmpty { note(.sgroups, "bonds with attached data") }
            if !data.queryType.isEmpty { note(.sgroups, "query types of data") }
            if !["", "T"].contains(data.fieldType) { note(.sgroups, "types of data") }
            var text = Array("SgD:\(members):".utf8)
            let value = Array(data.values.map(\.bytes).joined(separator: [UInt8(ascii: "\n")]))
            for part in [data.fieldName.bytes, value, data.queryOperator.bytes, data.units.bytes, []] {
                text.append(extensionText: part)
                text.append(UInt8(ascii: ":"))
            }
            return text
        }
        guard let word = CXSgroup.word(for: sgroup) else { return nil }
        if Set(sgroup.bonds) != Set(bonds.bonds(leaving: Set(atoms)).map { Int32(truncatingIfNeeded: $0) }) {
            note(.sgroups, "bonds that cross the brackets")
        }
        var text = Array("Sg:\(word):\(members):".utf8)
        let isNumbered = sgroup.kind == .component && sgroup.label.isEmpty && sgroup.componentNumber > 0
        text.append(extensionText: isNumbered ? Array("\(sgroup.componentNumber)".utf8) : sgroup.label.bytes)
        let connectivity = CXSgroup.connectivities.first { $0.value == sgroup.connectivity }?.key
        if connectivity == nil, !sgroup.connectivity.isEmpty { note(.sgroups, "connectivity") }
        text += Array(":\(connectivity ?? ""):::".utf8)
        return text
    }

    // MARK: Output

    /// Appends the extensions after a space, or appends no text if there are no extensions.
    ///
    /// - Parameter atomCount: the number of atoms in the entire text.
    func append(to bytes: inout [UInt8], atomCount: Int) {
        let start = bytes.count
        func begin(_ word: String) {
            bytes += Array(((bytes.count == start ? " |" : ",") + word).utf8)
        }
        func add(_ word: String, _ parts: [String]) {
            if parts.isEmpty { return }
            begin(word)
            bytes += Array(parts.joined(separator: ",").utf8)
        }
        func add(_ word: String, _ numbers: [Int]) { add(word, numbers.map { "\($0)" }) }
        func add(_ word: String, _ texts: [Int: [UInt8]]) {
            if texts.isEmpty { return }
            begin(word)
            for atom in 0..<atomCount {
                if atom > 0 { bytes.append(UInt8(ascii: ";")) }
                if let text = texts[atom] { bytes.append(extensionText: text) }
            }
            bytes.append(UInt8(ascii: "$"))
        }
        add("$", labels)
        add("$_AV:", values)
        for (kind, atoms) in radicals.enumerated() { add("^\(kind):", atoms.sorted()) }
        for list in printedStereo {
            add(list.kind.letter + (list.kind == .absolute ? "" : "\(list.number)") + ":", list.atoms)
        }
        add("H:", hydrogenBonds)
        add("Z:", zeroOrders.sorted())
        for (word, bonds) in zip(["c:", "t:", "ctu:"], geometries) { add(word, bonds.sorted()) }
        add("LN:", links)
        add("m:", endpoints)
        for (word, list) in zip(["rb:", "s:"], counts) {
            add(word, list.sorted { $0.place < $1.place }.map { "\($0.place):\($0.word)" })
        }
        add("u:", unsaturated.sorted())
        for sgroup in sgroups {
            begin("")
            bytes += sgroup
        }
        var children: [Int: [Int]] = [:]
        for (parent, child) in parents { children[parent, default: []].append(child) }
        for (parent, list) in children.sorted(by: { $0.key < $1.key }) {
            add("SgH:\(parent):", [list.map { "\($0)" }.joined(separator: ".")])
        }
        add("f:", fragments)
        if bytes.count > start { bytes.append(UInt8(ascii: "|")) }
    }
}

extension StereoGroup.Kind {
    fileprivate var letter: String {
        switch self {
        case .absolute: "a"
        case .racemic: "&"
        case .relative: "o"
        }
    }
}

// MARK: Canonical order

extension CXText {
    /// Returns a hash of each atom's extension features, or an empty array if no atom has such features.
    static func marks(of molecule: borrowing Molecule) -> [UInt64] {
        let hasRadicals = molecule.atoms.contains { $0.radical != .none }
        if molecule.extras.isEmpty, molecule.labels.isEmpty, !hasRadicals { return [] }
        var marks = [UInt64](repeating: 0, count: molecule.atoms.count)
        func mark(_ atom: Int, _ kind: UInt64, _ bytes: some Sequence<UInt8>) {
            guard marks.indices.contains(atom) else { return }
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325 &+ kind
            for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            marks[atom] &+= hash ^ hash >> 29
        }
        for index in molecule.atoms.indices where molecule.atoms[index].element == .none {
            mark(index, 1, label(ofAtom: index, molecule).bytes)
        }
        for index in molecule.atoms.indices where molecule.atoms[index].radical != .none {
            let radical = molecule.atoms[index].radical
            mark(index, 13, "\(radical.mdlCode) \(radical == .triplet)".utf8)
        }
        let contents = molecule.extras.contents
        for tagged in contents.atomNotes {
            switch tagged.note {
            case .alias(let text): mark(Int(tagged.index), 2, text.bytes)
            case .value(let text): mark(Int(tagged.index), 3, text.bytes)
            case .rgroups(let numbers): mark(Int(tagged.index), 4, "\(numbers)".utf8)
            case .ringBondCount(let count): mark(Int(tagged.index), 5, "\(count)".utf8)
            case .substitutionCount(let count): mark(Int(tagged.index), 6, "\(count)".utf8)
            case .unsaturated: mark(Int(tagged.index), 7, [])
            default: break
            }
        }
        for group in contents.stereoGroups {
            for atom in group.atoms { mark(Int(atom), 8, "\(group.kind.letter)\(group.atoms.count)".utf8) }
        }
        for link in contents.linkNodes {
            mark(Int(link.atom), 9, "\(link.minimum) \(link.maximum)".utf8)
            for atom in link.neighbors { mark(Int(atom), 10, []) }
        }
        for case .endpoints(let atoms, _) in contents.bondNotes.map(\.note) {
            for atom in atoms { mark(Int(atom), 11, "\(atoms.count)".utf8) }
        }
        for sgroup in contents.sgroups {
            var words = [sgroup.kind.code, sgroup.subtype, sgroup.label, sgroup.connectivity]
            if let data = sgroup.data { words += [data.fieldName, data.units, data.queryOperator] + data.values }
            let bytes = words.flatMap(\.bytes) + "\(sgroup.atoms.count)".utf8
            for atom in sgroup.atoms { mark(Int(atom), 12, bytes) }
        }
        return marks
    }
}
