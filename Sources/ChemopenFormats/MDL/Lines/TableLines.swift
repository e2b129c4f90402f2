import ChemopenBytes

/// The lines of a record with connection tables. Each group of lines has a key that identifies it in another version of
/// the record.
struct TableLines {
    /// A line, or several lines that belong together.
    struct Group {
        var key: Key
        /// The lines with their line ends.
        var text: ArraySlice<UInt8>
    }

    struct Key: Hashable {
        /// The number of the connection table in the record.
        var table: Int
        var kind: Kind
        /// The beginning of a property line, which identifies its kind.
        var name: ArraySlice<UInt8> = []
        var number = 0
    }

    enum Kind: UInt8 {
        case other, counts, atom, bond, property
        /// Lines of V3000 with the same meaning.
        case counts3000, atom3000, bond3000
    }

    private(set) var groups: [Group] = []
    /// The lines by key. Several groups with the same key are concatenated.
    private(set) var texts: [Key: [UInt8]] = [:]
    private(set) var tables = 0

    private let bytes: [UInt8]
    private var place = 0
    /// The number of lines since the last connection table.
    private var lines = 0
    private var block: ArraySlice<UInt8> = []

    /// The property lines that each belong to one Sgroup, whose number they begin with.
    private static let ofSgroup = Set(
        [
            PropertyKey.sgroupAtoms, .sgroupBonds, .sgroupLabel, .sgroupField, .sgroupDisplay, .sgroupDataPart,
            .sgroupData, .sgroupParentAtoms, .sgroupBondVector, .sgroupBracket, .sgroupAttachments, .sgroupClass,
            .sgroupCorrespondence,
        ].map { Array($0.description.utf8.suffix(3)) })

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        while place < bytes.count { readGroup() }
        for group in groups { texts[group.key, default: []] += group.text }
    }

    /// Returns the next line with its line end.
    private mutating func nextLine() -> ArraySlice<UInt8> {
        let end = bytes[place...].firstIndex(of: Ascii.lineFeed).map { $0 + 1 } ?? bytes.count
        defer { place = end }
        lines += 1
        return bytes[place..<end]
    }

    private mutating func add(_ kind: Kind, _ name: ArraySlice<UInt8> = [], number: Int = 0, from start: Int) {
        groups.append(
            Group(key: Key(table: tables, kind: kind, name: name, number: number), text: bytes[start..<place]))
    }

    private mutating func readGroup() {
        let start = place
        let line = nextLine().withoutLineEnd
        if line.has("M  V30 ", at: 0) { return read3000(line, from: start) }
        let isFourth = lines == 4 && tables == 0 && bytes.first != Ascii.dollar
        if line.has("V2000", at: 34) || isFourth && !line.has("V3000", at: 34) {
            tables += 1
            add(.counts, from: start)
            let (atoms, bonds) = (line.number(0..<3), line.number(3..<6))
            for number in 0..<atoms where place < bytes.count { addLine(.atom, number) }
            for number in 0..<bonds where place < bytes.count { addLine(.bond, number) }
            lines = 0
            return
        }
        if line.has("M  END", at: 0) {
            add(.property, line, from: start)
            lines = 0
        } else if line.has("A  ", at: 0) || line.has("G  ", at: 0) {
            if place < bytes.count { _ = nextLine() }
            add(.property, line.prefix(6), from: start)
        } else if line.has("V  ", at: 0) || line.has("M  ", at: 0) {
            let isOfSgroup = line.count >= 10 && Self.ofSgroup.contains(Array(line.dropFirst(3).prefix(3)))
            add(.property, line.prefix(isOfSgroup ? 10 : 6), from: start)
        } else {
            add(.other, number: lines, from: start)
        }
    }

    private mutating func addLine(_ kind: Kind, _ number: Int) {
        let start = place
        _ = nextLine()
        add(kind, number: number, from: start)
    }

    /// Reads a line of V3000 with the lines that continue it.
    private mutating func read3000(_ line: ArraySlice<UInt8>, from start: Int) {
        var last = line
        while last.last == Ascii.minus, place < bytes.count, bytes[place...].has("M  V30 ", at: 0) {
            last = nextLine().withoutLineEnd
        }
        let text = line.dropFirst(7)
        let words = text.split(separator: Ascii.blank, maxSplits: 2).map { $0 }
        if words.first?.elementsEqual("BEGIN".utf8) == true, words.count > 1 {
            block = words[1]
            if block.elementsEqual("CTAB".utf8) { tables += 1 }
            counters = [:]
            return add(.other, text, from: start)
        }
        if words.first?.elementsEqual("END".utf8) == true {
            block = []
            return add(.other, text, from: start)
        }
        if words.first?.elementsEqual("COUNTS".utf8) == true { return add(.counts3000, from: start) }
        if block.elementsEqual("ATOM".utf8) { return add(.atom3000, number: count(text.prefix(0)), from: start) }
        if block.elementsEqual("BOND".utf8) { return add(.bond3000, number: count(text.prefix(0)), from: start) }
        let name = words.first ?? []
        add(.property, block + [Ascii.blank] + name, number: count(name), from: start)
    }

    /// The numbers of lines in the current block, by their first words.
    private var counters: [[UInt8]: Int] = [:]

    private mutating func count(_ name: ArraySlice<UInt8>) -> Int {
        let number = counters[Array(name), default: 0]
        counters[Array(name)] = number + 1
        return number
    }
}

extension ArraySlice<UInt8> {
    var withoutLineEnd: ArraySlice<UInt8> {
        var line = self
        if line.last == Ascii.lineFeed { line.removeLast() }
        if line.last == Ascii.carriageReturn { line.removeLast() }
        return line
    }

    /// The line end.
    var lineEnd: ArraySlice<UInt8> { self[withoutLineEnd.endIndex...] }

    /// Whether the text occurs at an offset.
    package func has(_ text: StaticString, at offset: Int) -> Bool {
        dropFirst(offset).prefix(text.utf8CodeUnitCount).elementsEqual(text.description.utf8)
    }

    /// The number in some columns, or 0.
    fileprivate func number(_ columns: Range<Int>) -> Int {
        var number = 0
        for byte in dropFirst(columns.lowerBound).prefix(columns.count) where Ascii.isDigit(byte) {
            number = number * 10 + Int(byte - Ascii.zero)
        }
        return number
    }
}
