import Chemopen

/// A command of the program: it parses arguments, calls a function of the library and prints the result.
protocol Command: SendableMetatype {
    static var name: String { get }
    /// The line in the list of commands.
    static var summary: String { get }
    /// The part of the list of commands that contains the command.
    static var group: CommandGroup { get }
    /// Whether long output is shown in a pager.
    static var isPaged: Bool { get }
    static var usage: String { get }
    /// Lines of the help after the options.
    static var remarks: [String] { get }
    static var example: String { get }
    static var moreExamples: [String] { get }
    /// The valid operands, if they can be listed. Otherwise operands are files.
    static var words: [String] { get }
    static var options: [Option] { get }
    static var reading: Reading { get }
    /// Whether the operand `-` reads a file from standard input.
    static var takesPipe: Bool { get }
    /// Whether an operand may be an address to download.
    static var fetches: Bool { get }
    /// Whether the process is restricted to the files that its arguments name.
    static var isConfined: Bool { get }
    /// The directories in which a restricted command writes.
    static func outputFolders(_ arguments: Arguments) -> [LocalPath]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus
}

/// A part of the list of commands in the help.
enum CommandGroup: String, CaseIterable {
    case look = "Look"
    case convert = "Convert and search"
    case tables = "Tables"
    case edit = "Edit and history"
    case desktop = "Desktop"
    case network = "Server and network"
    /// Commands for other programs. The help omits them, except for `chemopen help all`.
    case programs = "For programs"
}

/// How a command uses its input files, which determines its options for reading.
enum Reading {
    /// The command reads no files, or only files that are not chemical.
    case nothing
    /// The command reads or edits records without counting hydrogens.
    case records
    /// The command shows, compares or writes results that depend on hydrogens.
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
    /// This is the default, because most commands treat a file as a table of records.
    static var group: CommandGroup { .tables }
    static var isPaged: Bool { group == .tables }
    static var remarks: [String] { [] }
    static var moreExamples: [String] { [] }
    static var words: [String] { [] }
    static var reading: Reading { .nothing }
    static var takesPipe: Bool { reading != .nothing }
    static var fetches: Bool { false }
    static var isConfined: Bool { false }
    static func outputFolders(_ arguments: Arguments) -> [LocalPath] { [] }

    /// The last lines of the help: a single example or a list of examples.
    static var exampleLines: [String] {
        moreExamples.isEmpty ? ["Example: \(example)"] : ["Examples:"] + ([example] + moreExamples).map { "  \($0)" }
    }

    /// All options of the command.
    static var allOptions: [Option] {
        var all = options + reading.options + (fetches ? Option.fetching : [])
        // An option of the command can override the name of a common option, as in depict, or its letter, as in grep.
        if !all.contains(.coloring) { all.append(.coloring) }
        return all + [all.contains { $0.short == Option.help.short } ? .longHelp : .help]
    }
}

/// Former option names and their replacements.
let renamedOptions = ["--ground": "--background", "--most": "--limit", "--withdraw": "--revoke"]

/// An option of a command, declared with its help text.
struct Option: Sendable, Equatable {
    /// The long form with both dashes: `--to`.
    let name: String
    /// The short form with its dash: `-o`.
    let short: String?
    /// The placeholder for the option's value in the help; `nil` for a flag.
    let value: String?
    let help: String
    /// Whether the value is a path.
    let isPath: Bool
    /// The valid values, if they can be listed.
    let choices: [String]
    /// Whether the option can be repeated. For other options, a second value would replace the first, so it is an
    /// error.
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

    /// Creates an option with a path as its value.
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

    /// The names and the value: `-o, --to FORMAT`, or `--json`.
    var names: String {
        (short.map { $0 + ", " } ?? "") + name + (value.map { " " + $0 } ?? "")
    }
}

extension Option {
    static let help = Option("--help", "-h", help: "show this help")
    static let longHelp = Option("--help", help: "show this help")
    static let coloring = Option(
        "--color", value: "WHEN", choices: Terminal.Coloring.allCases.map(\.rawValue),
        help: "use colors: auto (default: on a terminal), always or never")
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
    /// The options of commands that accept addresses.
    static let fetching: [Option] = [.offline, .encrypt]
    static let threads = Option("--jobs", "-j", value: "N", help: "use N threads; 0 means one per processor")
}

extension FormatRegistry {
    /// The formats that can be written.
    var writable: [Format] { all.filter { $0.isWritable } }
}
