import ChemopenBytes
import ChemopenModel
import Testing

@testable import ChemopenFormats

@Suite("Records with many warnings")
struct ManyDoubtsTests {
    /// A text of a format with a number of lines that cause messages.
    struct Case: Sendable, CustomTestStringConvertible {
        let format: Format
        let name: String
        let text: @Sendable (Int) -> String

        var testDescription: String { "\(format.id): \(name)" }
    }

    private static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    static let cases: [Case] = [
        Case(format: .sdfile, name: "text between fields") { V2000.molfile() + repeated("x\n", $0) + "$$$$\n" },
        Case(format: .sdfile, name: "empty lines") { V2000.molfile() + repeated("\n", $0) + "$$$$\n" },
        Case(format: .sdfile, name: "fields without a name") { V2000.molfile() + repeated(">\n\n", $0) + "$$$$\n" },
        Case(format: .sdfile, name: "NUL") { V2000.molfile() + "> <x>\n" + repeated("\0\n", $0) + "\n$$$$\n" },
        Case(format: .sdfile, name: "separators") { repeated("$$$$\n", $0) + V2000.molfile() + "$$$$\n" },
        Case(format: .molfile, name: "lines that are no properties") {
            V2000.molfile(properties: Array(repeating: "x", count: $0))
        },
        Case(format: .molfile, name: "lines that are no V3000") {
            "\n\n\n  0  0  0     0  0            999 V3000\nM  V30 BEGIN CTAB\nM  V30 COUNTS 0 0 0 0 0\n"
                + repeated("x\n", $0) + "M  V30 END CTAB\nM  END\n"
        },
        Case(format: .rdfile, name: "lines that are no data") {
            "$RDFILE 1\n$MFMT\n\(V2000.molfile())$DTYPE a\n$DATUM b\n" + repeated("$x\n", $0)
        },
        Case(format: .cdxml, name: "bonds to nothing") {
            "<CDXML><page><fragment><n id=\"1\" p=\"1 1\"/>\(repeated("<b B=\"1\" E=\"9\"/>", $0))</fragment></page></CDXML>"
        },
    ]

    @Test("warnings are listed up to a limit, and the others are counted", arguments: cases)
    func counted(_ file: Case) throws {
        let most = [ChemopenFormats.Issue].mostOfRecord
        let few = try readAll(file.text(most / 2), as: file.format).first?.reading?.issues ?? []
        let many = try readAll(file.text(2 * most), as: file.format).first?.reading?.issues ?? []
        #expect(few.count >= most / 2 && few.allSatisfy { $0.others == 0 })
        #expect(many.count <= most + 2)
        let told = many.reduce(0) { $0 + max(1, $1.others) }
        #expect(told == few.count + 3 * most / 2)
    }

    @Test("the message for the other warnings has their number and the line of the first")
    func sentence() {
        var issues: [ChemopenFormats.Issue] = []
        for line in 1...1001 { issues.note(ChemopenFormats.Issue(line: line, "x")) }
        #expect(issues.last?.message == "1 more warning is not listed")
        issues.note(ChemopenFormats.Issue(line: 1002, "y", severity: .remark))
        issues.note([.init(line: 1003, "x"), .init(line: 1004, "y", severity: .remark)])
        #expect(issues.count == 1002)
        #expect(issues[1000].message == "2 more warnings are not listed")
        #expect(issues[1000].line == 1001)
        #expect(issues[1001].message == "2 more remarks are not listed")
        #expect(issues[1001].severity == .remark)
    }
}
