/// The facts of a table that can be known before its first row.
public struct SheetHeader: Sendable, Hashable {
    /// The name of the table.
    public var title = Text()
    /// The purpose of the table, in words.
    public var summary = Text()
    /// Kept word for word, in order; aspects are among them.
    public var extensions: [Extension] = []
    /// The columns, in their order.
    public var columns: [Column] = []
    /// The number of rows where the file says it before the first.
    public var rowCount: Int?
    /// The column in which a record's molecule or reaction stands; `nil` where no column holds it.
    public var subjectColumn: Int?
    /// The column that a molecule's name goes to, where the table has one for it.
    public var nameColumn: Int?
    /// The columns are all that the table has; otherwise more may be met, and the subject has none of its own.
    public var hasAllColumns = false
    /// All values were looked through, and the columns' kinds follow from them.
    package var isSurveyed = false
    /// The file says which kind of values a column has. Of a table of text all are text, and nothing is meant by that.
    package var hasTypes = true

    /// A header that says nothing.
    public init() {}

    /// A block that means something to some programs and must survive all others.
    public struct Extension: Sendable, Hashable {
        /// The name of the block.
        public var name: Text
        /// The type by which programs know it.
        public var type: Text
        /// The content, as it stood.
        public var content: Text

        /// A block of some program's own.
        public init(name: Text, type: Text, content: Text) {
            self.name = name
            self.type = type
            self.content = content
        }
    }
}

/// A whole table in memory, for programs that want it so; every command reads records one by one instead.
///
///     var sheet = DataSheet()
///     sheet.header.columns = [Column("Name"), Column("IC50", .real)]
///     sheet.rows = [record]
///     print(sheet[row: 0, column: 1])
public struct DataSheet: Sendable, Hashable {
    /// The facts about the table as a whole.
    public var header = SheetHeader()
    /// The rows, a record each.
    public var rows: [Record] = []

    /// A table without columns and rows.
    public init() {}

    /// The value in a row and column. Values that no row states are empty.
    public subscript(row row: Int, column column: Int) -> Cell {
        let record = rows[row]
        if column == header.subjectColumn {
            switch record.subject {
            case .none: return .empty
            case .molecule(let molecule): return .molecule(molecule)
            case .reaction(let reaction): return .reaction(reaction)
            }
        }
        let name = header.columns[column].name
        for field in record.fields where field.column == column && field.name == name { return field.cell }
        return .empty
    }
}
