import ChemopenBytes
import ChemopenModel

/// Writes the data fields of an SD record: the inverse of `DataFieldReader`.
///
/// Names and values go straight from the record's bytes to the output.
struct DataFieldWriter {
    /// The columns that the headers are for.
    private var columns: [Column] = []
    /// The usual header of each column, and whether its name has been changed for it.
    private var headers: [(line: [UInt8], isChanged: Bool)] = []

    mutating func write(_ fields: Fields, to output: inout [UInt8], _ report: inout WriteReport) {
        if fields.columns != columns { prepare(fields.columns) }
        let bytes = fields.bytes
        // Values of one line, as nearly all are, need no second look.
        let arePlain = Self.isPlain(bytes.span, 0..<bytes.count)
        for (index, entry) in fields.entries.enumerated() {
            if !entry.hasHeader {
                guard headers.indices.contains(Int(entry.column)) else { continue }
                output.append(contentsOf: headers[Int(entry.column)].line)
                if headers[Int(entry.column)].isChanged {
                    report.losses.note(.fields, "a line break in a field's name, written as a blank")
                }
            } else {
                output.append(contentsOf: bytes[fields.headerRange(at: index)])
                output.append(Ascii.lineFeed)
            }
            if arePlain || Self.isPlain(bytes.span, entry.valueRange) {
                output.append(contentsOf: bytes[entry.valueRange])
                if !entry.valueRange.isEmpty { output.append(Ascii.lineFeed) }
            } else {
                writeLines(of: bytes[entry.valueRange], to: &output, &report)
            }
            output.append(Ascii.lineFeed)
        }
        for tagged in fields.structures where fields.entries[Int(tagged.index)].valueRange.isEmpty {
            report.losses.note(.structuresInFields)
        }
    }

    private mutating func prepare(_ columns: [Column]) {
        self.columns = columns
        headers = columns.map { column in
            var line = Array(">  <".utf8)
            let isChanged = line.appendOneLine(column.name.bytes)
            line.append(Ascii.greater)
            line.append(Ascii.lineFeed)
            return (line, isChanged)
        }
    }

    /// No line breaks and nothing that could be a separator.
    private static func isPlain(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        let part = bytes.extracting(range)
        var found: UInt8 = 0
        for index in part.indices {
            let byte = part[index]
            found |= byte == Ascii.lineFeed || byte == Ascii.carriageReturn || byte == Ascii.dollar ? 1 : 0
        }
        return found == 0
    }

    /// Writes a value line by line. An empty line would end it, and a separator the record.
    private func writeLines(of value: ArraySlice<UInt8>, to output: inout [UInt8], _ report: inout WriteReport) {
        if value.isEmpty { return }
        var start = value.startIndex
        while start <= value.endIndex {
            let rest = value[start...]
            let end = rest.firstIndex { $0 == Ascii.lineFeed || $0 == Ascii.carriageReturn } ?? value.endIndex
            let line = value[start..<end]
            if line.isEmpty {
                output.append(Ascii.blank)
                report.losses.note(.emptyLinesInValues, "written as a line of one blank")
            } else if line.starts(with: [Ascii.dollar, Ascii.dollar, Ascii.dollar, Ascii.dollar]) {
                output.append(Ascii.blank)
                report.losses.note(.fields, "a line of a value that begins with $$$$, written with a blank in front")
            }
            output.append(contentsOf: line)
            output.append(Ascii.lineFeed)
            start = value.index(behindLineEnd: end)
        }
    }
}
