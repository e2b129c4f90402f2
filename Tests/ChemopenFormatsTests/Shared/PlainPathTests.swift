import ChemopenBytes
import ChemopenModel
import Testing

@testable import ChemopenFormats

/// Pseudorandom numbers, the same in each run.
struct Dice {
    private var state: UInt64

    init(_ seed: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
    }

    mutating func number(below bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % bound
    }

    /// Returns `true` once in the specified number of calls on average.
    mutating func isOne(in times: Int) -> Bool { number(below: times) == 0 }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(below: elements.count)] }

    /// Returns a decimal number in a random notation.
    mutating func decimal() -> String {
        let sign = pick(["", "", "", "-", "-", "+"])
        let whole = pick(["0", "1", "7", "12", "345", "6789", "00", "1234567", "12345678", ""])
        let decimals = String(String(1_000_000_000 + number(below: 1_000_000_000)).dropFirst(number(below: 10) + 1))
        switch number(below: 12) {
        case 0: return sign + whole
        case 1: return sign + whole + "."
        case 2: return sign + "0.0000"
        case 3: return sign + whole + "." + decimals + pick(["e-02", "E+01", "e1", "e400", "E"])
        case 4:
            return pick(["-0.0000", "-0", "nan", "1,5", "1.2.3", "-", ".", "--1", "1e", "99999.9999", "-9999.9999"])
        case 5, 6: return sign + whole + "." + decimals
        default: return sign + pick(["0", "1", "12", "123"]) + "." + String(decimals + "0000").prefix(4)
        }
    }

    /// Returns a text in a column: right-aligned, left-aligned or between; truncated if it is too wide.
    mutating func column(_ text: String, _ width: Int) -> String {
        let text = String(text.prefix(width))
        let blanks = width - text.utf8.count
        let left = isOne(in: 12) ? number(below: blanks + 1) : isOne(in: 12) ? 0 : blanks
        return String(repeating: " ", count: left) + text + String(repeating: " ", count: blanks - left)
    }

    /// Returns the text with up to a few changed bytes.
    mutating func damaged(_ text: String, by letters: String = " 019-+.\tCc=,;)(\u{1}é") -> String {
        if !isOne(in: 3) { return text }
        var text = Array(text)
        for _ in 0...number(below: 2) where !text.isEmpty {
            let place = number(below: text.count)
            switch number(below: 4) {
            case 0: text.remove(at: place)
            case 1: text.insert(pick(Array(letters)), at: place)
            default: text[place] = pick(Array(letters))
            }
        }
        return String(text)
    }

    mutating func symbol() -> String {
        isOne(in: 4)
            ? pick(["CL", "cl", "c", "D", "T", "R#", "R1", "A", "Q", "*", "L", "Xyz", "", "1", "LP", "Abc"])
            : pick(["C", "N", "O", "Cl", "Br", "Si", "H"])
    }
}

/// Returns the complete result of a reader, bit for bit. Offsets are omitted, because line ends have different
/// lengths.
private func account(_ outcomes: [Outcome]) -> [String] {
    outcomes.map { outcome in
        switch outcome {
        case .refused(let error): "refused \(error.line) \(error.columns) \(error.expected) \(error.found)"
        case .record(let reading):
            "\(reading.molecule) \(bits(of: reading.molecule)) \(reading.record.fields) "
                + reading.issues.filter { !$0.message.hasPrefix("lines end in ") }.map {
                    "\($0.line) \($0.columns) \($0.message) \($0.found) \($0.severity)"
                }
                .joined(separator: "\n")
        }
    }
}

private func bits(of molecule: Molecule) -> [UInt64] {
    molecule.atoms.flatMap { [$0.position.x.bitPattern, $0.position.y.bitPattern, $0.position.z.bitPattern] }
}

// MARK: V2000

extension Dice {
    fileprivate mutating func atomLineV2000() -> String {
        let isUsual = !isOne(in: 3)
        func coordinate(_ dice: inout Dice) -> String {
            let text = isUsual ? dice.pick(["0.0000", "-0.0000", "1.2990", "-12.7500", "123.4567"]) : dice.decimal()
            return dice.column(text, 10)
        }
        var line = coordinate(&self) + coordinate(&self)
        line += isOne(in: 20) ? String(repeating: " ", count: 10) : coordinate(&self)
        line += " " + symbol().padding(3) + column(pick(["0", "0", "0", "1", "-1", ""]), 2)
        for _ in 0..<11 {
            line += column(
                isOne(in: 15) ? pick(["1", "3", "4", "7", "9", "12", "-1", "", "x", "0 0", "+1", "1 2"]) : "0", 3)
        }
        if isOne(in: 10) { line = String(line.prefix(number(below: 70))) }
        if isOne(in: 20) { line += pick(["  ", " 1", "junk", "  0  0  0"]) }
        if isOne(in: 40) { line = line.split(separator: " ").joined(separator: " ") }
        return damaged(line)
    }

    fileprivate mutating func bondLineV2000(_ atoms: Int) -> String {
        var line = ""
        for _ in 0..<2 { line += column(String(isOne(in: 15) ? number(below: 200) : 1 + number(below: atoms)), 3) }
        line += column(String(isOne(in: 10) ? number(below: 12) : 1 + number(below: 3)), 3)
        line += column(isOne(in: 4) ? pick(["1", "3", "4", "6", "2", "", "-1", "x"]) : "0", 3)
        for _ in 0..<3 { line += column(isOne(in: 12) ? pick(["1", "2", "4", "13", "-1", "", "x", "0 0"]) : "0", 3) }
        if isOne(in: 5) { line = String(line.prefix(pick([6, 7, 8, 9, 10, 11, 12, 13, 15, 18]))) }
        if isOne(in: 20) { line += pick([" ", "  0", " 1"]) }
        if isOne(in: 30) { line = line.split(separator: " ").joined(separator: " ") }
        return damaged(line)
    }

    fileprivate mutating func molfileV2000() -> [String] {
        let atoms = 1 + number(below: 5)
        let bonds = number(below: atoms)
        let counts = V2000.counts(atoms, isOne(in: 15) ? bonds + 1 : bonds)
        var lines = ["title", "", "", isOne(in: 8) ? damaged(counts) : counts]
        for _ in 0..<atoms { lines.append(atomLineV2000()) }
        for _ in 0..<bonds { lines.append(bondLineV2000(atoms)) }
        if isOne(in: 4) { lines.append(damaged("M  CHG  1   1   1")) }
        lines.append(isOne(in: 20) ? damaged("M  END") : "M  END")
        return lines
    }
}

extension Dice {
    /// Returns a molfile in which some lines have a changed byte.
    fileprivate mutating func tidyMolfileV2000() -> [String] {
        var lines = ["title", "", "", V2000.counts(3, 2)]
        for index in 0..<3 { lines.append(V2000.atom(pick(["C", "Cl"]), charge: pick([0, 0, 3]), map: index * 7)) }
        for index in 0..<2 { lines.append(V2000.bond(index + 1, index + 2, stereo: pick([0, 1, 6]))) }
        lines += ["M  CHG  1   1   1", "M  END"]
        let place = 3 + number(below: 8)
        lines[place] = damaged(lines[place], by: "  001-")
        return lines
    }
}

extension String {
    fileprivate func padding(_ width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - utf8.count))
    }
}

// MARK: Data fields

extension Dice {
    /// Returns records with similar fields, in headers of the same or another form.
    fileprivate mutating func dataOfRecords() -> [String] {
        let names = ["ID", "MASS", "A NAME OF MORE THAN SIXTEEN LETTERS", "A", "MASS OF SALT"]
        let opening = pick([">  <", "> <", ">\t<"])
        var lines: [String] = []
        for record in 1...4 {
            lines += ["title", "", "", V2000.counts(0, 0), "M  END"]
            for name in names where !isOne(in: 6) {
                let header = (isOne(in: 8) ? pick([">  <", ">   <", "> 12 <"]) : opening) + name + ">"
                let ending = isOne(in: 6) ? pick(["", " ", " (\(record))", ">", " DT12"]) : ""
                lines.append(damaged(header + ending, by: " <>A("))
                lines +=
                    isOne(in: 8)
                    ? pick([[], ["one", "two"], [" "], [header], [" ", header], ["one", " ", "two"]])
                    : ["value \(record)"]
                if !isOne(in: 20) { lines.append(isOne(in: 5) ? pick([" ", "\t ", "  "]) : "") }
            }
            if isOne(in: 10) { lines.append(pick([">  <>", "stray", ""])) }
            lines.append("$$$$")
        }
        return lines
    }
}

extension Dice {
    /// Returns RD file records with data of one or more lines, some slightly malformed.
    fileprivate mutating func recordsOfRDfile() -> [String] {
        let names = ["ID", "MOL:NAME", "RXN:CONDITIONS", "RXN:ARROW", "A NAME", "NAME(1):OF PART(2)"]
        var lines = ["$RDFILE 1", "$DATM    01/01/26 00:00"]
        for record in 1...3 {
            if isOne(in: 2) {
                lines += ["$MFMT", "title", "", "", V2000.counts(0, 0), "M  END"]
            } else {
                lines += ["$RFMT", "$RXN", "", "", "", "  0  0"]
            }
            for _ in 0..<number(below: 6) {
                lines.append(damaged("$DTYPE " + pick(names), by: " $\t\0A"))
                if isOne(in: 9) { lines.append(pick(["more", "", " ", "$DTYPE"])) }
                let value = isOne(in: 4) ? pick(["", " ", "$5", "$MFMT", "$RFMT 1", " x", "x "]) : "value \(record)"
                let wide = String(repeating: "x", count: 71 + number(below: 5)) + pick(["", "+"])
                lines.append(damaged("$DATUM " + (isOne(in: 6) ? wide : value), by: " $\t\0A"))
                if isOne(in: 6) { lines.append(pick(["more", "", " ", "$DATUM again", "a+"])) }
            }
            if isOne(in: 6) { lines.append(pick(["", " ", "stray"])) }
        }
        return lines
    }
}

// MARK: V3000

extension Dice {
    private mutating func blanks() -> String { isOne(in: 12) ? pick(["  ", "\t", "   ", " \t "]) : " " }

    private mutating func atomLineV3000(_ number: Int) -> String {
        let isUsual = !isOne(in: 3)
        var line = "M  V30 \(isOne(in: 20) ? pick([0, 7, 99, -1]) : number)" + blanks()
        line += isOne(in: 15) ? pick(["\"C\"", "[C,N]", "NOT[C,N]", "\"\"", "R#"]) : symbol()
        for _ in 0..<3 { line += blanks() + (isUsual ? pick(["0", "-0", "1.299", "-0.75", "12.123456"]) : decimal()) }
        line += blanks() + (isOne(in: 12) ? pick(["1", "12", "-1", "1234567890", "x", ""]) : "0")
        for _ in 0..<number % 3 where isOne(in: 3) {
            let keys = ["CHG", "CFG", "chg", "MASS", "RAD", "VAL", "HCOUNT", "STBOX", "ODD", "ATTCHPT", "Cfg"]
            line += blanks() + pick(keys) + "=" + pick(["1", "-1", "2", "0", "-0", "+1", "13.5", "99999", "x", ""])
        }
        return damaged(line + (isOne(in: 15) ? " " : ""))
    }

    private mutating func bondLineV3000(_ number: Int, _ atoms: Int) -> String {
        var line = "M  V30 \(isOne(in: 20) ? pick([0, 7, 99, -1]) : number)" + blanks()
        line += "\(isOne(in: 10) ? self.number(below: 12) : 1 + self.number(below: 3))"
        for _ in 0..<2 {
            line += blanks() + "\(isOne(in: 20) ? self.number(below: 99) : 1 + self.number(below: atoms))"
        }
        if isOne(in: 3) {
            line +=
                blanks() + pick(["CFG", "cfg", "TOPO", "RXCTR", "ODD"]) + "=" + pick(["1", "2", "3", "4", "-1", ""])
        }
        return damaged(line + (isOne(in: 15) ? " " : ""))
    }

    fileprivate mutating func molfileV3000() -> [String] {
        let atoms = 1 + number(below: 5)
        let bonds = number(below: atoms)
        var lines = ["title", "", "", "  0  0  0     0  0            999 V3000"]
        func keyword(_ text: String, _ dice: inout Dice) -> String {
            let text = dice.isOne(in: 30) ? text.lowercased() : text
            return "M  V30 " + (dice.isOne(in: 15) ? dice.damaged(text) : text) + (dice.isOne(in: 15) ? " " : "")
        }
        lines.append(keyword("BEGIN CTAB", &self))
        lines.append(keyword("COUNTS \(atoms) \(bonds) 0 0 \(number(below: 2))", &self))
        lines.append(keyword("BEGIN ATOM", &self))
        for index in 0..<atoms { lines.append(atomLineV3000(index + 1)) }
        lines.append(keyword("END ATOM", &self))
        lines.append(keyword("BEGIN BOND", &self))
        for index in 0..<bonds { lines.append(bondLineV3000(index + 1, atoms)) }
        lines += [keyword("END BOND", &self), keyword("END CTAB", &self), "M  END"]
        return lines
    }
}

extension Dice {
    /// Returns a molfile with many common lines, some with a changed byte.
    fileprivate mutating func tidyMolfileV3000() -> [String] {
        let atoms = pick([3, 9, 10, 11, 20, 99, 101])
        var lines = ["title", "", "", "  0  0  0     0  0            999 V3000", "M  V30 BEGIN CTAB"]
        lines += ["M  V30 COUNTS \(atoms) \(atoms) 0 0 0", "M  V30 BEGIN ATOM"]
        // Most writers use four or six decimals and rarely write other keywords.
        let places = pick([0, 4, 4, 6])
        let rarity = places == 0 ? 9 : 400
        func number(_ dice: inout Dice) -> String {
            let tail = String(100_000_000 + dice.number(below: 100_000_000))
            let decimals = tail.suffix(places == 0 ? 1 + dice.number(below: 4) : places)
            let odd = [
                "0", "-0", "1234567", "12345678", "1.234567", "123.4567", ".5", "5.", "-.5", "-123456.1234567",
                "-0.0000",
            ]
            let usual = "\(dice.pick(["", "-"]))\(dice.number(below: dice.pick([9, 40, 999]))).\(decimals)"
            return dice.isOne(in: rarity) ? dice.pick(odd) : usual
        }
        let zero = places == 6 ? "0.000000" : "0"
        for index in 0..<atoms {
            let height = isOne(in: pick([3, rarity])) ? number(&self) : zero
            let more = isOne(in: rarity) ? pick([" CHG=1", " CFG=2 ", " ", " CHG=-1 CFG=1"]) : ""
            let map = isOne(in: rarity) ? pick(["1", "12", "123", "123456789", "1234567890"]) : "0"
            let element = places == 0 ? symbol() : pick(["C", "N", "Cl"])
            lines.append(
                "M  V30 \(index + 1) \(element) \(number(&self)) \(number(&self)) \(height) \(map)\(more)")
        }
        lines += ["M  V30 END ATOM", "M  V30 BEGIN BOND"]
        for index in 0..<atoms {
            let mark =
                isOne(in: 4) ? pick([" CFG=0", " CFG=1", " CFG=2", " CFG=3", " CFG=4", " CFG=1 ", " CFG=10"]) : ""
            let type = isOne(in: 9) ? pick([0, 4, 8, 9, 10]) : 1 + self.number(below: 3)
            lines.append("M  V30 \(index + 1) \(type) \(index + 1) \((index + 1) % atoms + 1)\(mark)")
        }
        lines += ["M  V30 END BOND", "M  V30 END CTAB", "M  END"]
        let place = 7 + self.number(below: lines.count - 8)
        lines[place] = damaged(lines[place])
        return lines
    }
}

// MARK: SketchEl

extension Dice {
    fileprivate mutating func sketchEl() -> [String] {
        let atoms = 1 + number(below: 5)
        let bonds = number(below: atoms)
        var lines = [isOne(in: 8) ? damaged("SketchEl!(\(atoms),\(bonds))") : "SketchEl!(\(atoms),\(bonds))"]
        for _ in 0..<atoms {
            let isUsual = !isOne(in: 3)
            func coordinate(_ dice: inout Dice) -> String {
                isUsual ? dice.pick(["0.0000", "-0.0000", "1.2990", "-12.7500", "1234.5678"]) : dice.decimal()
            }
            var line = symbol() + "=" + coordinate(&self) + "," + coordinate(&self) + ";"
            line += (isOne(in: 6) ? pick(["1", "-1", "-0", "12", "+1", ""]) : "0") + ","
            line += (isOne(in: 10) ? pick(["1", "2", "-1", ""]) : "0") + ","
            line += pick(["i", "e"]) + "\(number(below: 5))"
            if isOne(in: 6) { line += pick([",n12", ",m13", ",z1.5", ",xODD:1", ",yQ:a", ",", " "]) }
            lines.append(damaged(line))
        }
        for _ in 0..<bonds {
            let ends = (1 + number(below: atoms), isOne(in: 20) ? number(below: 99) : 1 + number(below: atoms))
            let codes = (isOne(in: 12) ? number(below: 9) : 1, number(below: isOne(in: 12) ? 9 : 4))
            var line = "\(ends.0)-\(ends.1)=\(codes.0),\(codes.1)"
            if isOne(in: 8) { line += pick([",xODD:1", ",", " ", ",yQ:a"]) }
            lines.append(damaged(line))
        }
        lines.append(isOne(in: 20) ? damaged("!End") : "!End")
        return lines
    }
}

@Suite("Fast and general code for lines")
struct PlainPathTests {
    /// Joins lines. Carriage returns disable the fast code for V2000 and SketchEl.
    private func ended(_ lines: [String], by end: String) -> String { lines.map { $0 + end }.joined() }

    @Test("V2000 has the same result with each line end, for any content")
    func v2000() throws {
        var dice = Dice(1)
        for _ in 0..<6000 {
            let lines = dice.molfileV2000()
            let plain = account(try readAll(ended(lines, by: "\n"), as: .molfile))
            let general = account(try readAll(ended(lines, by: "\r\n"), as: .molfile))
            if plain != general { report(lines, plain, general) }
        }
    }

    @Test("an atom line with NULs instead of its symbol has a warning with each line end")
    func noSymbol() throws {
        let lines = ["", "", "", V2000.counts(2, 0), V2000.atom("C"), V2000.atom("\0\0"), "M  END"]
        for end in ["\n", "\r\n"] {
            let outcomes = try readAll(ended(lines, by: end), as: .molfile)
            #expect(account(outcomes).joined().contains("the atom has no symbol"))
        }
    }

    @Test("a counts line is the same with a trailing space, which disables the fast code")
    func counts() {
        var dice = Dice(2)
        for _ in 0..<6000 {
            var line = (0..<6).map { _ in dice.column(dice.pick(["0", "1", "12", "999", "", "-1", "x"]), 3) }.joined()
            line += dice.column("0", 15) + dice.pick([" V2000", " V3000", " v2000", "V2000 ", "      "])
            line = dice.damaged(line)
            let plain = CountsLine(0..<line.utf8.count, of: Array(line.utf8).span)
            let general = CountsLine(0..<line.utf8.count + 1, of: Array((line + " ").utf8).span)
            if "\(String(describing: plain))" != "\(String(describing: general))" {
                report([line], ["\(String(describing: plain))"], ["\(String(describing: general))"])
            }
        }
    }

    @Test("a skipped molfile has the same title and end as a parsed one")
    func passing() throws {
        var dice = Dice(3)
        var count = 0
        for round in 0..<6000 {
            let lines = round % 2 == 0 ? dice.molfileV2000() : dice.tidyMolfileV2000()
            let text = Array(ended(lines + ["> <A>", "1", "", "$$$$"], by: "\n").utf8)
            var cursor = LineCursor(0..<text.count, of: text.span)
            guard let title = PlainMolfile.pass(&cursor, text.span) else { continue }
            count += 1
            var reader = MolfileReader(LineCursor(0..<text.count, of: text.span), firstLine: 1, into: Molecule())
            do throws(Fault) {
                try reader.read(text)
                #expect(Array(text[title]) == reader.molecule.name.bytes)
                if reader.lines.position != cursor.position || reader.lines.line != cursor.line {
                    report(lines, ["\(cursor)"], ["\(reader.lines)"])
                }
            } catch { report(lines, ["passed"], ["\(error)"]) }
        }
        #expect(count > 100)
    }

    @Test("data fields are the same with each line end, for known and new headers")
    func dataFields() throws {
        var dice = Dice(6)
        for _ in 0..<3000 {
            let lines = dice.dataOfRecords()
            let plain = account(try readAll(ended(lines, by: "\n"), as: .sdfile))
            let general = account(try readAll(ended(lines, by: "\r\n"), as: .sdfile))
            if plain != general { report(lines, plain, general) }
        }
    }

    @Test("the data of an RD file are the same with each line end")
    func dataOfRDfile() throws {
        var dice = Dice(8)
        for _ in 0..<3000 {
            let lines = dice.recordsOfRDfile()
            let plain = account(try readAll(ended(lines, by: "\n"), as: .rdfile))
            let general = account(try readAll(ended(lines, by: "\r\n"), as: .rdfile))
            if plain != general { report(lines, plain, general) }
        }
    }

    @Test("repeated bonds are found among any number of bonds")
    func secondBonds() {
        var dice = Dice(9)
        for _ in 0..<2000 {
            let atoms = dice.pick([3, 10, 60, 500])
            let isTidy = dice.isOne(in: 2)
            var bonds = (0..<dice.number(below: dice.pick([8, 60, 300]))).map { index in
                isTidy ? Bond(index, index + 1) : Bond(dice.number(below: atoms), dice.number(below: atoms))
            }
            if let bond = bonds.last, dice.isOne(in: 2) {
                bonds.insert(Bond(Int(bond.to), Int(bond.from)), at: dice.number(below: bonds.count))
            }
            var seen: Set<Set<Int32>> = []
            let expected = bonds.filter { $0.from != $0.to && seen.insert([$0.from, $0.to]).inserted }
            var ledger = IssueCollector(firstLine: 1)
            var kept = bonds
            let numbering = ledger.dropFaultyBonds(&kept, of: bonds.count, before: bonds.count)
            #expect(kept == expected)
            #expect(numbering.filter { $0 < 0 }.count == bonds.count - expected.count)
        }
    }

    @Test("V3000 has the same result without its last line end, which disables the fast code")
    func v3000() throws {
        var dice = Dice(4)
        for _ in 0..<6000 {
            let lines = dice.molfileV3000()
            let text = ended(lines, by: dice.pick(["\n", "\n", "\r\n"]))
            let plain = account(try readAll(text, as: .molfile))
            let general = account(try readAll(String(text.dropLast()), as: .molfile))
            if plain != general { report(lines, plain, general) }
        }
    }

    @Test("many consecutive V3000 lines have the same result without the last line end")
    func manyLinesOfV3000() throws {
        var dice = Dice(7)
        for _ in 0..<3000 {
            let lines = dice.tidyMolfileV3000()
            let text = ended(lines, by: "\n")
            let plain = account(try readAll(text, as: .molfile))
            let general = account(try readAll(String(text.dropLast()), as: .molfile))
            if plain != general { report(lines, plain, general) }
        }
    }

    @Test("SketchEl has the same result with each line end, for any content")
    func sketchEl() throws {
        var dice = Dice(5)
        for _ in 0..<6000 {
            let lines = dice.sketchEl()
            // Enough trailing spaces to use the fast code up to the end.
            let tail = String(repeating: " ", count: 80)
            let plain = account(try readAll(ended(lines, by: "\n") + tail, as: .sketchEl))
            let general = account(try readAll(ended(lines, by: "\r\n") + tail, as: .sketchEl))
            if plain != general { report(lines, plain, general) }
        }
    }

    private func report(_ lines: [String], _ plain: [String], _ general: [String]) {
        Issue.record("\(lines.joined(separator: "\n"))\n---\n\(plain)\n---\n\(general)")
    }
}
