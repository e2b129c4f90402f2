import Chemopen

extension RecordSelection {
    /// Takes an option that chooses records, as `chemopen view` has it; says whether it is one with a value that is
    /// understood.
    mutating func take(_ option: LocalPath, _ value: LocalPath) -> Bool {
        do {
            switch option {
            case "--records":
                guard let numbers = RecordNumbers(value.shown) else { return false }
                self.numbers = numbers
            case "--where": conditions.append(try Criteria(Text(bytes: value.bytes)))
            case "--smarts": structures.append(try SMARTSPattern(value.text ?? value.shown))
            case "--substructure": structures.append(try SMARTSPattern(drawnIn: value))
            case "--exact": structures.append(try SMARTSPattern(exactlyAsIn: value))
            default: return false
            }
            return true
        } catch {
            return false
        }
    }
}
