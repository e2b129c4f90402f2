import Chemopen
import Foundation
import Testing

@testable import ChemopenDesktop

@Suite("Known programs")
struct KnownHandlersTests {
    private struct Row: CustomStringConvertible {
        let id: String
        let type: String
        /// A version; `reaction` for a drawing of a reaction, `many` for a drawing of several molecules.
        let version: String
        let isPacked: Bool
        /// The observed result: from a visual check if there was one, otherwise from the pictures.
        let verdict: String

        var isDrawing: Bool { type.hasPrefix("chemical/x-cdx") }

        var description: String { "\(id): \(type) \(version)\(isPacked ? " gzip" : "")" }
    }

    private static let rows: [Row] = {
        let table = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Desktop/programs.tsv")
        let lines = ((try? String(contentsOf: table, encoding: .utf8)) ?? "").split(separator: "\n")
        return lines.map { line in
            let words = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            let parts = words[2].split(separator: " ").map(String.init)
            return Row(
                id: words[0], type: words[1], version: parts.first ?? "", isPacked: parts.contains("gzip"),
                verdict: words.count > 4 ? words[4] : words[3])
        }
    }()

    @Test("match the measurements of Tests/Desktop/programs")
    func measured() throws {
        #expect(Self.rows.count > 100)
        for row in Self.rows {
            let known = try #require(HandlerOverrides.all[row.id], "\(row.id)")
            let reading = known.readings.first {
                $0.type == row.type
                    && ($0.versions.isEmpty || row.isDrawing || $0.versions.contains(row.version))
            }
            let shows = reading.map { reading in
                if row.isPacked, !reading.readsGzip { return false }
                return row.version != "reaction" || reading.showsReactions
            }
            #expect((shows == true) == ["opens", "first"].contains(row.verdict), "\(row)")
            if shows == true, row.verdict == "first" { #expect(reading?.showsFirstOnly == true, "\(row)") }
            let holdsMany = !row.isPacked && (!row.isDrawing || row.version == "many")
            if reading?.showsFirstOnly == true, holdsMany { #expect(row.verdict == "first", "\(row)") }
        }
    }

    @Test("exclude programs that crash or show an empty window, even if they claim the type")
    func failing() throws {
        let failing = HandlerOverrides.all.filter { $0.value.readings.isEmpty }.keys.sorted()
        #expect(failing.contains("gchempaint-0.14.desktop"))
        let desk = try Desk()
        try desk.put(ethanol, at: "files/a.mol")
        for id in failing {
            let name = String(id.dropLast(".desktop".count))
            try desk.addRecorder(name, "recorder %F", types: ["chemical/x-mdl-molfile"])
        }
        let lines = try desk.chemopen("open", "--list", "a.mol").lines
        #expect(lines.count == 2 && lines.last?.contains("Viewer") == true)
        try desk.chemopen("install")
        #expect(desk.text("config/mimeapps.list") == "")
    }

    @Test("never open a drawn reaction in a program that shows only its molecules")
    func reactions() throws {
        let desk = try Desk()
        try desk.addRecorder("jmol", "recorder %F", types: [])
        let format = try #require(Format.all.first { $0.id == "cdxml" })
        let data = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("TestData/\(format.id)")
        func first(_ name: String) throws -> String {
            try desk.chemopen("open", "--list", data.appendingPathComponent(name).path).lines[1]
        }
        #expect(try first("reaction.cdxml").contains("Viewer"))
        #expect(try first("methanol.cdxml").contains("[jmol.desktop]: known to read"))
    }
}
