import ChemopenBytes
import ChemopenModel

/// Reads a drawing from CDX: a header of 28 bytes, then objects and properties, each preceded by its tag.
///
///     item     = tag                                    16 bits
///     0000       the end of the current object
///     8000 set   an object: tag, id (32 bits), items, 0000
///     else       a property: tag, length (16 bits), data; if the length is FFFF, a 32-bit length follows
///
/// Every length is checked against the number of remaining bytes.
struct CDXStream {
    static let signature = Array("VjCD0100".utf8)
    private static let headerLength = 28
    /// The deepest known drawing has thirteen levels.
    private static let greatestDepth = 4096

    private let bytes: [UInt8]
    private var at = 0
    private var isBigEndian = false
    private var reading: CDXReading
    private let quick = DrawnPropertyTable.quick
    private var drawing: DrawingDraft

    /// The reason why a file cannot be read as a drawing.
    struct Refusal: Error {
        var offset: Int
        var line = 0
        var expected: String
        var found = Text()
    }

    /// Reads a complete file.
    ///
    /// - Parameters: - bytes: The bytes of the file. - isWhole: Whether to read the properties of the appearance too.
    /// - Returns: The drawing.
    /// - Throws: `Refusal` if the header is not that of a drawing.
    static func read(_ bytes: [UInt8], isWhole: Bool = false) throws(Refusal) -> Drawing {
        var stream = CDXStream(bytes, isWhole: isWhole)
        try stream.readHeader()
        stream.readItems()
        return stream.drawing.finished
    }

    private init(_ bytes: [UInt8], isWhole: Bool) {
        self.bytes = bytes
        reading = CDXReading(isBigEndian: false)
        drawing = DrawingDraft(of: bytes, isWhole: isWhole)
        drawing.reserve(forBytes: bytes.count)
    }

    // MARK: Header

    /// Reads the header, and opens the document.
    ///
    ///     0   VjCD0100
    ///     8   04 03 02 01, or reversed if numbers are big-endian
    ///     12  ten bytes without a meaning
    ///     22  8000 and the document's ID, or six zeros, or the document's first item
    private mutating func readHeader() throws(Refusal) {
        guard bytes.starts(with: Self.signature) else { throw wrongSignature() }
        guard bytes.count >= Self.headerLength - 4 else {
            throw Refusal(offset: bytes.count, expected: "a drawing after the signature; the file ends in its header")
        }
        switch Array(bytes[8..<12]) {
        case [4, 3, 2, 1]: break
        case [1, 2, 3, 4]: isBigEndian = true
        default: drawing.doubt("the byte order mark is neither 04030201 nor 01020304; read as 04030201", at: 8)
        }
        reading = CDXReading(isBigEndian: isBigEndian)
        at = 22
        let tag = word(at: at) ?? 0
        if tag == DrawnKind.document.rawValue, let id = long(at: at + 2) {
            drawing.open(.document, id: id, offset: at)
            isDocumentDeclared = true
            at = Self.headerLength
        } else {
            drawing.open(.document, id: 0, offset: at)
            if bytes[22...].prefix(6).allSatisfy({ $0 == 0 }) { at = min(Self.headerLength, bytes.count) }
        }
    }

    private var isDocumentDeclared = false
    /// The outermost open object that is not in the tables, with its start and its nesting depth.
    private var foreign: (start: Int, depth: Int)?

    private func wrongSignature() -> Refusal {
        let version = bytes.prefix(8)
        if version.starts(with: "VjCD".utf8) {
            return Refusal(offset: 0, expected: "version VjCD0100", found: Text(bytes: version))
        }
        return Refusal(offset: 0, expected: "a ChemDraw drawing", found: Text(bytes: version))
    }

    // MARK: Items

    private mutating func readItems() {
        while drawing.depth > 0 {
            if !isBigEndian, foreign == nil, !drawing.isWhole { readPlainItems() }
            guard drawing.depth > 0 else { break }
            guard at < bytes.count else { return endOfBytes() }
            guard let tag = word(at: at) else { return breakOff("the file ends within a tag") }
            let start = at
            at += 2
            if tag == 0 {
                let isForeign = foreign.map { $0.depth == drawing.depth } ?? false
                drawing.close()
                if isForeign { keepForeign() }
            } else if tag & 0x8000 != 0 {
                guard let id = long(at: at) else { return breakOff("the file ends within an object's head") }
                at += 4
                guard drawing.depth < Self.greatestDepth else {
                    breakOff("objects are nested more than \(Self.greatestDepth) deep")
                    return
                }
                let kind = DrawnKind(rawValue: tag)
                if !kind.isKnown { drawing.countUnknown("object \(kind.name)") }
                drawing.open(kind, id: id, offset: start)
                if !kind.isKnown, foreign == nil { foreign = (start, drawing.depth) }
            } else if !readProperty(tag, start) {
                return
            }
        }
        lookBehindTheEnd()
    }

    /// Reads items while they are of common kinds and need no warning. The tag, length and first bytes of an item are
    /// loaded as one machine word; for an object, the tag and the ID.
    private mutating func readPlainItems() {
        let array = bytes
        let bytes = array.span
        let quick = quick
        while at &+ 8 <= bytes.count {
            let word = loadWord(bytes, at: at)
            let tag = UInt16(truncatingIfNeeded: word)
            if tag & 0x8000 != 0 {
                let kind = DrawnKind(rawValue: tag)
                guard kind.isKnown, drawing.depth < Self.greatestDepth else { return }
                drawing.open(kind, id: UInt32(truncatingIfNeeded: word >> 16), offset: at)
                at &+= 6
            } else if tag == 0 {
                drawing.close()
                at &+= 2
                if drawing.depth == 0 { return }
            } else {
                let length = Int(UInt16(truncatingIfNeeded: word >> 16))
                let data = at &+ 4
                guard length != 0xFFFF, length <= bytes.count &- data, tag < DrawnPropertyTable.limit else { return }
                let quick = quick[Int(tag)]
                if quick.isLook {
                    at = data &+ length
                    continue
                }
                guard readPlain(quick, data..<data &+ length, UInt32(truncatingIfNeeded: word >> 32), bytes) else {
                    return
                }
                at = data &+ length
            }
        }
    }

    /// Reads a property of a common form from its data and their first four bytes.
    ///
    /// - Returns: False if the slower code is needed, because of another form or a questionable value.
    @inline(__always)
    private mutating func readPlain(
        _ quick: DrawnPropertyTable.Quick, _ data: Range<Int>, _ head: UInt32, _ bytes: Span<UInt8>
    ) -> Bool {
        let length = data.count
        switch quick.form {
        case .integer, .identifier, .named:
            let isSigned = quick.isSigned
            let number: Int
            switch length {
            case 1: number = isSigned ? Int(Int8(truncatingIfNeeded: head)) : Int(UInt8(truncatingIfNeeded: head))
            case 2: number = isSigned ? Int(Int16(truncatingIfNeeded: head)) : Int(UInt16(truncatingIfNeeded: head))
            case 4: number = isSigned ? Int(Int32(bitPattern: head)) : Int(head)
            default: return false
            }
            guard number >= Int(quick.first), number <= Int(quick.last) || quick.last == .max,
                quick.holes == 0 || quick.holes >> UInt64(number & 63) & 1 == 0
            else { return false }
            drawing.set(quick.property, integer: number)
        case .flag:
            guard length <= 1 else { return false }
            drawing.set(quick.property, integer: length == 0 || head & 0xFF != 0 ? 1 : 0)
        case .charge:
            guard length == 1 else { return false }
            drawing.set(quick.property, real: Double(Int8(truncatingIfNeeded: head)))
        case .order:
            guard length == 2 else { return false }
            drawing.set(quick.property, integer: Int(head & 0xFFFF))
        case .fraction:
            guard length == 4 else { return false }
            drawing.set(quick.property, real: Double(Int32(bitPattern: head)) / 65536)
        case .point where !quick.isInSpace:
            guard length == 8 else { return false }
            let (y, x) = Self.coordinates(bytes, at: data.lowerBound)
            guard max(abs(x), abs(y)) <= CDXReading.farthest else { return false }
            drawing.set(quick.property, position: Position(x, y))
        case .box:
            guard length == 16 else { return false }
            let (top, left) = Self.coordinates(bytes, at: data.lowerBound)
            let (bottom, right) = Self.coordinates(bytes, at: data.lowerBound &+ 8)
            drawing.set(quick.property, box: DrawnBox(left: left, top: top, right: right, bottom: bottom))
        case .point:
            guard length == 12 else { return false }
            let (x, y) = Self.coordinates(bytes, at: data.lowerBound)
            let (_, z) = Self.coordinates(bytes, at: data.lowerBound &+ 4)
            drawing.set(quick.property, position: Position(x, y, z))
        case .identifiers:
            guard length % 4 == 0 else { return false }
            drawing.set(quick.property, identifiersIn: bytes, at: data)
        case .text:
            guard let start = Self.startOfPlainText(bytes, data) else { return false }
            drawing.set(quick.property, textAt: start..<data.upperBound)
        default: return false
        }
        return true
    }

    @inline(__always)
    private static func coordinates(_ bytes: Span<UInt8>, at place: Int) -> (Double, Double) {
        let word = loadWord(bytes, at: place)
        return (
            Double(Int32(truncatingIfNeeded: word)) / 65536, Double(Int32(truncatingIfNeeded: word >> 32)) / 65536
        )
    }

    /// Returns the start of a text that has the same meaning in every character set; nil if the text depends on the
    /// character set or has unusual styles.
    private static func startOfPlainText(_ bytes: Span<UInt8>, _ data: Range<Int>) -> Int? {
        func word(at place: Int) -> Int { Int(bytes[place]) | Int(bytes[place &+ 1]) << 8 }
        guard data.count >= 2 else { return nil }
        let styleCount = word(at: data.lowerBound)
        let start = data.lowerBound + 2 + 10 * styleCount
        guard start <= data.upperBound else { return nil }
        if styleCount > 0, word(at: start - 10) > data.upperBound - start { return nil }
        return CDXCharacterSets.isPlain(bytes.extracting(start..<data.upperBound)) ? start : nil
    }

    /// Reads the property after a tag. Returns false if the file is truncated.
    private mutating func readProperty(_ tag: UInt16, _ start: Int) -> Bool {
        guard let short = word(at: at) else {
            breakOff("the file ends within a property's length")
            return false
        }
        at += 2
        var length = Int(short)
        if short == 0xFFFF {
            guard let long = long(at: at) else {
                breakOff("the file ends within a property's length")
                return false
            }
            at += 4
            length = Int(long)
        }
        guard length <= bytes.count - at else {
            let left = bytes.count - at
            breakOff(
                "property \(DrawnProperty(rawValue: tag).digits) claims \(length) bytes, but only \(left) are left")
            return false
        }
        let data = at..<at + length
        at += length
        if foreign != nil { return true }
        let property = DrawnProperty(rawValue: tag)
        if property == .fontTable { reading.readFonts(bytes[data]) }
        let row = DrawnPropertyTable.row(of: property)
        let isLook = DrawnPropertyTable.isLook(property)
        if drawing.isWhole, let row, isLook || property == .text || property == .utf8Text {
            let type = isLook ? row.type : property == .text ? .styled : .utf8Styled
            if let look = reading.value(of: type, in: bytes[data]) {
                drawing.set(property, look)
                return true
            }
        }
        if let doubt = doubt(aboutTable: property, bytes[data]) { drawing.doubt(doubt, at: start) }
        if let row, !isLook {
            decode(row, data, start)
        } else if property == .represents {
            drawing.set(.represents, .integer(1))
        } else if !DrawnLooks.has(tag: tag) {
            drawing.countUnknown("property \(DrawnProperty(rawValue: tag).digits)")
            drawing.keep(
                Array("\(DrawnProperty(rawValue: tag).digits)=".utf8)
                    + CDXMLValues.hexadecimal(bytes[data].prefix(1 << 21)))
        }
        return true
    }

    /// Preserves an object that is not in the tables, with everything it contains. This is called after the object is
    /// closed.
    private mutating func keepForeign() {
        guard let start = foreign?.start else { return }
        foreign = nil
        drawing.keep(CDXMLValues.hexadecimal(bytes[start..<at].prefix(1 << 21)))
    }

    /// Returns a warning for a table that is shorter than its count.
    private func doubt(aboutTable property: DrawnProperty, _ data: ArraySlice<UInt8>) -> String? {
        let count = reading.numbers.word(data, 0) ?? 0
        return switch property {
        case .fontTable where reading.characterSets.isTableCut: "the font table is shorter than announced"
        case .colorTable where data.count < 2 + 6 * count: "the color table is shorter than announced"
        case .lineStarts where data.count < 2 + 2 * count: "there are fewer line starts than announced"
        case .curvePoints where data.count < 2 + 8 * count: "there are fewer curve points than announced"
        default: nil
        }
    }

    private mutating func decode(_ row: DrawnPropertyTable.Row, _ data: Range<Int>, _ start: Int) {
        var value = reading.value(of: row.type, in: bytes[data])
        var doubt = reading.doubt
        if case .integer(let number)? = value, !row.type.allows(number) {
            doubt = "\(number) is not a valid value; read as the lowest one"
            value = .integer(row.type.firstNumber)
        }
        if let doubt { drawing.doubt("\(row.name.isEmpty ? "text" : row.name): \(doubt)", at: start) }
        if let value {
            drawing.set(row.property, value)
        } else if row.property == .element {
            drawing.set(.element, .integer(FragmentReader.unreadable))
        }
    }

    // MARK: The end

    /// Handles the end of the file between two items. If only an undeclared document is open, no warning is needed.
    private mutating func endOfBytes() {
        if drawing.depth == 1, !isDocumentDeclared {
            drawing.close()
        } else {
            breakOff("the file ends")
        }
    }

    private mutating func breakOff(_ message: String) {
        let name = drawing.current.map { drawing.kind(of: $0).name } ?? "drawing"
        drawing.damage = drawing.lines.issue("\(message) inside <\(name)>; the complete objects are read", at: at)
    }

    /// Checks the bytes after the zero that closes the file. Up to 16 zero bytes are ignored.
    private mutating func lookBehindTheEnd() {
        let rest = bytes[min(at, bytes.count)...]
        if rest.count > 16 || rest.contains(where: { $0 != 0 }) {
            drawing.doubt("\(rest.count) bytes after the end of the drawing; skipped", at: at)
        }
    }

    // MARK: Numbers

    @inline(__always) private func word(at place: Int) -> UInt16? {
        guard place + 2 <= bytes.count else { return nil }
        let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
        return isBigEndian ? first << 8 | second : second << 8 | first
    }

    @inline(__always) private func long(at place: Int) -> UInt32? {
        guard let first = word(at: place), let second = word(at: place + 2) else { return nil }
        return isBigEndian ? UInt32(first) << 16 | UInt32(second) : UInt32(second) << 16 | UInt32(first)
    }
}
