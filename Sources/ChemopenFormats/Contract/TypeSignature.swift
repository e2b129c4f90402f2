/// The description of a format for a desktop, so that it knows the files without this program.
///
/// The desktop's rules are coarser than `sniff`: a few bytes at a fixed place, and the name.
public struct TypeSignature: Sendable {
    /// The content of the files, for the icon and the words that go with it.
    public enum Kind: String, Sendable, CaseIterable {
        /// One molecule; a reaction; many records; a drawn page.
        case molecule, reaction, collection, drawing
    }

    /// Bytes that stand somewhere in a range of the file; with `inner`, one of these must be met as well.
    public struct Match: Sendable {
        /// The offsets at which the bytes may begin.
        public var offsets: ClosedRange<Int>
        /// As it stands in the file.
        public var text: String
        /// The bits of each byte that have to agree; `nil` for all.
        public var mask: [UInt8]?
        /// Further bytes, of which some must be met as well.
        public var inner: [Match] = []

        /// Bytes at a range of offsets, at the beginning where nothing is said.
        public init(
            _ text: String, at offsets: ClosedRange<Int> = 0...0, mask: [UInt8]? = nil, and inner: [Match] = []
        ) {
            self.offsets = offsets
            self.text = text
            self.mask = mask
            self.inner = inner
        }
    }

    /// Texts that a file begins with, with a byte order mark or without.
    static func beginnings(_ texts: String..., and inner: [Match] = []) -> [Match] {
        texts.flatMap { text in [Match(text, and: inner), Match("\u{FEFF}\(text)", and: inner)] }
    }

    /// An XML document with one of these as its first element or document type: at its very beginning, or right behind
    /// its prolog or a comment. Elements further in are no sign, and neither is what stands in a comment.
    static func documents(_ roots: String...) -> [Match] {
        let behind = ["?>", "?>\n", "?>\r\n", "-->\n", "-->\r\n"]
        let inner = roots.flatMap { root in behind.map { Match($0 + root, at: 5...256) } }
        return roots.flatMap { beginnings($0) } + beginnings("<?xml", and: inner)
    }

    /// The content of the files.
    public var kind: Kind
    /// One of these tells the format.
    public var matches: [Match]
    /// From 80 on, content weighs more than a name. Below 50, what others are told by comes first: scripts, mails, HTML.
    public var priority: Int
    /// The wider type that every file of the format belongs to; `nil` for none.
    public var parent: String?
    /// The weight of the extensions: below 50, another type keeps those that it claims, too.
    public var extensionWeight = 50
    /// Extensions that count only in small letters: others mean something else.
    public var lowercaseOnly: [String] = []
    /// Extensions whose gzipped form is claimed. Not those that another type claims, too.
    public var gzippedExtensions: [String] = []
    /// The document element, for formats written in XML.
    public var rootElement: String?

    /// The signs of a format.
    public init(_ kind: Kind, priority: Int, parent: String?, matches: [Match]) {
        self.kind = kind
        self.priority = priority
        self.parent = parent
        self.matches = matches
    }
}

extension TypeSignature {
    /// The signature with extensions that another type claims as well, which keeps them.
    public func sharingExtensions(lowercaseOnly: [String] = []) -> TypeSignature {
        var signature = self
        signature.extensionWeight = 40
        signature.lowercaseOnly = lowercaseOnly
        return signature
    }

    /// The signature with the gzipped form of some extensions.
    public func gzipped(_ extensions: String...) -> TypeSignature {
        var signature = self
        signature.gzippedExtensions = extensions
        return signature
    }

    /// The signature of an XML document.
    public func rooted(in element: String) -> TypeSignature {
        var signature = self
        signature.rootElement = element
        return signature
    }
}
