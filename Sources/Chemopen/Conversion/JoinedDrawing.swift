/// The molecules of a drawing combined into one, for a format that stores one record.
///
/// The molecules stay at their positions on the page. If you draw two molecules on a page and save it as a molfile, the
/// file contains both. A molecule in several reactions is included once.
struct JoinedDrawing {
    private var record: Record?
    private var place = RecordPlace()
    private var molecules: Set<Molecule> = []
    private var losses: [Loss] = []

    /// Adds a record. Returns `false` if the record has no molecule, or if it is a reaction and the target supports
    /// reactions.
    mutating func take(_ other: Record, at place: RecordPlace, to target: Format) -> Bool {
        switch other.subject {
        case .none: return false
        case .molecule(let molecule): add(molecule, of: other, at: place)
        case .reaction(let reaction):
            guard !target.supportedFeatures.contains(.reactions) else { return false }
            let parts = reaction.componentRecords(of: other, number: place.record, withFields: false)
            losses.note(parts.losses)
            for part in parts.records {
                if let molecule = part.molecule { add(molecule, of: part, at: place) }
            }
        }
        return true
    }

    private mutating func add(_ molecule: Molecule, of other: Record, at place: RecordPlace) {
        guard molecules.insert(molecule).inserted else { return }
        guard var joined = record, var whole = joined.molecule else {
            record = other
            self.place = place
            return
        }
        whole.append(molecule)
        joined.subject = .molecule(whole)
        for field in other.fields { joined.fields.append(field.name, field.value) }
        record = joined
    }

    /// Returns the combined record and its losses, or `nil` if there is no molecule.
    mutating func takeWhole() -> (record: Record, place: RecordPlace, losses: [Loss])? {
        guard let whole = record else { return nil }
        defer { self = JoinedDrawing() }
        if molecules.count > 1 {
            losses.note(.severalRecords, Text("\(molecules.count) molecules of the drawing, written as one"))
        }
        return (whole, place, losses)
    }
}
