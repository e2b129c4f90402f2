extension ToolRun {
    func copySorted(_ inputs: [Source], to path: LocalPath, by orders: [RecordOrder]) throws(Conversion.Failure) {
        var places = ToolPlaces()
        var columns = orders.map { SortColumn($0) }
        let opened = try collect(
            inputs, to: path, skippingStructures: !orders.contains { $0.fact.readsStructure }
        ) { record, context, place, input in
            places.append(place, ofInput: input)
            for index in columns.indices { columns[index].append(record, context) }
        }
        if let first = columns.first {
            (summary.withoutKey, summary.notNumbers) = (first.missing, first.notNumbers)
            summary.looksNumeric = first.looksNumeric
        }
        var order = (0..<UInt32(clamping: places.count)).map { $0 }
        let all = columns
        order.sort { one, other in
            for column in all {
                let result = column.compare(Int(one), Int(other))
                if result != 0 { return result < 0 }
            }
            return one < other
        }
        columns = []
        try copy(order.lazy.map { Int($0) }, of: places, in: opened, to: path)
    }
}

/// The values of all records for a key.
private struct SortColumn {
    private let order: RecordOrder
    /// The numbers. Infinity stands for a value that is not a number, and NaN for a missing value.
    private var numbers: [Double] = []
    /// The texts and the end of each. An empty text stands for a missing value.
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    private(set) var missing = 0
    private(set) var notNumbers = 0
    private var areNumbers: Bool

    init(_ order: RecordOrder) {
        self.order = order
        areNumbers = !order.isNumeric && !order.fact.isComputed
    }

    /// Whether all texts are numbers.
    var looksNumeric: Bool { areNumbers && ends.count > missing }

    mutating func append(_ record: borrowing Record, _ context: RecordFilter.Context) {
        if order.isNumeric {
            if let number = order.fact.number(in: record, context) { return numbers.append(number) }
            let isMissing = order.fact.text(in: record, context) == nil
            numbers.append(isMissing ? .nan : .infinity)
            if isMissing { missing += 1 } else { notNumbers += 1 }
            return
        }
        if let text = order.fact.text(in: record, context) {
            if areNumbers { areNumbers = Numeral.decimal(text.span, text.span.trimmed(0..<text.count)) != nil }
            bytes += text
        } else {
            missing += 1
        }
        ends.append(bytes.count)
    }

    /// Returns a negative number if a record comes before another one, a positive number if it comes after it, and 0 if
    /// their values are equal.
    func compare(_ one: Int, _ other: Int) -> Int {
        let sign = order.isDescending ? -1 : 1
        if order.isNumeric {
            let (left, right) = (numbers[one], numbers[other])
            if left.isFinite, right.isFinite { return left < right ? -sign : left > right ? sign : 0 }
            return Self.rank(left) - Self.rank(right)
        }
        let (left, right) = (range(one), range(other))
        if left.isEmpty || right.isEmpty { return (left.isEmpty ? 1 : 0) - (right.isEmpty ? 1 : 0) }
        let text = bytes.span
        let count = min(left.count, right.count)
        for index in 0..<count {
            let (mine, theirs) = (text[left.lowerBound &+ index], text[right.lowerBound &+ index])
            if mine != theirs { return mine < theirs ? -sign : sign }
        }
        return left.count == right.count ? 0 : left.count < right.count ? -sign : sign
    }

    private static func rank(_ number: Double) -> Int { number.isFinite ? 0 : number.isNaN ? 2 : 1 }

    private func range(_ index: Int) -> Range<Int> { (index == 0 ? 0 : ends[index - 1])..<ends[index] }
}
