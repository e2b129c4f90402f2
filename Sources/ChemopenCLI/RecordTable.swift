import Chemopen

/// The table that `info` prints for people: a line a record, in columns.
struct RecordTable {
    private static let titleWidth = 24
    private static let formulaWidth = 16

    func heading(_ path: String, _ format: Format, isShownInColor: Bool) -> String {
        "\(path): \(format.name)"
    }

    func line(_ record: Record, at place: RecordPlace) -> String {
        var line = "\(place.record)".rightAligned(in: 5) + "  "
        switch record.subject {
        case .none:
            let name = record.shownName
            line += (name.isEmpty ? "" : title(name)) + "no structure"
        case .molecule(let molecule):
            line += title(record.shownName) + describe(molecule)
        case .reaction(let reaction):
            line += title(record.shownName) + describe(reaction)
        }
        if !place.version.isEmpty { line += ", \(place.version)" }
        let fields = record.fields.count
        if fields > 0 { line += fields == 1 ? ", 1 field" : ", \(fields) fields" }
        return line
    }

    private func title(_ name: Text) -> String {
        let text = name.isEmpty ? "-" : name.shown
        let cut = text.count > Self.titleWidth ? text.prefix(Self.titleWidth - 1) + "…" : text[...]
        return String(cut).padded(to: Self.titleWidth) + "  "
    }

    private func describe(_ molecule: Molecule) -> String {
        let composition = molecule.composition()
        var formula = composition.formula.description
        if composition.charge != 0 { formula += Self.charge(composition.charge) }
        if formula.isEmpty { formula = "-" }
        var text = formula.padded(to: Self.formulaWidth)
        text += "  \(count(molecule.atoms.count, "atom")), \(count(molecule.bonds.count, "bond"))"
        switch molecule.dimensions {
        case 3: text += ", 3D"
        case 0 where !molecule.atoms.isEmpty: text += ", not drawn"
        default: break
        }
        return text
    }

    private func describe(_ reaction: Reaction) -> String {
        func side(_ components: [Reaction.Component]) -> String {
            components.map { $0.molecule.formula.isEmpty ? "-" : $0.molecule.formula }.joined(separator: " + ")
        }
        let agents = reaction.agents.isEmpty ? "" : "[\(side(reaction.agents))] "
        let text = "\(side(reaction.reactants)) \(Self.sign(of: reaction.arrow)) \(agents)\(side(reaction.products))"
        return reaction.steps.count > 1 ? text + " in \(reaction.steps.count) steps" : text
    }

    /// An arrow in letters that every terminal has; several kinds in a row are told as the plain one.
    private static func sign(of arrow: Reaction.Arrow?) -> String {
        switch arrow {
        case .forward, nil: "->"
        case .equilibrium, .equilibriumToProducts, .equilibriumToReactants: "<=>"
        case .resonance: "<->"
        case .retrosynthetic: "=>"
        case .hollow: "==>"
        case .crossed: "-x->"
        case .hashed: "-//->"
        case .dipole: "+->"
        }
    }

    private func count(_ number: Int, _ thing: String) -> String {
        number == 1 ? "1 \(thing)" : "\(number) \(thing)s"
    }

    /// `+`, `2-`.
    static func charge(_ charge: Int) -> String {
        let sign = charge < 0 ? "-" : "+"
        return charge.magnitude == 1 ? sign : "\(charge.magnitude)\(sign)"
    }
}
