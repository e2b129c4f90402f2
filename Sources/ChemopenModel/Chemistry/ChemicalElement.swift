/// A chemical element, stored as its atomic number in one byte.
///
///     let chlorine = ChemicalElement(symbol: "Cl")
///     chlorine == .chlorine                // true
///     chlorine?.averageMass                // 35.45
///     ChemicalElement(symbol: "CL")        // nil: case counts
///
/// Atoms that are not an element, such as R sites, query atoms and labels, use `ChemicalElement.none`, number 0.
public struct ChemicalElement: RawRepresentable, Hashable, Sendable {
    /// The atomic number, 0 to 118.
    public let rawValue: UInt8

    /// Creates an element from its atomic number, which is 0 for `.none`.
    ///
    /// - Returns: `nil` if the number is greater than 118.
    @inlinable
    public init?(rawValue: UInt8) {
        guard rawValue <= 118 else { return nil }
        self.rawValue = rawValue
    }

    /// Creates an element from its symbol. Case is significant: `Cl` is chlorine, but `CL` and `cl` are not.
    ///
    /// - Returns: `nil` if no element has exactly this symbol.
    public init?(symbol: String) {
        var letters = symbol.utf8.makeIterator()
        guard let first = letters.next() else { return nil }
        let second = letters.next()
        guard letters.next() == nil, second != UInt8(ascii: " "), second != 0 else { return nil }
        self = Self.element(ofSymbol: first, second ?? 0)
        guard self != .none else { return nil }
    }

    /// Creates an element from an atomic number without checking it; the caller must pass at most 118.
    @inlinable
    init(number: UInt8) {
        rawValue = number
    }

    /// Returns the element whose symbol consists of two ASCII bytes.
    ///
    /// For a symbol of one letter, the second byte is 0 or a space.
    ///
    /// - Returns: the element, or `.none` if no element has this exact symbol.
    package static func element(ofSymbol first: UInt8, _ second: UInt8) -> ChemicalElement {
        guard let place = ElementTable.place(ofSymbol: first, second) else { return .none }
        return ChemicalElement(number: ElementTable.numbers[place])
    }
}

extension ChemicalElement {
    /// The symbol, such as `Cl`; empty for `.none`.
    public var symbol: String {
        let (first, second) = symbolBytes
        guard first != 0 else { return "" }
        var symbol = String(Unicode.Scalar(first))
        if second != 0 { symbol.unicodeScalars.append(Unicode.Scalar(second)) }
        return symbol
    }

    /// The symbol as two ASCII bytes. The second byte is 0 for a symbol of one letter; both are 0 for `.none`.
    package var symbolBytes: (UInt8, UInt8) {
        let row = row
        return (row.firstLetter, row.secondLetter)
    }

    /// Appends the symbol in ASCII to `text`; appends no bytes for `.none`.
    package func appendSymbol(to text: inout [UInt8]) {
        let (first, second) = symbolBytes
        guard first != 0 else { return }
        text.append(first)
        if second != 0 { text.append(second) }
    }
}

extension ChemicalElement {
    /// The standard atomic weight, abridged to five digits by IUPAC; 0 for `.none`.
    ///
    /// An element without a standard atomic weight, such as technetium, has the mass number of its longest-lived
    /// isotope.
    public var averageMass: Double { row.averageMass }

    /// The mass number of the most abundant isotope, or of the longest-lived isotope if the element does not occur in
    /// nature.
    public var commonIsotope: Int { Int(row.commonIsotope) }

    /// The mass of an atom of the most abundant isotope.
    public var monoisotopicMass: Double {
        isotopeMass(commonIsotope) ?? Double(row.commonIsotope)
    }

    /// The average mass rounded to an integer; the mass difference in the atom line of a molfile is relative to it.
    ///
    ///     ChemicalElement.bromine.roundedWeight    // 80, though no bromine atom of mass 80 is stable
    public var roundedWeight: Int { Int(averageMass + 0.5) }

    private var row: ElementTable.Row { ElementTable.rows[Int(rawValue)] }
}

extension ChemicalElement {
    /// Whether the element is a metal in terms of the valence rules.
    ///
    /// All elements are metals except the noble gases and H, B, C, N, O, F, Si, P, S, Cl, Ge, As, Se, Br, Sb, Te, I and
    /// At.
    public var isMetal: Bool {
        switch self {
        case .none, .hydrogen, .helium, .boron, .carbon, .nitrogen, .oxygen, .fluorine, .neon, .silicon, .phosphorus,
            .sulfur, .chlorine, .argon, .germanium, .arsenic, .selenium, .bromine, .krypton, .antimony, .tellurium,
            .iodine, .xenon, .astatine, .radon, .oganesson:
            false
        default: true
        }
    }
}

extension ChemicalElement: Comparable {
    /// Returns whether the left element has the smaller atomic number.
    @inlinable
    public static func < (left: ChemicalElement, right: ChemicalElement) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension ChemicalElement: CustomStringConvertible {
    /// The symbol.
    public var description: String { symbol }
}

extension ChemicalElement {
    /// The value for atoms that are not an element.
    @inlinable public static var none: ChemicalElement { ChemicalElement(number: 0) }

    /// Hydrogen, element 1.
    @inlinable public static var hydrogen: ChemicalElement { ChemicalElement(number: 1) }
    /// Helium, element 2.
    @inlinable public static var helium: ChemicalElement { ChemicalElement(number: 2) }
    /// Lithium, element 3.
    @inlinable public static var lithium: ChemicalElement { ChemicalElement(number: 3) }
    /// Beryllium, element 4.
    @inlinable public static var beryllium: ChemicalElement { ChemicalElement(number: 4) }
    /// Boron, element 5.
    @inlinable public static var boron: ChemicalElement { ChemicalElement(number: 5) }
    /// Carbon, element 6.
    @inlinable public static var carbon: ChemicalElement { ChemicalElement(number: 6) }
    /// Nitrogen, element 7.
    @inlinable public static var nitrogen: ChemicalElement { ChemicalElement(number: 7) }
    /// Oxygen, element 8.
    @inlinable public static var oxygen: ChemicalElement { ChemicalElement(number: 8) }
    /// Fluorine, element 9.
    @inlinable public static var fluorine: ChemicalElement { ChemicalElement(number: 9) }
    /// Neon, element 10.
    @inlinable public static var neon: ChemicalElement { ChemicalElement(number: 10) }
    /// Sodium, element 11.
    @inlinable public static var sodium: ChemicalElement { ChemicalElement(number: 11) }
    /// Magnesium, element 12.
    @inlinable public static var magnesium: ChemicalElement { ChemicalElement(number: 12) }
    /// Aluminium, element 13.
    @inlinable public static var aluminium: ChemicalElement { ChemicalElement(number: 13) }
    /// Silicon, element 14.
    @inlinable public static var silicon: ChemicalElement { ChemicalElement(number: 14) }
    /// Phosphorus, element 15.
    @inlinable public static var phosphorus: ChemicalElement { ChemicalElement(number: 15) }
    /// Sulfur, element 16.
    @inlinable public static var sulfur: ChemicalElement { ChemicalElement(number: 16) }
    /// Chlorine, element 17.
    @inlinable public static var chlorine: ChemicalElement { ChemicalElement(number: 17) }
    /// Argon, element 18.
    @inlinable public static var argon: ChemicalElement { ChemicalElement(number: 18) }
    /// Potassium, element 19.
    @inlinable public static var potassium: ChemicalElement { ChemicalElement(number: 19) }
    /// Calcium, element 20.
    @inlinable public static var calcium: ChemicalElement { ChemicalElement(number: 20) }
    /// Scandium, element 21.
    @inlinable public static var scandium: ChemicalElement { ChemicalElement(number: 21) }
    /// Titanium, element 22.
    @inlinable public static var titanium: ChemicalElement { ChemicalElement(number: 22) }
    /// Vanadium, element 23.
    @inlinable public static var vanadium: ChemicalElement { ChemicalElement(number: 23) }
    /// Chromium, element 24.
    @inlinable public static var chromium: ChemicalElement { ChemicalElement(number: 24) }
    /// Manganese, element 25.
    @inlinable public static var manganese: ChemicalElement { ChemicalElement(number: 25) }
    /// Iron, element 26.
    @inlinable public static var iron: ChemicalElement { ChemicalElement(number: 26) }
    /// Cobalt, element 27.
    @inlinable public static var cobalt: ChemicalElement { ChemicalElement(number: 27) }
    /// Nickel, element 28.
    @inlinable public static var nickel: ChemicalElement { ChemicalElement(number: 28) }
    /// Copper, element 29.
    @inlinable public static var copper: ChemicalElement { ChemicalElement(number: 29) }
    /// Zinc, element 30.
    @inlinable public static var zinc: ChemicalElement { ChemicalElement(number: 30) }
    /// Gallium, element 31.
    @inlinable public static var gallium: ChemicalElement { ChemicalElement(number: 31) }
    /// Germanium, element 32.
    @inlinable public static var germanium: ChemicalElement { ChemicalElement(number: 32) }
    /// Arsenic, element 33.
    @inlinable public static var arsenic: ChemicalElement { ChemicalElement(number: 33) }
    /// Selenium, element 34.
    @inlinable public static var selenium: ChemicalElement { ChemicalElement(number: 34) }
    /// Bromine, element 35.
    @inlinable public static var bromine: ChemicalElement { ChemicalElement(number: 35) }
    /// Krypton, element 36.
    @inlinable public static var krypton: ChemicalElement { ChemicalElement(number: 36) }
    /// Rubidium, element 37.
    @inlinable public static var rubidium: ChemicalElement { ChemicalElement(number: 37) }
    /// Strontium, element 38.
    @inlinable public static var strontium: ChemicalElement { ChemicalElement(number: 38) }
    /// Yttrium, element 39.
    @inlinable public static var yttrium: ChemicalElement { ChemicalElement(number: 39) }
    /// Zirconium, element 40.
    @inlinable public static var zirconium: ChemicalElement { ChemicalElement(number: 40) }
    /// Niobium, element 41.
    @inlinable public static var niobium: ChemicalElement { ChemicalElement(number: 41) }
    /// Molybdenum, element 42.
    @inlinable public static var molybdenum: ChemicalElement { ChemicalElement(number: 42) }
    /// Technetium, element 43.
    @inlinable public static var technetium: ChemicalElement { ChemicalElement(number: 43) }
    /// Ruthenium, element 44.
    @inlinable public static var ruthenium: ChemicalElement { ChemicalElement(number: 44) }
    /// Rhodium, element 45.
    @inlinable public static var rhodium: ChemicalElement { ChemicalElement(number: 45) }
    /// Palladium, element 46.
    @inlinable public static var palladium: ChemicalElement { ChemicalElement(number: 46) }
    /// Silver, element 47.
    @inlinable public static var silver: ChemicalElement { ChemicalElement(number: 47) }
    /// Cadmium, element 48.
    @inlinable public static var cadmium: ChemicalElement { ChemicalElement(number: 48) }
    /// Indium, element 49.
    @inlinable public static var indium: ChemicalElement { ChemicalElement(number: 49) }
    /// Tin, element 50.
    @inlinable public static var tin: ChemicalElement { ChemicalElement(number: 50) }
    /// Antimony, element 51.
    @inlinable public static var antimony: ChemicalElement { ChemicalElement(number: 51) }
    /// Tellurium, element 52.
    @inlinable public static var tellurium: ChemicalElement { ChemicalElement(number: 52) }
    /// Iodine, element 53.
    @inlinable public static var iodine: ChemicalElement { ChemicalElement(number: 53) }
    /// Xenon, element 54.
    @inlinable public static var xenon: ChemicalElement { ChemicalElement(number: 54) }
    /// Caesium, element 55.
    @inlinable public static var caesium: ChemicalElement { ChemicalElement(number: 55) }
    /// Barium, element 56.
    @inlinable public static var barium: ChemicalElement { ChemicalElement(number: 56) }
    /// Lanthanum, element 57.
    @inlinable public static var lanthanum: ChemicalElement { ChemicalElement(number: 57) }
    /// Cerium, element 58.
    @inlinable public static var cerium: ChemicalElement { ChemicalElement(number: 58) }
    /// Praseodymium, element 59.
    @inlinable public static var praseodymium: ChemicalElement { ChemicalElement(number: 59) }
    /// Neodymium, element 60.
    @inlinable public static var neodymium: ChemicalElement { ChemicalElement(number: 60) }
    /// Promethium, element 61.
    @inlinable public static var promethium: ChemicalElement { ChemicalElement(number: 61) }
    /// Samarium, element 62.
    @inlinable public static var samarium: ChemicalElement { ChemicalElement(number: 62) }
    /// Europium, element 63.
    @inlinable public static var europium: ChemicalElement { ChemicalElement(number: 63) }
    /// Gadolinium, element 64.
    @inlinable public static var gadolinium: ChemicalElement { ChemicalElement(number: 64) }
    /// Terbium, element 65.
    @inlinable public static var terbium: ChemicalElement { ChemicalElement(number: 65) }
    /// Dysprosium, element 66.
    @inlinable public static var dysprosium: ChemicalElement { ChemicalElement(number: 66) }
    /// Holmium, element 67.
    @inlinable public static var holmium: ChemicalElement { ChemicalElement(number: 67) }
    /// Erbium, element 68.
    @inlinable public static var erbium: ChemicalElement { ChemicalElement(number: 68) }
    /// Thulium, element 69.
    @inlinable public static var thulium: ChemicalElement { ChemicalElement(number: 69) }
    /// Ytterbium, element 70.
    @inlinable public static var ytterbium: ChemicalElement { ChemicalElement(number: 70) }
    /// Lutetium, element 71.
    @inlinable public static var lutetium: ChemicalElement { ChemicalElement(number: 71) }
    /// Hafnium, element 72.
    @inlinable public static var hafnium: ChemicalElement { ChemicalElement(number: 72) }
    /// Tantalum, element 73.
    @inlinable public static var tantalum: ChemicalElement { ChemicalElement(number: 73) }
    /// Tungsten, element 74.
    @inlinable public static var tungsten: ChemicalElement { ChemicalElement(number: 74) }
    /// Rhenium, element 75.
    @inlinable public static var rhenium: ChemicalElement { ChemicalElement(number: 75) }
    /// Osmium, element 76.
    @inlinable public static var osmium: ChemicalElement { ChemicalElement(number: 76) }
    /// Iridium, element 77.
    @inlinable public static var iridium: ChemicalElement { ChemicalElement(number: 77) }
    /// Platinum, element 78.
    @inlinable public static var platinum: ChemicalElement { ChemicalElement(number: 78) }
    /// Gold, element 79.
    @inlinable public static var gold: ChemicalElement { ChemicalElement(number: 79) }
    /// Mercury, element 80.
    @inlinable public static var mercury: ChemicalElement { ChemicalElement(number: 80) }
    /// Thallium, element 81.
    @inlinable public static var thallium: ChemicalElement { ChemicalElement(number: 81) }
    /// Lead, element 82.
    @inlinable public static var lead: ChemicalElement { ChemicalElement(number: 82) }
    /// Bismuth, element 83.
    @inlinable public static var bismuth: ChemicalElement { ChemicalElement(number: 83) }
    /// Polonium, element 84.
    @inlinable public static var polonium: ChemicalElement { ChemicalElement(number: 84) }
    /// Astatine, element 85.
    @inlinable public static var astatine: ChemicalElement { ChemicalElement(number: 85) }
    /// Radon, element 86.
    @inlinable public static var radon: ChemicalElement { ChemicalElement(number: 86) }
    /// Francium, element 87.
    @inlinable public static var francium: ChemicalElement { ChemicalElement(number: 87) }
    /// Radium, element 88.
    @inlinable public static var radium: ChemicalElement { ChemicalElement(number: 88) }
    /// Actinium, element 89.
    @inlinable public static var actinium: ChemicalElement { ChemicalElement(number: 89) }
    /// Thorium, element 90.
    @inlinable public static var thorium: ChemicalElement { ChemicalElement(number: 90) }
    /// Protactinium, element 91.
    @inlinable public static var protactinium: ChemicalElement { ChemicalElement(number: 91) }
    /// Uranium, element 92.
    @inlinable public static var uranium: ChemicalElement { ChemicalElement(number: 92) }
    /// Neptunium, element 93.
    @inlinable public static var neptunium: ChemicalElement { ChemicalElement(number: 93) }
    /// Plutonium, element 94.
    @inlinable public static var plutonium: ChemicalElement { ChemicalElement(number: 94) }
    /// Americium, element 95.
    @inlinable public static var americium: ChemicalElement { ChemicalElement(number: 95) }
    /// Curium, element 96.
    @inlinable public static var curium: ChemicalElement { ChemicalElement(number: 96) }
    /// Berkelium, element 97.
    @inlinable public static var berkelium: ChemicalElement { ChemicalElement(number: 97) }
    /// Californium, element 98.
    @inlinable public static var californium: ChemicalElement { ChemicalElement(number: 98) }
    /// Einsteinium, element 99.
    @inlinable public static var einsteinium: ChemicalElement { ChemicalElement(number: 99) }
    /// Fermium, element 100.
    @inlinable public static var fermium: ChemicalElement { ChemicalElement(number: 100) }
    /// Mendelevium, element 101.
    @inlinable public static var mendelevium: ChemicalElement { ChemicalElement(number: 101) }
    /// Nobelium, element 102.
    @inlinable public static var nobelium: ChemicalElement { ChemicalElement(number: 102) }
    /// Lawrencium, element 103.
    @inlinable public static var lawrencium: ChemicalElement { ChemicalElement(number: 103) }
    /// Rutherfordium, element 104.
    @inlinable public static var rutherfordium: ChemicalElement { ChemicalElement(number: 104) }
    /// Dubnium, element 105.
    @inlinable public static var dubnium: ChemicalElement { ChemicalElement(number: 105) }
    /// Seaborgium, element 106.
    @inlinable public static var seaborgium: ChemicalElement { ChemicalElement(number: 106) }
    /// Bohrium, element 107.
    @inlinable public static var bohrium: ChemicalElement { ChemicalElement(number: 107) }
    /// Hassium, element 108.
    @inlinable public static var hassium: ChemicalElement { ChemicalElement(number: 108) }
    /// Meitnerium, element 109.
    @inlinable public static var meitnerium: ChemicalElement { ChemicalElement(number: 109) }
    /// Darmstadtium, element 110.
    @inlinable public static var darmstadtium: ChemicalElement { ChemicalElement(number: 110) }
    /// Roentgenium, element 111.
    @inlinable public static var roentgenium: ChemicalElement { ChemicalElement(number: 111) }
    /// Copernicium, element 112.
    @inlinable public static var copernicium: ChemicalElement { ChemicalElement(number: 112) }
    /// Nihonium, element 113.
    @inlinable public static var nihonium: ChemicalElement { ChemicalElement(number: 113) }
    /// Flerovium, element 114.
    @inlinable public static var flerovium: ChemicalElement { ChemicalElement(number: 114) }
    /// Moscovium, element 115.
    @inlinable public static var moscovium: ChemicalElement { ChemicalElement(number: 115) }
    /// Livermorium, element 116.
    @inlinable public static var livermorium: ChemicalElement { ChemicalElement(number: 116) }
    /// Tennessine, element 117.
    @inlinable public static var tennessine: ChemicalElement { ChemicalElement(number: 117) }
    /// Oganesson, element 118.
    @inlinable public static var oganesson: ChemicalElement { ChemicalElement(number: 118) }
}
