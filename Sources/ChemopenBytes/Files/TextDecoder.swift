/// Converts the bytes of a text file to UTF-8, as they come.
struct TextDecoder: ~Copyable, Sendable {
    let encoding: CharacterEncoding
    private var converter: Iconv
    /// Bytes of the file; those from `position` on are not converted yet.
    private var taken: [UInt8]
    private var position = 0
    /// The place of `taken[0]` in the file, unpacked, and the number of line ends that were converted.
    private var base = 0
    private var lineEnds = 0
    private var isAtEnd = false

    private static let blockSize = 16 * 1024

    /// - Parameter bytes: the beginning of the file.
    /// - Returns: `nil` if there is no memory for it.
    init?(_ encoding: CharacterEncoding, after bytes: [UInt8]) {
        guard let converter = encoding.converter() else { return nil }
        self.encoding = encoding
        self.converter = converter
        taken = bytes
    }

    /// Begins again with the first byte of the file.
    mutating func rewind() {
        converter.restart()
        (taken, position, base, lineEnds, isAtEnd) = ([], 0, 0, 0, false)
    }

    /// Appends about `count` bytes of text.
    ///
    /// - Parameter bring: appends so many bytes of the file; `false` at its end.
    /// - Returns: `false` when nothing more comes.
    /// - Throws: an error for bytes that are not text in this encoding, once; the text ends before them.
    mutating func read(
        upTo count: Int, into buffer: inout [UInt8], of name: LocalPath,
        bring: (Int, inout [UInt8]) throws(FileError) -> Bool
    ) throws(FileError) -> Bool {
        let before = buffer.count
        while buffer.count == before {
            if isAtEnd { return false }
            var outcome = Iconv.Outcome.needsInput
            // No character takes more bytes than that, nor two that become one.
            buffer.append(addingCapacity: max(count, 32)) { output in
                outcome = Self.convert(&converter, taken, from: &position, into: &output)
            }
            for index in before..<buffer.count where buffer[index] == Ascii.lineFeed { lineEnds += 1 }
            switch outcome {
            case .needsRoom: break
            case .invalid: throw failure(of: name)
            case .needsInput: try takeMore(of: name, into: &buffer, bring)
            }
        }
        return true
    }

    private static func convert(
        _ converter: inout Iconv, _ taken: [UInt8], from position: inout Int, into output: inout OutputSpan<UInt8>
    ) -> Iconv.Outcome {
        converter.convert(taken.span, from: &position, into: &output)
    }

    private mutating func takeMore(
        of name: LocalPath, into buffer: inout [UInt8], _ bring: (Int, inout [UInt8]) throws(FileError) -> Bool
    ) throws(FileError) {
        base += position
        taken.removeSubrange(..<position)
        position = 0
        if try bring(Self.blockSize, &taken) { return }
        if !taken.isEmpty { throw failure(of: name) }
        isAtEnd = true
        buffer.append(addingCapacity: 32) { Self.finish(&converter, into: &$0) }
    }

    private static func finish(_ converter: inout Iconv, into output: inout OutputSpan<UInt8>) {
        converter.finish(into: &output)
    }

    /// The error of the byte at hand, behind which nothing is read.
    private mutating func failure(of name: LocalPath) -> FileError {
        isAtEnd = true
        let reason = FileError.Reason.invalidText(
            encoding: encoding.name, offset: base + position, line: lineEnds + 1)
        (taken, position) = ([], 0)
        return FileError(name, reason)
    }
}

extension CharacterEncoding {
    /// Whether the encoding of a file is known from its beginning, so that no other one applies: a mark of UTF-8, the
    /// declaration of an XML document, a drawing in CDX, whose fonts have character sets, or anything binary.
    func isOverruled(by beginning: ArraySlice<UInt8>) -> Bool {
        if beginning.starts(with: [0xEF, 0xBB, 0xBF]) || beginning.starts(with: "VjCD0100".utf8) { return true }
        for text: [UInt8] in [[0xFF, 0xFE, 0x3C, 0], [0xFE, 0xFF, 0, 0x3C], [0x3C, 0, 0x3F, 0], [0, 0x3C, 0, 0x3F]]
        where beginning.starts(with: text) {
            // XML in UTF-16, which its parser recognizes.
            return true
        }
        if extendsASCII, beginning.prefix(512).contains(0) { return true }
        return XMLEncoding.isDeclared(in: beginning)
    }
}
