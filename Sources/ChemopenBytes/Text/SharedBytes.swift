/// Returns the length of the common prefix of two texts.
package func commonPrefix(_ one: Span<UInt8>, _ other: Span<UInt8>) -> Int {
    let count = min(one.count, other.count)
    var index = 0
    while index &+ 16 <= count, loadWords(one, at: index) == loadWords(other, at: index) { index &+= 16 }
    while index < count, one[index] == other[index] { index &+= 1 }
    return index
}

/// Returns the length of the common suffix of two texts.
package func commonSuffix(_ one: Span<UInt8>, _ other: Span<UInt8>) -> Int {
    let count = min(one.count, other.count)
    var length = 0
    while length &+ 16 <= count,
        loadWords(one, at: one.count &- length &- 16) == loadWords(other, at: other.count &- length &- 16)
    {
        length &+= 16
    }
    while length < count, one[one.count &- length &- 1] == other[other.count &- length &- 1] { length &+= 1 }
    return length
}
