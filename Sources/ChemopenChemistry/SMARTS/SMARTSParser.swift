import ChemopenModel

/// A parser for SMARTS. It processes the text from left to right, with a stack of the atoms where branches start.
struct SMARTSParser {
    let bytes: [UInt8]
    var index = 0
    private let end: Int
    private(set) var recursions: [QueryGraph] = []
    private(set) var needs: PerceivedParts = []
    private let depth: Int

    /// The maximum nesting depth of `$(…)`.
    private static let deepest = 24
    /// The maximum number of atoms in a pattern.
    private static let mostAtoms = 4096

    /// Creates a parser for a part of a text, or for a pattern in `$(…)`.
    init(_ bytes: [UInt8], _ range: Range<Int>, depth: Int = 0, recursions: [QueryGraph] = []) {
        self.bytes = bytes
        index = range.lowerBound
        end = range.upperBound
        self.depth = depth
        self.recursions = recursions
    }

    // MARK: Graph

    private var graph = QueryGraph()
    /// The atom that the next atom is bonded to.
    private var current: Int32 = -1
    private var branches: [(atom: Int32, place: Int)] = []
    /// The explicit bond before the next atom.
    private var pending: PendingBond?
    private var openRings: [Int: OpenRing] = [:]
    private var component: Int32 = -1
    private var components: Int32 = 0
    private var componentStart = 0

    private struct PendingBond {
        var expression: Expression<BondTest>
        var direction: QueryGraph.Direction
        var place: Int
    }

    private struct OpenRing {
        var atom: Int32
        var bond: PendingBond?
        /// The position of the bond among those of the atom.
        var slot: Int
        var place: Int
    }

    mutating func parse() throws(SMARTSError) -> QueryGraph {
        while index < end {
            try parseNext()
        }
        if let pending { throw fault("an atom after the bond", at: pending.place..<end) }
        if let branch = branches.last {
            throw fault("a ) that closes this branch", at: branch.place..<branch.place + 1)
        }
        if let ring = openRings.values.min(by: { $0.place < $1.place }) {
            throw fault("a second digit that closes this ring", at: ring.place..<ring.place + 1)
        }
        if component >= 0 {
            throw fault("a ) that closes this component", at: componentStart..<componentStart + 1)
        }
        if graph.atoms.isEmpty { throw fault("a pattern with an atom", at: index..<index) }
        if depth == 0 { takeHydrogenOutOfRecursion() }
        graph.countHydrogens(isAnchored: depth > 0)
        graph.geometries = graph.doubleBondGeometries()
        needs.formUnion(graph.needs)
        graph.order = MatchOrder(of: graph, isAnchored: depth > 0)
        return graph
    }

    /// Replaces a pattern such as `[$([H]O)]` by `[H]O`, which has the same matches but can count the hydrogen at its
    /// neighbor.
    private mutating func takeHydrogenOutOfRecursion() {
        guard graph.atoms.count == 1, graph.atoms[0].expression.literals.count == 1,
            let literal = graph.atoms[0].expression.literals.first, !literal.isNegated,
            case .recursion(let number) = literal.test, recursions[Int(number)].atoms[0].isPlainHydrogen
        else { return }
        let (map, component) = (graph.atoms[0].mapNumber, graph.atoms[0].component)
        graph = recursions[Int(number)]
        graph.atoms[0].mapNumber = map
        if component >= 0 { for place in graph.atoms.indices { graph.atoms[place].component = component } }
    }

    private mutating func parseNext() throws(SMARTSError) {
        let byte = bytes[index]
        switch byte {
        case UInt8(ascii: "("): try openBranch()
        case UInt8(ascii: ")"): try closeBranch()
        case UInt8(ascii: "."):
            if let pending { throw fault("an atom after the bond", at: pending.place..<index) }
            if current < 0 { throw fault("an atom", at: index..<index + 1) }
            current = -1
            index += 1
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "%"): try takeRing()
        case UInt8(ascii: ">"):
            if index > 0, bytes[index - 1] == UInt8(ascii: "-") { fallthrough }
            throw fault("the > of a reaction outside of parentheses", at: index..<index + 1)
        case UInt8(ascii: "-"), UInt8(ascii: "="), UInt8(ascii: "#"), UInt8(ascii: ":"), UInt8(ascii: "~"),
            UInt8(ascii: "@"), UInt8(ascii: "/"), UInt8(ascii: "\\"), UInt8(ascii: "!"), UInt8(ascii: "&"),
            UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "$"), UInt8(ascii: "<"):
            try takeBond()
        default:
            let atom = try parseAtom()
            try add(atom)
        }
    }

    private mutating func openBranch() throws(SMARTSError) {
        if current >= 0 {
            if let pending { throw fault("an atom after the bond", at: pending.place..<index) }
            branches.append((current, index))
        } else {
            // These parentheses enclose a component.
            if component >= 0 || !branches.isEmpty { throw fault("an atom", at: index..<index + 1) }
            component = components
            components += 1
            componentStart = index
        }
        index += 1
    }

    private mutating func closeBranch() throws(SMARTSError) {
        if let pending { throw fault("an atom after the bond", at: pending.place..<index) }
        if let branch = branches.popLast() {
            if current == branch.atom { throw fault("an atom in the branch", at: branch.place..<index + 1) }
            current = branch.atom
        } else if component >= 0 {
            if current < 0 { throw fault("an atom in the component", at: componentStart..<index + 1) }
            component = -1
            current = -1
            if index + 1 < end, bytes[index + 1] != UInt8(ascii: ".") {
                throw fault("a . after the component", at: index + 1..<index + 2)
            }
            if index + 1 < end { index += 1 }
        } else {
            throw fault("a ( before this )", at: index..<index + 1)
        }
        index += 1
    }

    private mutating func add(_ atom: QueryGraph.Atom) throws(SMARTSError) {
        if graph.atoms.count >= Self.mostAtoms {
            throw fault("a pattern of at most \(Self.mostAtoms) atoms", at: index..<index)
        }
        var atom = atom
        atom.component = component
        let place = Int32(truncatingIfNeeded: graph.atoms.count)
        graph.atoms.append(atom)
        if current >= 0 {
            addBond(current, place, pending)
            pending = nil
        } else if let pending {
            throw fault("an atom before the bond", at: pending.place..<pending.place + 1)
        }
        if atom.hasImpliedHydrogen { graph.atoms[Int(place)].bonds.append(-1) }
        current = place
    }

    private mutating func addBond(_ from: Int32, _ to: Int32, _ bond: PendingBond?) {
        let place = Int32(truncatingIfNeeded: graph.bonds.count)
        graph.bonds.append(
            QueryGraph.Bond(
                from: from, to: to, expression: bond?.expression ?? Expression(.plain),
                direction: bond?.direction ?? .none))
        graph.atoms[Int(from)].bonds.append(place)
        graph.atoms[Int(to)].bonds.append(place)
    }

    // MARK: Rings

    private mutating func takeRing() throws(SMARTSError) {
        let start = index
        let number = try ringNumber()
        if current < 0 { throw fault("an atom before the ring's digit", at: start..<index) }
        let bond = pending
        pending = nil
        guard let open = openRings.removeValue(forKey: number) else {
            let slot = graph.atoms[Int(current)].bonds.count
            // A placeholder until the ring is closed.
            graph.atoms[Int(current)].bonds.append(-2)
            openRings[number] = OpenRing(atom: current, bond: bond, slot: slot, place: start)
            return
        }
        if open.atom == current { throw fault("a ring of more than one atom", at: start..<index) }
        if let one = open.bond, let other = bond, one.expression != other.expression {
            throw fault("the same bond at both ends of the ring", at: other.place..<index)
        }
        let place = Int32(truncatingIfNeeded: graph.bonds.count)
        var made = QueryGraph.Bond(
            from: open.atom, to: current, expression: (open.bond ?? bond)?.expression ?? Expression(.plain))
        if let first = open.bond, first.direction != .none {
            made.direction = first.direction
        } else if let bond, bond.direction != .none {
            made.direction = bond.direction == .up ? .down : .up
        }
        graph.bonds.append(made)
        graph.atoms[Int(open.atom)].bonds[open.slot] = place
        graph.atoms[Int(current)].bonds.append(place)
    }

    private mutating func ringNumber() throws(SMARTSError) -> Int {
        let start = index
        if bytes[index] != UInt8(ascii: "%") {
            index += 1
            return Int(bytes[start] - UInt8(ascii: "0"))
        }
        index += 1
        if index < end, bytes[index] == UInt8(ascii: "(") {
            index += 1
            let number = try number(limit: 99_999)
            guard let number, index < end, bytes[index] == UInt8(ascii: ")") else {
                throw fault("a number and ) after %(", at: start..<index)
            }
            index += 1
            return Int(number)
        }
        guard index + 1 < end, let tens = digit(index), let ones = digit(index + 1) else {
            throw fault("two digits after %", at: start..<min(end, start + 3))
        }
        index += 2
        return tens * 10 + ones
    }

    // MARK: Bonds

    private mutating func takeBond() throws(SMARTSError) {
        let start = index
        if pending != nil { throw fault("an atom after the bond", at: start..<start + 1) }
        var expression = Expression<BondTest>()
        var direction = QueryGraph.Direction.none
        var join = Expression<BondTest>.Join.and
        var isNegated = false
        var wantsTest = false
        scan: while index < end {
            switch bytes[index] {
            case UInt8(ascii: "!"):
                isNegated.toggle()
                wantsTest = true
                index += 1
            case UInt8(ascii: "&"), UInt8(ascii: ","), UInt8(ascii: ";"):
                if wantsTest || expression.literals.isEmpty { throw fault("a bond", at: index..<index + 1) }
                join =
                    bytes[index] == UInt8(ascii: "&")
                    ? .and : bytes[index] == UInt8(ascii: ",") ? .alternative : .clause
                wantsTest = true
                index += 1
            default:
                guard let test = bondTest(&direction) else { break scan }
                expression.append(test, isNegated: isNegated, joinedBy: join)
                isNegated = false
                wantsTest = false
                join = .and
            }
        }
        if wantsTest { throw fault("a bond", at: index..<min(end, index + 1)) }
        pending = PendingBond(expression: expression, direction: direction, place: start)
    }

    private mutating func bondTest(_ direction: inout QueryGraph.Direction) -> BondTest? {
        let next = index + 1 < end ? bytes[index + 1] : 0
        switch bytes[index] {
        case UInt8(ascii: "-"):
            index += 1
            if next == UInt8(ascii: ">") {
                index += 1
                return .given
            }
            return .single
        case UInt8(ascii: "<"):
            guard next == UInt8(ascii: "-") else { return nil }
            index += 2
            return .taken
        case UInt8(ascii: "="):
            index += 1
            return .double
        case UInt8(ascii: "#"):
            index += 1
            return .triple
        case UInt8(ascii: "$"):
            index += 1
            return .quadruple
        case UInt8(ascii: ":"):
            index += 1
            return .aromatic
        case UInt8(ascii: "~"):
            index += 1
            return .any
        case UInt8(ascii: "@"):
            index += 1
            return .ring
        case UInt8(ascii: "/"), UInt8(ascii: "\\"):
            direction = bytes[index] == UInt8(ascii: "/") ? .up : .down
            index += 1
            // `/?` matches this direction or an unknown one.
            if next == UInt8(ascii: "?") {
                direction = .none
                index += 1
            }
            return .plain
        default: return nil
        }
    }

    // MARK: Helpers

    func digit(_ place: Int) -> Int? {
        guard place < end, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[place] else { return nil }
        return Int(bytes[place] - UInt8(ascii: "0"))
    }

    /// Parses a number, and returns `nil` if there is no number at the current position.
    mutating func number(limit: Int32 = 9999) throws(SMARTSError) -> Int32? {
        let start = index
        var number: Int32 = 0
        while let digit = digit(index) {
            number = number * 10 + Int32(truncatingIfNeeded: digit)
            index += 1
            if number > limit { throw fault("a number of at most \(limit)", at: start..<index) }
        }
        return index == start ? nil : number
    }

    func peek(_ offset: Int = 0) -> UInt8 {
        index + offset < end ? bytes[index + offset] : 0
    }

    var isAtEnd: Bool { index >= end }

    func fault(_ expected: String, at range: Range<Int>) -> SMARTSError {
        let low = min(range.lowerBound, bytes.count)
        let high = max(low, min(range.upperBound, bytes.count))
        let found = low < high ? ", found \"\(Text(bytes: bytes[low..<min(high, low + 20)]).string)\"" : ""
        return SMARTSError(message: "expected \(expected)" + found, range: low..<high)
    }

    /// Parses the pattern in `$(…)` after the opening parenthesis, and returns its index.
    mutating func recursion(from start: Int) throws(SMARTSError) -> Int32 {
        if depth >= Self.deepest {
            throw fault("at most \(Self.deepest) nested $( )", at: start..<index)
        }
        var open = 1
        var close = index
        while close < end {
            if bytes[close] == UInt8(ascii: "(") { open += 1 }
            if bytes[close] == UInt8(ascii: ")") { open -= 1 }
            if open == 0 { break }
            close += 1
        }
        if open > 0 { throw fault("a ) that closes this $(", at: start..<index) }
        var inner = SMARTSParser(bytes, index..<close, depth: depth + 1, recursions: recursions)
        let found = try inner.parse()
        recursions = inner.recursions
        needs.formUnion(inner.needs)
        index = close + 1
        if let known = recursions.firstIndex(of: found) { return Int32(truncatingIfNeeded: known) }
        recursions.append(found)
        return Int32(truncatingIfNeeded: recursions.count - 1)
    }
}
