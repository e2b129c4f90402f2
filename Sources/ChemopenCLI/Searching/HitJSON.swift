import Chemopen

/// The results of a search as JSON objects, one per line.
enum HitJSON {
    /// Formats a hit, with the record's text if it is requested and is not binary.
    static func line(_ hit: borrowing StructureSearch.Hit, in file: LocalPath) -> [UInt8] {
        var json = JSON()
        json.object { json in
            json.field("file", file)
            json.field("record", hit.place.record)
            json.field("kind", "hit")
            json.field("title", hit.title)
            json.field("format", hit.format.id)
            json.field("line", hit.place.line)
            json.field("offset", hit.place.offset)
            if !hit.bytes.isEmpty, !hit.bytes.contains(0) { json.field("text", Text(bytes: hit.bytes)) }
        }
        json.endLine()
        return json.bytes
    }

    /// Formats a file with hits, and their number if all are counted.
    static func line(of file: LocalPath, hits: Int?) -> [UInt8] {
        var json = JSON()
        json.object { json in
            json.field("file", file)
            json.field("kind", hits == nil ? "file" : "count")
            if let hits { json.field("hits", hits) }
        }
        json.endLine()
        return json.bytes
    }

    /// Formats the error of an unreadable record.
    static func line(_ error: ReadError) -> [UInt8] {
        var json = JSON()
        json.error(error)
        return json.bytes
    }
}
