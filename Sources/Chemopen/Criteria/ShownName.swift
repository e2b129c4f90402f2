extension Record {
    /// The name for display. If the record has no name, this is the first line of the field `Name`, the usual name
    /// column of a table.
    package var shownName: Text {
        let name = self.name
        if name.bytes.contains(where: { $0 > 0x20 }) { return name }
        return fields.firstLine(named: Self.fieldOfNames) ?? name
    }

    private static let fieldOfNames: Text = "Name"
}
