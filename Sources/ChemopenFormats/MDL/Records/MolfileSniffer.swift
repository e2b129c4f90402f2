import ChemopenBytes
import ChemopenModel

/// Recognizes a molfile by its counts line: the fourth line, or its neighbor if a header line is missing or surplus.
enum MolfileSniffer {
    static func confidence(in bytes: Span<UInt8>, from start: Int) -> Confidence {
        var lines = LineCursor(start..<bytes.count, of: bytes)
        var found = Confidence.no
        for number in 1...5 {
            guard let line = lines.next(in: bytes) else { break }
            if number >= 3, let counts = CountsLine(line, of: bytes) {
                if counts.hasVersion { return .certain }
                guard number == 4, isPlainCounts(line, bytes) else { continue }
                if counts.atoms == 0 {
                    found = .possible
                } else if let next = lines.peek(in: bytes), looksLikeAtom(next, bytes) {
                    found = .likely
                }
            }
        }
        return found
    }

    /// Whether a line `$$$$` or a data header follows the table.
    static func hasDataOrSeparator(_ bytes: Span<UInt8>, from start: Int) -> Bool {
        var lines = LineCursor(start..<bytes.count, of: bytes)
        for _ in 0..<4 { _ = lines.next(in: bytes) }
        let table = lines.position
        for mark in [Ascii.dollar, Ascii.greater] {
            var index = table
            while let found = firstIndex(of: mark, in: bytes, from: index, to: bytes.count) {
                index = found + 1
                let before = found == table ? Ascii.lineFeed : bytes[found - 1]
                guard before == Ascii.lineFeed || before == Ascii.carriageReturn else { continue }
                lines.position = found
                guard let line = lines.peek(in: bytes) else { continue }
                let isFound =
                    mark == Ascii.dollar
                    ? bytes.range(line, begins: "$$$$")
                    : firstIndex(of: Ascii.less, in: bytes, from: line.lowerBound, to: line.upperBound) != nil
                if isFound { return true }
            }
        }
        return false
    }

    /// Whether a line is the counts line of an old file: two numbers in their columns, followed only by numbers.
    private static func isPlainCounts(_ line: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        guard line.count >= 6, Ascii.isDigit(bytes[line.lowerBound + 2]), Ascii.isDigit(bytes[line.lowerBound + 5])
        else {
            return false
        }
        for index in line where !Ascii.isDigit(bytes[index]) && bytes[index] != Ascii.blank { return false }
        return true
    }

    /// Whether a line consists of three numbers and a symbol that does not start with a digit.
    private static func looksLikeAtom(_ line: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        if line.count > 31, Numeral.decimal(bytes, bytes.trimmed(bytes.columns(0..<10, of: line))) != nil,
            Numeral.decimal(bytes, bytes.trimmed(bytes.columns(10..<20, of: line))) != nil
        {
            return true
        }
        let words = bytes.words(line, limit: 4)
        return words.count == 4 && words[..<3].allSatisfy { Numeral.decimal(bytes, $0) != nil }
            && !Ascii.isDigit(bytes[words[3].lowerBound])
    }
}
