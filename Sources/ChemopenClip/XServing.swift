import ChemopenBytes

/// Serves an offer on X11 until another program owns the selection, as specified in section 2 of the ICCCM.
struct XServing {
    private let connection: XConnection
    private let offer: Offer
    private let selection: XAtom
    private let time: UInt32
    private let names: [XAtom: String]
    private var transfers: [Transfer] = []
    private var isOwner = true
    /// The deadline for a clipboard manager to copy the offer. `nil` if there was no such request.
    private var handingOver: Int?

    /// A content that is too large for one request. It is sent in chunks; each follows when the previous one has been
    /// read.
    private struct Transfer {
        let requestor: XWindow
        let property: XAtom
        let type: XAtom
        let bytes: [UInt8]
        var sent = 0
        var since: Int
    }

    init(_ offer: Offer, on connection: XConnection, isPrimary: Bool) throws(ClipFailure) {
        self.connection = connection
        self.offer = offer
        selection = isPrimary ? XConnection.atomOfPrimary : connection.atom("CLIPBOARD")
        var names: [XAtom: String] = [:]
        for name in offer.names { names[connection.atom(name)] = name }
        self.names = names
        guard let time = Self.currentTime(connection) else {
            throw .noClipboard("the X server does not respond")
        }
        self.time = time
        connection.own(selection, from: time)
        guard connection.owner(of: selection) == connection.window else {
            throw .unserved("another program acquired the clipboard at the same time")
        }
    }

    /// Returns the server's time. The owner of a selection must specify it. This allows programs to agree on the latest
    /// owner.
    private static func currentTime(_ connection: XConnection) -> UInt32? {
        connection.touch(connection.atom("CHEMOPEN_TIME"))
        let end = monotonicMilliseconds() + Bounds.idleMilliseconds
        while monotonicMilliseconds() < end, !connection.isBroken {
            connection.flush()
            while let event = connection.nextEvent() {
                if case .propertyChanged(connection.window, _, false, let time) = event { return time }
            }
            _ = waitForAny(of: [Watched(descriptor: connection.descriptor)], milliseconds: 100)
        }
        return nil
    }

    /// Serves requests until a byte arrives on the descriptor `ending`.
    mutating func run(until ending: Int32) {
        // Wait for a reply of the server before exiting, because the server discards unread requests of disconnected
        // clients.
        defer { _ = connection.owner(of: selection) }
        while isOwner || !transfers.isEmpty, !connection.isBroken {
            connection.flush()
            var isIdle = true
            while let event = connection.nextEvent() {
                isIdle = false
                if handle(event) { return }
            }
            giveUpIdle()
            guard isIdle else { continue }
            if let handingOver, monotonicMilliseconds() > handingOver { return }
            let isTimed = !transfers.isEmpty || handingOver != nil
            let ready = waitForAny(
                of: [Watched(descriptor: connection.descriptor), Watched(descriptor: ending)],
                milliseconds: isTimed ? 500 : -1)
            if ready.contains(1) {
                _ = readSome(ending)
                if handingOver != nil || !handOver() { return }
            }
        }
    }

    /// Handles an event. Returns whether the program can exit.
    private mutating func handle(_ event: XEvent) -> Bool {
        switch event {
        case .requested(let request): answer(request)
        // The notification for a previous owner may still arrive.
        case .lost(selection, let lostAt) where lostAt == 0 || lostAt &- time < 1 << 31: isOwner = false
        case .propertyChanged(let window, let property, true, _): goOn(window, property)
        case .windowGone(let window): transfers.removeAll { $0.requestor == window }
        case .answered(_, connection.atom("SAVE_TARGETS"), _): return handingOver != nil
        default: break
        }
        return false
    }

    // MARK: Answers

    private mutating func answer(_ request: XRequest) {
        let property = request.property == 0 ? request.target : request.property
        let isTimely = request.time == 0 || request.time &- time < 1 << 31
        guard isOwner, isTimely, request.selection == selection else { return connection.answer(request, in: 0) }
        let isAnswered =
            request.target == connection.atom("MULTIPLE")
            ? request.property != 0 && answerAll(request)
            : put(request.target, into: property, of: request.requestor)
        connection.answer(request, in: isAnswered ? property : 0)
    }

    /// Replies to a MULTIPLE request, a property with pairs of target and property atoms.
    private mutating func answerAll(_ request: XRequest) -> Bool {
        let most = 8 * Bounds.names
        guard let list = connection.property(request.property, of: request.requestor, from: 0, bytes: most),
            list.format == 32, list.left == 0
        else { return false }
        var words = list.words
        for place in stride(from: 0, to: words.count - 1, by: 2) {
            let isMultiple = words[place] == connection.atom("MULTIPLE")
            if isMultiple || words[place + 1] == 0 || !put(words[place], into: words[place + 1], of: request.requestor)
            {
                words[place + 1] = 0
            }
        }
        connection.put(words, into: request.property, of: request.requestor, type: connection.atom("ATOM_PAIR"))
        return true
    }

    /// Stores a content in a property, or announces one that is sent in chunks.
    private mutating func put(_ target: XAtom, into property: XAtom, of window: XWindow) -> Bool {
        switch target {
        case connection.atom("TARGETS"):
            let rules = ["TARGETS", "TIMESTAMP", "MULTIPLE", "SAVE_TARGETS"]
            let words = (offer.names + rules).map { connection.atom($0) }
            connection.put(words, into: property, of: window, type: XConnection.atomOfAtom)
        case connection.atom("TIMESTAMP"):
            connection.put([time], into: property, of: window, type: XConnection.atomOfInteger)
        case connection.atom("SAVE_TARGETS"):
            connection.put([UInt32](), into: property, of: window, type: connection.atom("NULL"))
        default:
            guard let name = names[target], let bytes = offer.bytes(name) else { return false }
            // For TEXT the owner chooses the encoding and reports it as the type.
            let type = name == "TEXT" ? connection.atom("UTF8_STRING") : target
            transfers.removeAll { $0.requestor == window && $0.property == property }
            guard bytes.count > connection.largestPiece else {
                connection.put(bytes[...], into: property, of: window, type: type)
                return true
            }
            guard transfers.count < Bounds.transfers else { return false }
            connection.watch(window, true)
            connection.put(
                [UInt32(clamping: bytes.count)], into: property, of: window, type: connection.atom("INCR"))
            transfers.append(
                Transfer(
                    requestor: window, property: property, type: type, bytes: bytes, since: monotonicMilliseconds()))
        }
        return true
    }

    /// Sends the next chunk after the previous one has been read. An empty chunk marks the end.
    private mutating func goOn(_ window: XWindow, _ property: XAtom) {
        guard let place = transfers.firstIndex(where: { $0.requestor == window && $0.property == property }) else {
            return
        }
        let transfer = transfers[place]
        let piece = transfer.bytes[transfer.sent...].prefix(connection.largestPiece)
        connection.put(piece, into: property, of: window, type: transfer.type)
        transfers[place].sent += piece.count
        transfers[place].since = monotonicMilliseconds()
        if piece.isEmpty { end(place) }
    }

    private mutating func end(_ place: Int) {
        let window = transfers.remove(at: place).requestor
        if !transfers.contains(where: { $0.requestor == window }) { connection.watch(window, false) }
    }

    private mutating func giveUpIdle() {
        let now = monotonicMilliseconds()
        for place in transfers.indices.reversed() where now - transfers[place].since > Bounds.idleMilliseconds {
            end(place)
        }
    }

    // MARK: The end

    /// Requests that the clipboard manager, if one is running, store the offer. It then outlives this program.
    private mutating func handOver() -> Bool {
        let manager = connection.atom("CLIPBOARD_MANAGER")
        guard isOwner, selection == connection.atom("CLIPBOARD"), connection.owner(of: manager) != 0 else {
            return false
        }
        let property = connection.atom("CHEMOPEN_TARGETS")
        let words = offer.names.map { connection.atom($0) }
        connection.put(words, into: property, of: connection.window, type: XConnection.atomOfAtom)
        connection.convert(manager, to: connection.atom("SAVE_TARGETS"), into: property, at: time)
        handingOver = monotonicMilliseconds() + Bounds.idleMilliseconds
        return true
    }
}
