import Chemopen

/// Requests whose responses are not lists of entities: statistics, patterns and exported text.
struct Workbench {
    let service: BrowseService

    func answer(
        _ request: BrowseRequest, id: JSONValue?
    ) throws(BrowseRequest.Fault) -> (json: [UInt8], isComplete: Bool) {
        var json = JSON()
        var isComplete = true
        var fault: BrowseRequest.Fault?
        json.object { json in
            json.id(id)
            do throws(BrowseRequest.Fault) {
                switch request.kind {
                case .statistics: isComplete = try statistics(request, to: &json)
                case .pattern: try pattern(request, to: &json)
                default: try export(request, to: &json)
                }
            } catch {
                fault = error
            }
        }
        if let fault { throw fault }
        return (json.bytes, isComplete)
    }

    // MARK: Statistics

    private func statistics(_ request: BrowseRequest, to json: inout JSON) throws(BrowseRequest.Fault) -> Bool {
        if !request.facts.isEmpty, let problem = (try? ComputedFields(request.facts))?.problem {
            throw BrowseRequest.Fault(message: problem)
        }
        let (selected, isKnown, _) = try service.selections(of: request)
        var seen: Set<String> = []
        let named = selected.map(\.file).filter { seen.insert($0.id).inserted }
        let views = named.map { request.isPatient ? $0.wait(forRecords: .max) : $0.view }
        var result = StatisticsRun.Result()
        let isSearch = !request.text.trimmingBlanks.isEmpty || !request.condition.trimmingBlanks.isEmpty
        if isSearch { _ = try service.query(request) }
        if isKnown, views.allSatisfy(\.isComplete) {
            let search = isSearch ? try service.searchRun(request, named) : nil
            let files =
                request.entities.map(\.text)
                + selected.map { "\($0.file.id) \($0.file.view.generation) \($0.numbers?.count ?? -1)" }
            let key = StatisticsRun.Key(
                files: files, fields: request.fields, facts: request.facts, search: search?.key)
            if !isSearch || search != nil, let run = statisticsRun(key, selected, search) {
                service.settle()
                result = request.isPatient ? run.wait() : run.soFar
            }
        }
        json.field("headers", ColumnSurvey.headers)
        json.key("rows")
        json.array { json in
            for column in result.columns {
                column.survey.write((column.isFact ? "fact:" : "field:") + column.name, to: &json)
            }
        }
        json.field("total", result.columns.count)
        json.field("records", result.records)
        json.field("complete", result.isComplete)
        if !result.isComplete { json.field("progress", (result.progress * 1000).rounded() / 1000) }
        return result.isComplete
    }

    private func statisticsRun(
        _ key: StatisticsRun.Key, _ selected: [Selection], _ search: SearchRun?
    ) -> StatisticsRun? {
        if let run = service.runs.change({ $0.statistics(key) }) { return run }
        let run = StatisticsRun(key, of: selected, hits: search)
        guard service.runs.change({ $0.add(run) }) else { return nil }
        service.work.add(.statistics(run))
        return run
    }

    // MARK: Patterns

    /// Converts a structure in any notation to a pattern for `contains(…)`, with a picture.
    private func pattern(_ request: BrowseRequest, to json: inout JSON) throws(BrowseRequest.Fault) {
        var molecule: Molecule?
        var smarts = ""
        if let id = request.entities.first {
            guard case .molecule(let found)? = service.find(id)?.subject else {
                throw BrowseRequest.Fault(message: "there is no molecule to search for")
            }
            molecule = found
        } else if request.text.unicodeScalars.contains("\n") {
            molecule = Self.molecule(in: Array(request.text.utf8))
            if molecule == nil { throw BrowseRequest.Fault(message: "the text is not a structure") }
        } else {
            let text = request.text.trimmingBlanks
            do throws(SMARTSError) {
                smarts = try SMARTSPattern(text).text
            } catch {
                throw BrowseRequest.Fault(message: "not a valid SMARTS pattern: \(error.message)")
            }
            molecule = try? Molecule(smiles: text)
        }
        if var drawn = molecule {
            if drawn.hasAbbreviations { drawn = drawn.expandingAbbreviations() }
            // A Kekulé form in SMARTS would not match aromatic rings. Atoms in brackets may have conditions that a
            // molecule cannot express, so such a pattern is used unchanged.
            let scalars = smarts.unicodeScalars
            if smarts.isEmpty || scalars.contains("=") && !scalars.contains("[") {
                smarts = SMARTSText.pattern(of: drawn)
            }
            molecule = drawn
        }
        guard !smarts.isEmpty else { throw BrowseRequest.Fault(message: "there are no atoms to search for") }
        json.field("smarts", smarts)
        json.key("image")
        var style = request.style
        style.showsRemarks = false
        json.picture(molecule.flatMap { Picture(layingOut: .molecule($0), style: style, .short) })
    }

    private static func molecule(in text: [UInt8]) -> Molecule? {
        do throws(ReadError) {
            var stream = try readUnknown(bytes: text)
            return try stream.next()?.molecule
        } catch {
            return nil
        }
    }

    // MARK: Comparison

    /// Marks the atoms of each record that differ from those of the first one.
    static func compared(_ rows: [EntityRow]) -> [EntityRow] {
        func molecule(_ row: EntityRow) -> Molecule? {
            guard case .read(let entity, _) = row, case .molecule(let molecule) = entity.subject,
                !molecule.hasAbbreviations
            else { return nil }
            return molecule
        }
        guard rows.count > 1, rows.count <= 8, let first = molecule(rows[0]) else { return rows }
        var differing: Set<Int> = []
        var marked = rows.dropFirst().map { row in
            guard let other = molecule(row), case .read(var entity, _) = row else { return row }
            let common = CommonAtoms(first, other)
            differing.formUnion(common.differing.first)
            entity.differing = common.differing.second
            return EntityRow(entity)
        }
        guard case .read(var entity, _) = rows[0] else { return rows }
        entity.differing = differing.sorted()
        marked.insert(EntityRow(entity), at: 0)
        return marked
    }

    // MARK: Exported text

    /// Returns records as text in a format, to be copied.
    private func export(_ request: BrowseRequest, to json: inout JSON) throws(BrowseRequest.Fault) {
        guard request.entities.count <= service.mostRows else {
            throw BrowseRequest.Fault(message: "a request can contain at most \(service.mostRows) entities")
        }
        var entities: [Entity] = []
        for id in request.entities {
            guard id.isRecord else { throw BrowseRequest.Fault(message: "EXPORT requires records, not files") }
            guard let entity = service.find(id) else {
                throw BrowseRequest.Fault(message: "there is no record \(id.text)")
            }
            entities.append(entity)
        }
        guard let first = entities.first else { throw BrowseRequest.Fault(message: "there are no records to export") }
        if let fact = try? ComputedFields([request.format]) {
            // A fact such as the InChIKey, with a line for each record.
            if let problem = fact.problem { throw BrowseRequest.Fault(message: problem) }
            let lines = entities.map { entity in
                let values = entity.asRecord.map { fact.texts(of: $0).first ?? [] } ?? []
                return values.map { Text(bytes: $0).string }.joined(separator: " ")
            }
            json.field("text", lines.joined(separator: "\n") + "\n")
            json.field("records", entities.count)
            json.field("losses", [String]())
            return
        }
        guard let format = FormatRegistry.standard[request.format], format.isWritable else {
            let names = (Format.all + Format.toldByName).filter { $0.isWritable }.map(\.id)
            let hint = suggestion(for: request.format, among: names)
            throw BrowseRequest.Fault(message: "there is no format \"\(request.format)\" to write\(hint)")
        }
        do throws(EntityError) {
            let saved = entities.count == 1 ? try first.saved(as: format) : try Entity.saved(entities, as: format)
            if let text = String(validating: saved.bytes, as: UTF8.self) {
                json.field("text", text)
            } else {
                json.field("base64", base64(saved.bytes))
            }
            json.field("file", saved.name)
            json.field("type", saved.mimeType)
            json.field("records", entities.count)
            var seen: Set<String> = []
            json.field("losses", saved.losses.map(\.feature.name).filter { seen.insert($0).inserted })
        } catch {
            throw BrowseRequest.Fault(message: error.message)
        }
    }
}

extension Entity {
    /// Returns several records of a file as one file in a format. Records that already have this format are copied
    /// verbatim if the format can be copied record by record.
    static func saved(_ entities: [Entity], as format: Format) throws(EntityError) -> SavedEntity {
        guard let first = entities.first, format.isWritable else {
            throw EntityError(message: "this cannot be saved in \(format.name)")
        }
        guard format.supportedFeatures.contains(.severalRecords) else {
            throw EntityError(message: "a file in \(format.name) can contain only one record")
        }
        var header = SheetHeader()
        for entity in entities {
            guard let record = entity.asRecord else { continue }
            for field in record.fields where !header.columns.contains(where: { $0.name == field.name }) {
                header.columns.append(Column(field.name))
            }
        }
        do throws(WriteError) {
            var writer = try format.makeWriter(ByteSink(), WriteOptions())
            var losses: [Loss] = []
            if format.needsColumns { try begin(&writer, header) } else { try begin(&writer, SheetHeader()) }
            for entity in entities {
                if case .record(let browsed) = entity.kind, let content = entity.file.view.content,
                    content.format.id == format.id, content.keepsBytes, content.isIndexed, !content.isFramed
                {
                    try copy(browsed.bytes, to: &writer)
                    continue
                }
                guard var record = entity.asRecord else {
                    throw WriteError(.impossible, "\(entity.identifier) cannot be read")
                }
                if !format.supportedFeatures.contains(.abbreviations) {
                    record.expandAbbreviations(asGroups: format.supportedFeatures.contains(.sgroups))
                }
                losses += try write(record, to: &writer)
            }
            let bytes = try finish(&writer)
            return SavedEntity(
                name: "\(first.fileStem)-and-more.\(format.extensions.first ?? "out")",
                mimeType: format.mimeTypes.first ?? "", bytes: bytes, losses: losses)
        } catch {
            throw EntityError(message: error.description)
        }
    }

    /// Writes the atoms and bonds of a molecule in 3D, or `null` for other entities.
    func writeModel(to json: inout JSON) {
        guard case .molecule(let molecule) = subject, molecule.atoms.count <= 5000,
            let first = molecule.atoms.first,
            molecule.atoms.contains(where: { abs($0.position.z - first.position.z) > 0.01 })
        else { return json.null() }
        json.object { json in
            json.key("atoms")
            json.array { json in
                for index in molecule.atoms.indices {
                    let position = molecule.atoms[index].position
                    json.array { json in
                        json.string(molecule.symbol(ofAtom: index))
                        for value in [position.x, position.y, position.z] {
                            json.number((value * 1000).rounded() / 1000)
                        }
                    }
                }
            }
            json.key("bonds")
            json.array { json in
                for bond in molecule.bonds {
                    let order = bond.order == .double ? 2 : bond.order == .triple ? 3 : 1
                    json.array { json in
                        for value in [Int(bond.from), Int(bond.to), order] { json.number(value) }
                    }
                }
            }
        }
    }
}

extension Record.Subject {
    /// The maximum number of atoms that are searched for matches to highlight.
    private static let mostAtoms = 2000

    /// Returns the subject with all matches of a pattern highlighted.
    func highlighting(_ pattern: SMARTSPattern) -> Record.Subject {
        var search = SubstructureSearch(pattern)
        func marked(_ molecule: Molecule) -> Molecule {
            guard molecule.atoms.count <= Self.mostAtoms, !molecule.hasAbbreviations else { return molecule }
            var atoms: Set<Int> = []
            for match in search.matches(in: molecule, atMost: 200) { atoms.formUnion(match.filter { $0 >= 0 }) }
            return AtomCollection.highlight(atoms, in: molecule)
        }
        switch self {
        case .none: return self
        case .molecule(let molecule): return .molecule(marked(molecule))
        case .reaction(var reaction):
            for step in reaction.steps.indices {
                for role in [\Reaction.Step.reactants, \Reaction.Step.agents, \Reaction.Step.products] {
                    for place in reaction.steps[step][keyPath: role].indices {
                        let molecule = reaction.steps[step][keyPath: role][place].molecule
                        reaction.steps[step][keyPath: role][place].molecule = marked(molecule)
                    }
                }
            }
            return .reaction(reaction)
        }
    }

    /// Returns a molecule with some atoms, and the bonds between them, highlighted.
    func highlighting(atoms: Set<Int>) -> Record.Subject {
        guard case .molecule(let molecule) = self else { return self }
        return .molecule(AtomCollection.highlight(atoms, in: molecule))
    }
}

extension AtomCollection {
    /// Returns a molecule with some atoms, and the bonds between them, highlighted.
    fileprivate static func highlight(_ atoms: Set<Int>, in molecule: Molecule) -> Molecule {
        if atoms.isEmpty { return molecule }
        var molecule = molecule
        var marked = AtomCollection(AtomCollection.highlightName)
        marked.atoms = atoms.sorted().map { Int32(clamping: $0) }
        marked.bonds = molecule.bonds.indices.filter { index in
            let bond = molecule.bonds[index]
            return atoms.contains(Int(bond.from)) && atoms.contains(Int(bond.to))
        }.map { Int32(clamping: $0) }
        // Highlights in the file are removed because they would look like matches.
        molecule.extras.contents.collections.removeAll { $0.isHighlight }
        molecule.extras.contents.collections.append(marked)
        return molecule
    }
}
