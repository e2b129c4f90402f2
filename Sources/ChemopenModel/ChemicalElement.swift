/// A chemical element: an atomic number in a byte.
///
///     let chlorine = ChemicalElement(symbol: "Cl")
///     chlorine == .chlorine                // true
///     chlorine?.averageMass                // 35.45
///     ChemicalElement(symbol: "CL")        // nil: case counts
///
/// `ChemicalElement.none`, number 0, stands where an atom is no element: an R site, a query, a label.
public struct ChemicalElement: RawRepresentable, Hashable, Sendable {
    /// The atomic number, 0 to 118.
    public let rawValue: UInt8

    /// The element of an atomic number: 0 is `none`, above 118 there is nothing.
    @inlinable
    public init?(rawValue: UInt8) {
        guard rawValue <= 118 else { return nil }
        self.rawValue = rawValue
    }

    /// The element that a symbol spells exactly: `Cl`, neither `CL` nor `cl`.
    public init?(symbol: String) {
        var letters = symbol.utf8.makeIterator()
        guard let first = letters.next() else { return nil }
        let second = letters.next()
        guard letters.next() == nil, second != UInt8(ascii: " "), second != 0 else { return nil }
        self = Self.element(ofSymbol: first, second ?? 0)
        guard self != .none else { return nil }
    }

    /// An element whose number is known to be one.
    @inlinable
    init(number: UInt8) {
        rawValue = number
    }

    /// The element whose symbol is two bytes of ASCII, the second 0 or a blank where the symbol has one letter.
    ///
    /// What spells no element exactly is `none`.
    package static func element(ofSymbol first: UInt8, _ second: UInt8) -> ChemicalElement {
        guard let place = ElementTable.place(ofSymbol: first, second) else { return .none }
        return ChemicalElement(number: ElementTable.numbers[place])
    }
}

extension ChemicalElement {
    /// The symbol, `Cl`; empty for `none`.
    public var symbol: String {
        let (first, second) = symbolBytes
        guard first != 0 else { return "" }
        var symbol = String(Unicode.Scalar(first))
        if second != 0 { symbol.unicodeScalars.append(Unicode.Scalar(second)) }
        return symbol
    }

    /// The symbol in ASCII; the second byte is 0 where the symbol has one letter, both are for `none`.
    package var symbolBytes: (UInt8, UInt8) {
        let row = row
        return (row.firstLetter, row.secondLetter)
    }

    /// Adds the symbol to a text in ASCII; nothing for `none`.
    package func appendSymbol(to text: inout [UInt8]) {
        let (first, second) = symbolBytes
        guard first != 0 else { return }
        text.append(first)
        if second != 0 { text.append(second) }
    }
}

extension ChemicalElement {
    /// The standard atomic weight, as IUPAC abridges it to five digits; 0 for `none`.
    ///
    /// An element without one, such as technetium, weighs the mass number of its longest-lived isotope.
    public var averageMass: Double { row.averageMass }

    /// The mass number of the most abundant isotope, of the longest-lived where none occurs in nature.
    public var commonIsotope: Int { Int(row.commonIsotope) }

    /// The mass of an atom of the most abundant isotope.
    public var monoisotopicMass: Double {
        isotopeMass(commonIsotope) ?? Double(row.commonIsotope)
    }

    /// The average mass as a whole number, from which the atom line of a molfile counts its mass difference.
    ///
    ///     ChemicalElement.bromine.roundedWeight    // 80, though no bromine atom of mass 80 is stable
    public var roundedWeight: Int { Int(averageMass.rounded()) }

    private var row: ElementTable.Row { ElementTable.rows[Int(rawValue)] }
}

extension ChemicalElement: CustomStringConvertible {
    public var description: String { symbol }
}

extension ChemicalElement {
    /// No element.
    public static let none = ChemicalElement(number: 0)

    public static let hydrogen = ChemicalElement(number: 1)
    public static let helium = ChemicalElement(number: 2)
    public static let lithium = ChemicalElement(number: 3)
    public static let beryllium = ChemicalElement(number: 4)
    public static let boron = ChemicalElement(number: 5)
    public static let carbon = ChemicalElement(number: 6)
    public static let nitrogen = ChemicalElement(number: 7)
    public static let oxygen = ChemicalElement(number: 8)
    public static let fluorine = ChemicalElement(number: 9)
    public static let neon = ChemicalElement(number: 10)
    public static let sodium = ChemicalElement(number: 11)
    public static let magnesium = ChemicalElement(number: 12)
    public static let aluminium = ChemicalElement(number: 13)
    public static let silicon = ChemicalElement(number: 14)
    public static let phosphorus = ChemicalElement(number: 15)
    public static let sulfur = ChemicalElement(number: 16)
    public static let chlorine = ChemicalElement(number: 17)
    public static let argon = ChemicalElement(number: 18)
    public static let potassium = ChemicalElement(number: 19)
    public static let calcium = ChemicalElement(number: 20)
    public static let scandium = ChemicalElement(number: 21)
    public static let titanium = ChemicalElement(number: 22)
    public static let vanadium = ChemicalElement(number: 23)
    public static let chromium = ChemicalElement(number: 24)
    public static let manganese = ChemicalElement(number: 25)
    public static let iron = ChemicalElement(number: 26)
    public static let cobalt = ChemicalElement(number: 27)
    public static let nickel = ChemicalElement(number: 28)
    public static let copper = ChemicalElement(number: 29)
    public static let zinc = ChemicalElement(number: 30)
    public static let gallium = ChemicalElement(number: 31)
    public static let germanium = ChemicalElement(number: 32)
    public static let arsenic = ChemicalElement(number: 33)
    public static let selenium = ChemicalElement(number: 34)
    public static let bromine = ChemicalElement(number: 35)
    public static let krypton = ChemicalElement(number: 36)
    public static let rubidium = ChemicalElement(number: 37)
    public static let strontium = ChemicalElement(number: 38)
    public static let yttrium = ChemicalElement(number: 39)
    public static let zirconium = ChemicalElement(number: 40)
    public static let niobium = ChemicalElement(number: 41)
    public static let molybdenum = ChemicalElement(number: 42)
    public static let technetium = ChemicalElement(number: 43)
    public static let ruthenium = ChemicalElement(number: 44)
    public static let rhodium = ChemicalElement(number: 45)
    public static let palladium = ChemicalElement(number: 46)
    public static let silver = ChemicalElement(number: 47)
    public static let cadmium = ChemicalElement(number: 48)
    public static let indium = ChemicalElement(number: 49)
    public static let tin = ChemicalElement(number: 50)
    public static let antimony = ChemicalElement(number: 51)
    public static let tellurium = ChemicalElement(number: 52)
    public static let iodine = ChemicalElement(number: 53)
    public static let xenon = ChemicalElement(number: 54)
    public static let caesium = ChemicalElement(number: 55)
    public static let barium = ChemicalElement(number: 56)
    public static let lanthanum = ChemicalElement(number: 57)
    public static let cerium = ChemicalElement(number: 58)
    public static let praseodymium = ChemicalElement(number: 59)
    public static let neodymium = ChemicalElement(number: 60)
    public static let promethium = ChemicalElement(number: 61)
    public static let samarium = ChemicalElement(number: 62)
    public static let europium = ChemicalElement(number: 63)
    public static let gadolinium = ChemicalElement(number: 64)
    public static let terbium = ChemicalElement(number: 65)
    public static let dysprosium = ChemicalElement(number: 66)
    public static let holmium = ChemicalElement(number: 67)
    public static let erbium = ChemicalElement(number: 68)
    public static let thulium = ChemicalElement(number: 69)
    public static let ytterbium = ChemicalElement(number: 70)
    public static let lutetium = ChemicalElement(number: 71)
    public static let hafnium = ChemicalElement(number: 72)
    public static let tantalum = ChemicalElement(number: 73)
    public static let tungsten = ChemicalElement(number: 74)
    public static let rhenium = ChemicalElement(number: 75)
    public static let osmium = ChemicalElement(number: 76)
    public static let iridium = ChemicalElement(number: 77)
    public static let platinum = ChemicalElement(number: 78)
    public static let gold = ChemicalElement(number: 79)
    public static let mercury = ChemicalElement(number: 80)
    public static let thallium = ChemicalElement(number: 81)
    public static let lead = ChemicalElement(number: 82)
    public static let bismuth = ChemicalElement(number: 83)
    public static let polonium = ChemicalElement(number: 84)
    public static let astatine = ChemicalElement(number: 85)
    public static let radon = ChemicalElement(number: 86)
    public static let francium = ChemicalElement(number: 87)
    public static let radium = ChemicalElement(number: 88)
    public static let actinium = ChemicalElement(number: 89)
    public static let thorium = ChemicalElement(number: 90)
    public static let protactinium = ChemicalElement(number: 91)
    public static let uranium = ChemicalElement(number: 92)
    public static let neptunium = ChemicalElement(number: 93)
    public static let plutonium = ChemicalElement(number: 94)
    public static let americium = ChemicalElement(number: 95)
    public static let curium = ChemicalElement(number: 96)
    public static let berkelium = ChemicalElement(number: 97)
    public static let californium = ChemicalElement(number: 98)
    public static let einsteinium = ChemicalElement(number: 99)
    public static let fermium = ChemicalElement(number: 100)
    public static let mendelevium = ChemicalElement(number: 101)
    public static let nobelium = ChemicalElement(number: 102)
    public static let lawrencium = ChemicalElement(number: 103)
    public static let rutherfordium = ChemicalElement(number: 104)
    public static let dubnium = ChemicalElement(number: 105)
    public static let seaborgium = ChemicalElement(number: 106)
    public static let bohrium = ChemicalElement(number: 107)
    public static let hassium = ChemicalElement(number: 108)
    public static let meitnerium = ChemicalElement(number: 109)
    public static let darmstadtium = ChemicalElement(number: 110)
    public static let roentgenium = ChemicalElement(number: 111)
    public static let copernicium = ChemicalElement(number: 112)
    public static let nihonium = ChemicalElement(number: 113)
    public static let flerovium = ChemicalElement(number: 114)
    public static let moscovium = ChemicalElement(number: 115)
    public static let livermorium = ChemicalElement(number: 116)
    public static let tennessine = ChemicalElement(number: 117)
    public static let oganesson = ChemicalElement(number: 118)
}
