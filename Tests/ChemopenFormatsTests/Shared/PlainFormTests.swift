import ChemopenBytes
import ChemopenModel
import Foundation
import Testing

@testable import ChemopenFormats

/// Returns a sheet with rows in the usual form, with a few changed bytes.
private func sheet(_ dice: inout Dice) -> (head: String, rest: String) {
    let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
    var rest = """
        <DataSheet><Summary><Title/><Description/></Summary>
        <Header nrows="3" ncols="2">
        <Column id="1" name="Molecule" type="molecule"/>
        <Column id="2" name="S" type="string"/>
        </Header>
        <Content>

        """
    let molecule = "SketchEl!(1,0)\nC=0.0000,0.0000;0,0,i4\n!End\n"
    let values = ["<![CDATA[a]]>", "<![CDATA[a<b&c\n]]>", "text", "&lt;&#65;", "", "<![CDATA[]]>", "é", "a\r\nb", " "]
    var rows = ""
    for number in 1...3 {
        rows += "<Row id=\"\(number)\">\n<Cell id=\"1\"><![CDATA[\(molecule)]]></Cell>\n"
        rows += "<Cell id=\"2\">\(dice.pick(values))</Cell>\n</Row>\n"
    }
    rest += dice.damaged(rows, by: " \n\r<>/&]['\"C=12;a\u{1}é") + "</Content></DataSheet>\n"
    return (head, rest)
}

/// Returns the complete result of a reader, except offsets.
private func fullAccount(_ reading: Reading) -> [String] {
    var account = reading.records.map { record in
        var record = record
        record.verbatim = []
        return "\(record)"
    }
    account += reading.issues.map { "\($0.line) \($0.columns) \($0.message) \($0.found)" }
    return account + reading.errors.map { "\($0.line) \($0.record)" } + reading.places.map { "\($0.line)" }
}

/// Returns a drawing in which the selected properties have a long length field, or `nil`.
private func withLongLengths(_ bytes: [UInt8], _ isLong: (Int) -> Bool) -> [UInt8]? {
    var result = Array(bytes[..<28])
    var at = 28
    while at + 2 <= bytes.count {
        let tag = Int(bytes[at]) | Int(bytes[at + 1]) << 8
        if tag == 0 {
            result += bytes[at..<at + 2]
            at += 2
        } else if tag & 0x8000 != 0 {
            guard at + 6 <= bytes.count else { return nil }
            result += bytes[at..<at + 6]
            at += 6
        } else {
            guard at + 4 <= bytes.count else { return nil }
            let length = Int(bytes[at + 2]) | Int(bytes[at + 3]) << 8
            guard length != 0xFFFF, at + 4 + length <= bytes.count else { return nil }
            result += bytes[at..<at + 2]
            if isLong(tag) {
                result += [0xFF, 0xFF, UInt8(length & 255), UInt8(length >> 8), 0, 0]
                result += bytes[at + 4..<at + 4 + length]
            } else {
                result += bytes[at + 2..<at + 4 + length]
            }
            at += 4 + length
        }
    }
    return result + bytes[at...]
}

/// Returns the byte range of the data of each property.
private func dataOfProperties(_ bytes: [UInt8]) -> [Range<Int>] {
    var all: [Range<Int>] = []
    var at = 28
    while at + 4 <= bytes.count {
        let tag = Int(bytes[at]) | Int(bytes[at + 1]) << 8
        let length = Int(bytes[at + 2]) | Int(bytes[at + 3]) << 8
        if tag == 0 {
            at += 2
        } else if tag & 0x8000 != 0 {
            at += 6
        } else {
            guard length != 0xFFFF, at + 4 + length <= bytes.count else { return all }
            all.append(at + 4..<at + 4 + length)
            at += 4 + length
        }
    }
    return all
}

@Suite("Fast and general code for rows, properties and numbers")
struct PlainFormTests {
    @Test("rows are the same after a document type, which disables the fast code")
    func rows() throws {
        var dice = Dice(1)
        for _ in 0..<2000 {
            let (head, rest) = sheet(&dice)
            let size = dice.pick([nil, nil, 100])
            let plain = fullAccount(try Reading.all(head + rest, by: DataSheetReader.self, inBlocksOf: size))
            let general = fullAccount(try Reading.all(head + "<!DOCTYPE DataSheet>" + rest, by: DataSheetReader.self))
            if plain != general { Issue.record("\(rest)\n---\n\(plain)\n---\n\(general)") }
        }
    }

    @Test(
        "a CDX property is the same with a short or a long length field",
        arguments: Fixture.all(in: "cdx"))
    func items(_ fixture: Fixture) throws {
        let whole = try fixture.bytes
        guard whole.starts(with: "VjCD0100".utf8), whole[22] == 0, whole[23] == 0x80, whole[8] == 4 else { return }
        var dice = Dice(UInt64(whole.count))
        let places = dataOfProperties(whole).filter { !$0.isEmpty }
        for _ in 0..<40 {
            var bytes = whole
            for _ in 0..<dice.number(below: 4) {
                let place = dice.number(below: places.count)
                let byte = places[place].lowerBound + dice.number(below: places[place].count)
                bytes[byte] = dice.pick([0, 1, 2, 7, 0x20, 0x7F, 0x80, 0xFF, UInt8(dice.number(below: 256))])
            }
            let general = try #require(withLongLengths(bytes) { _ in true })
            let mixed = try #require(withLongLengths(bytes) { _ in dice.isOne(in: 2) })
            let account = account(of: try Reading.all(bytes, by: DrawingReader.self))
            #expect(self.account(of: try Reading.all(general, by: DrawingReader.self)) == account)
            #expect(self.account(of: try Reading.all(mixed, by: DrawingReader.self)) == account)
        }
    }

    /// Returns the content. Unknown parts are compared as bytes.
    private func account(of reading: Reading) -> [String] {
        let records = reading.records.map { record in
            var record = record
            record.verbatim = []
            return "\(record)"
        }
        return records + reading.issues.map(\.message) + ["\(reading.errors.count)"]
    }

    // MARK: Writing

    private func coordinate(_ dice: inout Dice) -> Double {
        let small = Double(dice.number(below: 2_000_000) - 1_000_000) / 10_000
        switch dice.number(below: 8) {
        case 0: return dice.pick([0, -0.0, 0.00005, -0.00005, 0.03125, -0.00004, 9999.99995, -9999.99995, 1e-9])
        case 1: return small / 1_000
        case 2: return small * 1_000
        case 3: return small + 0.00005
        case 4: return Double(dice.number(below: 1 << 30)) / Double(1 + dice.number(below: 1 << 20))
        default: return small
        }
    }

    private func atom(_ dice: inout Dice) -> Atom {
        var atom = Atom(dice.pick([.carbon, .hydrogen, ChemicalElement.element(ofSymbol: 0x43, 0x6C)]))
        atom.position = Position(coordinate(&dice), coordinate(&dice), 0)
        if dice.isOne(in: 3) { atom.charge = dice.pick([-12, -9, -1, 1, 9, 10]) }
        if dice.isOne(in: 5) { atom.radical = .unpaired(dice.number(below: 12)) }
        atom.hydrogens = .fixed(dice.number(below: 12))
        return atom
    }

    @Test("a SketchEl atom line is the same, except for a map number that disables the fast code")
    func atomLines() throws {
        var dice = Dice(2)
        for _ in 0..<300 {
            var molecule = Molecule()
            molecule.hydrogenRule = .sketchEl
            for _ in 0..<10 { molecule.atoms.append(atom(&dice)) }
            let plain = try write(molecule, as: .sketchEl)
            for index in molecule.atoms.indices { molecule.atoms[index].mapNumber = 7 }
            let general = try write(molecule, as: .sketchEl)
            for (line, atom) in zip(plain.lines.dropFirst(), molecule.atoms) where abs(atom.position.x) < 9_999 {
                let number = String(format: "%.4f", atom.position.x)
                #expect(line.hasPrefix("\(atom.element.symbol)=\(number),"))
            }
            #expect(plain.lines == general.lines.map { $0.replacingOccurrences(of: ",n7", with: "") })
            #expect("\(plain.losses)" == "\(general.losses)")
        }
    }

    @Test("a V2000 coordinate matches the output of C in ten columns, and is read back unchanged")
    func coordinates() throws {
        var dice = Dice(3)
        for _ in 0..<300 {
            var molecule = Molecule()
            for _ in 0..<10 {
                var atom = atom(&dice)
                atom.position = Position(
                    atom.position.x, atom.position.y, dice.isOne(in: 2) ? 0 : coordinate(&dice))
                guard max(abs(atom.position.x), abs(atom.position.y), abs(atom.position.z)) < 9_999 else { continue }
                molecule.atoms.append(atom)
            }
            let written = try write(molecule, as: .molfile, .version(.v2000))
            for (line, atom) in zip(written.lines.dropFirst(4), molecule.atoms) {
                let numbers = [atom.position.x, atom.position.y, atom.position.z].map { number in
                    let text = String(format: "%10.4f", number)
                    return text == "   -0.0000" ? "    0.0000" : text
                }
                #expect(line.hasPrefix(numbers.joined() + " "))
            }
        }
    }

    @Test("a V2000 atom line is the same, except for a map number that disables the fast code")
    func atomLinesOfV2000() throws {
        var dice = Dice(5)
        for _ in 0..<300 {
            var molecule = Molecule()
            for _ in 0..<10 {
                var atom = atom(&dice)
                if dice.isOne(in: 2) { (atom.charge, atom.radical) = (0, .none) }
                if dice.isOne(in: 4) { atom.marks.parity = 1 }
                atom.hydrogens = .unstated
                molecule.atoms.append(atom)
            }
            let plain = try write(molecule, as: .molfile, .version(.v2000))
            for index in molecule.atoms.indices { molecule.atoms[index].mapNumber = 7 }
            let general = try write(molecule, as: .molfile, .version(.v2000))
            #expect(plain.lines == general.lines.map { $0.replacingOccurrences(of: "  7  0  0", with: "  0  0  0") })
            #expect("\(plain.losses)" == "\(general.losses)")
        }
    }

    @Test("a bond line has the same columns if its numbers are written together or one by one")
    func bondLines() throws {
        var dice = Dice(4)
        var molecule = Molecule()
        for _ in 0..<999 { molecule.atoms.append(Atom(.carbon)) }
        for _ in 0..<900 {
            let ends = (dice.number(below: 999), dice.number(below: 998))
            molecule.bonds.append(
                Bond(ends.0, ends.1 + (ends.1 >= ends.0 ? 1 : 0), dice.pick([.single, .triple, .any])))
        }
        let lines = try write(molecule, as: .molfile, .version(.v2000)).lines.dropFirst(4 + 999)
        for (line, bond) in zip(lines, molecule.bonds) {
            let numbers = [Int(bond.from) + 1, Int(bond.to) + 1, bond.order.mdlType ?? 0, 0, 0, 0, 0]
            #expect(line == numbers.map { V2000.column($0) }.joined())
        }
    }
}
