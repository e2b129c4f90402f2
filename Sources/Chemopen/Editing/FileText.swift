/// A file in memory, divided into its records and the bytes between them.
struct FileText: Sendable {
    let format: Format
    let bytes: [UInt8]
    let isPacked: Bool
    /// The range of each record.
    private(set) var records: [Range<Int>] = []
    /// The range of the bytes before each record that belong to no record.
    private(set) var leads: [Range<Int>] = []
    var file: RereadFile
    private(set) var header = SheetHeader()
    let table: (any TableText)?

    /// - Parameter update: Identifies the version of the file that was read.
    init(_ update: FileUpdate, as named: Format?, _ options: ReadOptions) throws(Conversion.Failure) {
        let (bytes, isPacked) = try unpackedBytes(of: update, options.shouldCancel)
        try self.init(update.path, bytes, isPacked: isPacked, as: named, options)
    }

    /// - Parameter bytes: The decompressed bytes of the file.
    init(
        _ path: LocalPath, _ bytes: [UInt8], isPacked: Bool = false, as named: Format?, _ options: ReadOptions
    ) throws(Conversion.Failure) {
        (self.bytes, self.isPacked) = (bytes, isPacked)
        do throws(ReadError) {
            file = try RereadFile(Source(bytes, named: path), as: named, options)
        } catch {
            throw .read(error)
        }
        let (format, bytes) = (file.format, bytes)
        let table = format.table?.init(bytes.span)
        (self.format, self.table) = (format, table)
        do throws(ReadError) {
            try cut()
        } catch {
            throw .read(error)
        }
        guard let table else {
            if format.needsColumns || records.last?.upperBound ?? 0 > bytes.count {
                throw .impossible("\(path.shown): cannot edit \(format.described) with this syntax")
            }
            return
        }
        guard records.count == table.rows.count else {
            throw .impossible("\(path.shown): cannot edit a table with this syntax")
        }
        records = table.rows
        let starts = [records.first?.lowerBound ?? 0] + records.map(\.upperBound)
        leads = zip(starts, records).map { $0..<$1.lowerBound }
    }

    /// Finds the ranges of the records.
    private mutating func cut() throws(ReadError) {
        let cut = try RecordCut(file)
        (records, leads, header) = (cut.records, cut.leads, cut.header)
        guard table == nil, let first = records.first, first.upperBound <= bytes.count else { return }
        // The header lines of the file are not part of the first record.
        let start = first.lowerBound + format.lengthOfHead(bytes.span.extracting(first))
        (leads[0], records[0]) = (leads[0].lowerBound..<start, start..<first.upperBound)
    }

    /// Returns some of the records by index, without those that are unreadable.
    func records(_ places: [Int]) throws(Conversion.Failure) -> [Int: Record] {
        var records: [Int: Record] = [:]
        do throws(ReadError) {
            var walk = try ChosenRecords(file, beside: file)
            for place in places.sorted() where records[place] == nil {
                records[place] = try walk.record(place)
                if table != nil { records[place]?.fields.columns = header.columns }
            }
        } catch {
            throw .read(error)
        }
        return records
    }

    // MARK: Unsupported edits

    func refuseUnwritten() throws(Conversion.Failure) {
        if !format.isWritable { throw .impossible("\(format.name) cannot be written") }
        if format.hasCommonPages {
            throw .impossible("cannot edit single records of \(format.described) drawing because they share its pages")
        }
    }

    /// Rejects an edit that requires a format with several records.
    func refuseSingle(_ verb: String) throws(Conversion.Failure) {
        try refuseUnwritten()
        if !format.supportedFeatures.contains(.severalRecords) {
            throw .impossible("\(format.described) stores only one record; records cannot be \(verb) it")
        }
    }

    // MARK: Records

    /// Returns a record with its bytes in the file.
    func version(
        of record: Record, from versions: [RecordText.Version], called name: String
    ) throws(Conversion.Failure) -> RecordText.Version {
        do throws(WriteError) {
            if table != nil { return .init(bytes: try row(of: record, from: versions), record: record) }
            let text = try RecordText(format: format).bytes(
                of: record, from: versions, hasCarriageReturns: hasCarriageReturns)
            if text.isExact || versions.isEmpty { return .init(bytes: text.bytes, record: record) }
        } catch {
            throw .write(error)
        }
        throw .impossible("\(name): \(format.described) cannot represent the change exactly; the file is unchanged")
    }

    /// Whether the text of another file's records can be used verbatim.
    func takesText(of other: FileText) -> Bool {
        table == nil && format.id == other.format.id && bytes.span.firstLineEnd == other.bytes.span.firstLineEnd
    }

    /// Returns a record of another file in the format of this one, and the data that was lost.
    func written(_ record: Record) throws(Conversion.Failure) -> (version: RecordText.Version, losses: [Loss]) {
        do throws(WriteError) {
            var losses: [Loss] = []
            let bytes = try RecordText(format: format).written(
                record, carriageReturns: hasCarriageReturns, header: table == nil ? nil : header, &losses)
            guard var read = try? self.record(in: bytes) else {
                throw WriteError(.impossible, "\(record.described) would not be read back; the file is unchanged")
            }
            if table != nil {
                let known = Set(header.columns.map(\.name))
                for field in record.fields where !known.contains(field.name) { read.fields.append(field) }
                losses.removeAll { loss in addedColumns([read]).contains { $0.name == loss.detail } }
            }
            return (RecordText.Version(bytes: bytes, record: read), losses)
        } catch {
            throw .write(error)
        }
    }

    /// Returns an edited record as the format represents it, or `nil` if that is another structure or lacks data.
    func restated(_ record: Record) throws(Conversion.Failure) -> Record? {
        let (version, losses) = try written(record)
        guard losses.isEmpty, let own = record.molecule, let read = version.record.molecule,
            StatedStructure.says(read, own)
        else { return nil }
        var restated = record
        restated.take(.structure, from: version.record)
        return restated
    }

    /// Parses the record in some bytes.
    private func record(in bytes: [UInt8]) throws -> Record? {
        var head = table.map { $0.head(of: self.bytes, adding: [], rows: 0) } ?? []
        closeLine(&head)
        let source = try ByteSource(head + bytes + (table?.rest(of: self.bytes) ?? []))
        var records = try RecordStream.open(source, as: format)
        return try records.next()
    }

    /// The header of the file. A table's header is part of the table.
    var head: ArraySlice<UInt8> { table != nil ? [] : records.isEmpty ? bytes[...] : lead(0) }

    /// The bytes after the last record.
    var rest: ArraySlice<UInt8> { bytes[(records.last?.upperBound ?? bytes.count)...] }

    /// The bytes before a record that belong to no record.
    func lead(_ place: Int) -> ArraySlice<UInt8> { bytes[leads[place]] }

    var hasCarriageReturns: Bool { bytes.span.firstLineEnd?.first == Ascii.carriageReturn }
}

/// Compares an edited structure with its representation in a format.
private enum StatedStructure {
    /// Whether two molecules have the same atoms and bonds in the same order, and the same numbers of hydrogens.
    static func says(_ read: Molecule, _ meant: Molecule) -> Bool {
        guard meant.atoms.count == read.atoms.count, meant.bonds.count == read.bonds.count,
            meant.hydrogenCounts() == read.hydrogenCounts()
        else { return false }
        let isDrawn = !meant.flags.contains(.withoutCoordinates)
        for (index, (one, two)) in zip(meant.atoms, read.atoms).enumerated() {
            guard one.element == two.element, one.charge == two.charge, one.isotope == two.isotope,
                one.radical == two.radical, one.mapNumber == two.mapNumber, one.marks.parity == two.marks.parity,
                meant.symbol(ofAtom: index) == read.symbol(ofAtom: index), !isDrawn || one.position == two.position
            else { return false }
        }
        for (one, two) in zip(meant.bonds, read.bonds) {
            guard one.from == two.from, one.to == two.to, one.order == two.order, one.mark == two.mark else {
                return false
            }
        }
        let (own, theirs) = (meant.extras.contents, read.extras.contents)
        return own.sgroups == theirs.sgroups && own.stereoGroups == theirs.stereoGroups
            && own.collections == theirs.collections && own.bondNotes == theirs.bondNotes
    }
}

extension Format {
    /// The number of bytes of the first record that are the header of the file or a byte order mark.
    func lengthOfHead(_ record: borrowing Span<UInt8>) -> Int {
        parts?(record)?.start ?? record.startOfText
    }
}

/// Writes a file atomically.
package func writeWholeFile(_ bytes: [UInt8], to path: LocalPath, replacing: Bool) throws(Conversion.Failure) {
    do throws(FileError) {
        try writeFile(bytes, to: path, replacing: replacing)
    } catch {
        throw .write(WriteError(error))
    }
}

extension FileUpdate {
    /// Writes the file atomically if no other program has written it since it was read. A device or pipe is written
    /// directly.
    package func save(_ bytes: [UInt8], packing: Bool? = nil) throws(Conversion.Failure) {
        do throws(FileError) {
            switch fileKind(path) {
            case .fifo, .device, .socket: try writeFile(bytes, to: path, replacing: true, packing: packing)
            default: try write(bytes, packing: packing)
            }
        } catch {
            throw .write(WriteError(error))
        }
    }
}

/// Decompresses bytes if they are compressed.
func unpacked(
    _ bytes: [UInt8], _ path: LocalPath, _ shouldCancel: (@Sendable () -> Bool)? = nil
) throws(Conversion.Failure) -> [UInt8] {
    guard bytes.starts(with: [0x1F, 0x8B]) else { return bytes }
    do throws(FileError) {
        var source = try ByteSource(bytes, name: path)
        let bytes = try source.allBytes { shouldCancel?() != true }
        if shouldCancel?() == true { throw .cancelled(path) }
        return bytes
    } catch {
        throw .read(ReadError(error))
    }
}

/// Returns the decompressed bytes of a file that may be overwritten later, and whether they were compressed.
package func unpackedBytes(
    of update: FileUpdate, _ shouldCancel: (@Sendable () -> Bool)? = nil
) throws(Conversion.Failure) -> (bytes: [UInt8], isPacked: Bool) {
    guard fileKind(update.path) == .regular else { return try unpackedBytes(of: update.path, shouldCancel) }
    let file: [UInt8]
    do throws(FileError) {
        file = try update.read { shouldCancel?() != true }
        if shouldCancel?() == true { throw .cancelled(update.path) }
    } catch {
        throw .read(ReadError(error))
    }
    let bytes = try unpacked(file, update.path, shouldCancel)
    return (bytes, file.starts(with: [0x1F, 0x8B]))
}

/// Returns the decompressed bytes of a file, and whether they were compressed.
func unpackedBytes(
    of path: LocalPath, _ shouldCancel: (@Sendable () -> Bool)? = nil
) throws(Conversion.Failure) -> (bytes: [UInt8], isPacked: Bool) {
    do throws(FileError) {
        var source = try ByteSource(path: path)
        let bytes = try source.allBytes { shouldCancel?() != true }
        if shouldCancel?() == true { throw .cancelled(path) }
        return (bytes, source.isCompressed)
    } catch {
        throw .read(ReadError(error))
    }
}
