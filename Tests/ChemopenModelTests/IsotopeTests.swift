import ChemopenModel
import Testing

@Suite("Isotopes")
struct IsotopeTests {
    @Test("common isotopes have their masses")
    func everydayMasses() {
        #expect(ChemicalElement.hydrogen.isotopeMass(1) == 1.007825032)
        #expect(ChemicalElement.hydrogen.isotopeMass(2) == 2.014101778)
        #expect(ChemicalElement.carbon.isotopeMass(12) == 12)
        #expect(ChemicalElement.carbon.isotopeMass(13) == 13.00335484)
        #expect(ChemicalElement.nitrogen.isotopeMass(15) == 15.0001089)
        #expect(ChemicalElement.oxygen.isotopeMass(18) == 17.99915961)
        #expect(ChemicalElement.chlorine.isotopeMass(37) == 36.96590257)
        #expect(ChemicalElement.bromine.isotopeMass(81) == 80.9162882)
        #expect(ChemicalElement.uranium.isotopeMass(238) == 238.0507882)
    }

    @Test(
        "radioactive isotopes of laboratories and clinics are included",
        arguments: [
            (ChemicalElement.hydrogen, [3]), (.carbon, [11, 14]), (.nitrogen, [13]), (.oxygen, [15]), (.fluorine, [18]),
            (.phosphorus, [32, 33]), (.sulfur, [35]), (.chlorine, [36]), (.chromium, [51]), (.cobalt, [57, 58, 60]),
            (.iron, [59]), (.copper, [64]), (.gallium, [67, 68]), (.selenium, [75]), (.bromine, [76, 77, 82]),
            (.rubidium, [82]), (.krypton, [85]), (.strontium, [89, 90]), (.yttrium, [90]), (.technetium, [99]),
            (.indium, [111]), (.iodine, [123, 124, 125, 131]), (.xenon, [133]), (.caesium, [137]), (.samarium, [153]),
            (.lutetium, [177]), (.rhenium, [186, 188]), (.iridium, [192]), (.gold, [198]), (.thallium, [201]),
            (.polonium, [210]), (.astatine, [211]), (.radon, [222]), (.radium, [223, 226]), (.thorium, [232]),
            (.uranium, [235]),
        ])
    func radioactive(_ element: ChemicalElement, _ massNumbers: [Int]) {
        for massNumber in massNumbers { #expect(element.isotopeMass(massNumber) != nil) }
    }

    @Test("an isotope that is not in the table has no mass", arguments: [Int.min, -12, 0, 8, 15, 60, Int.max])
    func unknown(_ massNumber: Int) {
        #expect(ChemicalElement.carbon.isotopeMass(massNumber) == nil)
        #expect(ChemicalElement.none.isotopeMass(massNumber) == nil)
    }

    @Test("every element except six has the mass of its most common isotope")
    func commonestIsotopes() {
        let unknown = (UInt8(1)...118).compactMap(ChemicalElement.init(rawValue:))
            .filter { $0.isotopeMass($0.commonIsotope) == nil }
        #expect(unknown == [.dubnium, .seaborgium, .bohrium, .hassium, .meitnerium, .flerovium])
        #expect(ChemicalElement.meitnerium.monoisotopicMass == 277)
    }

    @Test("up to uranium, a mass is within a seventh of a dalton of its unique mass number")
    func massesNearTheirNumbers() {
        for element in (UInt8(1)...92).compactMap(ChemicalElement.init(rawValue:)) {
            let known = (1...250).filter { element.isotopeMass($0) != nil }
            #expect(!known.isEmpty)
            for number in known {
                let defect = abs((element.isotopeMass(number) ?? 0) - Double(number))
                #expect(defect < 1.0 / 7)
            }
        }
    }

    @Test(
        "an element with one natural isotope has the mass of that isotope",
        arguments: [
            ChemicalElement.beryllium, .fluorine, .sodium, .aluminium, .phosphorus, .scandium, .manganese, .cobalt,
            .arsenic, .yttrium, .niobium, .rhodium, .iodine, .caesium, .praseodymium, .terbium, .holmium, .thulium,
            .gold,
            .bismuth,
        ])
    func oneIsotope(_ element: ChemicalElement) {
        let tolerance = element.averageMass < 100 ? 0.0005 : 0.005
        #expect(abs(element.monoisotopicMass - element.averageMass) <= tolerance)
    }
}
