import Chemopen

extension Option {
    static let text = Option(
        "--text", value: "FORMAT", choices: FormatRegistry.standard.writable.map(\.id),
        help: "offer FORMAT as text; by default a molfile if it can store the records")
    static let primary = Option(
        "--primary", help: "use the primary selection (middle mouse button) instead of the clipboard")
    static let dryRunOfCopy = Option("--dry-run", help: "copy nothing; only print the formats on offer")
}

/// `chemopen copy`: copies records to the clipboard in several formats at once.
enum CopyCommand: Command {
    static let name = "copy"
    static let group = CommandGroup.convert
    static let summary = "copy records to the clipboard, for ChemDraw, Marvin, Ketcher and others"
    static let usage = "chemopen copy [options] FILE"
    static let example = "chemopen copy --records 3 kinases.sdf.gz"
    static let moreExamples = [
        "chemopen copy --text smi caffeine.mol",
        "chemopen copy --dry-run drawing.cdx",
    ]
    static let options: [Option] = Option.selecting + [.text, .primary, .json, .dryRunOfCopy]
    static let reading = Reading.hydrogens
    static let remarks = [
        "Other programs can paste the file's own format, every other format that can store its records,",
        "text, SVG and PNG. chemopen-clip, next to chemopen, offers them on X11 and Wayland until something",
        "else is copied. --dry-run prints one line for each, with its bytes and names.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        guard arguments.operands.count == 1 else { throw UsageError("copy requires one file, as in: \(example)") }
        let text = try arguments.format(of: .text)
        if let text, !text.isWritable { throw UsageError("\(text.name) can be read but not written") }
        var run = CopyRun(
            path: arguments.operands[0], format: try arguments.format(of: .from), text: text,
            reading: try arguments.readOptions(), selection: try arguments.selection(), terminal: terminal)
        run.isPrimary = arguments.has(.primary)
        run.printsJSON = arguments.has(.json)
        run.isTrial = arguments.has(.dryRunOfCopy)
        return run.run()
    }
}

/// Copies the records of a file.
private struct CopyRun {
    let path: LocalPath
    let format: Format?
    let text: Format?
    let reading: ReadOptions
    let selection: RecordSelection
    let terminal: Terminal
    var isPrimary = false
    var isTrial = false
    var printsJSON = false

    /// Formats an offered content as a JSON object.
    private static func line(_ content: ClipboardOffer.Content) -> [UInt8] {
        var json = JSON()
        json.object { json in
            json.field("bytes", content.bytes.count)
            json.field("names", content.names)
            if let format = content.format { json.field("format", format.id) }
            json.field("loses", content.losses.losses.map(\.feature.name))
        }
        json.endLine()
        return json.bytes
    }

    func run() -> ExitStatus {
        var diagnostics = Diagnostics(on: terminal)
        var unreadable = 0
        let offer: ClipboardOffer
        do throws(Conversion.Failure) {
            offer = try ClipboardOffer(of: path, as: format, reading, selection: selection, text: text) { event, path in
                switch event {
                case .unreadable(let record):
                    diagnostics.tell(record)
                    unreadable += 1
                case .doubtful(let issue, let place): diagnostics.tell(issue, at: place, in: path.shown)
                case .failed(let error): terminal.tell(error)
                case .lost, .version: break
                }
            }
        } catch {
            return terminal.tell(error)
        }
        diagnostics.finish()
        _ = terminal.tell(
            offer.choice, of: selection, taken: offer.records, isWhole: unreadable == 0, sawAll: true)
        guard offer.records > 0 else {
            terminal.tell(.error, "there is no record to copy")
            return .incomplete
        }
        terminal.tell(offer)
        if printsJSON {
            for content in offer.contents { terminal.write(Self.line(content)) }
        }
        if isTrial, !printsJSON {
            for content in offer.contents {
                terminal.print("\(content.bytes.count)  \(content.names.joined(separator: "  "))")
            }
        }
        if !isTrial {
            do throws(SystemClipboard.Failure) {
                try SystemClipboard(isPrimary: isPrimary).put(offer)
            } catch {
                terminal.tell(.error, error.description)
                return .noApplication
            }
        }
        return unreadable > 0 ? .incomplete : .done
    }
}

extension Terminal {
    /// Reports omitted formats, and the losses if only the text is pasted.
    func tell(_ offer: ClipboardOffer) {
        for omission in offer.omissions { tell(.note, "not offered: \(omission)") }
        guard let (format, losses) = offer.text else {
            return tell(.note, "no text format can represent all records; no text is offered")
        }
        for loss in losses.losses {
            tell(.note, "\(loss.isRewritten ? "changed" : "left out") in the text, \(format.name): \(loss)")
        }
    }
}
