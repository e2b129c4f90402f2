import ChemopenModel

/// Letters on the same level.
struct Piece: Equatable {
    var text: String
    var script: Picture.Letters.Script = .normal
    /// Whether the piece is a charge or a mass number, which is not moved when a label is reversed.
    var isMark = false
}

/// A label such as `CO2Et`, parsed into units that can be written in reverse order: `EtO2C`.
struct LabelText {
    /// The groups of pieces that must not be separated: `C`, `O2`, `Et`, `(CH2)3`.
    private(set) var units: [[Piece]] = []
    private(set) var marks: [Piece] = []
    /// Whether all units were recognized. If so, the label can be reversed.
    private(set) var isTurnable = true

    init(_ text: String) {
        let scalars = Array(text.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }.prefix(60))
        if let number = Self.numberOfRGroup(scalars) {
            units = [[Piece(text: "R"), Piece(text: number, script: .raised)]]
        } else if scalars.contains("{") || scalars.contains("|") {
            readMarkup(scalars)
        } else {
            readPlain(scalars)
        }
    }

    /// Returns the pieces from left to right.
    func pieces(turned isTurned: Bool) -> [Piece] {
        guard isTurned, isTurnable else { return units.flatMap { $0 } + marks }
        return marks + units.reversed().flatMap { $0 }
    }

    private static func numberOfRGroup(_ scalars: [Unicode.Scalar]) -> String? {
        guard scalars.count > 1, scalars.count < 5, scalars[0] == "R" else { return nil }
        guard scalars.dropFirst().allSatisfy({ $0.isDigit }) else { return nil }
        return string(scalars[1...])
    }

    /// Reads SketchEl's markup: `{}` for subscripts, `{^}` for superscripts, and `|` between units.
    private mutating func readMarkup(_ scalars: [Unicode.Scalar]) {
        var unit: [Piece] = []
        var run: [Unicode.Scalar] = []
        var script = Picture.Letters.Script.normal
        func ended() -> [Piece] { run.isEmpty ? [] : [Piece(text: Self.string(run[...]), script: script)] }
        for (place, scalar) in scalars.enumerated() {
            switch scalar {
            case "{":
                unit += ended()
                run = []
                script = place + 1 < scalars.count && scalars[place + 1] == "^" ? .raised : .lowered
            case "}":
                unit += ended()
                run = []
                script = .normal
            case "^" where place > 0 && scalars[place - 1] == "{": break
            case "|":
                unit += ended()
                run = []
                if !unit.isEmpty { units.append(unit) }
                unit = []
            default: run.append(scalar)
            }
        }
        unit += ended()
        if !unit.isEmpty { units.append(unit) }
        if units.count == 1, scalars.contains("{"), !scalars.contains("|") { isTurnable = true }
    }

    private mutating func readPlain(_ scalars: [Unicode.Scalar]) {
        var rest = scalars[...]
        if rest.count > 1, let last = rest.last, last == "+" || last == "-" || last == "\u{2212}",
            rest.dropLast().last.map({ $0.isLetter || $0.isDigit || $0 == ")" }) == true
        {
            marks = [Piece(text: last == "+" ? "+" : "\u{2212}", script: .raised, isMark: true)]
            rest.removeLast()
        }
        while let first = rest.first {
            var length = UnitNames.length(of: rest)
            if length == 0, first == "(" || first == "[" { length = Self.lengthOfBrackets(rest) }
            if length == 0 {
                isTurnable = false
                length = 1
            }
            var unit = Self.pieces(in: rest.prefix(length))
            let isResidue = UnitNames.isResidue(rest.prefix(length))
            rest = rest.dropFirst(length)
            let isAlone = units.isEmpty && rest.isEmpty
            if !isAlone, let name = unit.first?.text, UnitNames.isVague(name) { isTurnable = false }
            let digits = rest.prefix { $0.isDigit }
            let isAfterLetter = first.isLetter || first == "(" || first == "["
            if !digits.isEmpty, isAfterLetter {
                unit.append(Piece(text: Self.string(digits), script: isResidue ? .normal : .lowered))
                rest = rest.dropFirst(digits.count)
            }
            units.append(unit)
        }
    }

    private static func lengthOfBrackets(_ scalars: ArraySlice<Unicode.Scalar>) -> Int {
        var depth = 0
        for (place, scalar) in scalars.enumerated() {
            if scalar == "(" || scalar == "[" { depth += 1 }
            if scalar == ")" || scalar == "]" { depth -= 1 }
            if depth == 0 { return place + 1 }
        }
        return 0
    }

    /// Returns the pieces of a unit. Text in brackets is not reversed, and the numbers in it are subscripts.
    private static func pieces(in scalars: ArraySlice<Unicode.Scalar>) -> [Piece] {
        guard scalars.first == "(" || scalars.first == "[" else { return [Piece(text: string(scalars))] }
        var pieces: [Piece] = []
        var run: [Unicode.Scalar] = []
        var isNumber = false
        for scalar in scalars {
            let startsNumber = scalar.isDigit && (isNumber || run.last.map { $0.isLetter || $0 == ")" } == true)
            if startsNumber != isNumber, !run.isEmpty {
                pieces.append(Piece(text: string(run[...]), script: isNumber ? .lowered : .normal))
                run = []
            }
            isNumber = startsNumber
            run.append(scalar)
        }
        if !run.isEmpty { pieces.append(Piece(text: string(run[...]), script: isNumber ? .lowered : .normal)) }
        return pieces
    }

    static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }
}

extension Unicode.Scalar {
    var isDigit: Bool { 0x30...0x39 ~= value }
    var isLetter: Bool { properties.isAlphabetic }
}

/// Names that must not be split within a label.
private enum UnitNames {
    private static let groups: Set<String> = [
        "Me", "Et", "Pr", "Bu", "Am", "Hex", "Oct", "Ph", "Bn", "Bz", "Ac", "Ar", "Cy", "Cp", "Tol", "Mes", "Naph",
        "Boc", "Cbz", "Fmoc", "Alloc", "Troc", "Teoc", "Moc", "Piv", "Ts", "Tos", "Ms", "Tf", "Ns", "TMS", "TES",
        "TBS", "TBDMS", "TBDPS", "TIPS", "TPS", "MOM", "MEM", "SEM", "BOM", "THP", "PMB", "DMB", "DMT", "MMT", "Tr",
        "Trt", "TFA", "Py", "Im", "Vin", "Allyl", "Pin", "pin", "Bpin", "R", "X", "Q", "A", "Z", "G", "iPr", "nPr",
        "cPr", "tBu", "nBu", "iBu", "sBu", "i-Pr", "n-Pr", "c-Pr", "t-Bu", "n-Bu", "i-Bu", "s-Bu", "Su", "Bt", "At",
        "Gly", "Ala", "Val", "Leu", "Ile", "Pro", "Phe", "Tyr", "Trp", "Ser", "Thr", "Cys", "Met", "Asn", "Gln", "Asp",
        "Glu", "Lys", "Arg", "His", "Xan", "Dan", "CoA", "Phth", "acac", "dppf", "dba", "cod", "bpy", "Nu", "LG", "Pg",
    ]

    private static let residues: Set<String> = [
        "Gly", "Ala", "Val", "Leu", "Ile", "Pro", "Phe", "Tyr", "Trp", "Ser", "Thr", "Cys", "Met", "Asn", "Gln", "Asp",
        "Glu", "Lys", "Arg", "His",
    ]

    /// Returns the length of the name at the beginning of a text: the longest known group, or else an element, or
    /// else 0.
    static func length(of scalars: ArraySlice<Unicode.Scalar>) -> Int {
        for length in stride(from: min(5, scalars.count), through: 1, by: -1) {
            let name = LabelText.string(scalars.prefix(length))
            let isWhole = scalars.dropFirst(length).first.map { !(0x61...0x7A ~= $0.value) } ?? true
            guard isWhole else { continue }
            if groups.contains(name) || ChemicalElement(symbol: name) != nil || name == "D" || name == "T" {
                return length
            }
        }
        return 0
    }

    /// Whether a letter is more likely to be part of a name than of a formula. For example, `CAQ` must not become
    /// `QAC`.
    static func isVague(_ name: String) -> Bool { ["A", "G", "Q", "T", "Z"].contains(name) }

    static func isResidue(_ scalars: ArraySlice<Unicode.Scalar>) -> Bool {
        residues.contains(LabelText.string(scalars))
    }
}
