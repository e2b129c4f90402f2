/// The bytes of a file, a pipe or memory in order, decompressed if they are gzip and converted to UTF-8 if required.
struct ByteFeed: ~Copyable, Sendable {
    /// The decompressor, or `nil` if the bytes are read unchanged.
    private var gunzip: Gunzip?
    private var origin: Origin
    /// Bytes that were read from the origin. The bytes from `position` on have not been delivered yet.
    private var taken: [UInt8] = []
    private var position = 0
    private var progress = Progress.going
    private(set) var bytesRead = 0
    /// The converter to UTF-8.
    private var decoder: TextDecoder?

    private enum Progress {
        /// The position is within plain bytes or a gzip member.
        case going
        /// The position is after a complete gzip member: the next member or the end follows.
        case betweenMembers
        case damaged
        case ended
    }

    private static let packedBlockSize = 16 * 1024

    private init(_ origin: consuming Origin) {
        self.origin = origin
        gunzip = nil
    }

    /// Reads the bytes unchanged, even if they look like gzip.
    init(plain origin: consuming Origin) {
        self.init(origin)
    }

    /// Returns a feed that decompresses the bytes if the first two identify them as gzip.
    static func begin(_ origin: consuming Origin) throws(FileError) -> ByteFeed {
        var feed = ByteFeed(origin)
        try feed.lookAtStart()
        return feed
    }

    private mutating func lookAtStart() throws(FileError) {
        while taken.count < 2, try takeMore(upTo: 4096) {}
        guard startsMember() else { return }
        gunzip = Gunzip()
        guard isCompressed else { throw FileError(origin.name, .noMemory) }
    }

    /// Starts again at the first byte of the file.
    mutating func rewind() throws(FileError) {
        try origin.rewind()
        gunzip = nil
        (taken, position, progress, bytesRead) = ([], 0, .going, 0)
        decoder?.rewind()
        try lookAtStart()
    }

    var isCompressed: Bool { gunzip != nil }

    /// Converts the following text to UTF-8, starting with bytes that were already delivered.
    mutating func decode(from encoding: CharacterEncoding, after bytes: [UInt8]) throws(FileError) {
        guard let decoder = TextDecoder(encoding, after: bytes) else { throw FileError(origin.name, .noMemory) }
        self.decoder = consume decoder
    }

    /// Appends up to `count` bytes.
    ///
    /// Damaged gzip data yields the bytes that could be decompressed, then the error, then the end. The same applies to
    /// text that is invalid in its encoding.
    ///
    /// - Returns: `false` at the end.
    mutating func read(upTo count: Int, into buffer: inout [UInt8]) throws(FileError) -> Bool {
        // The decoder calls this feed again, so it must not be part of the feed during the call.
        guard var decoder = decoder.take() else { return try bring(upTo: count, into: &buffer) }
        do throws(FileError) {
            let isRead = try decoder.read(upTo: count, into: &buffer, of: origin.name) {
                (count, bytes) throws(FileError) in try bring(upTo: count, into: &bytes)
            }
            self.decoder = consume decoder
            return isRead
        } catch {
            self.decoder = consume decoder
            throw error
        }
    }

    /// Appends decompressed but unconverted bytes.
    private mutating func bring(upTo count: Int, into buffer: inout [UInt8]) throws(FileError) -> Bool {
        isCompressed ? try unpack(upTo: count, into: &buffer) : try copy(upTo: count, into: &buffer)
    }

    private mutating func copy(upTo count: Int, into buffer: inout [UInt8]) throws(FileError) -> Bool {
        if position < taken.count {
            let end = min(taken.count, position + count)
            buffer.append(contentsOf: taken[position..<end])
            position = end
            if end == taken.count { (taken, position) = ([], 0) }
            return true
        }
        let added = try origin.read(upTo: count, into: &buffer)
        bytesRead += added
        return added > 0
    }

    private mutating func unpack(upTo count: Int, into buffer: inout [UInt8]) throws(FileError) -> Bool {
        let before = buffer.count
        while buffer.count == before {
            if position == taken.count || (progress == .betweenMembers && taken.count - position < 2) {
                if progress == .ended { return false }
                if progress != .damaged, try !takeMore(upTo: Self.packedBlockSize) {
                    progress = progress == .betweenMembers ? .ended : .damaged
                }
            }
            switch progress {
            case .going: inflate(upTo: count, into: &buffer)
            case .betweenMembers: startNextMember()
            case .ended: return false
            case .damaged:
                progress = .ended
                position = taken.count
                throw FileError(origin.name, .damagedGzip)
            }
        }
        return true
    }

    private mutating func inflate(upTo count: Int, into buffer: inout [UInt8]) {
        let outcome = Self.inflate(&gunzip, taken, from: &position, upTo: count, into: &buffer)
        switch outcome {
        case .goesOn: break
        case .endOfMember: progress = .betweenMembers
        case .damaged: progress = .damaged
        }
    }

    private static func inflate(
        _ gunzip: inout Gunzip?, _ input: [UInt8], from position: inout Int, upTo count: Int, into buffer: inout [UInt8]
    ) -> Gunzip.Outcome {
        var outcome = Gunzip.Outcome.damaged
        buffer.append(addingCapacity: count) { output in
            outcome = gunzip?.unpack(input.span, from: &position, into: &output) ?? .damaged
        }
        return outcome
    }

    /// Starts the next gzip member. Zeros or other bytes after the last member are padding, as in gzip(1).
    private mutating func startNextMember() {
        guard taken.count - position >= 2 else { return }
        if startsMember() {
            gunzip?.startMember()
            progress = .going
        } else {
            position = taken.count
            progress = .ended
        }
    }

    private func startsMember() -> Bool {
        taken.count - position >= 2 && taken[position] == 0x1f && taken[position + 1] == 0x8b
    }

    /// Reads more bytes after those that have not been delivered yet. Returns `false` at the end.
    private mutating func takeMore(upTo count: Int) throws(FileError) -> Bool {
        taken.removeSubrange(..<position)
        position = 0
        let added = try origin.read(upTo: count, into: &taken)
        bytesRead += added
        return added > 0
    }
}

extension ByteFeed {
    /// A file, a pipe, an array or a function that is read sequentially.
    struct Origin: ~Copyable, Sendable {
        let name: LocalPath
        private let file: FileDescriptor?
        /// The state of the file when it was opened.
        private let opened: FileStatus?
        private let bytes: [UInt8]
        private let bring: (@Sendable (inout OutputSpan<UInt8>) throws(FileError) -> Void)?
        private var position = 0

        /// - Parameter opened: the state of the file when it was opened.
        init(_ file: consuming FileDescriptor, _ opened: FileStatus?) {
            name = file.name
            self.opened = opened
            self.file = consume file
            bytes = []
            bring = nil
        }

        init(name: LocalPath, _ bring: @escaping @Sendable (inout OutputSpan<UInt8>) throws(FileError) -> Void) {
            self.name = name
            file = nil
            opened = nil
            bytes = []
            self.bring = bring
        }

        init(_ bytes: [UInt8], name: LocalPath) {
            self.name = name
            file = nil
            opened = nil
            self.bytes = bytes
            bring = nil
        }

        mutating func rewind() throws(FileError) {
            position = 0
            try Self.rewind(file)
        }

        private static func rewind(_ file: borrowing FileDescriptor?) throws(FileError) {
            try file?.rewind()
        }

        /// Appends up to `count` bytes and returns their number, which is 0 at the end.
        mutating func read(upTo count: Int, into buffer: inout [UInt8]) throws(FileError) -> Int {
            if let bring {
                let before = buffer.count
                try buffer.append(addingCapacity: count) { (output: inout OutputSpan<UInt8>) throws(FileError) in
                    try bring(&output)
                }
                return buffer.count - before
            }
            guard file != nil else {
                let end = position + min(count, bytes.count - position)
                buffer.append(contentsOf: bytes[position..<end])
                defer { position = end }
                return end - position
            }
            return try Self.read(file, opened, upTo: count, into: &buffer)
        }

        private static func read(
            _ file: borrowing FileDescriptor?, _ opened: FileStatus?, upTo count: Int, into buffer: inout [UInt8]
        ) throws(FileError) -> Int {
            var added = 0
            try buffer.append(addingCapacity: count) { (output: inout OutputSpan<UInt8>) throws(FileError) in
                added = try file?.read(into: &output) ?? 0
            }
            if added == 0, count > 0, let opened { try file?.checkUnchanged(since: opened) }
            return added
        }
    }
}
