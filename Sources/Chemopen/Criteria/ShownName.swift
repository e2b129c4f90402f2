extension Record {
    /// The name for people: without one of its own, what a field `Name` says, as a table's column of names does.
    package var shownName: Text {
        let name = self.name
        if name.bytes.contains(where: { $0 > 0x20 }) { return name }
        return fields.firstLine(named: Self.fieldOfNames) ?? name
    }

    private static let fieldOfNames: Text = "Name"
}
