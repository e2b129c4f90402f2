/// The parts that few molecules have, behind one pointer that is copied on writing and is not there for the others.
public struct Extras: Sendable, Hashable {
    /// What there is in extras.
    public struct Contents: Sendable, Hashable {
        /// Sorted by atom.
        public var atomNotes: [Tagged<AtomNote>] = []
        /// Sorted by bond.
        public var bondNotes: [Tagged<BondNote>] = []
        /// The substructures with a meaning of their own.
        public var sgroups: [Sgroup] = []
        /// Centres whose configuration is known together.
        public var stereoGroups: [StereoGroup] = []
        /// Named sets of parts.
        public var collections: [Collection] = []
        /// Atoms that may repeat in a chain.
        public var linkNodes: [LinkNode] = []
        /// Atoms that stand for a piece of structure.
        public var abbreviations: [Abbreviation] = []
        /// The pieces that may stand at the sites.
        public var rgroups: [RGroup] = []
        /// The residues that template atoms stand for.
        public var templates: [Template] = []
        /// Read, not understood, kept; in the file's order.
        public var verbatim: [Verbatim] = []
        /// The numbers that a V3000 file gives its atoms and bonds, where they are not 1, 2, 3…
        public var atomNumbers: [Int32] = []
        /// The same of bonds.
        public var bondNumbers: [Int32] = []
        /// The name that a V3000 file gives its connection table.
        public var tableName = Text()
        /// The keywords of a V3000 file for its connection table as a whole, `REGNO` and the like, with values as they
        /// stood.
        public var keywords: [Sgroup.Keyword] = []

        /// Contents that say nothing.
        public init() {}

        /// Nothing in it says anything.
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

    /// Extras that say nothing.
    public init() {}

    @usableFromInline
    package init(_ contents: Contents) {
        box = contents.isEmpty ? nil : Box(contents)
    }

    /// Whether nothing is said.
    @inlinable public var isEmpty: Bool { box == nil }

    /// To look at one of the lists costs no copy of the others, and to change one none of itself.
    @inlinable public var contents: Contents {
        _read {
            // With one yield only it is part of its caller, where it costs next to nothing.
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

    /// Whether the contents are the same.
    public static func == (one: Extras, other: Extras) -> Bool {
        one.box === other.box || one.contents == other.contents
    }

    /// Hashes the contents.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(contents)
    }
}
