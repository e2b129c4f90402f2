import ChemopenBytes
import ChemopenModel

/// Reads the Sgroup lines of a V2000 property block. An invalid line affects only a detail of an Sgroup.
struct V2000SgroupReader {
    private var sgroups: [Sgroup] = []
    /// The indices of Sgroups by their number in the file.
    private var places: [Int: Int] = [:]
    /// The parents of Sgroups, by file number, because lines may refer to an Sgroup before it is defined.
    private var parents: [Parentage] = []
    /// The data of Sgroups that continue in the next line.
    private var openData: [Int: [UInt8]] = [:]

    private struct Parentage {
        let child: Int
        let parent: Int
        let line: Int
    }

    /// A line, with the atoms and bonds that it may refer to.
    struct Line {
        let range: Range<Int>
        /// The line number, counted from 0.
        let place: Int
        let atomCount: Int
        let bonds: V2000Bonds

        fileprivate func atoms(_ numbers: [Int]) -> [Int32] {
            numbers.filter { isAtom($0) }.map { Int32($0 - 1) }
        }

        fileprivate func isAtom(_ number: Int) -> Bool { (1...max(1, atomCount)).contains(number) && atomCount > 0 }
    }

    /// Reads the line of a term.
    mutating func read(_ term: SgroupTerm, _ line: Line, _ bytes: Span<UInt8>, _ ledger: inout IssueCollector) {
        switch term.content {
        case .kind: introduce(line, bytes, &ledger)
        case .word(let field): forEach(line, bytes, &ledger) { $0[field] = $1 }
        case .number(let field): forEach(line, bytes, &ledger) { $0[field] = Int32($1.string) ?? 0 }
        case .bracketStyle:
            forEach(line, bytes, &ledger) { $0.bracketStyle = $1 == Sgroup.BracketStyle.round.code ? .round : .square }
        case .parent:
            for (child, parent) in ledger.pairs(line.range, at: line.place, bytes) {
                parents.append(Parentage(child: child, parent: parent, line: line.place))
            }
        case .expansion: readExpanded(line, bytes, &ledger)
        case .atoms(let field): addAtoms(line, bytes, to: field, &ledger)
        case .bonds(let field): addBonds(line, bytes, to: field, &ledger)
        case .text(let field): setText(line, bytes, &ledger) { $0[field] = $1 }
        case .data where term.columns != nil: readDataField(line, bytes, &ledger)
        case .data(let field):
            setText(line, bytes, &ledger) { sgroup, text in
                var data = sgroup.data.take() ?? Sgroup.Data()
                data[field] = text
                sgroup.data = data
            }
        case .bracket: readBracket(line, bytes, &ledger)
        case .bondVector: readBondVector(line, bytes, &ledger)
        case .attachment: readAttachmentPoints(line, bytes, &ledger)
        case .valuePart: readData(line, bytes, isLast: false, &ledger)
        case .values: readData(line, bytes, isLast: true, &ledger)
        }
    }

    private func doubt(_ line: Line, _ bytes: Span<UInt8>, _ ledger: inout IssueCollector, _ message: String) {
        ledger.doubt(line.range, at: line.place, of: bytes, message)
    }

    private func doubtNumber(_ line: Line, _ bytes: Span<UInt8>, _ ledger: inout IssueCollector) {
        doubt(
            line, bytes, &ledger,
            "the line refers to an Sgroup that no \(PropertyKey.sgroupKinds) line defines; omitted")
    }

    /// Changes the Sgroup with a number, or reports that it does not exist.
    private mutating func change(
        _ number: Int?, _ line: Line, _ bytes: Span<UInt8>, _ ledger: inout IssueCollector,
        _ change: (inout Sgroup) -> Void
    ) {
        guard let number, let place = places[number] else { return doubtNumber(line, bytes, &ledger) }
        change(&sgroups[place])
    }

    /// Returns the number in columns 7 to 10.
    private func number(_ line: Line, _ bytes: Span<UInt8>) -> Int? {
        bytes.integer(bytes.columns(6..<10, of: line.range))
    }

    private mutating func introduce(_ line: Line, _ bytes: Span<UInt8>, _ ledger: inout IssueCollector) {
        for (number, word) in ledger.entries(line.range, at: line.place, bytes) {
            let kind = Text(bytes: word.bytes.map(Ascii.upper))
            if number < 1 || places[number] != nil {
                doubt(line, bytes, &ledger, "an Sgroup's number must be positive and unique; read anyway")
            } else if !Sgroup.Kind.known.contains(kind) {
                doubt(line, bytes, &ledger, "an unknown kind of Sgroup; preserved")
            }
            if let place = places[number] {
                sgroups[place].kind = Sgroup.Kind(kind)
            } else {
                var sgroup = Sgroup(Sgroup.Kind(kind))
                sgroup.number = Int32(clamping: number)
                places[number] = sgroups.count
                sgroups.append(sgroup)
            }
        }
    }

    private mutating func forEach(
        _ line: Line, _ bytes: Span<UInt8>, _ ledger: inout IssueCollector, _ set: (inout Sgroup, Text) -> Void
    ) {
        for (number, text) in ledger.entries(line.range, at: line.place, bytes) {
            change(number, line, bytes, &ledger) { set(&$0, text) }
        }
    }

    private mutating func setText(
        _ line: Line, _ bytes: Span<UInt8>, _ ledger: inout IssueCollector, _ set: (inout Sgroup, Text) -> Void
    ) {
        let rest = bytes.columns(11..<max(11, line.range.count), of: line.range)
        let text = Text(bytes: bytes.bytes(bytes.trimmedRight(rest)))
        change(number(line, bytes), line, bytes, &ledger) { set(&$0, text) }
    }

    /// Reads `M  SDS EXPn15 sss …`.
    private mutating func readExpanded(_ line: Line, _ bytes: Span<UInt8>, _ ledger: inout IssueCollector) {
        let words = bytes.words(bytes.columns(10..<max(10, line.range.count), of: line.range))
        let numbers = words.compactMap { bytes.integer($0) }
        for number in numbers.dropFirst().prefix(max(0, numbers.first ?? 0)) {
            change(number, line, bytes, &ledger) { $0.isExpanded = true }
        }
    }

    private mutating func addAtoms(
        _ line: Line, _ bytes: Span<UInt8>, to list: Sgroup.ListField, _ ledger: inout IssueCollector
    ) {
        let numbers = ledger.members(line.range, at: line.place, bytes)
        let atoms = line.atoms(numbers)
        if atoms.count < numbers.count {
            doubt(line, bytes, &ledger, "the Sgroup refers to an atom that does not exist; omitted")
        }
        change(number(line, bytes), line, bytes, &ledger) { $0[list] += atoms }
    }

    private mutating func addBonds(
        _ line: Line, _ bytes: Span<UInt8>, to list: Sgroup.ListField, _ ledger: inout IssueCollector
    ) {
        let numbers = ledger.members(line.range, at: line.place, bytes)
        let bonds = numbers.compactMap { line.bonds.index($0) }
        if bonds.count < numbers.count {
            doubt(line, bytes, &ledger, "the Sgroup refers to a bond that does not exist; omitted")
        }
        change(number(line, bytes), line, bytes, &ledger) { $0[list] += bonds }
    }

    /// Returns numbers with ten columns each.
    private func numbers(_ count: Int, from start: Int, _ line: Line, _ bytes: Span<UInt8>) -> [Double] {
        (0..<count).map { field in
            let columns = start + 10 * field..<start + 10 * field + 10
            return Numeral.decimal(bytes, bytes.trimmed(bytes.columns(columns, of: line.range))) ?? 0
        }
    }

    /// Reads `M  SDI sssnn4 x1 y1 x2 y2`.
    private mutating func readBracket(_ line: Line, _ bytes: Span<UInt8>, _ ledger: inout IssueCollector) {
        guard line.range.count > 43 else {
            return doubt(line, bytes, &ledger, "a bracket needs two ends with two coordinates each; omitted")
        }
        let ends = numbers(4, from: 13, line, bytes)
        let bracket = Sgroup.Bracket(from: Position(ends[0], ends[1]), to: Position(ends[2], ends[3]))
        change(number(line, bytes), line, bytes, &ledger) { $0.brackets.append(bracket) }
    }

    /// Reads `M  SBV sss bb1 x1 y1`.
    private mutating func readBondVector(_ line: Line, _ bytes: Span<UInt8>, _ ledger: inout IssueCollector) {
        guard let number = bytes.integer(bytes.columns(10..<14, of: line.range)), let bond = line.bonds.index(number)
        else { return doubt(line, bytes, &ledger, "the line refers to a bond that does not exist; omitted") }
        let end = numbers(2, from: 14, line, bytes)
        let vector = Sgroup.BondVector(bond: Int(bond), vector: Position(end[0], end[1]))
        change(self.number(line, bytes), line, bytes, &ledger) { $0.bondVectors.append(vector) }
    }

    /// Reads `M  SAP sssn6 iii ooo cc`: an atom, its leaving atom or 0, and an identifier that is often truncated.
    private mutating func readAttachmentPoints(_ line: Line, _ bytes: Span<UInt8>, _ ledger: inout IssueCollector) {
        let count = bytes.integer(bytes.columns(10..<13, of: line.range)) ?? 0
        var points: [Sgroup.AttachmentPoint] = []
        var start = 13
        while points.count < count, start < line.range.count {
            let atom = bytes.integer(bytes.columns(start..<start + 4, of: line.range)) ?? 0
            let leaving = bytes.integer(bytes.columns(start + 4..<start + 8, of: line.range)) ?? 0
            let identifier = bytes.trimmed(bytes.columns(start + 8..<start + 11, of: line.range))
            guard line.isAtom(atom) else {
                doubt(line, bytes, &ledger, "the attachment refers to an atom that does not exist; omitted")
                break
            }
            if leaving != 0, !line.isAtom(leaving) {
                doubt(line, bytes, &ledger, "the attachment refers to a leaving atom that does not exist; omitted")
            }
            points.append(
                .init(
                    atom: atom - 1, leaving: line.isAtom(leaving) ? leaving - 1 : nil,
                    identifier: Text(bytes: bytes.bytes(identifier))))
            start += 11
        }
        if points.count < count {
            doubt(line, bytes, &ledger, "\(count) attachments are announced, but \(points.count) are present")
        }
        change(number(line, bytes), line, bytes, &ledger) { $0.attachments += points }
    }

    /// Reads `M  SDT`: several texts in columns, which may be truncated at the end of the line.
    private mutating func readDataField(_ line: Line, _ bytes: Span<UInt8>, _ ledger: inout IssueCollector) {
        change(number(line, bytes), line, bytes, &ledger) { sgroup in
            var data = sgroup.data.take() ?? Sgroup.Data()
            for term in SgroupTerm.all where term.line == .sgroupField {
                guard case .data(let field) = term.content, let columns = term.columns else { continue }
                let end = min(columns.upperBound, max(columns.lowerBound, line.range.count))
                let part = bytes.columns(columns.lowerBound..<end, of: line.range)
                data[field] = Text(bytes: bytes.bytes(bytes.trimmed(part)))
            }
            sgroup.data = data
        }
    }

    /// Reads data. An `M  SCD` line of 69 columns continues in the next line, and an `M  SED` line ends a value.
    private mutating func readData(_ line: Line, _ bytes: Span<UInt8>, isLast: Bool, _ ledger: inout IssueCollector) {
        let text = bytes.columns(11..<max(11, line.range.count), of: line.range)
        let part = bytes.bytes(isLast ? bytes.trimmedRight(text) : text)
        guard let number = number(line, bytes), let place = places[number] else {
            return doubtNumber(line, bytes, &ledger)
        }
        openData[number, default: []] += part
        guard isLast, let whole = openData.removeValue(forKey: number) else { return }
        sgroups[place].append(value: Text(bytes: whole))
    }

    // MARK: At the end

    /// Returns the Sgroups with their parents, and with data that no line has ended.
    mutating func settle(_ ledger: inout IssueCollector) -> [Sgroup] {
        for parentage in parents {
            guard let child = places[parentage.child], let parent = places[parentage.parent] else {
                ledger.doubt(at: parentage.line, "the line refers to an Sgroup that does not exist; omitted")
                continue
            }
            guard !isSgroup(parent, inside: child) else {
                ledger.doubt(at: parentage.line, "the Sgroup would be nested in itself; its parent is omitted")
                continue
            }
            sgroups[child].parent = Int32(clamping: parent)
        }
        for (number, text) in openData.sorted(by: { $0.key < $1.key }) {
            guard let place = places[number] else { continue }
            ledger.doubt(
                "the data of Sgroup \(number) do not end with \(PropertyKey.sgroupData); read up to the end")
            sgroups[place].append(value: Text(bytes: text))
        }
        return exchange(&sgroups, with: [])
    }

    /// Whether an Sgroup is equal to another or nested in it. Parents never form a cycle.
    private func isSgroup(_ place: Int, inside outer: Int) -> Bool {
        var next: Int? = place
        while let here = next {
            if here == outer { return true }
            next = sgroups[here].parent.map(Int.init)
        }
        return false
    }
}

extension Sgroup {
    /// Appends a value to the data in place, because copying the data for each value would be slow.
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
