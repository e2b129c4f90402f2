import ChemopenFormats
import Testing

/// A file is split only at the end of a record.
@Suite("Splitting for several threads")
struct CuttingTests {
    @Test("an SD file is not split at a separator that S  SKP skips")
    func skippedSeparator() {
        let record = V2000.chain(1) + ">  <a>\n1\n\n$$$$\n"
        let skipping = V2000.molfile(properties: ["S  SKP002", "M  END", "$$$$"]) + ">  <a>\n1\n\n$$$$\n"
        let cut = Format.sdfile.lastRecordEnd
        #expect(cut?(Array((record + record + "next\n").utf8).span) == 2 * record.utf8.count)
        #expect(cut?(Array((record + skipping + "next\n").utf8).span) == record.utf8.count)
        #expect(cut?(Array((skipping + "next\n").utf8).span) == nil)
    }

    @Test("an SD file is split after M  END only if a record follows, because a value may contain it")
    func endInValue() {
        let record = V2000.chain(1) + "$$$$\n"
        let cut = Format.sdfile.lastRecordEnd
        #expect(cut?(Array((record + record).utf8).span) == record.utf8.count)
        #expect(cut?(Array((V2000.chain(1) + ">  <a>\nM  END\n$$$$\nno\nrecord\nat\nall\n\n").utf8).span) == nil)
    }

    @Test("an RD file is not split after its header")
    func headOfRDfile() {
        let head = "$RDFILE 1\n$DATE\n"
        let record = "$MFMT\n" + V2000.chain(1)
        let cut = Format.rdfile.lastRecordEnd
        #expect(cut?(Array((head + record).utf8).span) == nil)
        #expect(cut?(Array((head + record + record).utf8).span) == (head + record).utf8.count)
        #expect(cut?(Array((record + record).utf8).span) == record.utf8.count)
    }
}
