import Chemopen

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
    /// Whether `-` is an operand that it reads, as a file that comes through a pipe.
    static var takesPipe: Bool { get }
    /// Whether an operand may be an address, from which the file is fetched.
    static var fetches: Bool { get }

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus
}

/// The use that a command makes of the files that it is given, and so which options it has for that.
enum Reading {
    /// It reads none, or none that are chemical.
    case nothing
    /// It reads them, or changes bytes of theirs, and counts no hydrogens.
    case records
    /// It reads them and shows, compares or writes what follows from their hydrogens.
    case hydrogens

    var options: [Option] {
        switch self {
        case .nothing: []
        case .records: [.from]
        case .hydrogens: [.from, .encoding, .valence]
        }
    }
}

extension Command {
    static var remarks: [String] { [] }
    static var words: [String] { [] }
    static var reading: Reading { .nothing }
    static var takesPipe: Bool { reading != .nothing }
    static var fetches: Bool { false }

    /// All that the command takes.
    static var allOptions: [Option] { options + reading.options + (fetches ? Option.fetching : []) + [.help] }
}

/// Former names of options, with the present ones.
let renamedOptions = ["--ground": "--background", "--most": "--limit", "--withdraw": "--revoke"]

/// An option of a command, declared once with its help beside the command that takes it.
struct Option: Sendable, Equatable {
    /// With both dashes: `--to`.
    let name: String
    /// With its dash: `-o`.
    let short: String?
    /// The name of the option's value in the help; `nil` for an option that is only given or not.
    let value: String?
    let help: String
    /// The value is a path.
    let isPath: Bool
    /// The values that it takes, where they can be listed.
    let choices: [String]
    /// It may be given several times. Of any other option a second value would put the first aside.
    let isRepeatable: Bool

    init(
        _ name: String, _ short: String? = nil, value: String? = nil, choices: [String] = [],
        isRepeatable: Bool = false, help: String
    ) {
        self.name = name
        self.short = short
        self.value = value
        self.help = help
        self.choices = choices
        self.isRepeatable = isRepeatable
        isPath = false
    }

    /// An option whose value is a path.
    init(_ name: String, _ short: String? = nil, path: String, isRepeatable: Bool = false, help: String) {
        self.name = name
        self.short = short
        value = path
        self.help = help
        choices = []
        self.isRepeatable = isRepeatable
        isPath = true
    }

    static func == (one: Option, other: Option) -> Bool {
        one.name == other.name
    }

    /// The first column of the help: `-o, --to FORMAT`.
    var synopsis: String {
        (short == nil ? "    " : "") + names
    }

    /// `-o, --to FORMAT`, or `--json`.
    var names: String {
        (short.map { $0 + ", " } ?? "") + name + (value.map { " " + $0 } ?? "")
    }
}

extension Option {
    static let help = Option("--help", "-h", help: "show this help")
    static let json = Option("--json", help: "print one JSON object per line")
    static let remarks = Option("--remarks", help: "list remarks as well: deviations that need no action")
    static let from = Option(
        "--from", "-i", value: "FORMAT", choices: FormatRegistry.standard.all.filter { $0.makeReader != nil }.map(\.id),
        help: "read as FORMAT; by default the format is detected")
    static let encoding = Option(
        "--encoding", value: "NAME", choices: CharacterEncoding.commonNames,
        help: "text encoding as in iconv, unless the file declares one")
    static let valence = Option(
        "--valence", value: "YEAR", choices: ["2009", "2017"],
        help: "count hydrogens by MDL's rule of 2009 (default) or 2017: none on metals")
    static let offline = Option("--offline", help: "use cached copies only; never access the network")
    static let encrypt = Option("--encrypt", help: "encrypt cached files with a key from the keyring")
    /// The options of a command that takes addresses.
    static let fetching: [Option] = [.offline, .encrypt]
    static let threads = Option("--jobs", "-j", value: "N", help: "use N threads; 0 means one per processor")
}

extension FormatRegistry {
    /// The formats that can be written.
    var writable: [Format] { all.filter { $0.makeWriter != nil } }
}
