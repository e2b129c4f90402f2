import CISAL
import Glibc

// This is the only file that calls ISA-L, Intel's library that decompresses gzip three times as fast as zlib. The
// library is loaded for the first gzip file, so programs start without it.

/// Decompresses a gzip stream member by member, fast, and verifies the checksum of each member.
@safe
struct FastInflate: ~Copyable, @unchecked Sendable {
    private typealias Work = @convention(c) (UnsafeMutablePointer<inflate_state>) -> Int32

    @safe
    private struct Library: Sendable {
        let start: @convention(c) (UnsafeMutablePointer<inflate_state>) -> Void
        let again: @convention(c) (UnsafeMutablePointer<inflate_state>) -> Void
        let inflate: Work

        /// Returns `nil` if the library is missing or too old.
        init?() {
            guard chemopen_isal_is_known() != 0, let library = unsafe dlopen("libisal.so.2", RTLD_NOW | RTLD_LOCAL),
                let start = unsafe dlsym(library, "isal_inflate_init"),
                let again = unsafe dlsym(library, "isal_inflate_reset"),
                let inflate = unsafe dlsym(library, "isal_inflate")
            else { return nil }
            typealias Prepare = @convention(c) (UnsafeMutablePointer<inflate_state>) -> Void
            unsafe self.start = unsafe unsafeBitCast(start, to: Prepare.self)
            unsafe self.again = unsafe unsafeBitCast(again, to: Prepare.self)
            unsafe self.inflate = unsafe unsafeBitCast(inflate, to: Work.self)
        }
    }

    private static let library = Library()

    private let library: Library
    // Allocated separately, because the library stores pointers into it.
    private let state: UnsafeMutablePointer<inflate_state>

    /// Returns `nil` if the library is missing.
    init?() {
        guard let library = Self.library else { return nil }
        self.library = library
        unsafe state = .allocate(capacity: 1)
        // If the input is damaged, the library may read uninitialized fields.
        unsafe state.initialize(to: inflate_state())
        unsafe library.start(state)
        unsafe state.pointee.crc_flag = UInt32(ISAL_GZIP)
    }

    deinit {
        unsafe state.deallocate()
    }

    /// Reads input from `position` on and appends decompressed bytes until the input or the space for output is
    /// exhausted.
    mutating func unpack(
        _ input: Span<UInt8>, from position: inout Int, into output: inout OutputSpan<UInt8>
    ) -> Gunzip.Outcome {
        let status = unsafe turnOnce(input, from: &position, into: &output) { rest, free in
            unsafe state.pointee.next_in = UnsafeMutablePointer<UInt8>(mutating: rest.baseAddress)
            unsafe state.pointee.avail_in = UInt32(clamping: rest.count)
            unsafe state.pointee.next_out = free.baseAddress
            unsafe state.pointee.avail_out = UInt32(clamping: free.count)
            let status = unsafe library.inflate(state)
            return unsafe (status, state.pointee.avail_in, state.pointee.avail_out)
        }
        if status < 0 { return .damaged }
        return unsafe state.pointee.block_state == ISAL_BLOCK_FINISH ? .endOfMember : .goesOn
    }

    /// Prepares for the next member.
    mutating func startMember() {
        unsafe library.again(state)
        unsafe state.pointee.crc_flag = UInt32(ISAL_GZIP)
    }
}
