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
        var entries: [(key: Int, entry: Entry)] = []
        for (number, count) in counts.enumerated() where number > 0 && count > 0 {
            guard let element = ChemicalElement(rawValue: UInt8(clamping: number)) else { continue }
            entries.append((element.hillKey(besideCarbon: hasCarbon), Entry(element: element, count: count)))
        }
        entries.sort { $0.key < $1.key }
        self.entries = entries.map(\.entry)
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
        var text = ""
        for entry in entries {
            text += entry.element.symbol
            if entry.count > 1 { text += String(entry.count) }
        }
        return text
    }
}

extension ChemicalElement {
    /// A number that sorts elements as Hill does.
    fileprivate func hillKey(besideCarbon: Bool) -> Int {
        if besideCarbon, self == .carbon { return 0 }
        if besideCarbon, self == .hydrogen { return 1 }
        let (first, second) = symbolBytes
        return Int(first) << 8 | Int(second)
    }
}
