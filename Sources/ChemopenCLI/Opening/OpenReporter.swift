import Chemopen

/// Reports the plans and results of `open`, in a terminal or, without one, in a window.
struct OpenReporter {
    private let request: OpenRequest
    private let terminal: Terminal
    /// The messages for a user who opened the files from the desktop, without a terminal.
    private let announced: Guarded<[(kind: Terminal.Kind, text: String)]>?
    /// The files that a program shows only partially.
    private let partlyShown = Guarded<[LocalPath]>([])

    init(_ request: OpenRequest, on terminal: Terminal) {
        self.request = request
        self.terminal = terminal
        announced = request.isClicked && !request.printsJSON ? Guarded([]) : nil
    }

    func tell(_ kind: Terminal.Kind, _ text: String) {
        terminal.tell(kind, text)
        if kind != .note { announced?.change { $0.append((kind, printable(text))) } }
    }

    /// Shows the collected messages for requests from the desktop in a single window.
    func announce() {
        guard let messages = announced?.change({ exchange(&$0, with: []) }), let first = messages.first else { return }
        let isError = messages.contains { $0.kind == .error }
        let hasLoss = messages.contains { $0.kind == .warning }
        let isOpening = request.action == nil
        let partly = !hasLoss ? "Chemopen" : isOpening ? "Only a part is shown" : "Some content is left out"
        let title = isError ? "Some files could not be opened" : partly
        var lines = messages.prefix(Self.mostAnnounced).map(\.text)
        if messages.count > lines.count { lines.append("and \(messages.count - lines.count) more") }
        if !isError, isOpening { lines.append("Use “Open With” and Chemopen Viewer to see everything.") }
        let announcement = UserNotification(
            messages.count == 1 && isError ? "Chemopen" : title, lines.joined(separator: "\n"), isError: isError)
        if offersWhole(announcement) { return }
        if !announcement.show(in: request.opening.registry.session) {
            terminal.tell(.warning, "cannot show a message: \(first.text)")
        }
    }

    /// Shows the messages as a notification with a button that opens the files in the viewer. Returns `false` if there
    /// are no such files or the desktop does not support buttons.
    private func offersWhole(_ announcement: UserNotification) -> Bool {
        let files = partlyShown.change { $0 }
        guard !announcement.isError, !files.isEmpty, request.startsViewer else { return false }
        let words = [LocalPath(announcement.title), LocalPath(announcement.text)]
        return !SiblingProgram.viewer.startTelling(["--clicked", "--join", "--offer"] + words + ["--"] + files).isEmpty
    }

    private static let mostAnnounced = 6

    /// Reports a misleading name or declared type.
    func tellName(of file: ReceivedFile) {
        if let origin = file.origin { tell(.note, "\(file.name): downloaded from \(origin)") }
        for (how, other) in file.identification.misleadingNames {
            tell(.note, "\(file.name): \(how) \(other.described), but is \(file.survey.format.described)")
        }
    }

    func tell(_ report: LossReport, of file: ReceivedFile) {
        for loss in report.losses { tell(.warning, "\(file.name): the copy lacks \(loss)") }
        for version in report.versions {
            tell(.note, "\(file.name): the copy is \(version.version) because of \(version.reason)")
        }
    }

    /// Reports content that the program does not receive.
    func tell(_ choice: OpenPlan.Choice, _ prepared: FileOpener.Prepared, of file: ReceivedFile) {
        guard let handler = choice.handler else { return }
        let told = announced?.change { $0.count }
        defer { if announced?.change({ $0.count }) != told { partlyShown.change { $0.append(file.path) } } }
        switch choice.action {
        case .convert(let copy, _):
            if !copy.isVerbatim { tell(.note, "\(file.name): \(handler.name) gets a copy in \(copy.described)") }
            let isChosen = request.opening.preferences.handler != nil
            tell(
                isChosen ? .warning : .note,
                "\(file.name): changes that you save stay in the copy; to merge them, use "
                    + "chemopen edit --with \(handler.id) \(file.givenPath.quoted)")
            tell(prepared.report, of: file)
            if copy.showsFirstOnly, request.opening.selection.takesAll { tellFirstOnly(handler, file) }
        case .launch(_, let showsFirstOnly):
            if showsFirstOnly, request.opening.selection.takesAll { tellFirstOnly(handler, file) }
        case .view: break
        }
        for remark in prepared.remarks { tell(remark.isWarning ? .warning : .note, "\(file.name): \(remark.text)") }
        if prepared.unreadable > 0 {
            tell(.warning, "\(file.name): \(recordCount(prepared.unreadable)) could not be read")
        }
    }

    private func tellFirstOnly(_ handler: Handler, _ file: ReceivedFile) {
        let survey = file.survey
        tell(
            .warning,
            "\(file.name): this \(survey.format.name) has \(Self.count(survey)) records, and \(handler.name) will show only the first "
                + "(use --records to choose another)")
    }

    /// Formats the number of records. Large files are not counted to the end before they are opened.
    private static func count(_ survey: FileSummary) -> String {
        (survey.isCutShort ? "more than " : "") + grouped(survey.records)
    }

    func showResult(_ text: String) {
        terminal.print(text)
        announced?.change { $0.append((.note, printable(text))) }
    }

    /// Shows a summary of a file opened from the desktop if there is no viewer.
    func showSummary(of file: ReceivedFile) {
        let survey = file.survey
        let records = "\(Self.count(survey)) \(survey.records == 1 ? "record" : "records")"
        announced?.change {
            $0.append(
                (
                    .error,
                    "\(printable(file.path.name.shown)) is \(survey.format.described) with \(records). "
                        + "No installed program can open it. For details, run chemopen info in a terminal."
                ))
        }
    }

    // MARK: Plans

    func list(_ plan: OpenPlan, of file: ReceivedFile) {
        if request.printsJSON {
            for (index, choice) in plan.choices.enumerated() { write(choice, place: index + 1, of: file, launch: nil) }
            return
        }
        terminal.print(
            "\(file.name): \(file.survey.format.name)\(file.survey.version.isEmpty ? "" : " " + file.survey.version)")
        for (index, choice) in plan.choices.enumerated() {
            let id = choice.handler.map { "\($0.name) [\($0.id)]" } ?? "Viewer"
            terminal.print("  \(index + 1)  \(id): \(choice.reason)")
        }
        if plan.choices.isEmpty { terminal.print("     no program can open it") }
    }

    func showCommand(_ choice: OpenPlan.Choice, of file: ReceivedFile) throws(OpenError) {
        var launch: Launch?
        if let handler = choice.handler { launch = try request.opening.launch(handler, on: [path(for: choice, file)]) }
        if request.printsJSON { return write(choice, place: 1, of: file, launch: launch) }
        guard let launch else {
            let words = request.wordsOfRecords.map { $0.quoted + " " }.joined()
            terminal.print("chemopen \(request.startsViewer ? "view" : "info") \(words)-- \(file.path.quoted)")
            return
        }
        if case .convert(let copy, let handler) = choice.action {
            terminal.print("# \(handler.name) gets a copy in \(copy.described) instead of \(file.path.quoted)")
        }
        if let command = launch.busCommand { terminal.print(line(command)) }
        if launch.busCommand == nil {
            for command in launch.commands { terminal.print(line(command)) }
        }
    }

    /// Returns the path passed to the program. If the copy does not exist yet, the path contains a placeholder for the
    /// name of its directory.
    private func path(for choice: OpenPlan.Choice, _ file: ReceivedFile) -> LocalPath {
        guard case .convert(let copy, _) = choice.action else { return file.path }
        let session = request.opening.registry.session
        let folder = (session.runtimeFolder ?? session.temporaryFolder).appending("chemopen")
        return "\(folder)/…/\(fileStem(file.path)).\(copy.format.extensions.first ?? "out")"
    }

    private func write(_ choice: OpenPlan.Choice, place: Int, of file: ReceivedFile, launch: Launch?) {
        var json = JSON()
        json.object { json in
            json.field("file", file.name)
            json.field("format", file.survey.format.id)
            if !file.survey.version.isEmpty { json.field("version", file.survey.version) }
            json.field("mime_type", file.survey.format.mimeType)
            json.field("told_by", file.identification.evidence.rawValue)
            json.field("records", file.survey.records)
            if file.survey.isCutShort { json.field("more_records", true) }
            json.field("place", place)
            json.field("reason", choice.reason)
            json.field("action", choice.handler == nil ? "view" : "launch")
            if let handler = choice.handler {
                json.field("handler", handler.id)
                json.field("name", handler.name)
                json.field("entry", handler.entry.location)
            }
            if case .convert(let copy, _) = choice.action {
                json.key("conversion")
                json.object { json in
                    json.field("to", copy.format.id)
                    if copy.version == .v2000 { json.field("version", "V2000") }
                    json.field("mime_type", copy.format.mimeType)
                    json.field("verbatim", copy.isVerbatim)
                    json.field("first_only", copy.showsFirstOnly)
                    json.field("loses", copy.losses.list.map(\.name))
                }
            }
            if let launch { Self.add(launch, to: &json) }
        }
        json.endLine()
        terminal.write(json.bytes)
    }

    private static func add(_ launch: Launch, to json: inout JSON) {
        json.field("folder", launch.folder)
        json.key("commands")
        json.array { json in
            for command in (launch.busCommand.map { [$0] } ?? []) + launch.commands {
                json.array { json in for word in command.words { json.string(word) } }
            }
        }
    }

    private func line(_ command: Launch.Command) -> String {
        command.arguments.map { LocalPath(bytes: $0).quoted }.joined(separator: " ")
    }
}

extension OpenPlan.Copy {
    /// The format and version of the copy: `MDL Molfile V2000`.
    var described: String {
        format.name + (version == .v2000 ? " V2000" : "")
    }
}

/// Formats a number with thousands separators: `12,000`.
func grouped(_ number: Int) -> String {
    var text = ""
    for (index, digit) in String(number).reversed().enumerated() {
        if index > 0, index.isMultiple(of: 3) { text += "," }
        text.append(digit)
    }
    return String(text.reversed())
}
