/// A table with a heading that fits in a terminal: cells are wrapped, or each row is a list if there is little room.
struct TextTable {
    let heads: [String]
    private(set) var rows: [[String]] = []

    init(_ heads: [String]) {
        self.heads = heads
    }

    mutating func append(_ row: [String]) { rows.append(row) }

    private static let gap = 2

    /// Prints the table.
    func print(on terminal: Terminal) {
        for line in lines(fitting: terminal.columns) { terminal.print(line) }
    }

    /// Formats the table.
    ///
    /// - Parameter columns: the width of the terminal; `nil` if there is no limit.
    func lines(fitting columns: Int?) -> [Styled] {
        let cells = [heads] + rows
        var widths = heads.indices.map { place in cells.map { $0[place].displayWidth }.max() ?? 0 }
        guard let columns else { return cells.map { plain($0, widths) } }
        let least = heads.indices.map { place in cells.map { longestWord($0[place]) }.max() ?? 0 }
        func total(_ widths: [Int]) -> Int { widths.reduce(0, +) + Self.gap * max(0, widths.count - 1) }
        if total(least) > columns { return lists(columns) }
        while total(widths) > columns {
            guard let place = widths.indices.filter({ widths[$0] > least[$0] }).max(by: { widths[$0] < widths[$1] })
            else { break }
            widths[place] -= 1
        }
        return cells.enumerated().flatMap { wrapped($1, widths, $0 == 0 ? .heading : .plain) }
    }

    private func plain(_ row: [String], _ widths: [Int]) -> Styled {
        let text = zip(row, widths).map { $0.padded(to: $1) }.joined(separator: "  ")
        return Styled(String(text.reversed().drop { $0 == " " }.reversed()))
    }

    private func longestWord(_ text: String) -> Int {
        text.words(keepingQuotes: false).map(\.displayWidth).max() ?? 0
    }

    /// Formats a row whose cells can have several lines.
    private func wrapped(_ row: [String], _ widths: [Int], _ style: Styled.Style) -> [Styled] {
        let cells = zip(row, widths).map { TextLayout.wrapped(Styled($0), to: max(1, $1), hanging: 0).map(\.text) }
        return (0..<(cells.map(\.count).max() ?? 0)).map { line in
            var text = Styled()
            for (place, cell) in cells.enumerated() where cell.indices.contains(line) && !cell[line].isEmpty {
                let start = widths[..<place].reduce(0, +) + Self.gap * place
                text.append(String(repeating: " ", count: max(0, start - text.width)))
                text.append(cell[line], style)
            }
            return text
        }
    }

    /// Formats each row as a list of its cells.
    private func lists(_ columns: Int) -> [Styled] {
        var lines: [Styled] = []
        for row in rows {
            for (place, (head, cell)) in zip(heads, row).enumerated() where !cell.isEmpty {
                let line = Styled(place == 0 ? "" : "  ") + Styled("\(head): ", .heading) + cell
                lines += TextLayout.wrapped(line, to: columns, hanging: 4)
            }
        }
        return lines
    }
}
