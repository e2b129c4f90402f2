import Chemopen

/// Files for a program that shows them itself, such as the viewer in a terminal. They are indexed and searched in the
/// background, and only the requested records are read.
///
///     let browser = FileBrowser(["a.sdf"])
///     browser.serving {
///         print(browser.records(0..<10, of: 0).map(\.number))
///     }
package final class FileBrowser: Sendable {
    private let service: BrowseService
    private let session: Guarded<Search?>

    private struct Search: Sendable {
        let run: SearchRun
        let file: Int
    }

    /// Creates a browser.
    ///
    /// - Parameter selection: the records to show; all others are omitted.
    package init(
        _ paths: [LocalPath], as format: Format? = nil, _ options: ReadOptions = ReadOptions(),
        choosing selection: RecordSelection = RecordSelection()
    ) {
        service = BrowseService(paths, as: format, options, choosing: selection)
        session = Guarded(nil)
    }

    /// The errors of files that cannot be opened.
    package var failures: [ReadError] { service.failures }

    /// The number of files, including those that cannot be opened.
    package var fileCount: Int { service.files.count }

    /// Runs a function while a background thread works.
    package func serving<Answer>(_ body: () -> Answer) -> Answer {
        service.serving(body)
    }

    /// Opens files again that have changed, and indexes them. Returns whether a certain file is one of them.
    package func refresh(_ number: Int) -> Bool {
        var isChanged = false
        for (place, file) in service.files.enumerated() where file.refresh() {
            service.work.add(.index(file))
            if place == number { isChanged = true }
        }
        return isChanged
    }

    /// The state of a file's list at one moment.
    package struct Overview: Sendable, Equatable {
        /// The name of the file.
        package var name = ""
        /// The name of its format; empty if the file cannot be read.
        package var format = ""
        /// The number of records in the list: all records so far, those that were chosen, or the hits of the search.
        package var count = 0
        /// The number of records in the file so far.
        package var total = 0
        /// Whether the list can still grow.
        package var isComplete = true
        /// The completed part of the current work, up to 1.
        package var progress = 1.0
        /// The error of the file or a warning about the search; empty if there is none.
        package var problem = ""
    }

    /// Returns the state of a file's list.
    package func overview(of number: Int) -> Overview {
        guard let file = file(number) else { return Overview() }
        let view = file.view
        var overview = Overview(
            name: file.name, format: view.content?.format.name ?? "", count: view.count, total: view.count,
            isComplete: view.isComplete, progress: view.isComplete ? 1 : view.progress,
            problem: view.failure.map { "\($0)" } ?? "")
        if let chosen = file.chosen {
            overview.count = chosen.numbers.count
            overview.isComplete = file.knowsChosen
            overview.progress = chosen.progress
        }
        if let search = search(in: number) {
            let found = search.soFar
            overview.count = hits(found, of: file).count
            overview.isComplete = found.isComplete
            overview.progress = view.isComplete ? found.progress : 0
            if overview.problem.isEmpty { overview.problem = search.note(on: found, waiting: false) }
        }
        return overview
    }

    /// Waits until a number of records is known, or all of them.
    package func wait(forRecords count: Int, of number: Int) {
        guard let file = file(number), file.wanted == nil else { return }
        _ = file.wait(forRecords: count)
    }

    /// A record in a list.
    package struct Entry: Sendable {
        /// The number of the record in its file, from 1.
        package let number: Int
        /// The record, or the reason why it could not be read.
        package let content: Result<Record, ReadError>
        /// Warnings and remarks of the reader.
        package let issues: [Issue]
        /// The version of the format.
        package let version: String
        /// The title, which can be the value of a field.
        package let title: Text
    }

    /// Returns the records at positions in a file's list, from 0.
    package func records(_ places: Range<Int>, of number: Int) -> [Entry] {
        guard let file = file(number) else { return [] }
        let numbers: [Int]
        if let search = search(in: number) {
            numbers = hits(search.soFar, of: file)
        } else if let chosen = file.chosen {
            numbers = chosen.numbers.map { Int($0) }
        } else {
            return file.records(places.clamped(to: 0..<file.view.count)).map(Self.entry)
        }
        return numbers[places.clamped(to: 0..<numbers.count)].flatMap { file.records($0..<$0 + 1) }.map(Self.entry)
    }

    private static func entry(_ record: BrowsedRecord) -> Entry {
        Entry(
            number: record.number, content: record.content, issues: record.issues, version: record.version,
            title: record.record?.title ?? Text())
    }

    // MARK: Search

    /// Searches a file: its list then contains only the hits, which are added as they are found.
    ///
    /// - Parameter isCondition: whether the text is a condition, such as `MASS < 500`, and not a part of a name or value.
    /// - Returns: the reason why the search cannot be run; `nil` if it has started.
    package func search(_ text: String, isCondition: Bool, in number: Int) -> String? {
        endSearch()
        guard let file = file(number) else { return nil }
        let query: SearchQuery
        do throws(RecordFilter.SyntaxError) {
            query = try SearchQuery(text, in: isCondition ? .condition : .all)
        } catch {
            return error.message
        }
        if let problem = query.problem { return problem }
        let key = SearchRun.Key(
            text: text, domain: query.domain, condition: "", files: ["\(file.id) \(file.view.generation)"])
        let run = SearchRun(key, query, in: [file])
        session.change { $0 = Search(run: run, file: number) }
        _ = service.runs.change { $0.add(run, isShared: false) }
        service.work.add(.search(run))
        service.settle()
        return nil
    }

    /// Shows all records again.
    package func endSearch() {
        let last = session.change { session in
            let last = session
            session = nil
            return last
        }
        last?.run.cancel()
    }

    private func search(in number: Int) -> SearchRun? {
        session.change { $0?.file == number ? $0?.run : nil }
    }

    /// Returns the hits that are among the chosen records.
    private func hits(_ found: SearchRun.Found, of file: BrowsedFile) -> [Int] {
        let numbers = found.hits.map { Int($0.number) }
        guard let chosen = file.chosen else { return numbers }
        let wanted = Set(chosen.numbers.map { Int($0) })
        return numbers.filter(wanted.contains)
    }

    private func file(_ number: Int) -> BrowsedFile? {
        let files = service.files
        return files.indices.contains(number) ? files[number] : nil
    }
}
