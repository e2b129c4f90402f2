import ChemopenBytes

/// The contents of a clipboard, each under the names that other programs ask for it by.
struct Offer {
    struct Content {
        let names: [String]
        let bytes: [UInt8]
    }

    private(set) var contents: [Content] = []
    private var places: [String: Int] = [:]

    /// Reads an offer: before each content a line with its length and its names, with tabs between them. `nil` where it ends
    /// before it should, or says nothing.
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

    /// All names, in their order.
    var names: [String] { contents.flatMap(\.names) }

    /// The content behind a name.
    func bytes(_ name: String) -> [UInt8]? {
        places[name].map { contents[$0].bytes }
    }
}

/// The bounds of what is taken from, and given to, programs that nobody knows.
enum Bounds {
    /// So many names are listed of an offer, and none that is longer.
    static let names = 1024
    static let nameLength = 1024
    /// So many programs are served at a time.
    static let transfers = 256
    /// A program that takes or gives nothing for so long is given up.
    static let idleMilliseconds = 10_000
    /// The longest that all of one content may take to come.
    static let wholeMilliseconds = 60_000
    /// The most bytes that are taken.
    static let bytes = 256 << 20
}

/// Why nothing came of it.
enum ClipFailure: Error {
    /// There is no clipboard: neither of X11 nor of Wayland.
    case noClipboard(String)
    /// The clipboard is empty, or does not have the type that was asked for.
    case nothing(String)
    /// Whoever offers does not keep to the rules, or takes too long.
    case unserved(String)
}

/// Those who have asked, and what is left to be written to each.
///
/// A pipe that is read slowly, or never, keeps only its own place.
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

    /// Begins to write; where there are too many, the one that has waited longest is given up.
    mutating func add(_ bytes: [UInt8], to descriptor: Int32) {
        neverWait(for: descriptor)
        if list.count >= Bounds.transfers, let oldest = list.indices.min(by: { list[$0].since < list[$1].since }) {
            closeFile(list.remove(at: oldest).descriptor)
        }
        list.append(Transfer(descriptor: descriptor, bytes: bytes, since: monotonicMilliseconds()))
        advance([list.count - 1])
    }

    /// Writes to those that are ready, by their places in `watched`.
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

    /// Gives up those that have taken nothing for a while.
    mutating func giveUpIdle() {
        let now = monotonicMilliseconds()
        for place in list.indices.reversed() where now - list[place].since > Bounds.idleMilliseconds {
            closeFile(list[place].descriptor)
            list.remove(at: place)
        }
    }
}
