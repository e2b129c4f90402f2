/// The exit status of the program. With several inputs, the highest status applies.
enum ExitStatus: Int32, Comparable, CaseIterable {
    case done = 0
    case incomplete = 1
    case usage = 2
    case unreadable = 3
    case noApplication = 4
    case unwritable = 5

    /// The description in the help.
    var meaning: String {
        switch self {
        case .done: "success"
        case .incomplete:
            "incomplete: a bad record, a loss with --strict, a problem found, or no match"
        case .usage: "usage error"
        case .unreadable: "an input could not be read or is not a chemical file"
        case .noApplication: "no application can open the file"
        case .unwritable: "an output could not be written"
        }
    }

    static func < (one: ExitStatus, other: ExitStatus) -> Bool {
        one.rawValue < other.rawValue
    }

    /// Changes to another status if that is higher.
    mutating func raise(to other: ExitStatus) {
        self = max(self, other)
    }
}
