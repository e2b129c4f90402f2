import ChemopenBytes
import ChemopenFormats
import ChemopenModel
import Testing

private let carbon = """
    carbon


      1  0  0  0  0  0            999 V2000
        0.0000    0.0000    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0
    M  END

    """

private let head = "$RDFILE 1\n$DATM    10/17/91 10:41\n"

@Suite("RD file")
struct RDfileTests {
    @Test("every block size produces the same records", arguments: ["\n", "\r\n", "\r"])
    func blockSizes(lineEnd: String) throws {
        let text = """
            \(head)$MFMT $MIREG 7
            \(carbon)$DTYPE A
            $DATUM $MIREG 12
            $RFMT $REREG x
            $RXN



              1  0
            $MOL
            \(carbon)$DTYPE B:C
            $DATUM $MFMT
            \(carbon)$DTYPE D
            $DATUM
            $RIREG 9
            $MFMT
            \(carbon)
            """.lines(endingIn: lineEnd)
        let whole = try Reading.all(text, by: RDfileReader.self)
        #expect(whole.records.count == 4)
        #expect(whole.issues.isEmpty)
        #expect(whole.records.map { $0.registry.first?.number } == ["7", "x", "9", nil])
        #expect(whole.records[1].fields.map(\.name) == ["B:C", "D"])
        #expect(whole.places.map(\.line) == [1, 12, 35, 36])
        #expect(whole.copies.joined().elementsEqual(text))
        for size in 1...text.count {
            #expect(try Reading.all(text, by: RDfileReader.self, inBlocksOf: size) == whole, "blocks of \(size) bytes")
        }
    }

    @Test("a round trip preserves every record", arguments: Fixture.all(in: "rdf"))
    func roundTrip(_ fixture: Fixture) throws {
        let first = try Reading.all(fixture.bytes, by: RDfileReader.self)
        #expect(first.errors.isEmpty)
        #expect(!first.records.isEmpty)
        let writing = try Writing.all(first.records, by: RDfileWriter.self, header: first.header)
        let second = try Reading.all(writing.text, by: RDfileReader.self)
        let isSame = second.records.map(\.withoutOrigins) == first.records.map(\.withoutOrigins)
        #expect(isSame)
        #expect(second.header == first.header)
        #expect(second.issues.isEmpty)
    }

    @Test("a broken record does not affect other records")
    func brokenRecord() throws {
        let text = "\(head)$MFMT\n\(carbon)$MFMT\nno molfile\n$DTYPE A\n$DATUM 1\n$MFMT\n\(carbon)$DTYPE A\n$DATUM 2\n"
        let reading = try Reading.all(text, by: RDfileReader.self)
        #expect(reading.records.count == 2)
        #expect(reading.errors.map(\.record) == [2])
        #expect(reading.records.last?.fields["A"]?.value == "2")
        // Two lines of the header, seven of the first record, four of the broken record.
        #expect(reading.places.map(\.line).suffix(2) == [10, 14])
    }

    // MARK: Records

    @Test("a record starts with a structure or with one or more registry numbers")
    func registry() throws {
        let text = "$MFMT $MIREG 7 $MEREG ACME 17/b\n\(carbon)$RIREG 4\n$DTYPE A\n$DATUM x\n"
        let records = try Reading.all(text, by: RDfileReader.self).records
        #expect(
            records.first?.registry == [
                .init("7", isInternal: true, isOfReaction: false),
                .init("ACME 17/b", isInternal: false, isOfReaction: false),
            ])
        #expect(records.last?.registry == [.init("4", isInternal: true, isOfReaction: true)])
        #expect(records.last?.subject == Record.Subject.none)
    }

    @Test(
        "unexpected content is reported, and the record is read",
        arguments: [
            ("$RDFILE 2\n$MFMT\n\(carbon)", "the version of the RD file is not 1; read as version 1", 1),
            ("$RDFILE 1\nprose\n$MFMT\n\(carbon)", "text outside of the structure and its data; preserved verbatim", 2),
            (
                "$RDFILE 1\n$MFMT $RIREG 7\n\(carbon)",
                "the registry number does not match the kind of structure; preserved", 2
            ),
            ("$RDFILE 1\n$MFMT nonsense\n\(carbon)", "not a registry number; skipped", 2),
            ("$RDFILE 1\n$RFMT\n\(carbon)", "$RFMT is not followed by $RXN; read as a molecule", 2),
            (
                "$RDFILE 1\n$MFMT\n\(carbon)$DATUM x\n",
                "$DATUM without a preceding $DTYPE; read as a field without a name", 9
            ),
            ("$RDFILE 1\n$MFMT\n\(carbon)$DTYPE\n$DATUM x\n", "$DTYPE without a name; the value is preserved", 9),
            ("$RDFILE 1\n$MFMT\n\(carbon)$WEATHER rain\n", "not a keyword of RD files; preserved verbatim", 9),
            ("$MFMT\n\(carbon)", "the first line of an RD file, $RDFILE, is missing; read without it", 1),
        ])
    func doubts(text: String, message: String, line: Int) throws {
        let reading = try Reading.all(text, by: RDfileReader.self)
        #expect(reading.records.first?.molecule?.atoms.count == 1)
        #expect(reading.issues.map(\.message) == [message])
        #expect(reading.issues.map(\.line) == [line])
    }

    @Test("a file with only a header is empty, and text after the header is rejected")
    func noRecords() throws {
        let empty = try Reading.all(head, by: RDfileReader.self)
        #expect(empty.records.isEmpty && empty.errors.isEmpty)
        #expect(empty.issues.map(\.message) == ["the file contains no records"])
        #expect(try Reading.all("\(head)prose\n", by: RDfileReader.self).errors.map(\.line) == [3])
    }

    // MARK: Values

    @Test("a line of 80 columns with a + continues in the next line, counted in characters")
    func folding() throws {
        for letter in ["x", "ä"] {
            let folded = String(repeating: letter, count: 73) + "+\n" + String(repeating: letter, count: 80) + "+\nend"
            let text = "$MIREG 1\n$DTYPE A\n$DATUM \(folded)\n$DTYPE B\n$DATUM +\n"
            let reading = try Reading.all(text, by: RDfileReader.self)
            let record = try #require(reading.records.first)
            #expect(record.fields["A"]?.value == Text(String(repeating: letter, count: 153) + "end"))
            #expect(record.fields["B"]?.value == "+")
            #expect(try Writing.all([record], by: RDfileWriter.self).string == "$RDFILE 1\n" + text)
        }
    }

    @Test("a line is not folded if that would put a $ at the start of the next line")
    func dollarAtFold() throws {
        var record = Record(Molecule())
        record.fields.append("A", Text(String(repeating: "x", count: 73) + "$5"))
        record.fields.append("B", "x\n$y")
        let writing = try Writing.all([record], by: RDfileWriter.self)
        let again = try Reading.all(writing.text, by: RDfileReader.self).records
        #expect(again.first?.fields.map(\.value) == [Text(String(repeating: "x", count: 73) + "$5"), "x\n $y"])
        #expect(writing.losses.map(\.feature) == [.fields])
    }

    @Test("a structure in the data is read, and written back unchanged")
    func structures() throws {
        let text = "$RDFILE 1\n$MIREG 1\n$DTYPE CATALYST\n$DATUM $MFMT $MIREG 5\n\(carbon)$DTYPE AFTER\n$DATUM x\n"
        let record = try #require(try Reading.all(text, by: RDfileReader.self).records.first)
        guard case .molecule(let molecule) = record.fields["CATALYST"]?.cell else {
            Testing.Issue.record("expected a molecule as the value")
            return
        }
        #expect(molecule.name == "carbon")
        #expect(record.fields["AFTER"]?.value == "x")
        #expect(try Writing.all([record], by: RDfileWriter.self).string == text)
    }

    @Test("the conditions of a reaction are its first data")
    func conditions() throws {
        var step = Reaction.Step(reactants: [.init(Molecule())], products: [.init(Molecule())])
        step.conditions = ["Pd/C\n2 h", "$RFMT"]
        var record = Record(Reaction(step))
        record.fields.append("YIELD", "5")
        let writing = try Writing.all([record], by: RDfileWriter.self)
        #expect(
            writing.string.contains("$DTYPE RXN:CONDITIONS\n$DATUM Pd/C\n2 h\n$DTYPE RXN:CONDITIONS\n$DATUM  $RFMT\n"))
        #expect(writing.losses.map(\.feature) == [.fields])
        let again = try #require(try Reading.all(writing.text, by: RDfileReader.self).records.first)
        #expect(again.reaction?.steps.map(\.conditions) == [["Pd/C\n2 h", " $RFMT"]])
        #expect(again.fields.map(\.name) == ["YIELD"])
    }

    @Test("the kind of a reaction arrow is stored as data before the conditions", arguments: Reaction.Arrow.allCases)
    func arrow(_ kind: Reaction.Arrow) throws {
        var step = Reaction.Step(reactants: [.init(Molecule())], products: [.init(Molecule())])
        step.conditions = ["2 h"]
        step.arrow = kind
        var record = Record(Reaction(step))
        record.fields.append("YIELD", "5")
        let writing = try Writing.all([record], by: RDfileWriter.self)
        let data = kind == .forward ? "" : "$DTYPE RXN:ARROW\n$DATUM \(kind.name)\n"
        #expect(writing.string.hasSuffix("\(data)$DTYPE RXN:CONDITIONS\n$DATUM 2 h\n$DTYPE YIELD\n$DATUM 5\n"))
        #expect(writing.losses.isEmpty)
        let again = try #require(try Reading.all(writing.text, by: RDfileReader.self).records.first)
        #expect(again.reaction?.arrow == kind)
        #expect(again.reaction?.steps.map(\.conditions) == [["2 h"]])
        #expect(again.fields.map(\.name) == ["YIELD"])
        let written = writing.text
        let parts = Format.rdfile.parts?(written.span)
        #expect(parts?.fields.count == 1)
    }

    @Test("RXN:ARROW data with an unknown kind of arrow stay data")
    func noArrow() throws {
        for value in ["forward", "bent", ""] {
            let text = "$RDFILE 1\n$RFMT\n$RXN\n\n\n\n  0  0\n$DTYPE RXN:ARROW\n$DATUM \(value)\n"
            let reading = try Reading.all(text, by: RDfileReader.self)
            #expect(reading.records.first?.reaction?.arrow == .forward)
            #expect(reading.records.first?.fields.map(\.name) == ["RXN:ARROW"])
        }
    }

    @Test("RXN:CONDITIONS data stay data if they are empty, follow other data, or belong to a molecule")
    func noConditions() throws {
        let data = "$DTYPE RXN:CONDITIONS\n$DATUM x\n"
        for text in [
            "$RFMT\n$RXN\n\n\n\n  0  0\n$DTYPE A\n$DATUM 1\n\(data)", "$MFMT\n\(carbon)\(data)", "$MIREG 1\n\(data)",
            "$RFMT\n$RXN\n\n\n\n  0  0\n$DTYPE RXN:CONDITIONS\n$DATUM\n\(data)",
        ] {
            let reading = try Reading.all("$RDFILE 1\n\(text)", by: RDfileReader.self)
            #expect(reading.records.first?.fields.last?.name == "RXN:CONDITIONS")
            #expect(reading.records.first?.reaction?.steps.flatMap(\.conditions) ?? [] == [])
        }
    }

    @Test("an unreadable structure in the data is preserved as text")
    func brokenStructure() throws {
        let text = "$RDFILE 1\n$MIREG 1\n$DTYPE CATALYST\n$DATUM $MFMT\nnothing\n$DTYPE AFTER\n$DATUM x\n"
        let reading = try Reading.all(text, by: RDfileReader.self)
        #expect(reading.records.first?.fields.map(\.value) == ["$MFMT\nnothing", "x"])
        #expect(reading.issues.map(\.message) == ["the structure in the data cannot be read; preserved as text"])
    }

    // MARK: Copies and pieces

    @Test("a copied record includes the header of its file, once")
    func copying() throws {
        let records = ["$RDFILE 1\n$DATM    x\n$MIREG 1\n", "$MIREG 2\n", "$RDFILE 1\n$DATM    y\n$MIREG 3\n"]
        var writer = try RDfileWriter(ByteSink(), WriteOptions())
        for (place, record) in records.enumerated() { try writer.copy(Array(record.utf8), beginsFile: place != 1) }
        try writer.finish()
        #expect(
            String(decoding: writer.takeBytes(), as: UTF8.self)
                == "$RDFILE 1\n$DATM    x\n$MIREG 1\n$MIREG 2\n$MIREG 3\n")
    }

    @Test("a copied record with a date but no header replaces the date of the header")
    func copiedDate() throws {
        let head = try Reading.all("$RDFILE 1\n$DATM    x\n$MIREG 1\n", by: RDfileReader.self).header
        var writer = try RDfileWriter(ByteSink(), WriteOptions())
        try writer.begin(head)
        try writer.copy(Array("$DATM    y\n$MIREG 2\n".utf8), beginsFile: false)
        try writer.finish()
        #expect(String(decoding: writer.takeBytes(), as: UTF8.self) == "$RDFILE 1\n$DATM    y\n$MIREG 2\n")
    }

    @Test("a final value that ends in a tab is written completely, without a loss")
    func tabAtTheEnd() throws {
        var record = Record()
        record.registry = [.init("1", isInternal: true, isOfReaction: false)]
        record.fields.append("A", "12\t")
        let writing = try Writing.all([record], by: RDfileWriter.self)
        #expect(writing.string == "$RDFILE 1\n$MIREG 1\n$DTYPE A\n$DATUM 12\t\n")
        #expect(writing.losses == [])
    }

    @Test("parts written separately form the complete file")
    func pieces() throws {
        let text = try Fixture("rdf/reactions.rdf").bytes
        let find = try #require(Format.rdfile.lastRecordEnd)
        let end = find(text.span)
        let cut = try #require(end)
        let pieces = [Array(text[..<cut]), Array(text[cut...])]
        var options = WriteOptions()
        options.isPiece = true
        var joined = try RDfileWriter(ByteSink(), WriteOptions())
        for piece in pieces {
            let reading = try Reading.all(piece, by: RDfileReader.self)
            let writing = try Writing.all(reading.records, by: RDfileWriter.self, options, header: reading.header)
            try joined.copy(writing.text, beginsFile: false)
        }
        try joined.finish()
        let reading = try Reading.all(text, by: RDfileReader.self)
        #expect(
            joined.takeBytes() == (try Writing.all(reading.records, by: RDfileWriter.self, header: reading.header).text)
        )
    }

    @Test("no date is added")
    func noDate() throws {
        #expect(try Writing.all([], by: RDfileWriter.self).string == "$RDFILE 1\n")
    }

    @Test("a keyword ends at a space or at the end of the line, and a longer keyword is preserved as unknown text")
    func keywords() throws {
        func read(_ lines: String) throws -> Reading {
            try Reading.all("\(head)$MFMT\n\(carbon)\(lines)\n", by: RDfileReader.self)
        }
        let bare = try read("$DTYPE A\n$DATUM")
        #expect(bare.records[0].fields["A"]?.value == "" && bare.issues.isEmpty)
        let tab = try read("$DTYPE\tA\n$DATUM\t1")
        #expect(tab.records[0].fields["A"]?.value == "1")
        let longer = try read("$DTYPES A\n$DATUMS 1")
        #expect(longer.records[0].fields.isEmpty)
        #expect(longer.records[0].verbatim.map(\.text) == ["$DTYPES A", "$DATUMS 1"])
        #expect(
            longer.issues.map(\.message) == [
                "not a keyword of RD files; preserved verbatim", "not a keyword of RD files; preserved verbatim",
            ])
    }
}
