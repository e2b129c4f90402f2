import ChemopenBytes
import ChemopenModel
import Testing

@testable import ChemopenFormats

@Suite("The codec of each ChemDraw type")
struct DrawnCodecTests {
    private static let rows = DrawnPropertyTable.all

    @Test("decodes text of CDX as Windows-1252, for any letters")
    func characterSet() {
        let bytes: [UInt8] = [0x9C, 0x6D, 0x4C, 0xBC, 0xBC]
        #expect(CDXCharacterSets().text(of: bytes[...], isUTF8: false).string == "œmL¼¼")
    }

    @Test("encodes random values of every property in CDX and decodes the same values", arguments: [false, true])
    func binary(isBigEndian: Bool) {
        var dice = SystemRandomNumberGenerator()
        for row in Self.rows {
            for _ in 0..<60 {
                guard let value = dice.value(of: row.type) else { continue }
                var data: [UInt8] = []
                var writing = CDXWriting()
                writing.numbers = CDXNumbers(isBigEndian: isBigEndian)
                guard row.type.encode(value, to: &data, writing) else {
                    Issue.record("\(row.name): \(value) has no data")
                    continue
                }
                var reading = CDXReading(isBigEndian: isBigEndian)
                let read = reading.value(of: row.type, in: data[...])
                #expect(told(read) == told(value) && reading.isExact && reading.doubt == nil, "\(row.name)")
            }
        }
    }

    @Test("encodes random values of every attribute in CDXML and decodes the same values")
    func text() {
        var dice = SystemRandomNumberGenerator()
        for row in Self.rows where !row.name.isEmpty {
            for _ in 0..<60 {
                guard let value = dice.value(of: row.type) else { continue }
                var bytes: [UInt8] = []
                var xml = XMLText()
                guard row.type.spell(value, to: &bytes, &xml) else {
                    Issue.record("\(row.name): \(value) has no spelling")
                    continue
                }
                var isExact = true
                let read = row.type.read(bytes.span, isExact: &isExact)
                // CDXML has enough decimals to distinguish the numbers of CDX.
                #expect(
                    isExact && data(read, row.type) == data(value, row.type), "\(row.name)=\"\(Text(bytes: bytes))\"")
            }
        }
    }

    @Test("adds a warning if a value represents random data incompletely, or else writes the same data again")
    func exact() {
        var dice = SystemRandomNumberGenerator()
        for row in Self.rows where row.type.form != .text && row.type.form != .tagValue && row.type.form != .fonts {
            for _ in 0..<60 {
                let data = dice.data()
                var reading = CDXReading(isBigEndian: false)
                guard let value = reading.value(of: row.type, in: data[...]), reading.isExact else { continue }
                var again: [UInt8] = []
                guard row.type.encode(value, to: &again, CDXWriting()) else { continue }
                let second = reading.value(of: row.type, in: again[...])
                #expect(told(second) == told(value), "\(row.name): \(data) and not \(again)")
            }
        }
    }

    @Test("has the same values as the fast path of the CDX reader, for random data")
    func fastBinary() throws {
        var dice = SystemRandomNumberGenerator()
        for row in DrawnPropertyTable.rows where row.type.form != .text {
            for _ in 0..<40 {
                let data = dice.data()
                var file = CDXTokens.head(isBigEndian: false)
                let numbers = CDXNumbers(isBigEndian: false)
                for (tag, id) in [(DrawnKind.document, 1), (.page, 2)] {
                    numbers.append(Int(tag.rawValue), bytes: 2, to: &file)
                    numbers.append(id, bytes: 4, to: &file)
                }
                numbers.append(Int(row.property.rawValue), bytes: 2, to: &file)
                numbers.append(data.count, bytes: 2, to: &file)
                file += data + [0, 0, 0, 0, 0, 0]
                let drawing = try CDXStream.read(file)
                var reading = CDXReading(isBigEndian: false)
                var expected = reading.value(of: row.type, in: data[...])
                if case .integer(let number)? = expected, !row.type.allows(number) {
                    expected = .integer(row.type.firstNumber)
                }
                if expected == nil, row.property == .element { expected = .integer(FragmentReader.unreadable) }
                #expect(told(drawing.value(row.property, of: 1)) == told(expected), "\(row.name): \(data)")
            }
        }
    }

    @Test("has the same values as the fast path of the CDXML reader, for random text")
    func fastText() throws {
        var dice = SystemRandomNumberGenerator()
        for row in DrawnPropertyTable.rows where !row.name.isEmpty {
            for _ in 0..<40 {
                var text: [UInt8] = []
                var xml = XMLText()
                if Bool.random(using: &dice), let value = dice.value(of: row.type) {
                    _ = row.type.spell(value, to: &text, &xml)
                } else {
                    text = dice.words()
                }
                let file = Array("<CDXML><page ".utf8) + row.start.dropFirst() + text + Array("\"/></CDXML>".utf8)
                let drawing = try CDXMLStream.read(file)
                var isExact = true
                var expected = row.type.read(text.span, isExact: &isExact)
                // Numbers that are not integers are only read for pages.
                if !isExact, row.type.form == .integer { expected = nil }
                if case .integer(let number)? = expected, !row.type.allows(number) { expected = nil }
                if expected == nil, row.property == .element { expected = .integer(FragmentReader.unreadable) }
                #expect(
                    told(drawing.value(row.property, of: 1)) == told(expected), "\(row.name)=\"\(Text(bytes: text))\"")
            }
        }
    }

    private func data(_ value: DrawnValue?, _ type: DrawnType) -> [UInt8]? {
        var data: [UInt8] = []
        return value.map { type.encode($0, to: &data, CDXWriting()) } == true ? data : nil
    }

    /// A value as text, with zeros without a sign.
    private func told(_ value: DrawnValue?) -> String {
        if case .real(let number)? = value { return "\(number + 0)" }
        return value.map { "\($0)" } ?? "none"
    }
}

extension RandomNumberGenerator {
    /// A random value that both encodings can express; nil for values that are separate elements in CDXML.
    fileprivate mutating func value(of type: DrawnType) -> DrawnValue? {
        func whole(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
        /// A random multiple of the smallest part of the type.
        func fraction() -> Double {
            // No page is wider than this.
            let most = type.byteCount == 2 ? 0x7FFF : 0x7CFF_FFFF
            let least = type.isSigned ? -most : 0
            return Double(whole(least...most)) / type.parts
        }
        func letters() -> Text { Text(bytes: (0..<whole(0...9)).map { _ in UInt8(whole(0x61...0x7A)) }) }
        switch type.form {
        case .integer:
            let most = 1 << (8 * type.byteCount - (type.isSigned ? 1 : 0))
            return .integer(whole((type.isSigned ? -most : 0)...(most - 1)))
        case .identifier: return .integer(whole(0...0xFFFF_FFFF))
        case .named: return .integer(type.firstNumber + whole(0...type.names.count - 1))
        case .bits: return .integer(whole(0...(1 << type.names.count) - 1))
        case .flag: return .integer(whole(0...1))
        case .order: return .integer(whole(1...0xFFFF))
        case .charge: return .real(Double(whole(-127...127)))
        case .real: return .real(Double.random(in: -1e6...1e6, using: &self))
        case .fraction: return .real(fraction())
        case .point: return .position(Position(fraction(), fraction(), type.order.count > 2 ? fraction() : 0))
        case .box: return .box(DrawnBox(left: fraction(), top: fraction(), right: fraction(), bottom: fraction()))
        case .numbers: return .numbers((0..<type.order.count * whole(0...5)).map { _ in fraction() })
        case .identifiers: return .identifiers((0..<whole(0...6)).map { _ in UInt32(whole(0...0xFFFF_FFFF)) })
        case .elements:
            let numbers = (0..<whole(1...6)).map { _ in whole(1...118) }
            return .elements(DrawnElements(numbers: numbers, areExcluded: whole(0...1) == 1))
        case .names:
            let names = (0..<whole(1...5)).map { _ in Text("a" + letters().string) }
            return .names(names, areExcluded: whole(0...1) == 1)
        case .text, .tagValue: return .text(Text("a" + letters().string))
        case .bytes: return .bytes((0..<whole(1...20)).map { _ in UInt8(whole(0...255)) })
        case .styled, .style, .fonts, .colors, .references: return nil
        }
    }

    /// Random bytes with common lengths of values.
    fileprivate mutating func data() -> [UInt8] {
        let lengths = [0, 1, 2, 3, 4, 6, 8, 10, 12, 14, 16, 17]
        let count = lengths.randomElement(using: &self) ?? 0
        let highest: UInt8 = Bool.random(using: &self) ? 255 : 6
        return (0..<count).map { _ in UInt8.random(in: 0...highest, using: &self) }
    }

    /// Random words and numbers.
    fileprivate mutating func words() -> [UInt8] {
        let words = [
            "1", "-2", "0.5", "12345678", "1e3", "yes", "no", "NOT", "any", "dative", "Bold", "x", "4294967296", "-",
            "",
            "007", "1.0", "99999999999",
        ]
        return Array(
            (0..<Int.random(in: 0...4, using: &self)).map { _ in words.randomElement(using: &self) ?? "" }
                .joined(separator: " ").utf8)
    }
}
