import ChemopenBytes
import ChemopenModel

/// Reads ChemDraw drawings. The encoding, CDX or CDXML, and the container are detected from the bytes.
///
/// Drawings are small, so the complete drawing is read before the first record is returned. Issues that affect the
/// complete file are reported with the first record.
public struct DrawingReader: RecordReader, ~Copyable {
    private var source: ByteSource
    private let options: ReadOptions
    private var entries: [DrawingInterpreter.Entry] = []
    private var next = 0
    private var isRead = false
    /// The reason why the end of the file could not be reached; it is thrown after the last record.
    private var damage: ReadError?
    private var bytes: [UInt8] = []
    public private(set) var header = SheetHeader()
    public private(set) var place = RecordPlace()
    public private(set) var issues: [Issue] = []

    /// The maximum file size. A larger file is rejected before it uses too much memory.
    private static let largestFile = 1 << 28

    public init(_ source: consuming ByteSource, _ options: ReadOptions) throws(ReadError) {
        self.source = source
        self.options = options
        place.record = options.recordsBefore
    }

    public var bytesRead: Int { source.bytesRead }

    public var sharesBytes: Bool { true }

    /// Appends the bytes of the complete file, because a record of a drawing cannot be extracted.
    public func copyRecordBytes(to bytes: inout [UInt8]) {
        bytes += self.bytes
    }

    public mutating func read(into record: inout Record) throws(ReadError) -> Bool {
        issues = []
        if !isRead {
            isRead = true
            try readFile()
        }
        guard next < entries.count else {
            guard let damage else { return false }
            self.damage = nil
            throw damage
        }
        // Release the entry, because it is not needed again.
        var entry = DrawingInterpreter.Entry()
        swap(&entry, &entries[next])
        next += 1
        place.record += 1
        place.offset = entry.offset
        place.length = bytes.count
        record = entry.record
        issues = entry.issues
        return true
    }

    // MARK: The file

    private mutating func readFile() throws(ReadError) {
        try fill()
        let (drawing, wasEncoded) = try drawing(isWhole: false)
        entries = DrawingInterpreter.entries(of: drawing)
        try lookForDamage(drawing, isDecoded: wasEncoded)
        header.columns = entries.first?.record.fields.columns ?? []
    }

    /// Returns the pages of a file for display. If the file is truncated, they contain the objects before the end.
    static func pages(of source: consuming ByteSource, _ options: ReadOptions) throws(ReadError) -> [Page] {
        PageReader.pages(of: try whole(source, options))
    }

    /// Returns the objects of a file, including their appearance.
    static func whole(_ source: consuming ByteSource, _ options: ReadOptions) throws(ReadError) -> Drawing {
        var reader = try DrawingReader(source, options)
        try reader.fill()
        return try reader.drawing(isWhole: true).drawing
    }

    private func drawing(isWhole: Bool) throws(ReadError) -> (drawing: Drawing, wasEncoded: Bool) {
        var (content, wrapping) = try unwrapped()
        var wasEncoded = false
        if case .base64 = wrapping {
            let (decoded, fault) = Base64.decode(content[...])
            if let fault {
                throw refusal(.init(offset: fault, expected: "a Base64 character", found: found(at: fault)))
            }
            content = decoded
            wasEncoded = true
            wrapping = DrawingWrapping(of: decoded[...])
        } else if case .compoundFile = wrapping {
            guard let stream = CompoundFile(content[...])?.stream(named: "CONTENTS") else {
                throw refusal(.init(offset: 0, expected: "a drawing in the OLE container; CONTENTS is missing"))
            }
            content = stream
            wrapping = DrawingWrapping(of: stream[...])
        }
        do throws(CDXStream.Refusal) {
            switch wrapping {
            case .binary: return (try CDXStream.read(content, isWhole: isWhole), wasEncoded)
            case .xml: return (try CDXMLStream.read(content, isWhole: isWhole), wasEncoded)
            case .foreign(let name):
                throw CDXStream.Refusal(offset: 0, expected: "a ChemDraw drawing; this is \(name)")
            default: throw CDXStream.Refusal(offset: 0, expected: "a ChemDraw drawing", found: found(at: 0))
            }
        } catch {
            throw refusal(error)
        }
    }

    private mutating func fill() throws(ReadError) {
        let limit = min(Self.largestFile, options.largestRecord)
        while !source.isAtEnd {
            guard source.window.count <= limit, !source.isSwollen else {
                place.record += 1
                throw ReadError(
                    .tooLarge, file: source.name, record: place.record, offset: 0,
                    expected: options.expected("a drawing", isSwollen: source.isSwollen))
            }
            do throws(FileError) {
                _ = try source.fill()
            } catch {
                throw ReadError(error)
            }
        }
        bytes = Array(source.buffer[source.window])
    }

    private func unwrapped() throws(ReadError) -> ([UInt8], DrawingWrapping) {
        if bytes.isEmpty { throw refusal(.init(offset: 0, expected: "a ChemDraw drawing; the file is empty")) }
        return (bytes, DrawingWrapping(of: bytes[...]))
    }

    /// Checks whether the file is damaged.
    ///
    /// A malformed file, truncated Base64 and a file that is truncated before its first molecule are rejected.
    /// Otherwise, the intact part is read, and the error is thrown after its last record.
    private mutating func lookForDamage(_ drawing: Drawing, isDecoded: Bool) throws(ReadError) {
        guard let damage = drawing.damage else { return }
        let error = refusal(
            .init(offset: damage.offset ?? 0, line: damage.line, expected: "a complete drawing: \(damage.message)"))
        let isEmpty = entries.allSatisfy { $0.record.subject == .none && $0.fields.isEmpty }
        if drawing.isBroken || isEmpty || isDecoded {
            entries = []
            throw error
        }
        self.damage = error
        self.damage?.record = place.record + entries.count
    }

    private func found(at offset: Int) -> Text {
        Text(bytes: bytes.dropFirst(offset).prefix(8))
    }

    private func refusal(_ refusal: CDXStream.Refusal) -> ReadError {
        ReadError(
            file: source.name, record: place.record + 1, line: refusal.line, offset: refusal.offset,
            expected: refusal.expected, found: refusal.found)
    }
}
