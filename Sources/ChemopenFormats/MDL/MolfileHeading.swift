import ChemopenBytes
import ChemopenModel

extension MolfileWriter {
    /// Adds the three lines that head a molfile.
    ///
    /// The second is written as it was read but for the dimension in its columns 21 and 22.
    mutating func appendHeading(of molecule: borrowing Molecule, to output: inout [UInt8]) {
        let lines = molecule.heading.lines
        let dimension: UInt8 = molecule.flags.contains(.threeDimensional) ? 0x33 : 0x32
        if lines.name.first == Ascii.greater { output.append(Ascii.blank) }
        append(lines.name, to: &output)
        if lines.origin.contains(where: { $0 > Ascii.blank && $0 != 0x7F }) {
            let start = output.count
            append(lines.origin, to: &output)
            correctDimension(dimension, from: start, in: &output)
        } else {
            output.append("  CHEMOPEN          ")
            output.append(dimension)
            output.append("D\n")
            if lines.origin.contains(where: { !Ascii.isBlank($0) }) { report.losses.note(.names, "control characters") }
        }
        append(lines.comment, to: &output)
    }

    /// What ends a record of an SD, RXN or RD file, or begins the next.
    static func beginsWithKeyword(_ line: ArraySlice<UInt8>) -> Bool {
        line.first == Ascii.dollar && keywords.contains { line.starts(with: $0.utf8) }
    }

    private static let keywords = ["$$$$", "$RXN", "$MFMT", "$RFMT", "$MIREG", "$MEREG", "$RIREG", "$REREG", "$MDL"]

    /// Adds a line of text. No control character may stand in it, and none may look like the end of a record.
    private mutating func append(_ line: ArraySlice<UInt8>, to output: inout [UInt8]) {
        if Self.beginsWithKeyword(line) { output.append(Ascii.blank) }
        let start = output.count
        output.append(copying: line.span)
        var replaced = 0
        for index in start..<output.count where (output[index] < 0x20 && output[index] != 0x09) || output[index] == 0x7F
        {
            output[index] = 0x20
            replaced += 1
        }
        if replaced > 0 { report.losses.note(.names, "control characters", count: replaced) }
        output.append(0x0A)
    }

    /// `2D` or `3D` stands in the columns 21 and 22, or nothing; other text there is none of it.
    private func correctDimension(_ dimension: UInt8, from start: Int, in output: inout [UInt8]) {
        let length = output.count - start - 1
        if length <= 20 {
            guard dimension == 0x33 else { return }
            output.removeLast()
            output.append(contentsOf: repeatElement(Ascii.blank, count: 20 - length))
            output.append("3D\n")
        } else if length >= 22 {
            let first = output[start + 20]
            let second = output[start + 21]
            let isBlank = first == Ascii.blank && second == Ascii.blank
            guard (Ascii.isDigit(first) && Ascii.upper(second) == 0x44) || (isBlank && dimension == 0x33) else {
                return
            }
            output[start + 20] = dimension
            output[start + 21] = 0x44
        }
    }
}
