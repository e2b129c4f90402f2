import ChemopenModel

/// The parser for the atoms of SMARTS.
extension SMARTSParser {
    mutating func parseAtom() throws(SMARTSError) -> QueryGraph.Atom {
        var atom = QueryGraph.Atom()
        if peek() == UInt8(ascii: "[") {
            try parseBracket(into: &atom)
            return atom
        }
        guard let test = bareAtom() else {
            throw fault("an atom, a bond or a branch", at: index..<index + 1)
        }
        atom.expression = Expression(test)
        return atom
    }

    /// Parses an atom without brackets.
    private mutating func bareAtom() -> AtomTest? {
        let (first, second) = (peek(), peek(1))
        func element(_ element: ChemicalElement) -> AtomTest { .aliphaticElement(element.rawValue) }
        func aromatic(_ element: ChemicalElement) -> AtomTest { .aromaticElement(element.rawValue) }
        index += 1
        switch first {
        case UInt8(ascii: "*"): return .any
        case UInt8(ascii: "A"): return .aliphatic
        case UInt8(ascii: "a"): return .aromatic
        case UInt8(ascii: "B"):
            if second == UInt8(ascii: "r") {
                index += 1
                return element(.bromine)
            }
            return element(.boron)
        case UInt8(ascii: "C"):
            if second == UInt8(ascii: "l") {
                index += 1
                return element(.chlorine)
            }
            return element(.carbon)
        case UInt8(ascii: "N"): return element(.nitrogen)
        case UInt8(ascii: "O"): return element(.oxygen)
        case UInt8(ascii: "P"): return element(.phosphorus)
        case UInt8(ascii: "S"): return element(.sulfur)
        case UInt8(ascii: "F"): return element(.fluorine)
        case UInt8(ascii: "I"): return element(.iodine)
        case UInt8(ascii: "b"): return aromatic(.boron)
        case UInt8(ascii: "c"): return aromatic(.carbon)
        case UInt8(ascii: "n"): return aromatic(.nitrogen)
        case UInt8(ascii: "o"): return aromatic(.oxygen)
        case UInt8(ascii: "p"): return aromatic(.phosphorus)
        case UInt8(ascii: "s"): return aromatic(.sulfur)
        default:
            index -= 1
            return nil
        }
    }

    // MARK: Bracket atoms

    private mutating func parseBracket(into atom: inout QueryGraph.Atom) throws(SMARTSError) {
        let start = index
        index += 1
        if parseHydrogen(into: &atom) { return }
        var join = Expression<AtomTest>.Join.and
        var isNegated = false
        var wantsTest = true
        while true {
            if isAtEnd { throw fault("a ] that closes this atom", at: start..<start + 1) }
            switch peek() {
            case UInt8(ascii: "]"):
                if wantsTest { throw fault("a property of the atom", at: index..<index + 1) }
                index += 1
                if atom.expression.literals.isEmpty { atom.expression = Expression(.any) }
                atom.hasImpliedHydrogen =
                    (atom.chirality != .none || atom.coordination != nil)
                    && atom.expression.literals.contains { $0.test == .hydrogens(Bounds(1)) && !$0.isNegated }
                return
            case UInt8(ascii: "!"):
                isNegated.toggle()
                wantsTest = true
                index += 1
            case UInt8(ascii: "&"), UInt8(ascii: ","), UInt8(ascii: ";"):
                if wantsTest { throw fault("a property of the atom", at: index..<index + 1) }
                join =
                    peek() == UInt8(ascii: "&") ? .and : peek() == UInt8(ascii: ",") ? .alternative : .clause
                wantsTest = true
                index += 1
            case UInt8(ascii: "@"):
                try parseChirality(into: &atom, isPlain: !isNegated && join != .alternative)
                isNegated = false
                wantsTest = false
            case UInt8(ascii: ":"):
                let place = index
                index += 1
                guard let number = try number(limit: 999_999) else {
                    throw fault("a number after :", at: place..<index)
                }
                atom.mapNumber = number
                wantsTest = false
            default:
                guard let test = try primitive() else {
                    throw fault("a property of the atom or ]", at: index..<index + 1)
                }
                atom.expression.append(test, isNegated: isNegated, joinedBy: join)
                isNegated = false
                wantsTest = false
                join = .and
            }
        }
    }

    /// Parses `[H]`, `[2H]`, `[H+]` and `[H:1]`. Here, H is the element rather than a hydrogen count.
    private mutating func parseHydrogen(into atom: inout QueryGraph.Atom) -> Bool {
        let start = index
        defer { if atom.expression.literals.isEmpty { index = start } }
        var found = atom
        guard let isotope = try? number() ?? 0, peek() == UInt8(ascii: "H") else { return false }
        index += 1
        if isotope > 0 {
            found.expression.append(.isotope(UInt16(clamping: isotope)), isNegated: false, joinedBy: .and)
        }
        found.expression.append(.element(1), isNegated: false, joinedBy: .and)
        if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") {
            guard let charge = try? chargeTest() else { return false }
            found.expression.append(charge, isNegated: false, joinedBy: .and)
        }
        if peek() == UInt8(ascii: ":") {
            index += 1
            guard let number = try? number(limit: 999_999) else { return false }
            found.mapNumber = number
        }
        guard peek() == UInt8(ascii: "]") else { return false }
        index += 1
        atom = found
        return true
    }

    private mutating func parseChirality(into atom: inout QueryGraph.Atom, isPlain: Bool) throws(SMARTSError) {
        let start = index
        index += 1
        var isClockwise = false
        if peek() == UInt8(ascii: "@") {
            isClockwise = true
            index += 1
        } else if peek() == UInt8(ascii: "T"), peek(1) == UInt8(ascii: "H"), let number = digit(index + 2) {
            index += 3
            guard 1...2 ~= number else { throw fault("@TH1 or @TH2", at: start..<index) }
            isClockwise = number == 2
        } else if UInt8(ascii: "A")...UInt8(ascii: "Z") ~= peek(), UInt8(ascii: "A")...UInt8(ascii: "Z") ~= peek(1) {
            if let shape = AtomNote.Configuration.Shape(letters: (peek(), peek(1))), shape != .allene {
                return try parse(shape, from: start, into: &atom, isPlain: isPlain)
            }
            if peek() != UInt8(ascii: "H") {
                throw fault("@, @@, @TH, @SP, @TB or @OH", at: start..<index + 2)
            }
        }
        var isUnsure = false
        if peek() == UInt8(ascii: "?") {
            isUnsure = true
            index += 1
        }
        guard isPlain, atom.chirality == .none, atom.coordination == nil else {
            throw fault("a single configuration, without ! and ,", at: start..<index)
        }
        atom.chirality =
            isClockwise
            ? isUnsure ? .clockwiseOrUnknown : .clockwise : isUnsure ? .anticlockwiseOrUnknown : .anticlockwise
    }

    /// Parses a configuration such as `@SP1`, except its `@`.
    private mutating func parse(
        _ shape: AtomNote.Configuration.Shape, from start: Int, into atom: inout QueryGraph.Atom, isPlain: Bool
    ) throws(SMARTSError) {
        index += 2
        guard let number = try number(limit: Int32(shape.arrangementCount)), number > 0 else {
            throw fault("a number from 1 to \(shape.arrangementCount) after @\(shape.code)", at: start..<index)
        }
        guard isPlain, atom.chirality == .none, atom.coordination == nil else {
            throw fault("a single configuration, without ! and ,", at: start..<index)
        }
        atom.coordination = QueryGraph.Coordination(shape: shape, arrangement: Int(number), neighbors: nil)
    }

    // MARK: Primitives

    private mutating func primitive() throws(SMARTSError) -> AtomTest? {
        let start = index
        if let isotope = try number() { return .isotope(UInt16(clamping: isotope)) }
        // Check symbols of two letters before properties of one letter.
        if let symbol = elementOfTwoLetters() { return symbol }
        switch peek() {
        case UInt8(ascii: "$"):
            guard peek(1) == UInt8(ascii: "(") else { return nil }
            index += 2
            return .recursion(try recursion(from: start))
        case UInt8(ascii: "#"):
            index += 1
            guard let number = try number(limit: 118) else {
                throw fault("an atomic number after #", at: start..<index)
            }
            return .element(UInt8(truncatingIfNeeded: number))
        case UInt8(ascii: "+"), UInt8(ascii: "-"): return try chargeTest()
        case UInt8(ascii: "^"):
            index += 1
            let kinds: [Hybridisation] = [.s, .sp, .sp2, .sp3, .sp3d, .sp3d2]
            guard let number = digit(index), number < kinds.count else {
                throw fault("a number from 0 to 5 after ^", at: start..<min(index + 1, bytes.count))
            }
            index += 1
            return .hybridisation(kinds[number])
        case UInt8(ascii: "D"): return .degree(try count(orElse: Bounds(1)))
        case UInt8(ascii: "d"): return .heavyDegree(try count(orElse: Bounds(1)))
        case UInt8(ascii: "X"): return .connections(try count(orElse: Bounds(1)))
        case UInt8(ascii: "v"): return .valence(try count(orElse: Bounds(1)))
        case UInt8(ascii: "H"): return .hydrogens(try count(orElse: Bounds(1)))
        case UInt8(ascii: "h"): return .impliedHydrogens(try count(orElse: .some))
        case UInt8(ascii: "x"): return .ringBonds(try count(orElse: .some))
        case UInt8(ascii: "R"): return .rings(try count(orElse: .some))
        case UInt8(ascii: "r"): return .smallestRing(try count(orElse: .some))
        case UInt8(ascii: "k"): return .ringSize(try count(orElse: .some))
        case UInt8(ascii: "z"): return .heteroatoms(try count(orElse: .some))
        case UInt8(ascii: "Z"): return .aliphaticHeteroatoms(try count(orElse: .some))
        case let byte where UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte || byte == UInt8(ascii: "*"):
            if let atom = bareAtom() { return atom }
            let element = ChemicalElement.element(ofSymbol: byte, 0)
            if element == .none { return nil }
            index += 1
            return .aliphaticElement(element.rawValue)
        default: return bareAtom()
        }
    }

    /// Parses an element with a symbol of two letters, unless the second letter begins a property.
    private mutating func elementOfTwoLetters() -> AtomTest? {
        let (first, second) = (peek(), peek(1))
        if UInt8(ascii: "A")...UInt8(ascii: "Z") ~= first, UInt8(ascii: "a")...UInt8(ascii: "z") ~= second {
            let element = ChemicalElement.element(ofSymbol: first, second)
            if element == .none { return nil }
            index += 2
            return .aliphaticElement(element.rawValue)
        }
        let aromatic: ChemicalElement
        switch (first, second) {
        case (UInt8(ascii: "s"), UInt8(ascii: "e")): aromatic = .selenium
        case (UInt8(ascii: "a"), UInt8(ascii: "s")): aromatic = .arsenic
        case (UInt8(ascii: "t"), UInt8(ascii: "e")): aromatic = .tellurium
        case (UInt8(ascii: "s"), UInt8(ascii: "i")): aromatic = .silicon
        default: return nil
        }
        index += 2
        return .aromaticElement(aromatic.rawValue)
    }

    /// Parses `+`, `++`, `+2`, `+{1-2}`, and the same with `-`.
    private mutating func chargeTest() throws(SMARTSError) -> AtomTest {
        let sign = peek()
        let factor: Int32 = sign == UInt8(ascii: "+") ? 1 : -1
        index += 1
        if peek() == UInt8(ascii: "{") {
            let bounds = try range()
            return .charge(factor > 0 ? bounds : Bounds(bounds.high == .max ? -.max : -bounds.high, -bounds.low))
        }
        if let number = try number() { return .charge(Bounds(factor * number)) }
        var number: Int32 = 1
        while peek() == sign, number < 100 {
            number += 1
            index += 1
        }
        return .charge(Bounds(factor * number))
    }

    /// Parses the number or range after a letter.
    private mutating func count(orElse usual: Bounds) throws(SMARTSError) -> Bounds {
        index += 1
        if peek() == UInt8(ascii: "{") { return try range() }
        return try number().map { Bounds($0) } ?? usual
    }

    /// Parses a range: `{2-4}`, `{2-}` or `{-4}`.
    private mutating func range() throws(SMARTSError) -> Bounds {
        let start = index
        index += 1
        let low = try number()
        guard peek() == UInt8(ascii: "-") else { throw fault("a range such as {2-4}", at: start..<index + 1) }
        index += 1
        let high = try number()
        guard peek() == UInt8(ascii: "}"), low != nil || high != nil else {
            throw fault("a range such as {2-4}", at: start..<index + 1)
        }
        index += 1
        let bounds = Bounds(low ?? 0, high ?? .max)
        if bounds.low > bounds.high { throw fault("a range in ascending order", at: start..<index) }
        return bounds
    }
}
