import Chemopen

extension JSON {
    /// Writes an experiment of a reaction table as a line of JSON.
    mutating func experiment(_ experiment: Experiment, in file: String) {
        object { json in
            json.field("file", file)
            json.field("kind", "experiment")
            json.field("row", experiment.firstRow)
            json.field("title", experiment.title)
            json.field("doi", experiment.doi)
            json.field("meta", experiment.meta)
            json.key("created")
            // The programs that write these files store times in milliseconds.
            if let created = experiment.created {
                json.number((created * 1000).rounded(.towardZero) / 1000)
            } else {
                json.null()
            }
            json.key("steps")
            json.array { json in
                for step in experiment.steps { json.step(step) }
            }
        }
        endLine()
    }

    private mutating func step(_ step: Experiment.Step) {
        object { json in
            json.components("reactants", step.reactants)
            json.components("reagents", step.reagents)
            json.components("products", step.products)
            json.field("meta", step.meta)
        }
    }

    private mutating func components(_ name: StaticString, _ components: [Experiment.Component]) {
        key(name)
        array { json in
            for component in components {
                json.object { $0.componentKeys(component) }
            }
        }
    }

    private mutating func componentKeys(_ component: Experiment.Component) {
        key("formula")
        if let molecule = component.molecule { string(molecule.formula) } else { null() }
        field("name", component.name)
        if !component.stoichiometry.isEmpty { field("stoich", component.stoichiometry) }
        for quantity in component.quantities {
            key(quantity.kind.key)
            number(quantity.value)
        }
        if component.isPrimary { field("primary", true) }
        if component.isWaste { field("waste", true) }
        if !component.meta.isEmpty { field("meta", component.meta) }
    }
}

extension Experiment.Quantity.Kind {
    fileprivate var key: StaticString {
        switch self {
        case .mass: "mass"
        case .volume: "volume"
        case .moles: "moles"
        case .density: "density"
        case .concentration: "conc"
        case .equivalents: "equiv"
        case .yield: "yield"
        }
    }
}
