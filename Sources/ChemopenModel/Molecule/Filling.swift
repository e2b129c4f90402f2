extension Array {
    /// Holds so many equal elements in the place of those before, in the same memory.
    @inlinable
    package mutating func fill(with element: Element, count: Int) {
        removeAll(keepingCapacity: true)
        append(addingCapacity: count) { $0.append(repeating: element, count: count) }
    }
}
