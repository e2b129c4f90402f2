import ChemopenBytes

/// Texts in a PNG file, such as the keywords and values in thumbnails.
public enum PNGText {
    /// Inserts texts into a PNG file, after its header.
    ///
    /// Keywords and texts are encoded as Latin-1; other characters are replaced with question marks.
    ///
    /// - Returns: The file with the texts, or the unchanged bytes if they are not a PNG file.
    public static func adding(_ texts: [(keyword: String, text: String)], to png: [UInt8]) -> [UInt8] {
        // The signature, and the header chunk with 13 bytes of data and its length, type and checksum.
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
