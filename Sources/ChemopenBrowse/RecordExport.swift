import Chemopen

/// One record, or a part of one, as a file of its own.
public struct SavedEntity: Sendable {
    /// The name that the file is to have.
    public let name: String
    /// The type of its content.
    public let mimeType: String
    /// Its content.
    public let bytes: [UInt8]
    /// The parts that the format has no place for.
    public let losses: [Loss]
}

/// Why an entity cannot be saved or handed over.
public struct EntityError: Error, Sendable {
    /// The reason in words.
    public let message: String
}

extension Entity {
    /// The formats it can be saved in.
    var saveFormats: [Format] {
        guard let record = asRecord else { return [] }
        return Format.all.filter { format in
            guard format.makeWriter != nil else { return false }
            switch record.subject {
            case .none: return format.holds.contains(.recordsWithoutStructure)
            case .molecule: return format.holds.contains(.molecules)
            case .reaction: return format.holds.contains(.reactions)
            }
        }
    }

    /// The record, or a part as a record of its own.
    var asRecord: Record? {
        switch kind {
        case .file, .category: return nil
        case .record(let record): return record.record
        case .part(let part, _):
            var record = Record()
            record.subject = part.subject
            return record
        }
    }

    /// The name of a file of it, without an extension.
    var fileStem: String {
        let name = summaryHeader.unicodeScalars.prefix(60).map { scalar in
            scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "-_+.".unicodeScalars.contains(scalar)
                ? Character(scalar) : "_"
        }
        let stem = String(name).drop { $0 == "." || $0 == "-" }
        return stem.isEmpty ? "record" : String(stem)
    }

    /// The entity in a format; the bytes of a whole record as they stand, where it has that format already.
    func saved(as format: Format) throws(EntityError) -> SavedEntity {
        guard var record = asRecord, let makeWriter = format.makeWriter else {
            throw EntityError(message: "this cannot be saved in \(format.name)")
        }
        do throws(WriteError) {
            var writer = try makeWriter(ByteSink(), WriteOptions())
            var losses: [Loss] = []
            var header = SheetHeader()
            if case .record(let browsed) = kind { header = browsed.header }
            try Self.begin(&writer, header)
            if case .record(let browsed) = kind, let content = file.view.content, content.format.id == format.id,
                content.keepsBytes, !format.holds.contains(.columnTypes)
            {
                try Self.copy(browsed.bytes, to: &writer)
            } else {
                if !format.holds.contains(.abbreviations) {
                    record.expandAbbreviations(asGroups: format.holds.contains(.sgroups))
                }
                losses = try Self.write(record, to: &writer)
            }
            let bytes = try Self.finish(&writer)
            return SavedEntity(
                name: "\(fileStem).\(format.extensions.first ?? "out")", mimeType: format.mimeTypes.first ?? "",
                bytes: bytes, losses: losses)
        } catch {
            throw EntityError(message: error.description)
        }
    }

    // A writer whose type is unknown is lent to a function before it is asked.

    private typealias Writer = any RecordWriter & ~Copyable

    private static func begin(_ writer: inout Writer, _ header: SheetHeader) throws(WriteError) {
        try writer.begin(header)
    }

    private static func copy(_ bytes: [UInt8], to writer: inout Writer) throws(WriteError) {
        try writer.copy(bytes, beginsFile: false)
    }

    private static func write(_ record: Record, to writer: inout Writer) throws(WriteError) -> [Loss] {
        try writer.write(record).losses
    }

    private static func finish(_ writer: inout Writer) throws(WriteError) -> [UInt8] {
        try writer.finish()
        return writer.takeBytes()
    }
}
