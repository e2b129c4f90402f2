import Chemopen

/// A record, or a part of one, saved as a file.
public struct SavedEntity: Sendable {
    /// The file name.
    public let name: String
    /// The MIME type of the content.
    public let mimeType: String
    /// The content.
    public let bytes: [UInt8]
    /// The features that the format cannot represent.
    public let losses: [Loss]
}

/// The reason why an entity cannot be saved or opened.
public struct EntityError: Error, Sendable {
    /// The reason as text.
    public let message: String
}

extension Entity {
    /// The formats that can represent the entity.
    var saveFormats: [Format] {
        guard let record = asRecord else { return [] }
        return Format.all.filter { format in
            guard format.isWritable else { return false }
            switch record.subject {
            case .none: return format.supportedFeatures.contains(.recordsWithoutStructure)
            case .molecule: return format.supportedFeatures.contains(.molecules)
            case .reaction: return format.supportedFeatures.contains(.reactions)
            }
        }
    }

    /// The record, or a part converted to a record.
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

    /// The suggested file name without an extension.
    var fileStem: String {
        let name = summaryHeader.unicodeScalars.prefix(60).map { scalar in
            scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "-_+.".unicodeScalars.contains(scalar)
                ? Character(scalar) : "_"
        }
        let stem = String(name).drop { $0 == "." || $0 == "-" }
        return stem.isEmpty ? "record" : String(stem)
    }

    /// Returns the entity in a format. A complete record that already has this format is copied verbatim.
    func saved(as format: Format) throws(EntityError) -> SavedEntity {
        guard var record = asRecord, format.isWritable else {
            throw EntityError(message: "this cannot be saved in \(format.name)")
        }
        do throws(WriteError) {
            var writer = try format.makeWriter(ByteSink(), WriteOptions())
            var losses: [Loss] = []
            var header = SheetHeader()
            if case .record(let browsed) = kind { header = browsed.header }
            try Self.begin(&writer, header)
            if case .record(let browsed) = kind, let content = file.view.content, content.format.id == format.id,
                content.keepsBytes, !format.supportedFeatures.contains(.columnTypes)
            {
                try Self.copy(browsed.bytes, to: &writer)
            } else {
                if !format.supportedFeatures.contains(.abbreviations) {
                    record.expandAbbreviations(asGroups: format.supportedFeatures.contains(.sgroups))
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

    // These functions borrow a writer of unknown concrete type.

    typealias Writer = any RecordWriter & ~Copyable

    static func begin(_ writer: inout Writer, _ header: SheetHeader) throws(WriteError) {
        try writer.begin(header)
    }

    static func copy(_ bytes: [UInt8], to writer: inout Writer) throws(WriteError) {
        try writer.copy(bytes, beginsFile: false)
    }

    static func write(_ record: Record, to writer: inout Writer) throws(WriteError) -> [Loss] {
        try writer.write(record).losses
    }

    static func finish(_ writer: inout Writer) throws(WriteError) -> [UInt8] {
        try writer.finish()
        return writer.takeBytes()
    }
}
