/// A part of a file that the model cannot represent. Writers of the same dialect restore it.
public struct Verbatim: Sendable, Hashable {
    /// The format or version that a part belongs to.
    public enum Dialect: Sendable, Hashable {
        /// File formats and their versions.
        case v2000, v3000, sdfile, rdfile, sketchEl, dataSheet, chemDraw, cxsmiles
        /// Text at a position in the drawing, which occupies two lines in old V2000 files.
        case v2000Text
    }

    /// The object that the part describes.
    public enum Owner: Sendable, Hashable {
        /// The entire molecule, reaction or record.
        case molecule
        /// An atom, identified by its index.
        case atom(Int32)
        /// A bond, identified by its index.
        case bond(Int32)
        /// An Sgroup, identified by its index.
        case sgroup(Int32)
    }

    /// The format or version that the part belongs to.
    public var dialect: Dialect
    /// The object that the part describes.
    public var owner: Owner
    /// The text, with lines joined by LF.
    public var text: Text

    /// Creates a verbatim part of a file.
    public init(_ dialect: Dialect, of owner: Owner = .molecule, _ text: Text) {
        self.dialect = dialect
        self.owner = owner
        self.text = text
    }
}
