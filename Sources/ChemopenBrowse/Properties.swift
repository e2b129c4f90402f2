import Chemopen

/// A property of an entity: the section of the page that shows it, its name and its value.
struct Property: Sendable, Hashable {
    enum Group: String, Sendable {
        case structure, data, heading, stereo, kept, warnings, file
        /// The sender and origin of a file.
        case delivery
    }

    let group: Group
    let name: String
    let value: String

    init(_ group: Group, _ name: String, _ value: String) {
        self.group = group
        self.name = name
        self.value = value
    }
}

extension Entity {
    func writeProperties(to json: inout JSON) {
        json.array { json in
            for property in properties {
                json.object { json in
                    json.field("group", property.group.rawValue)
                    json.field("name", property.name)
                    json.field("value", property.value)
                }
            }
        }
    }

    var properties: [Property] {
        switch kind {
        case .file(let view): fileProperties(view) + deliveryProperties
        case .category(let category): [Property(.file, "records", "\(category.count)")]
        case .part(let part, _): part.subject.properties
        case .record(let record): recordProperties(record)
        }
    }

    private func fileProperties(_ view: BrowsedFile.View) -> [Property] {
        var properties: [Property] = []
        if let content = view.content {
            properties.append(Property(.file, "format", content.format.name))
            properties.append(Property(.file, "type", content.format.mimeTypes.first ?? ""))
            properties.append(Property(.file, "bytes", "\(content.identity.size)"))
        }
        if file.isServed { properties.append(Property(.file, "address", file.servedPath)) }
        properties.append(Property(.file, "records", view.isComplete ? "\(view.count)" : "more than \(view.count)"))
        if let chosen = file.chosen { properties.append(Property(.file, "chosen", "\(chosen.numbers.count)")) }
        if let failure = view.failure { properties.append(Property(.warnings, "", failure.message)) }
        return properties
    }

    private var deliveryProperties: [Property] {
        guard let (delivery, origin) = file.delivery else { return [] }
        let known = [("note", delivery.note), ("sent by", delivery.sender), ("fetched from", origin)]
        return known.filter { !$0.1.isEmpty }.map { Property(.delivery, $0.0, $0.1) }
    }

    private func recordProperties(_ record: BrowsedRecord) -> [Property] {
        var properties: [Property] = []
        if let content = record.record {
            for field in content.fields {
                properties.append(Property(.data, field.name.string, field.shownValue))
            }
            for number in content.registry {
                let name = "\(number.isInternal ? "internal" : "external") registry number"
                properties.append(Property(.heading, name, number.number.string))
            }
            properties += content.subject.properties
            let kept = content.features.intersection(Self.rarelyKept).list
            for feature in kept { properties.append(Property(.kept, feature.name, "")) }
            for text in content.verbatim { properties.append(Property(.kept, "not understood", text.text.string)) }
        }
        if !record.version.isEmpty { properties.append(Property(.heading, "version", record.version)) }
        if case .failure(let error) = record.content {
            properties.append(Property(.warnings, error.line > 0 ? "line \(error.line)" : "", error.message))
        }
        let doubts = record.issues.lazy.filter { $0.severity == .doubt }
        for issue in doubts.prefix(Self.mostDoubts) {
            properties.append(Property(.warnings, issue.line > 0 ? "line \(issue.line)" : "", issue.message))
        }
        let more = doubts.dropFirst(Self.mostDoubts).count
        if more > 0 { properties.append(Property(.warnings, "", "\(counted(more, "more warning"))")) }
        return properties
    }

    /// The maximum number of warnings to show for a record. Further warnings are only counted.
    private static let mostDoubts = 100

    /// Features that few programs preserve when they read and write a file.
    private static let rarelyKept = Features(
        .stereoGroups, .sgroups, .sgroupDetails, .abbreviations, .collections, .atomLists, .queryAtoms, .bondTopology,
        .linkNodes, .rgroups, .rgroupLogic, .attachmentPoints, .agents, .severalSteps, .conditions, .stoichiometry,
        .reactingCenters, .reactionMarks, .arrowKinds, .templates, .extensionFields, .zeroOrderBonds, .higherOrders,
        .queryBonds, .dativeBonds, .hydrogenBonds, .multicenterBonds, .bondDisplay, .aliases, .atomValues,
        .radicalMultiplicity, .structuresInFields, .fieldHeaders, .unknown)
}

extension Field {
    /// The readable value. A structure is represented by its formula.
    fileprivate var shownValue: String {
        switch cell {
        case .molecule(let molecule): molecule.formula
        case .reaction(let reaction): Record.Subject.reaction(reaction).summary
        default: value.string
        }
    }
}

extension Record.Subject {
    var properties: [Property] {
        switch self {
        case .none: []
        case .molecule(let molecule): molecule.properties
        case .reaction(let reaction): reaction.properties
        }
    }
}

extension Molecule {
    fileprivate var properties: [Property] {
        let composition = composition()
        var properties = [
            Property(.structure, "formula", composition.formula.description + composition.chargeText),
            Property(.structure, "mass", decimal(composition.mass, places: 3)),
            Property(.structure, "monoisotopic mass", decimal(composition.monoisotopicMass, places: 4)),
            Property(.structure, "atoms", "\(atoms.count)"),
            Property(.structure, "bonds", "\(bonds.count)"),
        ]
        if composition.charge != 0 { properties.append(Property(.structure, "charge", "\(composition.charge)")) }
        if composition.unpairedElectrons != 0 {
            properties.append(Property(.structure, "unpaired electrons", "\(composition.unpairedElectrons)"))
        }
        for isotope in composition.isotopes {
            properties.append(Property(.structure, "isotope \(isotope.key)", "\(isotope.count)"))
        }
        if !name.isEmpty { properties.append(Property(.heading, "name", name.string)) }
        if !origin.isEmpty { properties.append(Property(.heading, "written by", origin.string)) }
        if !comment.isEmpty { properties.append(Property(.heading, "comment", comment.string)) }
        return properties + stereo + kept
    }

    private var stereo: [Property] {
        var properties: [Property] = []
        if flags.contains(.chiral) { properties.append(Property(.stereo, "chiral flag", "the drawing is absolute")) }
        let marked = bonds.count { $0.mark != .none }
        if marked > 0 { properties.append(Property(.stereo, "marked bonds", "\(marked)")) }
        for group in extras.contents.stereoGroups {
            let kind =
                switch group.kind {
                case .absolute: "absolute"
                case .racemic: "and \(group.number)"
                case .relative: "or \(group.number)"
                }
            let atoms = group.atoms.map { "\($0 + 1)" }.joined(separator: ", ")
            properties.append(Property(.stereo, kind, "atoms \(atoms)"))
        }
        for (shape, atoms) in atomsByShape() {
            let places = atoms.map { "\(symbol(ofAtom: $0).string)\($0 + 1)" }.joined(separator: ", ")
            properties.append(Property(.stereo, shape.name, places))
        }
        return properties
    }

    /// Groups, names and text that few programs preserve.
    private var kept: [Property] {
        if extras.isEmpty { return [] }
        let contents = extras.contents
        var properties: [Property] = []
        let most = 100
        for sgroup in contents.sgroups.prefix(most) {
            let words =
                [sgroup.kind.code.string, sgroup.label.string]
                + (sgroup.data.map { data in
                    ["\(data.fieldName.string):"] + data.values.map(\.string)
                } ?? [])
            let text = words.filter { !$0.isEmpty }.joined(separator: " ")
            properties.append(Property(.kept, "Sgroup", "\(text), \(sgroup.atoms.count) atoms"))
        }
        for abbreviation in contents.abbreviations.prefix(most) {
            let label = symbol(ofAtom: Int(abbreviation.atom)).string
            properties.append(Property(.kept, "abbreviation", "\(label) = \(abbreviation.molecule.formula)"))
        }
        for collection in contents.collections.prefix(most) {
            properties.append(Property(.kept, "collection", collection.name.string))
        }
        for group in contents.rgroups.prefix(most) {
            properties.append(Property(.kept, "R\(group.number)", "\(group.members.count) members"))
        }
        for text in contents.verbatim.prefix(most) {
            properties.append(Property(.kept, "not understood", text.text.string))
        }
        return properties
    }
}

extension Reaction {
    fileprivate var properties: [Property] {
        var properties: [Property] = []
        properties.append(Property(.structure, "steps", "\(steps.count)"))
        for step in steps {
            let counts =
                "\(step.reactants.count) \(step.arrow.symbol) \(step.products.count), \(step.agents.count) agents"
            properties.append(Property(.structure, "components", counts))
            if step.arrow != .forward { properties.append(Property(.structure, "arrow", step.arrow.name)) }
            for text in step.conditions { properties.append(Property(.structure, "conditions", text.string)) }
        }
        if !name.isEmpty { properties.append(Property(.heading, "name", name.string)) }
        if !origin.isEmpty { properties.append(Property(.heading, "written by", origin.string)) }
        if !comment.isEmpty { properties.append(Property(.heading, "comment", comment.string)) }
        for text in verbatim { properties.append(Property(.kept, "not understood", text.text.string)) }
        return properties
    }
}

/// Formats a number with a fixed number of decimals.
func decimal(_ value: Double, places: Int) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "\(value)" }
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let whole = Int((abs(value) * scale).rounded())
    let digits = String(whole)
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    return (value < 0 ? "-" : "") + padded.dropLast(places) + "." + padded.suffix(places)
}
