/// A tally of the values of a field.
struct FieldTally: Sendable {
    let name: Text
    /// The number of records with a value.
    private(set) var filled = 0
    /// The number of values other than blanks.
    private(set) var values = 0
    private(set) var blanks = 0
    private(set) var structures = 0
    private(set) var numbers = NumberTally()
    /// The dates, as days since 1970-01-01.
    private(set) var dates = NumberTally()
    private(set) var texts = TextTally()
    /// The number of numbers with a decimal point or an exponent.
    private(set) var decimals = 0
    /// The number of texts that are `true` or `false`.
    private(set) var booleans = 0
    private var lastRecord = 0

    init(_ name: Text) {
        self.name = name
    }

    /// The memory that `makeEstimate` would release.
    var exactSize: Int {
        (numbers.isExact ? numbers.size : 0) + (dates.isExact ? dates.size : 0) + (texts.isExact ? texts.size : 0)
    }

    /// Replaces the largest table of values with estimates.
    mutating func makeEstimate() {
        let sizes = [numbers, dates].map { $0.isExact ? $0.size : 0 } + [texts.isExact ? texts.size : 0]
        switch sizes.indices.max(by: { sizes[$0] < sizes[$1] }) {
        case 0: numbers.makeEstimate()
        case 1: dates.makeEstimate()
        default: texts.makeEstimate()
        }
    }

    mutating func add(_ range: Range<Int>, of bytes: Span<UInt8>, record: Int) {
        let trimmed = bytes.trimmed(range)
        if trimmed.isEmpty {
            blanks += 1
            return
        }
        count(record)
        // Only these characters can begin a number or a date.
        let first = bytes[trimmed.lowerBound]
        if Ascii.isDigit(first) || first == Ascii.minus || first == Ascii.point || first == Ascii.plus {
            if let number = Numeral.decimal(bytes, trimmed), isExact(number, trimmed, bytes) {
                numbers.add(number)
                return
            }
            if let day = CalendarDay.read(trimmed, bytes) {
                dates.add(Double(day))
                return
            }
        }
        if trimmed.count <= 5, Self.isBoolean(trimmed, bytes) { booleans += 1 }
        texts.add(range, of: bytes)
    }

    mutating func addStructure(record: Int) {
        count(record)
        structures += 1
    }

    private mutating func count(_ record: Int) {
        values += 1
        if record != lastRecord || record == 0 { filled += 1 }
        lastRecord = record
    }

    mutating func merge(_ other: FieldTally) {
        filled += other.filled
        values += other.values
        blanks += other.blanks
        structures += other.structures
        decimals += other.decimals
        booleans += other.booleans
        numbers.merge(other.numbers)
        dates.merge(other.dates)
        texts.merge(other.texts)
    }

    /// Whether different numbers have different values. Identifiers with many digits are not numbers.
    private mutating func isExact(_ number: Double, _ range: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        let first = bytes[range.lowerBound]
        let digits = first == Ascii.minus || first == Ascii.plus ? range.dropFirst() : range
        let isWhole = digits.allSatisfy { Ascii.isDigit(bytes[$0]) }
        if isWhole, number.magnitude > 9_007_199_254_740_992 { return false }
        if !isWhole { decimals += 1 }
        return true
    }

    private static func isBoolean(_ range: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        let text = bytes.bytes(range).map(Ascii.lower)
        return text == Array("true".utf8) || text == Array("false".utf8)
    }
}

/// Conversions between dates and days since 1970-01-01.
package enum CalendarDay {
    /// Reads a date such as `2024-01-31`.
    ///
    /// - Parameter mayHaveTime: Whether a time can follow, after a blank or `T`.
    /// - Returns: The number of days, or `nil` if the text is not a date.
    package static func read(_ range: Range<Int>, _ bytes: Span<UInt8>, mayHaveTime: Bool = false) -> Int? {
        let start = range.lowerBound
        guard mayHaveTime ? range.count >= 10 : range.count == 10, bytes[start + 4] == Ascii.minus,
            bytes[start + 7] == Ascii.minus, Ascii.isDigit(bytes[start]),
            let year = Numeral.whole(bytes, start..<start + 4), let month = Numeral.whole(bytes, start + 5..<start + 7),
            let day = Numeral.whole(bytes, start + 8..<start + 10)
        else { return nil }
        if range.count > 10, bytes[start + 10] != UInt8(ascii: "T"), bytes[start + 10] > Ascii.blank { return nil }
        return days(year: year, month: month, day: day)
    }

    /// Returns the number of days of a date such as `2024-01-31`, or `nil` if the text is not a date.
    package static func days(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        return read(bytes.indices, bytes.span)
    }

    /// Returns the number of days, or `nil` if there is no such day.
    static func days(year: Int, month: Int, day: Int) -> Int? {
        guard (0...9999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard day <= lengths[month - 1] else { return nil }
        let before = year + 9999
        let leapDays = before / 4 - before / 100 + before / 400
        return before * 365 + leapDays + lengths[..<(month - 1)].reduce(0, +) + day - 1 - epoch
    }

    /// The days from 10,000 years before year 0, which are 25 cycles of 400 years, to 1970.
    private static let epoch = 4_371_587

    /// Returns a date as text.
    static func text(_ days: Int) -> String {
        var (low, high) = (0, 9999)
        while low < high {
            let middle = (low + high + 1) / 2
            if Self.days(year: middle, month: 1, day: 1) ?? .max <= days { low = middle } else { high = middle - 1 }
        }
        let month = (1...12).last { Self.days(year: low, month: $0, day: 1) ?? .max <= days } ?? 1
        let day = days - (Self.days(year: low, month: month, day: 1) ?? days) + 1
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(low, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }
}
