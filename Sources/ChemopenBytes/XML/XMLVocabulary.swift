/// The names that are expected in files of one kind, created once for all files.
///
///     let vocabulary = XMLVocabulary(["page", "fragment", "n", "b"])
///     var parser = XMLParser(knowing: vocabulary)      // the number of `n` is 2
package struct XMLVocabulary: Sendable {
    package let names: [[UInt8]]
    /// Hash tables for names of up to eight bytes and for longer ones. Collisions use the next free slot.
    private var short: [Slot] = []
    private var long: [LongSlot] = []
    /// The names followed by `=`, prepared for fast comparison.
    private let spellings: [Spelling]

    /// The bytes of a name and of the `=` after it, for comparison in one or two steps: the first eight bytes, masked,
    /// and the last eight if the name is longer than seven.
    private struct Spelling {
        var head: UInt64 = 0
        var mask: UInt64 = 0
        var tail: UInt64 = 0
        /// The length of the name, or 0 if it does not fit.
        var length = 0

        init(_ name: [UInt8]) {
            guard 1...15 ~= name.count else { return }
            length = name.count
            let bytes = name + [Ascii.equals]
            head = Eight.bytes(at: 0, of: bytes.span, to: bytes.count)
            mask = length < 7 ? ~0 &>> UInt64(8 * (7 - length)) : ~0
            if length > 7 { tail = loadWord(bytes.span, at: length - 7) }
        }
    }

    private struct Slot {
        /// The name padded with zeros, or 0 if the slot is free.
        var name: UInt64 = 0
        var number: Int32 = 0
    }

    private struct LongSlot {
        /// The first and the last eight bytes of the name.
        var head: UInt64 = 0
        var tail: UInt64 = 0
        /// The length of the name, or 0 if the slot is free.
        var length = 0
        var number: Int32 = 0
    }

    /// Creates a vocabulary. If a name is listed twice, its first index applies.
    package init(_ names: [String]) {
        self.names = names.map { Array($0.utf8) }
        spellings = self.names.map(Spelling.init)
        short = Array(repeating: Slot(), count: Self.size(for: self.names.count { $0.count <= 8 }))
        long = Array(repeating: LongSlot(), count: Self.size(for: self.names.count { $0.count > 8 }))
        for (number, name) in self.names.enumerated() where !name.isEmpty && self.number(of: name.span) == nil {
            let number = Int32(clamping: number)
            let head = Eight.bytes(at: 0, of: name.span, to: name.count)
            if name.count <= 8 {
                var slot = Self.hash(head) & (short.count - 1)
                while short[slot].name != 0 { slot = (slot + 1) & (short.count - 1) }
                short[slot] = Slot(name: head, number: number)
            } else {
                let tail = loadWord(name.span, at: name.count - 8)
                var slot = Self.hash(head ^ tail) & (long.count - 1)
                while long[slot].length != 0 { slot = (slot + 1) & (long.count - 1) }
                long[slot] = LongSlot(head: head, tail: tail, length: name.count, number: number)
            }
        }
    }

    /// Returns a power of two that leaves at least half of the slots free.
    private static func size(for count: Int) -> Int {
        var size = 4
        while size < 2 * count { size *= 2 }
        return size
    }

    package func number(of name: Span<UInt8>) -> Int32? {
        number(of: 0..<name.count, in: name)
    }

    @inline(__always)
    func number(of name: Range<Int>, in bytes: Span<UInt8>) -> Int32? {
        if name.count > 8 { return number(ofLong: name, in: bytes) }
        return number(ofShort: Eight.bytes(at: name.lowerBound, of: bytes, to: name.upperBound))
    }

    /// Returns the length of a name if it is at an index and `=` follows it, or 0 otherwise.
    @inline(__always)
    func length(of number: Int, at place: Int, in bytes: Span<UInt8>) -> Int {
        guard number < spellings.count else { return 0 }
        let spelling = spellings[number]
        guard loadWord(bytes, at: place) & spelling.mask == spelling.head else { return 0 }
        if spelling.length > 7, loadWord(bytes, at: place &+ spelling.length &- 7) != spelling.tail { return 0 }
        return spelling.length
    }

    /// Returns the number of a name of up to eight bytes, padded with zeros.
    @inline(__always)
    func number(ofShort name: UInt64) -> Int32? {
        var slot = Self.hash(name) & (short.count &- 1)
        while short[slot].name != name {
            if short[slot].name == 0 { return nil }
            slot = (slot &+ 1) & (short.count &- 1)
        }
        return name == 0 ? nil : short[slot].number
    }

    private func number(ofLong name: Range<Int>, in bytes: Span<UInt8>) -> Int32? {
        let head = loadWord(bytes, at: name.lowerBound)
        let tail = loadWord(bytes, at: name.upperBound &- 8)
        var slot = Self.hash(head ^ tail) & (long.count &- 1)
        while long[slot].length != 0 {
            let known = long[slot]
            if known.head == head, known.tail == tail, known.length == name.count,
                known.length <= 16 || isMiddle(of: known.number, name, in: bytes)
            {
                return known.number
            }
            slot = (slot &+ 1) & (long.count &- 1)
        }
        return nil
    }

    /// If a name has the same first and last eight bytes as a known name, returns whether it is equal to that name.
    private func isMiddle(of number: Int32, _ name: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        let known = names[Int(number)]
        var place = 8
        while place < known.count &- 8 {
            guard loadWord(known.span, at: place) == loadWord(bytes, at: name.lowerBound &+ place) else { return false }
            place &+= 8
        }
        return true
    }

    /// Returns the hash of a name. The vocabulary is fixed and half of the slots are free, so names in a file cannot
    /// make a search long.
    @inline(__always)
    private static func hash(_ word: UInt64) -> Int {
        Int(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) >> 40)
    }
}

/// The distinct names of elements and attributes: first a vocabulary with predefined numbers, then the other names in
/// file order.
package struct XMLNames: Sendable {
    private var names: [[UInt8]]
    let vocabulary: XMLVocabulary
    private var numbers: [[UInt8]: Int32] = [:]

    init(_ vocabulary: XMLVocabulary) {
        self.vocabulary = vocabulary
        names = vocabulary.names
    }

    package var count: Int { names.count }

    package subscript(number: Int) -> [UInt8] { names[number] }

    /// Returns the number of a name, assigning one if it is new. The file's author chooses the names, so the dictionary
    /// needs Swift's randomly seeded hashing.
    mutating func number(of name: Span<UInt8>) -> Int32 {
        if let number = vocabulary.number(of: name) { return number }
        let name = name.bytes(0..<name.count)
        if let number = numbers[name] { return number }
        let number = Int32(clamping: names.count)
        names.append(name)
        numbers[name] = number
        return number
    }
}
