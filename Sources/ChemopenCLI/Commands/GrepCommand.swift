import Chemopen

extension Option {
    static let invert = Option("--invert-match", "-v", help: "use the records that do not contain the pattern")
    static let countOnly = Option("--count", "-c", help: "print only the number of records per file")
    static let listFiles = Option("--files-with-matches", "-l", help: "print only the names of files with hits")
    static let numbers = Option(
        "--record-number", "-n", help: "print one line per record: its number and title")
    static let quiet = Option(
        "--quiet", "-q", help: "print no output; the exit status shows whether a record was found")
    static let withoutNames = Option("--no-filename", "-h", help: "do not print the names of files")
    static let withNames = Option(
        "--with-filename", "-H", help: "print the name of the file even if it is the only one")
    static let pattern = Option(
        "--pattern", "-e", value: "PATTERN", isRepeatable: true,
        help: "find this SMARTS pattern, or any of several; all operands are files")
    static let mostHits = Option("--max-count", "-m", value: "N", help: "stop after N records of a file")
    static let recursive = Option("--recursive", "-r", help: "search all files in directories")
}

/// `chemopen grep`: finds records that contain a structure.
enum GrepCommand: Command {
    static let name = "grep"
    static let group = CommandGroup.convert
    static let isPaged = true
    static let summary = "print the records that contain a structure, given as SMARTS or as a drawing"
    static let usage = "chemopen grep [options] PATTERN FILE..."
    static let example = "chemopen grep '[CX3](=O)[OX2H1]' supplier.sdf.gz > acids.sdf"
    static let moreExamples = [
        "chemopen grep -c --where 'MASS < 500' c1ccccc1 *.sdf",
        "chemopen grep -r --exact caffeine.mol projects/",
    ]
    static let options: [Option] =
        [.invert, .countOnly, .listFiles, .numbers, .quiet, .withNames, .withoutNames, .pattern, .mostHits, .recursive]
        + Option.selecting + [.threads, .json]
    static let reading = Reading.hydrogens
    static let fetches = true
    static let remarks = [
        "Records are printed unchanged; records of single-structure files are printed as SD records. On a",
        "terminal, each hit is one line with its SMILES and the matched atoms highlighted.",
        "Aromaticity follows RDKit's rules. The exit status is 0 if a record is found and 1 if not. With",
        "--pattern, --substructure or --exact, all operands are files. A drawn hydrogen is not an atom of its",
        "own: [H]O and [OH] find the same records. --json prints one line per record with its text (without",
        "it if -n is given), or one line per file with -c and -l. Without -j, up to 4 threads search a file",
        "of 4 MB or more. Standard input is read as SMILES if its first lines are only SMILES.",
        "A pattern with >>, such as CO>>C=O, finds reactions. Each of its components must match a different",
        "component of the same role, and atoms with the same map number on both sides must match such atoms.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        var run = GrepRun(arguments, on: terminal)
        var files = arguments.operands
        run.search.source = try arguments.format(of: .from)
        run.search.selection = try arguments.selection()
        if arguments.has(.pattern) {
            let alternatives = try arguments.values(of: .pattern).map(pattern)
            run.search.patterns = [SMARTSPattern(anyOf: alternatives)]
            run.highlighted = alternatives
        } else if arguments.has(.substructure) || arguments.has(.exact) {
            // In this case no operand is a pattern, and `-v` inverts the structures given with the option.
            swap(&run.search.patterns, &run.search.selection.structures)
        } else if let word = files.first {
            files.removeFirst()
            run.search.patterns = [try pattern(word)]
        } else {
            throw UsageError("grep requires a pattern and a file, as in: \(example)")
        }
        if run.highlighted.isEmpty { run.highlighted = run.search.patterns }
        run.search.isInverted = arguments.has(.invert)
        run.search.reading = try arguments.readOptions()
        run.search.threads = try arguments.threadCount(usual: Arguments.threadsForLongWork(on: files))
        run.most = try arguments.number(of: .mostHits, in: 0...Int.max) ?? .max
        if arguments.has(.quiet) { run.most = min(run.most, 1) }
        if files.isEmpty {
            guard arguments.has(.recursive) else { throw UsageError("no file specified (use - for standard input)") }
            files = ["."]
        }
        return run.run(files.map { arguments.source($0) }, isRecursive: arguments.has(.recursive))
    }

    /// Parses a pattern. An error includes the pattern with its invalid part marked.
    static func pattern(_ word: LocalPath) throws(UsageError) -> SMARTSPattern {
        let text = word.text ?? word.shown
        do throws(SMARTSError) {
            return try SMARTSPattern(text)
        } catch {
            let before = String(decoding: Array(text.utf8).prefix(error.range.lowerBound), as: UTF8.self)
            let marked = min(error.range.count, 40)
            throw UsageError("the pattern: \(error.message)", in: text, at: (before.unicodeScalars.count, marked))
        }
    }
}
