/// Converts a text file to UTF-8 while it is read.
struct TextDecoder: ~Copyable, Sendable {
    let encoding: CharacterEncoding
    private var converter: Iconv
    /// Bytes of the file. The bytes from `position` on are not converted yet.
    private var taken: [UInt8]
    private var position = 0
    /// The offset of `taken[0]` in the decompressed file, and the number of line ends that were converted.
    private var base = 0
    private var lineEnds = 0
    private var isAtEnd = false

    private static let blockSize = 16 * 1024

    /// - Parameter bytes: the beginning of the file.
    /// - Returns: `nil` if there is not enough memory.
    init?(_ encoding: CharacterEncoding, after bytes: [UInt8]) {
        guard let converter = encoding.converter() else { return nil }
        self.encoding = encoding
        self.converter = converter
        taken = bytes
    }

    /// Starts again at the first byte of the file.
    mutating func rewind() {
        converter.restart()
        (taken, position, base, lineEnds, isAtEnd) = ([], 0, 0, 0, false)
    }

    /// Appends about `count` bytes of text.
    ///
    /// - Parameter bring: appends up to the specified number of bytes from the file; returns `false` at its end.
    /// - Returns: `false` at the end.
    /// - Throws: an error, only once, if bytes are invalid in this encoding. In this case, the text ends before these
    ///   bytes.
    mutating func read(
        upTo count: Int, into buffer: inout [UInt8], of name: LocalPath,
        bring: (Int, inout [UInt8]) throws(FileError) -> Bool
    ) throws(FileError) -> Bool {
        let before = buffer.count
        while buffer.count == before {
            if isAtEnd { return false }
            var outcome = Iconv.Outcome.needsInput
            // No character, and no pair of combined characters, needs more bytes.
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

    /// Ends the text and returns an error for the current byte.
    private mutating func failure(of name: LocalPath) -> FileError {
        isAtEnd = true
        let reason = FileError.Reason.invalidText(
            encoding: encoding.name, offset: base + position, line: lineEnds + 1)
        (taken, position) = ([], 0)
        return FileError(name, reason)
    }
}

extension CharacterEncoding {
    /// Whether the beginning of a file determines its encoding, so that no other encoding applies. This is the case for
    /// a UTF-8 byte order mark, an XML declaration with an encoding, a CDX drawing (its fonts have character sets) and
    /// any binary file.
    func isOverruled(by beginning: ArraySlice<UInt8>) -> Bool {
        if beginning.starts(with: [0xEF, 0xBB, 0xBF]) || beginning.starts(with: "VjCD0100".utf8) { return true }
        for text: [UInt8] in [[0xFF, 0xFE, 0x3C, 0], [0xFE, 0xFF, 0, 0x3C], [0x3C, 0, 0x3F, 0], [0, 0x3C, 0, 0x3F]]
        where beginning.starts(with: text) {
            // XML in UTF-16, which the XML parser detects.
            return true
        }
        if extendsASCII, beginning.prefix(512).contains(0) { return true }
        return XMLEncoding.isDeclared(in: beginning)
    }
}
