import ChemopenModel

/// Converts a drawing to records: first the reactions, then the molecules that are not part of a reaction, in page
/// order.
struct DrawingInterpreter {
    /// A record with its issues and its offset in the file.
    struct Entry {
        var record = Record()
        var fields: [(name: Text, value: Text)] = []
        var issues: [Issue] = []
        var offset = 0
        /// The page that contains the record.
        var page = 0
    }

    let drawing: Drawing
    let scale: DrawingScale
    var fragments: [DrawnFragment] = []
    var places: DrawingPlaces
    /// The drawing's bond length and program, used as the comment of each molecule without a comment.
    private let remark: Text
    /// The heading of molecules without other heading data.
    private let heading: Heading
    /// Issues that are not specific to a molecule.
    var issues: [Issue]
    /// Texts that belong to other objects, such as conditions and displayed properties.
    var usedTexts: ObjectSet
    /// Other objects that the records represent: arrows, brackets, data.
    var used: ObjectSet
    /// Data in arrows, which belong to the arrows' reactions.
    var dataOfArrow: [Int: [(name: Text, value: Text)]] = [:]
    /// Text and data that belong to no molecule, with their pages.
    var looseFields: [(page: Int, name: Text, value: Text)] = []

    static func entries(of drawing: Drawing) -> [Entry] {
        if drawing.objects.isEmpty { return [] }
        var tables = FragmentTables(drawing)
        var interpreter = DrawingInterpreter(drawing, DrawingScale(of: drawing, &tables))
        return interpreter.entries(tables)
    }

    private init(_ drawing: Drawing, _ scale: DrawingScale) {
        self.drawing = drawing
        self.scale = scale
        remark = scale.remark(on: drawing)
        var heading = Heading()
        heading.comment = remark
        self.heading = heading
        issues = drawing.issues
        places = DrawingPlaces(drawing, [])
        used = ObjectSet(among: drawing.objects.count)
        usedTexts = used
    }

    private mutating func entries(_ tables: consuming FragmentTables) -> [Entry] {
        if scale.isStatedBadly {
            doubt("the stated bond length is invalid; the length of the drawn bonds is used", Drawing.document)
        }
        readFragments(tables)
        lookForDoubtfulIDs()
        tellUnknownObjects()
        readDataOfArrows()
        let reactions = readReactions()
        readData()
        readOwnTexts()
        readCaptions()
        let loose = keepUnknownParts()
        var entries = reactions.map { entry(of: $0) }
        let taken = Set(reactions.flatMap(\.fragments))
        for (index, fragment) in fragments.enumerated() where !taken.contains(index) {
            let record = fragment.said?.hasNoStructure == true ? Record() : Record(fragment.molecule)
            var entry = Entry(record: record, fields: fragment.fields, issues: fragment.issues)
            entry.offset = drawing.objects[fragment.object].offset
            entry.page = drawing.page(of: fragment.object)
            entries.append(entry)
        }
        if entries.isEmpty, !drawing.isOwn { entries.append(Entry()) }
        if entries.isEmpty { return [] }
        if drawing.isOwn { entries.sort { $0.offset < $1.offset } }
        addLooseFields(to: &entries)
        entries[0].issues = issues + entries[0].issues
        Self.setFields(of: &entries)
        used.formUnion(usedTexts)
        let remainder = DrawingRemainder(drawing, places, molecules: fragments, used: used)
        for (page, part) in remainder.passedOver() + loose {
            let index = entries.firstIndex { $0.page == page } ?? 0
            entries[index].record.verbatim.append(part)
        }
        return entries
    }

    // MARK: Fragments

    private mutating func readFragments(_ tables: consuming FragmentTables) {
        let alternatives = DrawnAlternatives(in: drawing)
        let mentioned = mappedNodes()
        var reader = FragmentReader(
            drawing, tables, scale: scale, alternatives: alternatives.numbers, mentioned: mentioned)
        var owners: [DrawingPlaces.Owner] = []
        for object in drawing.others {
            let kind = drawing.kind(of: object)
            guard kind == .fragment || kind.isContainer, isMolecule(object, &reader) else { continue }
            var piece = DrawnPiece()
            reader.read(object, into: &piece)
            var molecule = piece.molecule()
            if reader.isInSpace { molecule.flags.insert(.threeDimensional) }
            let box = nodeBox(of: object)
            if box.isEmpty, !reader.isInSpace, !piece.draft.atoms.isEmpty { molecule.flags.insert(.withoutCoordinates) }
            readWhole(object, into: &molecule)
            let said = drawing.ownStatement(in: object)
            if let said, !said.put(into: &molecule) {
                reader.doubt("atoms or bonds were added or removed; statements with their numbers are ignored", object)
            }
            if !drawing.isOwn {
                // Most molecules have no other heading and can share this one.
                if molecule.heading.isEmpty {
                    molecule.heading = heading
                } else if molecule.comment.isEmpty {
                    molecule.comment = remark
                }
            }
            let found = reader.issues
            reader.issues = []
            if molecule.atoms.isEmpty, said?.hasNoAtoms != true, said?.hasNoStructure != true {
                issues.note(found)
                continue
            }
            owners.append(.init(object: object, atoms: piece.atoms, atomCount: molecule.atoms.count))
            fragments.append(DrawnFragment(object: object, molecule: molecule, box: box, issues: found, said: said))
        }
        addRGroups(alternatives, &reader)
        if !drawing.isOwn { joinSalts(&owners) }
        places = DrawingPlaces(drawing, owners)
        if drawing.has(.bracketedGroup) { addBrackets() }
    }

    /// Returns the box around the nodes of a fragment.
    private func nodeBox(of object: Int) -> DrawnBox {
        var box = DrawnBox(around: [])
        for node in drawing.children(of: object) where drawing.kind(of: node) == .node {
            if let position = drawing.position(.position, of: node) { box.include(position) }
        }
        return box
    }

    /// Whether an object contains a molecule: a fragment on a page, or nodes outside any fragment.
    private func isMolecule(_ object: Int, _ reader: inout FragmentReader) -> Bool {
        let thing = drawing.objects[object]
        if thing.kind == .fragment {
            let parent = thing.parent
            guard parent >= 0 else { return true }
            if thing.isOnPage {
                if drawing.kind(of: parent) == .document { reader.doubt("a fragment outside a page", object) }
                return true
            }
            if drawing.kind(of: parent) == .fragment, !thing.isInNode {
                reader.doubt("a fragment inside a fragment; read as a separate molecule", object)
                return true
            }
            return false
        }
        guard thing.isOnPage, drawing.children(of: object).contains(where: { drawing.kind(of: $0) == .node }) else {
            return false
        }
        reader.doubt("atoms outside a fragment; read as a molecule", object)
        return true
    }

    /// Reads the properties of a complete fragment.
    private func readWhole(_ object: Int, into molecule: inout Molecule) {
        guard drawing.kind(of: object) == .fragment else { return }
        if let name = drawing.text(.name, of: object) { molecule.name = name.inOneLine }
        if let comment = drawing.text(.comment, of: object) { molecule.comment = comment.inOneLine }
        var isAbsolute = drawing.isSet(.absolute, of: object)
        for graphic in drawing.children(of: object, .graphic) where drawing.integer(.graphicType, of: graphic) == 7 {
            let absoluteSymbol = 11
            if drawing.integer(.symbolType, of: graphic) == absoluteSymbol { isAbsolute = true }
        }
        if isAbsolute { molecule.flags.insert(.chiral) }
    }

    private mutating func addRGroups(_ alternatives: DrawnAlternatives, _ reader: inout FragmentReader) {
        if alternatives.groups.isEmpty { return }
        let definitions = alternatives.definitions(&reader)
        issues.note(reader.issues)
        reader.issues = []
        var used: Set<Int32> = []
        for index in fragments.indices {
            if let said = fragments[index].said?.rgroups, !said.isEmpty {
                fragments[index].molecule.extras.contents.rgroups = said.map { stated in
                    let number = UInt32(exactly: stated.alternatives).flatMap { alternatives.numbers[$0] } ?? 0
                    used.insert(Int32(clamping: number))
                    return definitions.group(number, as: stated.group)
                }
                continue
            }
            let groups = definitions.groups(neededBy: fragments[index].molecule)
            if groups.isEmpty { continue }
            fragments[index].molecule.extras.contents.rgroups = groups
            used.formUnion(groups.map(\.number))
        }
        for group in alternatives.groups where !used.contains(Int32(clamping: group.number)) {
            doubt("no atom refers to this group, R\(group.number); omitted", group.object)
        }
    }

    private mutating func addBrackets() {
        let brackets = DrawingBrackets(drawing: drawing, scale: scale, places: places)
        let (groups, made, isWhole) = brackets.groups()
        used.formUnion(made)
        if !isWhole {
            issues.note(drawing.issue("brackets around more than a million atoms; the rest is omitted", at: 0))
        }
        for (molecule, groups) in groups {
            var contents = fragments[molecule].molecule.extras.contents
            let first = contents.sgroups.count
            let crossing = CrossingBonds(of: fragments[molecule].molecule)
            for group in groups {
                var sgroup = group
                sgroup.bonds = crossing.bonds(around: group.atoms)
                sgroup.parent = group.parent.map { $0 &+ Int32(clamping: first) }
                contents.sgroups.append(sgroup)
            }
            fragments[molecule].molecule.extras.contents = contents
        }
    }

    // MARK: Records

    private func entry(of reaction: DrawnReaction) -> Entry {
        var entry = Entry(
            fields: reaction.fields, issues: reaction.issues, offset: reaction.offset, page: reaction.page)
        var numbers: [Int: [(atom: Int, number: Int32)]] = [:]
        for mark in reaction.map { numbers[mark.fragment, default: []].append((mark.atom, mark.number)) }
        func component(_ index: Int) -> Reaction.Component {
            var molecule = fragments[index].molecule
            for (atom, number) in numbers[index] ?? [] where molecule.atoms[atom].mapNumber == 0 {
                molecule.atoms[atom].mapNumber = number
            }
            var component = Reaction.Component(molecule)
            if let said = fragments[index].said {
                component.name = said.componentName
                component.stoichiometry = said.stoichiometry
            }
            return component
        }
        var whole = Reaction(reaction.step(of: component))
        if !drawing.isOwn { whole.comment = remark }
        if let said = reaction.said {
            (whole.name, whole.origin, whole.comment) = (said.rest.name, said.rest.origin, said.rest.comment)
        }
        entry.record = Record(whole)
        for index in reaction.fragments {
            entry.issues.note(fragments[index].issues)
            entry.fields += fragments[index].fields
        }
        return entry
    }

    /// Assigns the fields of all records to one table of columns.
    private static func setFields(of entries: inout [Entry]) {
        if entries.allSatisfy({ $0.fields.isEmpty }) { return }
        var columns = FieldColumns()
        for index in entries.indices {
            for (name, value) in entries[index].fields {
                let column = columns.place(of: 0..<name.bytes.count, in: name.bytes.span)
                entries[index].record.fields.append(column: column, value.bytes[...])
            }
        }
        for index in entries.indices { entries[index].record.fields.columns = columns.columns }
    }

    /// Adds text that belongs to no molecule to the first record of its page.
    private func addLooseFields(to entries: inout [Entry]) {
        if looseFields.isEmpty { return }
        var first: [Int: Int] = [:]
        for (index, entry) in entries.enumerated() where first[entry.page] == nil { first[entry.page] = index }
        for (page, name, value) in looseFields { entries[first[page] ?? 0].fields.append((name, value)) }
    }

    private mutating func tellUnknownObjects() {
        let unknown = drawing.unknown.filter { $0.key.utf8.starts(with: "object ".utf8) }
        if unknown.isEmpty { return }
        let count = unknown.values.reduce(0, +)
        let names = unknown.keys.sorted().prefix(5).joined(separator: ", ")
        issues.note(drawing.issue("skipped \(count) unknown objects: \(names)", at: 0))
    }

    /// Warns about IDs that two objects have in common, and about objects that supersede each other.
    private mutating func lookForDoubtfulIDs() {
        let holders = drawing.namedHolders
        var owners = IDTable(for: holders.map { drawing.objects[$0] }) { _ in true }
        for place in holders {
            let id = drawing.objects[place].id
            if owners[id] >= 0 { doubt("an earlier fragment or group has the same id", place) }
            owners[id] = 0
        }
        guard drawing.has(.graphic) else { return }
        for place in drawing.others where drawing.kind(of: place) == .graphic {
            let object = drawing.objects[place]
            guard let id = drawing.identifier(.supersededBy, of: place), places.arrow(called: id) == nil,
                let next = places.graphic(called: id), drawing.identifier(.supersededBy, of: next) == object.id
            else { continue }
            doubt("this object and \(id) supersede each other", place)
        }
    }
}
