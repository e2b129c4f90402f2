import ChemopenFormats

/// A name by which programs ask for a content of the clipboard, and what lies behind it.
struct ClipboardName {
    /// The kind of content behind a name.
    enum Content: Equatable {
        /// A file of the format with this id.
        case file(String)
        /// A file of the format with this id, its lines without ends and each with its length in a byte before it.
        case countedLines(String)
        /// Text, which may be anything.
        case text
        /// A page's own content in a browser; the number is the browser's.
        case webFormat
        /// The names of a page's own contents in a browser, as JSON.
        case webMap
        /// A picture.
        case svg, png
    }

    let name: String
    let content: Content

    /// The names besides the MIME types of the formats, a row each. What is offered has them in this order.
    ///
    /// The names of Windows reach X11 through Wine, whose driver gives a registered clipboard format its own name as an atom; so
    /// does ChemDraw there.
    static let table = [
        // ChemDraw SDK, "Clipboard and documents": the bytes are a CDX file.
        ClipboardName(name: "ChemDraw Interchange Format", content: .file("cdx")),
        // ChemDraw's page for browsers calls its clipboard's XML so.
        ClipboardName(name: "CDXML", content: .file("cdxml")),
        // ISIS/Draw and all that followed it; OpenChemLib's ClipboardFormat has these three.
        ClipboardName(name: "MDLCT", content: .countedLines("mol")),
        ClipboardName(name: "MDL_MOL", content: .file("mol")),
        ClipboardName(name: "SMILES", content: .file("smi")),
        // Marvin, Ketcher and most others read structures from text. The conventions of X11 name it in capitals (ICCCM 2.6.2),
        // Wayland by its type.
        ClipboardName(name: "text/plain;charset=utf-8", content: .text),
        ClipboardName(name: "UTF8_STRING", content: .text),
        ClipboardName(name: "text/plain", content: .text),
        ClipboardName(name: "TEXT", content: .text),
        ClipboardName(name: "STRING", content: .text),
        // Office programs, browsers, drawing programs.
        ClipboardName(name: "image/svg+xml", content: .svg),
        ClipboardName(name: "image/png", content: .png),
        // "Web custom formats" of the W3C's clipboard interface: Ketcher in Chromium writes and reads `web chemical/…` by them.
        ClipboardName(name: #"application/web;type="custom/formatmap""#, content: .webMap),
    ]

    private static let webFormat = #"application/web;type="custom/format"#

    /// The name of a page's own content by its number.
    static func webFormat(_ number: Int) -> String { webFormat + "\(number)\"" }

    /// The names of a content that stand in the table.
    static func names(of content: Content) -> [String] {
        table.filter { $0.content == content }.map(\.name)
    }

    /// The content that a name promises; `nil` where nobody here can read it.
    static func content(behind name: String, among formats: FormatRegistry) -> Content? {
        if let row = table.first(where: { $0.name == name }) { return row.content }
        if name.hasPrefix(webFormat) { return .webFormat }
        if name.lowercased().hasPrefix("text/plain;") { return .text }
        let format =
            Format.declared(name, among: formats) ?? Format.declared(name, among: FormatRegistry(formats.toldByName))
        return format.map { .file($0.id) }
    }
}

/// A text as MDL's clipboard has it: each line behind its length, and no line ends.
enum CountedLines {
    /// `nil` where a line is too long for a byte to count it.
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

    /// `nil` where the counts do not add up.
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
