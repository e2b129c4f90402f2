import ChemopenBytes
import ChemopenModel

extension MolfileWriter {
    /// Adds the title, the program line and the comment.
    ///
    /// The program line stays as it was read, but for the dimension in its columns 21 and 22. Without one the output
    /// names this program and no date, so that the same input gives the same output.
    func appendHeading(of molecule: borrowing Molecule, to output: inout [UInt8]) {
        let lines = molecule.heading.lines
        // A title must not be taken for a separator or a data header.
        if lines.name.starts(with: [Ascii.dollar, Ascii.dollar, Ascii.dollar, Ascii.dollar])
            || lines.name.first == Ascii.greater
        {
            output.append(Ascii.blank)
        }
        output.appendHeadingLine(lines.name)
        let start = output.count
        if lines.origin.isEmpty {
            output.append("  CHEMOPEN          ")
        } else {
            output.appendHeadingLine(lines.origin)
            output.removeLast()
        }
        setDimension(of: molecule, from: start, in: &output)
        output.append(Ascii.lineFeed)
        output.appendHeadingLine(lines.comment)
    }

    private func setDimension(of molecule: borrowing Molecule, from start: Int, in output: inout [UInt8]) {
        let isThreeDimensional = molecule.flags.contains(.threeDimensional)
        let length = output.count - start
        let states3D = length >= 22 && output[start + 20] == 0x33 && output[start + 21] == 0x44
        let states2D = length >= 22 && output[start + 20] == 0x32 && output[start + 21] == 0x44
        if states3D == isThreeDimensional, states2D || isThreeDimensional || length > 20 { return }
        if length > 20, length < 22 || output[(start + 20)...].prefix(2).contains(where: { $0 != Ascii.blank }), !states3D,
            !states2D
        {
            // The columns hold something else; what the line says is not ours to change.
            return
        }
        if !isThreeDimensional, !states3D { if molecule.heading.lines.origin.isEmpty == false { return } }
        for _ in 0..<max(0, 22 - length) { output.append(Ascii.blank) }
        output[start + 20] = isThreeDimensional ? 0x33 : 0x32
        output[start + 21] = 0x44
    }
}

extension [UInt8] {
    /// A header line: what would break it becomes a blank.
    fileprivate mutating func appendHeadingLine(_ line: ArraySlice<UInt8>) {
        let start = count
        append(contentsOf: line)
        for index in start..<count where self[index] == Ascii.lineFeed || self[index] == Ascii.carriageReturn || self[index] == 0 {
            self[index] = Ascii.blank
        }
        append(Ascii.lineFeed)
    }
}
