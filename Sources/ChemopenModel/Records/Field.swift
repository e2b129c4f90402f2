/// One data field: a name and a value.
///
///     var field = Field("MASS", .real(180.16))
///     field.value = "180.2"
///     print(field.cell)
public struct Field: Sendable, Hashable {
    /// A field under another name loses its header.
    public var name: Text {
        didSet { header = nil }
    }
    /// The text of the value; lines are joined by LF. Text that is set takes the place of a structure.
    public var value: Text {
        didSet { structure = nil }
    }
    /// The line that announces the field, where it says more than the name: `>  25 <NAME> (MD-0001) DT12`.
    public private(set) var header: Text?
    /// The place among the columns of the record's file, for a field that was read from there.
    public let column: Int
    /// How the value is meant.
    private(set) var kind: Column.Kind
    package private(set) var structure: Fields.Structure?

    init(
        name: Text, value: Text, header: Text?, column: Int, kind: Column.Kind, structure: Fields.Structure?
    ) {
        self.name = name
        self.value = value
        self.header = header
        self.column = column
        self.kind = kind
        self.structure = structure
    }

    /// A field of text, to be added to those of a record.
    public init(_ name: Text, _ value: Text, header: Text? = nil) {
        self.init(name: name, value: value, header: header, column: -1, kind: .string, structure: nil)
    }

    /// A field of any kind, to be added to those of a record.
    public init(_ name: Text, _ cell: Cell, header: Text? = nil) {
        self.init(name: name, value: "", header: header, column: -1, kind: .string, structure: nil)
        self.cell = cell
    }

    /// A value that gets its name where it is set: `record.fields["IC50"] = Field(.real(0.5))`.
    public init(_ cell: Cell) {
        self.init("", cell)
    }

    /// The value as its column's kind has it, a structure included.
    public var cell: Cell {
        get {
            switch structure {
            case .molecule(let molecule): .molecule(molecule)
            case .reaction(let reaction): .reaction(reaction)
            case nil: Cell(value, as: kind)
            }
        }
        set {
            value = newValue.text
            switch newValue {
            case .empty, .string: kind = .string
            case .integer: kind = .integer
            case .real: kind = .real
            case .boolean: kind = .boolean
            case .extend: kind = .extend
            case .molecule(let molecule): (kind, structure) = (.molecule, .molecule(molecule))
            case .reaction(let reaction): (kind, structure) = (.molecule, .reaction(reaction))
            }
        }
    }
}

extension Field: ExpressibleByStringInterpolation {
    /// Text that gets its name where it is set: `record.fields["NOTE"] = "checked"`.
    public init(stringLiteral value: String) {
        self.init(.string(Text(value)))
    }
}
