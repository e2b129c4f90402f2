import ChemopenFormats

/// A name under which programs request clipboard content, and the kind of the content.
struct ClipboardName {
    /// The kind of content that a name indicates.
    enum Content: Equatable {
        /// A file in the format with this identifier.
        case file(String)
        /// A file in the format with this identifier. Each line is preceded by its length as one byte and has no line
        /// end.
        case countedLines(String)
        /// Text of any kind.
        case text
        /// Custom content of a web page. The browser assigns the number.
        case webFormat
        /// The names of a web page's custom content, as JSON.
        case webMap
        /// A picture.
        case svg, png
    }

    let name: String
    let content: Content

    /// The names in addition to the MIME types of the formats, in the order of the offer.
    ///
    /// The names from Windows are used on X11 by programs in Wine, such as ChemDraw. Wine's driver uses the name of a
    /// registered clipboard format as an atom.
    static let table = [
        // ChemDraw SDK, "Clipboard and documents": the bytes are a CDX file.
        ClipboardName(name: "ChemDraw Interchange Format", content: .file("cdx")),
        // The name that ChemDraw's web pages use for XML.
        ClipboardName(name: "CDXML", content: .file("cdxml")),
        // ISIS/Draw and all of its successors. OpenChemLib's ClipboardFormat uses these three names.
        ClipboardName(name: "MDLCT", content: .countedLines("mol")),
        ClipboardName(name: "MDL_MOL", content: .file("mol")),
        ClipboardName(name: "SMILES", content: .file("smi")),
        // Marvin, Ketcher and most others read structures from text. The names in capitals are X11 conventions (ICCCM
        // 2.6.2); Wayland uses MIME types.
        ClipboardName(name: "text/plain;charset=utf-8", content: .text),
        ClipboardName(name: "UTF8_STRING", content: .text),
        ClipboardName(name: "text/plain", content: .text),
        ClipboardName(name: "TEXT", content: .text),
        ClipboardName(name: "STRING", content: .text),
        // Office programs, browsers and drawing programs.
        ClipboardName(name: "image/svg+xml", content: .svg),
        ClipboardName(name: "image/png", content: .png),
        // "Web custom formats" in the W3C's clipboard interface. Ketcher in Chromium uses them for `web chemical/…`.
        ClipboardName(name: #"application/web;type="custom/formatmap""#, content: .webMap),
    ]

    private static let webFormat = #"application/web;type="custom/format"#

    /// Returns the name of a web page's custom content from its number.
    static func webFormat(_ number: Int) -> String { webFormat + "\(number)\"" }

    /// Returns the names in the table for a kind of content.
    static func names(of content: Content) -> [String] {
        table.filter { $0.content == content }.map(\.name)
    }

    /// Returns the kind of content that a name indicates, or `nil` if it is not supported.
    static func content(behind name: String, among formats: FormatRegistry) -> Content? {
        if let row = table.first(where: { $0.name == name }) { return row.content }
        if name.hasPrefix(webFormat) { return .webFormat }
        if name.lowercased().hasPrefix("text/plain;") { return .text }
        let format =
            Format.declared(name, among: formats) ?? Format.declared(name, among: FormatRegistry(formats.toldByName))
        return format.map { .file($0.id) }
    }
}

/// A text in MDL's clipboard format: each line is preceded by its length and has no line end.
enum CountedLines {
    /// Returns `nil` if the length of a line does not fit into one byte.
    static func encoded(_ text: [UInt8]) -> [UInt8]? {
        var lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        var bytes: [UInt8] = []
        for line in lines {
            let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            guard let count = UInt8(exactly: line.count) else { return nil }
            bytes.append(count)
            bytes += line
        }
        return bytes
    }

    /// Returns `nil` if a length exceeds the remaining bytes.
    static func decoded(_ bytes: [UInt8]) -> [UInt8]? {
        var rest = bytes[...]
        var text: [UInt8] = []
        while let count = rest.popFirst() {
            guard count <= rest.count else { return nil }
            text += rest.prefix(Int(count))
            text.append(UInt8(ascii: "\n"))
            rest = rest.dropFirst(Int(count))
        }
        return text
    }
}
