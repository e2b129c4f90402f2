import Chemopen

/// The distribution of the values of a field, collected in one pass with limited memory.
struct ColumnSurvey: Sendable {
    /// The number of records with the field.
    private(set) var count = 0
    /// The number of values that are numbers, and that are dates.
    private(set) var numbers = 0
    private(set) var days = 0
    /// The number of values that are empty.
    private(set) var empty = 0
    private(set) var sum = 0.0
    private(set) var least = Double.infinity
    private(set) var greatest = -Double.infinity
    private(set) var bins = Bins()
    private(set) var powers = Powers()
    private(set) var dates = Bins()
    private(set) var firstDay = Int.max
    private(set) var lastDay = Int.min
    /// The number of records for each value, as long as there are few values.
    private(set) var values: [Text: Int] = [:]
    private(set) var hasFewValues = true
    /// The first value that is not a number, and the record with it.
    private(set) var example: Text?
    /// Whether the example is not a date; such a value has priority.
    private var isExampleText = false

    private static let mostValues = 64
    private static let longestValue = 60

    /// Adds the value in a range of bytes.
    mutating func add(_ bytes: [UInt8], _ range: Range<Int>) {
        count += 1
        let span = bytes.span
        let range = span.trimmed(range)
        if range.isEmpty {
            empty += 1
            return
        }
        if let number = Numeral.decimal(span, range), number.isFinite {
            numbers += 1
            sum += number
            least = min(least, number)
            greatest = max(greatest, number)
            bins.add(number)
            powers.add(number)
        } else if let day = CalendarDay.read(range, span, mayHaveTime: true) {
            days += 1
            dates.add(Double(day))
            firstDay = min(firstDay, day)
            lastDay = max(lastDay, day)
            if example == nil { example = Text(bytes: Array(bytes[range])) }
        } else if !isExampleText {
            isExampleText = true
            example = Text(bytes: Array(bytes[range].prefix(Self.longestValue)))
        }
        guard hasFewValues else { return }
        guard range.count <= Self.longestValue else {
            hasFewValues = false
            values = [:]
            return
        }
        values[Text(bytes: Array(bytes[range])), default: 0] += 1
        if values.count > Self.mostValues {
            hasFewValues = false
            values = [:]
        }
    }

    /// The kind of the values: `number`, `date`, `category` or `text`.
    var kind: String {
        let known = count - empty
        if known == 0 { return "text" }
        if numbers * 10 >= known * 6 { return "number" }
        if days * 10 >= known * 6 { return "date" }
        // Values that hardly repeat are identifiers.
        return hasFewValues && values.count <= 20 && known >= 2 * values.count ? "category" : "text"
    }
}

extension ColumnSurvey {
    /// A histogram with bins of equal width. The width is 1 or 2 times a power of ten, and grows with the range, so that
    /// the bins can be counted in one pass and those of two histograms can be compared.
    struct Bins: Sendable {
        private(set) var counts: [Int] = []
        /// The index of the first bin: the bin with index i contains the values from i times the width.
        private(set) var first = 0
        private var exponent = 0
        private var isTwo = false
        /// The first values, before the width is chosen.
        private var early: [Double] = []
        private var hasWidth = false

        static let most = 320
        private static let earlyCount = 512

        var width: Double { Self.width(exponent, isTwo) }

        private static func width(_ exponent: Int, _ isTwo: Bool) -> Double {
            let power = exponent >= 0 ? Powers.ten(exponent) : 1 / Powers.ten(-exponent)
            return isTwo ? 2 * power : power
        }

        mutating func add(_ value: Double) {
            guard hasWidth else {
                early.append(value)
                if early.count >= Self.earlyCount { chooseWidth() }
                return
            }
            count(value)
        }

        /// The histogram with all values.
        var complete: Bins {
            var bins = self
            if !hasWidth { bins.chooseWidth() }
            return bins
        }

        private mutating func chooseWidth() {
            hasWidth = true
            let (low, high) = (early.min() ?? 0, early.max() ?? 0)
            let target = max((high - low) / 150, Swift.max(abs(low), abs(high)) * 1e-12, 1e-300)
            // The smallest width that is at least the target.
            exponent = -300
            isTwo = false
            while width < target, exponent < 300 {
                exponent += exponent < -16 && Self.width(exponent + 16, false) < target ? 16 : 0
                if isTwo { (exponent, isTwo) = (exponent + 1, false) } else { isTwo = true }
            }
            for value in early { count(value) }
            early = []
        }

        private func index(_ value: Double) -> Int {
            // A value at the boundary of two bins belongs to the upper one, despite rounding errors.
            let quotient = value / width
            let whole = quotient.rounded()
            let floor = abs(quotient - whole) < 1e-9 * Swift.max(1, abs(whole)) ? whole : quotient.rounded(.down)
            return Int(exactly: Swift.min(Swift.max(floor, -1e15), 1e15)) ?? 0
        }

        private mutating func count(_ value: Double) {
            while true {
                let place = index(value)
                if counts.isEmpty {
                    (first, counts) = (place, [1])
                    return
                }
                let last = first + counts.count - 1
                if Swift.max(last, place) - Swift.min(first, place) < Self.most {
                    if place < first {
                        counts = Array(repeating: 0, count: first - place) + counts
                        first = place
                    } else if place > last {
                        counts += Array(repeating: 0, count: place - last)
                    }
                    counts[place - first] += 1
                    return
                }
                guard exponent < 305 else { return }
                widen()
            }
        }

        /// Merges bins, two or five at a time.
        private mutating func widen() {
            let factor = isTwo ? 5 : 2
            if isTwo { (exponent, isTwo) = (exponent + 1, false) } else { isTwo = true }
            func merged(_ index: Int) -> Int { index >= 0 ? index / factor : -((-index + factor - 1) / factor) }
            let start = merged(first)
            var wider = Array(repeating: 0, count: merged(first + counts.count - 1) - start + 1)
            for (place, count) in counts.enumerated() { wider[merged(first + place) - start] += count }
            (first, counts) = (start, wider)
        }
    }

    /// A histogram of positive numbers with twenty bins for each power of ten.
    struct Powers: Sendable {
        private(set) var counts: [Int] = []
        private(set) var first = 0
        /// Whether a value is not positive, so that there is no logarithmic scale.
        private(set) var isImpossible = false

        static let perDecade = 20
        private static let reach = 16

        mutating func add(_ value: Double) {
            guard value > 0, !isImpossible else {
                isImpossible = true
                counts = []
                return
            }
            let place = Self.index(value)
            if counts.isEmpty { first = place }
            if place < first {
                counts = Array(repeating: 0, count: first - place) + counts
                first = place
            } else if place >= first + counts.count {
                counts += Array(repeating: 0, count: place - first - counts.count + 1)
            }
            counts[place - first] += 1
        }

        /// The limits of the bins in one decade.
        private static let limits: [Double] = (0..<perDecade).map { step in
            var limit = 1.0
            for _ in 0..<step { limit *= 1.122018454301963 }
            return limit
        }

        private static func index(_ value: Double) -> Int {
            var decade = 0
            var rest = value
            while rest >= 10, decade < reach { (rest, decade) = (rest / 10, decade + 1) }
            while rest < 1, decade > -reach { (rest, decade) = (rest * 10, decade - 1) }
            var step = 0
            while step + 1 < perDecade, limits[step + 1] <= rest { step += 1 }
            return decade * perDecade + step
        }

        static func ten(_ exponent: Int) -> Double {
            var power = 1.0
            for _ in 0..<Swift.min(exponent, 308) { power *= 10 }
            return power
        }
    }
}

extension ColumnSurvey {
    /// The columns of a table of statistics.
    static let headers = [
        "NAME", "KIND", "COUNT", "EMPTY", "NUMBERS", "OTHERS", "EXAMPLE", "MIN", "MAX", "MEAN", "BINS", "POWERS",
        "DATES",
        "VALUES",
    ]

    /// Writes the values of these columns.
    func write(_ name: String, to json: inout JSON) {
        json.array { json in
            json.string(name)
            json.string(kind)
            json.number(count)
            json.number(empty)
            json.number(numbers)
            json.number(count - empty - numbers)
            if let example { json.string(example) } else { json.string("") }
            if numbers > 0 {
                json.number(least)
                json.number(greatest)
                json.number(sum / Double(numbers))
                json.histogram(bins.complete, from: least, until: greatest)
            } else {
                for _ in 0..<4 { json.null() }
            }
            if numbers > 0, !powers.isImpossible {
                json.object { json in
                    json.field("first", powers.first)
                    json.field("perDecade", Powers.perDecade)
                    json.field("counts", powers.counts)
                }
            } else {
                json.null()
            }
            if days > 0 {
                json.histogram(dates.complete, from: Double(firstDay), until: Double(lastDay))
            } else {
                json.null()
            }
            json.array { json in
                let sorted = values.sorted { ($1.value, $0.key.string) < ($0.value, $1.key.string) }
                for (value, count) in sorted {
                    json.array { json in
                        json.string(value)
                        json.number(count)
                    }
                }
            }
        }
    }
}

extension JSON {
    fileprivate mutating func histogram(_ bins: ColumnSurvey.Bins, from least: Double, until greatest: Double) {
        object { json in
            json.field("first", bins.first)
            json.field("width", bins.width)
            json.field("counts", bins.counts)
            json.field("least", least)
            json.field("greatest", greatest)
        }
    }
}
