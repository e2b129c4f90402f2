import ChemopenBytes
import ChemopenModel

/// A property of an entire molecule without a line of its own in SketchEl files. It is stored as a field of the first
/// atom, such as `yMDL_CHIRAL` or `yMDL_LINK:3,1,4,2`.
///
/// The values have only one valid form. A field with another form, or with a reference to a missing object, is
/// preserved as a field.
struct MoleculeTerm: Sendable {
    let tag: StaticString
    let feature: Feature
    /// The function that returns the values of each field for the property.
    let fields: @Sendable (Molecule, (Molecule) -> Text) -> [[Text]]
    /// The function that sets the property from a field's values. It returns `false` if they are invalid.
    let take: @Sendable ([Text], inout Molecule, Reading) -> Bool

    /// A function that returns the text of a molecule inside another one, and records the content that it cannot
    /// represent.
    typealias Spelling = (Molecule, inout [Loss]) -> Text
    /// A function that reads such a text, or returns `nil` if it is not a valid molecule.
    typealias Reading = (Text) -> Molecule?
}

extension MoleculeTerm {
    static let all = ofMolecules + ofExtras

    /// Properties that any molecule can have.
    private static let ofMolecules: [MoleculeTerm] = [
        MoleculeTerm(tag: "yMDL_CHIRAL", feature: .chiralFlag) { molecule, _ in
            molecule.flags.contains(.chiral) ? [[]] : []
        } take: { values, molecule, _ in
            molecule.flags.insert(.chiral)
            return values.isEmpty
        },
        MoleculeTerm(tag: "yMDL_COMMENT", feature: .comments) { molecule, _ in
            molecule.comment.isEmpty ? [] : [[molecule.comment]]
        } take: { values, molecule, _ in
            guard values.count == 1, molecule.comment.isEmpty else { return false }
            molecule.comment = values[0]
            return true
        },
    ]

    /// Properties that are stored in the extras.
    private static let ofExtras: [MoleculeTerm] = [
        MoleculeTerm(tag: "yMDL_TABLE", feature: .names) { molecule, _ in
            molecule.extras.contents.tableName.isEmpty ? [] : [[molecule.extras.contents.tableName]]
        } take: { values, molecule, _ in
            guard values.count == 1, molecule.extras.contents.tableName.isEmpty else { return false }
            molecule.extras.contents.tableName = values[0]
            return true
        },
        MoleculeTerm(tag: "yMDL_KEYWORD", feature: .unknown) { molecule, _ in
            molecule.extras.contents.keywords.map { [$0.name, $0.value] }
        } take: { values, molecule, _ in
            guard values.count == 2 else { return false }
            molecule.extras.contents.keywords.append(.init(values[0], values[1]))
            return true
        },
        MoleculeTerm(tag: "yMDL_LINE", feature: .unknown) { molecule, _ in
            molecule.extras.contents.verbatim.compactMap { verbatim in
                dialects.first { $0.dialect == verbatim.dialect }.map { [$0.name, verbatim.text] }
            }
        } take: { values, molecule, _ in
            guard values.count == 2, let dialect = dialects.first(where: { $0.name == values[0] })?.dialect else {
                return false
            }
            molecule.extras.contents.verbatim.append(Verbatim(dialect, values[1]))
            return true
        },
        MoleculeTerm(tag: "yMDL_STEREO", feature: .stereoGroups) { molecule, _ in
            molecule.extras.contents.stereoGroups.filter { $0.kind == .absolute || !$0.bonds.isEmpty }.map { group in
                let kind = stereoKinds.first { $0.kind == group.kind }?.name ?? ""
                return [kind, Text("\(group.number)"), numbers(group.atoms), numbers(group.bonds)]
            }
        } take: { values, molecule, _ in
            guard values.count == 4, let kind = stereoKinds.first(where: { $0.name == values[0] })?.kind,
                let groupNumber = number(values[1]), let atoms = indices(values[2], below: molecule.atoms.count),
                let bonds = indices(values[3], below: molecule.bonds.count)
            else { return false }
            let group = StereoGroup(kind, number: groupNumber, atoms: atoms, bonds: bonds)
            // Absolute centers are first, as in most files.
            let place = kind == .absolute ? 0 : molecule.extras.contents.stereoGroups.count
            molecule.extras.contents.stereoGroups.insert(group, at: place)
            return true
        },
        MoleculeTerm(tag: "yMDL_COLLECTION", feature: .collections) { molecule, _ in
            molecule.extras.contents.collections.map { collection in
                let places = [collection.atoms, collection.bonds, collection.sgroups].map(numbers)
                return [collection.name, collection.isDefault ? "default" : ""] + places
                    + collection.keywords.flatMap { [$0.name, $0.value] }
            }
        } take: { values, molecule, _ in
            guard values.count >= 5, values.count % 2 == 1, values[1].isEmpty || values[1] == "default",
                let atoms = indices(values[2], below: molecule.atoms.count),
                let bonds = indices(values[3], below: molecule.bonds.count),
                let sgroups = indices(values[4], below: molecule.extras.contents.sgroups.count)
            else { return false }
            var collection = AtomCollection(values[0])
            collection.isDefault = !values[1].isEmpty
            (collection.atoms, collection.bonds, collection.sgroups) = (atoms, bonds, sgroups)
            collection.keywords = keywords(values.dropFirst(5))
            molecule.extras.contents.collections.append(collection)
            return true
        },
        MoleculeTerm(tag: "yMDL_LINK", feature: .linkNodes) { molecule, _ in
            molecule.extras.contents.linkNodes.map { node in
                [Text("\(node.atom &+ 1)"), Text("\(node.minimum)"), Text("\(node.maximum)"), numbers(node.neighbors)]
            }
        } take: { values, molecule, _ in
            guard values.count == 4, let atom = indices(values[0], below: molecule.atoms.count), atom.count == 1,
                let minimum = number(values[1]), let maximum = number(values[2]),
                let neighbors = indices(values[3], below: molecule.atoms.count)
            else { return false }
            molecule.extras.contents.linkNodes.append(
                LinkNode(atom: Int(atom[0]), repeats: minimum, to: maximum, neighbors: neighbors))
            return true
        },
        MoleculeTerm(tag: "yMDL_RGROUP", feature: .rgroups) { molecule, spell in
            molecule.extras.contents.rgroups.map { group in
                let logic: [Text] =
                    group.logic.map { ["if", Text("\($0.requires)"), $0.restIsHydrogen ? "rest" : "", $0.occurrence] }
                    ?? [""]
                return [Text("\(group.number)")] + logic + group.members.map { spell($0) }
            }
        } take: { values, molecule, piece in
            guard values.count >= 2, let groupNumber = number(values[0]) else { return false }
            var group = RGroup(groupNumber)
            var rest = values.dropFirst(2)
            if values[1] == "if" {
                guard values.count >= 5, let requires = number(values[2]), values[3].isEmpty || values[3] == "rest"
                else { return false }
                var logic = RGroup.Logic()
                logic.requires = Int32(clamping: requires)
                logic.restIsHydrogen = !values[3].isEmpty
                logic.occurrence = values[4]
                group.logic = logic
                rest = rest.dropFirst(3)
            } else if !values[1].isEmpty {
                return false
            }
            for text in rest {
                guard let member = piece(text) else { return false }
                group.members.append(member)
            }
            molecule.extras.contents.rgroups.append(group)
            return true
        },
        MoleculeTerm(tag: "yMDL_TEMPLATE", feature: .templates) { molecule, spell in
            molecule.extras.contents.templates.map { template in
                [template.name, spell(template.molecule)]
                    + template.keywords.flatMap { [$0.name, $0.value] }
            }
        } take: { values, molecule, piece in
            guard values.count >= 2, values.count % 2 == 0, let residue = piece(values[1]) else {
                return false
            }
            var template = Template(values[0], residue)
            template.keywords = keywords(values.dropFirst(2))
            molecule.extras.contents.templates.append(template)
            return true
        },
    ]

    private static let dialects: [(dialect: Verbatim.Dialect, name: Text)] = [
        (.v2000, "V2000"), (.v3000, "V3000"), (.v2000Text, "TEXT"),
    ]
    private static let stereoKinds: [(kind: StereoGroup.Kind, name: Text)] = [
        (.absolute, "ABS"), (.racemic, "RAC"), (.relative, "REL"),
    ]

    // MARK: All properties

    /// Returns the fields of the first atom for all properties of a molecule.
    static func fields(of molecule: Molecule, _ losses: inout [Loss], _ spell: Spelling) -> [Text] {
        var inner: [Loss] = []
        defer { losses.note(inner) }
        if molecule.atoms.isEmpty {
            for term in all {
                losses.note(term.feature, count: term.fields(molecule) { spell($0, &inner) }.count)
            }
            return []
        }
        if !isSaid(by: molecule) { return [] }
        return (molecule.extras.isEmpty ? ofMolecules : all).flatMap { term in
            term.fields(molecule) { spell($0, &inner) }.map { ForeignFields.text(Text("\(term.tag)"), $0) }
        }
    }

    /// Whether a molecule has at least one of these properties.
    static func isSaid(by molecule: borrowing Molecule) -> Bool {
        if molecule.flags.contains(.chiral) || !molecule.heading.lines.comment.isEmpty { return true }
        if molecule.extras.isEmpty { return false }
        let contents = molecule.extras.contents
        return !contents.tableName.isEmpty || !contents.keywords.isEmpty || !contents.collections.isEmpty
            || !contents.linkNodes.isEmpty || !contents.rgroups.isEmpty || !contents.templates.isEmpty
            || !contents.stereoGroups.isEmpty || contents.verbatim.contains { $0.dialect != .sketchEl }
    }

    /// Sets the property for a field of the first atom. Returns `false` for any other field.
    static func take(_ field: Text, into molecule: inout Molecule, _ piece: Reading) -> Bool {
        guard field.begins("yMDL_") else { return false }
        let tagLength = field.bytes.firstIndex(of: UInt8(ascii: ":")) ?? field.bytes.count
        for place in all.indices where all[place].tag.utf8CodeUnitCount == tagLength {
            if let values = ForeignFields.values(of: field, tag: all[place].tag) {
                return all[place].take(values, &molecule, piece)
            }
        }
        return false
    }

    // MARK: Values

    private static func number(_ text: Text) -> Int? {
        guard let number = Int32(text.string), Text("\(number)") == text else { return nil }
        return Int(number)
    }

    /// Returns indices as numbers from 1, separated by blanks.
    private static func numbers(_ indices: [Int32]) -> Text {
        var bytes: [UInt8] = []
        for index in indices {
            if !bytes.isEmpty { bytes.append(Ascii.blank) }
            bytes.appendDecimal(Int(index) + 1)
        }
        return Text(bytes: bytes)
    }

    private static func indices(_ text: Text, below count: Int) -> [Int32]? {
        var indices: [Int32] = []
        if text.isEmpty { return indices }
        for word in text.bytes.split(separator: Ascii.blank, omittingEmptySubsequences: false) {
            guard let number = number(Text(bytes: word)), 1...max(1, count) ~= number, count > 0 else { return nil }
            indices.append(Int32(clamping: number - 1))
        }
        return indices
    }

    private static func keywords(_ values: ArraySlice<Text>) -> [Sgroup.Keyword] {
        stride(from: values.startIndex, to: values.endIndex - 1, by: 2).map { .init(values[$0], values[$0 + 1]) }
    }
}
