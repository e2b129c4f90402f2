import Chemopen

/// The first records of all files with everything that a page shows of them, for a page that stands by itself.
public struct BrowsedCollection: Sendable {
    /// `{"files": answer, "records": answer, "parts": answer}`, as the protocol answers them, and the names of the fields
    /// of each file by its name.
    public let json: [UInt8]
    /// How many records there are in it, and in the files.
    public let count: Int
    public let total: Int
}

extension BrowseService {
    /// Collects at most `limit` records.
    public func collection(limit: Int) -> BrowsedCollection {
        var records: [Entity] = []
        var total = 0
        for file in files {
            let view = file.wait(forRecords: .max)
            file.waitForFields()
            total += view.count
            let left = max(0, limit - records.count)
            records += file.records(0..<min(left, view.count)).map { Entity($0, in: file) }
        }
        let columns = EntityColumn.ofLists + [.marquee, .properties, .text]
        let style = Picture.Style(.light)
        var json = JSON()
        json.object { json in
            let lists = [files.map { Entity($0) }, records, records.flatMap(\.parts)]
            for (name, entities) in zip(["files", "records", "parts"], lists) {
                json.key(text: Text(name))
                json.object { EntityList(entities).write(columns, style, to: &$0) }
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
        return BrowsedCollection(json: json.bytes, count: records.count, total: total)
    }
}
