import Chemopen

/// Writes molecules as the frames of an XYZ file: the inverse of `XYZReader`.
public struct XYZWriter: RecordWriter, ~Copyable {
    private var sink: ByteSink
    private let lineEnd: String
    /// The last record was copied without a line end behind it.
    private var isOpen = false

    public init(_ sink: consuming ByteSink, _ options: WriteOptions) throws(WriteError) {
        self.sink = sink
        lineEnd = options.carriageReturns ? "\r\n" : "\n"
    }

    public mutating func begin(_ header: SheetHeader) throws(WriteError) {}

    public mutating func write(_ record: borrowing Record) throws(WriteError) -> WriteReport {
        let molecule: Molecule
        switch record.subject {
        case .molecule(let subject): molecule = subject
        case .none: molecule = Molecule()
        case .reaction: throw WriteError(.impossible, "an XYZ file holds molecules and no reaction")
        }
        var report = WriteReport()
        closeLine()
        add("\(molecule.atoms.count)")
        add(oneLine(molecule.name, &report))
        for index in molecule.atoms.indices {
            let place = molecule.atoms[index].position
            add("\(symbol(ofAtom: index, in: molecule, &report)) \(place.x) \(place.y) \(place.z)")
        }
        noteLosses(of: record, &report)
        try handOn()
        return report
    }

    /// Loss is a subtraction: the features of the record, less those of the format.
    private func noteLosses(of record: borrowing Record, _ report: inout WriteReport) {
        let features = record.features
        var lost = features.subtracting(Format.xyz.holds)
        // That an atom carries no hydrogens is what the format says of all atoms.
        if !features.contains(.impliedHydrogens) { lost.remove(Features(.hydrogenCounts)) }
        for feature in lost.list {
            report.losses.note(feature, count: feature == .bonds ? record.molecule?.bonds.count ?? 1 : 1)
        }
    }

    /// An element's symbol, or a label that reads as nothing else.
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

    private func oneLine(_ text: Text, _ report: inout WriteReport) -> String {
        let line = String(text.string.map { $0.isNewline || $0 == "\0" ? " " : $0 })
        if line != text.string { report.losses.note(.names, "written on one line") }
        return line
    }

    public mutating func copy(_ bytes: [UInt8], beginsFile: Bool) throws(WriteError) {
        closeLine()
        sink.bytes += bytes
        isOpen = bytes.last.map { $0 != XYZLine.feed } ?? false
        try handOn()
    }

    public mutating func copy(rest bytes: [UInt8]) throws(WriteError) {
        closeLine()
        sink.bytes += bytes
    }

    public mutating func finish() throws(WriteError) {
        do throws(FileError) {
            try sink.commit()
        } catch {
            throw WriteError(error)
        }
    }

    public mutating func takeBytes() -> [UInt8] {
        defer { sink.bytes = [] }
        return sink.bytes
    }

    private mutating func closeLine() {
        if isOpen { add("") }
        isOpen = false
    }

    private mutating func add(_ line: String) {
        sink.bytes += line.utf8
        sink.bytes += lineEnd.utf8
    }

    private mutating func handOn() throws(WriteError) {
        do throws(FileError) {
            try sink.flushIfLarge()
        } catch {
            throw WriteError(error)
        }
    }
}
