import ChemopenBytes
import ChemopenModel

/// The roles of a V3000 reaction: blocks of connection tables, such as from `BEGIN REACTANT` to `END REACTANT`.
extension ReactionReader {
    /// Reads from the counts line to `M  END`. If the blocks differ from the counts, the blocks are used.
    mutating func readV3000(_ buffer: [UInt8], into step: inout Reaction.Step) throws(Fault) {
        let bytes = buffer.span
        var table = V3000Reader(V3000LineReader(lines, IssueCollector(firstLine: firstLine)), into: MoleculeBuilder())
        var counts: [Int]?
        var role: Role?
        defer {
            issues.note(table.text.ledger.issues)
            reaction.verbatim = table.draft.rare.verbatim
            lines = table.text.lines
        }
        while let line = table.text.next(bytes) {
            switch line.keyword {
            case .counts:
                let words = line.text.span.words(0..<line.text.count).dropFirst()
                counts = words.map { line.text.span.integer($0) ?? 0 }
            case .begin where line.block == .table:
                if role == nil { table.text.ledger.doubt(line, "a component without a role; read as an agent") }
                let molecule = try table.readInner(bytes, name: line.tableName)
                step.append(Reaction.Component(molecule), as: role ?? .agents)
            case .begin where line.block == .rgroup && !step.components.isEmpty:
                try table.readRGroup(bytes, line)
            case .begin:
                if let next = Role(line.block) {
                    if role != nil { table.text.ledger.doubt(line, "the previous block is not closed") }
                    role = next
                } else {
                    table.text.ledger.doubt(line, "an unknown block in a reaction; preserved verbatim")
                    table.keepBlock(bytes, line)
                }
            case .end where Role(line.block) != nil:
                if role != Role(line.block) {
                    table.text.ledger.doubt(line, "END without a matching BEGIN; skipped")
                }
                role = nil
            default:
                if line.text.isEmpty { continue }
                table.text.ledger.doubt(line, "not a line of a reaction; preserved verbatim")
                table.keep(line)
            }
        }
        if role != nil { tell("a block of the reaction is not closed", &table) }
        for group in table.takeRGroups() { step.append(group) }
        compare(counts, with: step, &table)
        takeEnd(&table, bytes)
    }

    private func tell(_ message: String, _ table: inout V3000Reader) {
        table.text.ledger.doubt(at: max(0, table.text.currentLine), message)
    }

    private func compare(_ counts: [Int]?, with step: Reaction.Step, _ table: inout V3000Reader) {
        guard let counts else { return tell("COUNTS is missing; read without it", &table) }
        let present = [step.reactants.count, step.products.count, step.agents.count]
        let announced = Array((counts + [0, 0, 0]).prefix(3))
        if announced != present {
            let list = { (numbers: [Int]) in numbers.map(String.init).joined(separator: ", ") }
            tell(
                "\(list(announced)) reactants, products and agents are announced, but "
                    + "\(list(present)) are present; the announced numbers are ignored", &table)
        }
    }

    private func takeEnd(_ table: inout V3000Reader, _ bytes: Span<UInt8>) {
        guard let line = table.text.lines.peek(in: bytes), !line.isEmpty, bytes[line.lowerBound] != Ascii.dollar else {
            return tell("M  END is missing; read to the end of the reaction", &table)
        }
        _ = table.text.lines.next(in: bytes)
    }

    fileprivate enum Role {
        case reactants, products, agents

        init?(_ block: V3000Keyword) {
            switch block {
            case .reactant: self = .reactants
            case .product: self = .products
            case .agent: self = .agents
            default: return nil
            }
        }
    }
}

extension Reaction.Step {
    /// The components in file order.
    fileprivate var components: [Reaction.Component] { reactants + products + agents }

    /// Adds an R-group to the first component that has a site with its number, or else to the last component.
    fileprivate mutating func append(_ group: RGroup) {
        let components = components
        let place = components.firstIndex { group.hasSite(in: $0.molecule) } ?? components.count - 1
        if place < 0 { return }
        let agent = place - reactants.count - products.count
        if agent >= 0 {
            agents[agent].molecule.extras.contents.rgroups.append(group)
        } else if place >= reactants.count {
            products[place - reactants.count].molecule.extras.contents.rgroups.append(group)
        } else {
            reactants[place].molecule.extras.contents.rgroups.append(group)
        }
    }

    fileprivate mutating func append(_ component: Reaction.Component, as role: ReactionReader.Role) {
        switch role {
        case .reactants: reactants.append(component)
        case .products: products.append(component)
        case .agents: agents.append(component)
        }
    }
}

extension RGroup {
    /// Whether a molecule has a site of the R-group.
    fileprivate func hasSite(in molecule: borrowing Molecule) -> Bool {
        molecule.extras.contents.atomNotes.contains {
            guard case .rgroups(let numbers) = $0.note else { return false }
            return numbers.contains(number)
        }
    }
}
