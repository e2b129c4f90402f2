import ChemopenModel

/// A parser for SMILES. It processes the text from left to right, with a stack of the atoms where branches start.
///
/// A molecule is a single piece, even if it has several fragments; a reaction has one piece for each component.
struct SMILESParser: Sendable {
    private struct OpenRing: Sendable {
        var atom: Int32 = -1
        var symbol = SMILESBondSymbol.none
        /// The position among the neighbors of the atom if that is a stereocenter.
        var slot = 0
        var place = 0
    }

    private struct Branch: Sendable {
        var atom: Int32
        var place: Int
        var atomCount: Int
    }

    private(set) var bytes: [UInt8] = []
    var index = 0
    private(set) var end = 0
    var molecule = Molecule()
    var drafts: [SMILESAtom] = []
    var centers: [SMILESCenter] = []
    var directions: [SMILESDirection] = []
    /// The two atoms of each bond that closes a ring.
    private(set) var closures: [(Int32, Int32)] = []
    /// The position of the first digit of each such bond.
    private(set) var closurePlaces: [Int] = []
    var hasAromaticAtoms = false
    var doubts: [SMILESWarning] = []
    var pieces: [SMILESPiece] = []
    private(set) var isReaction = false
    private var role = 0
    private var (atomsBefore, bondsBefore) = (0, 0)
    /// The kinds of bonds that CX extensions specify, by the bond's number in the text.
    private var kinds: [Int: SMILESBondKind] = [:]

    private var current: Int32 = -1
    private var symbol = SMILESBondSymbol.none
    private var symbolPlace = 0
    private var branches: [Branch] = []
    private var openRings = [OpenRing](repeating: OpenRing(), count: 100)
    private var openRingsBeyond: [Int: OpenRing] = [:]
    private var openRingCount = 0
    private var closedPairs: Set<UInt64> = []
    private var isBehindDot = false

    init() {}

    mutating func parse(
        _ range: Range<Int>, of bytes: [UInt8], into old: consuming Molecule, kinds: [Int: SMILESBondKind] = [:]
    ) throws(SMILESError) {
        self.bytes = bytes
        (index, end) = (range.lowerBound, range.upperBound)
        self.kinds = kinds
        forget(old)
        while index < end {
            try parseNext()
        }
        try endPart()
        if isReaction {
            guard role == 2 else { throw fault("two > in a reaction", at: range) }
        } else {
            try endPiece()
        }
        self.bytes = []
    }

    /// Parses the beginning of a truncated text.
    ///
    /// - Returns: whether the text is valid up to its end, or up to a last atom that can be incomplete.
    mutating func parseBeginning(_ range: Range<Int>, of bytes: [UInt8]) -> Bool {
        self.bytes = bytes
        (index, end) = (range.lowerBound, range.upperBound)
        forget(Molecule())
        defer { self.bytes = [] }
        var start = index
        do throws(SMILESError) {
            while index < end {
                start = index
                try parseNext()
            }
            return true
        } catch {
            return end - start <= Self.longestAtom
        }
    }

    /// The maximum length of a bracket atom, in bytes.
    private static let longestAtom = 40

    private mutating func forget(_ old: consuming Molecule) {
        molecule = old
        molecule.removeAll()
        pieces.removeAll(keepingCapacity: true)
        if !doubts.isEmpty { doubts = [] }
        (role, atomsBefore, bondsBefore) = (0, 0, 0)
        branches.removeAll(keepingCapacity: true)
        if openRingCount > 0 {
            for place in openRings.indices { openRings[place].atom = -1 }
            openRingsBeyond = [:]
            openRingCount = 0
        }
        isReaction = false
        for place in index..<end where bytes[place] == UInt8(ascii: ">") && !isArrow(at: place) { isReaction = true }
        beginPiece()
    }

    /// Returns whether a `>` is the head of a dative bond.
    private func isArrow(at place: Int) -> Bool { place > 0 && bytes[place - 1] == UInt8(ascii: "-") }

    private mutating func beginPiece() {
        drafts.removeAll(keepingCapacity: true)
        centers.removeAll(keepingCapacity: true)
        directions.removeAll(keepingCapacity: true)
        closures.removeAll(keepingCapacity: true)
        closurePlaces.removeAll(keepingCapacity: true)
        if !closedPairs.isEmpty { closedPairs.removeAll(keepingCapacity: true) }
        hasAromaticAtoms = false
        current = -1
        symbol = .none
        isBehindDot = false
    }

    // MARK: Parts

    private mutating func parseNext() throws(SMILESError) {
        let byte = bytes[index]
        switch byte {
        case UInt8(ascii: "("): try openBranch()
        case UInt8(ascii: ")"): try closeBranch()
        case UInt8(ascii: "."): try takeDot()
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "%"): try takeRing()
        case UInt8(ascii: "-"), UInt8(ascii: "="), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: ":"),
            UInt8(ascii: "/"), UInt8(ascii: "\\"), UInt8(ascii: "~"), UInt8(ascii: "<"):
            try takeSymbol(byte)
        case UInt8(ascii: ">"): try takeArrow()
        default: try takeAtom()
        }
    }

    private mutating func openBranch() throws(SMILESError) {
        try requireNoSymbol()
        guard current >= 0, !isAtBranchStart else { throw fault("an atom before the branch", at: index..<index + 1) }
        branches.append(Branch(atom: current, place: index, atomCount: molecule.atoms.count))
        index += 1
    }

    /// Whether the branch contains no atom yet.
    private var isAtBranchStart: Bool { branches.last.map { $0.atomCount == molecule.atoms.count } ?? false }

    private mutating func closeBranch() throws(SMILESError) {
        try requireNoSymbol()
        guard let branch = branches.popLast() else { throw fault("a ( before this )", at: index..<index + 1) }
        guard molecule.atoms.count > branch.atomCount, !isBehindDot else {
            throw fault("an atom in the branch", at: branch.place..<index + 1)
        }
        current = branch.atom
        index += 1
    }

    private mutating func takeDot() throws(SMILESError) {
        try requireNoSymbol()
        guard current >= 0 else { throw fault("an atom before the dot", at: index..<index + 1) }
        index += 1
        if isReaction, branches.isEmpty, openRingCount == 0 { try endPiece() }
        current = -1
        isBehindDot = true
    }

    /// Ends a molecule or a part of a reaction.
    private mutating func endPart() throws(SMILESError) {
        try requireNoSymbol()
        if let branch = branches.last {
            throw fault("a ) that closes this branch", at: branch.place..<branch.place + 1)
        }
        if isBehindDot { throw fault("an atom after the dot", at: index - 1..<index) }
        if openRingCount > 0 {
            let open = (openRings + Array(openRingsBeyond.values)).filter { $0.atom >= 0 }
            let place = open.map(\.place).min() ?? index
            throw fault("a second digit that closes this ring", at: place..<place + 1)
        }
        if isReaction, !molecule.atoms.isEmpty { try endPiece() }
    }

    private mutating func endPiece() throws(SMILESError) {
        guard pieces.count < RecordCost.mostComponents else { throw fault("fewer components", at: index..<index) }
        try finish()
        atomsBefore += molecule.atoms.count
        bondsBefore += molecule.bonds.count
        var whole = Molecule()
        swap(&whole, &molecule)
        pieces.append(SMILESPiece(whole, endingAt: atomsBefore, bondsBefore, role: role))
        beginPiece()
    }

    private mutating func takeArrow() throws(SMILESError) {
        guard role < 2 else { throw fault("two > in a reaction", at: index..<index + 1) }
        try endPart()
        role += 1
        current = -1
        index += 1
    }

    /// Returns the components by role. Pieces that CX extensions join are a single component.
    mutating func takeReaction() -> Reaction {
        var step = Reaction.Step()
        for piece in pieces {
            let component = Reaction.Component(piece.molecule)
            switch piece.role {
            case 0: step.reactants.append(component)
            case 1: step.agents.append(component)
            default: step.products.append(component)
            }
        }
        pieces = []
        return Reaction(step)
    }

    // MARK: Atoms and bonds

    /// Appends an atom, and bonds it to the current atom.
    mutating func add(_ atom: Atom, _ draft: SMILESAtom) throws(SMILESError) {
        guard atomsBefore + molecule.atoms.count < RecordCost.mostAtoms else {
            throw fault("fewer atoms", at: index..<index)
        }
        let place = Int32(truncatingIfNeeded: molecule.atoms.count)
        var draft = draft
        if current >= 0 {
            let before = drafts[Int(current)]
            draft.parent = current
            draft.depth = before.depth &+ 1
            draft.parentBond = Int32(truncatingIfNeeded: molecule.bonds.count)
            draft.isJoinedAromatically = symbol == .none && before.isAromatic && draft.isAromatic
            if before.center >= 0 { centers[Int(before.center)].append(place) }
            if draft.center >= 0 { centers[Int(draft.center)].append(current) }
            molecule.atoms.append(atom)
            drafts.append(draft)
            addBond(current, place, symbol)
        } else {
            guard symbol == .none else { throw fault("an atom before the bond", at: symbolPlace..<symbolPlace + 1) }
            molecule.atoms.append(atom)
            drafts.append(draft)
        }
        if atom.element == .none { molecule.setLabel("*", ofAtom: Int(place)) }
        if draft.center >= 0 {
            for _ in 0..<min(8, draft.hydrogens) { centers[Int(draft.center)].append(SMILESCenter.hydrogen) }
        }
        if draft.isAromatic { hasAromaticAtoms = true }
        symbol = .none
        current = place
        isBehindDot = false
    }

    private mutating func addBond(_ from: Int32, _ to: Int32, _ symbol: SMILESBondSymbol) {
        if !kinds.isEmpty, symbol.mayBeAnyKind, let kind = kinds[bondsBefore + molecule.bonds.count],
            !drafts[Int(from)].isAromatic || !drafts[Int(to)].isAromatic
        {
            return molecule.bonds.append(kind.bond(from, to, after: atomsBefore))
        }
        let order: Bond.Order
        switch symbol {
        case .none: order = drafts[Int(from)].isAromatic && drafts[Int(to)].isAromatic ? .aromatic : .single
        case .single: order = .single
        case .double: order = .double
        case .triple: order = .triple
        case .quadruple: order = .quadruple
        case .aromatic:
            order = .aromatic
            // This has the same meaning as lowercase symbols.
            drafts[Int(from)].isAromatic = true
            drafts[Int(to)].isAromatic = true
            hasAromaticAtoms = true
        case .given: order = .dative
        case .taken:
            molecule.bonds.append(Bond(from: to, to: from, .dative))
            return
        case .any:
            order = .any
            drafts[Int(from)].isAsked = true
            drafts[Int(to)].isAsked = true
        case .up, .down:
            order = .single
            directions.append(
                SMILESDirection(
                    bond: Int32(truncatingIfNeeded: molecule.bonds.count), isUp: symbol == .up, place: symbolPlace))
        }
        molecule.bonds.append(Bond(from: from, to: to, order))
    }

    private mutating func takeSymbol(_ byte: UInt8) throws(SMILESError) {
        try requireNoSymbol()
        let next = index + 1 < end ? bytes[index + 1] : 0
        symbolPlace = index
        index += 1
        switch byte {
        case UInt8(ascii: "-"):
            symbol = next == UInt8(ascii: ">") ? .given : .single
            if symbol == .given { index += 1 }
        case UInt8(ascii: "<"):
            guard next == UInt8(ascii: "-") else { throw fault("<- for a dative bond", at: index - 1..<index) }
            symbol = .taken
            index += 1
        case UInt8(ascii: "="): symbol = .double
        case UInt8(ascii: "#"): symbol = .triple
        case UInt8(ascii: "$"): symbol = .quadruple
        case UInt8(ascii: ":"): symbol = .aromatic
        case UInt8(ascii: "/"): symbol = .up
        case UInt8(ascii: "\\"): symbol = .down
        default: symbol = .any
        }
    }

    private func requireNoSymbol() throws(SMILESError) {
        if symbol != .none { throw fault("an atom after the bond", at: symbolPlace..<index) }
    }

    // MARK: Rings

    private mutating func takeRing() throws(SMILESError) {
        let start = index
        let number = try ringNumber()
        guard current >= 0, !isAtBranchStart else {
            throw fault("an atom before the digit of a ring", at: start..<index)
        }
        let open = number < 100 ? openRings[number] : openRingsBeyond[number] ?? OpenRing()
        if open.atom < 0 {
            var ring = OpenRing(atom: current, symbol: symbol, place: start)
            let center = Int(drafts[Int(current)].center)
            if center >= 0 {
                ring.slot = centers[center].count
                centers[center].append(-1)
            }
            if number < 100 { openRings[number] = ring } else { openRingsBeyond[number] = ring }
            openRingCount += 1
        } else {
            if number < 100 { openRings[number].atom = -1 } else { openRingsBeyond[number] = nil }
            openRingCount -= 1
            try close(open, at: start)
        }
        symbol = .none
    }

    private mutating func close(_ ring: OpenRing, at start: Int) throws(SMILESError) {
        let here = current
        if ring.atom == here { throw fault("a ring of more than one atom", at: start..<index) }
        // The symbol as viewed from the atom that opened the ring.
        let seen = symbol.turned
        if ring.symbol != .none, seen != .none, ring.symbol != seen {
            throw fault("the same bond at both ends of the ring", at: start..<index)
        }
        let pair =
            UInt64(UInt32(bitPattern: min(ring.atom, here))) << 32 | UInt64(UInt32(bitPattern: max(ring.atom, here)))
        let isBonded = drafts[Int(here)].parent == ring.atom || drafts[Int(ring.atom)].parent == here
        guard !isBonded, closedPairs.insert(pair).inserted else {
            throw fault("at most one bond between two atoms", at: start..<index)
        }
        let center = Int(drafts[Int(ring.atom)].center)
        if center >= 0 { centers[center].set(here, at: ring.slot) }
        if drafts[Int(here)].center >= 0 { centers[Int(drafts[Int(here)].center)].append(ring.atom) }
        closures.append((ring.atom, here))
        closurePlaces.append(ring.place)
        addBond(ring.atom, here, ring.symbol == .none ? seen : ring.symbol)
    }

    private mutating func ringNumber() throws(SMILESError) -> Int {
        let start = index
        index += 1
        if bytes[start] != UInt8(ascii: "%") { return Int(bytes[start] &- UInt8(ascii: "0")) }
        if peek() == UInt8(ascii: "(") {
            index += 1
            guard let number = number(upTo: 99_999), peek() == UInt8(ascii: ")") else {
                throw fault("a number up to 99999 and ) after %(", at: start..<index)
            }
            index += 1
            return number
        }
        guard let tens = digit(peek()), let ones = digit(peek(1)) else {
            throw fault("two digits after %", at: start..<min(end, start + 3))
        }
        index += 2
        return tens * 10 + ones
    }
}

extension SMILESParser {
    /// Returns the byte at a distance from the current one, or 0 after the end.
    func peek(_ distance: Int = 0) -> UInt8 {
        index + distance < end ? bytes[index + distance] : 0
    }

    func digit(_ byte: UInt8) -> Int? {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? Int(byte &- UInt8(ascii: "0")) : nil
    }

    /// Parses a number, and returns `nil` if there is no digit or the number exceeds the limit.
    mutating func number(upTo limit: Int) -> Int? {
        var value = 0
        let start = index
        while let digit = digit(peek()) {
            value = value * 10 + digit
            if value > limit { return nil }
            index += 1
        }
        return index > start ? value : nil
    }

    func fault(_ expected: StaticString, at range: Range<Int>) -> SMILESError {
        SMILESError(expected: expected, range: range)
    }

    mutating func doubt(_ message: StaticString, at range: Range<Int>) {
        doubts.append(SMILESWarning(message: message, range: range))
    }
}
