import ChemopenBytes
import ChemopenModel

/// Reads the atom lines of a V3000 table: `index type x y z aamap [KEY=value …]`.
struct V3000AtomReader {
    private(set) var numbers = V3000Numbers()
    private var notes: [Indexed<AtomNote>] = []
    /// Attachment orders with the indices of their notes. They may refer to atoms that are defined later.
    private var attachmentOrders: [(note: Int, items: [(number: Int, point: Text)], line: V3000Line)] = []
    private var labelPlaces: [Text: Int32] = [:]

    /// Reads successive lines in the usual layout.
    mutating func readPlain(_ bytes: Span<UInt8>, _ cursor: inout LineCursor, into molecule: inout Molecule) {
        guard numbers.isInOrder else { return }
        var atoms = molecule.atoms
        molecule.atoms = []
        let before = atoms.count
        var lines = cursor
        while true {
            PlainV3000Block.addAtoms(&lines, of: bytes, to: &atoms)
            guard
                let plain = PlainV3000Atom(
                    at: lines.position, before: lines.end, number: atoms.count &+ 1, of: bytes)
            else { break }
            atoms.append(plain.atom)
            lines.take(upTo: plain.feed)
        }
        cursor = lines
        numbers.addNext(atoms.count &- before)
        molecule.atoms = atoms
    }

    /// Reads a line in another layout.
    mutating func read(_ line: V3000Line, into molecule: inout Molecule, _ ledger: inout IssueCollector) throws(Fault) {
        let text = line.text.span
        var words = V3000Words()
        var number: Int?
        guard words.takeNumber(&number, in: text) else { return }
        let startOfType = words.position
        let element = words.element(in: text)
        if element == nil { _ = try atomType(from: &words, line) }
        let index = molecule.atoms.count
        let x = try coordinate(&words, line, &ledger)
        let y = try coordinate(&words, line, &ledger)
        let z = try coordinate(&words, line, &ledger)
        var atom = Atom(.none, at: Position(x, y, z))
        if !numbers.add(number) {
            ledger.doubt(
                line, words.first(in: text), "an invalid or repeated atom number; the atom is read without a number"
            )
        }
        var isMapNext = true
        if let map = words.number(in: text) {
            atom.mapNumber = Int32(clamping: map)
            isMapNext = false
        }
        while let word = words.next(in: text) {
            if isMapNext, word.key.isEmpty, let map = text.integer(word.raw) {
                atom.mapNumber = Int32(clamping: map)
            } else if word.key.isEmpty {
                ledger.doubt(line, word.raw, "not a keyword with a value; preserved verbatim")
                keep(word, line, index)
            } else if try !read(word, line, &atom, index, &ledger) {
                keep(word, line, index)
            }
            isMapNext = false
        }
        if let element, !hasClass(index) {
            atom.element = element
        } else {
            words.position = startOfType
            name(&atom, by: try atomType(from: &words, line), on: line, index, &molecule.labels, &ledger)
        }
        if notes.last?.index == Int32(clamping: index) { atom.marks.insert(.hasNotes) }
        molecule.atoms.append(atom)
    }

    private func atomType(from words: inout V3000Words, _ line: V3000Line) throws(Fault) -> V3000AtomType {
        guard let type = V3000AtomType(from: words.position, in: line.text.span) else {
            throw line.fault(expected: "an atom line: number, type, x, y, z and map number")
        }
        words.position = type.end
        return type
    }

    private func coordinate(
        _ words: inout V3000Words, _ line: V3000Line, _ ledger: inout IssueCollector
    ) throws(Fault) -> Double {
        if let number = words.decimal(in: line.text.span) { return number }
        guard let word = words.next(in: line.text.span) else {
            throw line.fault(expected: "an atom line: number, type, x, y, z and map number")
        }
        if let number = Numeral.decimal(line.text.span, word.raw) { return number }
        guard let number = V2000TableReader.looseNumber(word.raw, line.text.span) else {
            throw line.fault(word.raw, expected: "a number")
        }
        ledger.doubt(line, word.raw, "not a decimal number; read as \(number)")
        return number
    }

    // MARK: Types

    /// Sets the element, the label or the element list of an atom.
    private mutating func name(
        _ atom: inout Atom, by type: V3000AtomType, on line: V3000Line, _ index: Int, _ labels: inout [Text],
        _ ledger: inout IssueCollector
    ) {
        if let list = type.list {
            if list.symbols.isEmpty { ledger.doubt(line, "an empty list; preserved") }
            atom.label = place(ofLabel: "L", &labels)
            notes.append(Indexed(index, .elementList(list)))
            return
        }
        let written = type.label(in: line.text.span)
        if hasClass(index) {
            // The symbol is the name of a template, even if it is also the symbol of an element.
            atom.label = place(ofLabel: written, &labels)
            return
        }
        let label = written.withoutControls
        if label != written { ledger.doubt(line, "blanks around the symbol or control characters in it; omitted") }
        let symbol = label.bytes
        switch AtomSymbol(0..<symbol.count, of: symbol.span) {
        case .element(let element):
            atom.element = element
        case .hydrogenIsotope(let mass):
            atom.element = .hydrogen
            if atom.isotope == 0 { atom.isotope = mass }
            atom.label = place(ofLabel: label, &labels)
        case .misspelled(let element):
            atom.element = element
            ledger.doubt(line, "a misspelled element; read as \(element.symbol)")
        case .label:
            atom.label = place(ofLabel: label, &labels)
            if symbol.isEmpty { ledger.doubt(line, "the atom has no symbol; read as an atom without a label") }
        }
    }

    private func hasClass(_ index: Int) -> Bool {
        for tagged in notes.reversed() {
            if tagged.index != Int32(clamping: index) { return false }
            if case .templateClass = tagged.note { return true }
        }
        return false
    }

    private mutating func place(ofLabel label: Text, _ labels: inout [Text]) -> Int32 {
        if let place = labelPlaces[label] { return place }
        let place = Int32(clamping: labels.count)
        labels.append(label)
        labelPlaces[label] = place
        return place
    }

    // MARK: Keywords

    /// Reads a keyword; returns `false` if the keyword or its value is unknown.
    private mutating func read(
        _ word: V3000Word, _ line: V3000Line, _ atom: inout Atom, _ index: Int, _ ledger: inout IssueCollector
    ) throws(Fault) -> Bool {
        let text = line.text.span
        let keyword = V3000Keyword(word.key, of: text)
        switch keyword {
        case .charge:
            guard let charge = text.integer(word.raw), !word.raw.isEmpty else {
                throw line.fault(word.raw, expected: "a whole number, the charge")
            }
            atom.charge = Int16(clamping: charge)
            if Int(atom.charge) != charge {
                ledger.doubt(line, word.raw, "the charge is out of range; read as \(atom.charge)")
            }
        case .mass: return readMass(word, line, &atom, &ledger)
        default:
            if let term = AtomTerm.term(ofKey: keyword) { return read(word, as: term, line, index, &ledger) }
            guard let isKnown = readMark(word, line, &atom, &ledger) else { return false }
            if !isKnown { ledger.doubt(line, word.raw, "not a valid value of the keyword; preserved verbatim") }
            return isKnown
        }
        return true
    }

    private func readMass(
        _ word: V3000Word, _ line: V3000Line, _ atom: inout Atom, _ ledger: inout IssueCollector
    ) -> Bool {
        guard let mass = Numeral.decimal(line.text.span, word.raw), mass >= 0,
            let isotope = UInt16(exactly: mass.rounded())
        else {
            ledger.doubt(line, word.raw, "not a mass number; preserved verbatim")
            return false
        }
        if mass != mass.rounded() { ledger.doubt(line, word.raw, "a mass number must be an integer; rounded") }
        if isotope > 0 { atom.isotope = isotope }
        return true
    }

    /// Reads a keyword that is listed in the table of atom terms.
    private mutating func read(
        _ word: V3000Word, as term: AtomTerm, _ line: V3000Line, _ index: Int, _ ledger: inout IssueCollector
    ) -> Bool {
        let text = line.text.span
        switch term.content {
        case .numbers(_, let make): return readNumbers(word, line, index, make, &ledger)
        case .attachments: return readAttachmentOrder(word, line, index, &ledger)
        case .text(_, let make):
            let value = word.text(in: text)
            if value.isEmpty {
                ledger.doubt(line, word.raw, "the keyword has no value; preserved verbatim")
                return false
            }
            add(make(value), word, line, index, &ledger)
        case .code(let code):
            let read = text.integer(word.raw).map { code.note(forKey: $0) }
            if let note = read?.note { add(note, word, line, index, &ledger) }
            if read?.isKnown != true {
                ledger.doubt(line, word.raw, "not a valid value of the keyword; preserved verbatim")
                return false
            }
        case .elements, .configuration, .keyword: return false
        }
        return true
    }

    /// Reads a keyword that is a mark of the atom; `nil` if it is not a mark.
    private func readMark(
        _ word: V3000Word, _ line: V3000Line, _ atom: inout Atom, _ ledger: inout IssueCollector
    ) -> Bool? {
        guard let term = MarkTerm.term(ofKey: V3000Keyword(word.key, of: line.text.span)) else { return nil }
        guard let code = line.text.span.integer(word.raw), term.range.contains(code) else { return false }
        term.set(&atom, code)
        if term.key == .radical, code > 3 {
            ledger.doubt(line, word.raw, "radical codes must not exceed 3; read as a multiplicity")
        }
        return true
    }

    private mutating func readNumbers(
        _ word: V3000Word, _ line: V3000Line, _ index: Int, _ make: ([Int32]) -> AtomNote,
        _ ledger: inout IssueCollector
    ) -> Bool {
        let list = V3000List(word, in: line.text.span)
        guard word.form == .list, let numbers = list.integers(in: line.text.span) else {
            ledger.doubt(line, word.raw, "not a list of numbers; preserved verbatim")
            return false
        }
        if !list.isSound {
            ledger.doubt(line, word.raw, "the list is not closed or has a wrong length; all its entries are read")
        }
        add(make(numbers.map { Int32(clamping: $0) }), word, line, index, &ledger)
        return true
    }

    /// Reads `ATTCHORD=(2n nbr1 val1 …)`. The neighbors may be defined later.
    private mutating func readAttachmentOrder(
        _ word: V3000Word, _ line: V3000Line, _ index: Int, _ ledger: inout IssueCollector
    ) -> Bool {
        let text = line.text.span
        let list = V3000List(word, in: text)
        var items: [(number: Int, point: Text)] = []
        var place = 0
        while place + 1 < list.items.count, let number = text.integer(list.items[place].raw) {
            items.append((number, list.items[place + 1].text(in: text)))
            place += 2
        }
        guard word.form == .list, place == list.items.count else {
            ledger.doubt(line, word.raw, "not a list of neighbors and attachment points; preserved verbatim")
            return false
        }
        if !list.isSound {
            ledger.doubt(line, word.raw, "the list is not closed or has a wrong length; all its entries are read")
        }
        attachmentOrders.append((add(.attachmentOrder([]), word, line, index, &ledger), items, line))
        return true
    }

    /// Adds a note, and returns its index. If an atom has the same keyword twice, the last one is used, as in V2000.
    @discardableResult
    private mutating func add(
        _ note: AtomNote, _ word: V3000Word, _ line: V3000Line, _ index: Int, _ ledger: inout IssueCollector
    ) -> Int {
        // An atom usually has few notes; the limit prevents quadratic time with malicious input.
        for place in notes.indices.suffix(64).reversed() {
            if notes[place].index != Int32(clamping: index) { break }
            if notes[place].note.ordinal != note.ordinal { continue }
            ledger.doubt(line, word.raw, "the keyword occurs twice; the last value is used")
            notes[place].note = note
            return place
        }
        notes.append(Indexed(index, note))
        return notes.count - 1
    }

    /// Preserves a token verbatim.
    private mutating func keep(_ word: V3000Word, _ line: V3000Line, _ index: Int) {
        let text = line.text.span
        let name = Text(bytes: text.bytes(word.key))
        notes.append(Indexed(index, .keyword(name: name, value: Text(bytes: text.bytes(word.raw)))))
    }

    // MARK: At the end

    /// Returns the notes of all atoms, after the last atom was read.
    mutating func settle(_ ledger: inout IssueCollector) -> [Indexed<AtomNote>] {
        for order in attachmentOrders {
            var attachments: [AtomNote.Attachment] = []
            for (number, point) in order.items {
                if let atom = numbers.place(of: number) {
                    attachments.append(.init(neighbor: atom, point: point))
                } else {
                    ledger.doubt(order.line, "the line refers to atom \(number), which does not exist; omitted")
                }
            }
            notes[order.note].note = .attachmentOrder(attachments)
        }
        return exchange(&notes, with: [])
    }
}

extension V3000Words {
    /// Returns the next token if it is the unquoted symbol of an element; otherwise, the position is unchanged.
    @inline(__always)
    fileprivate mutating func element(in text: Span<UInt8>) -> ChemicalElement? {
        var start = position
        while start < text.count, Ascii.isBlank(text[start]) { start &+= 1 }
        guard start &+ 2 < text.count else { return nil }
        let end = Ascii.isBlank(text[start &+ 1]) ? start &+ 1 : start &+ 2
        guard Ascii.isBlank(text[end]) else { return nil }
        let element = ChemicalElement.element(ofSymbol: text[start], end > start &+ 1 ? text[start &+ 1] : 0)
        if element == .none { return nil }
        position = end
        return element
    }
}

extension Text {
    /// The text without control characters and outer blanks.
    fileprivate var withoutControls: Text {
        if bytes.allSatisfy({ $0 > Ascii.blank && $0 != 0x7F }) { return self }
        return Text(bytes: bytes.filter { $0 >= Ascii.blank && $0 != 0x7F }).trimmed
    }
}

/// The type of an atom: a symbol, a quoted label, or a list such as `[C,N]`, `NOT[C,N]` or `NOT [C,N]`.
struct V3000AtomType {
    /// The range of an unquoted symbol.
    private(set) var symbol: Range<Int>?
    private var quoted = Text()
    var list: ElementList?
    /// The index after the type.
    var end: Int

    func label(in text: Span<UInt8>) -> Text { symbol.map { Text(bytes: text.bytes($0)) } ?? quoted }

    /// Reads an atom type; `nil` if there is no further token.
    init?(from start: Int, in text: Span<UInt8>) {
        var start = start
        while start < text.count, Ascii.isBlank(text[start]) { start += 1 }
        guard start < text.count else { return nil }
        if let (list, end) = Self.list(from: start, in: text) {
            self.list = list
            self.end = end
            return
        }
        guard text[start] == Ascii.quote else {
            end = start
            while end < text.count, !Ascii.isBlank(text[end]) { end += 1 }
            symbol = start..<end
            return
        }
        var words = V3000Words(from: start)
        guard let word = words.next(in: text) else { return nil }
        end = words.position
        quoted = word.text(in: text)
        if let (list, end) = Self.list(from: 0, in: quoted.bytes.span), end == quoted.bytes.count { self.list = list }
    }

    /// Returns an element list and its end.
    private static func list(from start: Int, in text: Span<UInt8>) -> (ElementList, end: Int)? {
        var at = start
        guard text.count > at, text[at] == 0x5B || Ascii.upper(text[at]) == 0x4E else { return nil }
        let isExcluding = at + 3 < text.count && text.range(at..<at + 3, spells: "NOT")
        if isExcluding {
            at += 3
            while at < text.count, Ascii.isBlank(text[at]) { at += 1 }
        }
        guard at < text.count, text[at] == 0x5B else { return nil }
        let limit = text.count
        guard let close = firstIndex(of: 0x5D, in: text, from: at, to: limit) else { return nil }
        guard close + 1 == limit || Ascii.isBlank(text[close + 1]) else { return nil }
        var symbols: [Text] = []
        var entry = at + 1
        for index in at + 1..<close + 1 where index == close || text[index] == Ascii.comma {
            let symbol = text.trimmed(entry..<index)
            if !symbol.isEmpty { symbols.append(Text(bytes: text.bytes(symbol))) }
            entry = index + 1
        }
        return (ElementList(excluding: isExcluding, symbols), close + 1)
    }
}

extension V3000AtomType {
    /// Whether a label is read back unchanged, and not as an element or a list.
    static func isLabel(_ label: Text) -> Bool {
        if label.isEmpty || label.trimmed != label { return false }
        guard case .label = AtomSymbol(0..<label.bytes.count, of: label.bytes.span) else { return false }
        if label.bytes.contains(where: { $0 < Ascii.blank || $0 == 0x7F }) { return false }
        guard let type = V3000AtomType(from: 0, in: label.bytes.span) else { return true }
        return type.list == nil
    }
}
