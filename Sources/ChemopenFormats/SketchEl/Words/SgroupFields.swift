import ChemopenBytes
import ChemopenModel

/// Sgroups as fields of their atoms: `yMDL_SGROUP_DATA:1,NAME,value,UNITS,` and the like.
///
/// Every atom of the group has the same field: the group's number, its label or data, then what else there is of it as
/// `key=value`. Polymers also get `xPOLYMER` fields, by which SketchEl knows them itself.
enum SgroupFields {
    static func fields(of sgroup: Sgroup, number: Int, losses: inout [Loss]) -> [(Int, AtomNote)] {
        if sgroup.atoms.isEmpty {
            losses.note(.sgroups, sgroup.kind.code)
            return []
        }
        let text = text(of: sgroup, number: number)
        return sgroup.atoms.map { (Int($0), .transientField(text)) }
    }

    /// The field that each atom of a group has.
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
            let value = Text(bytes: Array(data.values.map(\.bytes).joined(separator: [0x0A])))
            return ("yMDL_SGROUP_DATA", [number, data.fieldName, value, data.units, data.queryOperator])
        default: return (Text("yMDL_SGROUP_" + sgroup.kind.code.string), [number, sgroup.label])
        }
    }

    private static func details(of sgroup: Sgroup, number: Int) -> [Text] {
        var details: [Text] = []
        func add(_ key: StaticString, _ value: Text) {
            if value.isEmpty { return }
            var detail: [UInt8] = []
            detail.append(key)
            detail.append(Ascii.equals)
            detail.append(copying: value.bytes.span)
            details.append(Text(bytes: detail))
        }
        func add(_ key: StaticString, _ values: [Int32]) {
            var numbers: [UInt8] = []
            for value in values {
                if !numbers.isEmpty { numbers.append(Ascii.blank) }
                numbers.appendDecimal(Int(value &+ 1))
            }
            add(key, Text(bytes: numbers))
        }
        add("bonds", sgroup.bonds)
        add("templateClass", sgroup.templateClass)
        add(
            "attachPoints",
            Text(
                sgroup.attachments.map { "\($0.atom + 1) \(($0.leaving ?? -1) + 1) \($0.identifier.string)" }
                    .joined(separator: " ")))
        if sgroup.number != Int32(clamping: number) { add("number", Text("\(sgroup.number)")) }
        if sgroup.identifier != 0 { add("identifier", Text("\(sgroup.identifier)")) }
        add("contained", sgroup.containedBonds)
        add("head", sgroup.headBonds)
        add("correspondence", sgroup.bondCorrespondence)
        add("parentAtoms", sgroup.parentAtoms)
        add("subtype", sgroup.subtype)
        if sgroup.kind == .data { add("label", sgroup.label) }
        add("connect", sgroup.connectivity)
        if let parent = sgroup.parent { add("parent", [parent]) }
        if sgroup.componentNumber != 0 { add("component", Text("\(sgroup.componentNumber)")) }
        if sgroup.isExpanded { add("expanded", "yes") }
        for bracket in sgroup.brackets { add("bracket", Text(spelling(bracket.start) + " " + spelling(bracket.end))) }
        if let style = sgroup.bracketStyle { add("bracketStyle", style == .round ? "round" : "square") }
        for vector in sgroup.bondVectors {
            add("vector", Text("\(vector.bond + 1)" + (vector.vector.map { " " + spelling($0) } ?? "")))
        }
        if let data = sgroup.data {
            add("fieldType", data.fieldType)
            add("queryType", data.queryType)
            add("display", data.display)
        }
        for keyword in sgroup.keywords {
            details.append(Text(bytes: keyword.name.bytes + [Ascii.equals] + keyword.value.bytes))
        }
        return details
    }

    private static func spelling(_ position: Position) -> String {
        "\(position.x) \(position.y) \(position.z)"
    }

    // MARK: Reading

    private static let prefix: StaticString = "yMDL_SGROUP_"

    /// The number of the group that a field of its atoms stands for, where it is spelled as ours are.
    static func number(of text: Text) -> Int? {
        guard text.begins(prefix) else { return nil }
        let bytes = text.bytes.span
        let code = prefix.utf8CodeUnitCount
        guard let colon = firstIndex(of: 0x3A, in: bytes, from: code, to: bytes.count) else { return nil }
        let end = firstIndex(of: Ascii.comma, in: bytes, from: colon, to: bytes.count) ?? bytes.count
        return Numeral.whole(bytes, colon + 1..<end)
    }

    /// The group that a field of its atoms stands for, and its number; nothing where it stands for none.
    static func sgroup(of text: Text) -> (number: Int, Sgroup)? {
        guard text.begins(prefix) else { return nil }
        let code = text.bytes.dropFirst(prefix.utf8CodeUnitCount).prefix { $0 != UInt8(ascii: ":") }
        guard let values = ForeignFields.values(of: text, tagLength: code.endIndex), let first = values.first,
            let number = Numeral.whole(first.bytes.span, 0..<first.bytes.count), number > 0
        else { return nil }
        var sgroup: Sgroup
        var rest = values.dropFirst()
        switch Text(bytes: code).string {
        case "MULTIATTACH": sgroup = Sgroup(.abbreviation)
        case "MULTIREPEAT": sgroup = Sgroup(.multiple)
        case "DATA": sgroup = Sgroup(.data)
        case _ where !code.isEmpty: sgroup = Sgroup(Sgroup.Kind(Text(bytes: code)))
        default: return nil
        }
        sgroup.number = Int32(clamping: number)
        if sgroup.kind == .data {
            guard rest.count >= 3 else { return nil }
            var data = Sgroup.Data()
            let head = Array(rest.prefix(4))
            data.fieldName = head[0]
            if !head[1].isEmpty {
                data.values = head[1].bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map {
                    Text(bytes: Array($0))
                }
            }
            data.units = head[2]
            data.queryOperator = head.count > 3 ? head[3] : ""
            sgroup.data = data
            rest = rest.dropFirst(4)
        } else {
            sgroup.label = rest.first ?? ""
            rest = rest.dropFirst()
        }
        for detail in rest where !detail.isEmpty { set(detail, in: &sgroup) }
        return (number, sgroup)
    }

    private static func set(_ detail: Text, in sgroup: inout Sgroup) {
        guard let equals = detail.bytes.firstIndex(of: Ascii.equals) else { return }
        let key = Text(bytes: detail.bytes[..<equals])
        let value = Text(bytes: detail.bytes[(equals + 1)...])
        func words() -> [Text] { value.bytes.span.words(0..<value.bytes.count).map { Text(bytes: value.bytes[$0]) } }
        func number(_ text: Text) -> Int32? {
            Numeral.whole(text.bytes.span, 0..<text.bytes.count).flatMap { Int32(exactly: $0) }
        }
        func numbers() -> [Int32] { words().compactMap(number).map { $0 &- 1 } }
        func lengths() -> [Double] { words().compactMap { Numeral.decimal($0.bytes.span, 0..<$0.bytes.count) } }
        switch key.string {
        case "bonds": sgroup.bonds = numbers()
        case "templateClass": sgroup.templateClass = value
        case "attachPoints":
            // An identifier may be empty.
            let words = value.bytes.split(separator: Ascii.blank, omittingEmptySubsequences: false).map {
                Text(bytes: $0)
            }
            for place in stride(from: 0, to: words.count - 2, by: 3) {
                guard let atom = number(words[place]), let leaving = number(words[place + 1]) else { continue }
                sgroup.attachments.append(
                    .init(
                        atom: Int(atom) - 1, leaving: leaving > 0 ? Int(leaving) - 1 : nil,
                        identifier: words[place + 2]))
            }
        case "number": sgroup.number = number(value) ?? 0
        case "identifier": sgroup.identifier = number(value) ?? 0
        case "contained": sgroup.containedBonds = numbers()
        case "head": sgroup.headBonds = numbers()
        case "correspondence": sgroup.bondCorrespondence = numbers()
        case "parentAtoms": sgroup.parentAtoms = numbers()
        case "subtype": sgroup.subtype = value
        case "label": sgroup.label = value
        case "connect": sgroup.connectivity = value
        case "parent": sgroup.parent = numbers().first
        case "component": sgroup.componentNumber = number(value) ?? 0
        case "expanded": sgroup.isExpanded = true
        case "bracket":
            let lengths = lengths()
            if lengths.count == 6 {
                let start = Position(lengths[0], lengths[1], lengths[2])
                sgroup.brackets.append(.init(from: start, to: Position(lengths[3], lengths[4], lengths[5])))
            } else {
                sgroup.keywords.append(.init(key, value))
            }
        case "bracketStyle": sgroup.bracketStyle = value == "round" ? .round : .square
        case "vector":
            guard let bond = numbers().first else { return }
            let lengths = lengths()
            sgroup.bondVectors.append(
                .init(
                    bond: Int(bond),
                    vector: lengths.count == 4 ? Position(lengths[1], lengths[2], lengths[3]) : nil))
        case "fieldType": sgroup.data?.fieldType = value
        case "queryType": sgroup.data?.queryType = value
        case "display": sgroup.data?.display = value
        default: sgroup.keywords.append(.init(key, value))
        }
    }
}

/// The groups that a molecule's fields stand for, gathered from its atoms: those of a group have the same field, and
/// mostly stand side by side.
///
/// A group of which the writer would say something else, or that names atoms, bonds or groups that are not there, is
/// none, and its fields stay.
struct SgroupGathering {
    private struct Group {
        let number: Int
        let field: Text
        var sgroup: Sgroup
        var isSound: Bool
    }

    /// In the order of their numbers.
    private(set) var sgroups: [Sgroup] = []
    private var fields: Set<Text> = []

    init(_ notes: [Tagged<AtomNote>], of molecule: Molecule) {
        var groups = Self.groups(notes).filter(\.isSound).sorted { $0.number < $1.number }
        if groups.isEmpty { return }
        var sound = Self.sound(groups, of: molecule)
        if sound.contains(nil) {
            // Groups within those that go have to go too; more than that is not looked at.
            groups = zip(groups, sound).filter { $0.1 != nil }.map(\.0)
            sound = Self.sound(groups, of: molecule)
            if sound.contains(nil) { return }
        }
        sgroups = sound.compactMap(\.self)
        fields = Set(groups.map(\.field))
    }

    /// Whether a field makes its atom one of the groups.
    func contains(_ field: Text) -> Bool { fields.contains(field) }

    private static func groups(_ notes: [Tagged<AtomNote>]) -> [Group] {
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
            } else if let (number, stated) = SgroupFields.sgroup(of: field) {
                var sgroup = stated
                let isSound = SgroupFields.text(of: sgroup, number: number) == field
                sgroup.atoms = [tagged.index]
                places[number] = groups.count
                groups.append(Group(number: number, field: field, sgroup: sgroup, isSound: isSound))
            }
        }
        return groups
    }

    /// The groups with their parents' places, `nil` for those that name something that is not there.
    ///
    /// A field names a parent by its number; a group without atoms has no field, so that numbers may be missing.
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
