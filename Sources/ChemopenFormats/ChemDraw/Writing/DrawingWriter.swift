import ChemopenBytes
import ChemopenModel

/// Writes records on the pages of a drawing: molecules next to one another with their names, and each reaction in its
/// own row.
///
/// Annotations contain the data that ChemDraw cannot represent. Each page is written as soon as it is full, so memory
/// use does not grow with the file.
struct DrawingWriter<Spelling: DrawingSpelling>: RecordWriter, ~Copyable {
    private var sink: ByteSink
    private let settings: DocumentSettings
    /// The document to which pages are added.
    private var document: WrittenDrawing
    private var page: DrawnPage
    private var writer: PageRecordWriter
    private var hasBegun = false

    init(_ sink: consuming ByteSink, _ options: WriteOptions) throws(WriteError) {
        if let file = options.style {
            guard let settings = DocumentSettings(ofFile: file) else {
                throw WriteError(.impossible, "the style file does not contain a drawing")
            }
            self.settings = settings
        } else {
            settings = DocumentSettings()
        }
        self.sink = sink
        document = WrittenDrawing(Spelling.encoding, textStyle: settings.style.caption)
        page = DrawnPage(settings.style, Spelling.encoding)
        writer = PageRecordWriter(settings.style)
    }

    mutating func begin(_ header: SheetHeader) throws(WriteError) {}

    mutating func write(_ record: borrowing Record) throws(WriteError) -> WriteReport {
        try record.validate()
        let size = writer.measure(record)
        if let longest = Spelling.longest, settings.style.points(max(size.width, size.height)) > longest {
            throw WriteError(.impossible, "the record is larger than the largest page of this format")
        }
        begin()
        if page.places.isFull(for: size) {
            try endPage()
            page.turn()
        }
        writer.write(record, to: &page)
        var report = WriteReport()
        report.losses = writer.losses
        if page.droppedLetters > 0 {
            report.losses.note(.unknown, "characters that XML cannot represent", count: page.droppedLetters)
            page.droppedLetters = 0
        }
        report.losses.note(record, unsupportedBy: DrawingFeatures.all)
        try sink.handOn()
        return report
    }

    /// Always throws, because a record of a drawing has no bytes of its own. A drawing can only be copied completely.
    mutating func copy(_ bytes: [UInt8], beginsFile: Bool) throws(WriteError) {
        throw WriteError(.impossible, "a record of a drawing cannot be copied without its page")
    }

    mutating func finish() throws(WriteError) {
        begin()
        try endPage()
        document.close()
        document.end()
        document.move(to: &sink.bytes)
        try sink.finishWriting()
    }

    mutating func takeBytes() -> [UInt8] { sink.takeAll() }

    private mutating func begin() {
        if hasBegun { return }
        hasBegun = true
        document.begin()
        document.open(.document, id: 0)
        for (property, value) in settings.statements { document.set(property, value) }
        document.beginContent()
    }

    private mutating func endPage() throws(WriteError) {
        document.open(.page, id: page.id)
        document.set(.heightPages, integer: page.sheets)
        document.set(.widthPages, integer: 1)
        if !page.drawing.isEmpty { document.beginContent() }
        document.move(to: &sink.bytes)
        try page.drawing.hand(to: &sink)
        document.close()
        document.move(to: &sink.bytes)
    }
}

/// An encoding of drawings, as a type parameter of the writer.
protocol DrawingSpelling: SendableMetatype {
    static var encoding: WrittenDrawing.Encoding { get }

    /// The maximum width and height of a record in points; nil if there is no limit.
    static var longest: Double? { get }
}

enum CDXMLSpelling: DrawingSpelling {
    static var encoding: WrittenDrawing.Encoding { .xml }
    static var longest: Double? { nil }
}

enum CDXSpelling: DrawingSpelling {
    static var encoding: WrittenDrawing.Encoding { .binary }
    /// Coordinates have 32 bits, 16 of them for the fraction.
    static var longest: Double? { 32_700 }
}
