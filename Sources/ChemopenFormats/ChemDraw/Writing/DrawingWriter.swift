import ChemopenBytes
import ChemopenModel

/// Writes records on the pages of a drawing: molecules side by side with their names, each reaction in a row of its own.
///
/// Annotations say what ChemDraw has no words for. A page is written as soon as it is full: the memory that this
/// takes does not grow with the file.
public struct DrawingWriter<Spelling: PageSpelling>: RecordWriter, ~Copyable {
    private var sink: ByteSink
    private var spelling = Spelling()
    private let settings: DocumentSettings
    private var page: DrawnPage
    private var hasBegun = false

    public init(_ sink: consuming ByteSink, _ options: WriteOptions) throws(WriteError) {
        if let file = options.style {
            guard let settings = DocumentSettings(ofFile: file) else {
                throw WriteError(.impossible, "the style is to be that of a drawing, and the file holds none")
            }
            self.settings = settings
        } else {
            settings = DocumentSettings()
        }
        self.sink = sink
        page = DrawnPage(settings.style, firstID: 1)
    }

    public mutating func begin(_ header: SheetHeader) throws(WriteError) {}

    public mutating func write(_ record: borrowing Record) throws(WriteError) -> WriteReport {
        try record.refuseImpossible()
        var writer = PageRecordWriter(settings.style)
        let size = writer.measure(record)
        if let longest = Spelling.longest, settings.style.points(max(size.width, size.height)) > longest {
            throw WriteError(.impossible, "the record is wider or higher than a page of this format may be")
        }
        begin()
        if page.places.isFull(for: size) {
            endPage()
            page = DrawnPage(settings.style, firstID: page.nextID)
        }
        writer.write(record, to: &page)
        var report = WriteReport()
        report.losses = writer.losses
        if page.droppedLetters > 0 {
            report.losses.note(.unknown, "characters that XML cannot carry", count: page.droppedLetters)
            page.droppedLetters = 0
        }
        report.losses.note(record, beyond: DrawingFeatures.all)
        try sink.handOn()
        return report
    }

    /// Records of a drawing have no bytes of their own; a drawing is copied as a whole.
    public mutating func copy(_ bytes: [UInt8], beginsFile: Bool) throws(WriteError) {
        throw WriteError(.impossible, "a record of a drawing cannot be copied without its page")
    }

    public mutating func finish() throws(WriteError) {
        begin()
        endPage()
        spelling.end(to: &sink.bytes)
        try sink.finishWriting()
    }

    public mutating func takeBytes() -> [UInt8] { sink.takeAll() }

    private mutating func begin() {
        if hasBegun { return }
        hasBegun = true
        spelling.begin(DrawnPageObjects(drawing: settings.document), to: &sink.bytes)
    }

    private mutating func endPage() {
        page.end()
        spelling.append(DrawnPageObjects(drawing: page.drawing.finished), to: &sink.bytes)
    }
}
