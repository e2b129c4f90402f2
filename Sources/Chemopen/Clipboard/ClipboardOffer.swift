import ChemopenBytes
import ChemopenDepict
import ChemopenDesktop
import ChemopenFormats
import ChemopenModel

/// The representations of a file to put on the clipboard: its records verbatim, in each other format that supports
/// them, as text and as a picture.
///
///     let offer = try ClipboardOffer(of: "a.cdxml")
///     try SystemClipboard().put(offer)
public struct ClipboardOffer: Sendable {
    /// A representation of the records, and the names under which programs can request it.
    public struct Content: Sendable {
        /// The MIME types and other names, the preferred one first.
        public fileprivate(set) var names: [String]
        /// The bytes of the representation.
        public let bytes: [UInt8]
        /// The format, or `nil` for pictures.
        public let format: Format?
        /// The data that the format cannot represent.
        public let losses: LossReport
    }

    /// The representations. Representations with the fewest losses are first.
    public private(set) var contents: [Content] = []
    /// The number of records in the representations.
    public private(set) var records = 0
    /// Statistics about the selection of records.
    public private(set) var choice = SelectionStatistics()
    /// The format of the text and its losses.
    public private(set) var text: (format: Format, losses: LossReport)?
    /// The reasons why some representations are missing.
    public private(set) var omissions: [String] = []

    /// The maximum size of a representation. Both the offering and the receiving program store it completely in memory.
    private static let largestContent = 64 << 20
    private static let mostPictures = 100
    private static let pixelsPerPoint = 4.0

    /// Reads records and writes them in all formats.
    ///
    /// - Parameters:
    ///   - path: The file; `-` is standard input.
    ///   - format: The format, or `nil` to detect it.
    ///   - selection: The records to use.
    ///   - text: The format of the text. By default the format that most programs support.
    ///   - tell: Receives events while the file is read.
    /// - Throws: `Conversion.Failure` if the file cannot be read or the records cannot be text in the specified format.
    public init(
        of path: LocalPath, as format: Format? = nil, _ reading: ReadOptions = ReadOptions(),
        selection: RecordSelection = RecordSelection(), text: Format? = nil,
        tell: @escaping (Conversion.Event, LocalPath) -> Void = { _, _ in }
    ) throws(Conversion.Failure) {
        let folder: PrivateFolder
        do throws(FileError) {
            folder = try PrivateFolder(in: SessionEnvironment.current)
        } catch {
            throw .write(WriteError(error))
        }
        var made: [LocalPath] = []
        defer {
            for file in made { removeEntry(file) }
            folder.remove()
        }
        var input = path
        if path.isDash {
            input = folder.path.appending("input")
            made.append(input)
            do throws(FileError) {
                try spool(0, to: input)
            } catch {
                throw .write(WriteError(error))
            }
        }
        let source = try Self.format(of: input, format, reading)
        let own = folder.path.appending(LocalPath("records.\(source.extensions.first ?? source.id)"))
        made.append(own)
        var conversion = Conversion(to: source)
        conversion.source = source
        conversion.reading = reading
        conversion.selection = selection
        let summary = try conversion.run([input], to: .file(own), tell: tell)
        records = summary.written
        choice = summary.choice
        guard records > 0 else { return }
        add(try Self.content(of: own, source, summary))
        let others = reading.knownFormats.all.filter { $0.isWritable && $0.id != source.id }
        for other in others {
            let file = folder.path.appending(LocalPath("as.\(other.id)"))
            made.append(file)
            var conversion = Conversion(to: other)
            conversion.source = source
            conversion.reading = reading
            guard let summary = try? conversion.run([own], to: .file(file)), summary.written == records,
                !Self.losesRecords(summary)
            else { continue }
            do throws(Conversion.Failure) {
                add(try Self.content(of: file, other, summary))
            } catch {
                omissions.append("\(other.name): \(Self.words(error))")
            }
        }
        sort()
        try addText(text, of: source)
        addOtherNames()
        let hasWholePages = selection.takesAll && source.readPages != nil
        addPictures(Self.picture(of: own, source, reading, showsPages: hasWholePages))
    }

    // MARK: Records

    private static func format(
        of path: LocalPath, _ format: Format?, _ reading: ReadOptions
    ) throws(Conversion.Failure) -> Format {
        do throws(ReadError) {
            var source: ByteSource
            do throws(FileError) {
                source = try ByteSource(path: path)
            } catch {
                throw ReadError(error)
            }
            return try source.identified(as: format, among: reading.knownFormats).format
        } catch {
            throw .read(error)
        }
    }

    private static func content(
        of file: LocalPath, _ format: Format, _ summary: Conversion.Summary
    ) throws(Conversion.Failure) -> Content {
        do throws(FileError) {
            let bytes = try readFile(file, limit: largestContent)
            let losses = summary.reports.first?.report ?? LossReport()
            return Content(names: format.mimeTypes, bytes: bytes, format: format, losses: losses)
        } catch {
            guard error.reason == .tooLarge else { throw .write(WriteError(error)) }
            throw .impossible(
                "the records exceed the clipboard limit of \(largestContent >> 20) MB (use --records to select some)"
            )
        }
    }

    private static func words(_ failure: Conversion.Failure) -> String {
        if case .impossible(let words) = failure { words } else { "cannot be written" }
    }

    /// Whether complete structures were left out, and not only parts of them.
    private static func losesRecords(_ summary: Conversion.Summary) -> Bool {
        summary.reports.contains { report in
            report.report.losses.contains { [.molecules, .reactions].contains($0.feature) && !$0.isRewritten }
        }
    }

    private mutating func add(_ content: Content) {
        contents.append(content)
    }

    /// Sorts the representations by the number of losses. The representation in the file's own format remains first.
    private mutating func sort() {
        func lost(_ content: Content) -> Int {
            content.losses.losses.reduce(0) { $0 + ($1.isRewritten ? 0 : $1.count) }
        }
        let others = contents.dropFirst().enumerated().sorted { one, other in
            (lost(one.element), one.offset) < (lost(other.element), other.offset)
        }
        contents = contents.prefix(1) + others.map(\.element)
    }

    // MARK: Text

    /// The text formats that programs detect in pasted text.
    private static let textFormats = ["mol", "rxn", "sdf", "rdf"]

    private mutating func addText(_ asked: Format?, of source: Format) throws(Conversion.Failure) {
        let ids = asked.map { [$0.id] } ?? (source.hasLineNotation ? [source.id] : []) + Self.textFormats + [source.id]
        let places = ids.compactMap { id in contents.firstIndex { $0.format?.id == id } }
        let content = places.first.map { contents[$0] }
        // Binary content cannot be used as text.
        if let content, !content.bytes.contains(0) { return addText(content) }
        if let asked { throw .impossible("these records cannot be copied as text in the format \(asked.name)") }
    }

    private mutating func addText(_ content: Content) {
        guard let format = content.format else { return }
        text = (format, content.losses)
        // Text on the clipboard must be UTF-8, but files may use an older encoding. Each byte is a character in
        // Latin-1.
        let isUTF8 = String(validating: content.bytes, as: UTF8.self) != nil
        let bytes =
            isUTF8
            ? content.bytes : Array(String(String.UnicodeScalarView(content.bytes.map { Unicode.Scalar($0) })).utf8)
        let isASCII = bytes.allSatisfy { $0 < 0x80 }
        // STRING is Latin-1.
        let names = ClipboardName.names(of: .text).filter { isASCII || $0 != "STRING" }
        contents.append(Content(names: names, bytes: bytes, format: format, losses: content.losses))
    }

    // MARK: Other names

    private mutating func addOtherNames() {
        var pairs: [String] = []
        var counted: [Content] = []
        for place in contents.indices {
            guard let format = contents[place].format, let type = format.mimeTypes.first,
                contents[place].names.first == type
            else { continue }
            let name = ClipboardName.webFormat(pairs.count)
            contents[place].names += ClipboardName.names(of: .file(format.id)) + [name]
            pairs.append("\(Self.quoted(type)):\(Self.quoted(name))")
            // Reactions also use the name for molecules.
            let names = ClipboardName.names(of: .countedLines(format.id == "rxn" ? "mol" : format.id))
            if !names.isEmpty, let bytes = CountedLines.encoded(contents[place].bytes) {
                counted.append(Content(names: names, bytes: bytes, format: format, losses: contents[place].losses))
            }
        }
        contents += counted
        let map = Array("{\(pairs.joined(separator: ","))}".utf8)
        contents.append(
            Content(names: ClipboardName.names(of: .webMap), bytes: map, format: nil, losses: LossReport()))
    }

    /// Returns a name as a JSON string. Only quotation marks must be escaped in these names.
    private static func quoted(_ name: String) -> String {
        "\"" + name.map { $0 == "\"" ? "\\\"" : String($0) }.joined() + "\""
    }

    // MARK: Pictures

    private mutating func addPictures(_ picture: Picture?) {
        guard var picture else { return }
        let svg = picture.svg()
        contents.append(
            Content(names: ClipboardName.names(of: .svg), bytes: svg, format: nil, losses: LossReport()))
        if picture.palette.ground == nil { picture.palette.ground = Picture.Color(255, 255, 255) }
        do throws(DrawingProgram.Failure) {
            let png = try DrawingProgram().png(
                of: picture, pixelsPerPoint: picture.pixelsPerPoint(atMost: Self.pixelsPerPoint))
            contents.append(
                Content(names: ClipboardName.names(of: .png), bytes: png, format: nil, losses: LossReport()))
        } catch {
            omissions.append("PNG: \(error.description)")
        }
    }

    /// Returns the picture of a drawing's pages, or of the first records.
    private static func picture(
        of path: LocalPath, _ format: Format, _ reading: ReadOptions, showsPages: Bool
    ) -> Picture? {
        var pictures: [Picture] = []
        var captions: [String] = []
        if showsPages, let pages = try? Page.all(of: Source(path), as: format, reading) {
            pictures = pages.prefix(mostPictures).compactMap { Picture(of: $0, style: Picture.Style(.light)) }
        }
        if pictures.isEmpty, let source = try? ByteSource(path: path),
            var stream = try? RecordStream.open(source, as: format, reading)
        {
            while pictures.count < mostPictures {
                do throws(ReadError) {
                    guard let record = try stream.next() else { break }
                    guard record.holdsStructure, let picture = Picture(of: record) else { continue }
                    pictures.append(picture)
                    captions.append(caption(record))
                } catch {
                    if case .file = error.kind { break }
                }
            }
        }
        guard pictures.count > 1 else { return pictures.first }
        let columns = min(6, max(1, Int(Double(pictures.count).squareRoot().rounded(.up))))
        return Picture(sheetOf: pictures, captions: captions, columns: columns)
    }

    private static func caption(_ record: Record) -> String {
        switch record.subject {
        case .molecule(let molecule): molecule.name.string
        case .reaction(let reaction): reaction.name.string
        case .none: ""
        }
    }
}
