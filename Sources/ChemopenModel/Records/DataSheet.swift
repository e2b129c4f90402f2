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

/// A column of a sheet, or the name of a data field.
public struct Column: Sendable, Hashable {
    /// The name, which several columns of a sheet may share.
    public var name: Text
    /// The kind of the values.
    public var kind: Kind
    /// The purpose of the column, in words.
    public var summary: Text

    /// A column; one of text where nothing is said.
    public init(_ name: Text, _ kind: Kind = .string, summary: Text = "") {
        self.name = name
        self.kind = kind
        self.summary = summary
    }

    /// The kind of the values in a column.
    public enum Kind: Sendable, Hashable {
        /// The types that a DataSheet knows.
        case molecule, string, integer, real, boolean, extend
        /// A type that the format does not define; its values are kept as text.
        case other(Text)

        /// The kind by its name in a DataSheet.
        public init(name: Text) {
            switch name {
            case "molecule": self = .molecule
            case "string": self = .string
            case "integer": self = .integer
            case "real": self = .real
            case "boolean": self = .boolean
            case "extend": self = .extend
            default: self = .other(name)
            }
        }

        /// The name of the kind in a DataSheet.
        public var name: Text {
            switch self {
            case .molecule: "molecule"
            case .string: "string"
            case .integer: "integer"
            case .real: "real"
            case .boolean: "boolean"
            case .extend: "extend"
            case .other(let name): name
            }
        }
    }
}

extension Column.Kind {
    /// Whether a value's text is one of the kind; no text is the lack of a value, which every kind has.
    package func fits(_ text: Text) -> Bool {
        switch self {
        case .integer, .real, .boolean:
            if text.isEmpty { return true }
            if case .string = Cell(text, as: self) { return false }
            return true
        case .molecule, .string, .extend, .other: return true
        }
    }
}
