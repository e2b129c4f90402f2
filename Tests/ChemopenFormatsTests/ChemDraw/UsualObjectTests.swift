import ChemopenBytes
import ChemopenModel
import Testing

@testable import ChemopenFormats

@Suite("Fast writing of common drawing objects")
struct UsualObjectTests {
    private static let encodings = [WrittenDrawing.Encoding.xml, .binary]

    /// Returns the bytes for an edit of a drawing, with the fast and the general code.
    private func spellings(
        _ encoding: WrittenDrawing.Encoding, _ make: (inout WrittenDrawing) -> Void
    ) -> (quick: [UInt8], whole: [UInt8]) {
        func bytes(takesShortcuts: Bool) -> [UInt8] {
            var drawing = WrittenDrawing(encoding, PageStyle(), takesShortcuts: takesShortcuts)
            drawing.open(.fragment, id: 1)
            make(&drawing)
            drawing.close()
            var bytes: [UInt8] = []
            drawing.move(to: &bytes)
            return bytes
        }
        return (bytes(takesShortcuts: true), bytes(takesShortcuts: false))
    }

    /// Returns the bytes for a page of records, with the fast and the general code.
    private func pages(_ encoding: WrittenDrawing.Encoding, _ records: [Record]) -> (quick: [UInt8], whole: [UInt8]) {
        func bytes(takesShortcuts: Bool) -> [UInt8] {
            var page = DrawnPage(PageStyle(), encoding, takesShortcuts: takesShortcuts)
            for record in records {
                var writer = PageRecordWriter(page.style, takesShortcuts: takesShortcuts)
                _ = writer.measure(record)
                writer.write(record, to: &page)
            }
            var bytes: [UInt8] = []
            page.drawing.move(to: &bytes)
            return bytes
        }
        return (bytes(takesShortcuts: true), bytes(takesShortcuts: false))
    }

    @Test("produces the same objects as the general code", arguments: encodings)
    func objects(_ encoding: WrittenDrawing.Encoding) {
        var dice = SystemRandomNumberGenerator()
        for _ in 0..<3000 {
            let object = UsualThing(&dice)
            let (quick, whole) = spellings(encoding) { object.add(to: &$0) }
            #expect(quick == whole, "\(object): \(Text(bytes: quick)) and not \(Text(bytes: whole))")
        }
    }

    @Test(
        "produces the same records for all fixtures",
        arguments: ["sdf", "mol", "rxn", "rdf", "el", "ds", "cdxml", "cdx"])
    func fixtures(_ folder: String) throws {
        let format = try #require(Format.all.first { $0.id == folder })
        for fixture in Fixture.all(in: folder) {
            let records = try readAll(fixture.bytes, as: format).compactMap { $0.reading?.record }
            for encoding in Self.encodings {
                let (quick, whole) = pages(encoding, records)
                #expect(quick == whole, "\(fixture)")
            }
        }
    }

    @Test("produces the same random molecules", arguments: encodings)
    func molecules(_ encoding: WrittenDrawing.Encoding) {
        var dice = SystemRandomNumberGenerator()
        for _ in 0..<400 {
            let record = dice.record()
            let (quick, whole) = pages(encoding, [record])
            #expect(quick == whole, "\(record)")
        }
    }

    @Test("produces the same simple molecules directly from their atoms and bonds", arguments: encodings)
    func plainMolecules(_ encoding: WrittenDrawing.Encoding) {
        var dice = SystemRandomNumberGenerator()
        var plain = PlainFragment()
        var taken = 0
        for _ in 0..<400 {
            let records = (0..<3).map { _ in dice.plainRecord() }
            for case .molecule(let molecule) in records.map(\.subject) where plain.take(molecule, PageStyle()) != nil {
                taken += 1
            }
            let (quick, whole) = pages(encoding, records)
            #expect(quick == whole, "\(records)")
        }
        #expect(taken > 400)
    }
}

/// A node, a bond or an annotation with random numbers.
private enum UsualThing {
    case node(UsualNode, UsualLabel?)
    case label(UsualLabel)
    case bond(UsualBond)
    case annotation(Text, Text)

    init(_ dice: inout SystemRandomNumberGenerator) {
        switch Int.random(in: 0..<4, using: &dice) {
        case 0:
            let node = UsualNode(
                id: dice.id(), place: dice.wholePlace(), element: Bool.random(using: &dice) ? 0 : .random(in: 1...118),
                charge: Bool.random(using: &dice) ? 0 : .random(in: -15...15), hydrogens: .random(in: -1...20))
            self = .node(node, Bool.random(using: &dice) ? dice.label() : nil)
        case 1: self = .label(dice.label())
        case 2:
            let displays: [DrawnBond.Display] = [.solid, .wedgeFromBegin, .hashedWedgeFromBegin, .wavy, .dash]
            let sides = [nil, DoubleBondSides.centre, DoubleBondSides.left, DoubleBondSides.right]
            self = .bond(
                UsualBond(
                    id: dice.id(), begin: dice.id(), end: dice.id(),
                    order: [1, 2, 4, 0x20, 0x80, 0x4000, 0xFFFF].randomElement(using: &dice) ?? 1,
                    display: displays.randomElement(using: &dice) ?? .solid,
                    side: sides.randomElement(using: &dice) ?? nil))
        default: self = .annotation(dice.text(), dice.text())
        }
    }

    func add(to drawing: inout WrittenDrawing) {
        switch self {
        case .node(let node, let label): drawing.add(node, label)
        case .label(let label):
            drawing.open(.node, id: 7)
            drawing.add(label)
            drawing.close()
        case .bond(let bond): drawing.add(bond)
        case .annotation(let keyword, let content): drawing.annotate(id: 9, keyword, content)
        }
    }
}

extension RandomNumberGenerator {
    fileprivate mutating func id() -> UInt32 {
        let digits = Int.random(in: 1...9, using: &self)
        return UInt32((0..<digits).reduce(1) { number, _ in number * 10 } - Int.random(in: 0...9, using: &self) % 3)
    }

    /// Returns a coordinate: small or large, a multiple of a ten-thousandth or not, or halfway between hundredths.
    fileprivate mutating func coordinate() -> Double {
        switch Int.random(in: 0..<6, using: &self) {
        case 0: Double(Int.random(in: -9...9, using: &self))
        case 1: Double(Int.random(in: 0...400_000_000, using: &self)) / 10_000
        case 2: Double(Int.random(in: -2_000_000...2_000_000, using: &self)) / 10_000
        case 3: Double(Int.random(in: 0...99_999, using: &self)) / 200
        case 4: Double.random(in: -1e5...1e5, using: &self)
        default: Double.random(in: -1e13...1e13, using: &self)
        }
    }

    fileprivate mutating func place() -> Position { Position(coordinate(), coordinate()) }

    fileprivate mutating func wholePlace() -> WholePlace {
        while true {
            if let place = WholePlace(place()) { return place }
        }
    }

    fileprivate mutating func label() -> UsualLabel {
        var atom = Atom(ChemicalElement(rawValue: .random(in: 1...118, using: &self)) ?? .carbon)
        atom.charge = .random(in: -9...9, using: &self)
        let isTurned = Bool.random(using: &self)
        while true {
            let text = NodeLabel(of: atom, hydrogens: .random(in: 0...9, using: &self), isTurned: isTurned)
            if let text, let label = UsualLabel(text, id: id(), at: place(), PageStyle.usualSize) { return label }
        }
    }

    fileprivate mutating func text() -> Text {
        let letters = Array("abcdefghijklmnopqrstuvwxyz 0123456789\n\t&<>\"'é".utf8)
        let isPlain = Bool.random(using: &self)
        let count = Int.random(in: 0...30, using: &self)
        let bytes = (0..<count).map { _ in letters[.random(in: 0..<(isPlain ? 37 : letters.count), using: &self)] }
        return Text(Text(bytes: bytes).string)
    }

    /// Returns a record of a molecule with various atom and bond properties.
    fileprivate mutating func record() -> Record {
        var molecule = Molecule()
        let count = Int.random(in: 1...30, using: &self)
        let isFlat = Bool.random(using: &self)
        for index in 0..<count {
            var atom = Atom(
                [.carbon, .carbon, .carbon, .nitrogen, .oxygen, .chlorine, .none].randomElement(using: &self)
                    ?? .carbon,
                at: Position(
                    .random(in: -20...20, using: &self), .random(in: -20...20, using: &self),
                    isFlat ? 0 : .random(in: -3...3, using: &self)))
            if rarely() { atom.charge = .random(in: -20...20, using: &self) }
            if rarely() { atom.isotope = .random(in: 0...500, using: &self) }
            if rarely() { atom.radical = .doublet }
            if rarely() { atom.mapNumber = .random(in: 0...9, using: &self) }
            if rarely() { atom.hydrogens = .fixed(.random(in: 0...40, using: &self)) }
            if rarely() { atom.marks.parity = .random(in: 0...3, using: &self) }
            molecule.atoms.append(atom)
            if atom.element == .none || rarely() {
                molecule.setLabel(["R#", "D", "Ph", "*", "é"].randomElement(using: &self) ?? "*", ofAtom: index)
            }
            if index > 0 { molecule.bonds.append(bond(from: .random(in: 0..<index, using: &self), to: index)) }
        }
        if rarely() {
            molecule.extras.contents.stereoGroups = [StereoGroup(.racemic, number: 1, atoms: [0])]
        }
        molecule.name = text()
        molecule.origin = text()
        var record = Record(molecule)
        for _ in 0..<Int.random(in: 0...4, using: &self) {
            record.fields.append(Field(text(), text()))
        }
        return record
    }

    /// Returns a record of a molecule with few properties besides its elements and bonds.
    fileprivate mutating func plainRecord() -> Record {
        var molecule = Molecule()
        let elements: [ChemicalElement] = [
            .carbon, .carbon, .carbon, .nitrogen, .oxygen, .sulfur, .chlorine, .hydrogen, .silicon, .sodium, .iron,
        ]
        // Many atoms in a small area cause overlaps of labels and bonds.
        // Short bonds are drawn longer.
        let reach: Double = [0.4, 1, 3, 20, 500].randomElement(using: &self) ?? 20
        let count = [1, 2, 12, 60, 500].randomElement(using: &self) ?? 12
        for index in 0..<Int.random(in: 1...count, using: &self) {
            var atom = Atom(elements.randomElement(using: &self) ?? .carbon)
            let places = (0..<2).map { _ in Double.random(in: -reach...reach, using: &self) }
            let scaled = places.map { Bool.random(using: &self) ? $0 : ($0 * 10_000).rounded() / 10_000 }
            atom.position = Position(scaled[0], scaled[1])
            if rarely(), rarely() { atom.charge = .random(in: -3...3, using: &self) }
            if rarely(), rarely() { atom.marks.parity = .random(in: 1...3, using: &self) }
            molecule.atoms.append(atom)
            if index == 0 || (rarely() && rarely()) { continue }
            let orders: [Bond.Order] = [.single, .single, .double, .triple]
            for _ in 0..<(rarely() ? 2 : 1) {
                var bond = Bond(.random(in: max(0, index - 6)..<index, using: &self), index)
                bond.order = orders.randomElement(using: &self) ?? .single
                if Bool.random(using: &self) { bond.turn() }
                if rarely() { bond.mark = [.up, .down, .either].randomElement(using: &self) ?? .up }
                molecule.bonds.append(bond)
            }
        }
        if rarely() { molecule.flags.insert(.chiral) }
        if rarely(), rarely() { molecule.atoms[0].position.z = 1 }
        molecule.name = text()
        molecule.origin = text()
        molecule.comment = rarely() ? text() : ""
        var record = Record(molecule)
        for _ in 0..<Int.random(in: 0...4, using: &self) { record.fields.append(Field(text(), text())) }
        return record
    }

    private mutating func bond(from: Int, to: Int) -> Bond {
        let orders: [Bond.Order] = [.single, .single, .double, .triple, .aromatic, .any, .zero, .dative]
        var bond = Bond(from, to, orders.randomElement(using: &self) ?? .single)
        if rarely() { bond.mark = [.up, .down, .either].randomElement(using: &self) ?? .up }
        if rarely() { bond.traits.insert(.inRing) }
        if rarely() { bond.reactingCentre = .random(in: -1...13, using: &self) }
        return bond
    }

    private mutating func rarely() -> Bool { Int.random(in: 0..<8, using: &self) == 0 }
}
