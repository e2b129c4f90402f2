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

    /// Becomes the other status if that is graver.
    mutating func raise(to other: ExitStatus) {
        self = max(self, other)
    }
}
