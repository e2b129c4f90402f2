/// How many atoms of each element there are.
///
///     let formula = molecule.composition().formula
///     print(formula)                   // C9H8O4
///     formula[.oxygen]                 // 4
public struct Formula: Sendable, Hashable {
    /// An element and its atoms.
    public struct Entry: Sendable, Hashable {
        /// The element of these atoms.
        public let element: ChemicalElement
        /// How many of them there are.
        public let count: Int
    }

    /// The elements that occur, in Hill's order: carbon and hydrogen first, the others by their symbols; all by their
    /// symbols where there is no carbon.
    public let entries: [Entry]

    /// A formula from counts by atomic number; what stands at number 0 is left out.
    init(_ counts: [Int]) {
        let hasCarbon = counts[Int(ChemicalElement.carbon.rawValue)] > 0
        let ranks = hasCarbon ? ChemicalElement.ranksBesideCarbon : ChemicalElement.ranks
        var entries: [Entry] = []
        entries.reserveCapacity(8)
        // A few of many elements: each is put before those behind which it does not belong.
        let numbers = counts.span
        for number in 1..<min(ranks.count, numbers.count) where numbers[number] > 0 {
            var place = entries.count
            while place > 0, ranks[Int(entries[place - 1].element.rawValue)] > ranks[number] { place -= 1 }
            let entry = Entry(element: ChemicalElement(number: UInt8(number)), count: numbers[number])
            entries.insert(entry, at: place)
        }
        self.entries = entries
    }

    /// How many atoms of an element there are.
    public subscript(element: ChemicalElement) -> Int {
        entries.first { $0.element == element }?.count ?? 0
    }

    /// Whether there is no atom at all.
    public var isEmpty: Bool { entries.isEmpty }
}

extension Formula: CustomStringConvertible {
    /// The formula as text, in Hill order.
    public var description: String {
        var text: [UInt8] = []
        append(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Adds the formula to a text, in Hill order.
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
    /// The place of each element, by its number, among all elements by their symbols, counted from 3.
    fileprivate static let ranks: [UInt8] = {
        let bySymbol = (1...118).map { ChemicalElement(number: $0) }.sorted { $0.symbolBytes < $1.symbolBytes }
        var ranks = [UInt8](repeating: 0, count: 119)
        for (place, element) in bySymbol.enumerated() { ranks[Int(element.rawValue)] = UInt8(place + 3) }
        return ranks
    }()

    /// The same with carbon and hydrogen in front.
    fileprivate static let ranksBesideCarbon: [UInt8] = {
        var ranks = Self.ranks
        ranks[Int(ChemicalElement.carbon.rawValue)] = 1
        ranks[Int(ChemicalElement.hydrogen.rawValue)] = 2
        return ranks
    }()
}
