/// The description of a format for desktops, which use it to recognize files without running this program.
///
/// The rules of desktops are less precise than `sniff`: a few bytes at fixed offsets, and the file name.
public struct TypeSignature: Sendable {
    /// The kind of content, which determines the icon and the description.
    public enum Kind: String, Sendable, CaseIterable {
        /// One molecule, a reaction, many records, or a drawn page.
        case molecule, reaction, collection, drawing
    }

    /// A condition: certain bytes must start within a range of offsets. If there are `inner` conditions, one of them
    /// must also match.
    public struct Match: Sendable {
        /// The range of offsets for the first byte.
        public var offsets: ClosedRange<Int>
        /// The bytes in the file.
        public var text: String
        /// The bits of each byte that must match, or `nil` for all.
        public var mask: [UInt8]?
        /// Further conditions. At least one of these conditions must also match.
        public var inner: [Match] = []

        /// Creates a condition, by default for the start of the file.
        public init(
            _ text: String, at offsets: ClosedRange<Int> = 0...0, mask: [UInt8]? = nil, and inner: [Match] = []
        ) {
            self.offsets = offsets
            self.text = text
            self.mask = mask
            self.inner = inner
        }
    }

    /// Returns conditions that a file starts with one of several texts, with or without a byte order mark.
    static func beginnings(_ texts: String..., and inner: [Match] = []) -> [Match] {
        texts.flatMap { text in [Match(text, and: inner), Match("\u{FEFF}\(text)", and: inner)] }
    }

    /// Returns conditions for an XML document with one of several root elements or document types. It must be at the
    /// start of the file, or directly after the XML declaration or a comment. Nested elements and the content of
    /// comments do not match.
    static func documents(_ roots: String...) -> [Match] {
        let behind = ["?>", "?>\n", "?>\r\n", "-->\n", "-->\r\n"]
        let inner = roots.flatMap { root in behind.map { Match($0 + root, at: 5...256) } }
        return roots.flatMap { beginnings($0) } + beginnings("<?xml", and: inner)
    }

    /// The kind of content.
    public var kind: Kind
    /// The conditions. At least one of these conditions must match.
    public var matches: [Match]
    /// The priority of the content. From 80, content has priority over the name. Below 50, other types have priority:
    /// scripts, mails, HTML.
    public var priority: Int
    /// The more general type that includes every file of the format, or `nil`.
    public var parent: String?
    /// The weight of the extensions. Below 50, another type with the same extensions has priority.
    public var extensionWeight = 50
    /// Extensions that match only in lower case, because other spellings have a different meaning.
    public var lowercaseOnly: [String] = []
    /// Extensions that are also registered for gzipped files. Extensions that another type also registers are omitted.
    public var gzippedExtensions: [String] = []
    /// The root element, for formats based on XML.
    public var rootElement: String?

    /// Creates a description.
    public init(_ kind: Kind, priority: Int, parent: String?, matches: [Match]) {
        self.kind = kind
        self.priority = priority
        self.parent = parent
        self.matches = matches
    }
}

extension TypeSignature {
    /// Returns the description with a low weight for its extensions, for extensions that belong to another type as
    /// well.
    public func sharingExtensions(lowercaseOnly: [String] = []) -> TypeSignature {
        var signature = self
        signature.extensionWeight = 40
        signature.lowercaseOnly = lowercaseOnly
        return signature
    }

    /// Returns the description with some extensions registered for gzipped files.
    public func gzipped(_ extensions: String...) -> TypeSignature {
        var signature = self
        signature.gzippedExtensions = extensions
        return signature
    }

    /// Returns the description with the root element of an XML document.
    public func rooted(in element: String) -> TypeSignature {
        var signature = self
        signature.rootElement = element
        return signature
    }
}
