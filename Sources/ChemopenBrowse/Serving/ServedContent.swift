import Chemopen

/// A file of a collection, or an entity as a file, for programs that download it.
public struct ServedContent: Sendable {
    /// The target of an address.
    public enum Place: Sendable, Hashable {
        /// A file, by its path in the served directory.
        case file(String)
        /// A file, record or part, by its `PERM_ID`.
        case entity(String)

        /// Parses the path of an address: `/file/NAME` or `/entity/PERM_ID`.
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

    /// The bytes, in memory or in an open file.
    public enum Bytes: Sendable {
        /// Bytes in memory.
        case memory([UInt8])
        /// The bytes of an open file, read by range. `read` returns `nil` if the file has changed since it was opened.
        case file(size: Int, read: @Sendable (Range<Int>) -> [UInt8]?)

        /// The number of bytes.
        public var count: Int {
            switch self {
            case .memory(let bytes): bytes.count
            case .file(let size, _): size
            }
        }
    }

    /// The content.
    public let bytes: Bytes
    /// The MIME type.
    public let mimeType: String
    /// An entity tag for the header `ETag`. It changes if the bytes change.
    public let tag: String
    /// Objects that stay alive while bytes are sent: the open file and the reader's slot.
    private let held: [any Sendable]

    /// Creates the content of a file, without decompressing it.
    init?(_ file: BrowsedFile, _ turn: LoadTurn) {
        guard let content = file.view.content else { return nil }
        let place = content.place
        bytes = .file(size: place.size) { content.unchangedBytes($0) }
        mimeType = place.isPacked ? "application/gzip" : content.format.mimeTypes.first ?? "application/octet-stream"
        tag = "\"\(file.stateName)\""
        held = [content, turn]
    }

    /// Creates a file from a record or part, in the format of its own file if that can represent it.
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

/// A reader's slot, which is released when the last reference disappears.
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
    /// Returns the URL paths of the files that a reader can see.
    public func paths(for reader: Reader) -> [String] { service.seen(by: reader).files.map(\.servedPath) }

    /// The result of a download request.
    public enum Fetched: Sendable {
        /// The content is available.
        case content(ServedContent)
        /// The address does not exist.
        case missing
        /// There are too many requests. The client should retry after some seconds.
        case later(seconds: Int)
    }

    /// Returns the content for an address. While bytes are sent, this counts as a running request of the reader.
    ///
    /// - Returns: the content, or the reason why it is not available.
    public func content(at place: ServedContent.Place, for reader: Reader) -> Fetched {
        switch load.admit(reader.name, cost: 3, at: monotonicNanoseconds()) {
        case .refused(let seconds): return .later(seconds: seconds)
        case .admitted(let wait): sleepMilliseconds(wait)
        }
        let turn = LoadTurn(of: reader.name, in: load)
        let service = service.seen(by: reader)
        func whole(_ file: BrowsedFile?) -> Fetched {
            file.flatMap { ServedContent($0, turn) }.map { .content($0) } ?? .missing
        }
        switch place {
        case .file(let name): return whole(service.files.first { $0.name == name })
        case .entity(let text):
            guard let id = EntityID(text: text) else { return .missing }
            if !id.isRecord { return whole(service.knownFile(id)) }
            if case .later = service.locate(id, isPatient: false) { return .later(seconds: 1) }
            let found = load.working { service.find(id).flatMap { ServedContent($0, turn) } }
            guard let found else { return .later(seconds: 1) }
            return found.map { .content($0) } ?? .missing
        }
    }
}
