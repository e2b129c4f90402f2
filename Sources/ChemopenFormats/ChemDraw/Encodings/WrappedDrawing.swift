import ChemopenBytes
import ChemopenModel

/// The encodings and containers in which a drawing is stored, detected from its first bytes.
enum DrawingWrapping {
    case binary, xml, base64, compoundFile
    /// A known format without a readable drawing, with its name.
    case foreign(String)
    case none

    init(of bytes: ArraySlice<UInt8>) {
        if bytes.starts(with: "VjCD".utf8) {
            self = .binary
        } else if bytes.starts(with: "VmpDR".utf8) {
            self = .base64
        } else if bytes.starts(with: CompoundFile.signature) {
            self = .compoundFile
        } else if CDXMLText.looksLikeXML(bytes) {
            self = .xml
        } else if let name = Self.nameOfPicture(bytes) {
            self = .foreign(name)
        } else {
            self = .none
        }
    }

    /// Returns the name of a picture format for clipboards. Such a picture contains no readable drawing.
    private static func nameOfPicture(_ bytes: ArraySlice<UInt8>) -> String? {
        let pictVersion = bytes.dropFirst(522)
        if pictVersion.starts(with: [0x00, 0x11, 0x02, 0xFF]) { return "a Macintosh picture" }
        if bytes.starts(with: [0xD7, 0xCD, 0xC6, 0x9A]) { return "a Windows metafile" }
        if bytes.starts(with: [1, 0, 0, 0]), bytes.dropFirst(40).starts(with: " EMF".utf8) {
            return "an enhanced metafile"
        }
        return nil
    }
}

/// Base64 as clipboards and text files contain it: blanks are allowed anywhere, and padding is optional.
enum Base64 {
    /// Returns the bytes, and the index of the first character that is not Base64, if any.
    static func decode(_ text: ArraySlice<UInt8>) -> (bytes: [UInt8], fault: Int?) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3 + 3)
        var bits: UInt32 = 0
        var count = 0
        let letters = text.span
        for place in letters.indices {
            let letter = letters[place]
            if letter <= 0x20 { continue }
            if letter == UInt8(ascii: "=") { break }
            guard let value = value(of: letter) else { return (bytes, text.startIndex + place) }
            bits = bits << 6 | value
            count += 1
            if count == 4 {
                bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
                bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
                bytes.append(UInt8(truncatingIfNeeded: bits))
                (bits, count) = (0, 0)
            }
        }
        if count == 3 { bytes += [UInt8(truncatingIfNeeded: bits >> 10), UInt8(truncatingIfNeeded: bits >> 2)] }
        if count == 2 { bytes.append(UInt8(truncatingIfNeeded: bits >> 4)) }
        return (bytes, nil)
    }

    /// Returns the Base64 text, with padding.
    static func encode(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count / 3 * 4 + 4)
        var rest = bytes
        while !rest.isEmpty {
            let three = rest.prefix(3)
            var bits: UInt32 = 0
            for byte in three { bits = bits << 8 | UInt32(byte) }
            bits <<= UInt32(8 * (3 - three.count))
            for place in 0...three.count { text.append(letters[Int(bits >> UInt32(18 - 6 * place) & 63)]) }
            text.append(contentsOf: repeatElement(UInt8(ascii: "="), count: 3 - three.count))
            rest = rest.dropFirst(3)
        }
        return text
    }

    private static func value(of letter: UInt8) -> UInt32? {
        switch letter {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(letter) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(letter) - 71
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(letter) + 4
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}

/// Prepares the bytes of a CDXML file for an XML parser.
enum CDXMLText {
    /// Whether the bytes begin like CDXML, in UTF-8 or UTF-16.
    static func looksLikeXML(_ bytes: ArraySlice<UInt8>) -> Bool {
        var start = bytes
        if start.starts(with: [0xEF, 0xBB, 0xBF]) { start = start.dropFirst(3) }
        if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) {
            start = Array(start.prefix(4096).filter { $0 != 0 }.dropFirst(2))[...]
        }
        start = start.drop { $0 <= 0x20 }
        return start.first == UInt8(ascii: "<")
    }

    static func mentionsCDXML(_ bytes: ArraySlice<UInt8>) -> Bool {
        let isWide = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
        let plain = isWide ? bytes.filter { $0 != 0 }[...] : bytes
        for place in plain.indices.dropLast(2) where plain[place] == UInt8(ascii: "<") {
            let second = plain[place + 1]
            guard second == UInt8(ascii: "C") || second == UInt8(ascii: "c") else { continue }
            let rest = plain[place...]
            if rest.starts(with: "<CDXML".utf8) || rest.starts(with: "<cdxList".utf8) { return true }
        }
        return false
    }

    /// Removes control characters and converts bytes that are not UTF-8. Returns an issue for each repair.
    static func repaired(_ bytes: [UInt8]) -> (bytes: [UInt8], issues: [Issue]) {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return (bytes, []) }
        var issues: [Issue] = []
        var text = bytes
        if hasControls(text.span), let place = text.firstIndex(where: isControl) {
            issues.note(Issue(line: 0, offset: place, "control characters are not allowed in XML; removed"))
            text.removeAll(where: isControl)
        }
        if !isUTF8(text), declaresUTF8(text) {
            issues.note(Issue(line: 0, offset: 0, "the text is not UTF-8; read as Windows-1252"))
            text = Array(Windows1252.string(of: text).utf8)
        }
        let (expanded, isWhole) = InternalEntities.expanded(in: text)
        if !isWhole { issues.note(Issue(line: 0, offset: 0, "an entity refers to another file; read as empty text")) }
        return (expanded, issues)
    }

    /// Whether there are control characters. The loop has no branches, so it can be vectorized.
    private static func hasControls(_ bytes: Span<UInt8>) -> Bool {
        var found: UInt8 = 0
        for place in 0..<bytes.count {
            let byte = bytes[place]
            let isBlank: UInt8 = (byte == 9 ? 1 : 0) | (byte == 10 ? 1 : 0) | (byte == 13 ? 1 : 0)
            found |= (byte < 0x20 ? 1 : 0) & ~isBlank
        }
        return found & 1 != 0
    }

    private static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 && byte != 9 && byte != 10 && byte != 13
    }

    /// Whether the text is declared as UTF-8, which is also the default without an encoding or a declaration.
    private static func declaresUTF8(_ bytes: [UInt8]) -> Bool {
        let declaration = bytes.prefix(200).prefix { $0 != UInt8(ascii: ">") }
        let text = String(decoding: declaration, as: UTF8.self).lowercased()
        guard text.hasPrefix("<?xml"), let range = text.parts(between: "encoding=").dropFirst().first else {
            return true
        }
        return range.dropFirst().hasPrefix("utf-8")
    }
}
