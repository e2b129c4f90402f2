import ChemopenModel

extension MolfileWriter {
    /// Adds the three lines that head a molfile.
    ///
    /// The second is written as it was read but for the dimension in its columns 21 and 22.
    mutating func appendHeading(_ molecule: borrowing Molecule, to output: inout [UInt8]) {
        let lines = molecule.heading.lines
        let dimension: [UInt8] = Array((molecule.flags.contains(.threeDimensional) ? "3D" : "2D").utf8)
        if lines.name.first == 0x3E { output.append(0x20) }
        append(lines.name, to: &output)
        if lines.origin.contains(where: { $0 != 0x20 && $0 != 0x09 }) {
            let start = output.count
            append(lines.origin, to: &output)
            correctDimension(dimension, from: start, in: &output)
        } else {
            output += Array("  CHEMOPEN          ".utf8) + dimension + [0x0A]
        }
        append(lines.comment, to: &output)
    }

    /// Adds a line of text. No control character may stand in it, and none may look like the end of a record.
    private mutating func append(_ line: ArraySlice<UInt8>, to output: inout [UInt8]) {
        if line.starts(with: "$$$$".utf8) { output.append(0x20) }
        let start = output.count
        output.append(contentsOf: line)
        var replaced = 0
        for index in start..<output.count where (output[index] < 0x20 && output[index] != 0x09) || output[index] == 0x7F
        {
            output[index] = 0x20
            replaced += 1
        }
        report.losses.note(.names, "control characters", count: replaced)
        output.append(0x0A)
    }

    /// `2D` or `3D` stands in the columns 21 and 22, or nothing; other text there is none of it.
    private func correctDimension(_ dimension: [UInt8], from start: Int, in output: inout [UInt8]) {
        let length = output.count - start - 1
        if length <= 20 {
            guard dimension == Array("3D".utf8) else { return }
            output.removeLast()
            output.append(contentsOf: repeatElement(0x20, count: 20 - length))
            output += dimension + [0x0A]
        } else if length >= 22 {
            let columns = start + 20..<start + 22
            let isBlank = output[columns].allSatisfy { $0 == 0x20 }
            let isDimension = output[columns.lowerBound] &- 0x30 < 10 && output[columns.lowerBound + 1] & 0xDF == 0x44
            if isDimension || (isBlank && dimension == Array("3D".utf8)) {
                output.replaceSubrange(columns, with: dimension)
            }
        }
    }
}
