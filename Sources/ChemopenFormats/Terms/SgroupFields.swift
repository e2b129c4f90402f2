import ChemopenBytes
import ChemopenModel

/// Sgroups as fields of their atoms, such as `yMDL_SGROUP_DATA:1,NAME,value,UNITS,`.
///
/// Every atom of the group has the same field. It contains the number of the group, its label or data, and further
/// properties as `key=value`. Polymers also have `xPOLYMER` fields, which SketchEl itself supports.
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

    /// Returns the number of lines in each value. The text is empty if each value has one line.
    private static func lineCounts(of values: [Text]) -> Text {
        let counts = values.map { value in value.bytes.count { $0 == Ascii.lineFeed } + 1 }
        if values != [Text()], counts.allSatisfy({ $0 == 1 }) { return Text() }
        return Text(counts.map { "\($0)" }.joined(separator: " "))
    }

    /// Returns the values with these numbers of lines, or one value per line if the total does not match.
    private static func values(of lines: [Text], counts: [Int]) -> [Text] {
        guard counts.allSatisfy({ 1...max(lines.count, 1) ~= $0 }) else { return lines }
        var values: [Text] = []
        var start = 0
        for count in counts {
            guard count <= lines.count - start else { return lines }
            values.append(joined(Array(lines[start..<start + count])))
            start += count
        }
        return start == lines.count ? values : lines
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
        let attachments = sgroup.attachments.map(spelling)
        if sgroup.attachments.contains(where: { $0.identifier.bytes.contains(Ascii.blank) }) {
            for attachment in attachments { add("attachPoint", attachment) }
        } else {
            add("attachPoints", Text(bytes: Array(attachments.map(\.bytes).joined(separator: [Ascii.blank]))))
        }
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
            add("lines", lineCounts(of: data.values))
            add("fieldType", data.fieldType)
            add("queryType", data.queryType)
            add("display", data.display)
        }
        for keyword in sgroup.keywords {
            details.append(Text(bytes: keyword.name.bytes + [Ascii.equals] + keyword.value.bytes))
        }
        return details
    }

    private static func spelling(_ attachment: Sgroup.AttachmentPoint) -> Text {
        let places = "\(attachment.atom &+ 1) \((attachment.leaving ?? -1) &+ 1) "
        return Text(bytes: Array(places.utf8) + attachment.identifier.bytes)
    }

    private static func spelling(_ position: Position) -> String {
        "\(position.x) \(position.y) \(position.z)"
    }

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
            if !head[1].isEmpty { data.values = lines(of: head[1]) }
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
        func attach(_ atom: Text, _ leaving: Text, _ identifier: Text) {
            guard let atom = number(atom), let leaving = number(leaving) else { return }
            sgroup.attachments.append(
                .init(atom: Int(atom) - 1, leaving: leaving > 0 ? Int(leaving) - 1 : nil, identifier: identifier))
        }
        switch key.string {
        case "bonds": sgroup.bonds = numbers()
        case "templateClass": sgroup.templateClass = value
        case "attachPoints":
            // An identifier can be empty.
            let words = value.bytes.split(separator: Ascii.blank, omittingEmptySubsequences: false).map {
                Text(bytes: $0)
            }
            for place in stride(from: 0, to: words.count - 2, by: 3) {
                attach(words[place], words[place + 1], words[place + 2])
            }
        case "attachPoint":
            let words = value.bytes.split(separator: Ascii.blank, maxSplits: 2, omittingEmptySubsequences: false).map {
                Text(bytes: $0)
            }
            if words.count == 3 { attach(words[0], words[1], words[2]) }
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
        case "lines":
            guard let data = sgroup.data else { return }
            let counts = words().map { Numeral.whole($0.bytes.span, 0..<$0.bytes.count) ?? 0 }
            sgroup.data?.values = values(of: lines(of: joined(data.values)), counts: counts)
        case "fieldType": sgroup.data?.fieldType = value
        case "queryType": sgroup.data?.queryType = value
        case "display": sgroup.data?.display = value
        default: sgroup.keywords.append(.init(key, value))
        }
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
    /// A field refers to a parent by its number. A group without atoms has no field, so numbers can be missing.
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
