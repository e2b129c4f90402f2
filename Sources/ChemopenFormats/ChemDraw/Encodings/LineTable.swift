import ChemopenBytes
import ChemopenModel

/// The start of each line in a text. This is computed on demand, because most files have no issues to report.
final class LineTable {
    /// The text; nil for a binary file, which has no lines.
    private let text: [UInt8]?
    private lazy var starts = text.map(Self.starts) ?? []

    init(of text: [UInt8]?) {
        self.text = text
    }

    func issue(_ message: String, found: Text = "", at offset: Int) -> Issue {
        Issue(line: line(at: offset), offset: offset, message, found: found)
    }

    /// Returns the number of the line that contains a byte, starting from 1; 0 if there are no lines.
    private func line(at offset: Int) -> Int {
        var (low, high) = (0, starts.count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle + 1 } else { high = middle }
        }
        return low
    }

    func offset(ofLine line: Int) -> Int {
        starts.isEmpty ? 0 : starts[max(0, min(line - 1, starts.count - 1))]
    }

    private static func starts(in text: [UInt8]) -> [Int] {
        let text = text.span
        var starts = [0]
        var place = 0
        while let end = firstIndex(of: 0x0A, in: text, from: place, to: text.count) {
            place = end + 1
            starts.append(place)
        }
        return starts
    }
}
