import ChemopenModel

/// The title of a molecule in a SketchEl file, stored as `yMDL_TITLE:aspirin` on the first atom. A sheet has a column
/// for it.
enum TitleField {
    private static let tag: StaticString = "yMDL_TITLE"

    static func text(_ title: Text) -> Text { ForeignFields.text(Text("\(tag)"), [title]) }

    /// Converts the first atom's field to the title. A field in a different form is preserved.
    static func take(from molecule: inout Molecule) {
        if molecule.extras.isEmpty { return }
        let notes = molecule.extras.contents.atomNotes
        for (place, tagged) in notes.enumerated() {
            guard tagged.index == 0 else { return }
            guard case .transientField(let field) = tagged.note,
                let values = ForeignFields.values(of: field, tag: tag), values.count == 1, !values[0].isEmpty,
                text(values[0]) == field
            else { continue }
            molecule.name = values[0]
            molecule.extras.contents.atomNotes.remove(at: place)
            molecule.markNotes()
            return
        }
    }
}
