// Which records of a file are meant.

extension RereadFile {
    /// The numbers of the records whose key has a value; where nothing is called so, a number means itself.
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

    /// The numbers of the records of the file that are wanted, and the tally of the choice.
    func numbers(of selection: RecordSelection) throws(Conversion.Failure) -> (numbers: [Int], choice: RecordChoice) {
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
    /// The numbers of the records that are wanted of those to come, the tally of the choice, and why the file broke off.
    ///
    /// - Parameter goesOn: gets the numbers so far and the bytes read, and says whether to go on.
    package mutating func numbers(
        of selection: RecordSelection, from path: LocalPath, while goesOn: ([Int], Int) -> Bool = { _, _ in true }
    ) -> (numbers: [Int], choice: RecordChoice, failure: ReadError?) {
        var selector = RecordSelector(selection, from: path)
        var numbers: [Int] = []
        var record = Record()
        var failure: ReadError?
        while !selector.isBehindAll(self), failure == nil, goesOn(numbers, bytesRead) {
            do throws(ReadError) {
                guard try read(into: &record) else { break }
                if selector.takes(record, of: self) { numbers.append(place.record) }
            } catch {
                if case .file = error.kind { failure = error }
                // A record that cannot be read can be chosen by its number.
                if failure == nil, selection.numbers?.contains(place.record) == true { numbers.append(place.record) }
            }
        }
        selector.finish(self)
        return (numbers, selector.choice, failure)
    }
}
