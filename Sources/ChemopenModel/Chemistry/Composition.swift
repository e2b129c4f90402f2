/// The composition of a whole molecule, hydrogens that are not drawn included and abbreviations expanded.
///
///     let composition = molecule.composition()
///     print(composition.formula, composition.mass)     // C6H6 78.114
public struct Composition: Sendable, Hashable {
    /// The atoms by element, whatever their isotope; atoms that are no element are left out.
    public let formula: Formula
    /// The atoms with a stated mass number, in the order of the formula and then by mass.
    public let isotopes: [IsotopeCount]
    /// The sum of the formal charges.
    public let charge: Int
    /// The electrons that take no part in a bond.
    public let unpairedElectrons: Int

    /// Atoms of one isotope.
    public struct IsotopeCount: Sendable, Hashable {
        /// The element of these atoms.
        public let element: ChemicalElement
        /// Their mass number; 0 is the natural mixture.
        public let massNumber: Int
        /// How many of them there are.
        public let count: Int

        /// The isotope's name: `13C`.
        public var key: String { "\(massNumber)\(element.symbol)" }

        /// The mass of one atom, by its mass number where no exact mass is known.
        var atomMass: Double { element.isotopeMass(massNumber) ?? Double(massNumber) }
    }

    /// The average mass in daltons; an atom with a stated mass number counts with the mass of that isotope.
    public var mass: Double { total(of: \.averageMass) }

    /// The mass in daltons with every atom of its element's most abundant isotope, unless another is stated.
    public var monoisotopicMass: Double { total(of: \.monoisotopicMass) }

    private func total(of mass: KeyPath<ChemicalElement, Double>) -> Double {
        var total = 0.0
        for entry in formula.entries {
            var natural = entry.count
            for isotope in isotopes where isotope.element == entry.element {
                natural -= isotope.count
                total += Double(isotope.count) * isotope.atomMass
            }
            total += Double(natural) * entry.element[keyPath: mass]
        }
        return total
    }
}

extension Molecule {
    /// Works the composition out; where several of its values are wanted, ask once.
    public func composition() -> Composition {
        Composition(asDrawn: hasAbbreviations ? expandingAbbreviations() : self)
    }
}

extension Composition {
    /// The composition of the drawn atoms and their hydrogens. An abbreviation counts as nothing.
    fileprivate init(asDrawn molecule: Molecule) {
        var counts = Array(repeating: 0, count: 119)
        var charge = 0
        var unpairedElectrons = 0
        var isotopes: [Atom] = []
        let hydrogens = molecule.hydrogenCounts()
        let contents = molecule.extras.isEmpty ? nil : molecule.extras.contents
        let abbreviated = Set((contents?.abbreviations ?? []).map { Int($0.atom) })
        let atoms = molecule.atoms
        var hidden = 0
        for index in atoms.indices {
            charge += Int(atoms[index].charge)
            unpairedElectrons += atoms[index].radical.unpairedElectrons
            if !abbreviated.isEmpty, abbreviated.contains(index) { continue }
            hidden += hydrogens[index]
            let element = atoms[index].element
            if element == .none { continue }
            counts[Int(element.rawValue)] += 1
            if atoms[index].isotope != 0 { isotopes.append(atoms[index]) }
        }
        counts[1] += hidden
        let formula = Formula(counts)
        self.init(
            formula: formula, isotopes: Self.count(isotopes, in: formula),
            charge: charge, unpairedElectrons: unpairedElectrons)
    }

    private static func count(_ atoms: [Atom], in formula: Formula) -> [IsotopeCount] {
        var isotopes: [IsotopeCount] = []
        if atoms.isEmpty { return isotopes }
        for entry in formula.entries {
            let masses = atoms.filter { $0.element == entry.element }.map { Int($0.isotope) }.sorted()
            var start = 0
            for (place, mass) in masses.enumerated() where place + 1 == masses.count || masses[place + 1] != mass {
                isotopes.append(.init(element: entry.element, massNumber: mass, count: place + 1 - start))
                start = place + 1
            }
        }
        return isotopes
    }
}

extension Molecule {
    /// The formula in Hill's order: `C9H8O4`.
    public var formula: String { composition().formula.description }

    /// The average mass in daltons; an atom with a stated mass number counts with the mass of that isotope.
    public var mass: Double { composition().mass }

    /// The mass in daltons with every atom of its element's most abundant isotope, unless another is stated.
    public var monoisotopicMass: Double { composition().monoisotopicMass }

    /// The sum of the formal charges.
    public var totalCharge: Int { composition().charge }

    /// The electrons that take no part in a bond.
    public var unpairedElectrons: Int { composition().unpairedElectrons }

    /// The atoms with a stated mass number: `13C`, then `2H`.
    public var isotopes: [Composition.IsotopeCount] { composition().isotopes }
}
