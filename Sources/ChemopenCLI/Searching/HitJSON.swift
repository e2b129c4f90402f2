import Chemopen

/// The account of a search, a JSON object a line.
enum HitJSON {
    /// A hit; the record as it stands where that is asked for and it is text.
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

    /// A file in which there are hits, with their number where all are counted.
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

    /// A record that cannot be read.
    static func line(_ error: ReadError) -> [UInt8] {
        var json = JSON()
        json.error(error)
        return json.bytes
    }
}
