import Chemopen

/// Opens the files of a request: identifies each file, decides how to open it, and starts each program once with all
/// its files.
struct OpenRun {
    private let request: OpenRequest
    private let terminal: Terminal
    private let teller: OpenReporter
    private var status = ExitStatus.done
    /// The files to open, grouped by program, in the order of the files.
    private var lots: [Lot] = []
    /// The files that the viewer shows.
    private var viewed: [LocalPath] = []
    private var viewedFolders: [PrivateFolder] = []
    /// The program chosen for each format. The user is prompted only once.
    private var chosen: [String: String] = [:]
    /// The action to perform on files instead of opening them.
    private var actions: FileActionRun
    /// Whether the current file is from a pipe. Its path then has no meaning for the user.
    private var isFromStandardInput = false

    private struct Lot {
        let handler: Handler
        var files: [LocalPath]
        var folders: [PrivateFolder]
        /// The original files. `files` may contain copies of them.
        var originals: [LocalPath]
    }

    init(_ request: OpenRequest, on terminal: Terminal) {
        self.request = request
        self.terminal = terminal
        teller = OpenReporter(request, on: terminal)
        actions = FileActionRun(request, teller, on: terminal)
    }

    mutating func run() throws(UsageError) -> ExitStatus {
        for path in request.files {
            do throws(OpenError) {
                try open(path)
            } catch {
                fail(error)
            }
        }
        do throws(OpenError) {
            try status.raise(to: actions.finish())
        } catch {
            fail(error)
        }
        for lot in lots {
            do throws(OpenError) {
                try launch(lot)
            } catch {
                fail(error)
            }
        }
        if !viewed.isEmpty { startViewer() }
        teller.announce()
        return status
    }

    private mutating func fail(_ error: OpenError) {
        teller.tell(
            .error, error.description + (error.kind == .unrecognized ? terminal.hint(at: error.description) : ""))
        status.raise(to: error.kind.status)
    }

    // MARK: One file

    private mutating func open(_ path: LocalPath) throws(OpenError) {
        if path.isDash { return try openStandardInput() }
        var path = path
        if Address.isMeant(by: path), !request.isClicked { return try openAddress(path) }
        if isOnNetwork(path) {
            guard let mounted = GVFSMounts(request.opening.registry.session).path(of: path) else {
                throw OpenError(.unreadable, "\(path.shown): is not a local file and was not downloaded")
            }
            path = mounted
        }
        let file: ReceivedFile
        do throws(OpenError) {
            file = try ReceivedFile(path, declaredAs: request.declaredType, as: request.format, request.reading)
        } catch {
            guard error.kind == .unrecognized, try handOn(path) else { throw error }
            return
        }
        try open(file)
    }

    /// Opens a non-chemical file from the desktop in the program that would open it without chemopen. Returns `false`
    /// if there is none.
    private mutating func handOn(_ path: LocalPath) throws(OpenError) -> Bool {
        guard request.isClicked, request.format == nil, request.action == nil,
            let (handler, type) = request.opening.handlerOfOthers(for: path)
        else { return false }
        terminal.tell(.note, "\(path.shown): is not a chemical file; \(handler.name) opens it as \(type)")
        _ = try request.opening.launch(handler, on: [path])
        add(Lot(handler: handler, files: [path.absolute(from: currentFolder())], folders: [], originals: []))
        return true
    }

    /// Opens a downloaded address. The copy of an encrypted file stays available to the programs that read it, and is
    /// deleted with the other copies.
    private mutating func openAddress(_ word: LocalPath) throws(OpenError) {
        let source = request.source(word)
        let local: (path: LocalPath, folder: PrivateFolder?)
        do throws(FileError) {
            local = try source.localFile(in: request.opening.registry.session)
        } catch {
            throw OpenError(.unreadable, "\(error)")
        }
        try open(
            ReceivedFile(
                local.path, name: source.name.shown, declaredAs: request.declaredType, as: request.format,
                request.reading))
        if let folder = local.folder, viewed.last == local.path { viewedFolders.append(folder) }
    }

    /// Adds files to the files of the same program.
    private mutating func add(_ lot: Lot) {
        if let place = lots.firstIndex(where: { $0.handler.id == lot.handler.id }) {
            lots[place].files += lot.files
            lots[place].folders += lot.folders
            lots[place].originals += lot.originals
        } else {
            lots.append(lot)
        }
    }

    /// Opens standard input. A pipe is first copied to a temporary file because programs do not read pipes.
    private mutating func openStandardInput() throws(OpenError) {
        let folder: PrivateFolder
        let path: LocalPath
        do throws(FileError) {
            folder = try PrivateFolder(in: request.opening.registry.session)
            path = folder.path.appending("input")
            try spool(0, to: path)
            try folder.seal()
        } catch {
            throw OpenError(.unreadable, "standard input: \(error)")
        }
        isFromStandardInput = true
        defer {
            if viewed.last != path { folder.remove() }
            isFromStandardInput = false
        }
        let file = try ReceivedFile(
            path, name: "standard input", declaredAs: request.declaredType, as: request.format, request.reading)
        if file.survey.firstStructure == nil, !file.survey.isCutShort {
            throw OpenError(.empty, "\(file.name): contains no structure to open")
        }
        try open(file)
        if viewed.last == path { viewedFolders.append(folder) }
    }

    private func isOnNetwork(_ path: LocalPath) -> Bool {
        guard fileKind(path) == .missing, let colon = path.bytes.firstIndex(of: UInt8(ascii: ":")) else { return false }
        return path.bytes[colon...].starts(with: "://".utf8)
    }

    private mutating func open(_ file: ReceivedFile) throws(OpenError) {
        teller.tellName(of: file)
        if request.action != nil { return try actions.take(file) }
        let plan = request.opening.plan(for: file)
        if request.lists { return teller.list(plan, of: file) }
        var choices = plan.choices[...]
        if request.chooses {
            guard let choice = try choose(among: plan, for: file) else {
                return teller.tell(.note, "\(file.name): no program was chosen")
            }
            choices = [choice]
        }
        guard !choices.isEmpty else {
            let name = request.opening.preferences.handler?.name ?? "any installed program"
            throw OpenError(
                .noProgram,
                "\(file.name): \(file.survey.format.name) cannot be opened by \(name), even after conversion")
        }
        while let choice = choices.popFirst() {
            do throws(OpenError) {
                return try take(choice, for: file)
            } catch {
                guard !choices.isEmpty, error.kind == .noProgram || error.kind == .empty else { throw error }
                teller.tell(.warning, error.description)
            }
        }
    }

    private mutating func take(_ choice: OpenPlan.Choice, for file: ReceivedFile) throws(OpenError) {
        guard let handler = choice.handler else { return try view(file, choice) }
        if request.isDryRun { return try teller.showCommand(choice, of: file) }
        // Check that the program can be started before converting.
        _ = try request.opening.launch(handler, on: [file.path])
        let prepared = try request.opening.prepare(choice.action, for: file)
        teller.tell(choice, prepared, of: file)
        tellUnsentNote(about: file, to: handler.name)
        let folders = prepared.folder.map { [$0] } ?? []
        add(Lot(handler: handler, files: prepared.files, folders: folders, originals: [file.path]))
    }

    private mutating func view(_ file: ReceivedFile, _ choice: OpenPlan.Choice) throws(OpenError) {
        if request.isDryRun { return try teller.showCommand(choice, of: file) }
        if !request.opening.preferences.views, request.opening.preferences.isGraphical, !request.chooses {
            teller.tell(.note, "\(file.name): no installed program shows the complete file, so the viewer opens it")
        }
        if request.startsViewer {
            viewed.append(file.path)
            return
        }
        tellUnsentNote(about: file, to: "a terminal")
        var words: [LocalPath] = request.printsJSON ? ["--json"] : []
        words += request.wordsOfRecords + ["--", try viewerPath(file)]
        do throws(UsageError) {
            let arguments = try Arguments(
                words, accepting: InfoCommand.allOptions, among: request.reading.formats)
            status.raise(to: try InfoCommand.run(arguments, on: terminal))
        } catch {
            throw OpenError(.unreadable, error.message)
        }
        teller.showSummary(of: file)
    }

    /// Warns that a note is not passed to a program.
    private func tellUnsentNote(about file: ReceivedFile, to receiver: String) {
        guard request.note != nil else { return }
        teller.tell(.warning, "\(file.name): the note is not passed to \(receiver); only the viewer shows notes")
    }

    /// Returns the path for the viewer: the name as typed, if it refers to the file.
    private func viewerPath(_ file: ReceivedFile) throws(OpenError) -> LocalPath {
        if isFromStandardInput {
            do throws(FileError) {
                try redirectStandardInput(to: file.openPath)
                return "-"
            } catch {
                throw OpenError(.unreadable, "\(file.name): \(error.explanation)")
            }
        }
        return file.givenPath
    }

    // MARK: Asking

    private mutating func choose(among plan: OpenPlan, for file: ReceivedFile) throws(OpenError) -> OpenPlan.Choice? {
        if let id = chosen[file.survey.format.id],
            let choice = plan.choices.first(where: { $0.handler?.id ?? "" == id })
        {
            return choice
        }
        let items = plan.choices.map { "\($0.handler?.name ?? "Viewer") (\($0.reason))" }
        let question = "Open \(file.path.name.shown), \(file.survey.format.described), with:"
        guard let place = try asker.choice(question, among: items) else { return nil }
        chosen[file.survey.format.id] = plan.choices[place].handler?.id ?? ""
        return plan.choices[place]
    }

    private var asker: Asker { Asker(session: request.opening.registry.session, terminal: terminal) }

    // MARK: Acting

    private func launch(_ lot: Lot) throws(OpenError) {
        let launch = try request.opening.launch(lot.handler, on: lot.files)
        let running: Launch.Running
        do throws(LaunchError) {
            running = try launch.start()
        } catch {
            for folder in lot.folders { folder.remove() }
            throw OpenError(.noProgram, "\(error)")
        }
        let session = request.opening.registry.session
        LaunchLog.note(running, of: lot.handler, on: lot.files, in: session)
        do throws(OpenError) {
            try RecentFiles(in: session).add(lot.originals, request.delivery)
        } catch {
            teller.tell(.note, "cannot add the files to the recent files: \(error)")
        }
        if request.waits {
            _ = running.wait()
            for folder in lot.folders { folder.remove() }
        } else if !running.processes.isEmpty {
            for folder in lot.folders { keep(folder, until: running.processes) }
        }
    }

    /// Shows all remaining files in one page of the viewer.
    private mutating func startViewer() {
        // Files with reading options, a filter or temporary copies are shown on a separate page.
        let joins = !request.waits && request.wordsOfRecords.isEmpty && viewedFolders.isEmpty
        var options: [LocalPath] = (request.isClicked ? ["--clicked"] : []) + (joins ? ["--join"] : [])
        if let note = request.note { options += ["--note", note] }
        let words = options + request.wordsOfRecords + ["--"] + viewed
        guard let viewer = SiblingProgram.viewer.start(words) else {
            return fail(OpenError(.noProgram, "cannot start the program \(SiblingProgram.viewer.name)"))
        }
        if request.waits {
            if viewer.wait() != 0 { status.raise(to: .noApplication) }
            for folder in viewedFolders { folder.remove() }
        } else {
            for folder in viewedFolders { keep(folder, until: [viewer.id]) }
        }
    }

    /// Starts a process of this program that deletes the copies when the other processes have ended.
    private func keep(_ folder: PrivateFolder, until processes: [Int32]) {
        guard let program = OpenRequest.ownProgram else { return }
        let words: [LocalPath] = ["chemopen", "open", "--keep", folder.path, "--"] + processes.map { "\($0)" }
        _ = try? spawn(
            program, words.map(\.bytes), environment: currentEnvironment, in: "/", streams: .none)
    }
}

extension OpenError.Kind {
    /// The exit status for the error.
    var status: ExitStatus {
        switch self {
        case .unreadable, .unrecognized: .unreadable
        case .empty: .incomplete
        case .noProgram: .noApplication
        case .unwritable: .unwritable
        }
    }
}
