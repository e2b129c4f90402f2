/// The statistics of a data field.
public struct FieldSummary: Sendable, Hashable {
    /// The type of a field's values.
    public enum Kind: String, Sendable, Hashable {
        /// Numbers without a decimal point or an exponent.
        case integer
        /// Numbers.
        case number
        /// Dates such as `2024-01-31`.
        case date
        /// `true` and `false`, in any case.
        case boolean
        /// Text.
        case text
        /// At least half of the values are numbers.
        case mixed
        /// Molecules and reactions in the cells of a table.
        case structure
        /// No values.
        case empty
    }

    /// A value of a field.
    public enum Value: Sendable, Hashable {
        /// A number.
        case number(Double)
        /// A date, as days since 1970-01-01.
        case day(Int)
        /// The first 200 bytes of a text.
        case text(Text)
    }

    /// A value and the number of its occurrences.
    public struct Category: Sendable, Hashable {
        /// The value.
        public let value: Value
        /// The number of occurrences.
        public let count: Int
    }

    /// The name of the field.
    public let name: Text
    /// The type of the values.
    public let kind: Kind
    /// The number of records with a value. Values that consist of blanks are ignored.
    public let filled: Int
    /// The number of values, which is larger than `filled` if the field is repeated in a record.
    public let values: Int
    /// The number of values that consist of blanks.
    public let blanks: Int
    /// The number of values that are numbers. In a field of the kind `mixed`, the others are not.
    public let numbers: Int
    /// The number of distinct values. Numbers are compared by value, so `1` and `1.0` are the same; texts by their
    /// bytes. Structures are not compared.
    public let distinct: Int
    /// Whether `distinct`, `median`, `histogram` and `categories` are exact. Otherwise they are estimates.
    public let isExact: Bool
    /// The smallest number, the first date, or the first text in the order of bytes. Numbers and dates among texts,
    /// and texts in a `mixed` field, are ignored.
    public let minimum: Value?
    /// The largest value.
    public let maximum: Value?
    /// The median of numbers or dates: the middle value, or the mean of the two middle ones.
    public let median: Value?
    /// The distribution of numbers or dates.
    public let histogram: FieldHistogram?
    /// The most frequent values, at most `mostCategories`. An estimate may miss values.
    public let categories: [Category]

    /// The largest number of categories.
    public static let mostCategories = 20

    init(_ tally: FieldTally) {
        (name, filled, values, blanks) = (tally.name, tally.filled, tally.values, tally.blanks)
        let (numbers, dates, texts) = (tally.numbers, tally.dates, tally.texts)
        self.numbers = numbers.count
        let kind = Self.kind(tally)
        self.kind = kind
        distinct = numbers.distinct + dates.distinct + texts.distinct
        isExact = numbers.isExact && dates.isExact && texts.isExact
        switch kind {
        case .integer, .number, .mixed:
            let shape = numbers.distribution(areWhole: tally.decimals == 0)
            (minimum, maximum) = (.number(numbers.minimum), .number(numbers.maximum))
            (median, histogram) = (shape.map { .number($0.median) }, shape?.histogram)
        case .date:
            let shape = dates.distribution(areWhole: true)
            (minimum, maximum) = (.day(Self.day(dates.minimum)), .day(Self.day(dates.maximum)))
            (median, histogram) = (shape.map { .day(Self.day($0.median)) }, shape?.histogram)
        case .text, .boolean:
            (minimum, maximum) = (.text(Text(bytes: texts.least)), .text(Text(bytes: texts.greatest)))
            (median, histogram) = (nil, nil)
        case .structure, .empty: (minimum, maximum, median, histogram) = (nil, nil, nil, nil)
        }
        categories = Self.categories(tally)
    }

    private static func kind(_ tally: FieldTally) -> Kind {
        let (numbers, dates, texts) = (tally.numbers.count, tally.dates.count, tally.texts.count)
        if tally.values == 0 { return .empty }
        if tally.structures == tally.values { return .structure }
        if numbers == tally.values { return tally.decimals == 0 ? .integer : .number }
        if dates == tally.values { return .date }
        if tally.booleans == texts, texts == tally.values { return .boolean }
        return numbers * 2 >= tally.values ? .mixed : .text
    }

    private static func day(_ number: Double) -> Int { Int(exactly: number.rounded(.down)) ?? 0 }

    private static func categories(_ tally: FieldTally) -> [Category] {
        let limit = mostCategories
        var all = tally.numbers.mostFrequent(limit).map { Category(value: .number($0.number), count: $0.count) }
        all += tally.dates.mostFrequent(limit).map { Category(value: .day(day($0.number)), count: $0.count) }
        all += tally.texts.mostFrequent(limit).map { Category(value: .text(Text(bytes: $0.text)), count: $0.count) }
        let sorted = all.enumerated().sorted {
            $0.element.count == $1.element.count ? $0.offset < $1.offset : $0.element.count > $1.element.count
        }
        return sorted.prefix(limit).map(\.element)
    }
}

extension FieldSummary.Value: CustomStringConvertible {
    /// The value as text: an integer without a decimal point, and a date as `2024-01-31`.
    public var text: String {
        switch self {
        case .number(let number):
            if number.magnitude < 1e15, let whole = Int(exactly: number) { return "\(whole)" }
            return "\(number)"
        case .day(let days): return CalendarDay.text(days)
        case .text(let text): return text.string
        }
    }

    /// The value as text.
    public var description: String { text }
}
