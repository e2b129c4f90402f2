extension RecordCollection {
    /// The numbers of the records of the file whose key has a value: that of the field `key` or, where none is named, their
    /// title or else a field that tells the records apart. Where nothing is called so, a number means itself.
    public func numbers(called value: Text, key: Text? = nil) throws(Conversion.Failure) -> [Int] {
        do throws(ReadError) {
            let candidates = try RecordKey.candidates(in: text.file, named: key)
            var found = candidates.map { _ in [Int]() }
            var records = try text.file.records(skippingStructures: true)
            var number = 0
            while true {
                number += 1
                do throws(ReadError) {
                    guard let record = try records.next() else { break }
                    for (place, key) in candidates.enumerated() where key.value(in: record) == value.inUTF8.bytes {
                        found[place].append(number)
                    }
                } catch {
                    if case .file = error.kind { throw error }
                }
            }
            if let called = found.first(where: { !$0.isEmpty }) { return called }
            if key == nil, let number = Int(value.string), (1..<count + 1).contains(number) { return [number] }
            return []
        } catch {
            throw .read(error)
        }
    }

    /// The numbers of the records of the file that are wanted, and the tally of the choice.
    package func numbers(
        of selection: RecordSelection
    ) throws(Conversion.Failure) -> (numbers: [Int], choice: RecordChoice) {
        var selector = RecordSelector(selection, from: path)
        var numbers: [Int] = []
        do throws(ReadError) {
            var records = try text.file.records(skippingStructures: !selection.readsStructures)
            var record = Record()
            while !selector.isBehindAll(records) {
                do throws(ReadError) {
                    guard try records.read(into: &record) else { break }
                    if selector.takes(record, of: records) { numbers.append(records.place.record) }
                } catch {
                    if case .file = error.kind { throw error }
                    // A record that cannot be read can be chosen by its number.
                    if selection.numbers?.contains(records.place.record) == true {
                        numbers.append(records.place.record)
                    }
                }
            }
            selector.finish(records)
        } catch {
            throw .read(error)
        }
        return (numbers, selector.choice)
    }

    /// Puts the records of another file in, the first of them under a number; at the end where none is given.
    ///
    /// - Returns: the changes, and the parts of the other file's records that have no place in this one.
    public mutating func insert(
        contentsOf other: RecordCollection, at number: Int? = nil
    ) throws(Conversion.Failure) -> (changes: ChangeSet, report: LossReport) {
        var report = LossReport()
        var versions: [RecordText.Version] = []
        let records = try other.text.records(Array(0..<other.text.records.count))
        var rows = RowsAsRecords(other.text.header, to: format)
        for place in other.text.records.indices {
            guard var record = records[place] else {
                throw .impossible("\(other.path.shown): record \(place + 1) cannot be read; nothing is inserted")
            }
            if text.takesText(of: other.text) {
                let bytes = Array(other.text.bytes[other.text.records[place]])
                versions.append(RecordText.Version(bytes: bytes, record: record))
            } else {
                rows?.prepare(&record, row: place + 1)
                let written = try text.written(record)
                report.add(written.losses, inRecord: place + 1)
                versions.append(written.version)
            }
        }
        return (try insert(versions, at: number), report)
    }
}
