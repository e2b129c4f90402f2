import ChemopenModel

/// A part of a label and its count: `O2`, `Et`, `(CH2)3`.
struct LabelUnit {
    indirect enum Part {
        case element(ChemicalElement, isotope: Int)
        case hydrogen
        case group(String, bonds: Int)
        case bracket([LabelUnit])
        /// A bond that is written in the label.
        case bond(Int)
    }

    var part: Part
    var count = 1
    /// The charge that follows the unit.
    var charge = 0

    /// Whether each atom or group of the unit has only one bond.
    var isEnd: Bool {
        switch part {
        case .element(let element, _): [.hydrogen, .fluorine, .chlorine, .bromine, .iodine].contains(element)
        case .group, .hydrogen: true
        case .bracket, .bond: false
        }
    }
}

/// The units of a label, and the charge at its end.
struct LabelTokens {
    private(set) var units: [LabelUnit] = []
    var charge = 0

    private let letters: [Unicode.Scalar]
    private var place = 0
    private let knowsFormulas: Bool

    /// The maximum length of a formula.
    static let mostLetters = 40

    /// Creates the units of a text, or returns nil if the text contains anything except elements, groups and numbers.
    ///
    /// - Parameter knowsFormulas: Whether to read `NO2` as a group instead of single atoms.
    init?(_ letters: [Unicode.Scalar], knowsFormulas: Bool) {
        guard !letters.isEmpty, letters.count <= Self.mostLetters else { return nil }
        self.letters = letters
        self.knowsFormulas = knowsFormulas
        guard let found = readUnits(depth: 0), place == letters.count, !found.isEmpty else { return nil }
        units = found
    }

    /// Returns the letters of a label in plain ASCII, with `@` for the dot of a salt. Subscripts and superscripts
    /// become normal digits and signs.
    static func letters(of text: String) -> [Unicode.Scalar] {
        var letters = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar.value {
            case 0x2080...0x2089: Unicode.Scalar(UInt8(scalar.value - 0x2080 + 0x30))
            case 0x2070, 0x2074...0x2079: Unicode.Scalar(UInt8(scalar.value - 0x2070 + 0x30))
            case 0xB9: "1"
            case 0xB2: "2"
            case 0xB3: "3"
            case 0x2212, 0x2013, 0x207B, 0x2011, 0xAD: "-"
            case 0x207A: "+"
            case 0x2022, 0xB7, 0x2219, 0x22C5: "@"
            case 0xA0, 0x2009, 0x202F, 0x09, 0x0A, 0x0D: " "
            case 0x2261: "#"
            default: scalar
            }
        }
        while letters.last == " " { letters.removeLast() }
        return Array(letters.drop { $0 == " " })
    }

    // MARK: Reading

    private var next: Unicode.Scalar? { place < letters.count ? letters[place] : nil }

    private mutating func readUnits(depth: Int) -> [LabelUnit]? {
        var units: [LabelUnit] = []
        while let letter = next, letter != ")", letter != "]" {
            if let (charge, length) = sign(), depth == 0, !units.isEmpty {
                if place + length == letters.count {
                    place += length
                    self.charge = charge
                    return units
                }
                if case .element? = units.last?.part, letter != "-" {
                    place += length
                    units[units.count - 1].charge = charge
                    continue
                }
            }
            guard var unit = readPart(isFirst: units.isEmpty, depth: depth) else { return nil }
            if case .bond = unit.part {
                units.append(unit)
                continue
            }
            guard let count = readCount() else { return nil }
            unit.count = count
            units.append(unit)
        }
        if case .bond? = units.last?.part { return nil }
        return units
    }

    /// Returns the charge at the current position, such as `+` or `-2`, and its length. A number that precedes a sign
    /// is handled later, for metal ions.
    private func sign() -> (charge: Int, length: Int)? {
        guard let letter = next else { return nil }
        if letter == "+" || letter == "-" {
            let number = letter == "+" ? 1 : -1
            var length = 1
            while place + length < letters.count, letters[place + length] == letter { length += 1 }
            if place + length + 1 == letters.count, let digit = Self.digit(letters[place + length]), length == 1,
                1...4 ~= digit
            {
                return (number * digit, 2)
            }
            return length <= 4 ? (number * length, length) : nil
        }
        return nil
    }

    private mutating func readPart(isFirst: Bool, depth: Int) -> LabelUnit? {
        guard let letter = next else { return nil }
        switch letter {
        case "(", "[":
            guard depth < 4 else { return nil }
            place += 1
            guard let inner = readUnits(depth: depth + 1), !inner.isEmpty, next == (letter == "(" ? ")" : "]") else {
                return nil
            }
            place += 1
            return LabelUnit(part: .bracket(inner))
        case "=", "#", "-":
            place += 1
            return isFirst && depth == 0 ? nil : LabelUnit(part: .bond(letter == "=" ? 2 : letter == "#" ? 3 : 1))
        default: break
        }
        if isFirst, Self.digit(letter) != nil { return readIsotope() }
        if let name = groupName(at: place) {
            place += name.unicodeScalars.count
            let bonds = LabelGroups.group(name)?.hasPrefix("*1") == true ? 2 : 1
            return LabelUnit(part: .group(name, bonds: bonds))
        }
        return readElement(isotope: 0)
    }

    /// Returns the longest group name at an index that is not followed by a lower-case letter.
    private func groupName(at place: Int) -> String? {
        for length in stride(from: min(LabelGroups.longest, letters.count - place), through: 2, by: -1) {
            let end = place + length
            if end < letters.count, "a"..."z" ~= letters[end] { continue }
            var name = String.UnicodeScalarView()
            name.append(contentsOf: letters[place..<end])
            let string = String(name)
            guard LabelGroups.group(string) != nil else { continue }
            if LabelGroups.isFormula(string) {
                // A digit after the name would extend its last number. `O2N` is a nitro group only at the start, not
                // in `SO2NH2`.
                let isFirst = place == 0 || string != "O2N"
                guard knowsFormulas, isFirst, end == letters.count || Self.digit(letters[end]) == nil else { continue }
            }
            return string
        }
        return nil
    }

    private mutating func readIsotope() -> LabelUnit? {
        guard let mass = readNumber(), mass > 1 else { return nil }
        return readElement(isotope: mass)
    }

    private mutating func readElement(isotope: Int) -> LabelUnit? {
        guard let first = next, "A"..."Z" ~= first else { return nil }
        var symbol = String(first)
        if place + 1 < letters.count, "a"..."z" ~= letters[place + 1] {
            symbol.unicodeScalars.append(letters[place + 1])
            // `NiPr2` is not nickel, and `Oi-Pr` does not start with an element named `Oi`.
            let isElement = ChemicalElement(symbol: symbol).map { LabelValence.isKnown($0) } ?? false
            if !isElement, groupName(at: place + 1) != nil { symbol = String(first) }
        }
        place += symbol.unicodeScalars.count
        if symbol == "D" || symbol == "T", isotope == 0 {
            return LabelUnit(part: .element(.hydrogen, isotope: symbol == "D" ? 2 : 3))
        }
        guard let element = ChemicalElement(symbol: symbol), element != .none, !Self.variables.contains(symbol) else {
            return nil
        }
        let number = Int(element.rawValue)
        if isotope != 0, !(number...3 * number + 2 ~= isotope) { return nil }
        if element == .hydrogen, isotope == 0 { return LabelUnit(part: .hydrogen) }
        return LabelUnit(part: .element(element, isotope: isotope))
    }

    /// Element symbols that usually mean a variable or a group.
    private static let variables: Set<String> = ["Ar", "Y", "Pr", "Ac", "Np", "No", "Lr", "Md", "Nd", "Tm", "Es", "Cm"]

    /// Reads the count after a unit: 1 if there is none, nil if it is invalid.
    private mutating func readCount() -> Int? {
        guard let letter = next, Self.digit(letter) != nil else { return 1 }
        guard letter != "0", let number = readNumber(), 2...20 ~= number else { return nil }
        return number
    }

    private mutating func readNumber() -> Int? {
        var number = 0
        var length = 0
        while let letter = next, let digit = Self.digit(letter) {
            number = number * 10 + digit
            place += 1
            length += 1
            if length > 3 { return nil }
        }
        return length > 0 ? number : nil
    }

    private static func digit(_ letter: Unicode.Scalar) -> Int? {
        "0"..."9" ~= letter ? Int(letter.value) - 0x30 : nil
    }
}
