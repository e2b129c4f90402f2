/// The program's verdict on its work when it ends. With several inputs the highest counts.
enum ExitStatus: Int32, Comparable, CaseIterable {
    case done = 0
    case incomplete = 1
    case usage = 2
    case unreadable = 3
    case noApplication = 4
    case unwritable = 5

    /// For the help.
    var meaning: String {
        switch self {
        case .done: "done"
        case .incomplete:
            "done, but not all of it: an unreadable record, a loss under --strict, a finding, none chosen"
        case .usage: "wrong usage"
        case .unreadable: "an input could not be opened or is not a chemical file"
        case .noApplication: "no application can take it"
        case .unwritable: "an output could not be written"
        }
    }

    static func < (one: ExitStatus, other: ExitStatus) -> Bool {
        one.rawValue < other.rawValue
    }

    /// Becomes the other status if that is graver.
    mutating func raise(to other: ExitStatus) {
        self = max(self, other)
    }
}
