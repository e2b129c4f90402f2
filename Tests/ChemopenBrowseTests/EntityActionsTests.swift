import Chemopen
import Testing

@testable import ChemopenBrowse

@Suite("Actions on a record")
struct EntityActionsTests {
    let desk: BrowseDesk
    let salt = record("saline", ["Na", "Cl"], fields: [("USE", "food")])

    init() throws {
        desk = try BrowseDesk()
    }

    private func save(_ service: BrowseService, _ id: String, _ format: String) throws -> SavedEntity {
        try service.save(Array(#"{"PERM_ID":"\#(id)","format":"\#(format)"}"#.utf8)).get()
    }

    @Test("saving to the same format copies the bytes, and saving to another format converts and reports losses")
    func saves() throws {
        let service = desk.browse(try desk.put(record("a/b", ["C"]) + salt, at: "a.sdf"))
        try service.serving {
            let all = ids(service.answer(#"{"request":"ROOT"}"#))
            let same = try save(service, all[1], "sdf")
            #expect(same.name == "saline.sdf" && same.mimeType == "chemical/x-mdl-sdfile")
            #expect(String(decoding: same.bytes, as: UTF8.self) == salt)
            let other = try save(service, all[1], "mol")
            var stream = try readUnknown(bytes: other.bytes)
            #expect(stream.format.id == "mol")
            #expect(try stream.next()?.molecule?.formula == "ClH2Na")
            #expect(other.losses.map(\.feature) == [.fields])
            #expect(try save(service, all[0], "mol").name == "a_b.mol")
            #expect(String(decoding: try save(service, all[0], "svg").bytes, as: UTF8.self).hasPrefix("<svg "))
        }
    }

    @Test("an entity can be a source like a file, and a missing entity is reported")
    func source() throws {
        let service = desk.browse(try desk.put(record("first", ["C"]) + salt, at: "a.sdf"))
        try service.serving {
            let id = try #require(ids(service.answer(#"{"request":"ROOT"}"#)).last)
            var stream = try readUnknown(Source(entity: id, of: service, as: .sdfile))
            #expect(try stream.next()?.molecule?.name == "saline")
            let error = #expect(throws: ReadError.self) {
                _ = try readUnknown(Source(entity: "x-1-y", of: service, as: .sdfile))
            }
            #expect(error?.description == "x-1-y.sdf: the record no longer exists")
        }
    }

    @Test("a part can be saved separately")
    func savesPart() throws {
        let service = desk.browse(try desk.put(salt, at: "a.sdf"))
        try service.serving {
            let id = try #require(ids(service.answer(#"{"request":"ROOT"}"#)).first)
            var stream = try readUnknown(bytes: try save(service, id + "/f2", "mol").bytes)
            #expect(try stream.next()?.molecule?.formula == "ClH")
        }
    }

    @Test(
        "an unknown entity or format is rejected",
        arguments: [#"{"PERM_ID":"x-1-y","format":"mol"}"#, #"{"format":"mol"}"#, "", "{}"])
    func refuses(_ request: String) throws {
        let service = desk.browse(try desk.put(salt, at: "a.sdf"))
        try service.serving {
            #expect(throws: EntityError.self) { try service.save(Array(request.utf8)).get() }
            let id = try #require(ids(service.answer(#"{"request":"ROOT"}"#)).first)
            for format in ["rxn", "csv", "exe", "../x"] {
                #expect(throws: EntityError.self) { try save(service, id, format) }
            }
            let opened = service.open(Array(#"{"PERM_ID":"\#(id)","program":"no-such-program"}"#.utf8))
            #expect(String(decoding: opened, as: UTF8.self) == #"{"error":"there is no such program"}"#)
        }
    }
}
