import ChemopenModel

/// A fast check that rejects molecules without the required elements and bonds before their graphs are built.
struct PatternScreen: Sendable {
    /// A set of elements, with one bit for each atomic number.
    typealias Elements = UInt128

    /// The minimum number of atoms of an element.
    private struct Demand: Sendable {
        let element: UInt8
        let count: Int
    }

    /// A required bond between an atom of one set of elements and an atom of another.
    private struct Pair: Sendable, Hashable {
        let one: Elements
        let other: Elements
        /// Whether the bond must be drawn as a multiple or aromatic bond.
        let isMultiple: Bool
    }

    private let demands: [Demand]
    /// The molecule must contain at least one atom of each of these sets.
    private let sets: [Elements]
    private let pairs: [Pair]
    private let atomCount: Int

    init(_ pattern: SMARTSPattern) {
        var recursions: [Elements] = []
        for graph in pattern.recursions {
            recursions.append(graph.atoms.first.map { Self.elements(of: $0, recursions) } ?? ~0)
        }
        let masks = pattern.graph.atoms.map { Self.elements(of: $0, recursions) }
        var counts: [UInt8: Int] = [:]
        var sets = Set<Elements>()
        for mask in masks {
            if mask.nonzeroBitCount == 1 {
                counts[UInt8(truncatingIfNeeded: mask.trailingZeroBitCount), default: 0] += 1
            } else if mask != Self.all {
                sets.insert(mask)
            }
        }
        demands = counts.map { Demand(element: $0.key, count: $0.value) }
        self.sets = Array(sets)
        atomCount = pattern.graph.atoms.count
        var pairs = Set<Pair>()
        for bond in pattern.graph.bonds {
            let (one, other) = (masks[Int(bond.from)], masks[Int(bond.to)])
            if one == Self.all || other == Self.all { continue }
            let isMultiple = !bond.expression.mayHold { $0 == .double || $0 == .triple ? false : nil }
            pairs.insert(Pair(one: min(one, other), other: max(one, other), isMultiple: isMultiple))
        }
        self.pairs = Array(pairs.prefix(8))
    }

    /// All elements, and the bit for atoms that are not an element.
    private static let all: Elements = (1 << 119) - 1

    /// Returns the elements that an atom of the pattern can match.
    private static func elements(of atom: QueryGraph.Atom, _ recursions: [Elements]) -> Elements {
        var elements: Elements = 0
        for number in UInt8(0)...118 {
            let mayBe = atom.expression.mayHold { test in
                switch test {
                case .any: true
                case .element(let element): element == number
                case .aliphaticElement(let element), .aromaticElement(let element):
                    element == number ? nil : false
                case .recursion(let place):
                    recursions.indices.contains(Int(place)) && recursions[Int(place)] & 1 << Elements(number) == 0
                        ? false : nil
                default: nil
                }
            }
            if mayBe { elements |= 1 << Elements(number) }
        }
        return elements
    }

    func mayMatch(_ molecule: borrowing Molecule) -> Bool {
        let atoms = molecule.atoms
        if atoms.count < atomCount { return false }
        var present: Elements = 0
        for index in atoms.indices { present |= 1 << Elements(atoms[index].element.rawValue) }
        for set in sets where present & set == 0 { return false }
        for demand in demands {
            if present & 1 << Elements(demand.element) == 0 { return false }
            if demand.count == 1 { continue }
            var count = 0
            for index in atoms.indices where atoms[index].element.rawValue == demand.element { count += 1 }
            if count < demand.count { return false }
        }
        return pairs.isEmpty || hasPairs(atoms, molecule.bonds)
    }

    private func hasPairs(_ atoms: [Atom], _ bonds: [Bond]) -> Bool {
        var missing = (1 << pairs.count) - 1
        for index in bonds.indices {
            let bond = bonds[index]
            guard atoms.indices.contains(Int(bond.from)), atoms.indices.contains(Int(bond.to)) else { continue }
            let one = Elements(1) << Elements(atoms[Int(bond.from)].element.rawValue)
            let other = Elements(1) << Elements(atoms[Int(bond.to)].element.rawValue)
            for place in pairs.indices where missing & 1 << place != 0 {
                let pair = pairs[place]
                if pair.isMultiple, bond.orderNumber == Bond.Order.single.rawValue { continue }
                if pair.one & one != 0 && pair.other & other != 0 || pair.one & other != 0 && pair.other & one != 0 {
                    missing &= ~(1 << place)
                    if missing == 0 { return true }
                }
            }
        }
        return missing == 0
    }
}
