import ChemopenBytes
import ChemopenModel

// The second generation of SketchEl's format, "Elements!": different escapes, different letters, and fields with
// several lines.

extension SketchElMoleculeReader {
    /// Reads the text after the first line.
    mutating func readElements(_ counts: SketchElMolecule.Counts, _ bytes: Span<UInt8>) throws(Fault) {
        draft.molecule.atoms.reserveCapacity(min(counts.atoms, (lines.end - lines.position) / 6 + 1))
        for _ in 0..<counts.atoms { try readElementsAtom(try nextElementsLine(bytes), bytes) }
        for _ in 0..<counts.bonds { try readElementsBond(try nextElementsLine(bytes), bytes) }
        guard let line = lines.next(in: bytes), bytes.range(line, begins: "!End") else {
            throw fault(expected: "!End after the specified number of atoms and bonds")
        }
    }

    private mutating func nextElementsLine(_ bytes: Span<UInt8>) throws(Fault) -> Range<Int> {
        guard let line = lines.next(in: bytes) else { throw fault(expected: "a line for each atom and bond") }
        return line
    }

    /// Reads an atom: `label=x,y` and fields.
    private mutating func readElementsAtom(_ line: Range<Int>, _ bytes: Span<UInt8>) throws(Fault) {
        var scanner = ElementsPieces(line)
        let label = try piece(&scanner, line, bytes)
        guard scanner.separator == Ascii.equals else { throw fault(line, in: line, expected: "an atom: label=x,y") }
        let x = try takeRange(&scanner, line, bytes)
        let y = try takeRange(&scanner, line, bytes)
        var atom = Atom(.none)
        atom.position = Position(try coordinate(x, in: line, bytes), try coordinate(y, in: line, bytes))
        let element = ChemicalElement(inSketchEl: label.span, 0..<label.count)
        atom.element = element ?? .none
        draft.molecule.atoms.append(atom)
        while scanner.hasMore { try readElementsField(try piece(&scanner, line, bytes), line, bytes) }
        while let field = takeBlock(bytes) { try readElementsField(field, line, bytes) }
        if element == nil, draft.molecule.atoms[draft.molecule.atoms.count - 1].label == Atom.noLabel {
            setLabel(Text(bytes: label).inUTF8, line, bytes)
        }
    }

    private mutating func readElementsField(
        _ field: [UInt8], _ line: Range<Int>, _ bytes: Span<UInt8>
    ) throws(Fault) {
        guard let letter = field.first else { return }
        let atom = draft.molecule.atoms.count - 1
        let text = field.span
        let number = Numeral.whole(text, 1..<max(1, field.count))
        switch letter {
        case UInt8(ascii: "z"):
            guard let z = Numeral.decimal(text, 1..<field.count) else {
                throw fault(line, in: line, expected: "a number in a field z")
            }
            setHeight(z)
        case UInt8(ascii: "c"):
            guard let number, let charge = Int16(exactly: number) else {
                throw fault(line, in: line, expected: "a charge in a field c")
            }
            draft.molecule.atoms[atom].charge = charge
        case UInt8(ascii: "u"):
            guard let number else {
                throw fault(line, in: line, expected: "a number of unpaired electrons in a field u")
            }
            draft.molecule.atoms[atom].radical = .unpaired(number)
        case UInt8(ascii: "h"):
            guard let number, 0...127 ~= number else {
                throw fault(line, in: line, expected: "a number of hydrogens in a field h")
            }
            draft.molecule.atoms[atom].hydrogens = .fixed(number)
        case UInt8(ascii: "i"):
            guard let number, let mass = UInt16(exactly: number) else {
                throw fault(line, in: line, expected: "a mass number in a field i")
            }
            draft.molecule.atoms[atom].isotope = mass
        case UInt8(ascii: "m"):
            guard let number, let map = Int32(exactly: number) else {
                throw fault(line, in: line, expected: "a mapping number in a field m")
            }
            draft.molecule.atoms[atom].mapNumber = map
        // If these two fields were preserved as text, their meaning would change when they are written in the first
        // generation.
        case UInt8(ascii: "n") where number.map { Int32(exactly: $0) != nil } ?? false:
            doubt(line, of: bytes, "a field n of the first generation; read as a mapping number")
            draft.molecule.atoms[atom].mapNumber = Int32(clamping: number ?? 0)
        case UInt8(ascii: "e") where number.map { -1...127 ~= $0 } ?? false:
            doubt(line, of: bytes, "a field e of the first generation; read as a number of hydrogens")
            draft.molecule.atoms[atom].hydrogens = number.flatMap { $0 < 0 ? nil : .fixed($0) } ?? .unstated
        case UInt8(ascii: "a") where draft.rare?.abbreviations.last?.atom != Int32(clamping: atom):
            readAbbreviation(Array(field.dropFirst()), on: line, bytes)
        default:
            keep(AtomNote(sketchElField: Text(bytes: field)))
        }
    }

    /// Reads a bond: `from-to=order` and fields. Only the first letter of a stereo mark is significant.
    private mutating func readElementsBond(_ line: Range<Int>, _ bytes: Span<UInt8>) throws(Fault) {
        let (bond, rest) = try bondEnds(line, bytes)
        var scanner = ElementsPieces(rest)
        let order = try takeRange(&scanner, line, bytes)
        guard var bond else { return }
        bond.order = try self.order(order, greatest: 4, in: line, bytes)
        draft.molecule.bonds.append(bond)
        while scanner.hasMore { readElementsBondField(try piece(&scanner, line, bytes)) }
        while let field = takeBlock(bytes) { readElementsBondField(field) }
    }

    private mutating func readElementsBondField(_ field: [UInt8]) {
        let bond = draft.molecule.bonds.count - 1
        switch field.first {
        case nil: return
        case UInt8(ascii: "i"): draft.molecule.bonds[bond].mark = .up
        case UInt8(ascii: "d"): draft.molecule.bonds[bond].mark = .down
        case UInt8(ascii: "u"): draft.molecule.bonds[bond].mark = .either
        default: keepOnBond(BondNote(sketchElField: Text(bytes: field)))
        }
    }

    // MARK: Parts of a line

    private mutating func piece(
        _ scanner: inout ElementsPieces, _ line: Range<Int>, _ bytes: Span<UInt8>
    ) throws(Fault) -> [UInt8] {
        let range = try takeRange(&scanner, line, bytes)
        var text: [UInt8] = []
        var index = range.lowerBound
        while index < range.upperBound {
            if bytes[index] == 0x5C, index + 1 < range.upperBound {
                index += 1
                switch bytes[index] {
                case UInt8(ascii: "n"): text.append(Ascii.lineFeed)
                case UInt8(ascii: "t"): text.append(Ascii.tab)
                default: text.append(bytes[index])
                }
            } else {
                text.append(bytes[index])
            }
            index += 1
        }
        return text
    }

    private func takeRange(
        _ scanner: inout ElementsPieces, _ line: Range<Int>, _ bytes: Span<UInt8>
    ) throws(Fault) -> Range<Int> {
        guard let range = scanner.next(bytes) else {
            throw fault(line, in: line, expected: "no lone backslash at the end of the line")
        }
        return range
    }

    /// Returns a field with several lines. The first line starts with a point, the others start with a colon.
    private mutating func takeBlock(_ bytes: Span<UInt8>) -> [UInt8]? {
        guard let first = lines.peek(in: bytes), !first.isEmpty, bytes[first.lowerBound] == Ascii.point else {
            return nil
        }
        _ = lines.next(in: bytes)
        var text = bytes.bytes(first.lowerBound + 1..<first.upperBound)
        while let line = lines.peek(in: bytes), !line.isEmpty, bytes[line.lowerBound] == 0x3A {
            _ = lines.next(in: bytes)
            text.append(Ascii.lineFeed)
            text += bytes.bytes(line.lowerBound + 1..<line.upperBound)
        }
        return text
    }
}

/// Splits a line at its separators, except those after a backslash.
private struct ElementsPieces {
    private var position: Int
    private let end: Int
    /// The byte that ended the last part, or 0 at the end of the line.
    private(set) var separator: UInt8 = Ascii.comma

    init(_ line: Range<Int>) {
        position = line.lowerBound
        end = line.upperBound
    }

    var hasMore: Bool { separator != 0 }

    /// Returns the next part, or `nil` if the line ends in a backslash.
    mutating func next(_ bytes: Span<UInt8>) -> Range<Int>? {
        let start = position
        while position < end {
            let byte = bytes[position]
            if byte == 0x5C {
                guard position + 1 < end else { return nil }
                position += 2
            } else if byte == Ascii.comma || byte == Ascii.equals {
                separator = byte
                position += 1
                return start..<position - 1
            } else {
                position += 1
            }
        }
        separator = 0
        return start..<end
    }
}
