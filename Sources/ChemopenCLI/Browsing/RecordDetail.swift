import Chemopen
import ChemopenBrowse

/// The lines that show one record in the terminal: its title, picture, facts, warnings and fields.
struct RecordDetail {
    let entry: FileBrowser.Entry
    let columns: Int

    /// The maximum number of lines for one value.
    private static let mostLinesOfValue = 40

    /// Formats the record.
    ///
    /// - Parameter rows: the maximum height of the picture.
    func lines(pictureRows rows: Int) -> [Styled] {
        let title = entry.title.isEmpty ? "record \(entry.number)" : entry.title.shown
        var lines = TextLayout.wrapped(Styled(title, .heading), to: columns, hanging: 0)
        switch entry.content {
        case .failure(let error):
            lines += TextLayout.wrapped(Styled("error: ", .error) + error.message, to: columns, hanging: 2)
            if error.line > 0 { lines.append(Styled("line \(error.line)", .dim)) }
        case .success(let record):
            lines += picture(of: record, rows)
            if let facts = facts(of: record) { lines += TextLayout.wrapped(facts, to: columns, hanging: 2) }
            for issue in entry.issues where issue.severity == .doubt {
                lines += TextLayout.wrapped(Styled("warning: ", .warning) + issue.message, to: columns, hanging: 2)
            }
            lines += fields(of: record)
        }
        return lines
    }

    private func picture(of record: Record, _ rows: Int) -> [Styled] {
        guard rows > 2, let picture = TerminalPicture(of: record, columns: columns, rows: rows) else { return [] }
        var lines = picture.lines.prefix(rows).map { Styled($0.prefix(columns: columns)) }
        if !picture.remark.isEmpty { lines += TextLayout.wrapped(Styled(picture.remark, .dim), to: columns) }
        return lines
    }

    private func facts(of record: Record) -> Styled? {
        switch record.subject {
        case .none: return Styled("no structure", .dim)
        case .molecule(let molecule):
            let formula = Styled(molecule.formula, .formula)
            let sizes = "  \(molecule.atoms.count) atoms, \(molecule.bonds.count) bonds"
            return formula + sizes + ", mass \(fixed(molecule.mass, decimals: 3))"
        case .reaction(let reaction):
            return Styled("\(reaction.reactants.count) reactants, \(reaction.products.count) products")
        }
    }

    private func fields(of record: Record) -> [Styled] {
        var lines: [Styled] = []
        for field in record.fields {
            let value = field.value.string
            let parts = value.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            let name = Styled(field.name.shown + ": ", .name)
            if parts.count == 1 {
                lines += TextLayout.wrapped(name + value, to: columns, hanging: 2)
                continue
            }
            lines.append(name.truncated(to: columns))
            for part in parts.prefix(Self.mostLinesOfValue) {
                lines += TextLayout.wrapped(Styled("  " + part), to: columns, hanging: 2)
            }
            if parts.count > Self.mostLinesOfValue {
                lines.append(Styled("  … \(parts.count - Self.mostLinesOfValue) more lines", .dim))
            }
        }
        // Words that are longer than the pane cannot be wrapped.
        return lines.map { $0.truncated(to: columns) }
    }
}
