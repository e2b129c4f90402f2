import Chemopen

/// The values of one column of a batch, row by row. Rows that nothing is said of are null.
struct ColumnBuilder: ~Copyable {
    let kind: TableColumn.Kind
    /// How many rows have a value or are known to be null.
    private(set) var rows = 0
    private(set) var nulls = 0
    var validity = ArrowBuffer()
    /// Numbers, truth values, or the ends of texts or lists.
    var values = ArrowBuffer()
    var text = ArrowBuffer()
    /// The ends of the texts of lists.
    var textEnds = ArrowBuffer()
    private(set) var items = 0

    init(_ kind: TableColumn.Kind) {
        self.kind = kind
        begin()
    }

    private mutating func begin() {
        if kind == .string || kind == .list { values.append(Int32(0)) }
        if kind == .list { textEnds.append(Int32(0)) }
    }

    /// Begins a new batch, after the buffers were taken.
    mutating func beginBatch() {
        (rows, nulls, items) = (0, 0, 0)
        begin()
    }

    /// How many bytes of text there are.
    var textCount: Int { text.count }

    /// Whether a row has a value already.
    func has(row: Int) -> Bool { rows > row }

    /// Makes the rows up to one null that have no value.
    mutating func pad(to row: Int) {
        let missing = row - rows
        if missing <= 0 { return }
        nulls += missing
        switch kind {
        case .string: values.append(Int32(truncatingIfNeeded: text.count), times: missing)
        case .list: values.append(Int32(truncatingIfNeeded: items), times: missing)
        case .integer, .real: values.append(UInt64(0), times: missing)
        case .boolean: values.padBits(to: row)
        }
        rows = row
    }

    private mutating func settle(_ row: Int) {
        validity.setBit(row)
        rows = row + 1
    }

    mutating func append(_ value: Int, row: Int) {
        pad(to: row)
        values.append(Int64(value))
        settle(row)
    }

    /// Appends text, which becomes UTF-8 where it is none.
    mutating func append(_ bytes: ArraySlice<UInt8>, row: Int) {
        pad(to: row)
        appendText(bytes.span)
        values.append(Int32(truncatingIfNeeded: text.count))
        settle(row)
    }

    private mutating func appendText(_ bytes: Span<UInt8>) {
        if isASCII(bytes) || isUTF8(bytes) {
            text.append(bytes)
        } else {
            let decoded = utf8(bytes)
            text.append(decoded.span)
        }
    }

    /// Appends the value of a field as the column's type has it; `false` where it is none of that type.
    mutating func appendField(_ range: Range<Int>, of bytes: [UInt8], row: Int) -> Bool {
        let bytes = bytes.span
        switch kind {
        case .string:
            pad(to: row)
            appendText(bytes.extracting(range))
            values.append(Int32(truncatingIfNeeded: text.count))
            settle(row)
        case .list:
            if rows == row + 1 {
                // A further value of the same row.
                values.shorten(to: values.count - 4)
            } else {
                pad(to: row)
                settle(row)
            }
            appendText(bytes.extracting(range))
            textEnds.append(Int32(truncatingIfNeeded: text.count))
            items += 1
            values.append(Int32(truncatingIfNeeded: items))
        case .integer:
            guard let value = Numeral.whole(bytes, bytes.trimmed(range)) else { return false }
            append(value, row: row)
        case .real:
            guard let value = Numeral.decimal(bytes, bytes.trimmed(range)) else { return false }
            pad(to: row)
            values.append(value)
            settle(row)
        case .boolean:
            let isTrue = bytes.range(range, begins: "true") && range.count == 4
            guard isTrue || (bytes.range(range, begins: "false") && range.count == 5) else { return false }
            pad(to: row)
            values.padBits(to: row + 1)
            if isTrue { values.setBit(row) }
            settle(row)
        }
        return true
    }
}
