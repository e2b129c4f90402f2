/// The head of a table of which two versions were made: what one side alone has changed, added or removed counts.
struct MergedHeader {
    let header: SheetHeader

    init(_ base: SheetHeader, _ ours: SheetHeader, _ theirs: SheetHeader) {
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
        self.header = header
    }

    private static func byName(_ header: SheetHeader) -> [Text: Column] {
        Dictionary(header.columns.map { ($0.name, $0) }) { first, _ in first }
    }
}
