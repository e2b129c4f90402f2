// A file put together of its records and of others.

extension FileText {
    /// The place of a record in a file that is put together.
    struct Piece {
        enum Text {
            /// There is none.
            case none
            /// That of the file.
            case kept(Int)
            case made(RecordText.Version)
        }

        /// The bytes in front of the record.
        let lead: Range<Int>
        let text: Text

        var hasRecord: Bool { if case .none = text { false } else { true } }
    }

    /// The file of some pieces, read once more to make sure that it holds the records.
    func assembled(_ pieces: [Piece]) throws(Conversion.Failure) -> [UInt8] {
        do throws(WriteError) {
            let bytes = table == nil ? try joined(pieces) : try joinedRows(pieces)
            try check(bytes, pieces)
            return bytes
        } catch {
            throw .write(error)
        }
    }

    private func joined(_ pieces: [Piece]) throws(WriteError) -> [UInt8] {
        var options = WriteOptions()
        options.carriageReturns = hasCarriageReturns
        guard var writer = try format.makeWriter?(ByteSink(), options) else { return bytes }
        try writer.begin(header)
        var lead: [UInt8] = []
        var isFirst = true
        for piece in pieces {
            lead += bytes[piece.lead]
            let text: [UInt8]
            switch piece.text {
            case .none: continue
            case .kept(let place): text = Array(bytes[records[place]])
            case .made(let version): text = version.bytes
            }
            try writer.copy(lead + text, beginsFile: isFirst)
            lead = []
            isFirst = false
        }
        let rest = lead + bytes[(records.last?.upperBound ?? 0)...]
        if !rest.isEmpty { try writer.copy(rest: rest) }
        return writer.takeBytes()
    }

    private func joinedRows(_ pieces: [Piece]) throws(WriteError) -> [UInt8] {
        guard let table, let kind = format.table else { return bytes }
        let made = pieces.compactMap { piece in
            if case .made(let version) = piece.text { version.record } else { nil }
        }
        let added = addedColumns(made)
        if !added.isEmpty, header.columns.count != table.columnCount {
            throw WriteError(.impossible, "a row has more cells than the head, so that no column can be added")
        }
        var whole = header
        whole.columns += added
        let count = pieces.count(where: \.hasRecord)
        var text = table.head(of: bytes, adding: added, rows: count - records.count)
        var number = 0
        for piece in pieces {
            text += bytes[piece.lead]
            var row: [UInt8]
            var isInPlace = false
            number += 1
            switch piece.text {
            case .none:
                number -= 1
                continue
            case .kept(let place):
                row = Array(bytes[records[place]])
                isInPlace = place == number - 1
            case .made(let version):
                row = try rowWithAddedCells(version, whole, of: kind)
            }
            if !isInPlace { row = kind.numbered(row, number) }
            text += added.isEmpty ? row : kind.widened(row, from: table.columnCount, to: whole.columns.count)
            closeLine(&text)
        }
        // The line end that the last row lacks is none of those that are closed.
        let rest = bytes[(records.last?.upperBound ?? bytes.count)...]
        if rest.isEmpty, bytes.last != Ascii.lineFeed, bytes.last != Ascii.carriageReturn { dropLineEnd(&text) }
        return text + rest
    }

    private func closeLine(_ text: inout [UInt8]) {
        guard let last = text.last, last != Ascii.lineFeed, last != Ascii.carriageReturn, format.hasLineNotation else {
            return
        }
        text += bytes.span.firstLineEnd ?? [Ascii.lineFeed]
    }

    private func dropLineEnd(_ text: inout [UInt8]) {
        guard format.hasLineNotation else { return }
        if text.last == Ascii.lineFeed { text.removeLast() }
        if text.last == Ascii.carriageReturn { text.removeLast() }
    }

    /// Makes sure that the file is read as the records that it is made of.
    private func check(_ bytes: [UInt8], _ pieces: [Piece]) throws(WriteError) {
        let texts = pieces.filter(\.hasRecord).map(\.text)
        let isSound: Bool
        do throws(ReadError) {
            let file = try RereadFile(file.path, bytes: bytes, as: format, self.file.options)
            var walk = try ChosenRecords(file, beside: file)
            var isSame = true
            for (place, text) in texts.enumerated() {
                guard case .made(let version) = text else { continue }
                if try walk.record(place)?.says(version.record) != true { isSame = false }
            }
            if isSame { isSame = try walk.isAtEnd(behind: texts.count) }
            isSound = isSame
        } catch {
            throw WriteError(
                .impossible, "the file would not be read as it is meant: \(error.message); nothing is changed")
        }
        if !isSound {
            throw WriteError(.impossible, "\(format.described) has no place for that as it is; nothing is changed")
        }
    }
}
