/// A data field, which has a name and a value.
///
///     var field = Field("MASS", .real(180.16))
///     field.value = "180.2"
///     print(field.cell)
public struct Field: Sendable, Hashable {
    /// The name. Changing it removes the header.
    public var name: Text {
        didSet { header = nil }
    }
    /// The text of the value, with lines joined by LF. Setting it replaces a structure.
    public var value: Text {
        didSet { structure = nil }
    }
    /// The header line of the field if it contains more than the name, such as `>  25 <NAME> (MD-0001) DT12`.
    public private(set) var header: Text?
    /// The index in the columns of the file for a field that was read from it, otherwise -1.
    public let column: Int
    /// The kind of the value.
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

    /// Creates a text field, which you can add to a record.
    public init(_ name: Text, _ value: Text, header: Text? = nil) {
        self.init(name: name, value: value, header: header, column: -1, kind: .string, structure: nil)
    }

    /// Creates a field of any kind, which you can add to a record.
    public init(_ name: Text, _ cell: Cell, header: Text? = nil) {
        self.init(name: name, value: "", header: header, column: -1, kind: .string, structure: nil)
        self.cell = cell
    }

    /// Creates a field without a name, which it gets on assignment: `record.fields["IC50"] = Field(.real(0.5))`.
    public init(_ cell: Cell) {
        self.init("", cell)
    }

    /// The value according to the kind of its column; it can be a structure.
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
    /// Creates a text field without a name, which it gets on assignment: `record.fields["NOTE"] = "checked"`.
    public init(stringLiteral value: String) {
        self.init(.string(Text(value)))
    }
}
