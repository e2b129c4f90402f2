import ChemopenBytes
import ChemopenModel

/// Distinguishes the MDL formats by their first keyword or, if there is no keyword, by the counts line.
enum MDLSniffer {
    enum Kind {
        case molfile, sdfile, rxnfile, rdfile
    }

    static func confidence(in head: Head, of kind: Kind) -> Confidence {
        let bytes = head.bytes.span
        let start = startOfText(bytes)
        if let keyword = Keyword(in: bytes, from: start) { return keyword.kind(in: bytes) == kind ? .certain : .no }
        guard kind == .molfile || kind == .sdfile else { return .no }
        let confidence = MolfileSniffer.confidence(in: bytes, from: start)
        if confidence == .no { return kind == .sdfile ? confidenceBehindSeparators(bytes, from: start) : .no }
        if MolfileSniffer.hasDataOrSeparator(bytes, from: start) {
            return kind == .sdfile ? confidence : .no
        }
        // Data may follow a molecule that continues after the head, so only the file name can decide.
        return kind == .molfile || !head.isWhole ? confidence : .no
    }

    /// Looks for a molfile after each separator: even if the first record is damaged, later records can identify the
    /// format.
    private static func confidenceBehindSeparators(_ bytes: Span<UInt8>, from start: Int) -> Confidence {
        var best = Confidence.no
        var index = start
        while best == .no, let dollar = KeywordLines.next(in: bytes, from: index, of: start..<bytes.count) {
            index = dollar + 1
            let rest = dollar..<bytes.count
            guard bytes.range(rest, begins: "$$$$"), rest.count == 4 || bytes[dollar + 4] <= Ascii.blank else {
                continue
            }
            var lines = LineCursor(rest, of: bytes)
            _ = lines.next(in: bytes)
            best = MolfileSniffer.confidence(in: bytes, from: lines.position)
        }
        return best
    }

    /// Returns the index after a byte order mark and after separators that precede the first record.
    private static func startOfText(_ bytes: Span<UInt8>) -> Int {
        let start = bytes.startOfText
        guard bytes.range(start..<bytes.count, begins: "$$$$") else { return start }
        var lines = LineCursor(start..<bytes.count, of: bytes)
        while let line = lines.peek(in: bytes), bytes.range(line, begins: "$$$$") { _ = lines.next(in: bytes) }
        return lines.position
    }

    /// The keyword at the beginning of the first line that is not blank.
    private enum Keyword {
        case rdfile, rxn, record, rgfile

        init?(in bytes: Span<UInt8>, from start: Int) {
            // For nearly all files, the first byte that is not white space shows that there is no keyword.
            var first = start
            while first < bytes.count, bytes[first] <= Ascii.blank { first += 1 }
            guard first < bytes.count, bytes[first] == Ascii.dollar else { return nil }
            var lines = LineCursor(start..<bytes.count, of: bytes)
            while let line = lines.next(in: bytes) {
                if bytes.isBlank(line) { continue }
                guard bytes[line.lowerBound] == Ascii.dollar else { return nil }
                if bytes.range(line, begins: "$RDFILE") {
                    self = .rdfile
                } else if bytes.range(line, begins: "$RXN") {
                    self = .rxn
                } else if bytes.range(line, begins: "$MDL") {
                    self = .rgfile
                } else if RDRecordStart.begins(line, bytes) {
                    self = .record
                } else {
                    return nil
                }
                return
            }
            return nil
        }

        private func hasSeparator(_ bytes: Span<UInt8>) -> Bool {
            switch SDSeparator().search(in: bytes, from: 0, of: 0..<bytes.count, atEnd: true) {
            case .found: true
            case .need: false
            }
        }

        /// Returns the format. A reaction with data is an RD file that lacks its two header lines.
        func kind(in bytes: Span<UInt8>) -> Kind {
            switch self {
            case .rdfile, .record: return .rdfile
            case .rgfile: return hasSeparator(bytes) ? .sdfile : .molfile
            case .rxn:
                var index = 0
                while let dollar = KeywordLines.next(in: bytes, from: index, of: 0..<bytes.count) {
                    if bytes.range(dollar..<bytes.count, begins: "$DTYPE") { return .rdfile }
                    index = dollar + 1
                }
                return .rxnfile
            }
        }
    }
}
