import ChemopenModel
import Testing

@Suite("Editing data fields")
struct FieldEditingTests {
    private func fields(_ pairs: KeyValuePairs<Text, Text>) -> Fields {
        var fields = Fields()
        for (name, value) in pairs { fields.append(name, value) }
        return fields
    }

    private func pairs(_ fields: Fields) -> [String] {
        fields.map { "\($0.name)=\($0.value)" }
    }

    @Test("a field is changed by name, added if it is missing, and removed")
    func byName() {
        var fields = fields(["A": "1", "B": "2", "A": "3"])
        fields["A"] = "one"
        fields["C"] = "new"
        fields["B"]?.value = "two"
        fields["D"]?.value = "nowhere"
        #expect(pairs(fields) == ["A=one", "B=two", "A=3", "C=new"])
        fields["A"] = nil
        #expect(pairs(fields) == ["B=two", "C=new"])
        #expect(fields.columns.map(\.name) == ["A", "B", "C"])
    }

    @Test("fields are equal if their names and values are equal, independent of other columns in their files")
    func equality() {
        let short = fields(["B": "2"])
        var long = fields(["A": "1", "B": "2", "C": "3"])
        long["A"] = nil
        long["C"] = nil
        #expect(short == long)
        #expect(short.hashValue == long.hashValue)
        #expect(short != fields(["A": "2"]))
        #expect(short != fields(["B": "2", "A": ""]))
        #expect(fields(["A": "12", "B": ""]) != fields(["A": "1", "B": "2"]))
        var headed = Fields()
        headed.append("B", "2", header: "> <B> (1)")
        #expect(short != headed)
    }

    @Test("a field is changed, inserted and removed by index")
    func byPlace() {
        var fields = fields(["A": "1", "B": "2"])
        fields[0].value = "longer than before"
        fields.insert(Field("X", "0"), at: 0)
        fields.insert(Field("Y", "9"), at: 3)
        #expect(pairs(fields) == ["X=0", "A=longer than before", "B=2", "Y=9"])
        #expect(fields.remove(at: 1).value == "longer than before")
        fields.removeAll { $0.name == "X" }
        #expect(pairs(fields) == ["B=2", "Y=9"])
    }

    @Test("a typed value preserves its type for any previous column type")
    func typed() {
        var fields = fields(["IC50": "unknown"])
        fields["IC50"] = Field(.real(0.5))
        fields["N"] = Field(.integer(7))
        fields["OK"] = Field(.boolean(true))
        fields.append("MASS", .real(180, spelling: "180.00"))
        #expect(fields.map(\.cell) == [.real(0.5), .integer(7), .boolean(true), .real(180, spelling: "180.00")])
        #expect(pairs(fields) == ["IC50=0.5", "N=7", "OK=true", "MASS=180.00"])
        fields["N"] = "8"
        #expect(fields["N"]?.cell == .integer(8))
        fields["N"] = "eight"
        #expect(fields["N"]?.cell == .string("eight"))
        #expect(fields.columns.map(\.kind) == [.real, .string, .boolean, .real])
    }

    @Test("a structure is moved and removed together with its field")
    func structures() {
        let water = Molecule(["O"])
        var fields = Fields()
        fields.append("A", "1")
        fields.append("M", water, text: "H2O")
        fields.append("B", "2")
        fields["A"] = "one"
        fields.insert(Field("Z", .molecule(Molecule(["N"]))), at: 0)
        #expect(fields.map(\.cell) == [.molecule(Molecule(["N"])), .string("one"), .molecule(water), .string("2")])
        fields.remove(at: 0)
        #expect(fields["M"]?.cell == .molecule(water))
        fields["M"]?.value = "water"
        #expect(fields.map(\.cell) == [.string("one"), .string("water"), .string("2")])
    }

    @Test("the header of a field is preserved while its name stays the same")
    func headers() {
        var fields = Fields()
        fields.append("A", "1", header: ">  <A> (7)")
        fields.append("B", "2", header: ">  <B> (7)")
        fields["A"]?.value = "one"
        fields[1].name = "C"
        #expect(fields.map(\.header) == [">  <A> (7)", nil])
        fields.insert(Field("D", "4", header: ">  <D> DT4"), at: 1)
        #expect(fields.map(\.header) == [">  <A> (7)", ">  <D> DT4", nil])
        #expect(pairs(fields) == ["A=one", "D=4", "C=2"])
    }

    @Test("random edits have the same effect on fields as on an array", arguments: 0..<20)
    func random(seed: UInt64) {
        var generator = SplitMix(seed)
        var fields = Fields()
        var list: [Field] = []
        for step in 0..<200 {
            let name = Text("N\(Int.random(in: 0..<4, using: &generator))")
            let molecule = Molecule([["C", "N", "O"][step % 3]])
            let cells: [Cell] = [.string("v\(step)"), .molecule(molecule), .string("")]
            let header: Text? = step % 5 == 0 ? "> <\(name)>" : nil
            let field = Field(name, cells[Int.random(in: 0..<3, using: &generator)], header: header)
            let place = Int.random(in: 0...list.count, using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0, 1:
                fields.insert(field, at: place)
                list.insert(field, at: place)
            case 2 where place < list.count:
                fields[place] = field
                list[place] = field
            case 3 where place < list.count:
                fields.remove(at: place)
                list.remove(at: place)
            case 4 where step % 10 == 0:
                fields.removeAll { $0.name == name }
                list.removeAll { $0.name == name }
            default:
                fields.append(field)
                list.append(field)
            }
            #expect(fields.map(\.name) == list.map(\.name) && fields.map(\.value) == list.map(\.value))
            #expect(fields.map(\.header) == list.map(\.header) && fields.map(\.cell) == list.map(\.cell))
        }
    }

    @Test("molecule and reaction of a record are set independently, and setting one to nil preserves the other")
    func subjects() {
        var record = Record(Molecule(["C"]))
        record.molecule?.name = "methane"
        record.reaction = nil
        #expect(record.molecule?.name == "methane")
        record.reaction = Reaction(Reaction.Step(products: [.init(Molecule(["O"]))]))
        record.molecule = nil
        #expect(record.reaction?.products.count == 1)
        record.molecule = Molecule(["N"])
        record.molecule?.atoms[0].charge = 1
        #expect(record.molecule?.atoms.map(\.charge) == [1])
        record.molecule = nil
        #expect(record.subject == .none)
        record.molecule?.name = "nobody"
        #expect(record.subject == .none)
    }
}

/// A generator that returns the same numbers for the same seed.
private struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
