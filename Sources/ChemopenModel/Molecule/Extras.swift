/// The rare parts of molecules.
///
/// They are stored in one copy-on-write allocation, which most molecules do not need.
public struct Extras: Sendable, Hashable {
    /// The lists of rare parts.
    public struct Contents: Sendable, Hashable {
        /// The notes on atoms, sorted by atom.
        public var atomNotes: [Indexed<AtomNote>] = []
        /// The notes on bonds, sorted by bond.
        public var bondNotes: [Indexed<BondNote>] = []
        /// The Sgroups: substructures with a special meaning.
        public var sgroups: [Sgroup] = []
        /// The sets of centers with a common configuration.
        public var stereoGroups: [StereoGroup] = []
        /// The named sets of parts.
        public var collections: [AtomCollection] = []
        /// The atoms that can repeat in a chain.
        public var linkNodes: [LinkNode] = []
        /// The atoms that represent a piece of structure.
        public var abbreviations: [Abbreviation] = []
        /// The alternative pieces for R-group sites.
        public var rgroups: [RGroup] = []
        /// The residues that template atoms represent.
        public var templates: [Template] = []
        /// Unrecognized content, preserved in file order.
        public var verbatim: [Verbatim] = []
        /// The atom numbers of a V3000 file, or empty if they are 1, 2, 3…
        public var atomNumbers: [Int32] = []
        /// The bond numbers of a V3000 file, or empty if they are 1, 2, 3…
        public var bondNumbers: [Int32] = []
        /// The name of the connection table in a V3000 file.
        public var tableName = Text()
        /// The keywords of the entire connection table in a V3000 file, such as `REGNO`, with verbatim values.
        public var keywords: [Sgroup.Keyword] = []

        /// Creates empty contents.
        public init() {}

        /// Whether all lists are empty.
        package var isEmpty: Bool {
            atomNotes.isEmpty && bondNotes.isEmpty && sgroups.isEmpty && stereoGroups.isEmpty && collections.isEmpty
                && linkNodes.isEmpty && abbreviations.isEmpty && rgroups.isEmpty && templates.isEmpty
                && verbatim.isEmpty && atomNumbers.isEmpty && bondNumbers.isEmpty && tableName.isEmpty
                && keywords.isEmpty
        }
    }

    @usableFromInline
    final class Box: Sendable {
        @usableFromInline let contents: Contents

        init(_ contents: Contents) {
            self.contents = contents
        }
    }

    @usableFromInline var box: Box?
    @usableFromInline static let none = Box(Contents())

    /// Creates empty extras.
    public init() {}

    @usableFromInline
    package init(_ contents: Contents) {
        box = contents.isEmpty ? nil : Box(contents)
    }

    /// Whether there are no contents.
    @inlinable public var isEmpty: Bool { box == nil }

    /// The contents. Reading one list does not copy the others, and changing a list does not copy it.
    @inlinable public var contents: Contents {
        _read {
            // With a single yield, the compiler inlines this accessor, which makes it nearly free.
            let box = box ?? Self.none
            yield box.contents
        }
        _modify {
            var contents = takeContents()
            defer { self = Extras(contents) }
            yield &contents
        }
    }

    @usableFromInline
    mutating func takeContents() -> Contents {
        defer { box = nil }
        return (box ?? Self.none).contents
    }

    /// Returns whether the contents are equal.
    public static func == (one: Extras, other: Extras) -> Bool {
        one.box === other.box || one.contents == other.contents
    }

    /// Hashes the contents.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(contents)
    }
}
