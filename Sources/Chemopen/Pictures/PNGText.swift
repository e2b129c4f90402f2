import ChemopenBytes

/// Texts in a PNG file: a keyword and what it stands for, as thumbnails carry them.
public enum PNGText {
    /// The file with texts behind its header. Keywords and texts are Latin-1; other characters become question marks.
    public static func adding(_ texts: [(keyword: String, text: String)], to png: [UInt8]) -> [UInt8] {
        // Signature, and the header chunk of 13 bytes with its length, type and sum.
        let header = 8 + 12 + 13
        guard png.count > header, png.starts(with: [0x89, 0x50, 0x4E, 0x47]) else { return png }
        var bytes = Array(png[..<header])
        for (keyword, text) in texts { bytes.appendChunk("tEXt", latin1(keyword) + [0] + latin1(text)) }
        return bytes + png[header...]
    }

    private static func latin1(_ text: String) -> [UInt8] {
        text.unicodeScalars.map { 0x20..<0x7F ~= $0.value || 0xA0...0xFF ~= $0.value ? UInt8($0.value) : 0x3F }
    }
}
