import Chemopen

/// The values of a column in a batch. Rows without a value are null.
struct ColumnBuilder: ~Copyable {
    let kind: TableColumn.Kind
    /// The number of rows that have a value or are known to be null.
    private(set) var rows = 0
    private(set) var nulls = 0
    var validity = ArrowBuffer()
    /// Numbers, Booleans, or the end offsets of texts or lists.
    var values = ArrowBuffer()
    var text = ArrowBuffer()
    /// The end offsets of the texts in lists.
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

    /// Starts a new batch after the buffers have been taken.
    mutating func beginBatch() {
        (rows, nulls, items) = (0, 0, 0)
        begin()
    }

    /// The number of bytes of text.
    var textCount: Int { text.count }

    /// Returns whether a row already has a value.
    func has(row: Int) -> Bool { rows > row }

    /// Sets the missing rows before `row` to null.
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

    /// Appends text and converts it to UTF-8 if necessary.
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

    /// Appends the value of a field in the column's type. Returns `false` if the value does not have that type.
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
                // Another value in the same row.
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
