/// Determines from the first bytes of an XML file whether the file is UTF-8: they have no byte order mark of another
/// encoding, and the declaration names no other encoding.
///
/// If it is uncertain, the result is `false`. Every byte then passes through libxml2, which supports all encodings.
struct XMLEncoding: Sendable {
    private(set) var isUTF8 = false
    /// The first bytes, until the encoding is determined.
    private var head: [UInt8] = []
    private var isDecided = false

    private static let longestDeclaration = 1024

    /// Examines the next bytes of the file.
    @inline(__always)
    mutating func read(_ bytes: Span<UInt8>) {
        if !isDecided { readHead(bytes) }
    }

    private mutating func readHead(_ bytes: Span<UInt8>) {
        for index in 0..<min(bytes.count, Self.longestDeclaration - head.count) { head.append(bytes[index]) }
        guard let answer = Self.isUTF8(head[...]) else {
            isDecided = head.count == Self.longestDeclaration
            return
        }
        isUTF8 = answer
        isDecided = true
        head = []
    }

    /// Whether an XML document begins with a declaration that specifies an encoding.
    static func isDeclared(in head: ArraySlice<UInt8>) -> Bool {
        let text = head.drop(while: isBlank)
        guard text.starts(with: "<?xml".utf8), let end = text.firstIndex(of: Ascii.greater) else { return false }
        let name = Array("encoding".utf8)
        let declaration = text[..<end]
        return declaration.indices.contains { declaration[$0...].starts(with: name) }
    }

    /// Returns `nil` if more bytes are needed.
    private static func isUTF8(_ head: ArraySlice<UInt8>) -> Bool? {
        guard head.count > 8 else { return nil }
        let text = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head
        let (first, second) = (text[text.startIndex], text[text.startIndex + 1])
        guard first == Ascii.less || isBlank(first), second != 0 else { return false }
        guard text.starts(with: "<?xml".utf8), let next = text.dropFirst(5).first else { return true }
        // `<?xml-stylesheet ?>` is not a declaration.
        guard isBlank(next) else { return true }
        for index in text.indices.dropLast() where text[index] == UInt8(ascii: "?") && text[index + 1] == Ascii.greater
        {
            return declaresUTF8(text[..<index])
        }
        return nil
    }

    private static func declaresUTF8(_ declaration: ArraySlice<UInt8>) -> Bool {
        let name = "encoding".utf8
        guard let start = declaration.indices.first(where: { declaration[$0...].starts(with: name) }) else {
            return true
        }
        var rest = declaration[start...].dropFirst(name.count).drop(while: isBlank)
        guard rest.popFirst() == Ascii.equals else { return false }
        rest = rest.drop(while: isBlank)
        guard let quote = rest.popFirst(), quote == Ascii.quote || quote == UInt8(ascii: "'") else { return false }
        let value = rest.prefix { $0 != quote }.map { Ascii.upper($0) }
        return value.elementsEqual("UTF-8".utf8) || value.elementsEqual("UTF8".utf8)
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        Ascii.isBlank(byte) || byte == Ascii.lineFeed || byte == Ascii.carriageReturn
    }
}
