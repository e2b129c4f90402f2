/// A file type for registration with a desktop: its names, file name patterns, content patterns and icon.
public struct TypeDescription: Sendable {
    /// A file name pattern.
    public struct Pattern: Sendable {
        /// The pattern: `*.mol`.
        public var text: String
        /// The weight from 0 to 100. The pattern with the highest weight wins.
        public var weight: Int
        /// Whether the pattern is case-sensitive.
        public var isCaseSensitive: Bool

        /// Creates a pattern, by default with the usual weight.
        public init(_ text: String, weight: Int = 50, isCaseSensitive: Bool = false) {
            self.text = text
            self.weight = weight
            self.isCaseSensitive = isCaseSensitive
        }
    }

    /// Bytes that must occur in a range of offsets. If there are inner matches, at least one must succeed as well.
    public struct Match: Sendable {
        /// The possible start offsets of the bytes.
        public var offsets: ClosedRange<Int>
        /// The bytes, as text.
        public var text: String
        /// The bits of each byte that must agree; `nil` for all bits.
        public var mask: [UInt8]?
        /// Further matches. At least one of them must succeed.
        public var inner: [Match]

        /// Creates a match at a range of offsets.
        public init(_ text: String, at offsets: ClosedRange<Int>, mask: [UInt8]? = nil, and inner: [Match] = []) {
            self.offsets = offsets
            self.text = text
            self.mask = mask
            self.inner = inner
        }
    }

    /// The MIME type.
    public var type: String
    /// The readable name.
    public var name: String
    /// Alternative names of the type.
    public var aliases: [String] = []
    /// The parent type.
    public var parent: String?
    /// The patterns of its file names.
    public var patterns: [Pattern] = []
    /// The priority of its content patterns compared with other types.
    public var priority = 50
    /// The content patterns at the start of its files.
    public var matches: [Match] = []
    /// The document element if the type is XML.
    public var rootElement: String?
    /// The picture on its icon.
    public var picture: IconPicture

    /// Creates a type that has only a name and an icon.
    public init(_ type: String, name: String, picture: IconPicture) {
        self.type = type
        self.name = name
        self.picture = picture
    }
}

/// The XML package that adds types to the desktop's database.
public enum SharedMimeInfo {
    /// Creates the package.
    ///
    /// - Returns: XML in the format of the shared MIME info specification.
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

    /// Returns bytes in the notation of magic values.
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
