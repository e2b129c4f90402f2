/// Something of a file that has no other place in the model. A writer of the same dialect puts it back.
public struct Verbatim: Sendable, Hashable {
    public enum Dialect: Sendable, Hashable {
        case v2000, v3000, sdfile, rdfile, sketchEl, dataSheet, chemDraw
        /// A text at a place on the drawing, of two lines, as V2000 files of long ago have them.
        case v2000Text
    }

    /// The thing that the part says something about.
    public enum Owner: Sendable, Hashable {
        case molecule
        case atom(Int32)
        case bond(Int32)
        case sgroup(Int32)
    }

    public var dialect: Dialect
    public var owner: Owner
    /// One or more lines, joined by LF.
    public var text: Text

    public init(_ dialect: Dialect, of owner: Owner = .molecule, _ text: Text) {
        self.dialect = dialect
        self.owner = owner
        self.text = text
    }
}
