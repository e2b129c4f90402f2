import Chemopen

extension Format {
    /// XYZ: atoms with their places in space, one frame behind the other, and nothing of bonds or charges.
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
        holds: Features(
            .molecules, .severalRecords, .names, .labels, .coordinates, .heights, .precision, .foreignEncoding),
        sniff: sniffXYZ
    )
    .read(by: XYZReader.self)
    .written(by: XYZWriter.self)
}

/// The format has no signature: a first line that is a number and a third line that is an atom have to do.
@Sendable private func sniffXYZ(_ head: Head) -> Confidence {
    let lines = head.bytes.split(separator: XYZLine.feed, maxSplits: 3, omittingEmptySubsequences: false)
    guard let count = lines.first.flatMap(XYZLine.count) else { return .no }
    if count == 0 { return head.isWhole && lines.count <= 3 ? .possible : .no }
    // A line that is cut off at the end of the head tells nothing.
    guard lines.count > 3 || lines.count == 3 && head.isWhole else { return .no }
    return XYZLine.atom(lines[2]) == nil ? .no : .likely
}

/// How the lines of a frame read.
enum XYZLine {
    static let feed = UInt8(ascii: "\n")

    /// The words of a line. A carriage return in front of the line feed is white space, too.
    static func words(_ line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        line.split { $0 <= UInt8(ascii: " ") }
    }

    /// The number of atoms, alone on its line.
    static func count(_ line: ArraySlice<UInt8>) -> Int? {
        let words = words(line)
        guard words.count == 1, let first = words[0].first, first &- UInt8(ascii: "0") < 10 else { return nil }
        return Int(String(decoding: words[0], as: UTF8.self))
    }

    /// A symbol, three coordinates in Ångström, and whatever other programs add behind them.
    static func atom(_ line: ArraySlice<UInt8>) -> (symbol: ArraySlice<UInt8>, place: Position, hasMore: Bool)? {
        let words = words(line)
        guard words.count >= 4, let x = number(words[1]), let y = number(words[2]), let z = number(words[3]) else {
            return nil
        }
        return (words[0], Position(x, y, z), words.count > 4)
    }

    private static func number(_ word: ArraySlice<UInt8>) -> Double? {
        guard let number = Double(String(decoding: word, as: UTF8.self)), number.isFinite else { return nil }
        return number
    }
}
