import CZlib

// This is the only file that calls zlib. Streams are allocated on the heap because zlib stores their address.
//
// Both stream types can be sent to another thread because they cannot be copied: each is the only owner of its stream,
// and zlib does not bind streams to threads. The compiler cannot infer this for pointers.

/// Returns the cyclic redundancy check (CRC-32) of gzip and PNG.
package func cyclicChecksum(of bytes: Span<UInt8>) -> UInt32 {
    unsafe bytes.withUnsafeBufferPointer { buffer in
        unsafe UInt32(truncatingIfNeeded: crc32_z(0, buffer.baseAddress, buffer.count))
    }
}

/// Returns the Adler-32 checksum, which ends zlib's own format.
package func adlerChecksum(of bytes: Span<UInt8>) -> UInt32 {
    unsafe bytes.withUnsafeBufferPointer { buffer in
        unsafe UInt32(truncatingIfNeeded: adler32_z(1, buffer.baseAddress, buffer.count))
    }
}

/// Decompresses a gzip stream member by member.
@safe
struct Inflate: ~Copyable, @unchecked Sendable {
    private let stream: UnsafeMutablePointer<z_stream>

    /// Returns `nil` if there is not enough memory.
    init?() {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let gzipOnly: Int32 = 15 + 16
        guard unsafe inflateInit2_(stream, gzipOnly, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            return nil
        }
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Reads input from `position` on and appends decompressed bytes until the input or the space for output is
    /// exhausted.
    mutating func unpack(
        _ input: Span<UInt8>, from position: inout Int, into output: inout OutputSpan<UInt8>
    ) -> Gunzip.Outcome {
        let status = unsafe stream.turn(input, from: &position, into: &output) { unsafe inflate($0, Z_NO_FLUSH) }
        switch status {
        case Z_OK, Z_BUF_ERROR: return .goesOn
        case Z_STREAM_END: return .endOfMember
        default: return .damaged
        }
    }

    /// Prepares for the next member.
    mutating func startMember() {
        unsafe inflateReset(stream)
    }
}

/// Compresses bytes into one gzip member.
@safe
struct Deflate: ~Copyable, @unchecked Sendable {
    private let stream: UnsafeMutablePointer<z_stream>

    /// Returns `nil` if there is not enough memory. The level is from 1 (fast) to 9 (small).
    init?(level: Int32 = 6) {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let gzip: Int32 = 15 + 16
        let memoryLevel: Int32 = 8
        let status = unsafe deflateInit2_(
            stream, level, Z_DEFLATED, gzip, memoryLevel, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { return nil }
    }

    deinit {
        unsafe deflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Reads input from `position` on and appends compressed bytes until the space for output is exhausted. If
    /// `isLast`, the member ends after the input. Returns `true` if more space is needed for pending output.
    mutating func pack(
        _ input: Span<UInt8>, from position: inout Int, isLast: Bool, into output: inout OutputSpan<UInt8>
    ) -> Bool {
        let isWhole = input.count - position <= Int(UInt32.max)
        let status = unsafe stream.turn(input, from: &position, into: &output) {
            unsafe deflate($0, isLast && isWhole ? Z_FINISH : Z_NO_FLUSH)
        }
        return isLast ? status != Z_STREAM_END : position < input.count
    }
}

/// Compresses bytes into one gzip member.
///
/// - Parameter level: from 1 (fast) to 9 (small).
/// - Returns: the member, or `nil` if there is not enough memory.
package func gzipped(_ bytes: [UInt8], level: Int = 6) -> [UInt8]? {
    guard var deflate = Deflate(level: Int32(min(max(level, 1), 9))) else { return nil }
    var packed: [UInt8] = []
    var position = 0
    var needsMore = true
    while needsMore {
        let before = (position, packed.count)
        packed.append(addingCapacity: 1 << 16) { output in
            needsMore = deflate.pack(bytes.span, from: &position, isLast: true, into: &output)
        }
        if needsMore, before == (position, packed.count) { return nil }
    }
    return packed
}

extension UnsafeMutablePointer<z_stream> {
    /// Calls zlib once with the input from `position` on and the free space, each limited to the 32 bits of its
    /// counters.
    fileprivate func turn(
        _ input: Span<UInt8>, from position: inout Int, into output: inout OutputSpan<UInt8>, _ work: (Self) -> Int32
    ) -> Int32 {
        unsafe turnOnce(input, from: &position, into: &output) { rest, free in
            unsafe pointee.next_in = UnsafeMutablePointer<UInt8>(mutating: rest.baseAddress)
            unsafe pointee.avail_in = UInt32(clamping: rest.count)
            unsafe pointee.next_out = free.baseAddress
            unsafe pointee.avail_out = UInt32(clamping: free.count)
            let status = unsafe work(self)
            return unsafe (status, pointee.avail_in, pointee.avail_out)
        }
    }
}

/// Calls a library once with the input from `position` on and the free space, each limited to 32 bits.
///
/// - Parameter work: returns its status and the unused amounts of input and space.
func turnOnce(
    _ input: Span<UInt8>, from position: inout Int, into output: inout OutputSpan<UInt8>,
    _ work: (UnsafeBufferPointer<UInt8>, UnsafeMutableBufferPointer<UInt8>) -> (
        status: Int32, inputLeft: UInt32, roomLeft: UInt32
    )
) -> Int32 {
    let start = position
    let (status, taken) = unsafe input.withUnsafeBufferPointer { source -> (Int32, Int) in
        let rest = unsafe UnsafeBufferPointer(rebasing: source[start...])
        return unsafe output.withUnsafeMutableBufferPointer { target, count in
            let free = unsafe UnsafeMutableBufferPointer(rebasing: target[count...])
            let (status, inputLeft, roomLeft) = unsafe work(rest, free)
            count += min(free.count, Int(UInt32.max)) - Int(roomLeft)
            return (status, min(rest.count, Int(UInt32.max)) - Int(inputLeft))
        }
    }
    position += taken
    return status
}
