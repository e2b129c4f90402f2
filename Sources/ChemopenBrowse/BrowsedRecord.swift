import Chemopen

/// A record read for display, or the reason why it could not be read.
struct BrowsedRecord: Sendable {
    /// The number of the record, from 1.
    let number: Int
    var content: Result<Record, ReadError>
    let issues: [Issue]
    /// The format version of the record.
    let version: String
    /// The bytes of the record, verbatim.
    let bytes: [UInt8]
    /// The position of the record in the decompressed file.
    let offset: Int
    let header: SheetHeader

    /// The fingerprint of the bytes, if it is already known.
    var knownFingerprint: String?

    var record: Record? { try? content.get() }

    /// A fingerprint of the bytes. It changes if the record changes.
    var fingerprint: String { knownFingerprint ?? Fingerprint(bytes).text }
}

/// Reads records of a file with all data that a page can show.
struct RecordPages {
    let content: BrowsedContent
    let name: LocalPath

    /// The maximum number of bytes to read at once.
    private static let largestPiece = 1 << 20

    /// Returns the records in a range of numbers from 0, in order.
    func records(_ numbers: Range<Int>, _ index: RecordIndex) -> [BrowsedRecord] {
        let numbers = numbers.clamped(to: 0..<index.count)
        var records: [BrowsedRecord] = []
        records.reserveCapacity(numbers.count)
        read(numbers, index) { _, record in
            records.append(record)
            return true
        }
        return records
    }

    /// Reads records in order.
    ///
    /// - Parameters:
    ///   - text: skips records without these bytes if this can be determined without parsing them.
    ///   - skippingStructures: whether to skip the structures of rows.
    ///   - take: receives the number from 0 and the record, and returns whether to continue.
    func read(
        _ numbers: Range<Int>, _ index: RecordIndex, holding text: SoughtBytes? = nil,
        skippingStructures: Bool = false, _ take: (Int, BrowsedRecord) -> Bool
    ) {
        guard content.isIndexed else { return readThrough(numbers, take) }
        let sought = text.flatMap { canPassOver(without: $0, index) ? $0 : nil }
        for piece in pieces(of: numbers, index) {
            if let error = index.refusals[piece.lowerBound] {
                if !take(piece.lowerBound, refused(piece.lowerBound, error, index)) { return }
                continue
            }
            // The memory of this piece is released before the next one is read.
            let start = index.range(of: piece.lowerBound).lowerBound
            let end = index.range(of: piece.upperBound - 1).upperBound
            let bytes = (try? content.bytes(start..<end)) ?? []
            if let sought, isWithout(sought, bytes.span) { continue }
            if content.isFramed {
                let isDone = !readRows(
                    piece, bytes, from: start, index, holding: sought, skippingStructures: skippingStructures, take)
                if isDone { return }
                continue
            }
            for number in piece {
                let range = index.range(of: number)
                let place = clamped(range, by: start, to: bytes.count)
                if let sought, isWithout(sought, bytes.span.extracting(place)) { continue }
                if !take(number, record(number, Array(bytes[place]), at: range.lowerBound, index)) { return }
            }
        }
    }

    /// Reads records in order, without their bytes. Consecutive records are parsed as one piece of the file, which is
    /// faster than one by one.
    ///
    /// - Parameter skippingStructures: whether to skip structures if the format supports it.
    func scan(
        _ numbers: Range<Int>, _ index: RecordIndex, holding text: SoughtBytes? = nil, skippingStructures: Bool,
        _ take: (Int, BrowsedRecord) -> Bool
    ) {
        guard content.isIndexed, !content.isFramed else { return read(numbers, index, holding: text, take) }
        let sought = text.flatMap { canPassOver(without: $0, index) ? $0 : nil }
        for piece in pieces(of: numbers, index) {
            let places = index.range(of: piece.lowerBound).lowerBound..<index.range(of: piece.upperBound - 1).upperBound
            guard index.refusals[piece.lowerBound] == nil, let bytes = try? content.bytes(places) else {
                var goesOn = true
                read(piece, index, holding: text) { number, record in
                    goesOn = take(number, record)
                    return goesOn
                }
                if !goesOn { return }
                continue
            }
            if let sought, isWithout(sought, bytes.span) { continue }
            let options = content.readOptions(behind: piece.lowerBound, skippingStructures: skippingStructures)
            var next = piece.lowerBound
            if let source = try? ByteSource(bytes, name: name, offset: places.lowerBound),
                var stream = try? RecordStream.open(source, as: content.format, options)
            {
                while next < piece.upperBound {
                    let range = index.range(of: next)
                    if let sought,
                        isWithout(sought, bytes.span.extracting(clamped(range, by: places.lowerBound, to: bytes.count)))
                    {
                        guard (try? stream.pass()) == true, stream.place.offset == range.lowerBound else { break }
                        next += 1
                        continue
                    }
                    let record = Self.next(of: &stream, next, [], at: range.lowerBound, isRow: true, nil)
                    // If the records of the piece differ from those of the file, read the others one by one.
                    guard stream.place.offset == range.lowerBound else { break }
                    if !take(next, record) { return }
                    next += 1
                }
            }
            if next == piece.upperBound { continue }
            var goesOn = true
            read(next..<piece.upperBound, index, holding: text) { number, record in
                goesOn = take(number, record)
                return goesOn
            }
            if !goesOn { return }
        }
    }

    private func isWithout(_ text: SoughtBytes, _ bytes: Span<UInt8>) -> Bool {
        !text.occur(in: bytes, 0..<bytes.count) && content.format.loneRecords?.breaksText(bytes) == false
    }

    /// Returns whether a record cannot contain the text if its bytes do not. The head of a table contains the field
    /// names, which belong to every row.
    private func canPassOver(without text: SoughtBytes, _ index: RecordIndex) -> Bool {
        guard let records = content.format.loneRecords, records.keepsText else { return false }
        guard records.closing != nil else { return true }
        guard let head = try? content.bytes(0..<index.range(of: 0).lowerBound) else { return false }
        return !text.occur(in: head.span, 0..<head.count)
    }

    func clamped(_ range: Range<Int>, by offset: Int, to count: Int) -> Range<Int> {
        (range.lowerBound - offset..<range.upperBound - offset).clamped(to: 0..<count)
    }

    /// Splits a range of numbers into pieces of limited size. A record with a known error gets a piece of its own.
    func pieces(of numbers: Range<Int>, _ index: RecordIndex) -> [Range<Int>] {
        var pieces: [Range<Int>] = []
        var first = numbers.lowerBound
        for number in numbers {
            let next = number + 1
            if !index.refusals.isEmpty, index.refusals[number] != nil {
                if first < number { pieces.append(first..<number) }
                pieces.append(number..<next)
                first = next
                continue
            }
            let size = index.range(of: number).upperBound - index.range(of: first).lowerBound
            if size >= Self.largestPiece || next == numbers.upperBound {
                pieces.append(first..<next)
                first = next
            }
        }
        return pieces
    }

    /// Reads consecutive rows, with the head of their table only once. Returns whether to continue.
    private func readRows(
        _ numbers: Range<Int>, _ bytes: [UInt8], from start: Int, _ index: RecordIndex, holding text: SoughtBytes?,
        skippingStructures: Bool, _ take: (Int, BrowsedRecord) -> Bool
    ) -> Bool {
        var stream: RecordStream
        do throws(ReadError) {
            let isLast = index.isComplete && numbers.upperBound == index.count
            stream = try RecordStream.open(
                source(of: bytes, at: start, index, isLast: isLast), as: content.format,
                content.readOptions(behind: numbers.lowerBound, skippingStructures: skippingStructures))
        } catch {
            for number in numbers where !take(number, refused(number, error, index)) { return false }
            return true
        }
        let experiments = skippingStructures ? nil : ExperimentReader(stream.header)
        for number in numbers {
            let range = index.range(of: number)
            let place = clamped(range, by: start, to: bytes.count)
            if let text, isWithout(text, bytes.span.extracting(place)) {
                _ = try? stream.pass()
                continue
            }
            let record = Self.next(
                of: &stream, number, Array(bytes[place]), at: range.lowerBound, isRow: true, experiments)
            if !take(number, record) { return false }
        }
        return true
    }

    // MARK: Fields

    /// Returns the end of a range of records that is small enough to be read in a moment.
    func end(ofRecordsFrom first: Int, _ index: RecordIndex) -> Int {
        guard content.isIndexed else { return index.count }
        let most = 8 * Self.largestPiece
        var end = first
        while end < index.count, index.range(of: end).upperBound - index.range(of: first).lowerBound < most { end += 1 }
        return min(max(end, first + 1), index.count)
    }

    /// Returns the field names of records, without parsing structures if possible.
    func fieldNames(_ numbers: Range<Int>, _ index: RecordIndex) -> [Text] {
        guard content.isIndexed, !content.isFramed else {
            guard var stream = try? content.stream(skippingStructures: true) else { return [] }
            return fieldNames(of: &stream, onlyFirst: content.isFramed)
        }
        var names: [Text] = []
        for piece in pieces(of: numbers, index) where index.refusals[piece.lowerBound] == nil {
            let places = index.range(of: piece.lowerBound).lowerBound..<index.range(of: piece.upperBound - 1).upperBound
            guard let bytes = try? content.bytes(places),
                let source = try? ByteSource(bytes, name: name, offset: places.lowerBound),
                var stream = try? RecordStream.open(
                    source, as: content.format, content.readOptions(skippingStructures: true))
            else { continue }
            names += fieldNames(of: &stream, onlyFirst: false)
        }
        return names
    }

    private func fieldNames(of stream: inout RecordStream, onlyFirst: Bool) -> [Text] {
        var record = Record()
        while true {
            do throws(ReadError) {
                guard try stream.read(into: &record), !onlyFirst else { break }
            } catch {
                content.note(error)
            }
        }
        let header = stream.header
        let names = header.hasAllColumns ? header.namesOfFields : header.columns.map(\.name)
        return names
    }

    private func refused(_ number: Int, _ error: ReadError, _ index: RecordIndex) -> BrowsedRecord {
        BrowsedRecord(
            number: number + 1, content: .failure(error), issues: [], version: "", bytes: [],
            offset: index.range(of: number).lowerBound, header: SheetHeader())
    }

    // MARK: One record by itself

    /// Returns a piece of the file with the head and the end that a reader requires.
    private func framed(_ bytes: [UInt8], _ index: RecordIndex, isLast: Bool) throws(FileError) -> [UInt8] {
        guard let closing = content.format.loneRecords?.closing else { return bytes }
        let head = try content.bytes(0..<index.range(of: 0).lowerBound)
        return head + bytes + (isLast ? [] : closing)
    }

    private func source(
        of text: [UInt8], at offset: Int, _ index: RecordIndex, isLast: Bool
    ) throws(ReadError) -> ByteSource {
        do throws(FileError) {
            return try ByteSource(framed(text, index, isLast: isLast), name: name, offset: offset)
        } catch {
            throw ReadError(error)
        }
    }

    private func record(_ number: Int, _ text: [UInt8], at offset: Int, _ index: RecordIndex) -> BrowsedRecord {
        var stream: RecordStream
        do throws(ReadError) {
            let isLast = index.isComplete && number + 1 == index.count
            stream = try RecordStream.open(
                source(of: text, at: offset, index, isLast: isLast), as: content.format,
                content.readOptions(behind: number))
        } catch {
            return BrowsedRecord(
                number: number + 1, content: .failure(error), issues: [], version: "", bytes: text, offset: offset,
                header: SheetHeader())
        }
        return Self.next(of: &stream, number, text, at: offset, isRow: false, nil)
    }

    /// Returns the next record.
    ///
    /// - Parameter experiments: converts rows of a reaction table to reactions.
    private static func next(
        of stream: inout RecordStream, _ number: Int, _ text: [UInt8], at offset: Int, isRow: Bool,
        _ experiments: ExperimentReader?
    ) -> BrowsedRecord {
        var content: Result<Record, ReadError>
        do throws(ReadError) {
            if var record = try stream.next() {
                // A row of a reaction sheet represents a reaction.
                if var experiments {
                    let reaction = experiments.reaction(of: record, row: number + 1)
                    if !reaction.components.isEmpty { record.subject = .reaction(reaction) }
                }
                content = .success(record)
            } else {
                content = .failure(ReadError(file: "", record: number + 1, expected: "a record"))
            }
        } catch {
            content = .failure(error)
        }
        var bytes: [UInt8] = []
        if !isRow { stream.copyRecordBytes(to: &bytes) }
        return BrowsedRecord(
            number: number + 1, content: content, issues: stream.issues, version: stream.place.version,
            bytes: bytes.isEmpty ? text : bytes, offset: offset, header: stream.header)
    }

    // MARK: From the beginning

    private func readThrough(_ numbers: Range<Int>, _ take: (Int, BrowsedRecord) -> Bool) {
        guard var stream = try? content.stream() else { return }
        var number = 0
        var last: BrowsedRecord?
        while number < numbers.upperBound {
            var content: Result<Record, ReadError>
            do throws(ReadError) {
                guard let record = try stream.next() else { return }
                content = .success(record)
            } catch {
                switch error.kind {
                case .file, .unrecognized:
                    self.content.note(error)
                    continue
                case .broken, .tooLarge: content = .failure(error)
                }
            }
            if number >= numbers.lowerBound {
                var bytes: [UInt8] = []
                var fingerprint: String?
                if let last, stream.place.length == last.bytes.count,
                    stream.place.offset < last.offset + last.bytes.count
                {
                    // All records of a drawing have the entire drawing as their bytes.
                    (bytes, fingerprint) = (last.bytes, last.knownFingerprint)
                } else {
                    stream.copyRecordBytes(to: &bytes)
                    fingerprint = Fingerprint(bytes).text
                }
                let record = BrowsedRecord(
                    number: number + 1, content: content, issues: stream.issues, version: stream.place.version,
                    bytes: bytes, offset: stream.place.offset, header: stream.header, knownFingerprint: fingerprint)
                last = record
                if !take(number, record) { return }
            }
            number += 1
        }
    }
}

extension SheetHeader {
    /// The names of the field columns if the table has no other fields.
    var namesOfFields: [Text] {
        hasAllColumns ? columns.indices.filter { $0 != subjectColumn }.map { columns[$0].name } : []
    }
}
