// Finds the numbers of records in a file.

extension RereadFile {
    /// Returns the numbers of the records with a key. If there is no such record and the value is a number, it is used
    /// as the record number.
    func numbers(called value: Text, key: Text?) throws(Conversion.Failure) -> [Int] {
        do throws(ReadError) {
            let candidates = try RecordKey.candidates(in: self, named: key)
            var found = candidates.map { _ in [Int]() }
            var records = try self.records(skippingStructures: true)
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
            if key == nil, let wanted = Int(value.string), (1..<max(number, 1)).contains(wanted) { return [wanted] }
            return []
        } catch {
            throw .read(error)
        }
    }

    /// Returns the numbers of the selected records, and statistics about the selection.
    func numbers(of selection: RecordSelection) throws(Conversion.Failure) -> (
        numbers: [Int], choice: SelectionStatistics
    ) {
        if let problem = selection.problem { throw .impossible(problem) }
        do throws(ReadError) {
            var records = try self.records(skippingStructures: !selection.readsStructures)
            let found = records.numbers(of: selection, from: path)
            if let failure = found.failure { throw failure }
            return (found.numbers, found.choice)
        } catch {
            throw .read(error)
        }
    }
}

extension RecordStream {
    /// Returns the numbers of the selected records among the remaining ones, statistics about the selection, and the
    /// error that ended the file early, if any.
    ///
    /// - Parameter goesOn: Receives the numbers found and the bytes read, and returns whether to continue.
    package mutating func numbers(
        of selection: RecordSelection, from path: LocalPath, while goesOn: ([Int], Int) -> Bool = { _, _ in true }
    ) -> (numbers: [Int], choice: SelectionStatistics, failure: ReadError?) {
        var selector = RecordSelector(selection, from: path)
        var numbers: [Int] = []
        var record = Record()
        var failure: ReadError?
        while !selector.isFinished(self), failure == nil, goesOn(numbers, bytesRead) {
            do throws(ReadError) {
                guard try read(into: &record) else { break }
                if selector.takes(record, of: self) { numbers.append(place.record) }
            } catch {
                if case .file = error.kind { failure = error }
                // An unreadable record can be selected by its number.
                if failure == nil, selection.numbers?.contains(place.record) == true { numbers.append(place.record) }
            }
        }
        selector.finish(self)
        return (numbers, selector.choice, failure)
    }
}
