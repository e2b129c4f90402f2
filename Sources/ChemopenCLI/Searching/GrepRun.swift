import Chemopen

/// Searches files for structures.
struct GrepRun {
    var search = StructureSearch([])
    var most = Int.max
    /// The patterns whose atoms are highlighted. The alternatives of a search are separate patterns here.
    var highlighted: [SMARTSPattern] = []
    private let terminal: Terminal
    private let shows: Shows
    private let printsJSON: Bool
    private var status = ExitStatus.done
    private var tally = ChoiceTally(of: RecordSelection())
    private var hits = 0
    private var abandoned = 0
    private var namesFiles = false
    private var hitLine = HitLine([])
    /// Whether to print the names of files, if an option specifies it.
    private let wantsNames: Bool?

    /// On a terminal, a line is shown for each hit instead of its record.
    private enum Shows { case records, lines, numbers, counts, files, nothing }

    init(_ arguments: Arguments, on terminal: Terminal) {
        self.terminal = terminal
        printsJSON = arguments.has(.json)
        wantsNames = arguments.has(.withNames) ? true : arguments.has(.withoutNames) ? false : nil
        shows =
            arguments.has(.quiet)
            ? .nothing
            : arguments.has(.listFiles)
                ? .files
                : arguments.has(.countOnly)
                    ? .counts
                    : arguments.has(.numbers)
                        ? .numbers : terminal.isInteractive && !arguments.has(.json) ? .lines : .records
    }

    mutating func run(_ sources: [Source], isRecursive: Bool) -> ExitStatus {
        tally = ChoiceTally(of: search.selection)
        search.handsOutRecords = shows == .records || shows == .lines
        namesFiles = wantsNames ?? (sources.count > 1 || isRecursive)
        var output = HitOutput(terminal, among: search.reading.formats)
        hitLine = HitLine(search.isInverted ? [] : highlighted)
        for source in sources where shows != .nothing || hits == 0 {
            if isRecursive, let path = source.path, fileKind(path) == .directory {
                FolderWalk.forEachFile(in: path) { look(in: Source($0), isNamed: false, &output) }
            } else {
                look(in: source, isNamed: true, &output)
            }
        }
        output.finish()
        if terminal.tell(tally) { status.raise(to: .incomplete) }
        status.raise(to: output.status)
        if abandoned > 0 {
            terminal.tell(
                .warning,
                "the search was stopped after \(SubstructureSearch.mostSteps) steps in \(recordCount(abandoned)), "
                    + "which are not counted as found")
        }
        if status == .done, hits == 0 { status = .incomplete }
        // As in grep, a hit determines the exit status even if another file has an error.
        if shows == .nothing, hits > 0 { return .done }
        return status
    }

    /// Searches a file. A file found in a directory is skipped if it is not a chemical file.
    private mutating func look(in source: Source, isNamed: Bool, _ output: inout HitOutput) {
        var diagnostics = Diagnostics(on: terminal)
        var progress: Progress?
        var found = 0
        let (shows, most, terminal, namesFiles) = (shows, most, terminal, namesFiles)
        let printsJSON = self.printsJSON
        var hitLine = hitLine
        if most == 0 || shows == .nothing && hits > 0 { return }
        do throws(ReadError) {
            let summary = try search.run(source) { hit in
                found += 1
                switch shows {
                case .records where printsJSON, .numbers where printsJSON:
                    terminal.write(HitJSON.line(hit, in: source.name))
                    output.showSoon()
                case .records: output.take(hit)
                case .lines:
                    let line = hitLine.line(
                        HitOutput.record(of: hit), number: hit.place.record, title: hit.title,
                        in: namesFiles ? source.name.shown : nil, columns: terminal.columns ?? 80)
                    terminal.print(unwrapped: line)
                    output.showSoon()
                case .numbers:
                    let file = namesFiles ? Styled(source.name.shown, .file) + ":" : Styled()
                    terminal.print(file + Styled("\(hit.place.record)", .number) + ":\(hit.title.string)")
                    output.showSoon()
                case .counts: break
                case .files, .nothing: return false
                }
                return found < most
            } tell: { event in
                guard case .unreadable(let record) = event else { return }
                diagnostics.tell(record)
                if printsJSON { terminal.write(HitJSON.line(record.error)) }
            } progress: { bytes, records in
                output.showIfDue()
                if terminal.showsProgress {
                    if progress == nil { progress = Progress(of: nil, on: terminal) }
                    progress?.show(bytes: bytes, records: records)
                }
            }
            diagnostics.finish()
            abandoned += summary.abandoned
            tally.add(
                summary.choice, taken: summary.chosen, isWhole: summary.unreadable == 0,
                sawAll: found < most && (shows != .files && shows != .nothing || found == 0))
            if let failure = summary.failure {
                terminal.tell(failure)
                if printsJSON { terminal.write(HitJSON.line(failure)) }
                status.raise(to: failure.status(afterRecords: summary.records))
            }
            finish(source.name, found)
        } catch {
            if !isNamed, error.kind == .unrecognized { return }
            terminal.hideProgress()
            if case .file(let file) = error.kind, file.reason == .isDirectory {
                terminal.tell(.error, "\(error) (use \(Option.recursive.short ?? "") to search it)")
            } else {
                terminal.tell(error)
            }
            if printsJSON { terminal.write(HitJSON.line(error)) }
            status.raise(to: .unreadable)
        }
    }

    private mutating func finish(_ path: LocalPath, _ found: Int) {
        hits += found
        terminal.hideProgress()
        switch shows {
        case .counts where printsJSON: terminal.write(HitJSON.line(of: path, hits: found))
        case .files where printsJSON && found > 0: terminal.write(HitJSON.line(of: path, hits: nil))
        case .counts:
            terminal.print(namesFiles ? Styled(path.shown, .file) + ":\(found)" : Styled("\(found)"))
        case .files where found > 0: terminal.print(Styled(path.shown, .file))
        case .files, .records, .lines, .numbers, .nothing: break
        }
    }
}
