import Chemopen

/// Writes molecules as frames of an XYZ file: the inverse of `XYZFrame`.
public struct XYZSpelling: LineRecordFormatter {
    public static var refusalOfSecond: String? { nil }

    public init(_ options: WriteOptions) {}

    public func write(_ record: borrowing Record, to bytes: inout [UInt8]) throws(WriteError) -> WriteReport {
        let molecule: Molecule
        switch record.subject {
        case .molecule(let subject): molecule = subject
        case .none: molecule = Molecule()
        case .reaction: throw WriteError(.impossible, "an XYZ file cannot store reactions")
        }
        var report = WriteReport()
        bytes += "\(molecule.atoms.count)\n\(oneLine(molecule.name, &report))\n".utf8
        for index in molecule.atoms.indices {
            let place = molecule.atoms[index].position
            bytes += "\(symbol(ofAtom: index, in: molecule, &report)) \(place.x) \(place.y) \(place.z)\n".utf8
        }
        noteLosses(of: record, &report)
        return report
    }

    /// Reports the features of the record that the format does not support as losses.
    private func noteLosses(of record: borrowing Record, _ report: inout WriteReport) {
        var held = Format.xyz.supportedFeatures
        // In this format no atom has implicit hydrogens, so an explicit zero is not a loss.
        if !record.features.contains(.impliedHydrogens) { held.insert(Features(.hydrogenCounts)) }
        report.losses.note(record, unsupportedBy: held)
    }

    /// Returns an element symbol, or a label that cannot be mistaken for anything else.
    private func symbol(ofAtom index: Int, in molecule: Molecule, _ report: inout WriteReport) -> String {
        let element = molecule.atoms[index].element
        if element != .none { return element.symbol }
        let label = molecule.symbol(ofAtom: index).string
        if label.contains(where: { $0.isWhitespace || $0.isNewline }) || Int(label) != nil
            || ChemicalElement(symbol: label) != nil || label.isEmpty
        {
            report.losses.note(.labels, molecule.symbol(ofAtom: index))
            return "X"
        }
        return label
    }

    /// Returns a text without line breaks, and reports a loss if it had any.
    private func oneLine(_ text: Text, _ report: inout WriteReport) -> String {
        let line = String(text.string.map { $0.isNewline || $0 == "\0" ? " " : $0 })
        if line != text.string { report.losses.note(.names, "written on one line") }
        return line
    }
}
