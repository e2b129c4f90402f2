import ChemopenBytes
import ChemopenModel

/// Sgroups as fields of their atoms, such as `yMDL_SGROUP_DATA:1,NAME,value,UNITS,`.
///
/// Every atom of the group has the same field: the number of the group, its label or data, then its remaining data in
/// the form of JSON Lines. Polymers also get `xPOLYMER` fields, which SketchEl itself recognizes.
enum SgroupFields {
    static func fields(of sgroup: Sgroup, number: Int, losses: inout [Loss]) -> [(Int, AtomNote)] {
        if sgroup.atoms.isEmpty {
            losses.note(.sgroups, sgroup.kind.code)
            return []
        }
        let text = text(of: sgroup, number: number)
        return sgroup.atoms.map { (Int($0), .transientField(text)) }
    }

    /// Returns the field for each atom of a group.
    static func text(of sgroup: Sgroup, number: Int) -> Text {
        let (tag, head) = head(of: sgroup, number: number)
        return ForeignFields.text(tag, head + details(of: sgroup, number: number))
    }

    private static func head(of sgroup: Sgroup, number: Int) -> (tag: Text, [Text]) {
        let number = Text("\(number)")
        switch sgroup.kind {
        case .abbreviation: return ("yMDL_SGROUP_MULTIATTACH", [number, sgroup.label])
        case .multiple: return ("yMDL_SGROUP_MULTIREPEAT", [number, sgroup.label])
        case .data:
            let data = sgroup.data ?? Sgroup.Data()
            return ("yMDL_SGROUP_DATA", [number, data.fieldName, joined(data.values), data.units, data.queryOperator])
        default: return (Text("yMDL_SGROUP_" + sgroup.kind.code.string), [number, sgroup.label])
        }
    }

    // Values are the lines of one text, as in SketchEl's own programs.

    private static func joined(_ values: [Text]) -> Text {
        Text(bytes: Array(values.map(\.bytes).joined(separator: [Ascii.lineFeed])))
    }

    private static func lines(of text: Text) -> [Text] {
        text.bytes.split(separator: Ascii.lineFeed, omittingEmptySubsequences: false).map { Text(bytes: Array($0)) }
    }

    /// Returns the data that the head does not contain, in the form of JSON Lines.
    private static func details(of sgroup: Sgroup, number: Int) -> [Text] {
        var rest = sgroup
        if rest.number == Int32(clamping: number) { rest.number = .min }
        if sgroup.kind != .data { rest.label = "" }
        if sgroup.kind == .data, var data = sgroup.data {
            (data.fieldName, data.units, data.queryOperator) = ("", "", "")
            if lines(of: joined(data.values)) == data.values, data.values != [Text()] { data.values = [] }
            rest.data = data == Sgroup.Data() ? nil : data
        }
        return Remainder.text(of: rest, form).map { [$0] } ?? []
    }

    /// The head contains the kind, and usually the number.
    private static let form = JSONForm<Sgroup>(
        [
            JSONTerm(
                "number", get: { $0.number == .min ? nil : Optional($0.number) }, set: { $0.number = $1 ?? 0 })
        ] + Sgroup.form.except(["kind", "number", "atoms"]).terms)

    // MARK: Reading

    private static let prefix: StaticString = "yMDL_SGROUP_"

    /// Returns the number of the group that a field of its atoms represents, if it has the form written by Chemopen.
    static func number(of text: Text) -> Int? {
        guard text.begins(prefix) else { return nil }
        let bytes = text.bytes.span
        let code = prefix.utf8CodeUnitCount
        guard let colon = firstIndex(of: 0x3A, in: bytes, from: code, to: bytes.count) else { return nil }
        let end = firstIndex(of: Ascii.comma, in: bytes, from: colon, to: bytes.count) ?? bytes.count
        return Numeral.whole(bytes, colon + 1..<end)
    }

    /// Returns the numbers in all fields with this form, even if a field represents no group.
    static func numbers(in notes: [Indexed<AtomNote>]) -> Set<Int> {
        var numbers: Set<Int> = []
        for tagged in notes {
            if case .transientField(let field) = tagged.note, let number = number(of: field) { numbers.insert(number) }
        }
        return numbers
    }

    /// Returns the group that a field of its atoms represents, and its number, or `nil` for any other field.
    static func sgroup(of text: Text) -> (number: Int, Sgroup)? {
        guard text.begins(prefix) else { return nil }
        let code = text.bytes.dropFirst(prefix.utf8CodeUnitCount).prefix { $0 != UInt8(ascii: ":") }
        guard let values = ForeignFields.values(of: text, tagLength: code.endIndex), let first = values.first,
            let number = Numeral.whole(first.bytes.span, 0..<first.bytes.count), number > 0
        else { return nil }
        var sgroup: Sgroup
        let rest = values.dropFirst()
        switch Text(bytes: code).string {
        case "MULTIATTACH": sgroup = Sgroup(.abbreviation)
        case "MULTIREPEAT": sgroup = Sgroup(.multiple)
        case "DATA": sgroup = Sgroup(.data)
        case _ where !code.isEmpty: sgroup = Sgroup(Sgroup.Kind(Text(bytes: code)))
        default: return nil
        }
        sgroup.number = Int32(clamping: number)
        let head = Array(rest.prefix(sgroup.kind == .data ? 4 : 1))
        if sgroup.kind == .data, head.count < 3 { return nil }
        for detail in rest.dropFirst(sgroup.kind == .data ? 4 : 1) where !detail.isEmpty {
            guard Remainder.take(detail, into: &sgroup, form) else { return nil }
        }
        guard sgroup.kind == .data else {
            sgroup.label = head.first ?? ""
            return (number, sgroup)
        }
        var data = sgroup.data ?? Sgroup.Data()
        (data.fieldName, data.units, data.queryOperator) = (head[0], head[2], head.count > 3 ? head[3] : "")
        if !head[1].isEmpty, data.values.isEmpty { data.values = lines(of: head[1]) }
        sgroup.data = data
        return (number, sgroup)
    }
}

/// The groups represented by the fields of a molecule's atoms. All atoms of a group have the same field, and they are
/// usually adjacent.
///
/// A group is rejected, and its fields are preserved, if the writer would produce a different field or if it refers to
/// missing atoms, bonds or groups.
struct SgroupGathering {
    private struct Group {
        let number: Int
        let field: Text
        var sgroup: Sgroup
        var isSound: Bool
    }

    /// The groups in the order of their numbers.
    private(set) var sgroups: [Sgroup] = []
    private var fields: Set<Text> = []

    init(_ notes: [Indexed<AtomNote>], of molecule: Molecule) {
        var groups = Self.groups(notes).filter(\.isSound).sorted { $0.number < $1.number }
        if groups.isEmpty { return }
        var sound = Self.sound(groups, of: molecule)
        if sound.contains(nil) {
            // Groups inside rejected groups must also be rejected. Deeper nesting rejects all groups.
            groups = zip(groups, sound).filter { $0.1 != nil }.map(\.0)
            sound = Self.sound(groups, of: molecule)
            if sound.contains(nil) { return }
        }
        sgroups = sound.compactMap(\.self)
        fields = Set(groups.map(\.field))
    }

    /// Whether a field represents one of the groups.
    func contains(_ field: Text) -> Bool { fields.contains(field) }

    private static func groups(_ notes: [Indexed<AtomNote>]) -> [Group] {
        var groups: [Group] = []
        var places: [Int: Int] = [:]
        for tagged in notes {
            guard case .transientField(let field) = tagged.note else { continue }
            if let last = groups.last, last.field == field {
                groups[groups.count - 1].sgroup.atoms.append(tagged.index)
                continue
            }
            guard let number = SgroupFields.number(of: field) else { continue }
            if let place = places[number] {
                groups[place].sgroup.atoms.append(tagged.index)
                if groups[place].field != field { groups[place].isSound = false }
            } else if let (number, stated) = SgroupFields.sgroup(of: field.inUTF8) {
                var sgroup = stated
                let isSound = SgroupFields.text(of: sgroup, number: number) == field.inUTF8
                sgroup.atoms = [tagged.index]
                places[number] = groups.count
                groups.append(Group(number: number, field: field, sgroup: sgroup, isSound: isSound))
            }
        }
        return groups
    }

    /// Returns the groups with the indices of their parents, or `nil` for a group that refers to a missing object.
    ///
    /// A field refers to a parent by its number. A group without atoms has no field, so there can be gaps between the
    /// numbers.
    private static func sound(_ groups: [Group], of molecule: Molecule) -> [Sgroup?] {
        var places: [Int: Int32] = [:]
        for (place, group) in groups.enumerated() { places[group.number] = Int32(clamping: place) }
        let sgroups = groups.map { group in
            var sgroup = group.sgroup
            sgroup.parent = sgroup.parent.map { places[Int($0) + 1] ?? -1 }
            return sgroup
        }
        return zip(molecule.withoutLooseEnds(sgroups), sgroups).map { $0 == $1 ? $0 : nil }
    }
}
