import ChemopenModel

extension [Loss] {
    /// Removes and records content that can only follow a connection table. In both versions, such content cannot
    /// follow the table of a component or of an R-group member.
    ///
    /// - Parameter owner: The object that the table is part of, such as "a component".
    mutating func leaveOutOuterBlocks(_ extras: inout Extras, of owner: String) {
        if extras.isEmpty { return }
        var contents = extras.contents
        let behind = KeptLines(contents, .v3000).behind
        // In V2000, the logic of an R-group is a line within the table.
        let unsaid = contents.rgroups.count { $0.logic != nil && $0.logicInV2000 == nil }
        if behind.isEmpty, contents.rgroups.allSatisfy(\.members.isEmpty), contents.templates.isEmpty, unsaid == 0 {
            return
        }
        note(.rgroupLogic, Text("of \(owner), with a number that V2000 cannot express"), count: unsaid)
        contents.verbatim.removeAll { $0.dialect == .v3000 && behind.contains($0.text) }
        note(.unknown, Text("after the table of \(owner)"), count: behind.count)
        noteBlocks(of: contents, unsupportedBy: .v2000, "of \(owner)")
        for index in contents.rgroups.indices { contents.rgroups[index].members = [] }
        contents.rgroups.removeAll { $0.logicInV2000 == nil }
        contents.templates = []
        extras.contents = contents
    }
}
