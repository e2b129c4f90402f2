import Chemopen

extension Format {
    /// XYZ: frames of atoms with 3D coordinates, without bonds or charges.
    ///
    ///     3
    ///     water
    ///     O   0.000   0.000   0.117
    ///     H   0.000   0.757  -0.469
    ///     H   0.000  -0.757  -0.469
    public static let xyz = Format(
        id: "xyz",
        name: "XYZ",
        mimeTypes: ["chemical/x-xyz"],
        extensions: ["xyz"],
        supportedFeatures: Features(
            .molecules, .severalRecords, .names, .labels, .coordinates, .heights, .precision, .foreignEncoding),
        sniff: sniffXYZ
    )
    .read(by: LineRecordReader<XYZFrame>.self)
    .written(by: LineRecordWriter<XYZSpelling>.self)
}

/// Returns how likely it is that a file is XYZ. There is no signature, so the first line must be a number and the third
/// an atom.
@Sendable private func sniffXYZ(_ head: Head) -> Confidence {
    let bytes = head.bytes.span
    var lines = LineCursor(head.bytes.indices, of: bytes)
    guard let first = lines.next(in: bytes), let count = XYZLine.count(XYZLine.words(first, of: bytes)) else {
        return .no
    }
    _ = lines.next(in: bytes)
    let third = lines.next(in: bytes)
    if count == 0 { return head.isWhole && third == nil ? .possible : .no }
    // Ignore a line that is truncated at the end of the head.
    guard let third, !lines.isAtEnd || head.isWhole else { return .no }
    return XYZLine.atom(XYZLine.words(third, of: bytes)) == nil ? .no : .likely
}

/// Parses the lines of a frame.
enum XYZLine {
    /// A symbol, three coordinates in ångström, and whether more text follows: some programs add columns.
    struct Atom {
        var symbol: String
        var place: Position
        var hasMore: Bool
    }

    /// Returns the tokens of a line, which are separated by blanks.
    static func words(_ line: Range<Int>, of bytes: Span<UInt8>) -> [String] {
        var words: [String] = []
        var word: [UInt8] = []
        for index in line {
            if bytes[index] > UInt8(ascii: " ") {
                word.append(bytes[index])
            } else if !word.isEmpty {
                words.append(String(decoding: word, as: UTF8.self))
                word = []
            }
        }
        if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
        return words
    }

    /// Returns the number of atoms if it is the only token of its line.
    static func count(_ words: [String]) -> Int? {
        guard words.count == 1, let first = words[0].first, first.isWholeNumber else { return nil }
        return Int(words[0])
    }

    /// Returns the atom of a line, or `nil` if the line is not an atom.
    static func atom(_ words: [String]) -> Atom? {
        guard words.count >= 4, let x = number(words[1]), let y = number(words[2]), let z = number(words[3]) else {
            return nil
        }
        return Atom(symbol: words[0], place: Position(x, y, z), hasMore: words.count > 4)
    }

    private static func number(_ word: String) -> Double? {
        guard let number = Double(word), number.isFinite else { return nil }
        return number
    }
}
