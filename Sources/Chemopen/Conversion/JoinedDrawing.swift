/// The molecules of a drawing as one, as they stand on its pages: for a file that holds one record.
///
/// Whoever draws two molecules and saves the page as a molfile finds both of them there. A molecule that takes part in
/// several reactions is drawn once and counts once.
struct JoinedDrawing {
    private var record: Record?
    private var place = RecordPlace()
    private var molecules: Set<Molecule> = []
    private var losses: [Loss] = []

    /// Takes a record in; `false` where it has no molecule, or the target a place for reactions.
    mutating func take(_ other: Record, at place: RecordPlace, to target: Format) -> Bool {
        switch other.subject {
        case .none: return false
        case .molecule(let molecule): add(molecule, of: other, at: place)
        case .reaction(let reaction):
            guard !target.holds.contains(.reactions) else { return false }
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

    /// The whole, and what was lost in making it; nothing where there was no molecule.
    mutating func takeWhole() -> (record: Record, place: RecordPlace, losses: [Loss])? {
        guard let whole = record else { return nil }
        defer { self = JoinedDrawing() }
        if molecules.count > 1 {
            losses.note(.severalRecords, Text("\(molecules.count) molecules of the drawing, written as one"))
        }
        return (whole, place, losses)
    }
}
