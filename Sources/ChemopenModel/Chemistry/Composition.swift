/// The composition of a molecule, including implicit hydrogens and the atoms of abbreviations.
///
///     let composition = molecule.composition()
///     print(composition.formula, composition.mass)     // C6H6 78.114
public struct Composition: Sendable, Hashable {
    /// The number of atoms of each element, with all isotopes combined. Atoms that are not an element are not counted.
    public let formula: Formula
    /// The atoms with a specified mass number, in the order of the formula and then by mass.
    public let isotopes: [IsotopeCount]
    /// The sum of the formal charges.
    public let charge: Int
    /// The number of unpaired electrons; a singlet counts as two.
    public let unpairedElectrons: Int

    /// The number of atoms of one isotope.
    public struct IsotopeCount: Sendable, Hashable {
        /// The element.
        public let element: ChemicalElement
        /// The mass number of the isotope.
        public let massNumber: Int
        /// The number of atoms.
        public let count: Int

        /// The isotope's name, such as `13C`.
        public var key: String { "\(massNumber)\(element.symbol)" }

        /// The mass of one atom. If the exact mass is unknown, this is the mass number.
        var atomMass: Double { element.isotopeMass(massNumber) ?? Double(massNumber) }
    }

    /// The average mass in daltons. An atom with a specified mass number counts with the mass of that isotope.
    public var mass: Double { total(of: \.averageMass) }

    /// The monoisotopic mass in daltons: each atom counts as its element's most abundant isotope unless its mass number
    /// is specified.
    ///
    /// The mass of an ion is the mass of its atoms without the missing electrons, or with the additional ones, as IUPAC
    /// defines it and mass spectrometers measure it. The average mass ignores electrons, because the abridged atomic
    /// weights are less exact than that.
    public var monoisotopicMass: Double { total(of: \.monoisotopicMass) - Double(charge) * Self.electronMass }

    /// The mass of an electron in daltons (CODATA 2022).
    private static let electronMass = 0.000_548_579_909_044_1

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
    /// Computes the composition of the molecule. If you need several of its values, call this once and reuse the
    /// result.
    ///
    /// - Returns: the composition with implicit hydrogens and expanded abbreviations.
    public func composition() -> Composition {
        Composition(asDrawn: hasAbbreviations ? expandingAbbreviations() : self)
    }
}

extension Composition {
    /// Counts the drawn atoms and their hydrogens. Atoms that represent an abbreviation are not counted.
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
    /// The formula in Hill order, such as `C9H8O4`.
    public var formula: String { composition().formula.description }

    /// The average mass in daltons. An atom with a specified mass number counts with the mass of that isotope.
    public var mass: Double { composition().mass }

    /// The monoisotopic mass in daltons: each atom counts as its element's most abundant isotope unless its mass number
    /// is specified.
    public var monoisotopicMass: Double { composition().monoisotopicMass }

    /// The sum of the formal charges.
    public var totalCharge: Int { composition().charge }

    /// The number of unpaired electrons; a singlet counts as two.
    public var unpairedElectrons: Int { composition().unpairedElectrons }

    /// The atoms with a specified mass number, in the order of the formula: `13C`, then `2H`.
    public var isotopes: [Composition.IsotopeCount] { composition().isotopes }
}
