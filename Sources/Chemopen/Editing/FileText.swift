/// A file in memory, as the bytes of its records and those between them.
struct FileText: Sendable {
    let format: Format
    let bytes: [UInt8]
    let isPacked: Bool
    /// The bytes of each record.
    private(set) var records: [Range<Int>] = []
    /// The bytes in front of each record that belong to none.
    private(set) var leads: [Range<Int>] = []
    var file: RereadFile
    private(set) var header = SheetHeader()
    let table: (any TableText)?

    /// - Parameter update: remembers which version of the file was read.
    init(_ update: FileUpdate, as named: Format?, _ options: ReadOptions) throws(Conversion.Failure) {
        let (bytes, isPacked) = try unpackedBytes(of: update, options.cancels)
        try self.init(update.path, bytes, isPacked: isPacked, as: named, options)
    }

    /// - Parameter bytes: those of the file, unpacked.
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
                throw .impossible("\(path.shown): \(format.described) that is spelled so is not edited")
            }
            return
        }
        guard records.count == table.rows.count else {
            throw .impossible("\(path.shown): the table is spelled in a way in which it is not edited")
        }
        records = table.rows
        let starts = [records.first?.lowerBound ?? 0] + records.map(\.upperBound)
        leads = zip(starts, records).map { $0..<$1.lowerBound }
    }

    /// Finds where each record stands.
    private mutating func cut() throws(ReadError) {
        let cut = try RecordCut(file)
        (records, leads, header) = (cut.records, cut.leads, cut.header)
        guard table == nil, let first = records.first, first.upperBound <= bytes.count else { return }
        // The lines that head the file stay where they are.
        let start = first.lowerBound + format.lengthOfHead(bytes.span.extracting(first))
        (leads[0], records[0]) = (leads[0].lowerBound..<start, start..<first.upperBound)
    }

    /// Some of the records, by their places; without those that cannot be read.
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

    // MARK: What cannot be

    func refuseUnwritten() throws(Conversion.Failure) {
        if format.makeWriter == nil { throw .impossible("\(format.name) is read here, but not written") }
        if format.hasCommonPages {
            throw .impossible("the records of \(format.described) drawing share its pages, and none is edited alone")
        }
    }

    /// Refuses an edit that asks for a file of any number of records.
    func refuseSingle(_ verb: String) throws(Conversion.Failure) {
        try refuseUnwritten()
        if !format.holds.contains(.severalRecords) {
            throw .impossible("\(format.described) holds one record; none is \(verb) it")
        }
    }

    // MARK: Records

    /// A record as it stands in the file.
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
        throw .impossible("\(name): \(format.described) has no place for that as it is; nothing is changed")
    }

    /// Whether records of another file stand here as they stand there.
    func takesText(of other: FileText) -> Bool {
        table == nil && format.id == other.format.id && bytes.span.firstLineEnd == other.bytes.span.firstLineEnd
    }

    /// A record of another file as this one has it, and what it has no place for.
    func written(_ record: Record) throws(Conversion.Failure) -> (version: RecordText.Version, losses: [Loss]) {
        do throws(WriteError) {
            var losses: [Loss] = []
            let bytes = try RecordText(format: format).written(
                record, carriageReturns: hasCarriageReturns, header: table == nil ? nil : header, &losses)
            guard var read = try? self.record(in: bytes) else {
                throw WriteError(.impossible, "\(record.described) would not be read again; nothing is changed")
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

    /// The record that stands in some bytes.
    private func record(in bytes: [UInt8]) throws -> Record? {
        let head = table.map { $0.head(of: self.bytes, adding: [], rows: 0) } ?? []
        let rest = records.last.map { self.bytes[$0.upperBound...] } ?? []
        let source = try ByteSource(head + bytes + (table == nil ? [] : rest))
        var records = try RecordStream.open(source, as: format)
        return try records.next()
    }

    /// The bytes that head the file; those of a table are its own.
    var head: ArraySlice<UInt8> { table != nil ? [] : records.isEmpty ? bytes[...] : lead(0) }

    /// The bytes behind the last record.
    var rest: ArraySlice<UInt8> { bytes[(records.last?.upperBound ?? bytes.count)...] }

    /// The bytes in front of a record that belong to none.
    func lead(_ place: Int) -> ArraySlice<UInt8> { bytes[leads[place]] }

    var hasCarriageReturns: Bool { bytes.span.firstLineEnd?.first == Ascii.carriageReturn }
}

extension Format {
    /// How many of the bytes of the first record of a file head the file, or mark the order of its bytes.
    func lengthOfHead(_ record: borrowing Span<UInt8>) -> Int {
        parts?(record)?.start ?? record.startOfText
    }
}

/// Puts bytes into a file, whole or not at all.
package func writeWholeFile(_ bytes: [UInt8], to path: LocalPath, replacing: Bool) throws(Conversion.Failure) {
    do throws(FileError) {
        try writeFile(bytes, to: path, replacing: replacing)
    } catch {
        throw .write(WriteError(error))
    }
}

extension FileUpdate {
    /// Writes the file atomically if nobody has written it since it was read; what is no file is written straight through.
    package func save(_ bytes: [UInt8], packing: Bool? = nil) throws(Conversion.Failure) {
        do throws(FileError) {
            switch fileKind(path) {
            case .regular, .missing: try write(bytes, packing: packing)
            default: try writeFile(bytes, to: path, replacing: true, packing: packing)
            }
        } catch {
            throw .write(WriteError(error))
        }
    }
}

/// Bytes that may be packed, unpacked.
func unpacked(
    _ bytes: [UInt8], _ path: LocalPath, _ cancels: (@Sendable () -> Bool)? = nil
) throws(Conversion.Failure) -> [UInt8] {
    guard bytes.starts(with: [0x1F, 0x8B]) else { return bytes }
    do throws(FileError) {
        var source = try ByteSource(bytes, name: path)
        let bytes = try source.allBytes { cancels?() != true }
        if cancels?() == true { throw .cancelled(path) }
        return bytes
    } catch {
        throw .read(ReadError(error))
    }
}

/// The bytes of a file that may be written again, unpacked, and whether they were packed.
package func unpackedBytes(
    of update: FileUpdate, _ cancels: (@Sendable () -> Bool)? = nil
) throws(Conversion.Failure) -> (bytes: [UInt8], isPacked: Bool) {
    guard fileKind(update.path) == .regular else { return try unpackedBytes(of: update.path, cancels) }
    let file: [UInt8]
    do throws(FileError) {
        file = try update.read { cancels?() != true }
        if cancels?() == true { throw .cancelled(update.path) }
    } catch {
        throw .read(ReadError(error))
    }
    let bytes = try unpacked(file, update.path, cancels)
    return (bytes, file.starts(with: [0x1F, 0x8B]))
}

/// The bytes of a file, unpacked, and whether they were packed.
func unpackedBytes(
    of path: LocalPath, _ cancels: (@Sendable () -> Bool)? = nil
) throws(Conversion.Failure) -> (bytes: [UInt8], isPacked: Bool) {
    do throws(FileError) {
        var source = try ByteSource(path: path)
        let bytes = try source.allBytes { cancels?() != true }
        if cancels?() == true { throw .cancelled(path) }
        return (bytes, source.isCompressed)
    } catch {
        throw .read(ReadError(error))
    }
}
