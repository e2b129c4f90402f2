import ChemopenModel

/// A provisional table header that is based on the first records only.
///
/// It avoids a second pass over a large file. Each further record is compared with it before the record is written. If
/// all of them match, only the number of rows must be corrected at the end.
struct ProvisionalHeader {
    let header: SheetHeader
    private var survey: ColumnTypeInference
    private let foreseenRows: Int
    private var rows = 0
    private var changes: Int
    /// The offset of the first record that does not match the header.
    private(set) var end: Int?

    /// Returns `nil` if a record needs several rows.
    ///
    /// - Parameter share: The inspected fraction of the file, used to estimate the number of rows.
    init?(_ survey: ColumnTypeInference, partOfAll share: Double) {
        if survey.hasReactions { return nil }
        self.survey = survey
        foreseenRows = survey.rows
        changes = survey.changes
        var header = survey.header
        header.rowCount = Int(min(1e15, Double(survey.rows) / max(share, 1e-9)))
        self.header = header
    }

    /// Whether the next record matches the header. After the first mismatch, no record matches.
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

    /// The header with the actual number of rows.
    var finalHeader: SheetHeader {
        var header = header
        header.rowCount = rows
        return header
    }
}
