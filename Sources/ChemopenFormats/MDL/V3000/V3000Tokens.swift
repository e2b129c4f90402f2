import ChemopenBytes
import ChemopenModel

/// A token of a V3000 line: `12`, `"in water"`, `CHG=-1`, `ATOMS=(3 1 2 3)`, `FIELDNAME="a name"`.
struct V3000Word {
    enum Form {
        case bare, quoted, list
    }

    /// The range of the key; empty if the token is not `KEY=value`.
    var key: Range<Int>
    /// The range of the value or token, including quotes or parentheses.
    var raw: Range<Int>
    var form: Form
    /// Whether the closing quote or parenthesis is present.
    var isClosed = true

    /// The range of the value without quotes or parentheses.
    var value: Range<Int> {
        if form == .bare { return raw }
        let end = isClosed ? raw.upperBound - 1 : raw.upperBound
        return raw.lowerBound + 1..<max(raw.lowerBound + 1, end)
    }

    /// Returns the text of the value without enclosing quotes and with doubled quotes reduced. Parentheses remain.
    func text(in text: Span<UInt8>) -> Text {
        guard form == .quoted else { return Text(bytes: text.bytes(raw)) }
        let value = value
        guard firstIndex(of: Ascii.quote, in: text, from: value.lowerBound, to: value.upperBound) != nil else {
            return Text(bytes: text.bytes(value))
        }
        var bytes: [UInt8] = []
        var index = value.lowerBound
        while index < value.upperBound {
            bytes.append(text[index])
            if text[index] == Ascii.quote, index + 1 < value.upperBound, text[index + 1] == Ascii.quote { index += 1 }
            index += 1
        }
        return Text(bytes: bytes)
    }
}

/// Iterates over the tokens of a line.
struct V3000Words {
    var position = 0
    /// Whether a search for a closing parenthesis has failed. If so, later searches would fail too.
    private var hasNoFurtherClosing = false

    init(from position: Int = 0) {
        self.position = position
    }

    /// Reads the next token if it is an unsigned integer of up to nine digits; otherwise, the position is unchanged.
    @inline(__always)
    mutating func number(in text: Span<UInt8>) -> Int? {
        var at = start(in: text)
        let number = Numeral.whole(text, at: &at)
        guard number >= 0, at == text.count || Ascii.isBlank(text[at]) else { return nil }
        position = at
        return number
    }

    /// Reads the first token of a table line, and its number if it is one; returns `false` if the line is empty.
    @inline(__always)
    mutating func takeNumber(_ number: inout Int?, in text: Span<UInt8>) -> Bool {
        number = self.number(in: text)
        if number != nil { return true }
        guard let word = next(in: text) else { return false }
        number = text.integer(word.raw)
        return true
    }

    /// Reads the next token if it is a decimal number.
    @inline(__always)
    mutating func decimal(in text: Span<UInt8>) -> Double? {
        var at = start(in: text)
        guard let number = Numeral.decimal(text, at: &at), at == text.count || Ascii.isBlank(text[at]) else {
            return nil
        }
        position = at
        return number
    }

    /// Returns the range of the first token of the line, regardless of the position.
    func first(in text: Span<UInt8>) -> Range<Int> {
        var words = V3000Words()
        return words.next(in: text)?.raw ?? 0..<0
    }

    /// Returns the start of the next token.
    @inline(__always)
    private func start(in text: Span<UInt8>) -> Int {
        var at = position
        while at < text.count, Ascii.isBlank(text[at]) { at &+= 1 }
        return at
    }

    mutating func next(in text: Span<UInt8>) -> V3000Word? {
        while position < text.count, Ascii.isBlank(text[position]) { position += 1 }
        guard position < text.count else { return nil }
        let start = position
        if text[start] == Ascii.quote { return quoted(start..<start, text) }
        var end = start
        while end < text.count, !Ascii.isBlank(text[end]) {
            if text[end] == Ascii.equals, end > start { return value(of: start..<end, text) }
            // Only letters, digits and underscores can be part of a key; a list of elements or an operator cannot.
            if !Ascii.isLetter(text[end]), !Ascii.isDigit(text[end]), text[end] != 0x5F { break }
            end += 1
        }
        return bare(start..<start, from: start, text)
    }

    private mutating func value(of key: Range<Int>, _ text: Span<UInt8>) -> V3000Word {
        position = key.upperBound + 1
        guard position < text.count else { return V3000Word(key: key, raw: position..<position, form: .bare) }
        switch text[position] {
        case Ascii.quote: return quoted(key, text)
        case 0x28: return list(key, text)
        default: return bare(key, from: position, text)
        }
    }

    private mutating func bare(_ key: Range<Int>, from start: Int, _ text: Span<UInt8>) -> V3000Word {
        position = start
        while position < text.count, !Ascii.isBlank(text[position]) { position += 1 }
        return V3000Word(key: key, raw: start..<position, form: .bare)
    }

    private mutating func quoted(_ key: Range<Int>, _ text: Span<UInt8>) -> V3000Word {
        let start = position
        position += 1
        while position < text.count {
            if text[position] == Ascii.quote {
                position += 1
                if position >= text.count || text[position] != Ascii.quote {
                    return V3000Word(key: key, raw: start..<position, form: .quoted)
                }
            }
            position += 1
        }
        return V3000Word(key: key, raw: start..<text.count, form: .quoted, isClosed: false)
    }

    /// Reads a list, which ends at its closing parenthesis.
    ///
    /// If a quote is not closed, it hides the parenthesis. In this case, the list ends before the next `KEY=`, and it
    /// is closed if its last character is a parenthesis.
    private mutating func list(_ key: Range<Int>, _ text: Span<UInt8>) -> V3000Word {
        let start = position
        if !hasNoFurtherClosing {
            var end = start + 1
            var isQuoted = false
            var hasBlank = false
            while end < text.count, isQuoted || text[end] != 0x29 {
                if text[end] == Ascii.quote { isQuoted.toggle() }
                hasBlank = hasBlank || Ascii.isBlank(text[end])
                end += 1
            }
            if end < text.count {
                // `LABEL=(CH2)3` is a bare value and not a list.
                if end + 1 < text.count, !Ascii.isBlank(text[end + 1]), !hasBlank {
                    return bare(key, from: start, text)
                }
                position = end + 1
                return V3000Word(key: key, raw: start..<end + 1, form: .list)
            }
            hasNoFurtherClosing = true
        }
        var end = start
        var word = start
        while end < text.count, text[end] != Ascii.equals {
            if Ascii.isBlank(text[end]) { word = end }
            end += 1
        }
        position = end < text.count && word > start ? word : text.count
        var last = position
        while last > start, Ascii.isBlank(text[last - 1]) { last -= 1 }
        if last > start, text[last - 1] == 0x29 {
            return V3000Word(key: key, raw: start..<last, form: .list)
        }
        return V3000Word(key: key, raw: start..<position, form: .list, isClosed: false)
    }
}

/// The items of a list `(n v1 … vn)`.
struct V3000List {
    private(set) var items: [V3000Word] = []
    /// Whether the list is closed and has the announced number of items.
    private(set) var isSound: Bool

    init(_ word: V3000Word, in text: Span<UInt8>) {
        isSound = word.form == .list && word.isClosed
        guard word.form == .list else { return }
        let inner = text.extracting(word.value)
        let usualCount = 4
        items.reserveCapacity(usualCount)
        var words = V3000Words()
        var count: Int?
        var isFirst = true
        while var item = words.next(in: inner) {
            let start = item.key.isEmpty ? item.raw.lowerBound : item.key.lowerBound
            item.raw = start + word.value.lowerBound..<item.raw.upperBound + word.value.lowerBound
            item.key = 0..<0
            if isFirst {
                count = text.integer(item.raw)
                isFirst = false
            } else {
                items.append(item)
            }
        }
        isSound = isSound && count == items.count
    }

    /// Returns the items as integers; `nil` if an item is not an integer.
    func integers(in text: Span<UInt8>) -> [Int]? {
        var numbers: [Int] = []
        for item in items {
            guard let number = text.integer(item.raw) else { return nil }
            numbers.append(number)
        }
        return numbers
    }

}
