extension RecordCollection {
    /// Finds records of the file by their key.
    ///
    /// The key is the field `key`. By default it is the title, or a field that identifies the records. If no record has
    /// this key and the key is a number, it is used as the record number.
    ///
    /// - Returns: The numbers of the records, from 1.
    /// - Throws: `Conversion.Failure` if the file cannot be read.
    public func numbers(called value: Text, key: Text? = nil) throws(Conversion.Failure) -> [Int] {
        try text.file.numbers(called: value, key: key)
    }

    /// Finds the records of the file that satisfy all criteria.
    ///
    /// - Returns: The numbers of the records, from 1.
    /// - Throws: `Conversion.Failure` if the file cannot be read or a criterion cannot be evaluated.
    public func numbers(where criteria: RecordFilter...) throws(Conversion.Failure) -> [Int] {
        try text.file.numbers(of: RecordSelection(criteria)).numbers
    }

    /// Returns the numbers of the selected records of the file, and statistics about the selection.
    package func numbers(
        of selection: RecordSelection
    ) throws(Conversion.Failure) -> (numbers: [Int], choice: SelectionStatistics) {
        try text.file.numbers(of: selection)
    }

    /// Inserts the records of another file.
    ///
    /// If the records of this file have coordinates and an inserted record does not, the changes contain a remark.
    ///
    /// - Parameters:
    ///   - number: The number of the first new record. By default, the records are appended.
    ///   - layingOut: Whether to compute 2D coordinates for records without coordinates.
    /// - Returns: The changes, and the data that this file's format cannot represent.
    /// - Throws: `Conversion.Failure` if a record is unreadable or cannot be inserted. The collection is then
    ///   unchanged.
    public mutating func insert(
        contentsOf other: RecordCollection, at number: Int? = nil, layingOut: Bool = false
    ) throws(Conversion.Failure) -> (changes: ChangeSet, report: LossReport) {
        var report = LossReport()
        var versions: [RecordText.Version] = []
        let records = try other.text.records(Array(0..<other.text.records.count))
        var rows = RowsAsRecords(other.text.header, to: format)
        var (unplaced, laidOut) = (0, false)
        let mayLackCoordinates =
            format.supportedFeatures.contains(.coordinates) ? try text.hasCoordinates() : false
        for place in other.text.records.indices {
            guard var record = records[place] else {
                throw .impossible("\(other.path.shown): record \(place + 1) is unreadable; no records were inserted")
            }
            var isUnplaced = mayLackCoordinates && record.lacksCoordinates
            if isUnplaced, layingOut, record.subject.layOut() == .placed {
                (isUnplaced, laidOut) = (false, true)
            }
            if isUnplaced { unplaced += 1 }
            defer { laidOut = false }
            if text.takesText(of: other.text), !laidOut {
                let bytes = Array(other.text.bytes[other.text.records[place]])
                versions.append(RecordText.Version(bytes: bytes, record: record))
            } else {
                rows?.prepare(&record, row: place + 1)
                let written = try text.written(record)
                report.add(written.losses, inRecord: place + 1)
                versions.append(written.version)
            }
        }
        var changes = try insert(versions, at: number)
        if unplaced > 0 {
            let reason = layingOut ? "no layout could be computed" : "use --layout to compute them"
            changes.remarks.append(
                "\(recordCount(unplaced)) without coordinates, unlike the records of \(path.shown) (\(reason))")
        }
        return (changes, report)
    }

    /// Returns the structure of a record as this format represents it, and the data that are lost.
    ///
    /// - Throws: `Conversion.Failure` if the format cannot store the structure.
    package func adapted(_ record: Record) throws(Conversion.Failure) -> (record: Record, losses: [Loss]) {
        var bare = Record()
        bare.subject = record.subject
        let written = try text.written(bare)
        return (written.version.record, written.losses)
    }
}
