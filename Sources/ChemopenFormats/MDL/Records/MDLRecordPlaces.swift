import ChemopenBytes
import ChemopenModel

extension RecordPlaces {
    /// A record of an SD file ends at its `$$$$`. Where a value may be open the line may belong to it: there, and only
    /// there, the records are read to see.
    static let sdfile = RecordPlaces { bytes, isFirst, isLast, places in
        let bytes = copy bytes
        let window = 0..<bytes.count
        /// More than this is not looked at again and again.
        let longestDoubt = 8 << 20
        var start = 0
        var searched = 0
        var lastSeparator = 0
        var isDoubtful = false
        while case .found(let separator) = SDSeparator.search(in: bytes, from: searched, of: window, atEnd: isLast) {
            searched = separator.upperBound
            lastSeparator = searched
            if !isDoubtful, !closesRecord(separator.lowerBound, bytes) { isDoubtful = true }
            if isDoubtful, !closesRecord(separator.lowerBound, bytes), searched - start < longestDoubt { continue }
            addRecords(start..<searched, bytes, isDoubtful, &places)
            start = searched
            isDoubtful = false
        }
        if isLast {
            addRecords(start..<bytes.count, bytes, isDoubtful && lastSeparator > start, &places)
            start = bytes.count
        }
        return start
    }

    /// Whether a separator stands behind an empty line or `M  END`, where no value is open.
    private static func closesRecord(_ separator: Int, _ bytes: Span<UInt8>) -> Bool {
        var end = separator
        guard end > 0 else { return true }
        end = lineEnd(before: end, bytes)
        if end == 0 || isLineEnd(bytes[end - 1]) { return true }
        return end >= 6 && bytes.range(end - 6..<end, begins: "M  END") && (end == 6 || isLineEnd(bytes[end - 7]))
    }

    private static func lineEnd(before start: Int, _ bytes: Span<UInt8>) -> Int {
        let isPair = start > 1 && bytes[start - 1] == Ascii.lineFeed && bytes[start - 2] == Ascii.carriageReturn
        return start - (isPair ? 2 : 1)
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool {
        byte == Ascii.lineFeed || byte == Ascii.carriageReturn
    }

    private static func addRecords(
        _ range: Range<Int>, _ bytes: Span<UInt8>, _ isDoubtful: Bool, _ places: inout [Int]
    ) {
        if isDoubtful {
            let text = bytes.bytes(range)
            guard let source = try? ByteSource(text), var reader = try? SDfileReader(source, ReadOptions()) else {
                return
            }
            var record = Record()
            var last = -1
            while (try? reader.read(into: &record)) != false {
                if reader.place.offset == last { break }
                last = reader.place.offset
                places.append(range.lowerBound + last)
            }
            return
        }
        // What the reader passes over as empty is no record here either.
        let most = 261
        if range.count < most {
            var isEmpty = true
            var index = range.lowerBound
            while index < range.upperBound, isEmpty {
                isEmpty = bytes[index] <= Ascii.blank || bytes[index] == Ascii.dollar
                index += 1
            }
            if isEmpty { return }
        }
        places.append(range.lowerBound)
    }

    /// A record of an RD file ends where the next one begins; the lines that head the file belong to the first.
    static let rdfile = RecordPlaces(keepsText: false) { bytes, isFirst, isLast, places in
        let bytes = copy bytes
        let window = 0..<bytes.count
        var start = 0
        var hasKeyword = !isFirst || RDRecordStart.begins(0..<min(7, bytes.count), bytes)
        var searched = 0
        while case .found(let next) = RDRecordStart.search(in: bytes, from: searched, of: window, atEnd: isLast) {
            searched = next.lowerBound + 1
            if hasKeyword {
                places.append(start)
                start = next.lowerBound
            }
            hasKeyword = true
        }
        if isLast {
            if hasKeyword, start < bytes.count { places.append(start) }
            start = bytes.count
        }
        return start
    }
}
