import Chemopen

/// The number of records in a self-contained page and in all files.
public struct BrowsedCollection: Sendable {
    /// The number of records in the page.
    public let count: Int
    /// The total number of records in the files that pass the filter.
    public let total: Int
    /// The first error of a file that could not be read completely. The page must then not be saved because records are
    /// missing.
    public let lostContent: ReadError?

    fileprivate init(_ count: Int, of total: Int, in files: [BrowsedFile]) {
        (self.count, self.total) = (count, total)
        lostContent = files.lazy.compactMap(\.view.lostContent).first
    }
}

extension BrowseService {
    /// Collects at most `limit` records with all data that a page shows, as JSON in chunks.
    ///
    /// ```text
    /// {"pages":[{"records":answer,"parts":answer},…],"files":answer,"fields":{…},"total":12}
    /// ```
    ///
    /// The answers follow the protocol; their column `IN` contains the ID of the file. `fields` contains the field names of each file by its ID. If a record has the
    /// same text as a previous one, its text is replaced by the index of that record, counted from 0.
    ///
    /// - Parameter take: receives each chunk.
    /// - Returns: the numbers of records.
    /// - Throws: the error that `take` throws.
    public func collect<Failure: Error>(
        limit: Int, _ take: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) -> BrowsedCollection {
        var pages = CollectionPages()
        var total = 0
        try take(Array("{\"pages\":[".utf8))
        for file in files {
            let view = file.wait(forRecords: .max)
            file.waitForChosen()
            let chosen = file.chosen?.numbers
            total += chosen?.count ?? view.count
            let room = max(0, limit - pages.count)
            var left = chosen?.prefix(room)
            let end = left.map { Int($0.last.map { $0 + 1 } ?? 0) } ?? room
            var failure: Failure?
            file.read(0..<min(end, view.count), holding: nil) { number, record in
                if left != nil, left?.first != UInt32(clamping: number) { return true }
                left?.removeFirst()
                pages.add(Entity(record, in: file))
                do throws(Failure) {
                    if pages.isFull { try take(pages.takeBytes()) }
                    return true
                } catch {
                    failure = error
                    return false
                }
            }
            if let failure { throw failure }
        }
        try take(pages.takeBytes() + Array("],".utf8))
        for file in files { file.waitForFields() }
        var json = JSON()
        json.object { json in
            json.key("files")
            json.object { json in
                EntityList(files.map { Entity($0) }).write(CollectionPages.columns, CollectionPages.style, to: &json)
            }
            json.key("fields")
            json.object { json in
                for file in files {
                    json.key(text: Text(file.id))
                    json.array { json in for field in file.view.fields { json.string(field) } }
                }
            }
            json.field("total", total)
        }
        try take(Array(json.bytes.dropFirst()))
        return BrowsedCollection(pages.count, of: total, in: files)
    }

    /// Returns a complete collection at once.
    func collection(limit: Int) -> (json: [UInt8], collection: BrowsedCollection) {
        var json: [UInt8] = []
        let collection = collect(limit: limit) { (piece) throws(Never) in json += piece }
        return (json, collection)
    }
}

/// Records that are collected for the next page.
private struct CollectionPages {
    static let columns = EntityColumn.ofLists + [.marquee, .properties, .text]
    static let style = PictureForm(style: Picture.Style(.light))

    private(set) var count = 0
    private var records = JSON()
    private var parts = JSON()
    private var isFirst = true
    /// The last text that was written, with the index of its record.
    private var text: (bytes: [UInt8], record: Int)?

    var isFull: Bool { records.bytes.count + parts.bytes.count > 1 << 16 }

    mutating func add(_ entity: Entity) {
        var owner: Int?
        if case .record(let record) = entity.kind {
            if let text, text.bytes == record.bytes { owner = text.record } else { text = (record.bytes, count) }
        }
        records.array { json in
            for column in Self.columns {
                if column == .text, let owner {
                    json.number(owner)
                } else {
                    entity.write(column, Self.style, to: &json)
                }
            }
            json.string(entity.file.id)
        }
        for part in entity.parts {
            parts.array { json in
                for column in Self.columns { part.write(column, Self.style, to: &json) }
                json.string(entity.file.id)
            }
        }
        count += 1
    }

    /// Returns the data collected since the last call as one page.
    mutating func takeBytes() -> [UInt8] {
        var page = Array((isFirst ? "" : ",").utf8)
        isFirst = false
        var headers = JSON()
        headers.object { $0.field("headers", Self.columns.map(\.name) + ["IN"]) }
        for (name, rows) in [("{\"records\":", records), (",\"parts\":", parts)] {
            page += Array(name.utf8) + headers.bytes.dropLast() + Array(",\"rows\":[".utf8)
            page += rows.bytes + Array("]}".utf8)
        }
        records.removeAll()
        parts.removeAll()
        return page + [UInt8(ascii: "}")]
    }
}
