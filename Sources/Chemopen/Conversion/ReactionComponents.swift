extension Reaction {
    /// Returns a record for each molecule of the reaction, for a format without reactions.
    ///
    /// Fields identify the reaction and the molecule's role and position in it: `RXN:NUMBER`, `RXN:NAME`, `RXN:STEP`,
    /// `RXN:ROLE`, `RXN:PLACE`. The reaction's own fields are repeated in each record.
    func componentRecords(of record: Record, number: Int, withFields: Bool) -> (records: [Record], losses: [Loss]) {
        var records: [Record] = []
        for (index, step) in steps.enumerated() {
            let sides = [("reactant", step.reactants), ("agent", step.agents), ("product", step.products)]
            for (role, components) in sides {
                for (place, component) in components.enumerated() {
                    var part = record
                    part.subject = .molecule(component.molecule)
                    if withFields {
                        part.fields.append("RXN:NUMBER", Text("\(number)"))
                        if !name.isEmpty { part.fields.append("RXN:NAME", name) }
                        if steps.count > 1 { part.fields.append("RXN:STEP", Text("\(index + 1)")) }
                        part.fields.append("RXN:ROLE", Text(role))
                        part.fields.append("RXN:PLACE", Text("\(place + 1)"))
                        if step.arrow != .forward { part.fields.append("RXN:ARROW", Text(step.arrow.name)) }
                        if !component.name.isEmpty { part.fields.append("RXN:COMPONENT", component.name) }
                        if !component.stoichiometry.isEmpty {
                            part.fields.append("RXN:STOICHIOMETRY", component.stoichiometry)
                        }
                        if !step.conditions.isEmpty {
                            part.fields.append(
                                "RXN:CONDITIONS",
                                Text(bytes: Array(step.conditions.map(\.bytes).joined(separator: [0x0A]))))
                        }
                    }
                    records.append(part)
                }
            }
        }
        return (records, losses(withFields: withFields, isEmpty: records.isEmpty))
    }

    private func losses(withFields: Bool, isEmpty: Bool) -> [Loss] {
        var losses: [Loss] = []
        if isEmpty {
            losses.note(.reactions, "without components")
        } else if !withFields {
            losses.note(.reactions, "role and position of the components")
        }
        let inFields = Features(.names, .conditions, .stoichiometry, .arrowKinds)
        losses.note(Features(.origins, .comments, .unknown).union(withFields ? [] : inFields), of: self)
        return losses
    }
}
