extension Array {
    /// Replaces the contents by `count` copies of an element, and reuses the memory.
    @inlinable
    package mutating func fill(with element: Element, count: Int) {
        removeAll(keepingCapacity: true)
        append(addingCapacity: count) { $0.append(repeating: element, count: count) }
    }
}
