import ChemopenBytes
import ChemopenModel

/// Tells the files of the family apart by their first keyword, and where there is none, by the counts line.
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
        // A molecule that goes on behind the head may have data behind it: only the name can tell.
        return kind == .molfile || !head.isWhole ? confidence : .no
    }

    /// A first record that is broken costs only itself: those behind it may show what the file is.
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

    /// Behind a byte order mark and separators that separate nothing.
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
            // Nearly all files are told by the first byte that is none of a blank line.
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

        /// A reaction with data is an RD file that lacks its first two lines.
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
