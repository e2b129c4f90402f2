import ChemopenModel

/// Values that are computed of each record and become fields of it: `inchikey`, `mass`, `elements.Cl`.
///
///     var conversion = Conversion(to: .csv)
///     conversion.computes = try ComputedFields(["formula", "mass"])
public struct ComputedFields: Sendable, Hashable {
    private let values: [ComputedValue]

    /// A word that is none that is computed of a structure.
    public struct UnknownName: Error, Sendable {
        /// The word.
        public let name: String
    }

    /// The words that there are.
    public static var names: [String] { ComputedValue.all.filter(\.readsStructure).map(\.name) }

    /// The values of some names, in their order.
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

    /// Whether an InChI is among them, for which there is a program of its own.
    public var needInChI: Bool { values.contains(where: \.needsInChI) }

    /// Why the values cannot be computed on this machine; `nil` if they can.
    public var problem: String? { needInChI ? InChI.problem : nil }

    /// Adds the values to a record, each in the place of a field of its name; those of a reaction's components on a line each.
    public func add(to record: inout Record) {
        var found = RecordValues(Criteria.Context())
        for value in values {
            let texts = found.values(of: value, record).map(\.shortText)
            record.fields.removeAll(named: Text(value.name))
            if texts.isEmpty { continue }
            record.fields.append(Text(value.name), Text(bytes: Array(texts.joined(separator: [UInt8(ascii: "\n")]))))
        }
    }

    /// The head of a table with columns for them.
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
    /// The text, without a point where the number is a whole one.
    fileprivate var shortText: [UInt8] {
        guard case .number(let number) = self else { return text.bytes }
        if let whole = Int(exactly: number) { return Array("\(whole)".utf8) }
        return Array("\((number * 10_000).rounded() / 10_000)".utf8)
    }
}
