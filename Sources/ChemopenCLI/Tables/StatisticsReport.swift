import Chemopen

/// The statistics of a file as lines or as JSON.
struct StatisticsReport {
    private let statistics: FileStatistics
    private let name: String
    private let fields: [FieldSummary]
    /// The requested fields that occur in no record.
    let missing: [Text]

    init(_ statistics: FileStatistics, of name: String, only names: [Text]?) {
        self.statistics = statistics
        self.name = name
        fields = names.map { $0.compactMap { statistics.fields.summary(of: $0) } } ?? statistics.fields.fields
        missing = names?.filter { statistics.fields.summary(of: $0) == nil } ?? []
    }

    // MARK: Lines

    private static let headings = ["field", "filled", "type", "distinct", "min", "median", "max", ""]
    private static let widest = 14

    var lines: [String] {
        var lines = ["\(name): \(statistics.format.name), \(recordCount(statistics.records))"]
        if !fields.isEmpty {
            let rows = [Self.headings] + fields.map(row)
            let widths = Self.headings.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
            for row in rows {
                let cells = row.enumerated().map { column, text in
                    Self.isRightAligned(column)
                        ? text.rightAligned(in: widths[column]) : text.padded(to: widths[column])
                }
                let line = cells.joined(separator: "  ")
                lines.append(String(line.reversed().drop { $0 == " " }.reversed()))
            }
        }
        let others = statistics.fields.valuesOfOtherFields
        if others > 0 {
            lines.append(
                "\(others) values of further fields are not summarized (more than \(FieldStatistics.mostFields) fields)"
            )
        }
        if let duplicates = statistics.duplicates { lines.append("duplicates: \(recordCount(duplicates))") }
        lines.append("unreadable: \(recordCount(statistics.unreadable))")
        return lines
    }

    private static func isRightAligned(_ column: Int) -> Bool { column == 1 || (3...6).contains(column) }

    private func row(_ field: FieldSummary) -> [String] {
        let mark = field.isExact ? "" : "~"
        let isText = field.kind == .text || field.kind == .boolean
        return [
            field.name.shown, "\(field.filled)", field.kind.rawValue,
            mark + "\(field.isExact ? field.distinct : Self.rounded(field.distinct))",
            Self.shown(field.minimum), field.median.map { mark + Self.shown($0) } ?? "",
            Self.shown(field.maximum), isText ? mostFrequent(field) : field.histogram.map(Self.bars) ?? "",
        ]
    }

    /// Rounds an estimate to four digits.
    private static func rounded(_ count: Int) -> Int {
        var unit = 1
        while count / unit >= 10_000 { unit *= 10 }
        return (count + unit / 2) / unit * unit
    }

    private static func shown(_ value: FieldSummary.Value?) -> String {
        guard let value else { return "" }
        if case .number(let number) = value, value.text.count > 10 {
            let size = number.magnitude
            if size >= 1e-3, size < 1e10 { return fixed(number, decimals: size < 1 ? 6 : size < 1e4 ? 4 : 1) }
        }
        let text = value.text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
        return text.count > widest ? text.prefix(widest - 1) + "…" : String(text)
    }

    /// The most frequent value with its share, if some values are equal.
    private func mostFrequent(_ field: FieldSummary) -> String {
        guard let first = field.categories.first, first.count > 1 else { return "" }
        let share = first.count * 100 / max(1, field.values)
        return "\(share > 0 ? "\(share)" : "<1") % \(Self.shown(first.value))"
    }

    /// Draws a histogram in sixteen blocks.
    private static func bars(_ histogram: FieldHistogram) -> String {
        let width = min(16, histogram.counts.count)
        var sums = Array(repeating: 0, count: width)
        for (bin, count) in histogram.counts.enumerated() { sums[bin * width / histogram.counts.count] += count }
        let most = max(1, sums.max() ?? 1)
        let blocks = Array("▁▂▃▄▅▆▇█")
        return String(sums.map { $0 == 0 ? " " : blocks[($0 * 8 + most - 1) / most - 1] })
            + (histogram.isLogarithmic ? " log" : "")
    }

    // MARK: JSON

    var json: [UInt8] {
        var json = JSON()
        for field in fields {
            json.object { json in
                json.field("file", name)
                json.field("kind", "field")
                json.field("name", field.name)
                json.field("type", field.kind.rawValue)
                json.field("filled", field.filled)
                json.field("values", field.values)
                json.field("blank", field.blanks)
                json.field("numbers", field.numbers)
                json.field("distinct", field.distinct)
                json.field("exact", field.isExact)
                json.value("min", field.minimum)
                json.value("median", field.median)
                json.value("max", field.maximum)
                if let histogram = field.histogram {
                    json.field("logarithmic", histogram.isLogarithmic)
                    json.key("edges")
                    json.array { json in for edge in histogram.edges { json.number(edge) } }
                    json.field("counts", histogram.counts)
                }
                json.objects("frequent", of: field.categories) { json, category in
                    json.value("value", category.value)
                    json.field("count", category.count)
                }
            }
            json.endLine()
        }
        json.object { json in
            json.field("file", name)
            json.field("kind", "file")
            json.field("format", statistics.format.id)
            json.field("records", statistics.records)
            json.field("unreadable", statistics.unreadable)
            if let duplicates = statistics.duplicates { json.field("duplicates", duplicates) }
            json.field("other_values", statistics.fields.valuesOfOtherFields)
        }
        json.endLine()
        return json.bytes
    }
}

extension JSON {
    /// Adds a number as a number, and any other value as text.
    fileprivate mutating func value(_ name: StaticString, _ value: FieldSummary.Value?) {
        switch value {
        case .number(let number): field(name, number)
        case .day, .text: field(name, Text(value?.text ?? ""))
        case nil: break
        }
    }
}
