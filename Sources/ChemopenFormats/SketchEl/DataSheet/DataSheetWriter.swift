import ChemopenBytes
import ChemopenModel

/// A writer for XML DataSheets, the inverse of `DataSheetReader`.
///
/// `begin` receives the columns. If there is no column for the structure, one is inserted before all others. Empty
/// cells are written explicitly except in wide sheets, which would otherwise consist mostly of empty cells.
public struct DataSheetWriter: RecordWriter, ~Copyable {
    private var sink: ByteSink
    private let options: WriteOptions
    private var header = SheetHeader()
    private var hasBegun = false
    private var headLength = 0
    private var rows = 0
    private var molecules = SketchElMoleculeWriter()
    private var xml = XMLText()
    private var places = ColumnPlaces()
    private var cells = DataSheetCells()
    /// The columns with values in the current row.
    private var filled: [Int] = []

    private static let fullRowLimit = 64
    private static let besideCells = Features(.origins, .registryNumbers, .unknown, .reactions)

    public init(_ sink: consuming ByteSink, _ options: WriteOptions) throws(WriteError) {
        self.sink = sink
        self.options = options
    }

    public mutating func begin(_ header: SheetHeader) throws(WriteError) {
        guard !hasBegun else { return }
        hasBegun = true
        self.header = header
        if header.subjectColumn == nil, !header.hasAllColumns {
            self.header.columns.insert(Column("Molecule", .molecule), at: 0)
            self.header.subjectColumn = 0
            self.header.nameColumn = header.nameColumn.map { $0 + 1 }
        }
        places = ColumnPlaces(self.header)
        cells = DataSheetCells(self.header.columns)
        if options.isPiece { return }
        headLength = try appendHead(handingOn: true)
    }

    public mutating func replaceHeader(by header: SheetHeader) throws(WriteError) -> Bool {
        let old = self.header
        self.header.rowCount = header.rowCount
        guard headLength > 0, self.header == header else {
            self.header = old
            return false
        }
        let start = sink.bytes.count
        _ = try appendHead(handingOn: false)
        let head = Array(sink.bytes[start...])
        sink.bytes.removeSubrange(start...)
        xml.forgetDroppedLetters()
        guard head.count == headLength, try sink.overwriteBeginning(with: head) else {
            self.header = old
            return false
        }
        return true
    }

    public mutating func write(_ record: borrowing Record) throws(WriteError) -> WriteReport {
        // The subject is matched only once, because each access to the record's own molecule would copy it. A missing
        // molecule is treated as an empty one.
        switch record.subject {
        case .molecule(let molecule):
            try record.validate(holding: molecule)
            return try writeRow(of: record, molecule, isThere: true)
        case .none, .reaction:
            try record.validate()
            return try writeRow(of: record, Molecule(), isThere: false)
        }
    }

    private mutating func writeRow(
        of record: borrowing Record, _ molecule: borrowing Molecule, isThere: Bool
    ) throws(WriteError) -> WriteReport {
        if !hasBegun {
            var header = SheetHeader()
            header.columns = record.fields.columns
            try begin(header)
        }
        var report = WriteReport()
        molecules.forgetLosses()
        places.assign(record.fields, &report.losses)
        startRow()
        if header.columns.count <= Self.fullRowLimit {
            for column in header.columns.indices { appendCell(column, record.fields, molecule, &report) }
        } else {
            places.getColumns(for: molecule, isThere: isThere, in: &filled)
            for column in filled { appendCell(column, record.fields, molecule, &report) }
        }
        sink.bytes.append("</Row>\n")
        if !header.isSurveyed, !places.isIdentity { noteMisfits(record.fields, &report) }
        noteLosses(record, molecule, &report)
        try sink.handOn()
        return report
    }

    public mutating func copy(_ bytes: [UInt8], beginsFile: Bool) throws(WriteError) {
        if !hasBegun { try begin(SheetHeader()) }
        startRow()
        let rest = bytes.drop { $0 != Ascii.greater }.dropFirst()
        sink.bytes.append(contentsOf: rest)
        try sink.handOn()
    }

    public mutating func finish() throws(WriteError) {
        if !hasBegun { try begin(SheetHeader()) }
        if !options.isPiece { sink.bytes.append("</Content>\n</DataSheet>\n") }
        try sink.finishWriting()
    }

    public mutating func takeBytes() -> [UInt8] {
        sink.takeAll()
    }

    // MARK: Header

    /// Appends the head of the file.
    ///
    /// - Parameter handingOn: whether to pass the bytes to the output immediately, because a small input can have very
    ///   many columns and therefore a large head.
    /// - Returns: the length of the head.
    private mutating func appendHead(handingOn: Bool) throws(WriteError) -> Int {
        var length = 0
        var start = sink.bytes.count
        sink.bytes.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<DataSheet>\n<Summary>\n<Title>")
        xml.appendEscaped(header.title.bytes, to: &sink.bytes)
        sink.bytes.append("</Title>\n<Description>")
        xml.appendCharacterData(header.summary.bytes[...], to: &sink.bytes)
        sink.bytes.append("</Description>\n</Summary>\n")
        if header.extensions.isEmpty {
            sink.bytes.append("<Extension/>\n")
        } else {
            sink.bytes.append("<Extension>\n")
            for block in header.extensions { append(block) }
            sink.bytes.append("</Extension>\n")
        }
        sink.bytes.append("<Header")
        if let count = header.rowCount {
            sink.bytes.append(" nrows=\"")
            sink.bytes.appendDecimal(count)
            sink.bytes.append("\"")
        }
        sink.bytes.append(" ncols=\"")
        sink.bytes.appendDecimal(header.columns.count)
        sink.bytes.append("\">\n")
        for (index, column) in header.columns.enumerated() {
            xml.append(column, number: index + 1, to: &sink.bytes)
            guard handingOn, index % 1024 == 1023 else { continue }
            length += sink.bytes.count - start
            try sink.handOn()
            start = sink.bytes.count
        }
        sink.bytes.append("</Header>\n<Content>\n")
        return length + sink.bytes.count - start
    }

    private mutating func append(_ block: SheetHeader.Extension) {
        sink.bytes.append("<Ext")
        xml.appendAttribute("name", block.name, to: &sink.bytes)
        xml.appendAttribute("type", block.type, to: &sink.bytes)
        sink.bytes.append(">")
        xml.appendCharacterData(block.content.bytes[...], to: &sink.bytes)
        sink.bytes.append("</Ext>\n")
    }

    // MARK: Rows

    private mutating func startRow() {
        rows += 1
        sink.bytes.append("<Row id=\"")
        sink.bytes.appendDecimal(rows)
        sink.bytes.append("\">\n")
    }

    private mutating func appendCell(
        _ column: Int, _ fields: borrowing Fields, _ molecule: borrowing Molecule, _ report: inout WriteReport
    ) {
        if let entry = places.entry(at: column) {
            let value = fields.bytes.span.extracting(fields.entries[entry].valueRange)
            if fields.structures.isEmpty, cells.appendPlain(value, in: column, to: &sink.bytes) { return }
            cells.appendOpening(of: column, to: &sink.bytes)
            append(fields, entry, header.columns[column].kind, &report)
        } else if column == header.subjectColumn, !molecule.isNone {
            cells.appendOpening(of: column, to: &sink.bytes)
            append(molecule)
        } else if column == header.nameColumn, !molecule.heading.hasNoName {
            cells.appendOpening(of: column, to: &sink.bytes)
            xml.appendCharacterData(molecule.heading.lines.name, to: &sink.bytes)
        } else {
            cells.appendOpening(of: column, to: &sink.bytes)
            sink.bytes.removeLast()
            sink.bytes.append("/>\n")
            return
        }
        sink.bytes.append("</Cell>\n")
    }

    private mutating func append(
        _ fields: borrowing Fields, _ entry: Int, _ kind: Column.Kind, _ report: inout WriteReport
    ) {
        let value = fields.bytes[fields.entries[entry].valueRange]
        if !fields.structures.isEmpty {
            for structure in fields.structures.notes(of: entry) {
                switch structure {
                case .molecule(let molecule) where kind == .molecule:
                    append(molecule, madeOf: StructureText.begins(value) ? value : [])
                    return
                case .reaction: report.losses.note(.reactions, "in a data field")
                case .molecule: break
                }
            }
        }
        switch kind {
        case .integer, .real, .boolean: xml.appendEscaped(value, to: &sink.bytes)
        case .molecule where value.starts(with: "SketchEl!(".utf8) && value.last != Ascii.lineFeed:
            // The line end of the last line is not part of a data field.
            xml.appendCharacterData((value + [Ascii.lineFeed])[...], to: &sink.bytes)
        case .molecule where !value.starts(with: "SketchEl!(".utf8):
            let source = Array(StructureText.molfile(in: value))
            if var molecule = FormatRegistry.standard.molecule(in: source)?.molecule {
                // SD files contain a blank in each empty line of a value.
                if molecule.comment.trimmed.isEmpty { molecule.comment = "" }
                return append(molecule)
            }
            xml.appendCharacterData(value, to: &sink.bytes)
        case .string, .extend, .molecule, .other: xml.appendCharacterData(value, to: &sink.bytes)
        }
    }

    /// - Parameter text: the original text of the molecule, which is added after it. Other programs stop reading at
    ///   `!End`.
    private mutating func append(_ molecule: borrowing Molecule, madeOf text: ArraySlice<UInt8> = []) {
        sink.bytes.append("<![CDATA[")
        let start = sink.bytes.count
        molecules.write(molecule, to: &sink.bytes)
        if !text.isEmpty { sink.bytes.append(contentsOf: xml.sound(text)) }
        if !text.isEmpty || !molecule.extras.isEmpty || !molecule.labels.isEmpty || MoleculeRest.isSaid(by: molecule) {
            XMLText.splitCharacterData(in: &sink.bytes, from: start)
        }
        sink.bytes.append("]]>")
    }

    // MARK: Losses

    private mutating func noteLosses(
        _ record: borrowing Record, _ molecule: borrowing Molecule, _ report: inout WriteReport
    ) {
        if !molecules.losses.isEmpty { report.losses.note(molecules.losses) }
        var lost = Self.besideCells
        lost.add(.names, if: header.nameColumn == nil)
        lost.add(.comments, if: molecule.isNone)
        lost.add(.fieldHeaders, if: record.fields.entries.contains(where: \.hasHeader))
        report.losses.note(lost, of: record, holding: molecule)
        if xml.hasForeignText { report.losses.note(.foreignEncoding) }
        if xml.droppedLetters > 0 {
            report.losses.note(.unknown, "characters that XML cannot represent", count: xml.droppedLetters)
        }
        xml.forgetDroppedLetters()
    }
}

extension DataSheetWriter {
    /// Reports values that do not have the type of their column. They are written as text.
    private func noteMisfits(_ fields: borrowing Fields, _ report: inout WriteReport) {
        for column in places.filled {
            guard let entry = places.entry(at: column) else { continue }
            let (name, kind) = (header.columns[column].name, header.columns[column].kind)
            if kind.fits(Text(bytes: fields.bytes[fields.entries[entry].valueRange])) { continue }
            report.losses.note(.columnTypes, Text("written as text that is not \(kind.name): \(name)"))
        }
    }
}

extension XMLText {
    /// Appends the element that declares a column.
    mutating func append(_ column: Column, number: Int, to output: inout [UInt8]) {
        output.append("<Column id=\"")
        output.appendDecimal(number)
        output.append("\"")
        appendAttribute("name", column.name, to: &output)
        appendAttribute("type", column.kind.name, to: &output)
        output.append(">")
        appendEscaped(column.summary.bytes, to: &output)
        output.append("</Column>\n")
    }

    fileprivate mutating func appendAttribute(_ name: StaticString, _ value: Text, to output: inout [UInt8]) {
        output.append(Ascii.blank)
        output.append(name)
        output.append("=\"")
        appendEscaped(value.bytes, to: &output, inAttribute: true)
        output.append("\"")
    }
}

extension Molecule {
    /// Whether this is the empty molfile that MDL's formats contain in records without a structure.
    fileprivate var isNone: Bool { atoms.isEmpty && hydrogenRule == .mdl && extras.isEmpty }
}

extension DataSheetWriter {
    /// Appends a row of another file in normalized form.
    static func append(
        row: Range<Int>, of events: borrowing XMLEvents, _ names: DataSheetNames, to bytes: inout [UInt8]
    ) {
        guard !row.isEmpty else { return }
        var xml = XMLText()
        bytes.append("<Row id=\"")
        if let id = events.attribute(names.id, ofElementAt: row.lowerBound) {
            bytes.append(contentsOf: events.text[id])
        }
        bytes.append("\">\n")
        for cell in events.children(ofElementAt: row.lowerBound) where events.list[cell].name == names.cell {
            bytes.append("<Cell id=\"")
            if let id = events.attribute(names.id, ofElementAt: cell) { bytes.append(contentsOf: events.text[id]) }
            let content = events.content(ofElementAt: cell)
            if content.isEmpty {
                bytes.append("\"/>\n")
            } else {
                bytes.append("\">")
                xml.appendCharacterData(events.ownText(content).bytes[...], to: &bytes)
                bytes.append("</Cell>\n")
            }
        }
        bytes.append("</Row>\n")
    }
}

/// The cells of a sheet's columns, with prepared opening tags and the encoding of the values.
struct DataSheetCells {
    /// The opening tags as one array, and the end of each column's tag.
    private var openings: [UInt8] = []
    private var openingEnds: [Int] = []
    /// The encoding of each column's values.
    private var spellings: [Spelling] = []

    private enum Spelling {
        /// The value is written as a CDATA section.
        case section
        case escaped
        case structure
    }

    init(_ columns: [Column] = []) {
        for (index, column) in columns.enumerated() {
            openings.append(contentsOf: "<Cell id=\"\(index + 1)\">".utf8)
            openingEnds.append(openings.count)
            switch column.kind {
            case .string, .extend, .other: spellings.append(.section)
            case .integer, .real, .boolean: spellings.append(.escaped)
            case .molecule: spellings.append(.structure)
            }
        }
    }

    // Both functions are `mutating` only to have exclusive access: a borrow would retain the arrays for each cell.

    /// Appends the opening tag of a column's cell.
    mutating func appendOpening(of column: Int, to output: inout [UInt8]) {
        output.append(copying: openings.span.extracting(opening(of: column)))
    }

    private func opening(of column: Int) -> Range<Int> {
        (column == 0 ? 0 : openingEnds[column &- 1])..<openingEnds[column]
    }

    /// Appends a complete cell if its value needs no escapes. Returns `false` without appending otherwise.
    mutating func appendPlain(_ value: Span<UInt8>, in column: Int, to output: inout [UInt8]) -> Bool {
        let isSection: Bool
        switch spellings[column] {
        case .section:
            guard XMLText.isPlainSection(value) else { return false }
            isSection = true
        case .escaped:
            guard XMLText.isPlain(value) else { return false }
            isSection = false
        case .structure: return false
        }
        let opening = openings.span.extracting(opening(of: column))
        output.append(addingCapacity: opening.count &+ value.count &+ 32) { cell in
            cell.append(copying: opening)
            if isSection { cell.append("<![CDATA[") }
            cell.append(copying: value)
            cell.append(isSection ? "]]></Cell>\n" : "</Cell>\n")
        }
        return true
    }
}
