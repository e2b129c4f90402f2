import Testing

/// Two edits of a file, and the expected merge.
struct MergeCase: CustomTestStringConvertible, Sendable {
    enum Edit: Sendable {
        /// A text in the file and its replacement.
        case replace(String, String)
        case prepend(String)
        case append(String)
        /// The complete file.
        case set(String)

        func apply(to text: String) -> String {
            switch self {
            case .replace(let old, let new): text.replacing(old, with: new, maxReplacements: 1)
            case .prepend(let head): head + text
            case .append(let tail): text + tail
            case .set(let whole): whole
            }
        }
    }

    enum Outcome: Sendable {
        /// The file with our edits, then with theirs.
        case both
        case file(String)
        /// The message of a conflict, and the number of marked records.
        case conflict(String, marks: Int)
    }

    let title: String
    let name: String
    let (base, ours, theirs): (String, String, String)
    let outcome: Outcome

    init(_ title: String, _ name: String, _ base: String, _ ours: [Edit], _ theirs: [Edit], _ outcome: Outcome = .both)
    {
        (self.title, self.name, self.base) = (title, name, base)
        self.ours = ours.reduce(base) { $1.apply(to: $0) }
        self.theirs = theirs.reduce(base) { $1.apply(to: $0) }
        if case .both = outcome {
            self.outcome = .file(theirs.reduce(self.ours) { $1.apply(to: $0) })
        } else {
            self.outcome = outcome
        }
    }

    var testDescription: String { title }
}

extension MergeCase {
    private static let base = sd(1, 2, 3)

    private static func sd(_ numbers: Int...) -> String {
        numbers.map { record("m\($0)", ("ID", "\($0)"), ("MASS", "\($0).5"), ("NOTE", "note \($0)")) }.joined()
    }

    private static func windows(_ text: String) -> String { text.replacing("\n", with: "\r\n") }

    private static let atom = "    0.0000    0.0000    0.0000 C"

    private static func v3000(_ title: String, _ symbol: String, _ mass: String) -> String {
        "\(title)\n  someone\n\n  0  0  0     0  0            999 V3000\nM  V30 BEGIN CTAB\nM  V30 COUNTS 1 0 0 0 0\n"
            + "M  V30 BEGIN ATOM\nM  V30 1 \(symbol) 0 0 0 0\nM  V30 END ATOM\nM  V30 END CTAB\nM  END\n"
            + ">  <MASS>\n\(mass)\n\n$$$$\n"
    }

    /// Returns an edit of a value in a record after other fields.
    private static func field(_ number: Int, _ value: String) -> Edit {
        .replace("\n\(number).5\n", "\n\(value)\n")
    }

    private static func note(_ number: Int, _ value: String) -> Edit {
        .replace("\nnote \(number)\n", "\n\(value)\n")
    }

    private static func gone(_ number: Int) -> Edit { .replace(sd(number), "") }

    private static let second = record("m2", ("ID", "2"), ("MASS", "2.5"), ("NOTE", "note 2"))

    private static func second(_ symbol: String) -> Edit {
        .replace(second, second.replacing(atom, with: atom.dropLast() + symbol))
    }

    private static let conflictOf2 = "conflict: record 2 of ours (m2): "

    static let sdfiles: [MergeCase] = [
        .init("both append a record", "a.sdf", base, [.append(sd(4))], [.append(sd(5))]),
        .init("one puts a record in front, one behind", "a.sdf", base, [.prepend(sd(8))], [.append(sd(9))]),
        .init(
            "both append the same record", "a.sdf", base, [.append(sd(4))], [.append(sd(4))], .file(base + sd(4))),
        .init(
            "both append a record of one title", "a.sdf", base, [.append(sd(4))], [.append(sd(4)), field(4, "4.75")],
            .conflict("conflict: record 4 of ours (m4): added in both with different content", marks: 2)),
        .init("other fields of one record", "a.sdf", base, [field(2, "2.75")], [note(2, "other")]),
        .init("fields of other records", "a.sdf", base, [field(1, "1.75")], [field(3, "3.75")]),
        .init("the same change of a field", "a.sdf", base, [field(2, "2.75")], [field(2, "2.75")]),
        .init(
            "other values of one field", "a.sdf", base, [field(2, "2.75")], [field(2, "2.25")],
            .conflict(conflictOf2 + "field MASS changed in both", marks: 2)),
        .init(
            "other values of two fields", "a.sdf", base, [field(2, "2.75"), note(2, "a")],
            [field(2, "2.25"), note(2, "b")],
            .conflict(conflictOf2 + "field MASS, field NOTE changed in both", marks: 2)),
        .init(
            "each adds a field", "a.sdf", base, [.replace("note 2\n\n", "note 2\n\n>  <A>\n1\n\n")],
            [.replace("note 2\n\n", "note 2\n\n>  <B>\n2\n\n")],
            .file(base.replacing("note 2\n\n", with: "note 2\n\n>  <A>\n1\n\n>  <B>\n2\n\n"))),
        .init(
            "one field goes, another one changes", "a.sdf", base, [.replace("> <ID>\n2\n\n", "")], [field(2, "2.75")]),
        .init(
            "a field goes and changes", "a.sdf", base, [.replace("> <MASS>\n2.5\n\n", "")], [field(2, "2.75")],
            .conflict(conflictOf2 + "field MASS changed in both", marks: 2)),
        .init(
            "a value of several lines", "a.sdf", base, [note(2, "one\ntwo")], [field(2, "2.75")]),
        .init("both delete a record", "a.sdf", base, [gone(2)], [gone(2)], .file(sd(1, 3))),
        .init("each deletes another record", "a.sdf", base, [gone(1)], [gone(3)]),
        .init(
            "a record is edited and deleted", "a.sdf", base, [field(2, "2.75")], [gone(2)],
            .conflict(conflictOf2 + "changed in ours, deleted in theirs", marks: 1)),
        .init(
            "a record is deleted and drawn anew", "a.sdf", base, [gone(2)], [second("N")],
            .conflict("conflict: record 2 of theirs (m2): changed in theirs, deleted in ours", marks: 1)),
        .init("an atom and a field", "a.sdf", base, [second("N")], [note(2, "other")]),
        .init("atoms of two records", "a.sdf", base, [.replace(atom, atom.dropLast() + "O")], [second("N")]),
        .init(
            "two drawings of one record", "a.sdf", base, [second("N")], [second("O")],
            .conflict(conflictOf2 + "structure changed in both", marks: 2)),
        .init("the same drawing", "a.sdf", base, [second("N")], [second("N")]),
        .init(
            "other atoms of one drawing", "a.sdf", twoAtoms, [.replace(" C  ", " N  ")],
            [.replace("1.0000    0.0000    0.0000 C", "1.0000    0.0000    0.0000 O")],
            .file(
                twoAtoms.replacing("1.0000    0.0000    0.0000 C", with: "1.0000    0.0000    0.0000 O")
                    .replacing(" C  ", with: " N  "))),
        .init(
            "another order and an edit", "a.sdf", base, [.set(sd(3, 2, 1))], [field(2, "2.75")],
            .file(sd(3, 2, 1).replacing("2.5", with: "2.75"))),
        .init(
            "an edit and another order", "a.sdf", base, [field(2, "2.75")], [.set(sd(3, 2, 1))],
            .file(sd(3, 2, 1).replacing("2.5", with: "2.75"))),
        .init(
            "another order and a record more", "a.sdf", base, [.set(sd(2, 3, 1))], [.append(sd(4))],
            .file(sd(2, 3, 4, 1))),
        .init(
            "two orders of which one contains the other", "a.sdf", base, [.set(sd(3, 2, 1))], [.set(sd(2, 1, 3))],
            .file(sd(3, 2, 1))),
        .init(
            "records of one title, told apart by a field", "a.sdf", base.replacing("m2\n", with: "m1\n"),
            [field(1, "1.75")], [field(2, "2.75")]),
        .init(
            "records that nothing tells apart", "a.sdf", sd(7, 7, 7), [field(7, "8")],
            [.set(sd(7, 7) + sd(7).replacing("7.5", with: "9"))],
            .conflict("conflict: record 3 of theirs (m7): changed in theirs, deleted in ours", marks: 1)),
        .init(
            "records without a title", "a.sdf", record("", ("X", "1.5")) + record("", ("X", "2.5")), [field(1, "1.75")],
            [field(2, "2.75")]),
        .init(
            "a title that is the key, and a field", "a.sdf", base, [.replace("m2\n", "two\n")], [note(2, "other")],
            .conflict("conflict: record 2 of theirs (m2): changed in theirs, deleted in ours", marks: 1)),
        .init("lines that end in CR LF", "a.sdf", windows(base), [.replace("2.5", "2.75")], [.replace("note 2", "x")]),
        .init(
            "lines that end in CR LF on one side", "a.sdf", base, [.set(windows(base))], [note(2, "other")],
            .file(windows(base.replacing("note 2", with: "other")))),
        .init(
            "no last separator", "a.sdf", String(base.dropLast(5)), [field(1, "1.75")], [note(3, "other")]),
        .init(
            "a record behind one without a separator", "a.sdf", String(base.dropLast(5)), [field(1, "1.75")],
            [.append("$$$$\n" + sd(4))]),
        .init(
            "odd lines of fields", "a.sdf", base.replacing("> <MASS>", with: ">  25 <MASS>   (X-1)"),
            [field(2, "2.75")],
            [note(2, "x")]),
        .init(
            "blank lines between records", "a.sdf", sd(1) + "\n" + sd(2) + "\n\n" + sd(3), [field(1, "1.75")],
            [field(3, "3.75")]),
        .init(
            "a record that cannot be read stays", "a.sdf", sd(1) + "broken\n\n\n 99 99\nx\n$$$$\n" + sd(3),
            [field(1, "1.75")], [field(3, "3.75")]),
        .init("V3000", "a.sdf", v3000("a", "C", "1.5"), [.replace("M  V30 1 C", "M  V30 1 N")], [field(1, "1.75")]),
        .init(
            "V2000 becomes V3000, and a field changes", "a.sdf", record("a", ("MASS", "1.5")),
            [.set(v3000("a", "C", "1.5"))], [field(1, "1.75")], .file(record("a", ("MASS", "1.75")))),
        .init(
            "V2000 becomes V3000 with another atom on either side", "a.sdf", record("a", ("MASS", "1.5")),
            [.set(v3000("a", "N", "1.5"))], [.set(record("a", ("MASS", "1.5"), element: "O"))],
            .conflict("conflict: record 1 of ours (a): structure changed in both", marks: 2)),
    ]

    private static let twoAtoms =
        "pair\n  someone\n\n  2  1  0  0  0  0  0  0  0  0999 V2000\n"
        + "    0.0000    0.0000    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0\n"
        + "    1.0000    0.0000    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0\n  1  2  1  0  0  0  0\nM  END\n$$$$\n"

    // MARK: Other formats

    private static func rd(_ title: String, _ yield: String, _ symbol: String = "O") -> String {
        let head = "  1  0  0  0  0  0  0  0  0  0999 V2000\n"
        return "$RFMT\n$RXN\n\(title)\n\n\n  1  1\n$MOL\n\n\n\n" + head + atom + "   0  0\nM  END\n$MOL\n\n\n\n" + head
            + atom.dropLast() + symbol + "   0  0\nM  END\n$DTYPE YIELD\n$DATUM \(yield)\n$DTYPE BY\n$DATUM me\n"
    }

    private static let reactions = "$RDFILE 1\n$DATM    01/02/25 03:04\n" + rd("r1", "10") + rd("r2", "20")

    private static func sheet(_ rows: String, columns: String = "", count: (Int, Int)) -> String {
        "<?xml version=\"1.0\"?>\n<DataSheet>\n<Summary><Title>t</Title></Summary>\n"
            + "<Header nrows='\(count.0)' ncols='\(count.1)'>\n <Column id='1' name='Name' type='string'/>\n"
            + " <Column id='2' name='A' type='integer'></Column>\n\(columns)</Header>\n<Content>\n\(rows)</Content></DataSheet>\n"
    }

    private static func row(_ number: Int, _ name: String, _ more: String = "") -> String {
        "  <Row id=\"\(number)\">\n    <Cell id=\"1\">\(name)</Cell>\n    <Cell id=\"2\">\(number)</Cell>\(more)\n  </Row>\n"
    }

    private static let table = sheet(row(1, "x &amp; y") + row(2, "z"), count: (2, 2))

    private static func addedColumn(_ name: String) -> String {
        "<Column id=\"3\" name=\"\(name)\" type=\"string\"></Column>\n"
    }

    private static let csv = "ID,A,B\n\"one\",1,\"x, y\"\ntwo ,02,z\nthree,3,\"\"\"q\"\"\"\n"

    private static let lines =
        #"{"chemopen":1,"fields":{"ID":"1","A":"x"}}"# + "\n" + #"{"fields": {"ID":"2","A":"y"}, "chemopen":1}"# + "\n"

    static let others: [MergeCase] = [
        .init("reactions are appended", "a.rdf", reactions, [.append(rd("r3", "30"))], [.append(rd("r4", "40"))]),
        .init(
            "data of one reaction", "a.rdf", reactions, [.replace("$DATUM 20", "$DATUM 25")],
            [.replace(rd("r2", "20"), rd("r2", "20").replacing("me", with: "you"))],
            .file(reactions.replacing(rd("r2", "20"), with: rd("r2", "25").replacing("me", with: "you")))),
        .init(
            "a product and a yield", "a.rdf", reactions, [.replace(rd("r2", "20"), rd("r2", "20", "N"))],
            [.replace("$DATUM 20", "$DATUM 25")], .file(reactions.replacing(rd("r2", "20"), with: rd("r2", "25", "N")))),
        .init(
            "two products", "a.rdf", reactions, [.replace(rd("r2", "20"), rd("r2", "20", "N"))],
            [.replace(rd("r2", "20"), rd("r2", "20", "S"))],
            .conflict("conflict: record 2 of ours (r2): structure changed in both", marks: 2)),
        .init(
            "dates of two days", "a.rdf", reactions,
            [.replace("01/02/25", "02/02/25"), .replace("DATUM 10", "DATUM 11")],
            [.replace("01/02/25", "03/02/25"), .replace("DATUM 20", "DATUM 21")],
            .file(
                reactions.replacing("01/02/25", with: "02/02/25").replacing("DATUM 10", with: "DATUM 11")
                    .replacing("DATUM 20", with: "DATUM 21"))),
        .init(
            "cells of one row of a sheet", "a.ds", table,
            [.replace("<Cell id=\"2\">2</Cell>", "<Cell id=\"2\">5</Cell>")], [.replace(">x &amp; y<", ">u<")]),
        .init(
            "rows of a sheet", "a.ds", table,
            [.set(sheet(row(1, "x &amp; y") + row(2, "z") + row(3, "o"), count: (3, 2)))],
            [.set(sheet(row(1, "x &amp; y") + row(2, "z") + row(3, "t"), count: (3, 2)))],
            .file(
                sheet(
                    row(1, "x &amp; y") + row(2, "z") + row(3, "o")
                        + row(3, "t").replacing("Row id=\"3\"", with: "Row id=\"4\""), count: (4, 2)))),
        .init(
            "a row goes, another one changes", "a.ds", table,
            [.replace(row(1, "x &amp; y"), ""), .replace("nrows='2'", "nrows='1'")],
            [.replace(">z<", ">w<")],
            .file(sheet(row(2, "w").replacing("Row id=\"2\"", with: "Row id=\"1\""), count: (1, 2)))),
        .init(
            "columns on both sides of a sheet", "a.ds", table,
            [
                .set(
                    sheet(
                        row(1, "x &amp; y", "\n    <Cell id=\"3\">o</Cell>") + row(2, "z"), columns: addedColumn("O"),
                        count: (2, 3)))
            ],
            [
                .set(
                    sheet(
                        row(1, "x &amp; y") + row(2, "z", "\n    <Cell id=\"3\">t</Cell>"), columns: addedColumn("T"),
                        count: (2, 3)))
            ],
            .file(
                sheet(
                    row(1, "x &amp; y", "\n    <Cell id=\"3\">o</Cell>")
                        + row(2, "z", "\n    <Cell id=\"4\"><![CDATA[t]]></Cell>"),
                    columns: addedColumn("O") + addedColumn("T").replacing("\"3\"", with: "\"4\""), count: (2, 4)))),
        .init(
            "one cell of a sheet", "a.ds", table, [.replace("<Cell id=\"2\">2</Cell>", "<Cell id=\"2\">5</Cell>")],
            [.replace("<Cell id=\"2\">2</Cell>", "<Cell id=\"2\">6</Cell>")],
            .conflict("conflict: record 2 of ours (no structure): field A changed in both", marks: 2)),
        .init("cells of one row of a table", "a.csv", csv, [.replace(",02,", ",5,")], [.replace(",z\n", ",w\n")]),
        .init("rows of a table", "a.csv", csv, [.append("four,4,a\n")], [.append("\"five\",5,b\n")]),
        .init(
            "columns on both sides of a table", "a.csv", csv,
            [.set("ID,A,B,O\n\"one\",1,\"x, y\",o\ntwo ,02,z,\nthree,3,\"\"\"q\"\"\",\n")],
            [.set("ID,A,B,T\n\"one\",1,\"x, y\",\ntwo ,02,z,t\nthree,3,\"\"\"q\"\"\",\n")],
            .file("ID,A,B,O,T\n\"one\",1,\"x, y\",o,\ntwo ,02,z,,t\nthree,3,\"\"\"q\"\"\",,\n")),
        .init(
            "one cell of a table", "a.csv", csv, [.replace(",02,", ",5,")], [.replace(",02,", ",6,")],
            .conflict("conflict: record 2 of ours (no structure): field A changed in both", marks: 2)),
        .init(
            "a column goes, and a cell of another one changes", "a.csv", "ID,A,B\none,1,x\ntwo,2,y\n",
            [.set("ID,B\none,x\ntwo,y\n")], [.replace("2,y", "2,z")], .file("ID,B\none,x\ntwo,z\n")),
        .init(
            "a column goes, and a cell of it changes", "a.csv", "ID,A,B\none,1,x\ntwo,2,y\n",
            [.set("ID,B\none,x\ntwo,y\n")], [.replace("2,y", "3,y")],
            .conflict("conflict: record 2 of ours (no structure): field A changed in both", marks: 2)),
        .init(
            "cells of a table with tabs", "a.tsv", "ID\tA\tB\n1\tx\ty\n2\tu\tv\n", [.replace("\tx", "\to")],
            [.replace("y\n", "t\n")]),
        .init(
            "lines of SMILES", "a.smi", "CCO one\nCCN two\nC three\n", [.replace("CCO", "CCCO")], [.append("O four\n")]),
        .init(
            "one line of SMILES", "a.smi", "CCO one\nCCN two\n", [.replace("CCN", "CCS")], [.replace("CCN", "CCP")],
            .conflict("conflict: record 2 of ours (two): structure changed in both", marks: 0)),
        .init("lines of JSON", "a.jsonl", lines, [.replace("x", "z")], [.replace(#""y""#, #""w""#)]),
        .init(
            "one line of JSON", "a.jsonl", lines, [.replace(#""A":"x""#, #""A":"z""#)],
            [.replace(#""A":"x""#, #""A":"w""#)],
            .conflict("conflict: record 1 of ours (no structure): field A changed in both", marks: 2)),
        .init(
            "a packed file", "a.sdf.gz", base, [.append(sd(4))], [note(2, "other")],
            .file(base.replacing("note 2", with: "other") + sd(4))),
        .init(
            "a conflict in a packed file", "a.sdf.gz", base, [note(2, "a")], [note(2, "b")],
            .conflict(conflictOf2 + "field NOTE changed in both", marks: 2)),
        .init(
            "a molfile that one side has changed", "a.mol", String(twoAtoms.dropLast(5)), [.replace(" C  ", " N  ")], []
        ),
        .init(
            "a molfile", "a.mol", String(twoAtoms.dropLast(5)), [.replace(" C  ", " N  ")],
            [.replace("1.0000    0.0000    0.0000 C", "1.0000    0.0000    0.0000 O")], .conflict(kept, marks: 0)),
        .init(
            "a SketchEl molecule", "a.el", "SketchEl!(1,0)\nC=0,0;0,0\n!End\n", [.replace("C=", "N=")],
            [.replace("C=", "O=")],
            .conflict(kept, marks: 0)),
        .init(
            "a reaction", "a.rxn",
            rd("r", "1").replacing("$RFMT\n", with: "").replacing(
                "$DTYPE YIELD\n$DATUM 1\n$DTYPE BY\n$DATUM me\n", with: ""),
            [.replace("0.0000 C", "0.0000 N")], [.replace("0.0000 O", "0.0000 S")], .conflict(kept, marks: 0)),
        .init(
            "a drawing", "a.cdxml", drawing, [.replace("p=\"1 1\"", "p=\"1 5\"")], [.replace("p=\"9 9\"", "p=\"9 5\"")],
            .conflict(kept, marks: 0)),
    ]

    private static let kept = "conflict: both sides have changed the file; ours is used"
    private static let drawing =
        "<?xml version=\"1.0\"?>\n<CDXML><page><fragment><n id=\"1\" p=\"1 1\"/>\n<n id=\"2\" p=\"9 9\"/>\n"
        + "<b id=\"3\" B=\"1\" E=\"2\"/></fragment></page></CDXML>\n"
}
