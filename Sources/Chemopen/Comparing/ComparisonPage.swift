/// An HTML page that shows the differences of two files.
///
/// Each differing record is shown with pictures of both versions, with highlighted changes, and with its fields before
/// and after. The page is a single file without scripts or external resources.
///
///     var page = ComparisonPage("before.sdf", "after.sdf")
///     try FileComparison("before.sdf", "after.sdf").compare { page.add($0) }
///     print(String(decoding: page.bytes, as: UTF8.self))
public struct ComparisonPage: Sendable {
    /// The maximum number of records to show. Further ones are only counted.
    public var mostShown: Int {
        get { sections.mostShown }
        set { sections.mostShown = newValue }
    }
    private let (first, second): (LocalPath, LocalPath)
    private var sections = ChangeSections()
    private var unreadable = 0

    /// Creates a page for two files. The paths are shown as their names.
    public init(_ first: LocalPath, _ second: LocalPath) {
        (self.first, self.second) = (first, second)
    }

    /// Adds a record that differs.
    public mutating func add(_ difference: RecordDifference) {
        sections.add(
            ChangeSections.Change(
                kind: difference.kind, place: Self.place(difference), name: difference.name,
                before: difference.before, after: difference.after, differences: difference.differences))
    }

    /// Counts an unreadable record, which may differ.
    public mutating func addUnreadable() {
        unreadable += 1
    }

    private static func place(_ record: RecordDifference) -> String {
        switch (record.first, record.second) {
        case (let first?, let second?):
            if record.kind == .moved { return "record \(first) moved to \(second)" }
            return "record \(first)" + (first == second ? "" : ", now \(second)")
        case (let number?, nil), (nil, let number?): return "record \(number) \(record.kind.rawValue)"
        case (nil, nil): return "the table"
        }
    }

    /// The complete page.
    public var bytes: [UInt8] {
        var heading = HTMLText()
        heading.add(html: "<del>")
        heading.add(first.shown)
        heading.add(html: "</del> <ins>")
        heading.add(second.shown)
        heading.add(html: "</ins>")
        return sections.page(
            title: "\(first.name.shown), \(second.name.shown)", heading: heading,
            summary: sections.summary(unreadable > 0 ? ["\(unreadable) unreadable"] : [], none: "No differences."),
            hint: "Run chemopen diff without --html to list all.")
    }
}
