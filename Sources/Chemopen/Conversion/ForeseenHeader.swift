import ChemopenModel

/// The header of a table of whose records only the first were looked through: right until a record comes that it has not
/// foreseen.
///
/// So a large file need not be read twice. The records behind those that were looked through are taken into account as
/// they come; in the end only the number of rows is still to be put right.
struct ForeseenHeader {
    let header: SheetHeader
    private var survey: ColumnSurvey
    private let foreseenRows: Int
    private var rows = 0
    private var changes: Int
    /// Where the first record stands that the header has no place for.
    private(set) var end: Int?

    /// `nil` where the records become more rows than they are.
    ///
    /// - Parameter share: how much of the file was looked through, which tells how many rows there will be.
    init?(_ survey: ColumnSurvey, partOfAll share: Double) {
        if survey.hasReactions { return nil }
        self.survey = survey
        foreseenRows = survey.rows
        changes = survey.changes
        var header = survey.header
        header.rowCount = Int(min(1e15, Double(survey.rows) / max(share, 1e-9)))
        self.header = header
    }

    /// Whether the header has a place for all of a record, which is the next one; nothing fits behind one that does not.
    mutating func fits(_ record: borrowing Record, at place: RecordPlace) -> Bool {
        if end != nil { return false }
        rows += 1
        if rows <= foreseenRows { return true }
        survey.take(record)
        if survey.changes == changes { return true }
        changes = survey.changes
        var found = survey.header
        found.rowCount = header.rowCount
        if found == header, !survey.hasReactions { return true }
        end = place.offset
        return false
    }

    /// The header with the number of rows that there are.
    var finalHeader: SheetHeader {
        var header = header
        header.rowCount = rows
        return header
    }
}
