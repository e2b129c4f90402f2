import Chemopen

/// The records of a file that are wanted, as they come to light.
struct ChosenRecords: Sendable {
    /// From 0, in order.
    private(set) var numbers: [UInt32] = []
    private(set) var choice: RecordChoice?
    private(set) var isComplete = false
    private(set) var progress = 0.0

    /// Takes notice of all numbers, from 1, that are known up to now.
    mutating func note(_ known: [Int], progress: Double) {
        numbers += known.dropFirst(numbers.count).map { UInt32(clamping: $0 - 1) }
        self.progress = progress
    }

    mutating func finish(_ choice: RecordChoice?) {
        if isComplete { return }
        self.choice = choice
        (isComplete, progress) = (true, 1)
    }

    /// Adds the tally of the choice to that in other files, once it is known.
    func add(to tally: inout ChoiceTally) {
        if let choice { tally.add(choice, taken: numbers.count) }
    }

    /// A word on the choice: what may not have been meant by it, or only that there was one.
    func note(on selection: RecordSelection) -> String {
        guard isComplete, let choice else { return "" }
        let found = choice.remarks(on: selection, taken: numbers.count, isWhole: true, sawAll: true)
        return found.remarks.isEmpty ? "chosen" : found.remarks.map(\.text).joined(separator: "; ")
    }
}

extension BrowsedFile {
    /// The file, or those of its records that are wanted.
    var chosenPart: Selection { Selection(file: self, numbers: chosen?.numbers) }

    /// Looks for the records that are wanted, and tells of those found from time to time.
    func choose(while goesOn: () -> Bool) {
        let start = view
        guard let wanted, let content = start.content else { return }
        // An error is met and told by the pass that makes the index.
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
