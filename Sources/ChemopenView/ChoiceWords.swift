import Chemopen

extension RecordSelection {
    /// Parses an option of `chemopen view` that selects records. Returns whether the option and its value are valid.
    mutating func take(_ option: LocalPath, _ value: LocalPath) -> Bool {
        do {
            switch option {
            case "--records":
                guard let numbers = RecordNumbers(value.shown) else { return false }
                self.numbers = numbers
            case "--where": conditions.append(try RecordFilter(Text(bytes: value.bytes)))
            case "--smarts": structures.append(try SMARTSPattern(value.text ?? value.shown))
            case "--substructure": structures.append(try SMARTSPattern(drawnIn: value))
            case "--exact": structures.append(try SMARTSPattern(exactlyAsIn: value))
            case "--exact-or-racemate":
                structures.append(try SMARTSPattern(exactlyAsIn: value, findsRacemates: true))
            default: return false
            }
            return true
        } catch {
            return false
        }
    }
}
