/// The valences up to which hydrogens can fill an element. For example, those of sulfur are 2, 4 and 6.
///
///     let sulfur = MDLValence.ladder(of: .sulfur, charge: 0)
///     sulfur.rungs               // [2, 4, 6]
///     sulfur.rung(atLeast: 3)    // 4
///     sulfur.rung(atLeast: 7)    // nil
public struct ValenceLadder: Hashable, Sendable {
    /// One bit for each rung: bit 4 is set if 4 is a rung.
    private let bits: UInt8

    /// The ladder without rungs, for elements to which no hydrogens are added.
    public static let none = ValenceLadder()

    /// Creates a ladder of up to four rungs from 1 to 7; the value 0 adds no rung.
    init(_ first: UInt8 = 0, _ second: UInt8 = 0, _ third: UInt8 = 0, _ fourth: UInt8 = 0) {
        bits = (1 << first | 1 << second | 1 << third | 1 << fourth) & 0b1111_1110
    }

    /// The rungs in ascending order.
    public var rungs: [Int] {
        (1...7).filter { bits & 1 << $0 != 0 }
    }

    /// Finds the lowest rung that can accommodate the drawn bonds.
    ///
    /// - Returns: the lowest rung that is at least `bondOrderSum`, or `nil` if the sum exceeds all rungs.
    public func rung(atLeast bondOrderSum: Int) -> Int? {
        guard bondOrderSum < 8 else { return nil }
        let reached = bits & 0xFF << max(bondOrderSum, 0)
        return reached == 0 ? nil : reached.trailingZeroBitCount
    }
}

/// The interpretation of "default valence" in a molfile. The file does not specify it.
public enum MDLValenceRule: Sendable {
    /// The rule published in 2009, which open-source toolkits use: bare sodium is NaH.
    case ladder2009
    /// The rule of BIOVIA's products, documented in 2017: metals have no default valence, and bare sodium is Na.
    case restricted2017
}

/// The rules for the implicit hydrogens of MDL's formats.
public enum MDLValence {
    /// Returns the number of hydrogens on an atom whose line specifies no valence.
    ///
    /// In the sum, zero-order, dative and hydrogen bonds count 0, and an aromatic bond counts as in the Kekulé form. A
    /// doublet has one unpaired electron; a singlet or triplet has two.
    ///
    ///     MDLValence.hydrogens(on: .nitrogen, charge: 1, bondOrderSum: 3, unpairedElectrons: 0)    // 1
    ///
    /// Complexes are often drawn with plain single bonds to the metal. These bonds are part of the sum, but they do not
    /// raise nitrogen, chlorine and bromine to a higher rung: the pyridine nitrogen of a zinc complex has no hydrogen.
    ///
    ///     MDLValence.hydrogens(
    ///         on: .nitrogen, charge: 0, bondOrderSum: 4, singleBondsToMetals: 1, unpairedElectrons: 0)    // 0
    ///
    /// - Parameter singleBondsToMetals: the number of single bonds to metals in the sum.
    /// - Returns: the number of hydrogens, which is 0 if the bonds exceed all valences of the element.
    public static func hydrogens(
        on element: ChemicalElement, charge: Int, bondOrderSum: Int, singleBondsToMetals: Int = 0,
        unpairedElectrons: Int, rule: MDLValenceRule = .ladder2009
    ) -> Int {
        let ladder = ladder(of: element, charge: charge, rule: rule)
        let lifting = isLiftedByMetals(element) ? bondOrderSum : bondOrderSum &- max(singleBondsToMetals, 0)
        guard let rung = ladder.rung(atLeast: lifting) else { return 0 }
        return max(0, rung &- max(bondOrderSum, 0) &- max(unpairedElectrons, 0))
    }

    /// Returns whether bonds to metals count when the element's rung is chosen, as for P, S, As, Se, Sb, Te and I.
    @inlinable
    package static func isLiftedByMetals(_ element: ChemicalElement) -> Bool {
        element != .nitrogen && element != .chlorine && element != .bromine
    }

    /// Returns whether programs agree on the hydrogens of an atom whose line specifies no valence, with both MDL rules.
    ///
    /// They agree for organic molecules and common ions. They differ if the rule of 2017 excludes a metal, if the
    /// charge is unusual, or if the number of bonds requires a higher rung than the number of hydrogens. These
    /// differences were measured with RDKit and Indigo.
    package static func isAgreedUpon(_ element: ChemicalElement, charge: Int, bondOrderSum sum: Int) -> Bool {
        let electrons = groupElectrons(of: element)
        if electrons == 0, ladderOutsideThePBlock(of: element, charge: 0) == .none {
            return element.isMetal || (charge == 0 && sum == 0)
        }
        let rung = ladder(of: element, charge: charge).rung(atLeast: sum)
        guard keepsValence(element, charge: 0) else {
            if let rung { return rung == sum }
            if sum > 0 { return false }
            // Accept the bare ion, and the ion of a heavy element that retains two of its electrons.
            if electrons > 0 { return charge == electrons || (element >= .tin && charge == electrons &- 2) }
            return charge == ladderOutsideThePBlock(of: element, charge: 0).rung(atLeast: 0)
        }
        guard abs(charge) <= 1, charge <= 0 || electrons < 7 else { return false }
        guard let rung else { return sum == 0 }
        return rung == sum || rung == ladder(of: element, charge: charge).rung(atLeast: 0)
    }

    /// Looks up the default valences of an element with a charge.
    ///
    /// - Returns: the default valences, or an empty ladder if the rule does not define any.
    public static func ladder(
        of element: ChemicalElement, charge: Int, rule: MDLValenceRule = .ladder2009
    ) -> ValenceLadder {
        if rule == .restricted2017, !keepsValence(element, charge: charge) { return .none }
        let groupElectrons = groupElectrons(of: element)
        if groupElectrons == 0 { return ladderOutsideThePBlock(of: element, charge: charge) }
        let electrons = groupElectrons &- charge
        switch electrons {
        case 1: return element == .thallium ? .none : ValenceLadder(1)
        case 2: return element < .gallium ? ValenceLadder(2) : .none
        case 3: return element == .thallium ? ValenceLadder(1, 3) : ValenceLadder(3)
        case 4: return element < .indium ? ValenceLadder(4) : ValenceLadder(2, 4)
        case 5: return ValenceLadder(3, 5)
        case 6: return element < .neon ? ValenceLadder(2) : ValenceLadder(2, 4, 6)
        case 7: return element < .neon ? ValenceLadder(1) : ValenceLadder(1, 3, 5, 7)
        default: return .none
        }
    }

    /// Returns the number of outer electrons of the neutral atom if it is a p-block element with a ladder, and 0
    /// otherwise.
    private static func groupElectrons(of element: ChemicalElement) -> Int {
        switch element {
        case .boron, .aluminium, .gallium, .indium, .thallium: 3
        case .carbon, .silicon, .germanium, .tin, .lead: 4
        case .nitrogen, .phosphorus, .arsenic, .antimony, .bismuth: 5
        case .oxygen, .sulfur, .selenium, .tellurium, .polonium: 6
        case .fluorine, .chlorine, .bromine, .iodine, .astatine: 7
        default: 0
        }
    }

    private static func ladderOutsideThePBlock(of element: ChemicalElement, charge: Int) -> ValenceLadder {
        switch element {
        case .hydrogen, .lithium, .sodium, .potassium, .rubidium, .caesium, .francium:
            charge == 0 ? ValenceLadder(1) : .none
        case .beryllium, .magnesium, .calcium, .strontium, .barium, .radium:
            charge == 0 ? ValenceLadder(2) : charge == 1 ? ValenceLadder(1) : .none
        default: .none
        }
    }

    /// Returns whether the rule of 2017 retains the ladder of 2009 for an element.
    private static func keepsValence(_ element: ChemicalElement, charge: Int) -> Bool {
        switch element {
        case .hydrogen, .boron, .carbon, .nitrogen, .oxygen, .fluorine, .silicon, .phosphorus, .sulfur, .chlorine,
            .arsenic, .selenium, .bromine, .tellurium, .iodine, .astatine:
            true
        case .aluminium: charge == -1
        default: false
        }
    }
}

/// The rule for the implicit hydrogens of SketchEl's first format.
public enum SketchElHydrogens {
    /// Computes the number of hydrogens on an atom.
    ///
    /// A carbon ion has one hydrogen less for each positive or negative charge. A bond counts in the sum with its
    /// order, 0 to 4.
    ///
    ///     SketchElHydrogens.count(on: .nitrogen, charge: 1, bondOrderSum: 0, unpairedElectrons: 0)    // 4
    ///
    /// - Returns: the number of hydrogens, which is always 0 for elements other than C, N, O, S and P.
    public static func count(
        on element: ChemicalElement, charge: Int, bondOrderSum: Int, unpairedElectrons: Int
    ) -> Int {
        let valence: Int
        var charge = Int(Int32(clamping: charge))
        switch element {
        case .carbon: (valence, charge) = (4, -abs(charge))
        case .nitrogen, .phosphorus: valence = 3
        case .oxygen, .sulfur: valence = 2
        default: return 0
        }
        return max(0, valence + charge - Int(Int32(clamping: unpairedElectrons)) - Int(Int32(clamping: bondOrderSum)))
    }
}
