import ChemopenBytes
import ChemopenModel

/// Writes the data of an RD record: the inverse of `RDDataReader`.
struct RDDataWriter {
    private let options: WriteOptions

    /// The number of columns before the `+` of a line that continues on the next one.
    private static let width = 80

    /// Whether values that look like structures are written as structures.
    private let takesStructures: Bool

    init(_ options: WriteOptions, takesStructures: Bool = true) {
        self.options = options
        self.takesStructures = takesStructures
    }

    func write(
        _ fields: Fields, to output: inout [UInt8], _ report: inout WriteReport
    ) throws(WriteError) {
        for (index, entry) in fields.entries.enumerated() {
            guard fields.columns.indices.contains(Int(entry.column)) else { continue }
            writeName(fields.columns[Int(entry.column)].name, to: &output, &report)
            let value = fields.bytes[entry.valueRange]
            let structure = fields.structures.isEmpty ? nil : fields.structures.notes(of: index).first
            output.append("$DATUM ")
            if isStructure(value, isKnown: structure != nil) {
                output.append(contentsOf: value)
                output.append(Ascii.lineFeed)
            } else if let structure {
                try writeStructure(structure, to: &output, &report)
            } else {
                writeValue(value, isLast: index == fields.entries.count - 1, to: &output, &report)
            }
        }
    }

    private func writeName(_ name: Text, to output: inout [UInt8], _ report: inout WriteReport) {
        output.append("$DTYPE ")
        let start = output.count
        let isChanged = output.appendOneLine(name.bytes)
        let text = output.span.trimmed(start..<output.count)
        let isTrimmed = text.count < output.count - start
        if isTrimmed { output.replaceSubrange(start..., with: Array(output[text])) }
        output.append(Ascii.lineFeed)
        if isChanged || isTrimmed {
            report.losses.note(.fields, "line breaks and outer blanks of a field's name")
        }
    }

    // MARK: Structures

    /// Whether a value is a structure read from a similar file, to be written verbatim. No line may begin a record or
    /// data.
    private func isStructure(_ value: ArraySlice<UInt8>, isKnown: Bool) -> Bool {
        guard takesStructures, StructureText.begins(value), isKnown || value.first == Ascii.dollar else { return false }
        let bytes = value.span
        var lines = LineCursor(0..<bytes.count, of: bytes)
        _ = lines.next(in: bytes)
        while let line = lines.next(in: bytes) {
            if line.isEmpty || bytes[line.lowerBound] != Ascii.dollar { continue }
            if !bytes.range(line, begins: "$RXN") && !bytes.range(line, begins: "$MOL") { return false }
        }
        return true
    }

    private func writeStructure(
        _ structure: Fields.Structure, to output: inout [UInt8], _ report: inout WriteReport
    ) throws(WriteError) {
        switch structure {
        case .molecule: output.append("$MFMT\n")
        case .reaction: output.append("$RFMT\n")
        }
        report.losses.note(try structure.write(to: &output, options))
    }

    // MARK: Values

    private func writeValue(
        _ value: ArraySlice<UInt8>, isLast: Bool, to output: inout [UInt8], _ report: inout WriteReport
    ) {
        var value = value
        if value.contains(0) {
            var text = Array(value)
            _ = text.replaceNUL()
            value = text[...]
            report.losses.note(.fields, "a NUL in a value, written as a blank")
        }
        if isLast, value.last.map({ $0 < Ascii.blank }) == true, let full = Self.fullLines(of: value) {
            // Readers would treat the empty lines at the end as the separator between two records.
            value = full
            report.losses.note(.emptyLinesInValues, "an empty line at the end of the last value")
        }
        // Text that can begin a structure is not folded, because readers do not join its lines.
        let staysUnfolded = StructureText.begins(value)
        var start = value.startIndex
        var column = "$DATUM ".utf8.count
        while start <= value.endIndex {
            let rest = value[start...]
            let end = rest.firstIndex { $0 == Ascii.lineFeed || $0 == Ascii.carriageReturn } ?? value.endIndex
            let line = value[start..<end]
            if line.first == Ascii.dollar, start > value.startIndex || StructureText.begins(line) {
                output.append(Ascii.blank)
                column += 1
                report.losses.note(.fields, "a line of a value that begins with $, written with a blank in front")
            }
            if staysUnfolded {
                output.append(contentsOf: line)
                output.append(Ascii.lineFeed)
            } else {
                appendFolded(line, from: column, to: &output)
            }
            start = value.index(behindLineEnd: end)
            column = 0
        }
    }

    /// Whether a line is empty or contains only control characters.
    private static func isNothing(_ line: ArraySlice<UInt8>) -> Bool {
        line.allSatisfy { $0 < Ascii.blank && !Ascii.isBlank($0) }
    }

    /// Returns the value without trailing lines that are empty or contain only control characters; `nil` if it has no
    /// such lines.
    private static func fullLines(of value: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var full = value
        while let lineEnd = full.lastIndex(where: { $0 == Ascii.lineFeed || $0 == Ascii.carriageReturn }),
            Self.isNothing(full[(lineEnd + 1)...])
        { full = full[..<lineEnd] }
        return full.count < value.count ? full : nil
    }

    /// Appends a line in pieces of 80 columns, or unfolded if a reader would misread the pieces.
    ///
    /// No piece may start with `$`. The last piece must not be a lone `+` or consist of control characters, which a
    /// reader treats as the end of the record. Readers accept the unfolded line in these cases. A line of 81 columns
    /// that ends in `+` must always be folded, because it would be read as a folded line.
    private func appendFolded(_ line: ArraySlice<UInt8>, from column: Int, to output: inout [UInt8]) {
        defer { output.append(Ascii.lineFeed) }
        if column + line.count <= Self.width { return output.append(copying: line.span) }
        guard let pieces = folded(line, from: column), pieces.dropFirst().allSatisfy({ $0.first != Ascii.dollar }),
            pieces.last.map(Self.isNothing) == false, pieces.count == 2 || pieces.last != [Ascii.plus]
        else {
            return output.append(copying: line.span)
        }
        for (index, piece) in pieces.enumerated() {
            if index > 0 { output.append("+\n") }
            output.append(copying: piece.span)
        }
    }

    /// Returns the pieces of a long line, or `nil` if a reader would count the columns of a piece differently.
    private func folded(_ line: ArraySlice<UInt8>, from column: Int) -> [ArraySlice<UInt8>]? {
        var pieces: [ArraySlice<UInt8>] = []
        var rest = line
        var width = Self.width - column
        while true {
            guard let end = Self.end(ofPieceOf: rest, width) else { return nil }
            pieces.append(rest[..<end])
            if end == rest.endIndex { return pieces }
            rest = rest[end...]
            width = Self.width
        }
    }

    /// Returns the index at which the next piece of a line ends. Columns are characters if the piece itself is UTF-8,
    /// and bytes otherwise.
    private static func end(ofPieceOf rest: ArraySlice<UInt8>, _ width: Int) -> Int? {
        var (end, letters) = (rest.startIndex, 0)
        // A character has at most four bytes.
        while end < rest.endIndex, end - rest.startIndex <= 4 * width {
            if rest[end] & 0xC0 != 0x80 {
                if letters == width { break }
                letters += 1
            }
            end += 1
        }
        let byLetters = rest[..<end]
        let areLetters = isUTF8(byLetters.span) && (end == rest.endIndex || !isASCII(byLetters.span))
        if areLetters { return end }
        if rest.count <= width { return rest.endIndex }
        let byBytes = rest.prefix(width)
        return isASCII(byBytes.span) || !isUTF8(byBytes.span) ? rest.startIndex + width : nil
    }
}

extension Fields.Structure {
    /// Appends the molfile or the RXN file of a structure.
    ///
    /// - Returns: The losses, i.e. the content that the format cannot store.
    /// - Throws: `WriteError` if the structure cannot be written in the requested version.
    func write(to output: inout [UInt8], _ options: WriteOptions) throws(WriteError) -> [Loss] {
        switch self {
        case .molecule(let molecule):
            var writer = MolfileWriter(options)
            try writer.write(molecule, to: &output)
            return writer.report.losses
        case .reaction(let reaction):
            var writer = ReactionWriter(options)
            try writer.write(reaction, to: &output)
            return writer.report.losses
        }
    }
}
