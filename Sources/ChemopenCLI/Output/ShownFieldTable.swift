import Chemopen

/// The table that `info --columns` prints: one line per record with its number, its name and some of its fields.
///
/// The types and widths of the columns depend on all records, so these are read once before the first line is printed.
struct ShownFieldTable {
    let names: [Text]
    private var columns: [Column]
    private var nameWidth = 4
    /// A pipe can be read only once, so the types are determined after this number of rows.
    static let mostHeld = 10_000
    private var held: [Row] = []
    private var isSettled = false

    /// The maximum width of a column without a terminal; longer values are not aligned.
    private static let widest = 40
    private static let numberWidth = 5
    private static let gap = "  "

    private struct Column {
        var kind: Kind?
        var width: Int
        /// The number of records with the field.
        var count = 0
    }

    private struct Row {
        let number: Int
        let name: String
        let values: [String]
    }

    /// The type of a column: a number type if each value is such a number.
    enum Kind: String {
        case integer, real, text

        init(_ value: String) {
            let isPlain =
                !value.isEmpty
                && value.utf8.allSatisfy { byte in
                    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "+-.eE".utf8.contains(byte)
                }
            self = !isPlain || Double(value) == nil ? .text : Int(value) == nil ? .real : .integer
        }

        /// Returns the common type of values of two types.
        func joined(with other: Kind?) -> Kind {
            guard let other, other != self else { return self }
            return self == .text || other == .text ? .text : .real
        }
    }

    init(_ names: [Text]) {
        self.names = names
        columns = names.map { Column(width: $0.shown.displayWidth) }
    }

    /// The columns that occur in no record.
    var absent: [Text] { names.indices.filter { columns[$0].count == 0 }.map { names[$0] } }

    /// Adds a record to the types and widths of the columns.
    mutating func survey(_ record: Record) { survey(row(record, 0)) }

    private mutating func survey(_ row: Row) {
        nameWidth = max(nameWidth, row.name.displayWidth)
        for (place, value) in row.values.enumerated() where !value.isEmpty {
            columns[place].count += 1
            columns[place].width = max(columns[place].width, value.displayWidth)
            if columns[place].kind != .text { columns[place].kind = Kind(value).joined(with: columns[place].kind) }
        }
    }

    /// Determines the types and widths from the records so far. Returns the heading and the lines that were held back.
    mutating func settle(fitting width: Int?) -> [Styled] {
        if isSettled { return [] }
        isSettled = true
        for place in columns.indices {
            columns[place].width = max(columns[place].width, (columns[place].kind ?? .text).rawValue.count)
        }
        fit(width)
        let lines = heading + held.map(line)
        held = []
        return lines
    }

    /// Returns the lines for a record.
    ///
    /// - Parameter isSurveyed: whether `survey` has received all records. If not, lines are held back until the types
    ///   are known.
    mutating func lines(for record: Record, number: Int, isSurveyed: Bool, fitting width: Int?) -> [Styled] {
        let row = row(record, number)
        if isSettled { return [line(row)] }
        if isSurveyed { return settle(fitting: width) + [line(row)] }
        survey(row)
        held.append(row)
        return held.count < Self.mostHeld ? [] : settle(fitting: width)
    }

    private func row(_ record: Record, _ number: Int) -> Row {
        let values = names.map { name in
            record.fields.lazy.filter { $0.name == name }.map(\.value.string).joined(separator: "; ")
        }
        let name = record.shownName
        return Row(
            number: number, name: Self.inLine(name.isEmpty ? "-" : name.shown), values: values.map(Self.inLine))
    }

    /// Returns a value without line breaks.
    private static func inLine(_ value: String) -> String {
        printable(value.split(whereSeparator: \.isNewline).joined(separator: " / ").trimmingBlanks)
    }

    // MARK: Layout

    /// The number of columns that are shown; the other columns do not fit.
    private var shownCount = 0

    private mutating func fit(_ width: Int?) {
        shownCount = columns.count
        guard let width else {
            nameWidth = min(nameWidth, Self.widest)
            for place in columns.indices { columns[place].width = min(columns[place].width, Self.widest) }
            return
        }
        let natural = (name: min(nameWidth, 24), widths: columns.map(\.width))
        while true {
            nameWidth = natural.name
            for place in columns.indices { columns[place].width = natural.widths[place] }
            if narrow(to: width) || shownCount == 1 { return }
            shownCount -= 1
        }
    }

    /// Makes the shown columns narrower until they fit. Numbers stay complete. Returns whether they fit.
    private mutating func narrow(to width: Int) -> Bool {
        func total() -> Int {
            Self.numberWidth + 2 + nameWidth + columns[..<shownCount].reduce(0) { $0 + 2 + $1.width }
        }
        while total() > width {
            let wide = columns[..<shownCount].indices.filter { columns[$0].width > 8 && columns[$0].kind == .text }
            if let place = wide.max(by: { columns[$0].width < columns[$1].width }),
                columns[place].width >= nameWidth || nameWidth <= 12
            {
                columns[place].width -= 1
            } else if nameWidth > 12 {
                nameWidth -= 1
            } else if shownCount == 1, columns[0].width > 4 {
                columns[0].width -= 1
            } else {
                return false
            }
        }
        return true
    }

    /// The number of columns that do not fit in the terminal.
    var omittedCount: Int { columns.count - shownCount }

    private var heading: [Styled] {
        let indent = String(repeating: " ", count: Self.numberWidth + 2)
        var names = Styled(indent) + Styled("name", .heading).fitted(to: nameWidth)
        var kinds = Styled(indent + String(repeating: " ", count: nameWidth))
        for place in 0..<shownCount {
            names += Styled(Self.gap) + cell(self.names[place].shown, place, .heading)
            kinds += Styled(Self.gap) + cell((columns[place].kind ?? .text).rawValue, place, .dim)
        }
        return [names.withoutTrailingBlanks, kinds.withoutTrailingBlanks]
    }

    private func line(_ row: Row) -> Styled {
        var line = Styled("\(row.number)".rightAligned(in: Self.numberWidth), .dim) + Self.gap
        line += fitted(row.name, to: nameWidth, .plain)
        for place in 0..<shownCount {
            line += Styled(Self.gap) + cell(row.values[place], place, .plain)
        }
        return line.withoutTrailingBlanks
    }

    /// Formats a cell: numbers are aligned on the right.
    private func cell(_ value: String, _ place: Int, _ style: Styled.Style) -> Styled {
        let column = columns[place]
        guard let kind = column.kind, kind != .text else { return fitted(value, to: column.width, style) }
        let text = Styled(value, style).truncated(to: column.width)
        return Styled(String(repeating: " ", count: max(0, column.width - text.width))) + text
    }

    /// Formats a text in a column. Without a terminal, values are complete.
    private func fitted(_ value: String, to width: Int, _ style: Styled.Style) -> Styled {
        isOnTerminal
            ? Styled(value, style).fitted(to: width)
            : Styled(value, style) + String(repeating: " ", count: max(0, width - value.displayWidth))
    }

    /// Whether values are truncated.
    var isOnTerminal = false
}
