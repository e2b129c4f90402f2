import ChemopenBytes
import ChemopenModel

/// Writes a reaction, starting with `$RXN`: the inverse of `ReactionReader`.
struct ReactionWriter {
    private let options: WriteOptions
    /// Whether the caller writes the text at the arrow elsewhere.
    private let keepsConditions: Bool
    var report = WriteReport()
    /// The R-groups to write as blocks after the components, at most one for each number.
    private var rgroups: [RGroup] = []

    init(_ options: WriteOptions, keepsConditions: Bool = false) {
        self.options = options
        self.keepsConditions = keepsConditions
    }

    /// Appends a reaction in V2000, or in V3000 if the options or one of its components require it.
    mutating func write(_ reaction: Reaction, to output: inout [UInt8]) throws(WriteError) {
        if options.version == .v2000 {
            let sides = [reaction.reactants, reaction.products, reaction.agents]
            if sides.contains(where: { $0.count > 999 }) { throw .beyondV2000("more than 999 components of one role") }
            for component in reaction.components { try component.molecule.checkFitsV2000() }
        }
        var drawn = drawn(reaction)
        noteLosses(of: drawn)
        if options.version != .v2000 { rgroups = drawn.takeRGroups(always: options.version == .v3000) }
        let reaction = withoutOuterBlocks(drawn)
        if options.version == .v3000 { return writeV3000(reaction, to: &output) }
        let start = output.count
        if let reason = writeV2000(reaction, to: &output) {
            output.removeLast(output.count - start)
            report.reason = reason
            writeV3000(reaction, to: &output)
        }
    }

    /// Returns the reaction with each molecule converted to the drawing conventions of the MDL formats.
    private mutating func drawn(_ reaction: Reaction) -> Reaction {
        let isPlain = reaction.components.allSatisfy { $0.molecule.extras.isEmpty && $0.molecule.labels.isEmpty }
        if isPlain { return reaction }
        var writer = MolfileWriter(options)
        func draw(_ components: inout [Reaction.Component]) {
            for place in components.indices {
                guard let molecule = writer.drawn(components[place].molecule) else { continue }
                components[place].molecule = molecule
            }
        }
        var drawn = reaction
        for step in drawn.steps.indices {
            draw(&drawn.steps[step].reactants)
            draw(&drawn.steps[step].agents)
            draw(&drawn.steps[step].products)
        }
        report.losses.note(writer.report.losses)
        return drawn
    }

    /// Records the features that are lost. The format can store only a single step, which consists of the first
    /// reactants and the last products.
    private mutating func noteLosses(of reaction: Reaction) {
        let steps = reaction.steps
        if steps.count > 1 {
            let made = steps.dropLast().reduce(0) { $0 + $1.products.count }
            let used = steps.dropFirst().reduce(0) { $0 + $1.reactants.count }
            report.losses.note(
                .severalSteps, "components between the first and the last step", count: max(1, made + used))
        }
        var missing = Features(.stoichiometry)
        if !keepsConditions { missing.formUnion(Features(.conditions)) }
        if !keepsConditions || reaction.arrow == nil { missing.formUnion(Features(.arrowKinds)) }
        report.losses.note(missing, of: reaction)
        report.losses.noteSecondNames(of: reaction)
    }

    /// Removes content that must follow a connection table, which a component cannot store in either version.
    private mutating func withoutOuterBlocks(_ reaction: Reaction) -> Reaction {
        guard reaction.components.contains(where: { !$0.molecule.extras.isEmpty }) else { return reaction }
        var reaction = reaction
        for step in reaction.steps.indices {
            for role in [\Reaction.Step.reactants, \.agents, \.products] {
                for index in reaction.steps[step][keyPath: role].indices {
                    report.losses.leaveOutOuterBlocks(
                        &reaction.steps[step][keyPath: role][index].molecule.extras, of: "a component")
                }
            }
        }
        return reaction
    }

    /// Returns the molecule of a component. If the molecule has no name, it receives the name of the component in the
    /// reaction.
    private func molecule(of component: Reaction.Component) -> Molecule {
        var molecule = component.molecule
        if molecule.name.isEmpty, !component.name.isEmpty { molecule.name = component.name }
        return molecule
    }

    private static let origin = Array("      CHEMOPEN".utf8)[...]

    private mutating func appendHeading(of reaction: Reaction, to output: inout [UInt8]) {
        let lines = reaction.heading.lines
        output.appendHeadingLine(lines.name, &report.losses)
        output.appendHeadingLine(lines.origin.isEmpty ? Self.origin : lines.origin, &report.losses)
        output.appendHeadingLine(lines.comment, &report.losses)
    }

    // MARK: V2000

    /// Writes the reaction in V2000, or stops and returns the reason if this is not possible.
    private mutating func writeV2000(_ reaction: Reaction, to output: inout [UInt8]) -> String? {
        let sides = [reaction.reactants, reaction.products, reaction.agents]
        if options.version == .asNeeded {
            if sides.contains(where: { $0.count > 999 }) { return "more than 999 components of one role" }
            if !rgroups.isEmpty { return "members of R-groups" }
            if !Self.keptLines(of: reaction).isEmpty { return "preserved V3000 lines" }
        }
        output.append("$RXN\n")
        appendHeading(of: reaction, to: &output)
        for side in sides.prefix(sides[2].isEmpty ? 2 : 3) { output.appendPadded(side.count, width: 3) }
        output.append(Ascii.lineFeed)
        var writer = V2000Writer(options)
        for component in sides.joined() {
            output.append("$MOL\n")
            let molecule = molecule(of: component)
            if options.version == .asNeeded, let need = V3000Need(molecule) { return need.text }
            if let need = writer.write(molecule, to: &output) { return need.text }
        }
        report.losses.note(Features(.unknown), of: reaction)
        report.losses.note(writer.losses)
        report.version = "V2000"
        return nil
    }

    // MARK: V3000

    private mutating func writeV3000(_ reaction: Reaction, to output: inout [UInt8]) {
        output.append("$RXN V3000\n")
        appendHeading(of: reaction, to: &output)
        let agents = reaction.agents
        let counts = output.beginV3000Line()
        output.append(.counts)
        output.append(Ascii.blank)
        output.appendDecimal(reaction.reactants.count)
        output.append(Ascii.blank)
        output.appendDecimal(reaction.products.count)
        if !agents.isEmpty {
            output.append(Ascii.blank)
            output.appendDecimal(agents.count)
        }
        output.endV3000Line(from: counts)
        writeV3000(reaction.reactants, .reactant, to: &output)
        writeV3000(reaction.products, .product, to: &output)
        if !agents.isEmpty { writeV3000(agents, .agent, to: &output) }
        var writer = V3000Writer()
        for group in rgroups { writer.write(group, to: &output) }
        report.losses.note(writer.losses)
        writeKeptLines(of: reaction, to: &output)
        output.append("M  END\n")
        report.version = "V3000"
    }

    /// Writes the preserved lines that would be read back unchanged here.
    private mutating func writeKeptLines(of reaction: Reaction, to output: inout [UInt8]) {
        let kept = Self.keptLines(of: reaction)
        for text in kept { output.appendV3000Lines(text) }
        for verbatim in reaction.verbatim where verbatim.dialect != .v3000 || !kept.contains(verbatim.text) {
            report.losses.note(verbatim)
        }
    }

    private static func keptLines(of reaction: Reaction) -> [Text] {
        var kept = reaction.verbatim.filter { $0.dialect == .v3000 }.map(\.text)
        if !readsBack(kept) { kept = kept.filter { readsBack([$0]) } }
        return readsBack(kept) ? kept : []
    }

    private static func readsBack(_ texts: [Text]) -> Bool {
        if texts.isEmpty { return true }
        var file = Array("$RXN V3000\n\n\n\nM  V30 COUNTS 0 0\n".utf8)
        for text in texts { file.appendV3000Lines(text) }
        file.append("M  END\n")
        var reader = ReactionReader(LineCursor(0..<file.count, of: file.span), firstLine: 1)
        do throws(Fault) { try reader.read(file) } catch { return false }
        return reader.lines.isAtEnd && reader.reaction.components.isEmpty
            && reader.reaction.verbatim.map(\.text) == texts
    }

    private mutating func writeV3000(
        _ components: [Reaction.Component], _ role: V3000Keyword, to output: inout [UInt8]
    ) {
        output.appendV3000Line(.begin, role)
        var writer = V3000Writer()
        for component in components { writer.writeTable(withoutHeading(component), to: &output) }
        report.losses.note(writer.losses)
        output.appendV3000Line(.end, role)
    }

    /// Returns the molecule of a component without its header lines, which V3000 components do not have.
    private mutating func withoutHeading(_ component: Reaction.Component) -> Molecule {
        let molecule = molecule(of: component)
        report.losses.noteBlocks(of: molecule.extras.contents, unsupportedBy: .v3000, "of a component")
        report.losses.note(Features(.origins, .comments), of: component)
        return molecule
    }
}

extension Reaction {
    /// Removes the R-groups from the components and returns the first of each number, sorted by number.
    ///
    /// - Parameter isAlways: Whether they are removed even if they have no members. V2000 has lines for their
    ///   conditions.
    fileprivate mutating func takeRGroups(always isAlways: Bool) -> [RGroup] {
        let all = components.flatMap { $0.molecule.extras.isEmpty ? [] : $0.molecule.extras.contents.rgroups }
        guard isAlways ? !all.isEmpty : all.contains(where: { !$0.members.isEmpty }) else { return [] }
        var taken: [Int32: RGroup] = [:]
        for step in steps.indices {
            for role in [\Step.reactants, \.products, \.agents] {
                for index in steps[step][keyPath: role].indices
                where !steps[step][keyPath: role][index].molecule.extras.isEmpty {
                    steps[step][keyPath: role][index].molecule.extras.contents.rgroups.removeAll { group in
                        if taken[group.number] != nil { return false }
                        taken[group.number] = group
                        return true
                    }
                }
            }
        }
        return taken.values.sorted { $0.number < $1.number }
    }
}
