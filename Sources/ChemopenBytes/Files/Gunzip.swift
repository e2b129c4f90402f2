/// Unpacks one gzip stream, member by member: by ISA-L where the machine has it, else by zlib.
struct Gunzip: ~Copyable, Sendable {
    enum Outcome {
        /// There is more to come, given more input or more room.
        case goesOn
        /// The member is complete and its checksum agrees.
        case endOfMember
        /// The bytes that follow make no sense.
        case damaged
    }

    private var fast: FastInflate?
    private var plain: Inflate?

    /// Nil when there is no memory for it.
    init?(isFast: Bool = true) {
        fast = isFast ? FastInflate() : nil
        plain = fast == nil ? Inflate() : nil
        if fast == nil, plain == nil { return nil }
    }

    /// Takes input from `position` on and appends what comes of it, as long as there is both input and room.
    mutating func unpack(
        _ input: Span<UInt8>, from position: inout Int, into output: inout OutputSpan<UInt8>
    ) -> Outcome {
        fast?.unpack(input, from: &position, into: &output) ?? plain?.unpack(input, from: &position, into: &output)
            ?? .damaged
    }

    /// Makes ready for the next member.
    mutating func startMember() {
        fast?.startMember()
        plain?.startMember()
    }
}
