import Chemopen
import Foundation
import Testing

@testable import ChemopenCLI

@Suite("Notes on losses")
struct NotesTests {
    let chemopen: Program

    init() throws {
        chemopen = try Program()
    }

    /// Returns SD records with random fields, charges, isotopes, wedges, comments and damage.
    private func records(_ count: Int, fields: Int, _ numbers: inout Numbers) -> String {
        var text = ""
        for number in 1...count {
            let isBroken = number > 1 && numbers.next(below: 20) == 0
            let mark = numbers.next(below: 2)
            text += "record \(number)\n  someone\n\(mark == 0 ? "a comment" : "")\n"
            text += "  3  2  0  0  \(mark)  0  0  0  0  0999 V2000\n"
            text +=
                "    0.0000    0.0000\(isBroken ? "    x     " : "    0.0000") C   0  0  0  0  0  0  0  0  0  0  0  0\n"
            text += "    1.5000    0.0000    0.0000 N   0  3  0  0  0  0  0  0  0  0  0  0\n"
            text += "   -1.5000    0.0000    0.0000 A   0  0  0  0  0  0  0  0  0  0  0  0\n"
            text += "  1  2  1  \(numbers.next(below: 2))\n  1  3  \(numbers.next(below: 8) + 1)  0\n"
            if numbers.next(below: 3) == 0 { text += "M  ISO  1   1  13\n" }
            if numbers.next(below: 3) == 0 { text += "M  RAD  1   1   2\n" }
            if numbers.next(below: 3) == 0 { text += "A    1\nMy label\n" }
            text += "M  END\n"
            for _ in 0..<numbers.next(below: min(fields, 12) + 1) {
                let name = numbers.next(below: fields)
                if text.hasSuffix("> <F\(name)>\n") { continue }
                text += ">  <F\(name)>\n\(numbers.next(below: 100))\n\n"
            }
            text += "$$$$\n"
        }
        return text
    }

    private struct Line: Decodable {
        let kind: String
        let record: Int?
        let feature: String?
        let detail: String?
        let count: Int?
    }

    @Test(
        "the report lists every loss of the library, and at most twelve lines mention every kind",
        arguments: ["smi", "csv", "mol", "el", "ds", "rdf", "cdxml", "jsonl"], [3, 181])
    func account(_ format: String, _ fields: Int) throws {
        var numbers = Numbers(seed: UInt64(fields))
        try chemopen.put(records(fields == 3 ? 1 : 60, fields: fields, &numbers), at: "a.sdf")
        let target = try #require(FormatRegistry.standard.all.first { $0.id == format })
        let words =
            target.supportedFeatures.contains(.severalRecords)
            ? ["-O", "out.\(format)"] : ["--records", "1", "-O", "out.\(format)"]
        let command = ["convert", "--report", "losses", "a.sdf"] + words
        let told = try chemopen(command)
        let lines = try (chemopen.text("losses") ?? "").split(separator: "\n").map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }

        // The same conversion by the library.
        var conversion = Conversion(to: target)
        if !target.supportedFeatures.contains(.severalRecords) { conversion.selection.numbers = RecordNumbers("1") }
        var expected: [String] = []
        let path = chemopen.folder + "/a.sdf"
        _ = try conversion.run([Source(LocalPath(path))], to: .discard) { event, _ in
            guard case .lost(let losses, let record) = event else { return }
            expected += losses.map { "\(record) \($0.feature.name) \($0.detail.string) \($0.count)" }
        }
        let losses = lines.filter { $0.kind == "loss" }
        #expect(
            losses.map { "\($0.record ?? 0) \($0.feature ?? "") \($0.detail ?? "") \($0.count ?? 0)" } == expected)

        let notes = told.errors.split(separator: "\n").filter { $0.hasPrefix("chemopen: note:") }
        #expect(notes.count <= 12, "\(told.errors)")
        let summary = notes.first { $0.contains(" stores no ") } ?? ""
        for feature in Set(losses.compactMap(\.feature)) {
            let isUnexpected = notes.contains {
                $0.contains("left out: \(feature)") || $0.contains("changed: \(feature)")
                    || $0.contains("kinds of losses")
            }
            let word =
                ["fields": "data fields", "labels": "atom labels", "aliases": "atom aliases"][feature] ?? feature
            #expect(isUnexpected || summary.contains(word), "\(format): \(feature) in \(told.errors)")
        }
        // Fields that are left out are counted exactly.
        let names = Set(
            losses.filter { $0.feature == "fields" && !($0.detail ?? "").hasPrefix("written") }.map { $0.detail ?? "" })
        if names.count > 8, !summary.isEmpty, summary.contains("data fields") {
            #expect(summary.contains("\(names.count) data fields") || summary.contains("data fields (\(names.count))"))
        }

        // --quiet omits one line, and --strict does not depend on it.
        for option in [[], ["--quiet"]] {
            let strict = try chemopen(["convert", "-f", "--strict", "a.sdf"] + words + option)
            let isIncomplete = !losses.isEmpty || lines.contains { $0.kind == "error" }
            #expect(strict.status == (isIncomplete ? 1 : 0))
            let all = told.errors.split(separator: "\n").map(String.init).filter { !$0.contains(" stores no ") }
            let rest = strict.errors.split(separator: "\n").map(String.init).filter { !$0.contains(" stores no ") }
            #expect(rest.map { $0.replacing(" (use --report FILE for the list)", with: "") } == all)
            #expect(strict.errors.contains(" stores no ") == (option.isEmpty && !summary.isEmpty))
        }
    }

    @Test("losses of structure, isotopes, charges and stereo are listed before data that the format never stores")
    func order() throws {
        let flagged = record("a", ("ID", "1")).replacing("  1  0  0  0  0  0", with: "  1  0  0  0  1  0")
        try chemopen.put(flagged + record("bad", x: "0.0x00"), at: "a.sdf")
        let lines = try chemopen("convert", "a.sdf", "a.smi").errors.split(separator: "\n")
        let places = ["could not be read", "left out: chiral flag (1, in record 1)", "SMILES stores no "].map { text in
            lines.firstIndex { $0.contains(text) }
        }
        #expect(!places.contains(nil) && places.compactMap(\.self) == places.compactMap(\.self).sorted(), "\(lines)")
    }

    @Test("data that no format of several inputs stores is mentioned once")
    func severalInputs() throws {
        for name in ["a", "b", "c"] { try chemopen.put(record(name, (name, "1")), at: "\(name).sdf") }
        let errors = try chemopen("convert", "a.sdf", "b.sdf", "c.sdf", "-O", "all.smi").errors
        #expect(
            errors
                == "chemopen: note: SMILES stores no origins or data fields (a, b, c); use --report FILE for the list\n"
        )
    }
}
