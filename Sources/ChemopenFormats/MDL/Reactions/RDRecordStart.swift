import ChemopenBytes
import ChemopenModel

/// The first line of a record of an RD file: `$MFMT`, `$RFMT`, or a registry number without a structure keyword.
///
///     $MFMT [$MIREG internal | $MEREG external]
///     $RFMT [$RIREG internal | $REREG external]
///
/// After `$DATUM `, the same keywords are in the middle of a line and do not begin a record.
struct RDRecordStart {
    /// The announced content: a molecule, a reaction, or only a registry number.
    enum Content {
        case molecule, reaction, number
    }

    private(set) var content = Content.number
    private(set) var registry: [Record.RegistryNumber] = []
    /// The text after the keyword that is not a registry number.
    private(set) var nonsense: Range<Int>?

    /// Whether a line begins a record.
    static func begins(_ line: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        guard line.count >= 5, bytes[line.lowerBound] == Ascii.dollar, isLikeKeyword(bytes[line.lowerBound + 2]) else {
            return false
        }
        let length = keywordLength(line, bytes)
        guard length > 0 else { return false }
        return line.count == length || bytes[line.lowerBound + length] <= Ascii.blank
    }

    /// Whether a byte can be the third byte of a keyword. Other lines of a record have different third bytes.
    private static func isLikeKeyword(_ third: UInt8) -> Bool {
        third == UInt8(ascii: "F") || third == UInt8(ascii: "I") || third == UInt8(ascii: "E")
    }

    private static func keywordLength(_ line: Range<Int>, _ bytes: Span<UInt8>) -> Int {
        if bytes.range(line, begins: "$MFMT") || bytes.range(line, begins: "$RFMT") { return 5 }
        return registryKind(line, bytes) == nil ? 0 : 6
    }

    private static func registryKind(
        _ word: Range<Int>, _ bytes: Span<UInt8>
    ) -> (isInternal: Bool, isOfReaction: Bool)? {
        if bytes.range(word, begins: "$MIREG") { return (true, false) }
        if bytes.range(word, begins: "$MEREG") { return (false, false) }
        if bytes.range(word, begins: "$RIREG") { return (true, true) }
        if bytes.range(word, begins: "$REREG") { return (false, true) }
        return nil
    }

    /// Reads the first line of a record. A registry number extends to the next keyword and may contain blanks.
    init(_ line: Range<Int>, _ bytes: Span<UInt8>) {
        var at = line.lowerBound
        if let first = bytes.word(from: at, to: line.upperBound), Self.registryKind(first, bytes) == nil {
            content = bytes.range(first, begins: "$MFMT") ? .molecule : .reaction
            at = first.upperBound
        }
        while let word = bytes.word(from: at, to: line.upperBound) {
            guard let kind = Self.registryKind(word, bytes) else {
                nonsense = word.lowerBound..<bytes.trimmedRight(line).upperBound
                return
            }
            at = word.upperBound
            var number = at..<at
            while let part = bytes.word(from: at, to: line.upperBound), Self.registryKind(part, bytes) == nil {
                number = (number.isEmpty ? part.lowerBound : number.lowerBound)..<part.upperBound
                at = part.upperBound
            }
            registry.append(
                Record.RegistryNumber(
                    Text(bytes: bytes.bytes(number)), isInternal: kind.isInternal, isOfReaction: kind.isOfReaction))
        }
    }
}

extension RDRecordStart {
    /// Whether a registry number that is written after its keyword is read back unchanged.
    static func readsBack(_ number: Record.RegistryNumber) -> Bool {
        let line = Array("$MIREG ".utf8) + number.number.bytes
        let start = RDRecordStart(0..<line.count, line.span)
        return start.registry.count == 1 && start.registry[0].number == number.number && start.nonsense == nil
            && !number.number.changesOnOneLine
    }
}

/// Finds the end of a record, where the next one begins.
struct RDSeparator: RecordSeparation {
    func search(
        in bytes: Span<UInt8>, from start: Int, of window: Range<Int>, atEnd: Bool
    ) -> SeparatorSearch {
        let longestKeyword = 6
        var index = start
        while let dollar = KeywordLines.next(in: bytes, from: index, of: window) {
            index = dollar &+ 1
            if dollar == window.lowerBound { continue }
            if dollar &+ longestKeyword >= window.upperBound, !atEnd { return .need(from: dollar) }
            let end = min(dollar &+ longestKeyword &+ 1, window.upperBound)
            if RDRecordStart.begins(dollar..<end, bytes) { return .found(dollar..<dollar) }
        }
        return .need(from: window.upperBound)
    }

    /// Returns the start of the last record if another record begins before it. All records before it are complete.
    ///
    /// The header lines of a file belong to its first record.
    @Sendable static func lastRecordEnd(_ bytes: borrowing Span<UInt8>) -> Int? {
        guard let last = lastStart(before: bytes.count - 6, bytes), lastStart(before: last, bytes) != nil else {
            return nil
        }
        return last
    }

    /// Returns the start of the first record at or after `place` that follows another record. That record is
    /// complete.
    @Sendable static func nextRecordEnd(_ bytes: borrowing Span<UInt8>, from place: Int, isAtEnd: Bool) -> Int? {
        let longestKeyword = 6
        let bytes = copy bytes
        let window = 0..<bytes.count
        var index = place
        while let dollar = KeywordLines.next(in: bytes, from: index, of: window) {
            index = dollar + 1
            if dollar + longestKeyword >= bytes.count, !isAtEnd { return nil }
            guard dollar > 0, RDRecordStart.begins(dollar..<min(dollar + longestKeyword + 1, bytes.count), bytes) else {
                continue
            }
            // If the bytes do not include the file's header, a record precedes `place`.
            if place >= Format.cutContext || lastStart(before: dollar, bytes) != nil { return dollar }
        }
        return nil
    }

    private static func lastStart(before end: Int, _ bytes: borrowing Span<UInt8>) -> Int? {
        var index = end - 1
        while index >= 0 {
            if bytes[index] == Ascii.dollar, index == 0 || bytes[index - 1] == Ascii.lineFeed,
                RDRecordStart.begins(index..<index + 7, copy bytes)
            {
                return index
            }
            index -= 1
        }
        return nil
    }
}
