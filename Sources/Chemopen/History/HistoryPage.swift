/// An HTML page that shows the changes of a range of commits, for example to attach it to a review.
///
/// Each changed record is shown as on a `ComparisonPage`, below its commit.
///
///     var history = try FileHistory("library.sdf")
///     history.commits = "main..topic"
///     var page = HistoryPage("library.sdf")
///     try history.changes { commit, change in
///         page.add(change, of: commit)
///         return true
///     }
///     print(String(decoding: page.bytes, as: UTF8.self))
public struct HistoryPage: Sendable {
    /// The maximum number of changed records to show. Further ones are only counted.
    public var mostShown: Int {
        get { sections.mostShown }
        set { sections.mostShown = newValue }
    }
    private let path: LocalPath
    private var sections = ChangeSections()
    private var last: Commit?
    private var commits = 0
    private var notes: [String] = []

    /// Creates a page for a file.
    public init(_ path: LocalPath) {
        self.path = path
    }

    /// Adds a change. Changes of the same commit must be added in sequence.
    ///
    /// - Parameter parts: The parts to show, or `nil` for all.
    public mutating func add(_ change: RecordChange, of commit: Commit, only parts: Set<RecordPart>? = nil) {
        if commit != last {
            commits += 1
            sections.addHeading(
                commit.subject.visible, "\(commit.id.prefix(12)) · \(commit.date) · \(commit.author.visible)")
        }
        last = commit
        sections.add(
            ChangeSections.Change(
                kind: change.kind, place: Self.place(change), name: change.name, before: change.before?.record,
                after: change.after?.record, differences: Self.differences(change, parts)))
    }

    /// Adds a reason why the history may be incomplete.
    public mutating func add(note: String) {
        notes.append(note)
    }

    private static func place(_ change: RecordChange) -> String {
        switch (change.before?.number, change.after?.number) {
        case (let before?, let after?):
            if change.kind == .moved { return "record \(before) moved to \(after)" }
            return "record \(before)" + (before == after ? "" : ", now \(after)")
        case (let number?, nil), (nil, let number?): return "record \(number) \(change.kind.rawValue)"
        case (nil, nil): return "the file"
        }
    }

    /// Returns the changed parts. A structure is compared atom by atom.
    private static func differences(_ change: RecordChange, _ wanted: Set<RecordPart>?) -> [Difference] {
        change.parts.filter { wanted?.contains($0.part) ?? true }.flatMap { part in
            let whole = Difference(part.part.description, part.before, part.after, isText: true)
            guard part.part == .structure, let old = change.before?.record, let new = change.after?.record else {
                return [whole]
            }
            let differences = Comparison().differences(old.onlyStructure, new.onlyStructure)
            return differences.isEmpty ? [whole] : differences
        }
    }

    /// The complete page.
    public var bytes: [UInt8] {
        var heading = HTMLText()
        heading.add(path.shown)
        let count = commits == 0 ? [] : ["in \(commits) commit\(commits == 1 ? "" : "s")"]
        return sections.page(
            title: "changes of \(path.name.shown)", heading: heading,
            summary: sections.summary(count, none: "No changes."), notes: notes,
            hint: "Run chemopen history without --html to list all.")
    }
}
