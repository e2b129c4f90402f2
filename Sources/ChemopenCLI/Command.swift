/// A command of the program: parse, call one verb of the library, print.
protocol Command: SendableMetatype {
    static var name: String { get }
    /// A line for the list of commands.
    static var summary: String { get }
    static var usage: String { get }
    /// Lines that stand in the help behind the usage.
    static var remarks: [String] { get }
    static var example: String { get }
    /// The words that its operands may be, where they can be listed; otherwise they are files.
    static var words: [String] { get }
    static var options: [Option] { get }
    static var reading: Reading { get }
    /// Whether an operand may be an address, from which the file is fetched.
    static var fetches: Bool { get }

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus
}

/// The use that a command makes of the files that it is given, and so which options it has for that.
enum Reading {
    /// It reads none, or none that are chemical.
    case nothing
    /// It reads them, and counts no hydrogens.
    case records
    /// It reads them and shows, compares or writes what follows from their hydrogens.
    case hydrogens

    var options: [Option] {
        switch self {
        case .nothing: []
        case .records: [.from]
        case .hydrogens: [.from, .valence]
        }
    }
}

extension Command {
    static var remarks: [String] { [] }
    static var words: [String] { [] }
    static var reading: Reading { .nothing }
    static var fetches: Bool { false }

    /// All that the command takes.
    static var allOptions: [Option] { options + reading.options + (fetches ? Option.fetching : []) + [.help] }
}
