import ChemopenBytes
import ChemopenModel

/// Reads the atom and bond blocks of a V2000 connection table.
///
/// Nearly all lines have the standard layout. `PlainLine` reads them eight bytes at a time, without searching for
/// their end, and accepts a line only if every byte matches the layout. All other lines are read by columns or, if
/// the columns are invalid, by tokens.
struct V2000TableReader: ~Copyable {
    private(set) var lines: LineCursor
    private(set) var ledger: IssueCollector
    private(set) var draft: MoleculeBuilder
    private(set) var codes = V2000Codes()
    private(set) var bonds = V2000Bonds()
    private var hasToldShortLines = false

    init(_ lines: LineCursor, _ ledger: consuming IssueCollector, into draft: consuming MoleculeBuilder) {
        self.lines = lines
        self.ledger = ledger
        self.draft = draft
    }

    /// Reads the atoms and the bonds.
    mutating func read(_ bytes: Span<UInt8>, _ counts: CountsLine) throws(Fault) {
        try readAtoms(bytes, counts)
        try readBonds(bytes, counts)
    }

    // MARK: Atoms

    private mutating func readAtoms(_ bytes: Span<UInt8>, _ counts: CountsLine) throws(Fault) {
        var atoms = draft.molecule.atoms
        draft.molecule.atoms = []
        defer { draft.molecule.atoms = atoms }
        let shortestLine = 8
        atoms.reserveCapacity(min(counts.atoms, (lines.end &- lines.position) / shortestLine))
        let isPlain = !lines.hasCarriageReturns && lines.end <= bytes.count
        var length = lengthOfNextLine(bytes)
        while atoms.count < counts.atoms {
            if isPlain {
                let start = lines.position
                let taken = PlainLine.addAtoms(
                    counts.atoms &- atoms.count, at: start, length: length, before: lines.end, of: bytes, to: &atoms)
                if taken > 0 {
                    lines.take(taken, upTo: start &+ taken &* (length &+ 1) &- 1)
                    continue
                }
                switch PlainLine.addAtom(at: start, length: length, before: lines.end, of: bytes, to: &atoms) {
                case .plain:
                    lines.take(upTo: start &+ length)
                    continue
                case .withCodes:
                    if hasTab(start..<start &+ length, bytes) {
                        // Tabs invalidate the columns, so the tokens are read.
                        atoms.removeLast()
                        break
                    }
                    lines.take(upTo: start &+ length)
                    try readCodes(start..<start &+ length, bytes, &atoms[atoms.count - 1], atoms.count - 1)
                    continue
                case .other: break
                }
            }
            guard let line = lines.peek(in: bytes), !isEndOfAtoms(line, bytes) else {
                if atoms.isEmpty, lines.isAtEnd { throw Fault(line: lines.line, expected: "an atom line") }
                noteShortCount("atoms", counts.atoms, atoms.count)
                return
            }
            if line.count != length, line.count > AtomLine.codes.lowerBound {
                // The plain reader can try again with the length of this line before the columns are read
                // individually.
                length = line.count
                continue
            }
            lines.takeSeen(line, in: bytes)
            atoms.append(try atom(on: line, bytes, atoms.count))
        }
    }

    private func lengthOfNextLine(_ bytes: Span<UInt8>) -> Int {
        lines.peek(in: bytes)?.count ?? 0
    }

    /// Whether a line cannot be an atom line. If so, the block has fewer atoms than announced.
    private func isEndOfAtoms(_ line: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        bytes.range(line, begins: "M  ") || bytes.range(line, begins: "M END") || bytes.range(line, begins: "> <")
            || (line.count <= 21 && line.count >= 9 && bytes.integer(line.lowerBound..<line.lowerBound + 3) != nil
                && bytes.integer(line.lowerBound + 3..<line.lowerBound + 6) != nil
                && bytes.integer(line.lowerBound + 6..<line.lowerBound + 9) != nil)
    }

    private mutating func noteShortCount(_ what: String, _ announced: Int, _ present: Int) {
        ledger.doubt(
            at: lines.line,
            "\(announced) \(what) are announced, but \(present) are present; the announced number is ignored")
    }

    /// Returns the atom of a line with three numbers in their columns, an element and only zeros after it.
    @inline(__always)
    private func usualAtom(on line: Range<Int>, _ bytes: Span<UInt8>) -> Atom? {
        guard line.count >= PlainLine.shortestAtomLine, bytes.areZero(AtomLine.codes.lowerBound..., of: line),
            let element = PlainLine.element(
                between: loadWord(bytes, at: line.lowerBound &+ AtomLine.blank.lowerBound)),
            let x = coordinate(bytes.columns(AtomLine.x, of: line), bytes),
            let y = coordinate(bytes.columns(AtomLine.y, of: line), bytes),
            let z = coordinate(bytes.columns(AtomLine.z, of: line), bytes),
            !hasTab(line.lowerBound..<line.lowerBound &+ AtomLine.z.upperBound, bytes)
        else { return nil }
        return Atom(element, at: position(x, y, z))
    }

    /// Reads an atom line by columns. A line may end after any field; missing fields are read as zero.
    private mutating func atom(
        on line: Range<Int>, _ bytes: Span<UInt8>, _ index: Int
    ) throws(Fault) -> Atom {
        if let atom = usualAtom(on: line, bytes) { return atom }
        let symbol = bytes.trimmed(bytes.columns(AtomLine.symbol, of: line))
        let isInColumns =
            bytes.isBlank(bytes.columns(AtomLine.blank, of: line))
            && (symbol.isEmpty || !Ascii.isDigit(bytes[symbol.lowerBound])) && !hasTab(line, bytes)
        guard isInColumns, let x = coordinate(bytes.columns(AtomLine.x, of: line), bytes),
            let y = coordinate(bytes.columns(AtomLine.y, of: line), bytes),
            let z = height(line, bytes), line.count > AtomLine.symbol.lowerBound
        else {
            return try atomByWords(line, bytes, index)
        }
        var atom = Atom(.none, at: position(x, y, z))
        name(&atom, by: symbol, on: line, of: bytes)
        try readCodes(line, bytes, &atom, index)
        if line.count < AtomColumn.charge.range.upperBound { remarkShortLine(line, of: bytes) }
        return atom
    }

    /// Removes the sign of negative zeros, which result from rounding and have no meaning. The V2000 writer of Chemopen
    /// omits it too.
    private func position(_ x: Double, _ y: Double, _ z: Double) -> Position {
        Position(x + 0, y + 0, z + 0)
    }

    @inline(__always)
    private func coordinate(_ columns: Range<Int>, _ bytes: Span<UInt8>) -> Double? {
        if columns.count == AtomLine.x.count {
            let usual = TenColumns.tenThousandths(bytes, at: columns.lowerBound)
            if usual != TenColumns.none { return Double(usual) / 10_000 }
        }
        return Numeral.decimal(bytes, bytes.trimmed(columns))
    }

    /// Returns the z coordinate. Blank columns are 0, because some writers omit the coordinate.
    private func height(_ line: Range<Int>, _ bytes: Span<UInt8>) -> Double? {
        let columns = bytes.columns(AtomLine.z, of: line)
        return coordinate(columns, bytes) ?? (bytes.isBlank(columns) ? 0 : nil)
    }

    private func hasTab(_ line: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        firstIndex(of: Ascii.tab, in: bytes, from: line.lowerBound, to: line.upperBound) != nil
    }

    /// Reads an atom line by tokens, regardless of columns: three numbers, a symbol and codes.
    private mutating func atomByWords(
        _ line: Range<Int>, _ bytes: Span<UInt8>, _ index: Int
    ) throws(Fault) -> Atom {
        if let atom = try atomBehindWideCoordinates(line, bytes, index) { return atom }
        let words = bytes.words(line)
        guard words.count >= 4, let x = Self.looseNumber(words[0], bytes), let y = Self.looseNumber(words[1], bytes),
            let z = Self.looseNumber(words[2], bytes), !Ascii.isDigit(bytes[words[3].lowerBound])
        else {
            throw Fault(line: currentLine, faultyColumns(line, bytes), expected: "an atom line: x, y, z and a symbol")
        }
        doubt(line, of: bytes, "the fields of the atom are not in their columns; split at blanks")
        var atom = Atom(.none, at: position(x, y, z))
        name(&atom, by: words[3], on: line, of: bytes)
        for (field, word) in zip(AtomColumn.allCases, words.dropFirst(4)) {
            guard let code = bytes.integer(word) else { break }
            if code != 0, !take(field, code, &atom, index) {
                doubt(line, of: bytes, "the code \(code) is undefined; read as 0")
            }
        }
        return atom
    }

    /// Reads an atom line with coordinates wider than ten columns, which shift the rest of the line to the right. The
    /// coordinates may touch; each ends with its fourth decimal.
    private mutating func atomBehindWideCoordinates(
        _ line: Range<Int>, _ bytes: Span<UInt8>, _ index: Int
    ) throws(Fault) -> Atom? {
        var at = line.lowerBound
        var coordinates: [Double] = []
        while coordinates.count < 3 {
            let point = firstIndex(of: Ascii.point, in: bytes, from: at, to: line.upperBound) ?? line.upperBound
            guard point + 5 <= line.upperBound, point - at >= 5,
                let coordinate = Numeral.decimal(bytes, bytes.trimmed(at..<point + 5))
            else { return nil }
            coordinates.append(coordinate)
            at = point + 5
        }
        let shift = at - line.lowerBound - AtomLine.z.upperBound
        let shifted = line.lowerBound + shift..<line.upperBound
        let symbol = bytes.trimmed(bytes.columns(AtomLine.symbol, of: shifted))
        guard shift > 0, at < line.upperBound, bytes[at] == Ascii.blank, !symbol.isEmpty,
            !Ascii.isDigit(bytes[symbol.lowerBound])
        else { return nil }
        doubt(line, of: bytes, "the coordinates are wider than ten columns; read in full")
        var atom = Atom(.none, at: position(coordinates[0], coordinates[1], coordinates[2]))
        name(&atom, by: symbol, on: shifted, of: bytes)
        try readCodes(shifted, bytes, &atom, index)
        return atom
    }

    /// Returns the columns of the first invalid coordinate, or the entire line.
    private func faultyColumns(_ line: Range<Int>, _ bytes: Span<UInt8>) -> Range<Int> {
        for columns in [AtomLine.x, AtomLine.y, AtomLine.z] {
            let part = bytes.columns(columns, of: line)
            if part.isEmpty { return 0..<line.count }
            if Numeral.decimal(bytes, bytes.trimmed(part)) == nil {
                return columns.lowerBound..<min(columns.upperBound, line.count)
            }
        }
        return 0..<line.count
    }

    /// Returns a number that may have a decimal comma. Values such as `NaN` are read as 0.
    static func looseNumber(_ word: Range<Int>, _ bytes: Span<UInt8>) -> Double? {
        if let number = Numeral.decimal(bytes, word) { return number }
        var text = bytes.bytes(word)
        if let comma = text.firstIndex(of: Ascii.comma) {
            text[comma] = Ascii.point
            return Numeral.decimal(text.span, 0..<text.count)
        }
        return isBeyondNumbers(text) ? 0 : nil
    }

    /// Whether a text is `NaN`, `Inf`, or a number with an exponent that is too large.
    private static func isBeyondNumbers(_ text: [UInt8]) -> Bool {
        var text = text.map(Ascii.lower)[...]
        if text.first == Ascii.minus || text.first == Ascii.plus { text.removeFirst() }
        if ["nan", "inf", "infinity"].contains(where: { text.elementsEqual($0.utf8) }) { return true }
        guard let mark = text.firstIndex(of: 0x65) else { return false }
        let (mantissa, exponent) = (Array(text[..<mark]), Array(text[(mark + 1)...]))
        return Numeral.decimal(mantissa.span, 0..<mantissa.count) != nil
            && exponent.span.integer(0..<exponent.count) != nil
    }

    // MARK: Atom codes

    private mutating func readCodes(
        _ line: Range<Int>, _ bytes: Span<UInt8>, _ atom: inout Atom, _ index: Int
    ) throws(Fault) {
        if bytes.areZero(AtomLine.codes.lowerBound..., of: line) { return }
        var next = AtomColumn(rawValue: 0)
        while let field = next {
            next = AtomColumn(rawValue: field.rawValue &+ 1)
            let columns = field.range
            if columns.lowerBound >= line.count { return }
            let part = bytes.columns(columns, of: line)
            if bytes.isUsualZero(part) { continue }
            if let code = bytes.code(part) {
                if code != 0, !take(field, code, &atom, index) {
                    doubt(
                        line, of: bytes, columns: columns.clamped(to: 0..<line.count),
                        "the code is undefined; read as 0")
                }
            } else if field == .charge {
                throw Fault(line: currentLine, AtomColumn.charge.range, expected: "a whole number")
            } else {
                doubt(line, of: bytes, columns: columns.clamped(to: 0..<line.count), "not a whole number; read as 0")
            }
        }
    }

    /// Applies a nonzero code; returns `false` if the code is undefined.
    private mutating func take(
        _ field: AtomColumn, _ code: Int, _ atom: inout Atom, _ index: Int
    ) -> Bool {
        switch field {
        case .massDifference:
            if atom.isotope == 0, atom.element != .none {
                atom.isotope = UInt16(clamping: atom.element.roundedWeight + code)
                codes.hasMassDifferences = true
            }
        case .charge:
            if code == 4 {
                atom.radical = .doublet
                codes.hasChargeCodes = true
            } else if (1...7).contains(code) {
                atom.charge = Int16(4 - code)
                codes.hasChargeCodes = true
            } else {
                return false
            }
        case .parity:
            guard (1...3).contains(code) else { return false }
            atom.marks.parity = code
        case .stereoCare: atom.marks.insert(.stereoCare)
        case .map: atom.mapNumber = Int32(clamping: code)
        case .inversion:
            if code == 1 { atom.marks.insert(.inverts) }
            if code == 2 { atom.marks.insert(.retains) }
        case .exactChange: atom.marks.insert(.exactChange)
        case .hydrogens, .valence, .fixedHydrogens, .component, .componentNumber:
            guard case .code(let term) = AtomTerm.term(ofColumn: field)?.content,
                let note = term.note(forColumn: code).note
            else { return false }
            codes.notes.append(Indexed(index, note))
        }
        return true
    }

    // MARK: Bonds

    private mutating func readBonds(_ bytes: Span<UInt8>, _ counts: CountsLine) throws(Fault) {
        var bonds = draft.molecule.bonds
        draft.molecule.bonds = []
        defer { draft.molecule.bonds = bonds }
        let shortestLine = 6
        bonds.reserveCapacity(min(counts.bonds, (lines.end &- lines.position) / shortestLine))
        let atomCount = draft.molecule.atoms.count
        var dropped: [Int] = []
        let isPlain = !lines.hasCarriageReturns && lines.end <= bytes.count
        var length = lengthOfNextLine(bytes)
        var taken = 0
        while taken < counts.bonds || isSurplusBond(taken, counts, bytes, atomCount) {
            let start = lines.position
            let added =
                isPlain
                ? PlainLine.addBonds(
                    max(1, counts.bonds &- taken), at: start, length: length, before: lines.end, atoms: atomCount,
                    of: bytes, to: &bonds) : 0
            if added > 0 {
                lines.take(added, upTo: start &+ added &* (length &+ 1) &- 1)
                taken &+= added
                continue
            }
            guard let line = lines.peek(in: bytes), !isEndOfBonds(line, bytes) else {
                noteShortCount("bonds", counts.bonds, taken)
                break
            }
            if line.count != length {
                length = line.count
                continue
            }
            lines.takeSeen(line, in: bytes)
            if taken == 0, isAtomLine(line, bytes) {
                doubt(line, of: bytes, "more atoms than announced; read as an additional atom")
                let atom = try atom(on: line, bytes, draft.molecule.atoms.count)
                draft.molecule.atoms.append(atom)
                continue
            }
            if let bond = try bond(on: line, bytes, draft.molecule.atoms.count) {
                bonds.append(bond)
            } else {
                dropped.append(taken)
            }
            taken &+= 1
        }
        let numbering = ledger.dropFaultyBonds(&bonds, of: taken, before: lines.line, alreadyDropped: dropped)
        self.bonds = V2000Bonds(count: bonds.count, numbering: numbering)
    }

    /// Whether a line after the announced bonds can only be another bond.
    private mutating func isSurplusBond(
        _ taken: Int, _ counts: CountsLine, _ bytes: Span<UInt8>, _ atomCount: Int
    ) -> Bool {
        // The end of the block usually has this form, which can be recognized without searching for the end of the
        // line.
        if lines.position < bytes.count, bytes[lines.position] == 0x4D { return false }
        guard let line = lines.peek(in: bytes), (9...21).contains(line.count), counts.textEntries == 0 else {
            return false
        }
        let limits = [
            (BondColumn.first.range, atomCount), (BondColumn.second.range, atomCount), (BondColumn.order.range, 10),
        ]
        for (columns, largest) in limits {
            guard let number = bytes.integer(bytes.columns(columns, of: line)), number > 0, number <= largest else {
                return false
            }
        }
        if taken == counts.bonds {
            ledger.doubt(at: lines.line, "more bonds than announced; all are read")
        }
        return true
    }

    /// Whether a line cannot be a bond line. If so, the block has fewer bonds than announced.
    private func isEndOfBonds(_ line: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        if line.isEmpty { return false }
        let first = bytes[line.lowerBound]
        if first == 0x4D || first == 0x6D || first == Ascii.greater || first == Ascii.dollar { return true }
        let isTextLine = first == 0x41 || first == 0x56 || first == 0x47 || first == 0x53
        return isTextLine && bytes.isBlank(bytes.columns(1..<3, of: line))
            || V2000PropertyReader.isListLine(line, bytes)
    }

    /// Whether the decimal points of three coordinates are in their columns.
    private func isAtomLine(_ line: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        guard line.count > AtomLine.symbol.lowerBound else { return false }
        let start = line.lowerBound
        return bytes[start + 5] == Ascii.point && bytes[start + 15] == Ascii.point && bytes[start + 25] == Ascii.point
    }

    /// Reads a bond line by columns; `nil` if the bond is impossible.
    private mutating func bond(
        on line: Range<Int>, _ bytes: Span<UInt8>, _ atomCount: Int
    ) throws(Fault) -> Bond? {
        if let bond = usualBond(on: line, bytes, atomCount) { return bond }
        var codes: [7 of Int] = .init(repeating: 0)
        var count = 0
        while let field = BondColumn(rawValue: count), let code = bytes.code(bytes.columns(field.range, of: line)) {
            codes[count] = code
            count &+= 1
        }
        let isInColumns =
            count == BondColumn.count && line.count >= BondColumn.order.range.upperBound
            && min(codes[0], codes[1]) >= 1 && max(codes[0], codes[1]) <= atomCount && !hasTab(line, bytes)
        if !isInColumns { try readWords(&codes, count, line, bytes, atomCount) }
        guard min(codes[0], codes[1]) >= 1, max(codes[0], codes[1]) <= atomCount else {
            doubt(line, of: bytes, "the bond refers to an atom that does not exist; omitted")
            return nil
        }
        var bond = Bond(codes[0] - 1, codes[1] - 1)
        bond.order = order(codes[2], line, bytes)
        bond.mark = mark(codes[3], line, bytes)
        for term in BondTerm.all {
            guard let column = term.column, codes[column.rawValue] != 0 else { continue }
            take(codes[column.rawValue], as: term, in: column, of: &bond, line, bytes)
        }
        return bond
    }

    /// Applies a nonzero code.
    private mutating func take(
        _ code: Int, as term: BondTerm, in column: BondColumn, of bond: inout Bond, _ line: Range<Int>,
        _ bytes: Span<UInt8>
    ) {
        if term.range.contains(code) { return term.set(&bond, code) }
        doubt(line, of: bytes, columns: column.range, "the code \(code) is undefined; read as 0")
    }

    /// Returns the bond of a line with integers at any position in their columns, and only zeros after the stereo
    /// code.
    @inline(__always)
    private func usualBond(on line: Range<Int>, _ bytes: Span<UInt8>, _ atomCount: Int) -> Bond? {
        guard line.count >= BondColumn.mark.range.upperBound,
            bytes.areZero(BondColumn.unused.range.lowerBound..., of: line)
        else {
            return nil
        }
        let start = line.lowerBound
        let atoms = ThreeColumns.twoNumbersAnywhere(loadWord(bytes, at: start &+ BondColumn.first.range.lowerBound))
        let codes = ThreeColumns.twoNumbersAnywhere(
            loadWord(bytes, at: start &+ BondColumn.mark.range.upperBound &- 8) &>> 16)
        let limit = UInt32(clamping: atomCount)
        guard atoms.0 &- 1 < limit, atoms.1 &- 1 < limit, let order = Bond.Order(mdlType: Int(codes.0)),
            let mark = Bond.Mark(mdlCode: Int(codes.1))
        else { return nil }
        var bond = Bond(from: Int32(bitPattern: atoms.0 &- 1), to: Int32(bitPattern: atoms.1 &- 1), order)
        bond.mark = mark
        return bond
    }

    /// Reads a bond line by tokens if its columns are invalid.
    ///
    /// - Parameter inColumns: The number of columns that contain numbers.
    private mutating func readWords(
        _ codes: inout [7 of Int], _ inColumns: Int, _ line: Range<Int>, _ bytes: Span<UInt8>, _ atomCount: Int
    ) throws(Fault) {
        let words = bytes.words(line)
        let numbers = words.compactMap { bytes.integer($0) }
        let areAtoms = numbers.prefix(2).allSatisfy { $0 >= 1 && $0 <= atomCount }
        let isNarrow = words.allSatisfy { $0.count <= 3 }
        if 3...8 ~= words.count, numbers.count == words.count,
            inColumns < BondColumn.count || isNarrow && areAtoms
        {
            for field in 0..<BondColumn.count { codes[field] = field < numbers.count ? numbers[field] : 0 }
            doubt(line, of: bytes, "the fields of the bond are not in their columns; split at blanks")
        } else if inColumns < 3, let field = BondColumn(rawValue: inColumns) {
            throw Fault(line: currentLine, field.range, expected: "a bond line: two atoms and a type")
        }
    }

    private mutating func order(_ code: Int, _ line: Range<Int>, _ bytes: Span<UInt8>) -> Bond.Order {
        if let order = Bond.Order(mdlType: code) { return order }
        doubt(
            line, of: bytes, columns: BondColumn.order.range,
            code == 0 ? "MDL has no bond type 0; read as order zero" : "an unknown bond type; read as any")
        return code == 0 ? .zero : .any
    }

    private mutating func mark(_ code: Int, _ line: Range<Int>, _ bytes: Span<UInt8>) -> Bond.Mark {
        if let mark = Bond.Mark(mdlCode: code) { return mark }
        doubt(line, of: bytes, columns: BondColumn.mark.range, "an unknown bond stereo code; ignored")
        return .none
    }
}

extension V2000TableReader {
    /// The number of the line that was read last, counted from 0 in this cursor.
    private var currentLine: Int { lines.line &- 1 }

    /// Adds a warning about the line that was read last.
    private mutating func doubt(
        _ line: Range<Int>, of bytes: Span<UInt8>, columns: Range<Int>? = nil, _ message: String
    ) {
        ledger.doubt(line, at: currentLine, of: bytes, columns: columns, message)
    }

    /// Adds a remark that atom lines end early, once for each table.
    private mutating func remarkShortLine(_ line: Range<Int>, of bytes: Span<UInt8>) {
        if hasToldShortLines { return }
        hasToldShortLines = true
        ledger.doubt(
            line, at: currentLine, of: bytes, "the atom lines end early; missing fields are read as 0",
            severity: .remark)
    }

    /// Sets the element of an atom, or its label. Control characters are removed from the symbol.
    private mutating func name(_ atom: inout Atom, by symbol: Range<Int>, on line: Range<Int>, of bytes: Span<UInt8>) {
        if symbol.contains(where: { bytes[$0] < Ascii.blank || bytes[$0] == 0x7F }) {
            doubt(line, of: bytes, "control characters in the symbol; omitted")
            let cleaned = bytes.bytes(symbol).filter { $0 > Ascii.blank && $0 != 0x7F }
            return name(&atom, by: 0..<cleaned.count, on: 0..<cleaned.count, of: cleaned.span)
        }
        switch AtomSymbol(symbol, of: bytes) {
        case .element(let element):
            atom.element = element
        case .hydrogenIsotope(let mass):
            atom.element = .hydrogen
            atom.isotope = mass
            atom.label = draft.molecule.place(ofLabel: Text(bytes: bytes.bytes(symbol)))
        case .misspelled(let element):
            atom.element = element
            doubt(
                line, of: bytes, columns: symbol.lowerBound - line.lowerBound..<symbol.upperBound - line.lowerBound,
                "a misspelled element; read as \(element.symbol)")
        case .label:
            atom.label = draft.molecule.place(ofLabel: Text(bytes: bytes.bytes(symbol)))
            if symbol.isEmpty { doubt(line, of: bytes, "the atom has no symbol; read as an atom without a label") }
        }
    }
}

extension Span where Element == UInt8 {
    /// Returns the number in a field; blanks and zeros in any order are 0. The result is `nil` if it is not a number.
    @inline(__always)
    fileprivate func code(_ range: Range<Int>) -> Int? {
        if let number = integer(range) { return number }
        for index in range where self[index] | 0x10 != Ascii.zero { return nil }
        return 0
    }

    /// Whether three columns contain zero in its most frequent form: two blanks and the digit.
    @inline(__always)
    fileprivate func isUsualZero(_ range: Range<Int>) -> Bool {
        range.count == 3 && self[range.lowerBound] == Ascii.blank && self[range.lowerBound &+ 1] == Ascii.blank
            && self[range.lowerBound &+ 2] == Ascii.zero
    }

    /// Whether a line contains only blanks and zeros from a column on. At least eight columns must precede it.
    @inline(__always)
    fileprivate func areZero(_ columns: PartialRangeFrom<Int>, of line: Range<Int>) -> Bool {
        let start = line.lowerBound &+ columns.lowerBound
        return start >= line.upperBound || ZeroColumns.areZero(self, from: start, to: line.upperBound)
    }
}

/// The codes of a V2000 atom block that property lines may override, or that are applied after the property lines.
struct V2000Codes {
    /// The notes of the atom block, in the order of the atoms.
    var notes: [Indexed<AtomNote>] = []
    var hasMassDifferences = false
    var hasChargeCodes = false
}

/// Maps bond numbers in a V2000 file to indices in the molecule.
struct V2000Bonds {
    var count = 0
    /// The index of each bond in the file, -1 for omitted bonds; empty if no bond was omitted.
    var numbering: [Int32] = []

    /// Returns the index of a bond from its number in the file.
    func index(_ number: Int) -> Int32? {
        if numbering.isEmpty { return (1...max(1, count)).contains(number) && count > 0 ? Int32(number - 1) : nil }
        guard numbering.indices.contains(number - 1), numbering[number - 1] >= 0 else { return nil }
        return numbering[number - 1]
    }
}
