import ChemopenBytes

/// The contents of a clipboard. Each can be requested under several names.
struct Offer {
    struct Content {
        let names: [String]
        let bytes: [UInt8]
    }

    private(set) var contents: [Content] = []
    private var places: [String: Int] = [:]

    /// Parses an offer. Each content follows a line with its length and names, separated by tabs. Returns `nil` if the
    /// offer is truncated, malformed or empty.
    init?(_ text: [UInt8]) {
        var rest = text[...]
        while !rest.isEmpty {
            guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            let words = rest[..<end].split(separator: UInt8(ascii: "\t")).map { String(decoding: $0, as: UTF8.self) }
            rest = rest[(end + 1)...]
            guard words.count > 1, let length = Int(words[0]), length >= 0, length <= rest.count else { return nil }
            add(Content(names: Array(words.dropFirst()), bytes: Array(rest.prefix(length))))
            rest = rest.dropFirst(length)
        }
        if contents.isEmpty { return nil }
    }

    private mutating func add(_ content: Content) {
        let names = content.names.filter { places[$0] == nil }
        guard !names.isEmpty else { return }
        for name in names { places[name] = contents.count }
        contents.append(Content(names: names, bytes: content.bytes))
    }

    /// All names, in order.
    var names: [String] { contents.flatMap(\.names) }

    /// Returns the content for a name.
    func bytes(_ name: String) -> [UInt8]? {
        places[name].map { contents[$0].bytes }
    }
}

/// Limits for the data exchanged with unknown programs.
enum Bounds {
    /// The maximum number of names of an offer, and the maximum length of a name.
    static let names = 1024
    static let nameLength = 1024
    /// The maximum number of simultaneous transfers.
    static let transfers = 256
    /// The time without progress after which a transfer is aborted.
    static let idleMilliseconds = 10_000
    /// The maximum duration of a transfer.
    static let wholeMilliseconds = 60_000
    /// The maximum size of a content in bytes.
    static let bytes = 256 << 20
}

/// The reason why an operation failed.
enum ClipFailure: Error {
    /// There is no clipboard, neither of X11 nor of Wayland.
    case noClipboard(String)
    /// The clipboard is empty or does not offer the requested type.
    case nothing(String)
    /// The program that offers the content violates the protocol or is too slow.
    case unserved(String)
}

/// The requesting programs and the data still to be written to each.
///
/// A pipe that is read slowly, or not at all, does not delay the others.
struct PipeTransfers {
    private struct Transfer {
        let descriptor: Int32
        let bytes: [UInt8]
        var sent = 0
        var since: Int
    }

    private var list: [Transfer] = []

    var isEmpty: Bool { list.isEmpty }
    var watched: [Watched] { list.map { Watched(descriptor: $0.descriptor, isForWriting: true) } }

    /// Starts a transfer. If there are too many, aborts the one that has waited longest.
    mutating func add(_ bytes: [UInt8], to descriptor: Int32) {
        neverWait(for: descriptor)
        if list.count >= Bounds.transfers, let oldest = list.indices.min(by: { list[$0].since < list[$1].since }) {
            closeFile(list.remove(at: oldest).descriptor)
        }
        list.append(Transfer(descriptor: descriptor, bytes: bytes, since: monotonicMilliseconds()))
        advance([list.count - 1])
    }

    /// Continues the transfers that are ready.
    ///
    /// - Parameter ready: indices into `watched`.
    mutating func advance(_ ready: Set<Int>) {
        for place in ready.sorted(by: >) where list.indices.contains(place) {
            let transfer = list[place]
            let count = writeSome(transfer.bytes[transfer.sent...].prefix(1 << 20), to: transfer.descriptor)
            if let count {
                list[place].sent += count
                list[place].since = monotonicMilliseconds()
            }
            if count == nil || list[place].sent == transfer.bytes.count {
                closeFile(transfer.descriptor)
                list.remove(at: place)
            }
        }
    }

    /// Aborts transfers without recent progress.
    mutating func giveUpIdle() {
        let now = monotonicMilliseconds()
        for place in list.indices.reversed() where now - list[place].since > Bounds.idleMilliseconds {
            closeFile(list[place].descriptor)
            list.remove(at: place)
        }
    }
}
