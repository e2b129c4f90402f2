import Chemopen

extension Option {
    static let to = Option(
        "--to", "-o", value: "FORMAT", choices: FormatRegistry.standard.writable.map(\.id),
        help: "write FORMAT, whatever OUT is called")
    static let output = Option("--output", "-O", path: "OUT", help: "the output; then all operands are inputs")
    static let split = Option("--split", path: "DIR", help: "write each record into a file of its own in DIR")
    static let splitBy = Option("--split-by", value: "FIELD", help: "name these files by a field instead of the number")
    static let v2000 = Option("--v2000", help: "write MDL V2000 in any case")
    static let v3000 = Option("--v3000", help: "write MDL V3000 in any case; otherwise what the content needs")
    static let canonical = Option("--canonical", help: "write SMILES that is the same in whatever order the atoms come")
    static let columnNames = Option(
        "--columns", value: "NAME,...", help: "give a CSV or TSV these columns, in this order: SMILES,Name,MASS")
    static let expandInto = Option("--expand", help: "turn abbreviations into their atoms")
    static let layout = Option(
        "--layout", help: "make drawings of what has no coordinates or stands in space, with wedges")
    static let rewrite = Option("--rewrite", help: "write anew what could be copied byte for byte")
    static let onError = Option(
        "--on-error", value: "DO", choices: Conversion.ErrorPolicy.allCases.map(\.rawValue),
        help: "at a broken record: skip (default), stop, or keep it in OUT.rejects")
    static let strict = Option("--strict", help: "end with status 1 if anything was left out")
    static let report = Option("--report", path: "FILE", help: "write losses and errors to FILE as JSON Lines")
    static let dryRun = Option("--dry-run", help: "write nothing, only tell what would be left out")
    static let gzipLevel = Option(
        "--gzip-level", value: "N", help: "pack an OUT.gz at level N: 1 is fast, 9 small (default: 6)")
    static let style = Option(
        "--style", path: "FILE", help: "give a drawing the fonts, colours and lengths of the drawing FILE")
    static let force = Option("--force", "-f", help: "replace existing files")
}

/// `chemopen convert`: rewrite files in another format.
enum ConvertCommand: Command {
    static let name = "convert"
    static let summary = "rewrite files in another format"
    static let usage = "chemopen convert [options] IN... OUT"
    static let example = "chemopen convert --where 'MASS < 500' kinases.sdf.gz small.rdf"
    static let options: [Option] = [
        .to, .output, .records, .condition, .smarts, .substructure, .exact, .split, .splitBy, .v2000, .v3000,
        .canonical, .columnNames, .expandInto, .layout, .compute,
        .rewrite, .style, .threads,
        .onError, .strict, .report, .json, .dryRun, .gzipLevel, .force,
    ]
    static let reading = Reading.hydrogens
    static let fetches = true
    static let remarks = [
        "The formats are told by the content of IN and the extension of OUT. - is standard input or output;",
        "an OUT that ends in .gz is gzipped. Several --where and --smarts must all be fulfilled.",
        "A whole ChemDraw drawing keeps all that stands on its pages in CDX and CDXML, also with --rewrite;",
        "a part of one, and several, are laid out anew. Without -j up to 4 threads work on a file of 4 MB or",
        "more where its records are searched by structure or written in another format.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        let request = try ConversionRequest(arguments, on: terminal)
        if arguments.has(.strict), holdsConflicts(request.inputs, terminal) {
            if request.printsJSON {
                var (account, json) = (ConversionAccount(), JSON())
                account.failure = "git has left conflicts; nothing is written"
                account.write(request, nil, [], .incomplete, to: &json)
                terminal.write(json.bytes)
            }
            return .incomplete
        }
        let teller = try ConversionTeller(request, on: terminal)
        do throws(Conversion.Failure) {
            let summary = try request.conversion.run(
                request.inputs, to: request.output, tell: teller.tell, progress: teller.show)
            return teller.finish(summary)
        } catch {
            return try teller.fail(error)
        }
    }

    /// Tells where git has left a conflict. Of such files nothing is written.
    private static func holdsConflicts(_ inputs: [Source], _ terminal: Terminal) -> Bool {
        var isFound = false
        for input in inputs {
            // A file that cannot be read is told by whoever reads it.
            for marks in (try? ConflictMarks.find(in: input)) ?? [] {
                let place = "\(input.name.shown):\(marks.lines.lowerBound)"
                terminal.tell(.error, of: place, "\(marks); nothing is written")
                isFound = true
            }
        }
        return isFound
    }
}
