import Chemopen

extension Option {
    static let to = Option(
        "--to", "-o", value: "FORMAT", choices: FormatRegistry.standard.writable.map(\.id),
        help: "write FORMAT; by default the extension of OUT decides")
    static let output = Option("--output", "-O", path: "OUT", help: "write to OUT")
    static let split = Option("--split", path: "DIR", help: "write each record to a separate file in DIR")
    static let splitBy = Option(
        "--split-by", value: "FIELD", help: "name these files by a field instead of the record number")
    static let v2000 = Option("--v2000", help: "always write MDL V2000")
    static let v3000 = Option("--v3000", help: "always write MDL V3000; by default only if the content needs it")
    static let canonical = Option("--canonical", help: "write canonical SMILES, which do not depend on the atom order")
    static let columnNames = Option(
        "--columns", value: "NAME,...", help: "write these columns to CSV or TSV, in this order: SMILES,Name,MASS")
    static let expandInto = Option("--expand", help: "replace abbreviations with their atoms")
    static let layout = Option(
        "--layout", help: "compute 2D coordinates and wedges for 3D or missing coordinates")
    static let noLayoutOfDrawing = Option(
        "--no-layout", help: "write 3D coordinates to CDX and CDXML, as a projection without wedges")
    static let rewrite = Option("--rewrite", help: "rewrite records even if they could be copied byte for byte")
    static let onError = Option(
        "--on-error", value: "DO", choices: Conversion.ErrorPolicy.allCases.map(\.rawValue),
        help: "on a broken record: skip it (default), stop, or keep it in OUT.rejects")
    static let strict = Option("--strict", help: "exit with status 1 if anything was left out")
    static let quietNotes = Option(
        "--quiet", "-q", help: "do not mention data that the format of OUT can never store")
    static let report = Option("--report", path: "FILE", help: "write losses and errors to FILE as JSON Lines")
    static let dryRun = Option("--dry-run", help: "write nothing; only report what would be left out")
    static let gzipLevel = Option(
        "--gzip-level", value: "N", help: "compression level of an OUT.gz: 1 is fast, 9 is small (default: 6)")
    static let style = Option(
        "--style", path: "FILE", help: "use the fonts, colors and lengths of the drawing FILE")
    static let force = Option("--force", "-f", help: "replace existing files")
}

/// `chemopen convert`: converts files to another format.
enum ConvertCommand: Command {
    static let name = "convert"
    static let group = CommandGroup.convert
    static let summary = "convert files to another format"
    static let usage = "chemopen convert [options] IN... OUT"
    static let example = "chemopen convert --where 'MASS < 500' kinases.sdf.gz small.rdf"
    static let moreExamples = [
        "chemopen convert *.mol all.sdf",
        "chemopen convert --split parts --to mol kinases.sdf",
    ]
    static let options: [Option] = [
        .to, .output, .records, .condition, .smarts, .substructure, .exact, .racemates, .split, .splitBy, .v2000,
        .v3000,
        .canonical, .columnNames, .expandInto, .layout, .noLayoutOfDrawing, .compute,
        .rewrite, .style, .threads,
        .onError, .strict, .quietNotes, .report, .json, .dryRun, .gzipLevel, .force,
    ]
    static let reading = Reading.hydrogens
    static let fetches = true
    static let remarks = [
        "The input format is detected from the content, the output format from the extension of OUT. - is",
        "standard input or output. If OUT ends in .gz, it is compressed. If you give several --where and",
        "--smarts, a record must match all of them. With -O, all operands are inputs. Converting a complete",
        "ChemDraw file to CDX or CDXML preserves everything on its pages, also with --rewrite; several files",
        "or chosen records get a new layout. Without -j, up to 4 threads are used for a file of 4 MB or more",
        "if its records are searched by structure or converted to another format.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        let request = try ConversionRequest(arguments, on: terminal)
        if arguments.has(.strict), holdsConflicts(request.inputs, terminal) {
            if request.printsJSON {
                var (account, json) = (ConversionAccount(), JSON())
                account.failure = "the input contains git conflicts; no output was written"
                account.write(request, nil, [], .incomplete, to: &json)
                terminal.write(json.bytes)
            }
            return .incomplete
        }
        let teller = try ConversionReporter(request, on: terminal)
        do throws(Conversion.Failure) {
            let summary = try request.conversion.run(
                request.inputs, to: request.output, tell: teller.tell, progress: teller.show)
            return teller.finish(summary)
        } catch {
            return try teller.fail(error)
        }
    }

    /// Reports conflict markers that git has left in the inputs. Such files are not converted.
    private static func holdsConflicts(_ inputs: [Source], _ terminal: Terminal) -> Bool {
        var isFound = false
        for input in inputs {
            // The conversion itself reports files that cannot be read.
            for marks in (try? ConflictMarks.find(in: input)) ?? [] {
                let place = "\(input.name.shown):\(marks.lines.lowerBound)"
                terminal.tell(.error, of: place, "\(marks); no output was written")
                isFound = true
            }
        }
        return isFound
    }
}
