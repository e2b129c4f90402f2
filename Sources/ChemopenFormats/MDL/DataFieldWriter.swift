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
        let isPlain = Self.isPlain(bytes.span)
        for entry in fields.entries {
            if entry.header == entry.value {
                guard headers.indices.contains(Int(entry.column)) else { continue }
                output.append(contentsOf: headers[Int(entry.column)].line)
                if headers[Int(entry.column)].isChanged {
                    report.losses.note(.fields, "a line break in a field's name, written as a blank")
                }
            } else {
                output.append(contentsOf: bytes[entry.headerRange])
                output.append(Ascii.lineFeed)
            }
            if isPlain {
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
    private static func isPlain(_ bytes: Span<UInt8>) -> Bool {
        var isPlain = true
        for index in bytes.indices {
            let byte = bytes[index]
            isPlain = isPlain && byte != Ascii.lineFeed && byte != Ascii.carriageReturn && byte != Ascii.dollar
        }
        return isPlain
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
            let isPair = end + 1 < value.endIndex && value[end] == Ascii.carriageReturn && value[end + 1] == Ascii.lineFeed
            start = end + (isPair ? 2 : 1)
        }
    }
}
