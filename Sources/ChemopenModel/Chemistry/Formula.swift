/// The number of atoms of each element.
///
///     let formula = molecule.composition().formula
///     print(formula)                   // C9H8O4
///     formula[.oxygen]                 // 4
public struct Formula: Sendable, Hashable {
    /// An element and its number of atoms.
    public struct Entry: Sendable, Hashable {
        /// The element.
        public let element: ChemicalElement
        /// The number of atoms.
        public let count: Int
    }

    /// The elements in Hill order: carbon, hydrogen, then the others by symbol. Without carbon, all are sorted by
    /// symbol.
    public let entries: [Entry]

    /// Creates a formula from counts that are indexed by atomic number; the count at index 0 is ignored.
    init(_ counts: [Int]) {
        let hasCarbon = counts[Int(ChemicalElement.carbon.rawValue)] > 0
        let ranks = hasCarbon ? ChemicalElement.ranksBesideCarbon : ChemicalElement.ranks
        var entries: [Entry] = []
        entries.reserveCapacity(8)
        // Few elements occur in a formula, so insertion sort is sufficient.
        let numbers = counts.span
        for number in 1..<min(ranks.count, numbers.count) where numbers[number] > 0 {
            var place = entries.count
            while place > 0, ranks[Int(entries[place - 1].element.rawValue)] > ranks[number] { place -= 1 }
            let entry = Entry(element: ChemicalElement(number: UInt8(number)), count: numbers[number])
            entries.insert(entry, at: place)
        }
        self.entries = entries
    }

    /// Returns the number of atoms of an element.
    public subscript(element: ChemicalElement) -> Int {
        entries.first { $0.element == element }?.count ?? 0
    }

    /// Whether the formula contains no atoms.
    public var isEmpty: Bool { entries.isEmpty }
}

extension Formula: CustomStringConvertible {
    /// The formula as text in Hill order.
    public var description: String {
        var text: [UInt8] = []
        append(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the formula to `text` in Hill order.
    package func append(to text: inout [UInt8]) {
        for entry in entries {
            entry.element.appendSymbol(to: &text)
            if entry.count > 1 { text.append(decimal: entry.count) }
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(decimal number: Int) {
        if number > 9 { append(decimal: number / 10) }
        append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}

extension ChemicalElement {
    /// The rank of each element when all elements are sorted by symbol, indexed by atomic number; the first rank is 3.
    fileprivate static let ranks: [UInt8] = {
        let bySymbol = (1...118).map { ChemicalElement(number: $0) }.sorted { $0.symbolBytes < $1.symbolBytes }
        var ranks = [UInt8](repeating: 0, count: 119)
        for (place, element) in bySymbol.enumerated() { ranks[Int(element.rawValue)] = UInt8(place + 3) }
        return ranks
    }()

    /// The ranks if carbon and hydrogen precede all other elements.
    fileprivate static let ranksBesideCarbon: [UInt8] = {
        var ranks = Self.ranks
        ranks[Int(ChemicalElement.carbon.rawValue)] = 1
        ranks[Int(ChemicalElement.hydrogen.rawValue)] = 2
        return ranks
    }()
}
