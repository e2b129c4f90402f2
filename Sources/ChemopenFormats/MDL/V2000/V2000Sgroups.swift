import ChemopenBytes
import ChemopenModel

/// The Sgroup lines of a V2000 property block. A bad one costs an Sgroup's detail and never the molecule.
extension MolfileReader {
    /// Reads the line if it is one of an Sgroup's.
    mutating func sgroupProperty(
        _ key: PropertyKey, _ line: Range<Int>, _ bytes: Span<UInt8>, _ table: inout V2000Table
    ) -> Bool {
        switch key {
        case .sgroupKinds: introduceSgroups(line, bytes, &table)
        case .sgroupSubtypes: forEachSgroup(line, bytes, table) { $0.subtype = $1 }
        case .sgroupConnectivities: forEachSgroup(line, bytes, table) { $0.connectivity = $1 }
        case .sgroupIdentifiers: forEachSgroup(line, bytes, table) { $0.identifier = Int32($1.string) ?? 0 }
        case .sgroupComponentNumbers: forEachSgroup(line, bytes, table) { $0.componentNumber = Int32($1.string) ?? 0 }
        case .sgroupBracketStyles: forEachSgroup(line, bytes, table) { $0.bracketStyle = $1 == "1" ? .round : .square }
        case .sgroupParents:
            for (child, parent) in pairs(line, bytes) {
                table.parents.append(V2000Table.Parentage(child: child, parent: parent, line: firstLine &+ currentLine))
            }
        case .sgroupExpansions: readExpanded(line, bytes, table)
        case .sgroupAtoms: addMembers(line, bytes, table, of: \.atoms)
        case .sgroupParentAtoms: addMembers(line, bytes, table, of: \.parentAtoms)
        case .sgroupBonds: addBonds(line, bytes, table, of: \.bonds)
        case .sgroupCorrespondence: addBonds(line, bytes, table, of: \.bondCorrespondence)
        case .sgroupLabel: setText(line, bytes, table) { $0.label = $1 }
        case .sgroupClass: setText(line, bytes, table) { $0.templateClass = $1 }
        case .sgroupBracket: readBracket(line, bytes, table)
        case .sgroupBondVector: readBondVector(line, bytes, table)
        case .sgroupAttachments: readAttachmentPoints(line, bytes, table)
        case .sgroupField: readDataField(line, bytes, table)
        case .sgroupDisplay:
            setText(line, bytes, table) { sgroup, text in
                var data = sgroup.data ?? Sgroup.Data()
                data.display = text
                sgroup.data = data
            }
        case .sgroupDataPart: readData(line, bytes, &table, isLast: false)
        case .sgroupData: readData(line, bytes, &table, isLast: true)
        default: return false
        }
        return true
    }

    /// Changes the Sgroup of a number; told where there is none.
    private mutating func change(
        _ number: Int?, _ line: Range<Int>, _ bytes: Span<UInt8>, _ table: V2000Table,
        _ change: (inout Sgroup) -> Void
    ) {
        guard let number, let place = table.sgroupPlaces[number] else {
            return doubt(line, of: bytes, "the line names an Sgroup that no M  STY line introduces; left out")
        }
        withRare { change(&$0.sgroups[place]) }
    }

    /// The number in columns 8 to 10.
    private func number(_ line: Range<Int>, _ bytes: Span<UInt8>) -> Int? {
        bytes.integer(bytes.columns(6..<10, of: line))
    }

    /// The entries of a line `M  XXXnn8 sss ttt …`: an Sgroup's number and a word.
    private mutating func entries(_ line: Range<Int>, _ bytes: Span<UInt8>) -> [(Int, Text)] {
        let words = bytes.words(bytes.columns(6..., of: line))
        var entries: [(Int, Text)] = []
        guard let first = words.first, let count = bytes.integer(first) else {
            doubt(line, of: bytes, "no number of entries; left out")
            return entries
        }
        var index = 1
        while index + 1 < words.count, entries.count < count, let number = bytes.integer(words[index]) {
            entries.append((number, Text(bytes: bytes.bytes(words[index + 1]))))
            index += 2
        }
        if entries.count < count {
            doubt(line, of: bytes, "\(count) entries are announced and \(entries.count) are there; read what is there")
        }
        return entries
    }

    private mutating func introduceSgroups(_ line: Range<Int>, _ bytes: Span<UInt8>, _ table: inout V2000Table) {
        for (number, word) in entries(line, bytes) {
            let kind = Text(bytes: word.bytes.map(Ascii.upper))
            if number < 1 || table.sgroupPlaces[number] != nil {
                doubt(line, of: bytes, "an Sgroup's number is above 0 and introduced once; read all the same")
            } else if !Sgroup.Kind.known.contains(kind) {
                doubt(line, of: bytes, "no kind of Sgroup; kept as it is")
            }
            var sgroup = Sgroup(Sgroup.Kind(kind))
            sgroup.number = Int32(clamping: number)
            withRare { rare in
                if let place = table.sgroupPlaces[number] {
                    rare.sgroups[place].kind = sgroup.kind
                } else {
                    table.sgroupPlaces[number] = rare.sgroups.count
                    rare.sgroups.append(sgroup)
                }
            }
        }
    }

    private mutating func forEachSgroup(
        _ line: Range<Int>, _ bytes: Span<UInt8>, _ table: V2000Table, _ set: (inout Sgroup, Text) -> Void
    ) {
        for (number, text) in entries(line, bytes) {
            change(number, line, bytes, table) { set(&$0, text) }
        }
    }

    private mutating func setText(
        _ line: Range<Int>, _ bytes: Span<UInt8>, _ table: V2000Table, _ set: (inout Sgroup, Text) -> Void
    ) {
        let text = Text(bytes: bytes.bytes(bytes.trimmedRight(bytes.columns(11..<max(11, line.count), of: line))))
        change(number(line, bytes), line, bytes, table) { set(&$0, text) }
    }

    /// `M  SDS EXPn15 sss …`
    private mutating func readExpanded(_ line: Range<Int>, _ bytes: Span<UInt8>, _ table: V2000Table) {
        let numbers = bytes.words(bytes.columns(10..<max(10, line.count), of: line)).compactMap { bytes.integer($0) }
        for number in numbers.dropFirst().prefix(max(0, numbers.first ?? 0)) {
            change(number, line, bytes, table) { $0.isExpanded = true }
        }
    }

    /// The members of a line `M  XXX sssn15 aaa …`, in columns of four; by words where these hold no numbers.
    private mutating func members(_ line: Range<Int>, _ bytes: Span<UInt8>) -> [Int] {
        let count = bytes.integer(bytes.columns(10..<13, of: line)) ?? 0
        var members: [Int] = []
        var start = 13
        while members.count < count, start < line.count,
            let number = bytes.integer(bytes.columns(start..<start + 4, of: line)), number > 0
        {
            members.append(number)
            start += 4
        }
        if members.count == count { return members }
        let numbers = bytes.words(bytes.columns(6..., of: line)).map { bytes.integer($0) ?? 0 }
        if numbers.count == count + 2, !numbers.contains(0) {
            doubt(line, of: bytes, "the entries are not in their columns; read as words")
            return Array(numbers.dropFirst(2))
        }
        doubt(line, of: bytes, "\(count) entries are announced and \(members.count) are there; read what is there")
        return members
    }

    private mutating func addMembers(
        _ line: Range<Int>, _ bytes: Span<UInt8>, _ table: V2000Table, of list: WritableKeyPath<Sgroup, [Int32]>
    ) {
        let numbers = members(line, bytes)
        let atoms = numbers.filter { molecule.atoms.indices.contains($0 - 1) }.map { Int32($0 - 1) }
        if atoms.count < numbers.count {
            doubt(line, of: bytes, "the Sgroup names an atom that is not there; left out")
        }
        change(number(line, bytes), line, bytes, table) { $0[keyPath: list] += atoms }
    }

    private mutating func addBonds(
        _ line: Range<Int>, _ bytes: Span<UInt8>, _ table: V2000Table, of list: WritableKeyPath<Sgroup, [Int32]>
    ) {
        let numbers = members(line, bytes)
        let bonds = numbers.compactMap { table.bondIndex($0, count: molecule.bonds.count) }
        if bonds.count < numbers.count { doubt(line, of: bytes, "the Sgroup names a bond that is not there; left out") }
        change(number(line, bytes), line, bytes, table) { $0[keyPath: list] += bonds }
    }

    /// Numbers of ten columns each.
    private func numbers(_ count: Int, from start: Int, _ line: Range<Int>, _ bytes: Span<UInt8>) -> [Double] {
        (0..<count).map { field in
            let columns = start + 10 * field..<start + 10 * field + 10
            return Numeral.decimal(bytes, bytes.trimmed(bytes.columns(columns, of: line))) ?? 0
        }
    }

    /// `M  SDI sssnn4 x1 y1 x2 y2`
    private mutating func readBracket(_ line: Range<Int>, _ bytes: Span<UInt8>, _ table: V2000Table) {
        guard line.count > 43 else {
            return doubt(line, of: bytes, "a bracket has two ends of two coordinates; left out")
        }
        let ends = numbers(4, from: 13, line, bytes)
        let bracket = Sgroup.Bracket(from: Position(ends[0], ends[1]), to: Position(ends[2], ends[3]))
        change(number(line, bytes), line, bytes, table) { $0.brackets.append(bracket) }
    }

    /// `M  SBV sss bb1 x1 y1`
    private mutating func readBondVector(_ line: Range<Int>, _ bytes: Span<UInt8>, _ table: V2000Table) {
        guard let number = bytes.integer(bytes.columns(10..<14, of: line)),
            let bond = table.bondIndex(number, count: molecule.bonds.count)
        else { return doubt(line, of: bytes, "the line names a bond that is not there; left out") }
        let end = numbers(2, from: 14, line, bytes)
        let vector = Sgroup.BondVector(bond: Int(bond), vector: Position(end[0], end[1]))
        change(self.number(line, bytes), line, bytes, table) { $0.bondVectors.append(vector) }
    }

    /// `M  SAP sssn6 iii ooo cc`: atom, leaving atom or 0, and an identifier that is often cut off.
    private mutating func readAttachmentPoints(_ line: Range<Int>, _ bytes: Span<UInt8>, _ table: V2000Table) {
        let count = bytes.integer(bytes.columns(10..<13, of: line)) ?? 0
        var points: [Sgroup.AttachmentPoint] = []
        var start = 13
        while points.count < count, start < line.count {
            let atom = bytes.integer(bytes.columns(start..<start + 4, of: line)) ?? 0
            let leaving = bytes.integer(bytes.columns(start + 4..<start + 8, of: line)) ?? 0
            let identifier = bytes.trimmed(bytes.columns(start + 8..<start + 11, of: line))
            guard molecule.atoms.indices.contains(atom - 1) else {
                doubt(line, of: bytes, "the attachment names an atom that is not there; left out")
                break
            }
            points.append(
                .init(
                    atom: atom - 1, leaving: molecule.atoms.indices.contains(leaving - 1) ? leaving - 1 : nil,
                    identifier: Text(bytes: bytes.bytes(identifier))))
            start += 11
        }
        if points.count < count {
            doubt(line, of: bytes, "\(count) attachments are announced and \(points.count) are there")
        }
        change(number(line, bytes), line, bytes, table) { $0.attachments += points }
    }

    /// `M  SDT`: name, type, units, query type and operator, each in its columns and cut where the line ends.
    private mutating func readDataField(_ line: Range<Int>, _ bytes: Span<UInt8>, _ table: V2000Table) {
        func part(_ columns: Range<Int>) -> Text {
            Text(bytes: bytes.bytes(bytes.trimmed(bytes.columns(columns, of: line))))
        }
        let name = part(11..<41)
        let type = part(41..<43)
        let units = part(43..<63)
        let queryType = part(63..<65)
        let queryOperator = part(65..<max(65, line.count))
        change(number(line, bytes), line, bytes, table) { sgroup in
            var data = sgroup.data ?? Sgroup.Data()
            data.fieldName = name
            data.fieldType = type
            data.units = units
            data.queryType = queryType
            data.queryOperator = queryOperator
            sgroup.data = data
        }
    }

    /// `M  SCD` lines go on in the next line, an `M  SED` line ends a value. 69 columns are a full line.
    private mutating func readData(
        _ line: Range<Int>, _ bytes: Span<UInt8>, _ table: inout V2000Table, isLast: Bool
    ) {
        let text = bytes.columns(11..<max(11, line.count), of: line)
        let part = bytes.bytes(isLast ? bytes.trimmedRight(text) : text)
        guard let number = number(line, bytes), table.sgroupPlaces[number] != nil else {
            return doubt(line, of: bytes, "the line names an Sgroup that no M  STY line introduces; left out")
        }
        table.openData[number, default: []] += part
        guard isLast, let whole = table.openData.removeValue(forKey: number) else { return }
        change(number, line, bytes, table) { $0.append(value: Text(bytes: whole)) }
    }
}

/// What the lines of all Sgroups say together.
extension MolfileReader {
    /// Gives the Sgroups their parents, and ends the data that no line has ended.
    mutating func settleSgroups(_ table: V2000Table) {
        for parentage in table.parents {
            guard let child = table.sgroupPlaces[parentage.child],
                let parent = table.sgroupPlaces[parentage.parent]
            else {
                issues.append(Issue(line: parentage.line, "the line names an Sgroup that is not there; left out"))
                continue
            }
            guard !isSgroup(parent, inside: child) else {
                issues.append(Issue(line: parentage.line, "the Sgroup would be inside itself; left out"))
                continue
            }
            withRare { $0.sgroups[child].parent = Int32(clamping: parent) }
        }
        for (number, text) in table.openData.sorted(by: { $0.key < $1.key }) {
            guard let place = table.sgroupPlaces[number] else { continue }
            issues.append(Issue(line: 0, "the data of Sgroup \(number) do not end with M  SED; read as far as they go"))
            withRare { $0.sgroups[place].append(value: Text(bytes: text)) }
        }
    }

    /// Whether an Sgroup is another or one of those that the other holds; parents never stand in a circle.
    private func isSgroup(_ place: Int, inside outer: Int) -> Bool {
        var next: Int? = place
        while let here = next {
            if here == outer { return true }
            next = rare?.sgroups[here].parent.map(Int.init)
        }
        return false
    }
}

extension Sgroup {
    /// Adds a value to the data where they are: a copy of them for each value would make many values slow.
    fileprivate mutating func append(value: Text) {
        if data == nil { data = Data() }
        data?.values.append(value)
    }
}

extension Sgroup.Kind {
    fileprivate static let known: Set<Text> = [
        "SUP", "MUL", "SRU", "MON", "MER", "COP", "CRO", "MOD", "GRA", "COM", "MIX", "FOR", "DAT", "ANY", "GEN",
    ]
}
