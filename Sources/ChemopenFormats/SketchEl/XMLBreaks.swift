import ChemopenBytes

/// XML syntax that can interrupt a text: comments, processing instructions, the boundaries of a CDATA section, and
/// numeric character references.
enum XMLBreaks {
    @Sendable static func stand(in bytes: borrowing Span<UInt8>) -> Bool {
        let bytes = copy bytes
        return hasReference(bytes) || hasInstruction(bytes) || hasCommentOrInnerSection(bytes)
            || hasTextBehindSection(bytes)
    }

    private static func hasReference(_ bytes: Span<UInt8>) -> Bool {
        has(UInt8(ascii: "&"), bytes) { bytes.range($0..<bytes.count, begins: "&#") }
    }

    private static func hasInstruction(_ bytes: Span<UInt8>) -> Bool {
        has(UInt8(ascii: "?"), bytes) { $0 > 0 && bytes[$0 - 1] == Ascii.less }
    }

    private static func hasCommentOrInnerSection(_ bytes: Span<UInt8>) -> Bool {
        has(UInt8(ascii: "!"), bytes) { sign in
            guard sign > 0, bytes[sign - 1] == Ascii.less else { return false }
            let isSection = bytes.range(sign..<bytes.count, begins: "![CDATA[")
            let isBehindTag = sign > 1 && bytes[sign - 2] == Ascii.greater
            let isBehindSection = sign > 3 && bytes.range(sign - 4..<bytes.count, begins: "]]>")
            return !isSection || !isBehindTag || isBehindSection
        }
    }

    private static func hasTextBehindSection(_ bytes: Span<UInt8>) -> Bool {
        has(UInt8(ascii: "]"), bytes) { bracket in
            guard bytes.range(bracket..<bytes.count, begins: "]]>") else { return false }
            return bracket + 3 >= bytes.count || bytes[bracket + 3] != Ascii.less
        }
    }

    private static func has(_ byte: UInt8, _ bytes: Span<UInt8>, _ fits: (Int) -> Bool) -> Bool {
        var index = 0
        while let place = firstIndex(of: byte, in: bytes, from: index, to: bytes.count) {
            if fits(place) { return true }
            index = place + 1
        }
        return false
    }
}
