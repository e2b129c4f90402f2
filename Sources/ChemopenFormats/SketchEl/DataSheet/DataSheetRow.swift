import ChemopenBytes
import ChemopenModel

/// A reader for one row of a DataSheet. It assigns cells to columns by their ids, and parses molecules directly from
/// the parser's bytes.
struct DataSheetRow {
    private(set) var issues: [Issue] = []
    private let names: DataSheetNames
    private let skipsStructures: Bool
    /// The formats that the structure in a cell can have.
    private let formats: FormatRegistry
    private var cells: [CellText] = []
    private var joinedTexts: [[UInt8]] = []
    /// For each column, the last row with a cell for it.
    private var lastRow: [Int] = []
    /// A molecule to be reused for its memory.
    private var spare = Molecule()

    private struct CellText {
        var column: Int
        /// The text as a range in the events' bytes.
        var range: Range<Int>
        var line: Int
        /// The index of the joined text if the text has several parts, otherwise -1.
        var joined = -1
    }

    private static let yes = Array("true".utf8)[...]
    private static let no = Array("false".utf8)[...]

    init(_ names: DataSheetNames, _ options: ReadOptions) {
        self.names = names
        skipsStructures = options.skipsStructures
        formats = options.formats
    }

    mutating func read(
        _ element: Range<Int>, of events: borrowing XMLEvents, number: Int, header: borrowing SheetHeader,
        into record: inout Record
    ) {
        if !issues.isEmpty { issues.removeAll(keepingCapacity: true) }
        if lastRow.count != header.columns.count { lastRow = Array(repeating: 0, count: header.columns.count) }
        checkNumber(element.lowerBound, events, number)
        collectCells(element, events, number, header)
        spare = record.takeMolecule()
        record.removeAllFields()
        record.fields.columns = header.columns
        record.subject = fill(&record.fields, events, header)
    }

    private mutating func checkNumber(_ start: Int, _ events: borrowing XMLEvents, _ number: Int) {
        guard let id = events.attribute(names.id, ofElementAt: start) else {
            doubt(Int(events.list[start].line), "a row without an id; read as row \(number)")
            return
        }
        if Numeral.whole(events.text.span, id) != number {
            doubt(
                Int(events.list[start].line), "the id of row \(number) is a different number",
                Text(bytes: Array(events.text[id])))
        }
    }

    // MARK: Cells

    private mutating func collectCells(
        _ element: Range<Int>, _ events: borrowing XMLEvents, _ number: Int, _ header: borrowing SheetHeader
    ) {
        cells.removeAll(keepingCapacity: true)
        if !joinedTexts.isEmpty { joinedTexts.removeAll() }
        let list = events.list.span
        let bytes = events.text.span
        var isSorted = true
        var place = element.lowerBound &+ 1
        let end = element.upperBound &- 1
        while place < end {
            guard list[place].isStart else {
                place &+= 1
                continue
            }
            let start = place
            let line = Int(list[start].line)
            guard list[start].name == names.cell else {
                doubt(line, "skipped an element between the cells", events.name(of: start))
                place = events.content(ofElementAt: start).upperBound &+ 1
                continue
            }
            var cell: CellText?
            var column = -1
            place &+= 1
            while list[place].isAttribute {
                if list[place].name == names.id {
                    column = Self.number(list[place].range, bytes) &- 1
                }
                place &+= 1
            }
            if list[place].isText {
                let text = list[place]
                if !text.range.isEmpty || text.isCharacterData {
                    cell = CellText(column: column, range: text.range, line: line)
                }
                place &+= 1
            }
            if !list[place].isEnd {
                let content = events.content(ofElementAt: start)
                let (joined, _) = events.ownText(content)
                doubt(line, "ignored elements inside a cell")
                cell = CellText(column: column, range: 0..<joined.count, line: line, joined: joinedTexts.count)
                joinedTexts.append(joined)
                place = content.upperBound
            }
            place &+= 1
            guard header.columns.indices.contains(column) else {
                doubt(
                    line, "ignored a cell with an id that no column has", cell.map { shown($0, bytes) } ?? "")
                continue
            }
            if lastRow[column] == number {
                doubt(line, "a second cell for the column; the last value is used")
                if cell != nil { cells.removeAll { $0.column == column } }
            }
            lastRow[column] = number
            guard let cell else { continue }
            if let last = cells.last, last.column > column { isSorted = false }
            cells.append(cell)
        }
        if !isSorted { cells.sort { $0.column < $1.column } }
    }

    /// Returns the number of a column, or 0 if it is invalid.
    private static func number(_ range: Range<Int>, _ bytes: Span<UInt8>) -> Int {
        Numeral.whole(bytes, range) ?? 0
    }

    private func shown(_ cell: CellText, _ bytes: Span<UInt8>) -> Text {
        Text(bytes: cell.joined < 0 ? bytes.bytes(cell.range) : joinedTexts[cell.joined])
    }

    // MARK: Values

    /// Adds the values to the fields and returns the molecule of the structure column.
    private mutating func fill(
        _ fields: inout Fields, _ events: borrowing XMLEvents, _ header: borrowing SheetHeader
    ) -> Record.Subject {
        if skipsStructures { spare.removeAll() }
        var subject = Record.Subject.none
        for cell in cells {
            if cell.joined >= 0 {
                take(cell, cell.range, of: joinedTexts[cell.joined], header, &fields, &subject)
            } else {
                take(cell, cell.range, of: events.text, header, &fields, &subject)
            }
        }
        return subject
    }

    private mutating func take(
        _ cell: CellText, _ range: Range<Int>, of text: borrowing [UInt8], _ header: borrowing SheetHeader,
        _ fields: inout Fields, _ subject: inout Record.Subject
    ) {
        let bytes = text.span
        let kind = header.columns[cell.column].kind
        switch kind {
        case .string, .extend, .other:
            break
        case .molecule:
            let isSubject = cell.column == header.subjectColumn
            let trimmed = bytes.withoutWhiteSpace(range)
            if trimmed.isEmpty { return }
            // A structure in a data field is always read, because conditions may need it.
            if skipsStructures, isSubject {
                subject = .molecule(takeSpare())
                return
            }
            if let molecule = readMolecule(trimmed, range, bytes, cell) {
                if isSubject {
                    subject = .molecule(molecule)
                    return
                }
                append(textBehind(molecule, trimmed, bytes, cell) ?? range, of: bytes, column: cell.column, to: &fields)
                fields.structures.append(Indexed(fields.entries.count - 1, .molecule(molecule)))
                return
            }
        case .integer, .real, .boolean:
            let trimmed = bytes.withoutWhiteSpace(range)
            if trimmed.isEmpty { return }
            if kind == .boolean, isValue(trimmed, bytes, of: kind) {
                // `TRUE` and similar values are normalized.
                let isTrue = Ascii.lower(bytes[trimmed.lowerBound]) == UInt8(ascii: "t")
                fields.append(column: cell.column, isTrue ? Self.yes : Self.no)
                return
            }
            if !isValue(trimmed, bytes, of: kind) {
                doubt(
                    cell.line, "not a valid \(kind.name.string) value; preserved as text",
                    Text(bytes: bytes.bytes(range.lowerBound..<min(range.upperBound, range.lowerBound + 100))))
            }
        }
        append(range, of: bytes, column: cell.column, to: &fields)
    }

    /// Appends a value directly from the events' bytes.
    private func append(_ range: Range<Int>, of bytes: Span<UInt8>, column: Int, to fields: inout Fields) {
        let start = fields.bytes.count
        fields.bytes.append(copying: bytes.extracting(range))
        fields.entries.append(Fields.Entry(column: column, header: start, value: start, end: fields.bytes.count))
    }

    private func isValue(_ range: Range<Int>, _ bytes: Span<UInt8>, of kind: Column.Kind) -> Bool {
        switch kind {
        case .integer: Numeral.whole(bytes, range).map { Int32(exactly: $0) != nil } ?? false
        case .real: Numeral.decimal(bytes, range) != nil
        default: bytes.spellsBoolean(range)
        }
    }

    /// Reads a molecule in SketchEl's format or in any other supported format.
    private mutating func readMolecule(
        _ range: Range<Int>, _ whole: Range<Int>, _ bytes: Span<UInt8>, _ cell: CellText
    ) -> Molecule? {
        if bytes[range.lowerBound] != 0x53, SketchElMoleculeReader.generation(range, of: bytes) == nil {
            return readOther(whole, bytes, cell)
        }
        var reader = SketchElMoleculeReader(into: takeSpare(), firstLine: cell.line)
        do throws(Fault) {
            try reader.read(range, of: bytes)
        } catch {
            doubt(cell.line &+ error.line, "the molecule cannot be read: expected \(error.expected); preserved as text")
            return nil
        }
        if !reader.issues.isEmpty { issues.note(reader.issues) }
        return reader.takeMolecule()
    }

    /// Returns the text after a molecule in its cell if it describes the same molecule. The writer stores the original
    /// text there.
    private mutating func textBehind(
        _ molecule: borrowing Molecule, _ range: Range<Int>, _ bytes: Span<UInt8>, _ cell: CellText
    ) -> Range<Int>? {
        guard !bytes.range(max(range.lowerBound, range.upperBound - 4)..<range.upperBound, begins: "!End") else {
            return nil
        }
        var lines = LineCursor(range, of: bytes)
        while let line = lines.next(in: bytes) {
            guard bytes.range(line, begins: "!End") else { continue }
            let text = lines.position..<range.upperBound
            if text.isEmpty { return nil }
            let source = Array(StructureText.molfile(in: bytes.bytes(text)[...]))
            if let original = formats.molecule(in: source)?.molecule, Self.print(original) == Self.print(molecule) {
                return text
            }
            doubt(cell.line, "ignored the text after the molecule, which describes a different molecule")
            return nil
        }
        return nil
    }

    private static func print(_ molecule: borrowing Molecule) -> [UInt8] {
        var writer = SketchElMoleculeWriter()
        var text: [UInt8] = []
        writer.write(molecule, to: &text)
        return text
    }

    private mutating func takeSpare() -> Molecule {
        var molecule = Molecule()
        swap(&molecule, &spare)
        return molecule
    }

    private mutating func readOther(_ range: Range<Int>, _ bytes: Span<UInt8>, _ cell: CellText) -> Molecule? {
        let text = bytes.bytes(range)
        if let (format, molecule) = formats.molecule(in: text) {
            let outcome =
                molecule == nil ? "cannot be read as a \(format.name); preserved as text" : "is a \(format.name); read"
            doubt(cell.line, "the molecule \(outcome)")
            return molecule
        }
        doubt(cell.line, "the molecule cannot be read; preserved as text", Text(bytes: Array(text.prefix(100))))
        return nil
    }

    private mutating func doubt(_ line: Int, _ message: String, _ found: Text = "") {
        issues.note(Issue(line: line, message, found: found))
    }
}

extension Span where Element == UInt8 {
    /// Returns a range without leading and trailing white space.
    func withoutWhiteSpace(_ range: Range<Int>) -> Range<Int> {
        var start = range.lowerBound
        var end = range.upperBound
        while start < end, self[start] <= Ascii.blank { start &+= 1 }
        while end > start, self[end &- 1] <= Ascii.blank { end &-= 1 }
        return start..<end
    }

    /// Whether a range contains `true` or `false` in any case.
    fileprivate func spellsBoolean(_ range: Range<Int>) -> Bool {
        guard range.count == 4 || range.count == 5 else { return false }
        var letters: UInt64 = 0
        for index in range { letters = letters << 8 | UInt64(Ascii.lower(self[index])) }
        return letters == (range.count == 4 ? 0x7472_7565 : 0x66_616C_7365)
    }
}
