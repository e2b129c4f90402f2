import ChemopenModel

/// The valences of the atoms in labels.
enum LabelValence {
    /// Returns the valences of a neutral element, preferred first; nil if any valence is allowed.
    private static func valences(of element: ChemicalElement) -> [Int]? {
        switch element {
        case .hydrogen, .fluorine, .chlorine, .bromine, .lithium, .sodium, .potassium, .rubidium, .caesium: [1]
        case .iodine: [1, 3, 5]
        case .oxygen, .magnesium, .calcium, .zinc, .cadmium, .mercury, .barium: [2]
        case .sulfur, .selenium, .tellurium: [2, 4, 6]
        case .nitrogen, .boron, .aluminium: [3]
        case .phosphorus, .arsenic: [3, 5]
        case .carbon, .silicon, .germanium, .titanium, .zirconium: [4]
        case .tin, .lead: [4, 2]
        default: nil
        }
    }

    /// Returns the valences of an element with a charge.
    private static func valences(of element: ChemicalElement, charge: Int) -> [Int]? {
        guard let neutral = valences(of: element) else { return nil }
        if charge == 0 { return neutral }
        switch element {
        case .nitrogen, .phosphorus, .arsenic, .oxygen, .sulfur, .selenium, .tellurium:
            let first = neutral[0]
            return charge > 0 ? (charge == 1 ? [first + 1] : []) : [first + charge].filter { $0 >= 0 }
        case .boron, .aluminium: return charge == -1 ? [4] : [3 - charge].filter { $0 >= 0 }
        case .carbon: return abs(charge) == 1 ? [3] : []
        case .hydrogen: return abs(charge) == 1 ? [0] : []
        case .fluorine, .chlorine, .bromine, .iodine: return charge == -1 ? [0] : charge == 1 ? [2] : []
        default: return neutral.map { $0 - charge }.filter { $0 >= 0 && charge > 0 }
        }
    }

    /// Whether the valences of an element are known.
    static func isKnown(_ element: ChemicalElement) -> Bool { valences(of: element) != nil }

    /// Returns the maximum number of bonds of an element, for any charge.
    static func most(of element: ChemicalElement) -> Int { (valences(of: element)?.max() ?? 8) + 1 }

    /// Returns a cost that is higher for less likely atoms; nil if the bonds do not match a valence.
    ///
    /// - Parameter isAlone: Whether it is the only atom of the label; such an atom may omit its hydrogens.
    static func cost(_ site: LabelAssembly.Site, _ element: ChemicalElement, isAlone: Bool) -> Int? {
        let sum = site.bonds + site.hydrogens
        guard let valences = valences(of: element, charge: site.charge) else { return 0 }
        if isAlone, site.hydrogens == 0 {
            // A lone symbol can have any number of hydrogens: `O` is often written for `OH`.
            return sum <= valences.max() ?? 0 ? 0 : nil
        }
        guard let rank = valences.firstIndex(of: sum) else { return nil }
        var cost = 0
        switch element {
        case .sulfur, .selenium, .tellurium:
            if sum == 4 { cost += 2 }
            if sum > 2, site.hydrogens > 0 { cost += 5 }
        case .phosphorus, .arsenic: if sum > 4, site.hydrogens > 0 { cost += 3 }
        case .carbon: if site.charge != 0 { cost += 5 }
        case .iodine: cost += rank
        default: break
        }
        switch (site.charge, element) {
        case (0, _): break
        case (1..., .nitrogen), (1..., .phosphorus), (..<0, .oxygen), (..<0, .sulfur), (..<0, .boron): break
        default: cost += 1
        }
        return cost
    }
}
