import ChemopenBytes
import ChemopenModel

/// Reads a SketchEl file: one molecule, or behind a molfile on the clipboard its SketchEl text.
public struct SketchElReader: RecordReader, ~Copyable {
    private var source: ByteSource
    private let options: ReadOptions
    private var isRead = false
    public private(set) var place = RecordPlace()
    public private(set) var issues: [Issue] = []

    public init(_ source: consuming ByteSource, _ options: ReadOptions) throws(ReadError) {
        self.source = source
        self.options = options
        place.record = options.recordsBefore
        place.line = options.linesBefore + 1
    }

    public var header: SheetHeader { SheetHeader() }

    public var bytesRead: Int { source.bytesRead }

    public func copyRecordBytes(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: source.buffer[source.window])
    }

    public mutating func read(into record: inout Record) throws(ReadError) -> Bool {
        issues.removeAll()
        if isRead { return false }
        isRead = true
        try takeAll()
        place.record += 1
        place.offset = source.offset
        place.length = source.window.count
        var text = source.buffer[source.window]
        if let first = text.first(where: { $0 > Ascii.blank }), first == Ascii.quote,
            let unquoted = JSONText.unquote(text)
        {
            issues.append(Issue(line: 1, "the molecule is a string of JSON; read"))
            text = unquoted[...]
        }
        let bytes = Array(text)
        record.removeAllFields()
        var reader = SketchElMoleculeReader(into: record.takeMolecule(), firstLine: place.line)
        do throws(Fault) {
            try reader.read(0..<bytes.count, of: bytes.span)
        } catch {
            issues += reader.issues
            throw ReadError(error, in: 0..<bytes.count, of: bytes.span, file: source.name, place: place)
        }
        issues += reader.issues
        record.fields.columns = []
        record.subject = .molecule(reader.takeMolecule())
        return true
    }

    /// Brings the whole file into view.
    private mutating func takeAll() throws(ReadError) {
        do throws(FileError) {
            while try source.fill() {
                guard source.window.count <= options.largestRecord, !source.isSwollen else { break }
            }
        } catch {
            throw ReadError(error)
        }
        guard source.window.count <= options.largestRecord, !source.isSwollen else {
            place.record += 1
            throw ReadError(
                .tooLarge, file: source.name, record: place.record,
                expected: options.expected("a molecule", isSwollen: source.isSwollen))
        }
    }
}

/// A string of JSON, as programs pass a molecule to one another.
enum JSONText {
    /// The text of one string that is all there is but for blanks around it.
    static func unquote(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard let open = text.firstIndex(of: Ascii.quote) else { return nil }
        var result: [UInt8] = []
        var index = open + 1
        while index < text.endIndex, text[index] != Ascii.quote {
            if text[index] == 0x5C, index + 1 < text.endIndex {
                index += 1
                switch text[index] {
                case UInt8(ascii: "n"): result.append(Ascii.lineFeed)
                case UInt8(ascii: "r"): result.append(Ascii.carriageReturn)
                case UInt8(ascii: "t"): result.append(Ascii.tab)
                case UInt8(ascii: "u"):
                    // SketchEl's own escape of the same unit.
                    result.append(0x5C)
                default: result.append(text[index])
                }
            } else {
                result.append(text[index])
            }
            index += 1
        }
        return index < text.endIndex ? result : nil
    }
}
