import ChemopenDesktop

extension FileOpener {
    /// Finds the program that the desktop would use for a file if Chemopen's types were not installed.
    ///
    /// Some extensions of chemical formats are also used for other files, such as game worlds, indexes and manual
    /// pages.
    ///
    /// - Returns: The program and the MIME type, or `nil` if no such program exists.
    public func handlerOfOthers(for path: LocalPath) -> (handler: Handler, type: String)? {
        let session = registry.session
        guard let file = try? OpenFile(path), file.isRegular, let head = Self.head(of: file) else { return nil }
        let own = Set(formats.flatMap { $0.mimeTypes + $0.typeDescriptions.map(\.type) })
        let type = TypeDatabase(session).type(of: path, beginning: head, in: session) { own.contains($0) }
        let back = LaunchLog.handlersInLaunchChain(path, in: session).union(registry.ownIDs)
        for type in [type] + registry.types.ancestors(of: type) {
            if let handler = registry.registeredHandlers(for: type).first(where: { !back.contains($0.id) }) {
                return (handler, type)
            }
        }
        return nil
    }

    /// Returns the original bytes at the beginning of a file.
    private static func head(of file: borrowing OpenFile) -> [UInt8]? {
        guard var source = try? ByteSource(path: file.path) else { return nil }
        let (head, _) = source.peekHead()
        return source.isCompressed ? [0x1F, 0x8B] : head.bytes
    }
}

extension FileOpener {
    /// Creates desktop entries for programs that can open a type only after a conversion. The entries add the programs
    /// to the menus of these types.
    ///
    /// - Returns: The entries, one for each program.
    public func bridges() -> [ConversionEntry] {
        let types = Set(formats.flatMap { $0.typeDescriptions.map(\.type) })
        return registry.all.compactMap { handler in
            let isConcerned = handler.known.map { !$0.readings.isEmpty } ?? !types.isDisjoint(with: handler.claims)
            guard isConcerned, !registry.ownIDs.contains(handler.id) else { return nil }
            var preferences = OpenPlan.Preferences()
            preferences.handler = handler
            let reached = formats.filter { format in
                let name = OpenPlan.Name(suffix: format.extensions.first ?? "")
                let plan = OpenPlan(
                    for: FileSummary(format), named: name, candidates: [], formats: formats, preferences)
                return !plan.choices.isEmpty
            }
            let wanted = reached.flatMap { $0.typeDescriptions.map(\.type) }.filter { !handler.claims.contains($0) }
            return ConversionEntry(handler, types: wanted, in: registry.session)
        }
    }
}
