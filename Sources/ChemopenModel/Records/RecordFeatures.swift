extension Record {
    /// The features of the record that some format has no place for.
    public var features: Features {
        var features: Features
        switch subject {
        case .none: features = Features(.recordsWithoutStructure)
        case .molecule(let molecule): features = molecule.features
        case .reaction(let reaction): features = reaction.features
        }
        features.add(.registryNumbers, if: !registry.isEmpty)
        features.add(.unknown, if: !verbatim.isEmpty)
        if !fields.isEmpty { fields.addFeatures(to: &features) }
        return features
    }
}

extension Reaction {
    /// The features of the reaction and its components that some format has no place for.
    public var features: Features {
        var features = Features()
        heading.addFeatures(to: &features)
        for step in steps {
            features.add(.agents, if: !step.agents.isEmpty)
            features.add(.conditions, if: !step.conditions.isEmpty)
            features.add(.foreignEncoding, if: step.conditions.contains { !$0.isUTF8 })
            for side in [step.reactants, step.agents, step.products] {
                for component in side {
                    features.formUnion(component.molecule.features)
                    features.add(.names, if: !component.name.isEmpty)
                    features.add(.stoichiometry, if: !component.stoichiometry.isEmpty)
                }
            }
        }
        features.remove(Features(.molecules))
        features.add(.reactions)
        features.add(.severalSteps, if: steps.count > 1)
        features.add(.unknown, if: !verbatim.isEmpty)
        return features
    }
}

extension SheetHeader {
    /// The features of the table before its rows that some format has no place for.
    public var features: Features {
        var features = Features()
        features.add(.sheetTitle, if: !title.isEmpty || !summary.isEmpty)
        features.add(.sheetExtensions, if: !extensions.isEmpty)
        for column in columns {
            features.add(.columnTypes, if: column.kind.isTyped)
            features.add(.columnSummaries, if: !column.summary.isEmpty)
        }
        return features
    }
}

extension Fields {
    fileprivate func addFeatures(to features: inout Features) {
        features.add(.fields)
        features.add(.structuresInFields, if: !structures.isEmpty)
        for entry in entries {
            features.add(.fieldHeaders, if: entry.hasHeader)
            features.add(.emptyLinesInValues, if: bytes[entry.valueRange].hasEmptyLine)
            let column = Int(entry.column)
            guard columns.indices.contains(column) else { continue }
            features.add(.columnTypes, if: columns[column].kind.isTyped)
            features.add(.columnSummaries, if: !columns[column].summary.isEmpty)
        }
        features.add(.repeatedFields, if: hasRepeatedColumns)
        features.add(.foreignEncoding, if: !bytes[...].isUTF8)
    }

    /// Whether two fields have one name. Files whose fields keep the order of the columns are told at a glance.
    private var hasRepeatedColumns: Bool {
        if zip(entries, entries.dropFirst()).allSatisfy({ $0.column < $1.column }) { return false }
        return Set(entries.map(\.column)).count < entries.count
    }
}

extension Heading {
    func addFeatures(to features: inout Features) {
        if isEmpty { return }
        let (name, origin, comment) = lines
        features.add(.names, if: !name.isEmpty)
        features.add(.origins, if: !origin.isEmpty)
        features.add(.comments, if: !comment.isEmpty)
        features.add(.foreignEncoding, if: !(name.isUTF8 && origin.isUTF8 && comment.isUTF8))
    }
}

extension Features {
    mutating func add(_ feature: Feature, if condition: Bool = true) {
        if condition { rawValue |= 1 << UInt128(feature.rawValue) }
    }
}

extension Column.Kind {
    /// Whether the column asks for more than text and structures.
    fileprivate var isTyped: Bool {
        switch self {
        case .molecule, .string: false
        case .integer, .real, .boolean, .extend, .other: true
        }
    }
}

extension ArraySlice<UInt8> {
    fileprivate var isUTF8: Bool {
        allSatisfy { $0 < 0x80 } || String(validating: self, as: UTF8.self) != nil
    }

    /// Whether one of its lines is empty, the only one excepted.
    fileprivate var hasEmptyLine: Bool {
        let lineEnd = UInt8(ascii: "\n")
        guard first != lineEnd, last != lineEnd else { return true }
        return zip(self, dropFirst()).contains { $0 == lineEnd && $1 == lineEnd }
    }
}
