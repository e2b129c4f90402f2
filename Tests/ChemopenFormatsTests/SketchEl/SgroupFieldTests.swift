import ChemopenModel
import Testing

@testable import ChemopenFormats

@Suite("Sgroups as SketchEl fields")
struct SgroupFieldTests {
    private static let texts: [Text] = [
        "x", "", " ", "a b", " a", "a ", "\n", "a\nb", "\na", "a\n", "a\n\nb", "\r\n", "a,b", ",", "\\", "\\000A",
        "=", "a=b", "lines=1", "2", "-1", "é",
    ]

    private static let lists: [[Text]] =
        texts.map { [$0] } + texts.flatMap { text in [[text, "1"], ["1", text], [text, text], [text, "", text]] } + [[]]

    private func comesBack(_ sgroup: Sgroup, _ what: Text) {
        var sgroup = sgroup
        sgroup.number = 1
        #expect(SgroupFields.sgroup(of: SgroupFields.text(of: sgroup, number: 1))?.1 == sgroup, "\(what.string)")
    }

    @Test("preserve data values with any line ends")
    func values() {
        for values in Self.lists {
            var sgroup = Sgroup(.data)
            var data = Sgroup.Data()
            data.fieldName = "NAME"
            data.values = values
            sgroup.data = data
            comesBack(sgroup, values.first ?? "none")
        }
    }

    @Test("preserve any data text")
    func data() {
        for text in Self.texts {
            for put in [
                { $0.fieldName = $1 }, { $0.units = $1 }, { $0.queryOperator = $1 }, { $0.fieldType = $1 },
                { $0.queryType = $1 }, { $0.display = $1 },
            ] as [(inout Sgroup.Data, Text) -> Void] {
                var sgroup = Sgroup(.data)
                var data = Sgroup.Data()
                put(&data, text)
                sgroup.data = data
                sgroup.label = text
                comesBack(sgroup, text)
            }
        }
    }

    @Test("preserve any text of other groups, and attachment names with spaces")
    func texts() {
        for text in Self.texts {
            for put in [
                { $0.label = $1 }, { $0.templateClass = $1 }, { $0.subtype = $1 }, { $0.connectivity = $1 },
                { $0.keywords = [.init("KEY", $1)] }, { $0.attachments = [.init(atom: 0, identifier: $1)] },
                { $0.attachments = [.init(atom: 0, leaving: 1, identifier: "A"), .init(atom: 2, identifier: $1)] },
            ] as [(inout Sgroup, Text) -> Void] {
                for kind in [Sgroup.Kind.abbreviation, .multiple, .repeatingUnit] {
                    var sgroup = Sgroup(kind)
                    put(&sgroup, text)
                    comesBack(sgroup, text)
                }
            }
        }
    }

    @Test("contain the complete values, without JSON Lines, if one of them has several lines")
    func lines() {
        var sgroup = Sgroup(.data)
        sgroup.data = Sgroup.Data()
        sgroup.data?.fieldName = "NOTE"
        sgroup.data?.values = ["a\nb", "c"]
        let rest = #"{"number":0\002C"data":{"values":["a\005Cnb"\002C"c"]}}"#
        #expect(SgroupFields.text(of: sgroup, number: 1) == Text("yMDL_SGROUP_DATA:1,NOTE,a\nb\nc,,,\(rest)"))
        sgroup.data?.values = ["a", "b"]
        #expect(SgroupFields.text(of: sgroup, number: 1) == #"yMDL_SGROUP_DATA:1,NOTE,a\#nb,,,{"number":0}"#)
    }
}
