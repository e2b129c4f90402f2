/// Something of a file that has no other place in the model. A writer of the same dialect puts it back.
public struct Verbatim: Sendable, Hashable {
    /// The way of writing that a part belongs to.
    public enum Dialect: Sendable, Hashable {
        /// Formats and versions of them.
        case v2000, v3000, sdfile, rdfile, sketchEl, dataSheet, chemDraw
        /// A text at a place on the drawing, of two lines, as V2000 files of long ago have them.
        case v2000Text
    }

    /// The thing that the part says something about.
    public enum Owner: Sendable, Hashable {
        /// The molecule, the reaction or the record as a whole.
        case molecule
        /// An atom, by its place.
        case atom(Int32)
        /// A bond, by its place.
        case bond(Int32)
        /// An Sgroup, by its place.
        case sgroup(Int32)
    }

    /// The way of writing it belongs to.
    public var dialect: Dialect
    /// The thing it says something about.
    public var owner: Owner
    /// One or more lines, joined by LF.
    public var text: Text

    /// A part of a file in its own words.
    public init(_ dialect: Dialect, of owner: Owner = .molecule, _ text: Text) {
        self.dialect = dialect
        self.owner = owner
        self.text = text
    }
}
