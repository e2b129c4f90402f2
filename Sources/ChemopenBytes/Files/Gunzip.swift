/// Decompresses a gzip stream member by member, with ISA-L if it is installed and with zlib otherwise.
struct Gunzip: ~Copyable, Sendable {
    enum Outcome {
        /// The member is incomplete. Provide more input or more space for output.
        case goesOn
        /// The member is complete, and its checksum matches.
        case endOfMember
        /// The next bytes are invalid.
        case damaged
    }

    private var fast: FastInflate?
    private var plain: Inflate?

    /// Returns `nil` if there is not enough memory.
    init?(isFast: Bool = true) {
        fast = isFast ? FastInflate() : nil
        plain = fast == nil ? Inflate() : nil
        if fast == nil, plain == nil { return nil }
    }

    /// Reads input from `position` on and appends decompressed bytes until the input or the space for output is
    /// exhausted.
    mutating func unpack(
        _ input: Span<UInt8>, from position: inout Int, into output: inout OutputSpan<UInt8>
    ) -> Outcome {
        fast?.unpack(input, from: &position, into: &output) ?? plain?.unpack(input, from: &position, into: &output)
            ?? .damaged
    }

    /// Prepares for the next member.
    mutating func startMember() {
        fast?.startMember()
        plain?.startMember()
    }
}
