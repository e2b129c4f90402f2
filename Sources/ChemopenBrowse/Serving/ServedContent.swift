import Chemopen

/// A file of a collection, or an entity of it as a file, for programs that fetch it by its address.
public struct ServedContent: Sendable {
    /// The place that an address names.
    public enum Place: Sendable, Hashable {
        /// A file, by its path in the folder that is served.
        case file(String)
        /// A file, a record or a part, by its `PERM_ID`.
        case entity(String)

        /// The place that the path of an address means: `/file/NAME` or `/entity/PERM_ID`.
        public init?(path: String) {
            if path.hasPrefix("/file/") {
                self = .file(String(path.dropFirst(6)))
            } else if path.hasPrefix("/entity/") {
                self = .entity(String(path.dropFirst(8)))
            } else {
                return nil
            }
        }
    }

    /// The bytes, or the open file that has them.
    public enum Bytes: Sendable {
        /// Bytes in memory.
        case memory([UInt8])
        /// The bytes of an open file, range by range; `nil` once it is another than it was when it was opened.
        case file(size: Int, read: @Sendable (Range<Int>) -> [UInt8]?)

        /// How many there are.
        public var count: Int {
            switch self {
            case .memory(let bytes): bytes.count
            case .file(let size, _): size
            }
        }
    }

    /// The content.
    public let bytes: Bytes
    /// Its type.
    public let mimeType: String
    /// Names the bytes as an `ETag` does: other bytes have another one.
    public let tag: String
    /// Keeps the file open, and the reader's turn taken, as long as bytes are sent.
    private let held: [any Sendable]

    /// A file of a collection as it lies there, packed where it is packed.
    init?(_ file: BrowsedFile, _ turn: LoadTurn) {
        guard let content = file.view.content else { return nil }
        let place = content.place
        bytes = .file(size: place.size) { content.unchangedBytes($0) }
        mimeType = place.isPacked ? "application/gzip" : content.format.mimeTypes.first ?? "application/octet-stream"
        tag = "\"\(file.stateName)\""
        held = [content, turn]
    }

    /// A record or a part as a file of its own: in the format of its file, where that has a place for it.
    init?(_ entity: Entity, _ turn: LoadTurn) {
        let formats = entity.saveFormats
        guard let own = entity.file.view.content?.format,
            let format = formats.first(where: { $0.id == own.id }) ?? formats.first,
            let saved = try? entity.saved(as: format)
        else { return nil }
        bytes = .memory(saved.bytes)
        mimeType = saved.mimeType
        tag = "\"\(Fingerprint(saved.bytes).text)\""
        held = [turn]
    }
}

/// A reader's turn, which is over when nobody has it any more.
final class LoadTurn: Sendable {
    private let load: Load
    private let reader: String

    init(of reader: String, in load: Load) {
        self.load = load
        self.reader = reader
    }

    deinit { load.leave(reader) }
}

extension SharedAnswers {
    /// Where the files are that are served, as paths of addresses.
    public var paths: [String] { service.files.map(\.servedPath) }

    /// The outcome for a reader who fetches.
    public enum Fetched: Sendable {
        /// The bytes are there to be sent.
        case content(ServedContent)
        /// Nothing is at this place.
        case missing
        /// This reader, or all together, ask too much; after so many seconds it may be asked again.
        case later(seconds: Int)
    }

    /// The content at a place. As long as a reader is sent bytes, that counts as a request of theirs.
    public func content(at place: ServedContent.Place, for reader: String) -> Fetched {
        switch load.admit(reader, cost: 3, at: monotonicNanoseconds()) {
        case .refused(let seconds): return .later(seconds: seconds)
        case .admitted(let wait): sleepMilliseconds(wait)
        }
        let turn = LoadTurn(of: reader, in: load)
        func whole(_ file: BrowsedFile?) -> Fetched {
            file.flatMap { ServedContent($0, turn) }.map { .content($0) } ?? .missing
        }
        switch place {
        case .file(let name): return whole(service.files.first { $0.name == name })
        case .entity(let text):
            guard let id = EntityID(text) else { return .missing }
            let file = service.files.first { $0.id == id.file }
            if id.number == 0 { return whole(file) }
            // The record may not be found yet.
            if let file, !file.view.isComplete, file.view.count < id.number { return .later(seconds: 1) }
            let found = load.working { service.find(id).flatMap { ServedContent($0, turn) } }
            guard let found else { return .later(seconds: 1) }
            return found.map { .content($0) } ?? .missing
        }
    }
}
