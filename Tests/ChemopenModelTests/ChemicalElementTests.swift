import ChemopenModel
import Testing

@Suite("Chemical element")
struct ChemicalElementTests {
    /// The symbols in the order of their atomic numbers, with one line for each period.
    private static let symbols = """
        H He
        Li Be B C N O F Ne
        Na Mg Al Si P S Cl Ar
        K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr
        Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe
        Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn
        Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No Lr Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts Og
        """.split { $0 == " " || $0 == "\n" }.map(String.init)

    @Test("the elements 1 to 118 map to their symbols and back")
    func symbolsBothWays() throws {
        #expect(Self.symbols.count == 118)
        for (index, symbol) in Self.symbols.enumerated() {
            let element = try #require(ChemicalElement(rawValue: UInt8(index + 1)))
            #expect(element.symbol == symbol)
            #expect(ChemicalElement(symbol: symbol) == element)
        }
    }

    @Test("only 118 pairs of bytes are an element symbol, where a single letter is followed by a space or zero")
    func everyPairOfBytes() {
        var spellings: [String] = []
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max {
                let element = ChemicalElement.element(ofSymbol: first, second)
                guard element != .none else { continue }
                spellings.append(String(decoding: second == 0 ? [first] : [first, second], as: UTF8.self))
            }
        }
        let oneLetter = Self.symbols.filter { $0.utf8.count == 1 }.map { $0 + " " }
        #expect(spellings.sorted() == (Self.symbols + oneLetter).sorted())
    }

    @Test(
        "other text is not an element",
        arguments: ["", " ", "c", "CL", "cl", "Cl ", "C ", " C", "C\0", "Cx", "Cz", "D", "T", "*", "Uue", "Ç", "Cé"])
    func notSymbols(_ text: String) {
        #expect(ChemicalElement(symbol: text) == nil)
    }

    @Test("the Swift names match the symbols")
    func names() {
        #expect(ChemicalElement.hydrogen.symbol == "H")
        #expect(ChemicalElement.carbon.symbol == "C")
        #expect(ChemicalElement.sodium.symbol == "Na")
        #expect(ChemicalElement.tungsten.symbol == "W")
        #expect(ChemicalElement.lead.symbol == "Pb")
        #expect(ChemicalElement.oganesson.symbol == "Og")
    }

    @Test("number 0 is a placeholder without symbol or mass, and number 119 is invalid")
    func outsideTheTable() {
        #expect(ChemicalElement(rawValue: 0) == ChemicalElement.none)
        #expect(ChemicalElement.none.symbol == "")
        #expect(ChemicalElement.none.averageMass == 0)
        #expect(ChemicalElement(rawValue: 119) == nil)
    }

    @Test("a symbol is appended to a text without a space")
    func appendedSymbols() {
        var text: [UInt8] = []
        for element: ChemicalElement in [.carbon, .chlorine, .none, .nitrogen] { element.appendSymbol(to: &text) }
        #expect(String(decoding: text, as: UTF8.self) == "CClN")
    }

    @Test("the average mass of benzene is 78.114, and its monoisotopic mass 78.04695")
    func benzene() {
        let average = 6 * ChemicalElement.carbon.averageMass + 6 * ChemicalElement.hydrogen.averageMass
        #expect(abs(average - 78.114) < 1e-9)
        let exact = 6 * ChemicalElement.carbon.monoisotopicMass + 6 * ChemicalElement.hydrogen.monoisotopicMass
        #expect(abs(exact - 78.046950192) < 1e-9)
    }

    @Test("average masses are standard atomic weights, or the mass number of the longest-lived isotope")
    func weights() {
        #expect(ChemicalElement.sulfur.averageMass == 32.06)
        #expect(ChemicalElement.chlorine.averageMass == 35.45)
        #expect(ChemicalElement.zirconium.averageMass == 91.222)
        #expect(ChemicalElement.uranium.averageMass == 238.03)
        #expect(ChemicalElement.technetium.averageMass == 97)
        #expect(ChemicalElement.oganesson.averageMass == 294)
    }

    @Test("mass differences refer to the rounded weight, which may differ from the most common isotope")
    func roundedWeights() {
        let elements: [ChemicalElement] = [
            .carbon, .chlorine, .nickel, .copper, .zinc, .selenium, .bromine, .palladium, .silver, .tin, .tellurium,
            .dysprosium, .platinum,
        ]
        #expect(elements.map(\.roundedWeight) == [12, 35, 59, 64, 65, 79, 80, 106, 108, 119, 128, 163, 195])
        #expect(elements.map(\.commonIsotope) == [12, 35, 58, 63, 64, 80, 79, 106, 107, 120, 130, 164, 195])
    }

    @Test("elements are ordered by atomic number")
    func order() {
        #expect([ChemicalElement.oxygen, .hydrogen, .carbon].sorted() == [.hydrogen, .carbon, .oxygen])
    }
}
