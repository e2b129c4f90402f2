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
        var selector = RecordSelector(selection, from: path)
        var numbers: [Int] = []
        do throws(ReadError) {
            var records = try self.records(skippingStructures: !selection.readsStructures)
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
}
