/// The names that files of one kind are expected to use, made once for all of them.
///
///     let vocabulary = XMLVocabulary(["page", "fragment", "n", "b"])
///     var parser = XMLParser(knowing: vocabulary)      // events call `n` the number 2
package struct XMLVocabulary: Sendable {
    package let names: [[UInt8]]
    /// A slot for each value of the hash: one more than the number of a name, 0 where there is none. A name whose slot
    /// is taken goes to the next one that is free.
    private var slots: [UInt16] = []

    /// Of names that are listed twice the first counts.
    package init(_ names: [String]) {
        self.names = names.map { Array($0.utf8) }
        if names.isEmpty { return }
        var size = 4
        while size < 4 * names.count { size *= 2 }
        slots = Array(repeating: 0, count: size)
        for (number, name) in self.names.enumerated() where self.number(of: name.span) == nil {
            var slot = Self.hash(name.span) & (size - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
            slots[slot] = UInt16(clamping: number + 1)
        }
    }

    func number(of name: Span<UInt8>) -> Int32? {
        if slots.isEmpty { return nil }
        var slot = Self.hash(name) & (slots.count - 1)
        while slots[slot] != 0 {
            let number = Int(slots[slot]) - 1
            let known = names[number]
            if Self.areEqual(known.span, name) { return Int32(truncatingIfNeeded: number) }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// The vocabulary is fixed, and three quarters of the slots are free: no name of a file makes a search long.
    private static func hash(_ name: Span<UInt8>) -> Int {
        var hash: UInt32 = 0
        for place in name.indices { hash = (hash ^ UInt32(name[place])) &* 0x0100_0193 }
        return Int(hash ^ hash >> 15)
    }

    private static func areEqual(_ one: Span<UInt8>, _ other: Span<UInt8>) -> Bool {
        guard one.count == other.count else { return false }
        for place in one.indices where one[place] != other[place] { return false }
        return true
    }
}
