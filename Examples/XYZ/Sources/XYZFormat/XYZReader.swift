import Chemopen

/// The frames of an XYZ file. A frame is a record: the number of atoms, a comment, and one line per atom.
///
/// `LineRecordReader` isolates a frame before this type parses it, so a damaged frame does not affect the others.
public struct XYZFrame: LineRecordParser {
    public static var recordsInFile: RecordsInFile { .several }
    private var issues: [Issue] = []
    /// The number of lines left in the frame; `nil` before its first line, and if that line is damaged.
    private var linesLeft: Int?
    private var isLost = false

    public init(_ options: ReadOptions) {}

    public mutating func takeIssues() -> [Issue] {
        defer { issues = [] }
        return issues
    }

    // MARK: Splitting frames

    public mutating func beginRecord() {
        linesLeft = nil
        isLost = false
    }

    public mutating func place(_ line: Range<Int>, of bytes: Span<UInt8>) -> LinePlace {
        if let left = linesLeft {
            linesLeft = left - 1
            return left == 1 ? .last : .inside
        }
        let count = XYZLine.count(XYZLine.words(line, of: bytes))
        // If the length of the frame is unknown, it ends before the next line that looks like a first line.
        if isLost { return count == nil ? .inside : .following }
        if XYZLine.words(line, of: bytes).isEmpty { return .between }
        isLost = count == nil
        linesLeft = count.map { $0 < .max ? $0 + 1 : $0 }
        return .inside
    }

    // MARK: Parsing a frame

    /// Parses the lines of a frame. The number of atoms is not trusted: it does not size an allocation.
    public mutating func read(
        _ lines: inout LineCursor, of buffer: [UInt8], into record: inout Record, at place: RecordPlace
    ) throws(Fault) {
        let bytes = buffer.span
        guard let first = lines.next(in: bytes), let count = XYZLine.count(XYZLine.words(first, of: bytes)) else {
            throw Fault(line: 0, expected: "the number of atoms, alone on the first line of a frame")
        }
        var molecule = Molecule()
        molecule.flags = .threeDimensional
        if let comment = lines.next(in: bytes) {
            molecule.name = Text(bytes: withoutBlanksAtEnd(buffer[comment]))
        }
        for _ in 0..<count {
            guard let line = lines.next(in: bytes) else {
                throw Fault(line: lines.line, expected: "as many atoms as the first line of the frame specifies")
            }
            guard let atom = XYZLine.atom(XYZLine.words(line, of: bytes)) else {
                throw Fault(line: lines.line - 1, expected: "a symbol and three coordinates")
            }
            if atom.hasMore, issues.isEmpty {
                issues.append(
                    Issue(line: place.line + lines.line - 1, "text after the coordinates was ignored"))
            }
            append(atom, to: &molecule)
        }
        record.subject = .molecule(molecule)
    }

    private func append(_ line: XYZLine.Atom, to molecule: inout Molecule) {
        // Some programs write the atomic number instead of the symbol.
        let number = UInt8(line.symbol).flatMap(ChemicalElement.init(rawValue:))
        let element = ChemicalElement(symbol: line.symbol) ?? number
        var atom = Atom(element ?? .none, at: line.place)
        // The file contains all atoms, so there are no implicit hydrogens.
        atom.hydrogens = .fixed(0)
        molecule.atoms.append(atom)
        if element == nil { molecule.setLabel(Text(line.symbol), ofAtom: molecule.atoms.count - 1) }
    }

    private func withoutBlanksAtEnd(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        line[..<(line.lastIndex { $0 > UInt8(ascii: " ") }.map { $0 + 1 } ?? line.startIndex)]
    }
}
