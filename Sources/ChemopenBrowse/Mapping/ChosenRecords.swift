import Chemopen

/// The records of a file that pass the filter, as far as they have been found.
struct ChosenRecords: Sendable {
    /// The record numbers from 0, in order.
    private(set) var numbers: [UInt32] = []
    private(set) var choice: SelectionStatistics?
    private(set) var isComplete = false
    private(set) var progress = 0.0

    /// Updates the result.
    ///
    /// - Parameter known: all current numbers, from 1.
    mutating func note(_ known: [Int], progress: Double) {
        numbers += known.dropFirst(numbers.count).map { UInt32(clamping: $0 - 1) }
        self.progress = progress
    }

    mutating func finish(_ choice: SelectionStatistics?) {
        if isComplete { return }
        self.choice = choice
        (isComplete, progress) = (true, 1)
    }

    /// Adds the filter's statistics to those of other files, once they are known.
    func add(to tally: inout ChoiceTally) {
        if let choice { tally.add(choice, taken: numbers.count) }
    }

    /// Returns a note about the filter: its warnings, or only that there is a filter.
    func note(on selection: RecordSelection) -> String {
        guard isComplete, let choice else { return "" }
        let found = choice.remarks(on: selection, taken: numbers.count, isWhole: true, sawAll: true)
        return found.remarks.isEmpty ? "chosen" : found.remarks.map(\.text).joined(separator: "; ")
    }
}

extension BrowsedFile {
    /// The file, or its records that pass the filter.
    var chosenPart: Selection { Selection(file: self, numbers: chosen?.numbers) }

    /// Searches for the records that pass the filter and reports the results at intervals.
    func choose(while goesOn: () -> Bool) {
        let start = view
        guard let wanted, let content = start.content else { return }
        // Errors are reported while the index is created.
        guard var stream = try? content.stream(skippingStructures: !wanted.readsStructures) else {
            return finishChoice([], nil, generation: start.generation)
        }
        var seen = 0
        let size = stream.size
        let found = stream.numbers(of: wanted, from: path) { found, bytesRead in
            seen += 1
            guard seen.isMultiple(of: 512) else { return true }
            let progress = size.map { min(1, Double(bytesRead) / Double(max($0, 1))) } ?? 0
            return note(found, progress: progress, generation: start.generation) && goesOn()
        }
        finishChoice(found.numbers, found.choice, generation: start.generation)
    }
}
