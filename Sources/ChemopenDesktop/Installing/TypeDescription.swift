/// A type of files as a desktop is to know it: its names, its signs, its icon.
public struct TypeDescription: Sendable {
    /// A pattern of names.
    public struct Pattern: Sendable {
        /// The pattern: `*.mol`.
        public var text: String
        /// From 0 to 100; the heaviest pattern wins.
        public var weight: Int
        /// Small and capital letters differ.
        public var isCaseSensitive: Bool

        /// A pattern of names, as heavy as patterns usually are.
        public init(_ text: String, weight: Int = 50, isCaseSensitive: Bool = false) {
            self.text = text
            self.weight = weight
            self.isCaseSensitive = isCaseSensitive
        }
    }

    /// Bytes somewhere in a range of offsets, and, where there are inner ones, one of these as well.
    public struct Match: Sendable {
        /// The offsets at which the bytes may begin.
        public var offsets: ClosedRange<Int>
        /// The bytes, as text.
        public var text: String
        /// The bits of each byte that have to agree; `nil` for all.
        public var mask: [UInt8]?
        /// Further bytes, of which some must be met as well.
        public var inner: [Match]

        /// Bytes at a range of offsets.
        public init(_ text: String, at offsets: ClosedRange<Int>, mask: [UInt8]? = nil, and inner: [Match] = []) {
            self.offsets = offsets
            self.text = text
            self.mask = mask
            self.inner = inner
        }
    }

    /// The MIME type.
    public var type: String
    /// The name for people.
    public var name: String
    /// Other names of the type.
    public var aliases: [String] = []
    /// The wider type.
    public var parent: String?
    /// The names of its files.
    public var patterns: [Pattern] = []
    /// The weight of its content against that of other types.
    public var priority = 50
    /// The beginnings of its files.
    public var matches: [Match] = []
    /// The document element, of a type that is XML.
    public var rootElement: String?
    /// The picture on its icon.
    public var picture: IconPicture

    /// A type with nothing but its name and icon.
    public init(_ type: String, name: String, picture: IconPicture) {
        self.type = type
        self.name = name
        self.picture = picture
    }
}

/// The package with which types join the desktop's database.
public enum SharedMimeInfo {
    /// The package's XML, by the shared MIME info specification.
    public static func package(of types: [TypeDescription]) -> String {
        var xml = """
            <?xml version="1.0" encoding="UTF-8"?>
            <mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">

            """
        for type in types { add(type, to: &xml) }
        return xml + "</mime-info>\n"
    }

    private static func add(_ type: TypeDescription, to xml: inout String) {
        xml += "  <mime-type type=\(quoted(type.type))>\n"
        xml += "    <comment>\(escaped(type.name))</comment>\n"
        for alias in type.aliases { xml += "    <alias type=\(quoted(alias))/>\n" }
        if let parent = type.parent { xml += "    <sub-class-of type=\(quoted(parent))/>\n" }
        if !type.matches.isEmpty {
            xml += "    <magic priority=\"\(type.priority)\">\n"
            for match in type.matches { add(match, indent: "      ", to: &xml) }
            xml += "    </magic>\n"
        }
        if let root = type.rootElement { xml += "    <root-XML namespaceURI=\"\" localName=\(quoted(root))/>\n" }
        for pattern in type.patterns {
            let weight = pattern.weight == 50 ? "" : " weight=\"\(pattern.weight)\""
            let sense = pattern.isCaseSensitive ? " case-sensitive=\"true\"" : ""
            xml += "    <glob pattern=\(quoted(pattern.text))\(weight)\(sense)/>\n"
        }
        xml += "  </mime-type>\n"
    }

    private static func add(_ match: TypeDescription.Match, indent: String, to xml: inout String) {
        let first = match.offsets.lowerBound
        let offset = match.offsets.count == 1 ? "\(first)" : "\(first):\(match.offsets.upperBound)"
        xml += "\(indent)<match type=\"string\" offset=\"\(offset)\" value=\(quoted(literal(match.text)))"
        if let mask = match.mask { xml += " mask=\"0x\(mask.map(hexadecimal).joined())\"" }
        if match.inner.isEmpty {
            xml += "/>\n"
            return
        }
        xml += ">\n"
        for inner in match.inner { add(inner, indent: indent + "  ", to: &xml) }
        xml += "\(indent)</match>\n"
    }

    /// Bytes in the notation of magic values.
    private static func literal(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "\n"): "\\n"
            case UInt8(ascii: "\r"): "\\r"
            case UInt8(ascii: "\\"): "\\\\"
            case 0x20..<0x7F: String(Unicode.Scalar(byte))
            default: "\\x" + hexadecimal(byte)
            }
        }.joined()
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }

    private static func quoted(_ text: String) -> String {
        "\"\(escaped(text))\""
    }

    static func escaped(_ text: String) -> String {
        text.map { $0 == "&" ? "&amp;" : $0 == "<" ? "&lt;" : $0 == ">" ? "&gt;" : $0 == "\"" ? "&quot;" : String($0) }
            .joined()
    }
}
