import ChemopenBytes

/// The tokens of a binary drawing: its objects and properties in the order of the file, without interpretation.
struct CDXTokens {
    enum Token {
        case open(DrawnKind, id: UInt32)
        case property(UInt16, ArraySlice<UInt8>)
        case close
    }

    /// The tokens. The first token opens the document, and the last one closes it.
    private(set) var tokens: [Token] = []
    let numbers: CDXNumbers

    /// Reads the tokens; returns nil if the bytes are not a complete drawing.
    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: CDXStream.signature), bytes.count >= 24 else { return nil }
        numbers = CDXNumbers(isBigEndian: bytes[8..<12].elementsEqual([1, 2, 3, 4]))
        var at = 22
        var depth = 1
        let isDeclared = numbers.word(bytes[...], at) == Int(DrawnKind.document.rawValue)
        if isDeclared, let id = numbers.long(bytes[...], at + 2) {
            tokens.append(.open(.document, id: id))
            at = 28
        } else {
            tokens.append(.open(.document, id: 0))
            if bytes[22...].prefix(6).allSatisfy({ $0 == 0 }) { at = min(28, bytes.count) }
        }
        while depth > 0 {
            if at == bytes.count, depth == 1, !isDeclared {
                tokens.append(.close)
                return
            }
            guard let tag = numbers.word(bytes[...], at) else { return nil }
            at += 2
            if tag == 0 {
                tokens.append(.close)
                depth -= 1
            } else if tag & 0x8000 != 0 {
                guard let id = numbers.long(bytes[...], at), depth < Self.greatestDepth else { return nil }
                tokens.append(.open(DrawnKind(rawValue: UInt16(truncatingIfNeeded: tag)), id: id))
                at += 4
                depth += 1
            } else {
                guard let short = numbers.word(bytes[...], at) else { return nil }
                at += 2
                var length = short
                if short == 0xFFFF {
                    guard let long = numbers.long(bytes[...], at) else { return nil }
                    length = Int(long)
                    at += 4
                }
                guard length <= bytes.count - at else { return nil }
                tokens.append(.property(UInt16(truncatingIfNeeded: tag), bytes[at..<at + length]))
                at += length
            }
        }
    }

    private static let greatestDepth = 4096

    /// Returns the header of a file, without the document.
    static func head(isBigEndian: Bool) -> [UInt8] {
        CDXStream.signature + (isBigEndian ? [1, 2, 3, 4] : [4, 3, 2, 1]) + Array(repeating: 0, count: 10)
    }

    /// Returns the bytes of a file.
    func spelled() -> [UInt8] {
        var bytes = Self.head(isBigEndian: numbers.isBigEndian)
        for token in tokens {
            switch token {
            case .open(let kind, let id):
                numbers.append(Int(kind.rawValue), bytes: 2, to: &bytes)
                numbers.append(Int(id), bytes: 4, to: &bytes)
            case .property(let tag, let data):
                let isLong = data.count >= 0xFFFF
                numbers.append(Int(tag), bytes: 2, to: &bytes)
                numbers.append(isLong ? 0xFFFF : data.count, bytes: 2, to: &bytes)
                if isLong { numbers.append(data.count, bytes: 4, to: &bytes) }
                bytes += data
            case .close: numbers.append(0, bytes: 2, to: &bytes)
            }
        }
        numbers.append(0, bytes: 2, to: &bytes)
        return bytes
    }
}
