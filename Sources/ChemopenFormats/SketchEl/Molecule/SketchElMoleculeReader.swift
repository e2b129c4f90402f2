import ChemopenBytes
import ChemopenModel

/// Reads a molecule in SketchEl's format from a file, a cell of a sheet or an abbreviation.
///
///     SketchEl!(2,1)
///     C=0.0000,0.0000;0,0,i3
///     O=1.2990,0.7500;0,0,i1
///     1-2=1,0
///     !End
///
/// Lines are identified by their position, because an atom can have the label `!End`. A line in the usual form is read
/// in one step, any other line by its separators.
struct SketchElMoleculeReader {
    var draft: SketchElDraft
    /// The last fields that were preserved and their notes. The atoms and bonds of a group often have the same field.
    var lastAtomField: (text: Range<Int>, note: AtomNote)?
    var lastBondField: (text: Range<Int>, note: BondNote)?
    var lines: LineCursor
    /// The number of abbreviations around this molecule.
    let depth: Int

    /// - Parameter molecule: an unused molecule, for its memory.
    init(into molecule: consuming Molecule = Molecule(), firstLine: Int = 1, depth: Int = 0) {
        let nothing: [UInt8] = []
        lines = LineCursor(0..<0, of: nothing.span)
        draft = SketchElDraft(molecule, firstLine: firstLine)
        self.depth = depth
    }

    /// Reads the molecule at the start of a range. Ignores text after its end tag.
    mutating func read(_ text: Range<Int>, of bytes: Span<UInt8>) throws(Fault) {
        draft.begin()
        lines = LineCursor(text, of: bytes)
        if let counts = lines.takePlainHeader(bytes) {
            try readSketchEl(counts, bytes)
            return
        }
        guard let (generation, line) = findStart(bytes) else {
            throw Fault(line: 0, expected: "a line that begins with SketchEl!( or Elements!(")
        }
        let counts = try header(line, of: bytes)
        switch generation {
        case .sketchEl: try readSketchEl(counts, bytes)
        case .elements:
            try readElements(counts, bytes)
            settle()
        }
    }

    private mutating func readSketchEl(_ counts: SketchElMolecule.Counts, _ bytes: Span<UInt8>) throws(Fault) {
        try readAtoms(counts.atoms, bytes)
        try readBonds(counts.bonds, bytes)
        if !lines.isAtPlainEnd(bytes) { try readEnd(bytes) }
        settle()
    }

    var molecule: Molecule { draft.molecule }

    var issues: [Issue] { draft.issues }

    /// Returns the molecule and removes it from the reader.
    mutating func takeMolecule() -> Molecule {
        exchange(&draft.molecule, with: Molecule())
    }

    // MARK: The first line

    enum Generation {
        case sketchEl, elements
    }

    /// Finds the first line of the molecule. Blank lines, a molfile or the text of an e-mail can precede it.
    private mutating func findStart(_ bytes: Span<UInt8>) -> (Generation, Range<Int>)? {
        var isEmbedded = false
        if bytes.range(lines.position..<lines.end, begins: "\u{FEFF}") { lines.position += 3 }
        while let line = lines.next(in: bytes) {
            let text = bytes.trimmed(line)
            if text.isEmpty { continue }
            if let generation = Self.generation(text, of: bytes) {
                if isEmbedded { doubt(line, of: bytes, "skipped text before the molecule") }
                return (generation, text)
            }
            isEmbedded = true
        }
        return nil
    }

    /// Returns the generation that a first line specifies. A fork of 2005 used the name WIMSchem.
    static func generation(_ line: Range<Int>, of bytes: Span<UInt8>) -> Generation? {
        if bytes.range(line, begins: "SketchEl!(") || bytes.range(line, begins: "WIMSchem!(") { return .sketchEl }
        return bytes.range(line, begins: "Elements!(") ? .elements : nil
    }

    /// Reads the counts between the parentheses. Text after them is ignored.
    private mutating func header(_ line: Range<Int>, of bytes: Span<UInt8>) throws(Fault) -> SketchElMolecule.Counts {
        let open = (firstIndex(of: 0x28, in: bytes, from: line.lowerBound, to: line.upperBound) ?? line.lowerBound) + 1
        guard let close = firstIndex(of: 0x29, in: bytes, from: open, to: line.upperBound),
            let comma = firstIndex(of: Ascii.comma, in: bytes, from: open, to: close),
            let atoms = Numeral.whole(bytes, bytes.trimmed(open..<comma)), atoms >= 0,
            let bonds = Numeral.whole(bytes, bytes.trimmed(comma + 1..<close)), bonds >= 0
        else { throw fault(line, in: line, expected: "the numbers of atoms and bonds, in parentheses") }
        return SketchElMolecule.Counts(atoms: atoms, bonds: bonds)
    }

    // MARK: Atoms

    private mutating func readAtoms(_ count: Int, _ bytes: Span<UInt8>) throws(Fault) {
        var left = count
        while left > 0 {
            let (rest, next) = lines.takePlainAtoms(left, bytes, into: &draft.molecule)
            left = rest &- 1
            if rest == 0 { return }
            let lineStart = lines.position
            if let next, let fields = lines.take(next, bytes, into: &draft.molecule) {
                if !fields.isEmpty { readFields(fields, on: lineStart..<fields.upperBound, bytes) }
                continue
            }
            guard let line = lines.next(in: bytes) else { throw fault(expected: "a line for each atom") }
            try readAtom(line, bytes)
        }
    }

    /// Reads an atom line by its separators.
    private mutating func readAtom(_ line: Range<Int>, _ bytes: Span<UInt8>) throws(Fault) {
        guard let equals = firstIndex(of: Ascii.equals, in: bytes, from: line.lowerBound, to: line.upperBound) else {
            throw fault(line, in: line, expected: "an atom: label=x,y;charge,unpaired")
        }
        guard let semicolon = firstIndex(of: 0x3B, in: bytes, from: equals, to: line.upperBound) else {
            throw fault(equals..<line.upperBound, in: line, expected: "a semicolon before the charge")
        }
        var atom = Atom(.none)
        let label = name(&atom, bytes.trimmed(line.lowerBound..<equals), bytes)
        atom.position = try position(equals + 1..<semicolon, in: line, bytes)
        var rest = semicolon + 1..<line.upperBound
        atom.charge = try takeWhole(&rest, in: line, bytes, expected: "a charge")
        let unpaired: Int32 = try takeWhole(&rest, in: line, bytes, expected: "a number of unpaired electrons")
        atom.radical = .unpaired(Int(unpaired))
        if unpaired < 0 { doubt(line, of: bytes, "no atom has \(unpaired) unpaired electrons; read as none") }
        draft.molecule.atoms.append(atom)
        readFields(rest, on: line, bytes)
        if let label { setLabel(label, line, bytes) }
    }

    private mutating func readFields(_ fields: Range<Int>, on line: Range<Int>, _ bytes: Span<UInt8>) {
        var rest = fields
        while !rest.isEmpty {
            let field = bytes.trimmed(takePiece(&rest, bytes))
            if !field.isEmpty { readField(field, on: line, bytes) }
        }
    }

    /// Returns the text up to the next comma, and moves past the comma.
    private func takePiece(_ rest: inout Range<Int>, _ bytes: Span<UInt8>) -> Range<Int> {
        let comma = firstIndex(of: Ascii.comma, in: bytes, from: rest.lowerBound, to: rest.upperBound)
        let piece = rest.lowerBound..<(comma ?? rest.upperBound)
        rest = (comma.map { $0 + 1 } ?? rest.upperBound)..<rest.upperBound
        return piece
    }

    /// Reads a coordinate up to the next comma, and moves past the comma.
    @inline(__always)
    private func takeCoordinate(
        _ rest: inout Range<Int>, in line: Range<Int>, _ bytes: Span<UInt8>
    ) throws(Fault) -> Double {
        var at = rest.lowerBound
        if let value = Numeral.decimal(bytes, at: &at), at <= rest.upperBound,
            at == rest.upperBound || bytes[at] == Ascii.comma
        {
            rest = min(at &+ 1, rest.upperBound)..<rest.upperBound
            return value
        }
        return try coordinate(takePiece(&rest, bytes), in: line, bytes)
    }

    /// Reads an unsigned integer before a delimiter, and moves past the delimiter. Returns `nil` if the text has
    /// another form.
    @inline(__always)
    private func takeNumber(_ rest: inout Range<Int>, before mark: UInt8, _ bytes: Span<UInt8>) -> Int? {
        var at = rest.lowerBound
        while at < rest.upperBound, Ascii.isBlank(bytes[at]) { at &+= 1 }
        let number = Numeral.whole(bytes, at: &at)
        while at < rest.upperBound, Ascii.isBlank(bytes[at]) { at &+= 1 }
        guard number >= 0, at < rest.upperBound, bytes[at] == mark else { return nil }
        rest = at &+ 1..<rest.upperBound
        return number
    }

    /// Reads two coordinates, or three, which the description of the format permits.
    private mutating func position(
        _ range: Range<Int>, in line: Range<Int>, _ bytes: Span<UInt8>
    ) throws(Fault) -> Position {
        var rest = range
        var position = Position()
        position.x = try takeCoordinate(&rest, in: line, bytes)
        position.y = try takeCoordinate(&rest, in: line, bytes)
        if !rest.isEmpty {
            position.z = try coordinate(rest, in: line, bytes)
            draft.molecule.flags.insert(.threeDimensional)
            doubt(line, of: bytes, "a third coordinate before the semicolon; read as z")
        }
        return position
    }

    func coordinate(_ range: Range<Int>, in line: Range<Int>, _ bytes: Span<UInt8>) throws(Fault) -> Double {
        guard let value = Numeral.decimal(bytes, bytes.trimmed(range)) else {
            throw fault(range, in: line, expected: "a coordinate")
        }
        return value
    }

    /// Reads an integer up to the next comma, and moves past the comma.
    @inline(__always)
    private func takeWhole<Value: FixedWidthInteger>(
        _ rest: inout Range<Int>, in line: Range<Int>, _ bytes: Span<UInt8>, expected: StaticString
    ) throws(Fault) -> Value {
        var behind = rest
        if let number = takeNumber(&behind, before: Ascii.comma, bytes), let value = Value(exactly: number) {
            rest = behind
            return value
        }
        return try wholeNumber(takePiece(&rest, bytes), in: line, bytes, expected: expected)
    }

    func wholeNumber<Value: FixedWidthInteger>(
        _ range: Range<Int>, in line: Range<Int>, _ bytes: Span<UInt8>, expected: StaticString
    ) throws(Fault) -> Value {
        guard let number = Numeral.whole(bytes, bytes.trimmed(range)), let value = Value(exactly: number) else {
            throw fault(range, in: line, expected: expected)
        }
        return value
    }

    // MARK: Bonds

    private mutating func readBonds(_ count: Int, _ bytes: Span<UInt8>) throws(Fault) {
        var left = count
        while left > 0 {
            let (rest, next) = lines.takePlainBonds(left, bytes, into: &draft.molecule)
            left = rest &- 1
            if rest == 0 { return }
            if let next, let fields = lines.take(next, bytes, into: &draft.molecule) {
                readBondFields(fields, bytes)
                continue
            }
            guard let line = lines.next(in: bytes) else { throw fault(expected: "a line for each bond") }
            try readBond(line, bytes)
        }
    }

    private mutating func readBond(_ line: Range<Int>, _ bytes: Span<UInt8>) throws(Fault) {
        var rest = try bondEnds(line, bytes)
        guard var bond = rest.bond else { return }
        let order = takePiece(&rest.range, bytes)
        bond.order = try self.order(order, greatest: 6, in: line, bytes)
        if rest.range.isEmpty { doubt(line, of: bytes, "the bond has no type; read as type 0") }
        let type = bytes.trimmed(takePiece(&rest.range, bytes))
        draft.molecule.bonds.append(bond)
        if !type.isEmpty { try setType(type, in: line, bytes) }
        readBondFields(rest.range, bytes)
    }

    private mutating func readBondFields(_ fields: Range<Int>, _ bytes: Span<UInt8>) {
        var rest = fields
        while !rest.isEmpty {
            let field = bytes.trimmed(takePiece(&rest, bytes))
            if !field.isEmpty { readBondField(field, bytes) }
        }
    }

    /// Reads the two atoms of a bond line, and returns the text after the equals sign as well. There is no bond if both
    /// atoms are the same.
    mutating func bondEnds(
        _ line: Range<Int>, _ bytes: Span<UInt8>
    ) throws(Fault) -> (bond: Bond?, range: Range<Int>) {
        var rest = line
        if let from = takeNumber(&rest, before: Ascii.minus, bytes),
            let to = takeNumber(&rest, before: Ascii.equals, bytes),
            from != to, min(from, to) >= 1, max(from, to) <= draft.molecule.atoms.count
        {
            return (Bond(from - 1, to - 1), rest)
        }
        guard let equals = firstIndex(of: Ascii.equals, in: bytes, from: line.lowerBound, to: line.upperBound),
            let dash = firstIndex(of: Ascii.minus, in: bytes, from: line.lowerBound, to: equals)
        else { throw fault(line, in: line, expected: "a bond: from-to=order,type") }
        let from = try atom(line.lowerBound..<dash, in: line, bytes)
        let to = try atom(dash + 1..<equals, in: line, bytes)
        rest = equals + 1..<line.upperBound
        if from == to {
            doubt(line, of: bytes, "a bond from an atom to itself; ignored")
            return (nil, rest)
        }
        return (Bond(from, to), rest)
    }

    /// Returns the index of the atom with a number.
    private func atom(_ range: Range<Int>, in line: Range<Int>, _ bytes: Span<UInt8>) throws(Fault) -> Int {
        guard let number = Numeral.whole(bytes, bytes.trimmed(range)), number >= 1, number <= draft.molecule.atoms.count
        else { throw fault(range, in: line, expected: "the number of an atom") }
        return number - 1
    }

    func order(
        _ range: Range<Int>, greatest: Int, in line: Range<Int>, _ bytes: Span<UInt8>
    ) throws(Fault) -> Bond.Order {
        guard let order = Numeral.whole(bytes, bytes.trimmed(range)), 0...greatest ~= order,
            let order = Bond.Order(rawValue: UInt8(order))
        else { throw fault(range, in: line, expected: "a bond order from 0 to 6") }
        return order
    }

    /// Sets the type of a bond. A type above 3 is unsupported, and its number is preserved.
    private mutating func setType(_ range: Range<Int>, in line: Range<Int>, _ bytes: Span<UInt8>) throws(Fault) {
        let type: Int32 = try wholeNumber(range, in: line, bytes, expected: "a bond type")
        let bond = draft.molecule.bonds.count - 1
        if let mark = Bond.Mark(rawValue: UInt8(clamping: type)), type >= 0 {
            draft.molecule.bonds[bond].mark = mark
        } else {
            let text = Text(bytes: bytes.bytes(range))
            draft.withRare { $0.verbatim.append(Verbatim(.sketchEl, of: .bond(Int32(clamping: bond)), text)) }
        }
    }

    // MARK: The end

    /// Reads the last line, which can be missing or outdated. Any other text in its position is an error.
    private mutating func readEnd(_ bytes: Span<UInt8>) throws(Fault) {
        var blanks = 0
        while let line = lines.next(in: bytes) {
            let text = bytes.trimmed(line)
            if text.isEmpty {
                blanks += 1
                continue
            }
            if bytes.range(text, begins: "!End") {
                if blanks > 0 { doubt(line, of: bytes, "an empty line before !End") }
            } else if bytes.range(text, begins: "!FIN") {
                doubt(line, of: bytes, "the end tag of an old program")
            } else {
                throw fault(line, in: line, expected: "!End after the specified number of atoms and bonds")
            }
            return
        }
        draft.issues.note(Issue(line: draft.firstLine &+ lines.line, "no !End after the last line"))
    }

    /// Completes the molecule and interprets its fields.
    private mutating func settle() {
        draft.settle()
        ForeignFieldsReader.translate(&draft.molecule)
        draft.setWithoutCoordinates()
    }

    // MARK: Errors and issues

    /// The last line that was read, counted from 0.
    var currentLine: Int { lines.line &- 1 }

    func fault(_ range: Range<Int>, in line: Range<Int>, expected: StaticString) -> Fault {
        let start = max(0, range.lowerBound - line.lowerBound)
        return Fault(line: currentLine, start..<max(start, range.upperBound - line.lowerBound), expected: expected)
    }

    /// Returns an error for text that ends too early.
    func fault(expected: StaticString) -> Fault { Fault(line: lines.line, expected: expected) }

    mutating func doubt(_ line: Range<Int>, of bytes: Span<UInt8>, _ message: String) {
        let shown = Text(bytes: bytes.bytes(line.lowerBound..<min(line.upperBound, line.lowerBound &+ 200)))
        draft.issues.note(Issue(line: draft.firstLine &+ currentLine, message, found: shown))
    }
}
