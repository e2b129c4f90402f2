import ChemopenBytes
import ChemopenModel

/// Writes one reaction as an RXN file: the inverse of `RXNfileReader`.
public typealias RXNfileWriter = LineRecordWriter<RXNfileFormatter>

/// The encoding of a record as an RXN file.
public struct RXNfileFormatter: LineRecordFormatter {
    public static var refusalOfSecond: String? { "an RXN file can store only one record; use an RD file for several" }
    private let options: WriteOptions

    public init(_ options: WriteOptions) {
        self.options = options
    }

    public func write(_ record: borrowing Record, to bytes: inout [UInt8]) throws(WriteError) -> WriteReport {
        guard case .reaction(let reaction) = record.subject else {
            throw WriteError(.impossible, "an RXN file cannot store molecules; use a MOL or SD file")
        }
        var writer = ReactionWriter(options)
        try writer.write(reaction, to: &bytes)
        for verbatim in record.verbatim where verbatim.dialect == .v2000 || verbatim.dialect == .v3000 {
            if staysText(verbatim.text, in: writer.report.version) {
                bytes.appendLines(verbatim.text)
            } else {
                writer.report.losses.note(verbatim)
            }
        }
        writer.report.losses.note(MDLFeatures.besideStructure, of: record, keeping: .v2000, .v3000)
        return writer.report
    }

    /// Whether text after the reaction is read back as text. In V2000, `$MOL` before any other keyword adds a
    /// component.
    private func staysText(_ text: Text, in version: String) -> Bool {
        if version == "V3000" { return true }
        let bytes = text.bytes
        var lines = LineCursor(0..<bytes.count, of: bytes.span)
        while let line = lines.next(in: bytes.span) {
            if line.isEmpty || bytes[line.lowerBound] != Ascii.dollar { continue }
            return !bytes.span.range(line, begins: "$MOL") && !bytes.span.range(line, begins: "$MDL")
        }
        return true
    }
}
