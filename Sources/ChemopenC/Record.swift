import CChemopen
import Chemopen

/// A record owned by the caller.
@safe
final class RecordHandle: Handle {
    var record = Record()
    /// Whether the lent memory matches the current record.
    private var hasFields = false
    private var hasStructure = false
    private var names = LentNames([])
    private var values = LentText()
    private var registry = LentText()
    private var namedText = LentText()
    private var named = unsafe LentMemory<chemopen_text>()
    private var fields = unsafe LentMemory<chemopen_field>()
    private var atoms = LentMemory<chemopen_atom>()
    private var bonds = LentMemory<chemopen_bond>()
    private var labels = unsafe LentMemory<chemopen_text>()
    private var labelText = LentText()
    private var title = LentText()
    private var formula = LentText()
    private var text = LentText()
    private var losses = LentLosses()
    private var value = LentText()
    private var conditions = unsafe LentMemory<chemopen_text>()
    private var conditionText = LentText()
    private var arrow = LentText()
    private var issueText = LentText()
    private var issues = unsafe LentMemory<chemopen_issue>()
    private var componentText = LentText()
    private var svg = LentText()

    /// Marks lent memory as outdated before a change to the record.
    func beginChange() {
        (hasFields, hasStructure) = (false, false)
    }

    /// Removes the remains of a record that could not be read.
    func empty() {
        record.subject = .none
        record.removeAllFields()
    }

    // MARK: Title

    func lendTitle() -> chemopen_text? {
        switch record.subject {
        case .none: return nil
        case .molecule(let molecule):
            let name = molecule.heading.lines.name
            title.set(name.span)
        case .reaction(let reaction):
            let name = reaction.name.bytes
            title.set(name.span)
        }
        return unsafe chemopen_text(bytes: title.pointer, length: title.count)
    }

    func setTitle(_ title: Text) -> Bool {
        switch record.subject {
        case .none: return false
        case .molecule(var molecule):
            record.subject = .none
            molecule.name = title
            record.subject = .molecule(molecule)
        case .reaction(var reaction):
            record.subject = .none
            reaction.name = title
            record.subject = .reaction(reaction)
        }
        return true
    }

    // MARK: Fields

    func lendFields() -> (first: UnsafePointer<chemopen_field>?, count: Int) {
        if !hasFields {
            hasFields = true
            if record.fields.columns != names.columns { names = LentNames(record.fields.columns) }
            values.set(record.fields.bytes.span)
            unsafe fields.empty(for: record.registry.count + record.fields.entries.count)
            if !record.registry.isEmpty { lendRegistry() }
            for entry in record.fields.entries {
                var field = unsafe chemopen_field()
                unsafe field.name = unsafe names.name(of: Int(entry.column))
                let range = entry.valueRange
                unsafe field.value = unsafe chemopen_text(
                    bytes: values.pointer.map { unsafe $0 + range.lowerBound }, length: range.count)
                unsafe fields.append(field)
            }
        }
        return unsafe (fields.pointer, fields.count)
    }

    private func lendRegistry() {
        var bytes: [UInt8] = []
        var ends: [Int] = []
        for number in record.registry {
            bytes += FieldSurvey.name(of: number).bytes
            ends.append(bytes.count)
            bytes += number.number.bytes
            ends.append(bytes.count)
        }
        registry.set(bytes.span)
        var start = 0
        func text(upTo end: Int) -> chemopen_text {
            defer { start = end }
            return unsafe chemopen_text(bytes: registry.pointer.map { unsafe $0 + start }, length: end - start)
        }
        for place in record.registry.indices {
            var field = unsafe chemopen_field()
            unsafe field.name = unsafe text(upTo: ends[place * 2])
            unsafe field.value = unsafe text(upTo: ends[place * 2 + 1])
            unsafe fields.append(field)
        }
    }

    /// Uses the names that the reader of the record has lent, if they are those of its columns.
    func use(_ names: LentNames) {
        self.names = names
    }

    /// Lends the values of all fields with a name.
    func lendValues(of name: [UInt8]) -> (first: UnsafePointer<chemopen_text>?, count: Int) {
        var bytes: [UInt8] = []
        var ends: [Int] = []
        for number in record.registry where FieldSurvey.name(of: number).bytes == name {
            bytes += number.number.bytes
            ends.append(bytes.count)
        }
        for entry in record.fields.entries {
            let column = Int(entry.column)
            guard record.fields.columns.indices.contains(column), record.fields.columns[column].name.bytes == name
            else { continue }
            bytes += record.fields.bytes[entry.valueRange]
            ends.append(bytes.count)
        }
        unsafe named.empty(for: ends.count)
        if !ends.isEmpty { namedText.set(bytes.span) }
        var start = 0
        for end in ends {
            unsafe named.append(
                chemopen_text(bytes: namedText.pointer.map { unsafe $0 + start }, length: end - start))
            start = end
        }
        return unsafe (named.pointer, named.count)
    }

    /// Sets the first field with a name and removes the others. Adds the field if it does not exist.
    func setField(_ name: Text, _ value: Text) {
        beginChange()
        var first = record.fields[name] ?? Field(name, .string(value))
        first.value = value
        record.fields[name] = first
        var isFirst = true
        record.fields.removeAll { field in
            guard field.name == name else { return false }
            defer { isFirst = false }
            return !isFirst
        }
    }

    func removeField(_ name: Text) -> Bool {
        guard record.fields[name] != nil else { return false }
        beginChange()
        record.fields.removeAll(named: name)
        return true
    }

    // MARK: Structure

    /// Fills the lent atoms, bonds and labels. Returns `false` if the record is not a molecule.
    private func lendStructure() -> Bool {
        guard case .molecule(let molecule) = record.subject else { return false }
        if hasStructure { return true }
        hasStructure = true
        let hydrogens = molecule.hydrogenCounts()
        atoms.empty(for: molecule.atoms.count)
        for (index, atom) in molecule.atoms.enumerated() {
            atoms.append(
                chemopen_atom(
                    x: atom.position.x, y: atom.position.y, z: atom.position.z,
                    element: Int32(atom.element.rawValue),
                    label: molecule.labels.indices.contains(Int(atom.label)) ? atom.label : -1,
                    charge: Int32(atom.charge), isotope: Int32(atom.isotope),
                    radical: Int32(clamping: atom.radical.unpairedElectrons),
                    hydrogens: Int32(clamping: hydrogens[index]), map_number: atom.mapNumber, reserved: 0))
        }
        bonds.empty(for: molecule.bonds.count)
        for bond in molecule.bonds {
            bonds.append(
                chemopen_bond(
                    from: bond.from, to: bond.to, order: Int32(bond.order.rawValue), mark: Int32(bond.mark.rawValue)))
        }
        unsafe fill(&labels, with: molecule.labels, text: &labelText)
        return true
    }

    func lendAtoms() -> (first: UnsafePointer<chemopen_atom>?, count: Int)? {
        unsafe lendStructure() ? (atoms.pointer, atoms.count) : nil
    }

    func lendBonds() -> (first: UnsafePointer<chemopen_bond>?, count: Int)? {
        unsafe lendStructure() ? (bonds.pointer, bonds.count) : nil
    }

    func lendLabels() -> (first: UnsafePointer<chemopen_text>?, count: Int)? {
        unsafe lendStructure() ? (labels.pointer, labels.count) : nil
    }

    /// Replaces the structure with a molecule and preserves the title.
    func set(_ molecule: Molecule) {
        var molecule = molecule
        switch record.subject {
        case .none: break
        case .molecule(let old): molecule.name = old.name
        case .reaction(let old): molecule.name = old.name
        }
        beginChange()
        record.subject = .molecule(molecule)
    }

    func lendFormula() -> chemopen_text? {
        guard case .molecule(let molecule) = record.subject else { return nil }
        formula.set(molecule.formula)
        return unsafe chemopen_text(bytes: formula.pointer, length: formula.count)
    }

    // MARK: Text and pictures

    func lendText(_ format: Format, _ options: WriteOptions) -> Result<chemopen_text, WriteError> {
        losses.set([])
        do throws(WriteError) {
            let (bytes, report) = try record.text(as: format, options)
            text.set(bytes.span)
            losses.set(report.losses.map { (0, $0) })
            return unsafe .success(chemopen_text(bytes: text.pointer, length: bytes.count))
        } catch {
            return unsafe .failure(error)
        }
    }

    func lendLosses() -> (first: UnsafePointer<chemopen_loss>?, count: Int) { unsafe (losses.pointer, losses.count) }

    func lendValue(_ bytes: [UInt8], _ report: WriteReport) -> chemopen_text {
        value.set(bytes.span)
        losses.set(report.losses.map { (0, $0) })
        return unsafe chemopen_text(bytes: value.pointer, length: value.count)
    }

    func lend(_ found: [Issue]) {
        unsafe fill(&issues, with: found, text: &issueText)
    }

    func lendIssues() -> (first: UnsafePointer<chemopen_issue>?, count: Int) { unsafe (issues.pointer, issues.count) }

    // MARK: Reactions

    func lend(_ step: Reaction.Step, to place: UnsafeMutablePointer<chemopen_step>?) -> Bool {
        arrow.set(step.arrow.name)
        unsafe fill(&conditions, with: step.conditions, text: &conditionText)
        var lent = unsafe chemopen_step()
        unsafe lent.arrow = unsafe arrow.pointer
        unsafe lent.reactants = step.reactants.count
        unsafe lent.agents = step.agents.count
        unsafe lent.products = step.products.count
        unsafe lent.conditions = unsafe conditions.pointer
        unsafe lent.condition_count = unsafe conditions.count
        return unsafe ChemopenC.fill(place, with: lent)
    }

    func lend(_ component: Reaction.Component, to place: UnsafeMutablePointer<chemopen_component>?) -> Bool {
        let name = component.name.bytes
        componentText.set((name + component.stoichiometry.bytes).span)
        var lent = unsafe chemopen_component()
        unsafe lent.name = unsafe chemopen_text(bytes: componentText.pointer, length: name.count)
        unsafe lent.stoichiometry = unsafe chemopen_text(
            bytes: componentText.pointer.map { unsafe $0 + name.count }, length: component.stoichiometry.bytes.count)
        return unsafe ChemopenC.fill(place, with: lent)
    }

    func lendPicture(_ style: Picture.Style, width: Double?, height: Double?) -> chemopen_text? {
        guard let picture = Picture(of: record, style: style) else { return nil }
        let bytes = picture.svg(width: width, height: height)
        svg.set(bytes.span)
        return unsafe chemopen_text(bytes: svg.pointer, length: bytes.count)
    }
}

/// Fills lent memory with texts.
private func fill(_ entries: inout LentMemory<chemopen_text>, with texts: [Text], text: inout LentText) {
    var bytes: [UInt8] = []
    for entry in texts { bytes += entry.bytes }
    text.set(bytes.span)
    unsafe entries.empty(for: texts.count)
    var start = 0
    for entry in texts {
        unsafe entries.append(chemopen_text(bytes: text.pointer.map { unsafe $0 + start }, length: entry.bytes.count))
        start += entry.bytes.count
    }
}

/// Fills lent memory with issues.
func fill(_ entries: inout LentMemory<chemopen_issue>, with issues: [Issue], text: inout LentText) {
    var bytes: [UInt8] = []
    var starts: [Int] = []
    for issue in issues {
        starts.append(bytes.count)
        let found = issue.found.isEmpty ? "" : ", found \"\(issue.found.shown)\""
        bytes += Array((issue.message + found).utf8) + [0]
    }
    text.set(bytes.span)
    unsafe entries.empty(for: issues.count)
    for (issue, start) in zip(issues, starts) {
        unsafe entries.append(
            chemopen_issue(
                severity: issue.severity == .doubt ? 1 : 0, line: Int64(issue.line),
                message: text.pointer.map { unsafe $0 + start }))
    }
}

extension Record {
    /// Returns the record as a file of a format, with the losses.
    func text(as format: Format, _ options: WriteOptions) throws(WriteError) -> (bytes: [UInt8], report: WriteReport) {
        if case .molecule = subject, !format.supportedFeatures.contains(.molecules) {
            throw WriteError(
                .impossible, "the record is a molecule, but \(format.described) can contain only reactions")
        }
        if case .reaction = subject, !format.supportedFeatures.contains(.reactions), !format.needsColumns {
            throw WriteError(
                .impossible, "the record is a reaction, but \(format.described) can contain only molecules")
        }
        var writer = try format.makeWriter(ByteSink(), options)
        var report = WriteReport()
        if format.needsColumns {
            var survey = ColumnTypeInference(for: format)
            survey.take(self)
            let header = survey.header
            try writer.begin(header)
            for row in survey.rows(of: self, in: header) { report.losses.note(try writer.write(row).losses) }
        } else {
            try writer.begin(SheetHeader())
            report = try writer.write(expanded(for: format))
        }
        try writer.finish()
        return (writer.takeBytes(), report)
    }

    /// Returns the record with its abbreviations in the form that a format supports.
    func expanded(for format: Format) -> Record {
        guard !format.supportedFeatures.contains(.abbreviations), format.supportedFeatures.contains(.sgroups) else {
            return self
        }
        var copy = self
        copy.expandAbbreviations(asGroups: true)
        return copy
    }

    /// Removes the name of the molecule or reaction.
    mutating func removeName() {
        switch subject {
        case .none: break
        case .molecule(var molecule):
            subject = .none
            molecule.name = ""
            subject = .molecule(molecule)
        case .reaction(var reaction):
            subject = .none
            reaction.name = ""
            subject = .reaction(reaction)
        }
    }
}
