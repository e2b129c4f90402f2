/// An unresolved conflict from a line-based merge: a line with `<<<<<<<`, one with `=======` and one with `>>>>>>>`.
public struct ConflictMarks: Sendable, Hashable {
    /// The numbers of its first and last line, from 1.
    public let lines: ClosedRange<Int>

    /// Finds the first conflicts in a file.
    ///
    /// Returns an empty array for a pipe because its bytes cannot be read a second time. A file without a line that
    /// starts a conflict is scanned at the speed of a byte search.
    ///
    /// - Parameter most: The maximum number of conflicts to return.
    /// - Returns: The conflicts in the order of the file.
    /// - Throws: `ReadError` if the file cannot be opened or read.
    public static func find(in source: Source, most: Int = 100) throws(ReadError) -> [ConflictMarks] {
        guard source.isRegularFile else { return [] }
        do throws(FileError) {
            guard try begins(in: source.open()) else { return [] }
            return try all(in: source.open(), most)
        } catch {
            throw ReadError(error)
        }
    }

    /// Whether the bytes contain the mark that starts a conflict.
    private static func begins(in bytes: consuming ByteSource) throws(FileError) -> Bool {
        var source = bytes
        while try source.fill() {
            let buffer = source.buffer
            let bytes = buffer.span
            var index = source.window.lowerBound
            while let place = firstIndex(of: Ascii.less, in: bytes, from: index, to: source.window.upperBound) {
                index = place + 1
                if bytes.range(place..<source.window.upperBound, begins: "<<<<<<< ") { return true }
            }
            // The block may end within a mark.
            source.consume(to: source.window.upperBound - 8)
        }
        return false
    }

    private static func all(in bytes: consuming ByteSource, _ most: Int) throws(FileError) -> [ConflictMarks] {
        var source = bytes
        var found: [ConflictMarks] = []
        var (start, isParted) = (0, false)
        var number = 0
        var isAtEnd = false
        while !isAtEnd, found.count < most {
            isAtEnd = try !source.fill()
            let buffer = source.buffer
            let bytes = buffer.span
            let window = source.window
            // The block may end within a line.
            var end = window.upperBound
            if !isAtEnd {
                while end > window.lowerBound, bytes[end - 1] != Ascii.lineFeed { end -= 1 }
            }
            var lines = LineCursor(window.lowerBound..<end, of: bytes)
            while let line = lines.next(in: bytes), found.count < most {
                number += 1
                if bytes.range(line, begins: "<<<<<<< ") {
                    (start, isParted) = (number, false)
                } else if start > 0, line.count == 7, bytes.range(line, begins: "=======") {
                    isParted = true
                } else if isParted, bytes.range(line, begins: ">>>>>>> ") {
                    found.append(ConflictMarks(lines: start...number))
                    (start, isParted) = (0, false)
                }
            }
            source.consume(to: end)
        }
        return found
    }
}

extension ConflictMarks: CustomStringConvertible {
    /// The conflict as a sentence with the number of its last line.
    public var description: String {
        "unresolved git conflict up to line \(lines.upperBound); neither side is a complete record"
    }
}
