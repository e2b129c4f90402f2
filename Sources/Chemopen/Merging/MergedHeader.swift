/// The merged header of a table. If only one side has changed, added or removed something, that side's version is used.
struct MergedHeader {
    let header: SheetHeader

    init(_ base: SheetHeader, _ ours: SheetHeader, _ theirs: SheetHeader) {
        if ours.isLike(theirs) || theirs.isLike(base) {
            header = ours
        } else if ours.isLike(base) {
            header = theirs
        } else {
            header = Self.merged(base, ours, theirs)
        }
    }

    private static func merged(_ base: SheetHeader, _ ours: SheetHeader, _ theirs: SheetHeader) -> SheetHeader {
        var header = ours
        if ours.title == base.title { header.title = theirs.title }
        if ours.summary == base.summary { header.summary = theirs.summary }
        if ours.extensions == base.extensions { header.extensions = theirs.extensions }
        let (old, other) = (Self.byName(base), Self.byName(theirs))
        let subject = ours.subjectColumn.map { ours.columns[$0] }
        let title = ours.nameColumn.map { ours.columns[$0] }
        header.columns = ours.columns.compactMap { column in
            guard let before = old[column.name] else { return column }
            guard let theirs = other[column.name] else { return column == subject ? column : nil }
            return column == before ? theirs : column
        }
        let known = Set(ours.columns.map(\.name))
        header.columns += theirs.columns.filter { old[$0.name] == nil && !known.contains($0.name) }
        header.subjectColumn = subject.flatMap { column in header.columns.firstIndex { $0.name == column.name } }
        header.nameColumn = title.flatMap { column in header.columns.firstIndex { $0.name == column.name } }
        return header
    }

    private static func byName(_ header: SheetHeader) -> [Text: Column] {
        Dictionary(header.columns.map { ($0.name, $0) }) { first, _ in first }
    }
}

extension SheetHeader {
    /// Whether two headers are equal except for the number of rows.
    func isLike(_ other: SheetHeader) -> Bool {
        hasSameWords(as: other) && columns.count == other.columns.count && beginsColumns(of: other)
    }

    /// Whether another header is equal except for additional columns at its end.
    func begins(_ other: SheetHeader) -> Bool {
        hasSameWords(as: other) && beginsColumns(of: other)
    }

    private func hasSameWords(as other: SheetHeader) -> Bool {
        (title, summary) == (other.title, other.summary) && extensions == other.extensions
    }

    /// Column types are compared only if both headers specify them. Otherwise they are derived from the values.
    private func beginsColumns(of other: SheetHeader) -> Bool {
        if columns.count > other.columns.count { return false }
        let hasTypes = hasTypes && other.hasTypes
        return zip(columns, other.columns).allSatisfy { hasTypes ? $0 == $1 : $0.name == $1.name }
    }
}
