import ChemopenBytes
import ChemopenModel

/// Writes V3000 lines of at most 80 columns; longer lines continue in the next line.
extension [UInt8] {
    /// Begins a line and returns its index.
    mutating func beginV3000Line() -> Int {
        let start = count
        append(contentsOf: v3000Prefix)
        return start
    }

    /// Ends the line that began at `start`, and folds it if it is too long.
    @inline(__always)
    mutating func endV3000Line(from start: Int) {
        if count &- start <= 80, last != Ascii.minus {
            append(Ascii.lineFeed)
        } else {
            fold(from: start)
        }
    }

    /// Appends a line of keywords, such as `BEGIN ATOM`.
    mutating func appendV3000Line(_ keywords: V3000Keyword...) {
        let start = beginV3000Line()
        for (place, keyword) in keywords.enumerated() {
            if place > 0 { append(Ascii.blank) }
            append(keyword)
        }
        endV3000Line(from: start)
    }

    mutating func append(_ keyword: V3000Keyword) {
        append(contentsOf: keyword.rawValue.utf8)
    }

    /// Appends two keywords separated by a blank, such as `BEGIN CTAB`.
    mutating func append(_ first: V3000Keyword, _ second: V3000Keyword) {
        append(first)
        append(Ascii.blank)
        append(second)
    }

    private mutating func fold(from start: Int) {
        let text = Array(self[(start + v3000Prefix.count)...])
        removeSubrange(start...)
        var at = 0
        while true {
            append(contentsOf: v3000Prefix)
            let isWhole = text.count - at <= 73
            if isWhole, text.last != Ascii.minus || at == text.count {
                append(contentsOf: text[at...])
                append(Ascii.lineFeed)
                return
            }
            // If a text ends in a dash, an empty continuation line follows it.
            let end = text.count - at <= 72 ? text.count : Self.end(ofPartFrom: at, in: text)
            append(contentsOf: text[at..<end])
            append(Ascii.minus)
            append(Ascii.lineFeed)
            at = end
        }
    }

    /// Returns the end of a part: after a blank if possible, and never within a character.
    private static func end(ofPartFrom start: Int, in text: [UInt8]) -> Int {
        let limit = start + 72
        var end = limit
        while end > start + 12, text[end - 1] != Ascii.blank || endsBlock(text[end...]) { end -= 1 }
        if end > start + 12 { return end }
        let last = endsBlock(text[limit...]) ? limit - 2 : limit
        end = last
        while end > last - 4, text[end] & 0xC0 == 0x80 { end -= 1 }
        return end > last - 4 ? end : last
    }

    /// Whether a part that begins here would be read as the end of its block.
    private static func endsBlock(_ text: ArraySlice<UInt8>) -> Bool {
        text.starts(with: "END ".utf8)
    }

    // MARK: Values

    mutating func appendV3000Key(_ key: V3000Keyword) {
        append(Ascii.blank)
        append(key)
        append(Ascii.equals)
    }

    mutating func appendV3000(_ key: V3000Keyword, _ number: Int) {
        appendV3000Key(key)
        appendDecimal(number)
    }

    mutating func appendV3000(_ terms: [MarkTerm], of atom: Atom) {
        for term in terms {
            let code = term.get(atom)
            if code != 0 { appendV3000(term.key, code) }
        }
    }

    /// Appends a list such as ` ATOMS=(3 1 2 3)`, unless it is empty.
    mutating func appendV3000(_ key: V3000Keyword, _ members: [Int32], numbers: V3000Numbering) {
        let members = members.compactMap { numbers[$0] }
        if members.isEmpty { return }
        appendV3000Key(key)
        append(0x28)
        appendDecimal(members.count)
        for member in members {
            append(Ascii.blank)
            appendDecimal(member)
        }
        append(0x29)
    }

    /// Appends a text such as ` LABEL="in water"`, unless it is empty.
    mutating func appendV3000(_ key: V3000Keyword, _ text: Text) {
        if text.isEmpty { return }
        appendV3000Key(key)
        appendV3000Value(text)
    }

    /// Appends a text, quoted if it would not be read as a single token. Control characters become blanks.
    mutating func appendV3000Value(_ text: Text, isName: Bool = false) {
        let bytes = text.bytes
        // Other readers treat an apostrophe as a quote.
        var needsQuotes = bytes.isEmpty || bytes.last == Ascii.minus || bytes.first == UInt8(ascii: "'")
        for byte in bytes {
            switch byte {
            case ...Ascii.blank, Ascii.quote, 0x28, 0x29: needsQuotes = true
            case Ascii.equals: needsQuotes = needsQuotes || isName
            default: break
            }
        }
        guard needsQuotes else { return append(contentsOf: bytes) }
        append(Ascii.quote)
        for byte in bytes {
            if byte == Ascii.quote { append(Ascii.quote) }
            append(byte < Ascii.blank && byte != Ascii.tab ? Ascii.blank : byte)
        }
        append(Ascii.quote)
    }

    /// Appends a keyword with its value verbatim.
    mutating func appendV3000(_ name: Text, raw value: Text) {
        append(Ascii.blank)
        if !name.isEmpty {
            append(contentsOf: name.bytes)
            append(Ascii.equals)
        }
        // A value that is not a single token cannot originate from a V3000 file.
        let key = name.isEmpty ? [] : Array("K=".utf8)
        let value = value.bytes.map { $0 == Ascii.lineFeed || $0 == Ascii.carriageReturn ? Ascii.blank : $0 }
        let whole = key + value
        var words = V3000Words()
        let word = words.next(in: whole.span)
        var isWord =
            word.map { $0.raw == key.count..<whole.count && $0.isClosed && $0.key.isEmpty == key.isEmpty } ?? false
        // A quote in the next token would close the open quote of a list.
        if word?.form == .list, value.count(where: { $0 == Ascii.quote }) % 2 != 0 { isWord = false }
        if isWord {
            append(contentsOf: value)
        } else if !value.isEmpty || name.isEmpty {
            appendV3000Value(Text(bytes: value), isName: name.isEmpty)
        }
    }

    /// Appends the shortest text without an exponent that is read back as the number.
    mutating func appendV3000Number(_ value: Double) {
        let scaled = (value.magnitude * 10_000).rounded()
        guard scaled < 1e15, scaled / 10_000 == value.magnitude else {
            if value.isFinite { appendShortest(value) } else { append(Ascii.zero) }
            return
        }
        var digits = UInt64(scaled)
        var decimals = 4
        while decimals > 0, digits % 10 == 0 {
            digits /= 10
            decimals -= 1
        }
        var count = 1
        var power: UInt64 = 10
        while power <= digits {
            power *= 10
            count += 1
        }
        count = Swift.max(count, decimals + 1)
        let isNegative = value < 0 && digits > 0
        let length = count + (decimals > 0 ? 1 : 0) + (isNegative ? 1 : 0)
        append(addingCapacity: length) { output in
            output.append(repeating: Ascii.minus, count: length)
            var places = output.mutableSpan
            var at = length
            for place in 0..<count {
                if place == decimals, place > 0 {
                    at &-= 1
                    places[at] = Ascii.point
                }
                at &-= 1
                let next = digits / 10
                places[at] = UInt8(truncatingIfNeeded: digits &- next &* 10) | Ascii.zero
                digits = next
            }
        }
    }

    mutating func appendV3000(_ position: Position) {
        appendV3000Number(position.x)
        append(Ascii.blank)
        appendV3000Number(position.y)
        append(Ascii.blank)
        appendV3000Number(position.z)
    }
}

private let v3000Prefix = Array("M  V30 ".utf8)

/// The numbers of atoms, bonds or Sgroups in the output: their indices from 1, or their original numbers.
struct V3000Numbering {
    private var numbers: [Int32] = []
    private let count: Int

    /// Creates a numbering, which uses the original numbers if there is a unique number for each object.
    init(_ numbers: [Int32], count: Int) {
        self.count = count
        if numbers.isEmpty || numbers.count != count { return }
        var seen: Set<Int32> = []
        for number in numbers where number <= 0 || !seen.insert(number).inserted { return }
        self.numbers = numbers
    }

    /// The number of an existing object.
    subscript(index: Int32) -> Int? {
        guard (0..<count).contains(Int(index)) else { return nil }
        return numbers.isEmpty ? Int(index) &+ 1 : Int(numbers[Int(index)])
    }

    /// Returns the next number, which is higher than all others.
    func following(_ count: Int) -> Int {
        (numbers.max().map { Int($0) } ?? count) + 1
    }
}
