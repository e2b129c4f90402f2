import ChemopenModel

extension [Loss] {
    /// Leaves out, and notes, what stands behind a connection table alone. The table of a component, or of an R-group's
    /// member, has nothing behind it in either version.
    ///
    /// - Parameter owner: what the table is a part of: "a component".
    mutating func leaveOutOuterBlocks(_ extras: inout Extras, of owner: String) {
        if extras.isEmpty { return }
        var contents = extras.contents
        let behind = KeptLines(contents, .v3000).behind
        // The logic of an R-group has a line of V2000 within the table.
        let unsaid = contents.rgroups.count { $0.logic != nil && $0.logicInV2000 == nil }
        if behind.isEmpty, contents.rgroups.allSatisfy(\.members.isEmpty), contents.templates.isEmpty, unsaid == 0 {
            return
        }
        note(.rgroupLogic, Text("of \(owner), and a number that V2000 cannot say"), count: unsaid)
        contents.verbatim.removeAll { $0.dialect == .v3000 && behind.contains($0.text) }
        note(.unknown, Text("behind the table of \(owner)"), count: behind.count)
        noteBlocks(of: contents, beyond: .v2000, "of \(owner)")
        for index in contents.rgroups.indices { contents.rgroups[index].members = [] }
        contents.rgroups.removeAll { $0.logicInV2000 == nil }
        contents.templates = []
        extras.contents = contents
    }
}
