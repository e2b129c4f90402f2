import ChemopenBytes
import ChemopenModel

// What the writers of the family do with their output.

extension [UInt8] {
    /// Adds text in which line breaks and NUL become blanks; `true` where there were any.
    @discardableResult
    mutating func appendOneLine(_ text: some Swift.Collection<UInt8>) -> Bool {
        let start = count
        append(contentsOf: text)
        var isChanged = false
        for index in start..<count
        where self[index] == Ascii.lineFeed || self[index] == Ascii.carriageReturn || self[index] == 0 {
            self[index] = Ascii.blank
            isChanged = true
        }
        return isChanged
    }

    /// Lets the lines from `start` on end in CR LF.
    mutating func endLinesInCarriageReturns(from start: Int) {
        let lines = self[start...]
        var output: [UInt8] = []
        output.reserveCapacity(lines.count + lines.count / 16)
        var last: UInt8 = 0
        for byte in lines {
            if byte == Ascii.lineFeed, last != Ascii.carriageReturn { output.append(Ascii.carriageReturn) }
            output.append(byte)
            last = byte
        }
        replaceSubrange(start..., with: output)
    }
}

extension Text {
    /// Whether something of it becomes a blank where it has to stay on one line.
    var changesOnOneLine: Bool { bytes.contains { $0 < Ascii.blank && $0 != Ascii.tab } }

    var hasOuterBlanks: Bool {
        bytes.first.map { $0 <= Ascii.blank } ?? false || bytes.last.map { $0 <= Ascii.blank } ?? false
    }
}

extension MolfileWriter {
    /// Tells of the texts of Sgroups that come back as others.
    mutating func noteChangedTexts(of sgroups: [Sgroup], where isChanged: (Text) -> Bool) {
        for sgroup in sgroups {
            var texts = [sgroup.label, sgroup.templateClass]
            if let data = sgroup.data {
                texts += [data.fieldName, data.units, data.queryOperator, data.fieldType, data.queryType] + data.values
            }
            report.losses.note(
                .sgroupDetails, "line breaks and outer blanks of texts", count: texts.count(where: isChanged))
        }
    }
}

extension ArraySlice<UInt8> {
    /// Where the line behind a line end begins; CR LF is one.
    func index(behindLineEnd end: Int) -> Int {
        let isPair = end + 1 < endIndex && self[end] == Ascii.carriageReturn && self[end + 1] == Ascii.lineFeed
        return end + (isPair ? 2 : 1)
    }
}

extension ByteSink {
    /// Hands the pending bytes on when there are many.
    mutating func handOn() throws(WriteError) {
        do throws(FileError) {
            try flushIfLarge()
        } catch {
            throw WriteError(error)
        }
    }

    /// Puts bytes over those that a file begins with; `false` where nobody can go back.
    mutating func overwriteBeginning(with bytes: [UInt8]) throws(WriteError) -> Bool {
        do throws(FileError) {
            return try overwrite(bytes)
        } catch {
            throw WriteError(error)
        }
    }

    /// Hands all bytes on and puts the output in its place.
    mutating func finishWriting() throws(WriteError) {
        do throws(FileError) {
            try commit()
        } catch {
            throw WriteError(error)
        }
    }

    /// Takes the bytes out, of a sink that keeps them in memory.
    mutating func takeAll() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        return taken
    }
}

extension WriteReport {
    /// Notes everything of a record that a file of one structure has no place for.
    mutating func noteData(of record: borrowing Record) {
        losses.note(.fields, count: record.fields.count)
        losses.note(.registryNumbers, count: record.registry.count)
        for verbatim in record.verbatim where verbatim.dialect != .v2000 && verbatim.dialect != .v3000 {
            losses.note(.unknown, verbatim.text)
        }
    }
}

extension Span where Element == UInt8 {
    /// Whether a byte is there and ends a line.
    func endsLine(at index: Int) -> Bool {
        indices.contains(index) && (self[index] == Ascii.lineFeed || self[index] == Ascii.carriageReturn)
    }

    /// A text without the line end that it ends in: LF, CR or CR LF.
    func withoutLineEnd(_ text: Range<Int>) -> Range<Int> {
        var end = text.upperBound
        if end > text.lowerBound, self[end - 1] == Ascii.lineFeed { end -= 1 }
        if end > text.lowerBound, self[end - 1] == Ascii.carriageReturn { end -= 1 }
        return text.lowerBound..<end
    }

    /// The last line of a text that ends without a line end.
    func lastLine(of text: Range<Int>) -> Range<Int> {
        var start = text.upperBound
        while start > text.lowerBound, !endsLine(at: start - 1) { start -= 1 }
        return start..<text.upperBound
    }

    /// The line end behind the first line: LF, CR or CR LF; `nil` where there is none.
    var firstLineEnd: [UInt8]? {
        guard let end = indices.first(where: { endsLine(at: $0) }) else { return nil }
        let isPair = self[end] == Ascii.carriageReturn && end + 1 < count && self[end + 1] == Ascii.lineFeed
        return bytes(end..<end + (isPair ? 2 : 1))
    }
}
