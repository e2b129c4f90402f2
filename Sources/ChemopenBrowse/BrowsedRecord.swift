import Chemopen

/// A record as it was read for somebody to look at, or why it could not be.
struct BrowsedRecord: Sendable {
    /// From 1.
    let number: Int
    let content: Result<Record, ReadError>
    let issues: [Issue]
    /// The version of the format that it is written in.
    let version: String
    /// The bytes of the record as they stand.
    let bytes: [UInt8]
    /// Where it stands, in unpacked bytes.
    let offset: Int
    let header: SheetHeader

    var record: Record? { try? content.get() }

    /// A name for the bytes: another one means another record.
    var fingerprint: String { Fingerprint(bytes).text }
}

/// Reads some records of a file, each with all that a page can show of it.
struct RecordPages {
    let content: BrowsedContent
    let name: LocalPath

    /// More bytes are not read at once.
    private static let largestPiece = 1 << 20

    /// The records of a range of numbers from 0, in order.
    ///
    /// What the file fails with is an error of the first record that it costs.
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

    /// Reads records one after the other. `take` gets the number from 0, and says whether to go on.
    ///
    /// - Parameter text: records without these bytes are passed over, where that can be told without reading them.
    func read(
        _ numbers: Range<Int>, _ index: RecordIndex, holding text: SoughtBytes? = nil,
        _ take: (Int, BrowsedRecord) -> Bool
    ) {
        guard content.isIndexed else { return readThrough(numbers, take) }
        for piece in pieces(of: numbers, index) {
            // What the piece needs goes before the next one is read.
            let start = index.range(of: piece.lowerBound).lowerBound
            let end = index.range(of: piece.upperBound - 1).upperBound
            let bytes = (try? content.bytes(start..<end)) ?? []
            let sought = content.format.places?.keepsText == true ? text : nil
            if let sought, !sought.occur(in: bytes.span, 0..<bytes.count) { continue }
            for number in piece {
                let range = index.range(of: number)
                let place = clamped(range, by: start, to: bytes.count)
                if let sought, !sought.occur(in: bytes.span, place) { continue }
                if !take(number, record(number, Array(bytes[place]), at: range.lowerBound, index)) { return }
            }
        }
    }

    private func clamped(_ range: Range<Int>, by offset: Int, to count: Int) -> Range<Int> {
        (range.lowerBound - offset..<range.upperBound - offset).clamped(to: 0..<count)
    }

    /// Cuts a range of numbers into some whose bytes are not too many.
    func pieces(of numbers: Range<Int>, _ index: RecordIndex) -> [Range<Int>] {
        var pieces: [Range<Int>] = []
        var first = numbers.lowerBound
        for number in numbers {
            let next = number + 1
            let size = index.range(of: number).upperBound - index.range(of: first).lowerBound
            if size >= Self.largestPiece || next == numbers.upperBound {
                pieces.append(first..<next)
                first = next
            }
        }
        return pieces
    }

    // MARK: One record by itself

    /// What stands before and behind a piece of the file so that it can be read.
    private func framed(_ bytes: [UInt8], _ index: RecordIndex, isLast: Bool) throws(FileError) -> [UInt8] {
        guard let closing = content.format.places?.closing else { return bytes }
        let head = try content.bytes(0..<index.range(of: 0).lowerBound)
        return head + bytes + (isLast ? [] : closing)
    }

    private func source(of text: [UInt8], _ index: RecordIndex, isLast: Bool) throws(ReadError) -> ByteSource {
        do throws(FileError) {
            return try ByteSource(framed(text, index, isLast: isLast), name: name)
        } catch {
            throw ReadError(error)
        }
    }

    private func record(_ number: Int, _ text: [UInt8], at offset: Int, _ index: RecordIndex) -> BrowsedRecord {
        var options = ReadOptions()
        options.recordsBefore = number
        let stream: RecordStream
        do throws(ReadError) {
            let isLast = index.isComplete && number + 1 == index.count
            stream = try RecordStream.open(source(of: text, index, isLast: isLast), as: content.format, options)
        } catch {
            return BrowsedRecord(
                number: number + 1, content: .failure(error), issues: [], version: "", bytes: text, offset: offset,
                header: SheetHeader())
        }
        return Self.next(of: stream, number, text, at: offset, isFramed: content.format.places?.closing != nil)
    }

    private static func next(
        of stream: consuming RecordStream, _ number: Int, _ text: [UInt8], at offset: Int, isFramed: Bool
    ) -> BrowsedRecord {
        var stream = stream
        var content: Result<Record, ReadError>
        do throws(ReadError) {
            if var record = try stream.next() {
                // A row of a reaction sheet is a reaction.
                if isFramed, var experiments = ExperimentReader(stream.header) {
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
        if !isFramed { stream.copyRecordBytes(to: &bytes) }
        return BrowsedRecord(
            number: number + 1, content: content, issues: stream.issues, version: stream.place.version,
            bytes: bytes.isEmpty ? text : bytes, offset: offset, header: stream.header)
    }

    // MARK: From the beginning

    private func readThrough(_ numbers: Range<Int>, _ take: (Int, BrowsedRecord) -> Bool) {
        guard let source = try? content.source(), var stream = try? RecordStream.open(source, as: content.format) else {
            return
        }
        var number = 0
        while number < numbers.upperBound {
            var content: Result<Record, ReadError>
            do throws(ReadError) {
                guard let record = try stream.next() else { return }
                content = .success(record)
            } catch {
                content = .failure(error)
            }
            if number >= numbers.lowerBound {
                var bytes: [UInt8] = []
                stream.copyRecordBytes(to: &bytes)
                let record = BrowsedRecord(
                    number: number + 1, content: content, issues: stream.issues, version: stream.place.version,
                    bytes: bytes, offset: stream.place.offset, header: stream.header)
                if !take(number, record) { return }
            }
            if case .failure(let error) = content {
                switch error.kind {
                case .file, .unrecognised: return
                case .broken, .tooLarge: break
                }
            }
            number += 1
        }
    }
}
