import ChemopenModel

/// Values that are computed for each record and added as fields, such as `inchikey`, `mass` and `elements.Cl`.
///
///     var conversion = Conversion(to: .csv)
///     conversion.computes = try ComputedFields(["formula", "mass"])
public struct ComputedFields: Sendable, Hashable {
    private let values: [ComputedValue]

    /// The name of a value that cannot be computed from a structure.
    public struct UnknownName: Error, Sendable {
        /// The unknown name.
        public let name: String
    }

    /// The names of all values that can be computed.
    public static var names: [String] { ComputedValue.all.filter(\.readsStructure).map(\.name) }

    /// Creates a list of values from their names.
    ///
    /// - Throws: `UnknownName` for the first name that is not supported.
    public init(_ names: [String]) throws(UnknownName) {
        var values: [ComputedValue] = []
        for name in names {
            let prefix = ComputedValue.elementPrefix
            let element = name.hasPrefix(prefix) ? ChemicalElement(symbol: String(name.dropFirst(prefix.count))) : nil
            guard let value = element.map({ .element($0) }) ?? ComputedValue(name), value.readsStructure else {
                throw UnknownName(name: name)
            }
            if !values.contains(value) { values.append(value) }
        }
        self.values = values
    }

    /// Whether an InChI is among the values. It requires a separate program.
    public var needInChI: Bool { values.contains(where: \.needsInChI) }

    /// The reason why the values cannot be computed on this machine, or `nil` if they can.
    public var problem: String? { needInChI ? InChI.problem : nil }

    /// Adds the values to a record and replaces any fields with the same names.
    ///
    /// The values for the components of a reaction are written on separate lines.
    public func add(to record: inout Record) {
        var found = RecordValues(RecordFilter.Context())
        for value in values {
            let texts = found.values(of: value, record).map(\.shortText)
            record.fields.removeAll(named: Text(value.name))
            if texts.isEmpty { continue }
            record.fields.append(Text(value.name), Text(bytes: Array(texts.joined(separator: [UInt8(ascii: "\n")]))))
        }
    }

    /// Computes the values of a record, without changing it. A value is a list with an element for each component of a
    /// reaction, and empty if the record does not have it.
    package func texts(of record: borrowing Record, at place: RecordPlace = RecordPlace()) -> [[[UInt8]]] {
        var context = RecordFilter.Context()
        context.place = place
        var found = RecordValues(context)
        return values.map { found.values(of: $0, record).map(\.shortText) }
    }

    /// A value that can be computed.
    package struct Description: Sendable {
        /// The name, such as `mass`.
        package let name: String
        /// The type of the value: an integer, a real number or text.
        package let kind: Column.Kind
        /// A description for users.
        package let meaning: String
    }

    /// The descriptions of all values in `names`.
    package static var descriptions: [Description] {
        let values = ComputedValue.all.filter(\.readsStructure)
        return values.map { Description(name: $0.name, kind: $0.kind, meaning: $0.meaning) }
    }

    /// The names and types of these values.
    package var columns: [(name: String, kind: Column.Kind)] { values.map { ($0.name, $0.kind) } }

    /// Returns a table header with additional columns for the values.
    func added(to header: SheetHeader) -> SheetHeader {
        var header = header
        for value in values
        where !header.columns.isEmpty && !header.columns.contains(where: { $0.name == Text(value.name) }) {
            header.columns.append(Column(Text(value.name)))
        }
        return header
    }
}

extension RecordValues.Value {
    /// The value as text. Integers have no decimal point, other numbers at most four decimal places.
    fileprivate var shortText: [UInt8] {
        guard case .number(let number) = self else { return text.bytes }
        if let whole = Int(exactly: number) { return Array("\(whole)".utf8) }
        return Array("\((number * 10_000).rounded() / 10_000)".utf8)
    }
}
