extension Record {
    /// The name for people: without one of its own, what a field `Name` says, as a table's column of names does.
    package var shownName: Text {
        let name = self.name
        if name.bytes.contains(where: { $0 > 0x20 }) { return name }
        let field = fields.first { $0.name == "Name" && $0.structure == nil && !$0.value.bytes.contains(0x0A) }
        return field?.value ?? name
    }
}
