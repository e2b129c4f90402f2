import ChemopenDesktop

extension Opening {
    /// The program that the desktop would open a file with that is none of ours, did it not know our types: a world, an
    /// index or a manual page with an extension that a chemical format has, too. Nothing where there is none.
    public func handlerOfOthers(for path: LocalPath) -> (handler: Handler, type: String)? {
        let session = registry.session
        guard let file = try? OpenFile(path), file.isRegular, let head = Self.head(of: file) else { return nil }
        let own = Set(formats.flatMap { $0.mimeTypes + $0.typeDescriptions.map(\.type) })
        let type = TypeDatabase(session).type(of: path, beginning: head, in: session) { own.contains($0) }
        let back = LaunchLog.handlersHandingBack(path, in: session).union(registry.ownIDs)
        for type in [type] + registry.types.ancestors(of: type) {
            if let handler = registry.registeredHandlers(for: type).first(where: { !back.contains($0.id) }) {
                return (handler, type)
            }
        }
        return nil
    }

    /// The bytes that a file begins with, as they stand in it.
    private static func head(of file: borrowing OpenFile) -> [UInt8]? {
        guard var source = try? ByteSource(path: file.path) else { return nil }
        let (head, _) = source.peekHead()
        return source.isCompressed ? [0x1F, 0x8B] : head.bytes
    }
}

extension Opening {
    /// The entries with which programs come into the menus of types that they get by conversion.
    public func bridges() -> [Bridge] {
        let types = Set(formats.flatMap { $0.typeDescriptions.map(\.type) })
        return registry.all.compactMap { handler in
            let isConcerned = handler.known.map { !$0.readings.isEmpty } ?? !types.isDisjoint(with: handler.claims)
            guard isConcerned, !registry.ownIDs.contains(handler.id) else { return nil }
            var preferences = Plan.Preferences()
            preferences.handler = handler
            let reached = formats.filter { format in
                let name = Plan.Name(suffix: format.extensions.first ?? "")
                let plan = Plan(for: Survey(format), named: name, candidates: [], formats: formats, preferences)
                return !plan.choices.isEmpty
            }
            let wanted = reached.flatMap { $0.typeDescriptions.map(\.type) }.filter { !handler.claims.contains($0) }
            return Bridge(handler, types: wanted, in: registry.session)
        }
    }
}
