/// Where the bytes of a source come from, unpacked on the way when they are gzip.
struct ByteFeed: ~Copyable, Sendable {
    /// Unpacks what the origin brings; nil when the bytes are read as they are.
    private var gunzip: Gunzip?
    private var origin: Origin
    /// Bytes taken from the origin; those from `position` on have not been handed on.
    private var taken: [UInt8] = []
    private var position = 0
    private var progress = Progress.going
    private(set) var bytesRead = 0
    /// Converts the text to UTF-8.
    private var decoder: TextDecoder?

    private enum Progress {
        /// In the midst of plain bytes or of a gzip member.
        case going
        /// Behind a whole gzip member, before another one or the end.
        case betweenMembers
        case damaged
        case ended
    }

    private static let packedBlockSize = 16 * 1024

    private init(_ origin: consuming Origin) {
        self.origin = origin
        gunzip = nil
    }

    /// Takes the bytes as they are, whatever the first ones look like.
    init(plain origin: consuming Origin) {
        self.init(origin)
    }

    /// Looks at the first bytes to tell whether they are gzip.
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

    /// Begins anew with the first byte of the file.
    mutating func rewind() throws(FileError) {
        try origin.rewind()
        gunzip = nil
        (taken, position, progress, bytesRead) = ([], 0, .going, 0)
        decoder?.rewind()
        try lookAtStart()
    }

    var isCompressed: Bool { gunzip != nil }

    /// Converts from an encoding what follows some bytes, and these.
    mutating func decode(from encoding: CharacterEncoding, after bytes: [UInt8]) throws(FileError) {
        guard let decoder = TextDecoder(encoding, after: bytes) else { throw FileError(origin.name, .noMemory) }
        self.decoder = consume decoder
    }

    /// Appends up to `count` bytes; false when nothing more comes.
    ///
    /// Damaged gzip data yields what could be unpacked, then the error, then the end; so does text that is not what it is
    /// said to be.
    mutating func read(upTo count: Int, into buffer: inout [UInt8]) throws(FileError) -> Bool {
        // The decoder calls for the bytes of this feed, which it would be part of.
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

    /// Appends bytes as they are, unpacked.
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

    /// Zeros or other bytes behind the last member are padding, as gzip(1) has it.
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

    /// Brings bytes in behind those that are still to be handed on; false at the end.
    private mutating func takeMore(upTo count: Int) throws(FileError) -> Bool {
        taken.removeSubrange(..<position)
        position = 0
        let added = try origin.read(upTo: count, into: &taken)
        bytesRead += added
        return added > 0
    }
}

extension ByteFeed {
    /// A file, a pipe, an array or a function, read from front to back.
    struct Origin: ~Copyable, Sendable {
        let name: LocalPath
        private let file: FileDescriptor?
        private let bytes: [UInt8]
        private let bring: (@Sendable (inout OutputSpan<UInt8>) throws(FileError) -> Void)?
        private var position = 0

        init(_ file: consuming FileDescriptor) {
            name = file.name
            self.file = consume file
            bytes = []
            bring = nil
        }

        init(name: LocalPath, _ bring: @escaping @Sendable (inout OutputSpan<UInt8>) throws(FileError) -> Void) {
            self.name = name
            file = nil
            bytes = []
            self.bring = bring
        }

        init(_ bytes: [UInt8], name: LocalPath) {
            self.name = name
            file = nil
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

        /// Appends up to `count` bytes and says how many; none is the end.
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
            return try Self.read(file, upTo: count, into: &buffer)
        }

        private static func read(
            _ file: borrowing FileDescriptor?, upTo count: Int, into buffer: inout [UInt8]
        ) throws(FileError) -> Int {
            var added = 0
            try buffer.append(addingCapacity: count) { (output: inout OutputSpan<UInt8>) throws(FileError) in
                added = try file?.read(into: &output) ?? 0
            }
            return added
        }
    }
}
