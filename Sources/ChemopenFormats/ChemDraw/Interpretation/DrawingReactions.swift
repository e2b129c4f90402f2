import ChemopenModel

/// A step of a scheme, with its molecules as indices.
struct DrawnReaction {
    struct MapMark {
        let fragment: Int
        let atom: Int
        let number: Int32
    }

    var reactants: [Int] = []
    var agents: [Int] = []
    var products: [Int] = []
    /// The molecules of each group that is one compound.
    var compounds: [Range<Int>] = []
    var conditions: [Text] = []
    var arrow = Reaction.Arrow.forward
    var map: [MapMark] = []
    var fields: [(name: Text, value: Text)] = []
    var issues: [Issue] = []
    var offset = 0
    var page = 0
    /// Chemopen's annotation at its arrow.
    var said: OwnStatement?

    /// Converts reactants and products that are only labels to fields.
    mutating func take(_ labels: DrawingLabels) {
        for (name, side) in [("Reactants", \Self.reactants), ("Products", \Self.products)] {
            let words = self[keyPath: side].filter { labels.label(of: $0) != nil }
            // If a side contains only labels, it is not changed: the compounds are drawn elsewhere, and the labels
            // refer to them by number.
            if words.isEmpty || words.count == self[keyPath: side].count { continue }
            self[keyPath: side].removeAll { words.contains($0) }
            for place in words { fields.append((Text(name), labels.label(of: place) ?? "")) }
        }
    }

    /// The indices of its molecules, without duplicates.
    var fragments: [Int] {
        let all = reactants + agents + products
        // Most steps have few molecules, so a linear search is faster than a set.
        var found: [Int] = []
        if all.count <= 16 {
            found.reserveCapacity(all.count)
            for place in all where !found.contains(place) { found.append(place) }
            return found
        }
        var seen: Set<Int> = []
        return all.filter { seen.insert($0).inserted }
    }
}

extension DrawnReaction {
    /// Creates the step from the components of its molecules.
    func step(of component: (Int) -> Reaction.Component) -> Reaction.Step {
        var step = Reaction.Step(
            reactants: components(reactants, component), agents: components(agents, component),
            products: components(products, component))
        step.conditions = conditions
        step.arrow = arrow
        return step
    }

    /// Returns the components of a side; the molecules of one compound become one component.
    private func components(_ side: [Int], _ component: (Int) -> Reaction.Component) -> [Reaction.Component] {
        var side = side[...]
        var components: [Reaction.Component] = []
        while let first = side.popFirst() {
            var whole = component(first)
            if let compound = compounds.first(where: { $0.lowerBound == first }),
                side.starts(with: compound.dropFirst())
            {
                for part in compound.dropFirst() { whole.molecule.append(component(part).molecule) }
                side.removeFirst(compound.count - 1)
            }
            components.append(whole)
        }
        return components
    }
}

/// Reads the reactions that schemes declare, one for each step.
extension DrawingInterpreter {
    mutating func readReactions() -> [DrawnReaction] {
        var reactions: [DrawnReaction] = []
        var atomsLeft = 5_000_000
        let steps = drawing.has(.step) ? drawing.others.filter { drawing.kind(of: $0) == .step } : []
        let counts = Dictionary(steps.map { (drawing.objects[$0].parent, 1) }, uniquingKeysWith: +)
        var numbers: [Int: Int] = [:]
        for object in steps {
            let scheme = drawing.objects[object].parent
            numbers[scheme, default: 0] += 1
            guard var reaction = readStep(object) else { continue }
            if let count = counts[scheme], count > 1, let number = numbers[scheme] {
                reaction.fields.append(("Step", Text("\(number) of \(count)")))
            }
            atomsLeft -= reaction.fragments.reduce(0) { $0 + fragments[$1].molecule.atoms.count }
            guard atomsLeft > 0 else {
                doubt("more than five million atoms in all steps; the rest is omitted", object)
                break
            }
            reactions.append(reaction)
        }
        // Some arrows are not part of a scheme, for example an arrow that continues in the next row.
        return reactions + readArrows(besides: reactions, isAlone: steps.isEmpty)
    }

    /// Returns the nodes to which atom maps refer.
    func mappedNodes() -> Set<Int> {
        guard drawing.has(.step) else { return [] }
        let steps = drawing.others.filter { drawing.kind(of: $0) == .step && !atomMap(of: $0).isEmpty }
        if steps.isEmpty { return [] }
        let places = DrawingPlaces(drawing, [])
        return Set(steps.flatMap { atomMap(of: $0) }.compactMap { places.node(called: $0) })
    }

    private mutating func readStep(_ step: Int) -> DrawnReaction? {
        var reaction = DrawnReaction()
        reaction.offset = drawing.objects[step].offset
        reaction.page = drawing.page(of: step)
        var missing: [UInt32] = []
        reaction.compounds = DrawingCompounds(drawing: drawing, fragments: fragments, places: places).find(in: step)
        let reactants = resolve(.reactants, of: step, &missing)
        let products = resolve(.products, of: step, &missing)
        let above = resolve(.aboveArrow, of: step, &missing)
        let below = resolve(.belowArrow, of: step, &missing)
        reaction.reactants = reactants.fragments
        reaction.products = products.fragments
        reaction.agents = above.fragments + below.fragments.filter { !above.fragments.contains($0) }
        // A step can list both a group and the texts inside it.
        var told: Set<Int> = []
        let texts = (above.texts + below.texts).filter { told.insert($0).inserted }
        reaction.conditions = texts.map { drawing.text(of: $0) }.filter { !$0.isEmpty }
        usedTexts.formUnion(above.texts + below.texts + reactants.texts + products.texts)
        usedTexts.formUnion(drawing.identifiers(.pluses, of: step).compactMap { places.text(called: $0) })
        addTexts(reactants.texts, "Reactants", to: &reaction)
        addTexts(products.texts, "Products", to: &reaction)
        for id in drawing.identifiers(.arrows, of: step) {
            guard let arrow = places.arrow(called: id) else { continue }
            reaction.said = drawing.ownStatement(in: arrow) ?? reaction.said
        }
        if !drawing.isOwn {
            let labels = DrawingLabels(drawing: drawing, fragments: fragments)
            reaction.take(labels)
            reaction.leaveOutVariables(labels)
        }
        if reaction.fragments.isEmpty, reaction.said == nil {
            doubt("a step without molecules; omitted", step)
            for text in reaction.conditions { looseFields.append((reaction.page, "Text", text)) }
            for field in reaction.fields { looseFields.append((reaction.page, field.name, field.value)) }
            return nil
        }
        if !missing.isEmpty {
            let names = missing.prefix(5).map { "\($0)" }.joined(separator: ", ")
            let message = "the step refers to objects that do not exist: \(names)"
            reaction.issues.note(drawing.issue(message, at: reaction.offset))
        }
        used.formUnion(drawing.identifiers(.pluses, of: step).compactMap { places.graphic(called: $0) })
        for id in drawing.identifiers(.arrows, of: step) {
            guard let arrow = DrawnArrow.find(id, in: drawing, places) else { continue }
            used.insert(arrow.object)
            if reaction.arrow == .forward { reaction.arrow = arrow.kind }
            reaction.fields += dataOfArrow[arrow.object] ?? []
        }
        readMap(of: step, into: &reaction)
        return reaction
    }

    /// Returns the molecules and texts that a step lists for a role. A group stands for all molecules within it.
    private func resolve(
        _ role: DrawnProperty, of step: Int, _ missing: inout [UInt32]
    ) -> (fragments: [Int], texts: [Int]) {
        var found: [Int] = []
        var texts: [Int] = []
        var seen: Set<Int> = []
        for id in drawing.identifiers(role, of: step) {
            let molecules = places.molecules(called: id)
            if !molecules.isEmpty {
                for molecule in molecules where seen.insert(molecule).inserted { found.append(molecule) }
                if let group = places.group(called: id) { texts += drawing.children(of: group, .text) }
            } else if let text = places.text(called: id) {
                texts.append(text)
            } else if let group = places.group(called: id) {
                texts += drawing.children(of: group, .text)
            } else if places.graphic(called: id) == nil, places.arrow(called: id) == nil {
                missing.append(id)
            }
        }
        return (found, texts)
    }

    private func addTexts(_ texts: [Int], _ name: Text, to reaction: inout DrawnReaction) {
        for text in texts.map({ drawing.text(of: $0) }) where !text.isEmpty && text != Text.plusSign {
            reaction.fields.append((name, text))
        }
    }

    // MARK: Atom maps

    /// Returns the IDs of the mapped nodes in pairs of reactant and product.
    private func atomMap(of step: Int) -> [UInt32] {
        let whole = drawing.identifiers(.atomMap, of: step)
        if !whole.isEmpty { return whole }
        return drawing.identifiers(.atomMapByHand, of: step) + drawing.identifiers(.atomMapByProgram, of: step)
    }

    private func readMap(of step: Int, into reaction: inout DrawnReaction) {
        let ids = atomMap(of: step)
        if ids.isEmpty { return }
        let own = Set(reaction.fragments)
        var number: Int32 = 0
        var missing = 0
        for place in stride(from: 0, to: ids.count - 1, by: 2) {
            let ends = [ids[place], ids[place + 1]].compactMap { id in
                places.node(called: id).flatMap { places.atom(ofNode: $0) }
            }
            guard ends.count == 2, ends.allSatisfy({ own.contains($0.molecule) }) else {
                missing += 1
                continue
            }
            number += 1
            for end in ends { reaction.map.append(.init(fragment: end.molecule, atom: end.atom, number: number)) }
        }
        if missing > 0 {
            let message = "\(missing) pairs of the atom map are not atoms of the step; ignored"
            reaction.issues.note(drawing.issue(message, at: reaction.offset))
        }
    }

    mutating func doubt(_ message: String, _ object: Int, found: Text = "") {
        issues.note(drawing.issue(message, with: object, found: found))
    }
}
