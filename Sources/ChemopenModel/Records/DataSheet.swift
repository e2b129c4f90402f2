/// The information about a table that is known before its first row.
public struct SheetHeader: Sendable, Hashable {
    /// The name of the table.
    public var title = Text()
    /// The description of the table.
    public var summary = Text()
    /// Extensions, including aspects, preserved verbatim and in their order.
    public var extensions: [Extension] = []
    /// The columns, in their order.
    public var columns: [Column] = []
    /// The number of rows, if the file specifies it before the first row.
    public var rowCount: Int?
    /// The column that contains the molecule or reaction of each record, or `nil` if there is no such column.
    public var subjectColumn: Int?
    /// The column for the name of a molecule, if the table has one.
    public var nameColumn: Int?
    /// Whether `columns` is complete. If not, more columns can follow, and the subject has no column.
    public var hasAllColumns = false
    /// Whether the kinds of the columns were inferred from all values.
    package var isSurveyed = false
    /// Whether the file specifies the types of its columns. If not, all columns are text by default.
    package var hasTypes = true

    /// Creates an empty header.
    public init() {}

    /// A block for particular programs, which all other programs must preserve.
    public struct Extension: Sendable, Hashable {
        /// The name of the block.
        public var name: Text
        /// The type by which programs recognize the block.
        public var type: Text
        /// The content, verbatim.
        public var content: Text

        /// Creates a block for a particular program.
        public init(name: Text, type: Text, content: Text) {
            self.name = name
            self.type = type
            self.content = content
        }
    }
}

/// A complete table in memory, for programs that need random access. Commands read one record at a time instead.
///
///     var sheet = DataSheet()
///     sheet.header.columns = [Column("Name"), Column("IC50", .real)]
///     sheet.rows = [record]
///     print(sheet[row: 0, column: 1])
public struct DataSheet: Sendable, Hashable {
    /// The information about the table.
    public var header = SheetHeader()
    /// The rows; each one is a record.
    public var rows: [Record] = []

    /// Creates an empty table.
    public init() {}

    /// Looks up the value in a row and column.
    ///
    /// - Returns: the value, or `.empty` if the row does not specify one.
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

/// A column of a table, or the name of a data field.
public struct Column: Sendable, Hashable {
    /// The name. Several columns of a table can have the same name.
    public var name: Text
    /// The kind of the values.
    public var kind: Kind
    /// The description of the column.
    public var summary: Text

    /// Creates a column; the default kind is text.
    public init(_ name: Text, _ kind: Kind = .string, summary: Text = "") {
        self.name = name
        self.kind = kind
        self.summary = summary
    }

    /// The kind of the values in a column.
    public enum Kind: Sendable, Hashable {
        /// The types that DataSheet defines.
        case molecule, string, integer, real, boolean, extend
        /// A type that the format does not define. Its values are preserved as text.
        case other(Text)

        /// Creates a kind from its name in a DataSheet.
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
    /// Returns whether text is a valid value of the kind. Empty text means no value and is always valid.
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
