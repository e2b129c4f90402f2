import ChemopenBytes

/// The columns of an atom line, counted from 0. `AtomColumn` contains the columns of the codes.
///
///     0         1         2         3         4         5         6
///     0123456789012345678901234567890123456789012345678901234567890123456789
///     xxxxx.xxxxyyyyy.yyyyzzzzz.zzzz aaaddcccssshhhbbbvvvHHHrrriiimmmnnneee
enum AtomLine {
    static var x: Range<Int> { 0..<10 }
    static var y: Range<Int> { 10..<20 }
    static var z: Range<Int> { 20..<30 }
    static var blank: Range<Int> { z.upperBound..<z.upperBound + 1 }
    static var symbol: Range<Int> { blank.upperBound..<codes.lowerBound }
    static var codes: Range<Int> {
        AtomColumn.massDifference.range.lowerBound..<AtomColumn.exactChange.range.upperBound
    }

    /// A line of zeros without a symbol, with its line end.
    static let empty: [UInt8] = {
        var line = LineText(codes.upperBound)
        for coordinate in [x, y, z] { line.set("0.0000", in: coordinate) }
        for column in AtomColumn.allCases { line.set("0", in: column.range) }
        return line.bytes
    }()
}

extension BondColumn {
    /// The number of fields.
    static var count: Int { 7 }

    /// A line of zeros with its line end.
    static let emptyLine: [UInt8] = {
        var line = LineText(reactingCenter.range.upperBound)
        for field in allCases { line.set("0", in: field.range) }
        return line.bytes
    }()
}

/// The columns of the counts line, counted from 0: `aaabbblllfffcccsssxxxrrrpppiiimmmvvvvvv`.
enum CountsColumns {
    static var atoms: Range<Int> { 0..<3 }
    static var bonds: Range<Int> { 3..<6 }
    static var lists: Range<Int> { 6..<9 }
    static var chiral: Range<Int> { 12..<15 }
    static var textEntries: Range<Int> { 15..<18 }
    static var lines: Range<Int> { 30..<33 }
    static var version: Range<Int> { 33..<39 }

    /// The counts line of a molecule without atoms, with its line end.
    static let empty: [UInt8] = {
        var line = LineText(version.upperBound)
        for start in stride(from: 0, to: lines.lowerBound, by: 3) { line.set("0", in: start..<start + 3) }
        line.set("999", in: lines)
        line.set("V2000", in: version)
        return line.bytes
    }()
}

/// A line with texts that are right-aligned in their columns.
private struct LineText {
    var bytes: [UInt8]

    init(_ length: Int) {
        bytes = Array(repeating: Ascii.blank, count: length) + [Ascii.lineFeed]
    }

    mutating func set(_ text: String, in columns: Range<Int>) {
        bytes.replaceSubrange(columns.upperBound - text.utf8.count..<columns.upperBound, with: text.utf8)
    }
}
