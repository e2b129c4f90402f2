// Assembles a file from its own and other records.

extension FileText {
    /// A piece of an assembled file: a record and the bytes before it.
    struct Piece {
        enum Text {
            /// The piece contains only bytes between records.
            case none
            /// The unchanged text of a record in the file.
            case kept(Int)
            /// The text of a record in another file.
            case copied([UInt8])
            case made(RecordText.Version)
        }

        /// The bytes before the record.
        let lead: ArraySlice<UInt8>
        let text: Text

        var hasRecord: Bool { if case .none = text { false } else { true } }
    }

    /// Returns the file assembled from pieces, after reading it again to verify its records.
    ///
    /// - Parameters:
    ///   - columns: The columns to add to a table even if no record uses them.
    ///   - rest: The bytes after the last record. By default, the rest of the file is used.
    func assembled(
        _ pieces: [Piece], adding columns: [Column] = [], rest: ArraySlice<UInt8>? = nil
    ) throws(Conversion.Failure) -> [UInt8] {
        do throws(WriteError) {
            let added = table == nil ? [] : columns + addedColumns(pieces, besides: columns)
            let bytes = table == nil ? try joined(pieces, rest ?? self.rest) : try joinedRows(pieces, added)
            try check(bytes, pieces, header.columns + added)
            return bytes
        } catch {
            throw .write(error)
        }
    }

    private func joined(_ pieces: [Piece], _ rest: ArraySlice<UInt8>) throws(WriteError) -> [UInt8] {
        var options = WriteOptions()
        options.carriageReturns = hasCarriageReturns
        var writer = try format.makeWriter(ByteSink(), options)
        try writer.begin(header)
        var lead: [UInt8] = []
        var isFirst = true
        let last = pieces.lastIndex(where: \.hasRecord)
        for (place, piece) in pieces.enumerated() {
            if file.options.shouldCancel?() == true { throw WriteError(.cancelled(file.path)) }
            lead += piece.lead
            var text: [UInt8]
            switch piece.text {
            case .none: continue
            case .kept(let place): text = Array(bytes[records[place]])
            case .copied(let bytes): text = bytes
            case .made(let version): text = version.bytes
            }
            if place != last, let byte = text.last, byte != Ascii.lineFeed, byte != Ascii.carriageReturn {
                text += bytes.span.firstLineEnd ?? [Ascii.lineFeed]
            }
            try writer.copy(lead + text, beginsFile: isFirst)
            lead = []
            isFirst = false
        }
        if !lead.isEmpty || !rest.isEmpty { try writer.copy(rest: lead + rest) }
        return writer.takeBytes()
    }

    /// Returns the columns that only new records have.
    private func addedColumns(_ pieces: [Piece], besides columns: [Column]) -> [Column] {
        let made = pieces.compactMap { piece in
            if case .made(let version) = piece.text { version.record } else { nil }
        }
        let known = Set(columns.map(\.name))
        return addedColumns(made).filter { !known.contains($0.name) }
    }

    private func joinedRows(_ pieces: [Piece], _ added: [Column]) throws(WriteError) -> [UInt8] {
        guard let table, let kind = format.table else { return bytes }
        if !added.isEmpty, header.columns.count != table.columnCount {
            throw WriteError(.impossible, "a row has more cells than the header, so no column can be added")
        }
        var whole = header
        whole.columns += added
        let count = pieces.count(where: \.hasRecord)
        var text = table.head(of: bytes, adding: added, rows: count - records.count)
        var number = 0
        if count > 0 { closeLine(&text) }
        for piece in pieces {
            if file.options.shouldCancel?() == true { throw WriteError(.cancelled(file.path)) }
            text += piece.lead
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
            case .copied(let bytes): row = bytes
            case .made(let version):
                row = try rowWithAddedCells(version, whole, of: kind)
            }
            if !isInPlace { row = kind.numbered(row, number) }
            text += added.isEmpty ? row : kind.widened(row, from: table.columnCount, to: whole.columns.count)
            closeLine(&text)
        }
        // A missing line end after the last row remains missing.
        let rest = table.rest(of: bytes)
        if rest.isEmpty, bytes.last != Ascii.lineFeed, bytes.last != Ascii.carriageReturn { dropLineEnd(&text) }
        return text + rest
    }

    /// Adds a line end if the text of a format with lines has none.
    func closeLine(_ text: inout [UInt8]) {
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

    /// Verifies that reading the file results in the same records.
    private func check(_ bytes: [UInt8], _ pieces: [Piece], _ columns: [Column]) throws(WriteError) {
        let texts = pieces.filter(\.hasRecord).map(\.text)
        let isSound: Bool
        do throws(ReadError) {
            let file = try RereadFile(Source(bytes, named: file.path), as: format, self.file.options)
            var walk = try ChosenRecords(file, beside: file)
            var isSame = true
            for (place, text) in texts.enumerated() {
                guard case .made(let version) = text else { continue }
                // A row has its fields in the order of the columns.
                let meant = table == nil ? version.record : version.record.placed(in: columns)
                if try walk.record(place)?.says(meant) != true { isSame = false }
            }
            if isSame { isSame = try walk.isAtEnd(behind: texts.count) }
            isSound = isSame
        } catch {
            throw WriteError(
                .impossible, "the edited file would not be read back correctly: \(error.message); the file is unchanged"
            )
        }
        if !isSound {
            throw WriteError(
                .impossible, "\(format.described) cannot represent the change exactly; the file is unchanged")
        }
    }
}
