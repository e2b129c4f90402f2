extension RecordCollection {
    /// The numbers of the records of the file whose key has a value: that of the field `key` or, where none is named, their
    /// title or else a field that tells the records apart. Where nothing is called so, a number means itself.
    public func numbers(called value: Text, key: Text? = nil) throws(Conversion.Failure) -> [Int] {
        try text.file.numbers(called: value, key: key)
    }

    /// The numbers of the records of the file that fulfil some criteria.
    public func numbers(where criteria: Criteria...) throws(Conversion.Failure) -> [Int] {
        try text.file.numbers(of: RecordSelection(criteria)).numbers
    }

    /// The numbers of the records of the file that are wanted, and the tally of the choice.
    package func numbers(
        of selection: RecordSelection
    ) throws(Conversion.Failure) -> (numbers: [Int], choice: RecordChoice) {
        try text.file.numbers(of: selection)
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
