import ChemopenBytes

/// Requests the contents of an X11 selection from its owner.
struct XAsking {
    private let connection: XConnection
    private let selection: XAtom
    private let property: XAtom

    init(on connection: XConnection, isPrimary: Bool) {
        self.connection = connection
        selection = isPrimary ? XConnection.atomOfPrimary : connection.atom("CLIPBOARD")
        property = connection.atom("CHEMOPEN_ANSWER")
    }

    /// Returns the offered type names in the owner's order, without the protocol's own targets.
    func names() throws(ClipFailure) -> [String] {
        guard connection.owner(of: selection) != 0 else { return [] }
        guard try ask(for: "TARGETS"),
            let list = connection.property(property, of: connection.window, from: 0, bytes: 4 * Bounds.names)
        else { return [] }
        connection.delete(property)
        let rules = [
            "TARGETS", "TIMESTAMP", "MULTIPLE", "SAVE_TARGETS", "DELETE", "INSERT_SELECTION", "INSERT_PROPERTY",
        ]
        return list.words.prefix(Bounds.names).compactMap { atom in
            guard let bytes = connection.name(of: atom), bytes.count <= Bounds.nameLength,
                let name = String(validating: bytes, as: UTF8.self), !rules.contains(name)
            else { return nil }
            return name
        }
    }

    /// Returns the content for a type name.
    func bytes(_ name: String) throws(ClipFailure) -> [UInt8] {
        guard try ask(for: name) else { throw .nothing("the clipboard does not offer \"\(name)\"") }
        let end = monotonicMilliseconds() + Bounds.wholeMilliseconds
        guard let first = connection.property(property, of: connection.window, from: 0, bytes: 4) else {
            throw .unserved("the reply was deleted before it could be read")
        }
        guard first.type == connection.atom("INCR") else {
            let bytes = try pieces(Bounds.bytes)
            connection.delete(property)
            return bytes
        }
        // Deleting the INCR property requests the first chunk.
        connection.delete(property)
        var bytes: [UInt8] = []
        while true {
            let isThere = wait(until: min(end, monotonicMilliseconds() + Bounds.idleMilliseconds)) { event in
                if case .propertyChanged(connection.window, property, false, _) = event { true } else { false }
            }
            guard isThere != nil else { throw .unserved("the program that offers \"\(name)\" stopped sending it") }
            let piece = try pieces(Bounds.bytes - bytes.count)
            connection.delete(property)
            if piece.isEmpty { return bytes }
            bytes += piece
        }
    }

    /// Reads the complete property.
    private func pieces(_ limit: Int) throws(ClipFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            guard
                let part = connection.property(
                    property, of: connection.window, from: bytes.count / 4, bytes: connection.largestPiece / 4 * 4)
            else { throw .unserved("the reply was deleted before it could be read") }
            bytes += part.bytes
            guard bytes.count + part.left <= limit else {
                throw .unserved("the content is larger than \(Bounds.bytes >> 20) MB")
            }
            if part.left == 0 || part.bytes.isEmpty { return bytes }
        }
    }

    /// Sends a request and waits for the reply. Returns `false` if the owner refuses.
    private func ask(for name: String) throws(ClipFailure) -> Bool {
        let target = connection.atom(name)
        connection.delete(property)
        connection.convert(selection, to: target, into: property, at: 0)
        let event = wait(until: monotonicMilliseconds() + Bounds.idleMilliseconds) { event in
            if case .answered(selection, target, _) = event { true } else { false }
        }
        guard case .answered(_, _, let answer)? = event else {
            throw .unserved("the program that owns the clipboard does not respond")
        }
        return answer == property
    }

    private func wait(until end: Int, for isWanted: (XEvent) -> Bool) -> XEvent? {
        while !connection.isBroken {
            connection.flush()
            while let event = connection.nextEvent() {
                if isWanted(event) { return event }
            }
            let left = end - monotonicMilliseconds()
            guard left > 0 else { return nil }
            _ = waitForAny(of: [Watched(descriptor: connection.descriptor)], milliseconds: min(left, 500))
        }
        return nil
    }
}
