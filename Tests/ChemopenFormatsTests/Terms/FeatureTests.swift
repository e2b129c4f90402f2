import ChemopenFormats
import ChemopenModel
import Testing

@Suite("Features")
struct FeatureTests {
    @Test("every feature has its own bit")
    func bits() {
        #expect(Features.all.list == Feature.allCases)
        #expect(Set(Feature.allCases.map { Features($0).rawValue }).count == Feature.allCases.count)
    }

    @Test("an atom without a position, bonds and hydrogens has only the molecule feature")
    func plain() {
        let helium = Molecule(["He"])
        #expect(helium.features.list == [.molecules])
        #expect(Record(helium).features.list == [.molecules])
    }

    @Test("bonds are detected, and implicit hydrogens from a rule or a count")
    func bondsAndHydrogens() {
        var ethane = Molecule(["C", "C"], bonds: [Bond(0, 1)])
        ethane.flags = .withoutCoordinates
        #expect(ethane.features.list == [.molecules, .impliedHydrogens, .bonds])
        for index in ethane.atoms.indices { ethane.atoms[index].hydrogens = .fixed(3) }
        #expect(ethane.features.list == [.molecules, .hydrogenCounts, .impliedHydrogens, .bonds])
        var hydrogen = Molecule(["H", "H"], bonds: [Bond(0, 1)])
        hydrogen.flags = .withoutCoordinates
        #expect(hydrogen.features.list == [.molecules, .bonds])
    }

    @Test("charges, isotopes, radicals, fixed hydrogens, map numbers, labels and parities are detected")
    func atoms() {
        var molecule = Molecule(["C", "Ph", "N"])
        for index in molecule.atoms.indices { molecule.atoms[index].position = Position() }
        molecule.atoms[0].charge = -1
        molecule.atoms[0].isotope = 13
        molecule.atoms[0].mapNumber = 4
        molecule.atoms[0].hydrogens = .fixed(0)
        molecule.atoms[2].radical = .triplet
        molecule.atoms[2].marks.parity = 1
        #expect(
            molecule.features.list == [
                .molecules, .charges, .isotopes, .radicals, .radicalMultiplicity, .hydrogenCounts, .impliedHydrogens,
                .mapNumbers, .labels, .parities,
            ])
    }

    @Test("two unpaired electrons of unknown kind are a radical without a multiplicity")
    func multiplicity() {
        var carbene = Molecule(["C"])
        carbene.atoms[0].radical = .unpaired(2)
        #expect(carbene.features.contains(.radicals))
        #expect(!carbene.features.contains(.radicalMultiplicity))
    }

    @Test("heights and a precision beyond four decimals are detected")
    func positions() {
        var molecule = Molecule(["He", "He"])
        molecule.atoms[1].position = Position(1.2345, -0.1, 0)
        #expect(molecule.features.list == [.molecules, .coordinates])
        molecule.atoms[1].position = Position(1.23456, 0, 2)
        #expect(molecule.features.list == [.molecules, .coordinates, .heights, .precision])
        molecule.flags = .withoutCoordinates
        #expect(molecule.features.list == [.molecules])
    }

    @Test(
        "each kind of bond is detected",
        arguments: [
            (Bond.Order.zero, Feature.zeroOrderBonds), (.quadruple, .higherOrders), (.aromatic, .aromaticBonds),
            (.any, .queryBonds), (.singleOrAromatic, .queryBonds), (.dative, .dativeBonds), (.hydrogen, .hydrogenBonds),
        ])
    func bonds(order: Bond.Order, feature: Feature) {
        let molecule = Molecule(["C", "C"], bonds: [Bond(0, 1, order)])
        let features = molecule.features.subtracting(Features(.impliedHydrogens))
        #expect(features.list == [.molecules, .coordinates, .bonds, feature])
    }

    @Test("each kind of note is detected")
    func notes() {
        var molecule = Molecule(["C", "C"], bonds: [Bond(0, 1)])
        molecule.addNote(.valence(3), toAtom: 0)
        molecule.addNote(.elementList(ElementList(["C", "N"])), toAtom: 0)
        molecule.addNote(.unsaturated, toAtom: 1)
        molecule.addNote(.field("xA"), toAtom: 1)
        molecule.addNote(.display("Bold"), toBond: 0)
        #expect(
            molecule.features.list == [
                .molecules, .coordinates, .impliedHydrogens, .valences, .bonds, .bondDisplay, .atomLists, .queryAtoms,
                .extensionFields,
            ])
    }

    @Test("text in another encoding is detected in any part of a group")
    func foreignEncoding() {
        let text = Text(bytes: [0xE9])
        for put in [
            { $0.label = text }, { $0.data?.fieldName = text }, { $0.data?.units = text }, { $0.data?.values = [text] },
        ] as [(inout Sgroup) -> Void] {
            var sgroup = Sgroup(.data)
            sgroup.atoms = [0]
            sgroup.data = Sgroup.Data()
            var molecule = Molecule(["C"])
            molecule.extras.contents.sgroups = [sgroup]
            #expect(!molecule.features.contains(.foreignEncoding))
            put(&molecule.extras.contents.sgroups[0])
            #expect(molecule.features.contains(.foreignEncoding))
        }
    }

    @Test("features inside an abbreviation are detected")
    func pieces() {
        var molecule = Molecule(["C", "X"], bonds: [Bond(0, 1)])
        let piece = Molecule(["*", "Cu"], bonds: [Bond(0, 1, .zero)])
        molecule.extras.contents.abbreviations = [Abbreviation(atom: 1, molecule: piece)]
        #expect(
            molecule.features.list == [
                .molecules, .coordinates, .impliedHydrogens, .labels, .bonds, .zeroOrderBonds, .abbreviations,
            ])
    }

    @Test("repeated fields, empty lines, headers and invalid UTF-8 are detected in data fields")
    func fields() {
        var record = Record()
        record.fields.append("NAME", "one")
        #expect(record.features.list == [.recordsWithoutStructure, .fields])
        record.fields.append("TEXT", "a\n\nb")
        record.fields.append("NAME", Text(bytes: [0xB5]), header: "> 25 <NAME>")
        record.fields.append("MOL", Molecule())
        #expect(
            record.features.list == [
                .recordsWithoutStructure, .fields, .fieldHeaders, .repeatedFields, .fieldOrder, .structuresInFields,
                .emptyLinesInValues, .foreignEncoding,
            ])
    }

    @Test("title, origin and comment are detected, and their encoding")
    func heading() {
        var molecule = Molecule()
        molecule.name = "caffeine"
        molecule.comment = Text(bytes: [0x31, 0xB0])
        #expect(molecule.features.list == [.molecules, .foreignEncoding, .names, .comments])
    }

    @Test("agents, steps, conditions and component features of a reaction are detected")
    func reaction() {
        var component = Reaction.Component(Molecule(["C"]))
        component.molecule.atoms[0].charge = 1
        component.stoichiometry = "1/2"
        var step = Reaction.Step(reactants: [component], agents: [Reaction.Component(Molecule())])
        step.conditions = ["heat"]
        step.arrow = .hollow
        let reaction = Reaction(step, Reaction.Step())
        #expect(
            Record(reaction).features.list == [
                .reactions, .charges, .impliedHydrogens, .agents, .severalSteps, .conditions, .stoichiometry,
                .arrowKinds,
            ])
    }

    @Test("title, typed columns and summaries of a sheet are detected")
    func sheet() {
        var header = SheetHeader()
        header.columns = [Column("A"), Column("B", .molecule)]
        #expect(header.features.list.isEmpty)
        header.title = "Assay"
        header.columns.append(Column("IC50", .real, summary: "in nM"))
        #expect(header.features.list == [.columnTypes, .columnSummaries, .sheetTitle])
    }
}

extension Molecule {
    /// Creates a molecule from the names of its atoms. A name that is not an element symbol becomes a label.
    fileprivate init(_ names: [String], bonds: [Bond] = []) {
        self.init()
        for (index, name) in names.enumerated() {
            atoms.append(Atom(ChemicalElement(symbol: name) ?? .none, at: Position(Double(index))))
            if atoms[index].element == .none { setLabel(Text(name), ofAtom: index) }
        }
        self.bonds = bonds
    }
}
