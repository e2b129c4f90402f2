import ChemopenModel
import Testing

@testable import ChemopenChemistry

private typealias Shape = AtomNote.Configuration.Shape

@Suite("Configurations that are not tetrahedral")
struct CoordinationTests {
    private func text(_ molecule: Molecule, isCanonical: Bool) -> String {
        var text = SMILESText()
        text.isCanonical = isCanonical
        text.append(molecule)
        return String(decoding: text.bytes, as: UTF8.self)
    }

    private func canonical(_ smiles: String) throws -> String {
        text(try Molecule(smiles: smiles), isCanonical: true)
    }

    private func written(_ smiles: String) throws -> String {
        text(try Molecule(smiles: smiles), isCanonical: false)
    }

    /// A star of neighbors around a metal, with a configuration.
    private func star(_ shape: Shape, _ arrangement: Int, _ labels: some Sequence<String>) -> String {
        let labels = Array(labels)
        let branches = labels[1...].dropLast().map { "(\($0))" }.joined()
        return "\(labels[0])[Pt@\(shape.code)\(arrangement)]\(branches)\(labels[labels.count - 1])"
    }

    // MARK: Groups

    @Test("each shape has its rotations, and they form a group", arguments: zip(Shape.allCases, [8, 6, 24, 4]))
    fileprivate func rotations(_ shape: Shape, _ count: Int) {
        let rotations = Set(shape.rotations)
        #expect(rotations.count == count)
        for one in rotations {
            for other in rotations { #expect(rotations.contains(one.map { other[$0] })) }
        }
    }

    @Test("each order of different neighbors is exactly one arrangement", arguments: Shape.allCases)
    fileprivate func arrangements(_ shape: Shape) throws {
        let corners = Array(0..<Int32(shape.cornerCount))
        var counts: [Int: Int] = [:]
        for order in permutations(of: corners) {
            let isSound = shape != .allene || Set(order[..<2]) == [0, 1] || Set(order[..<2]) == [2, 3]
            let found = Coordination(0, shape, corners).arrangement(of: order)
            #expect((found != nil) == isSound)
            if let found { counts[found, default: 0] += 1 }
        }
        #expect(counts.count == shape.arrangementCount)
        #expect(Set(counts.values) == [shape.rotations.count])
    }

    @Test("an arrangement is found again in any order of the neighbors", arguments: Shape.allCases)
    fileprivate func renumbered(_ shape: Shape) throws {
        var chance = SeededNumbers(seed: 7)
        for arrangement in 1...shape.arrangementCount {
            let order = Array(0..<Int32(shape.cornerCount))
            let first = try #require(Coordination(0, shape, arrangement: arrangement, of: order))
            for _ in 0..<20 {
                var shuffled = order
                if shape == .allene {
                    if Bool.random(using: &chance) { shuffled.swapAt(0, 1) }
                    if Bool.random(using: &chance) { shuffled = Array(shuffled[2...] + shuffled[..<2]) }
                } else {
                    shuffled.shuffle(using: &chance)
                }
                let number = try #require(first.arrangement(of: shuffled))
                let again = try #require(Coordination(0, shape, arrangement: number, of: shuffled))
                #expect(again.arrangement(of: order) == arrangement)
            }
        }
    }

    private func permutations(of items: [Int32]) -> [[Int32]] {
        items.reduce([[]]) { orders, item in
            orders.flatMap { order in (0...order.count).map { order[..<$0] + [item] + order[$0...] } }
        }
    }

    // MARK: Isomers

    /// Compositions with their numbers of isomers, which were counted by hand or are from textbooks.
    fileprivate static let compositions: [(Shape, String, Int)] = [
        (.squarePlanar, "A A A A", 1), (.squarePlanar, "A A A B", 1), (.squarePlanar, "A A B B", 2),
        (.squarePlanar, "A A B C", 2), (.squarePlanar, "A B C D", 3), (.trigonalBipyramidal, "A A A A A", 1),
        (.trigonalBipyramidal, "A A A A B", 2), (.trigonalBipyramidal, "A A A B B", 3),
        (.trigonalBipyramidal, "A B C D E", 20), (.octahedral, "A A A A A A", 1), (.octahedral, "A A A A A B", 1),
        (.octahedral, "A A A A B B", 2), (.octahedral, "A A A A B C", 2), (.octahedral, "A A A B B B", 2),
        (.octahedral, "A A A B B C", 3), (.octahedral, "A A A B C D", 5), (.octahedral, "A A B B C C", 6),
        (.octahedral, "A A B B C D", 8), (.octahedral, "A A B C D E", 15), (.octahedral, "A B C D E F", 30),
    ]

    @Test("a composition has as many canonical texts as isomers", arguments: compositions)
    fileprivate func countsIsomers(_ shape: Shape, _ composition: String, _ count: Int) throws {
        let names = ["A": "F", "B": "Cl", "C": "Br", "D": "I", "E": "O", "F": "N"]
        let labels = composition.split(separator: " ").compactMap { names[String($0)] }
        var chance = SeededNumbers(seed: 3)
        var texts: Set<String> = []
        for arrangement in 1...shape.arrangementCount {
            let first = try canonical(star(shape, arrangement, labels))
            texts.insert(first)
            #expect(try canonical(first) == first)
            texts.insert(try canonical(star(shape, arrangement, labels.shuffled(using: &chance))))
        }
        #expect(texts.count == count)
    }

    @Test("three equal rings have two arrangements between neighbors, and two across the center")
    func chelates() throws {
        let texts = try Set((1...30).map { try canonical("N1CCN[Co@OH\($0)]123(NCCN2)NCCN3") })
        #expect(texts.count == 4)
        for text in texts { #expect(try canonical(text) == text) }
    }

    // MARK: SMILES

    @Test(
        "configurations survive reading and writing",
        arguments: [
            "F[Pt@SP2](Cl)(Br)I", "F[As@TB12](Cl)(Br)(N)O", "F[Co@OH26](Cl)(Br)(I)(N)O", "[Pt@SP3H](F)(Cl)Br",
            "F[Pt@SP1](Cl)Br", "C[Co@OH7]12(F)(Cl)NCCN1CCO2", "CC=[C@AL1]=CF", "OC(F)=[C@AL2]=C(C)N",
            "CC=C=[C@AL2]=C=CF",
        ])
    func survives(_ smiles: String) throws {
        #expect(try written(smiles) == smiles)
        #expect(try written(written(smiles)) == smiles)
    }

    @Test("a chain of double bonds is chiral only if the number of bonds is even")
    func chains() throws {
        #expect(try written("CC=[C@]=CF") == "CC=[C@AL1]=CF")
        #expect(try written("CC=[C@@]=CF") == "CC=[C@AL2]=CF")
        #expect(try written("CC=[C@]=C=CF") == "CC=C=C=CF")
    }

    @Test("@ and @@ mean the first two arrangements of five and six neighbors")
    func plain() throws {
        #expect(try canonical("F[As@](Cl)(Br)(N)O") == canonical("F[As@TB1](Cl)(Br)(N)O"))
        #expect(try canonical("F[Co@@](Cl)(Br)(I)(N)O") == canonical("F[Co@OH2](Cl)(Br)(I)(N)O"))
    }

    @Test("a configuration that equal neighbors determine is not part of the canonical text")
    func idle() throws {
        #expect(try canonical("F[Pt@SP1](F)(F)Cl") == "F[Pt](F)(F)Cl")
        #expect(try canonical("CC=[C@]=C(F)F") == "CC=C=C(F)F")
        #expect(try canonical("F[Pt@SP1](F)(Cl)Cl") != canonical("F[Pt@SP2](F)(Cl)Cl"))
    }

    // MARK: Drawings

    /// A drawing of a metal with neighbors in directions, in degrees. A sign after the direction is a wedge.
    private func drawn(_ metal: String, _ neighbors: [(String, Double, Bond.Mark)]) -> Molecule {
        var molecule = Molecule()
        molecule.atoms = [Atom(ChemicalElement(symbol: metal) ?? .none)]
        for (symbol, angle, mark) in neighbors {
            let (x, y) = (cosine(angle), cosine(angle - 90))
            let atom = molecule.addAtom(Atom(ChemicalElement(symbol: symbol) ?? .none, at: Position(x, y)), bondedTo: 0)
            molecule.bonds[atom - 1].mark = mark
        }
        return molecule
    }

    /// The cosine of an angle in degrees, by its series.
    private func cosine(_ degrees: Double) -> Double {
        let angle = degrees * .pi / 180
        var (sum, term) = (0.0, 1.0)
        for step in 1..<60 {
            sum += term
            term *= -angle * angle / Double((2 * step - 1) * (2 * step))
        }
        return sum
    }

    @Test("a square is perceived with wedges, and without them if no ring determines the directions")
    func squares() {
        let cis = [("Cl", 45.0, Bond.Mark.down), ("Cl", 135, .down), ("N", 225, .up), ("N", 315, .up)]
        let trans = [("Cl", 45.0, Bond.Mark.down), ("N", 135, .down), ("Cl", 225, .up), ("N", 315, .up)]
        let flat = cis.map { ($0.0, $0.1, Bond.Mark.none) }
        #expect(text(drawn("Pt", cis), isCanonical: true) == "N[Pt@SP1](N)(Cl)Cl")
        #expect(text(drawn("Pt", flat), isCanonical: true) == "N[Pt@SP1](N)(Cl)Cl")
        #expect(text(drawn("Pt", trans), isCanonical: true) == "N[Pt@SP2](N)(Cl)Cl")
        #expect(text(drawn("Zn", flat), isCanonical: true) == "N[Zn](N)(Cl)Cl")
    }

    @Test("an octahedron without wedges has no configuration")
    func octahedra() {
        let wedged: [(String, Double, Bond.Mark)] = [
            ("F", 90, .none), ("F", 270, .none), ("Cl", 210, .up), ("Cl", 330, .up), ("Cl", 30, .down),
            ("Cl", 150, .down),
        ]
        let trans = text(drawn("Co", wedged), isCanonical: true)
        #expect(trans.contains("@OH"))
        let flat = wedged.map { ($0.0, $0.1, Bond.Mark.none) }
        #expect(!text(drawn("Co", flat), isCanonical: true).contains("@"))
        let cis = [("Cl", 90.0, Bond.Mark.none)] + wedged[1...2] + [("F", 330, .up)] + wedged[4...]
        #expect(text(drawn("Co", cis), isCanonical: true) != trans)
    }

    @Test("a wavy bond leaves the configuration open")
    func wavy() {
        let neighbors = [("Cl", 45.0, Bond.Mark.either), ("Cl", 135, .down), ("N", 225, .up), ("N", 315, .up)]
        #expect(!text(drawn("Pt", neighbors), isCanonical: true).contains("@"))
    }

    @Test("the layout of a configuration shows it", arguments: [Shape.squarePlanar, .trigonalBipyramidal, .octahedral])
    fileprivate func layout(_ shape: Shape) throws {
        for arrangement in 1...shape.arrangementCount {
            let smiles = star(shape, arrangement, ["F", "Cl", "Br", "I", "O", "N"].prefix(shape.cornerCount))
            let molecule = try Molecule(smiles: smiles)
            let layout = try #require(FlatLayout(of: molecule, hidesHydrogens: false))
            let drawing = try #require(layout.plainDrawing())
            #expect(text(drawing, isCanonical: true) == text(molecule, isCanonical: true))
            #expect(drawing.configuration(ofAtom: 1) == nil)
        }
    }

    @Test("the layout of an allene shows its configuration", arguments: [1, 2])
    func alleneLayout(_ arrangement: Int) throws {
        let molecule = try Molecule(smiles: "CC=[C@AL\(arrangement)]=C(F)N")
        let layout = try #require(FlatLayout(of: molecule, hidesHydrogens: false))
        let drawing = try #require(layout.plainDrawing())
        #expect(text(drawing, isCanonical: true) == text(molecule, isCanonical: true))
    }

    // MARK: Searches

    private func finds(exactly query: String, in target: String) throws -> Bool {
        var search = SubstructureSearch(try SMARTSPattern(exactly: Molecule(smiles: query)))
        return search.finds(in: try Molecule(smiles: target))
    }

    @Test("an exact search distinguishes isomers, and a query without a configuration finds all")
    func exact() throws {
        let (cis, trans) = ("N[Pt@SP1](N)(Cl)Cl", "N[Pt@SP2](N)(Cl)Cl")
        #expect(try finds(exactly: cis, in: "Cl[Pt@SP1](Cl)(N)N"))
        #expect(try finds(exactly: cis, in: "Cl[Pt@SP1](N)(N)Cl"))
        #expect(try !finds(exactly: cis, in: trans))
        #expect(try !finds(exactly: trans, in: cis))
        #expect(try !finds(exactly: cis, in: "N[Pt](N)(Cl)Cl"))
        #expect(try finds(exactly: "N[Pt](N)(Cl)Cl", in: trans))
        #expect(try finds(exactly: "CC=[C@]=CF", in: "CC=[C@]=CF"))
        #expect(try !finds(exactly: "CC=[C@]=CF", in: "CC=[C@@]=CF"))
    }

    @Test("a pattern can contain some of the neighbors")
    func patterns() throws {
        #expect(try ChemopenChemistryTests.finds("Cl[Pt@SP1]Cl", in: Molecule(smiles: "N[Pt@SP1](N)(Cl)Cl")))
        #expect(try !ChemopenChemistryTests.finds("Cl[Pt@SP1]Cl", in: Molecule(smiles: "N[Pt@SP2](N)(Cl)Cl")))
        #expect(try ChemopenChemistryTests.finds("Cl[Pt@SP2]Cl", in: Molecule(smiles: "N[Pt@SP2](N)(Cl)Cl")))
        #expect(throws: SMARTSError.self) { try SMARTSPattern("Cl[Pt@SP4]Cl") }
    }

    // MARK: Edits

    @Test("a configuration is removed if its center loses or gains a neighbor")
    func edits() throws {
        let molecule = try Molecule(smiles: "F[Pt@SP2](Cl)(Br)I")
        #expect(molecule.configuration(ofAtom: 1) != nil)
        var smaller = molecule
        smaller.removeAtoms([4])
        #expect(smaller.configuration(ofAtom: 1) == nil)
        var larger = molecule
        larger.addAtom(Atom(.oxygen), bondedTo: 1)
        #expect(larger.configuration(ofAtom: 1) == nil)
        var longer = molecule
        longer.append(try Molecule(smiles: "C"))
        #expect(text(longer, isCanonical: true) == "C.F[Pt@SP2](Cl)(Br)I")
        var other = Molecule()
        other.append(try Molecule(smiles: "CC"))
        other.append(molecule)
        #expect(text(other, isCanonical: true) == "CC.F[Pt@SP2](Cl)(Br)I")
    }

    @Test("the normal form of a configuration does not depend on the order of its neighbors")
    func normal() {
        let normal = AtomNote.Configuration(.squarePlanar, 2, of: [1, 2, 3, 4])
        #expect(AtomNote.Configuration(.squarePlanar, 1, of: [4, 2, 3, 1]).normalized == normal)
        #expect(AtomNote.Configuration(.squarePlanar, 3, of: [1, 3, 4, 2]).normalized == normal)
        #expect(normal.normalized == normal)
    }
}
