import Chemopen

/// Edits the structure of a record in another program, and merges each saved copy while the program runs.
struct EditorRun {
    private let editor: Editor
    private let arguments: Arguments
    private let terminal: Terminal
    private let registry: HandlerRegistry
    /// Whether the user has no terminal, so messages are also shown as notifications.
    private var isClicked = false

    /// The program that edits the copy.
    private enum Editor {
        case handler(Handler)
        /// A command, which runs until the user has finished.
        case command(LocalPath, [[UInt8]])
    }

    /// The milliseconds between two checks of the copy, and the maximum run time in seconds of a program that only
    /// passes the copy to another process. A program that runs longer is assumed to have edited the copy itself.
    private static let (pause, shortest): (UInt32, Int) = (150, 5)

    /// Returns `nil` if the command line contains edits and no editor.
    init?(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) {
        let session = SessionEnvironment.current
        registry = HandlerRegistry(session, program: OpenRequest.ownProgram)
        (self.arguments, self.terminal) = (arguments, terminal)
        let edits: [Option] = [
            .structure, .setField, .unsetField, .setTitle, .deleteRecords, .insertFile, .moveRecords, .output,
        ]
        let isEdited = edits.contains { arguments.has($0) }
        if let name = arguments.value(of: .editor) {
            if isEdited { throw UsageError("--with cannot be combined with other edits or --output") }
            editor = try Self.editor(name, registry)
        } else if isEdited {
            return nil
        } else if let name = session.value("CHEMOPEN_EDITOR") {
            editor = try Self.editor(name, registry)
        } else if session.isGraphical, let handler = Self.editors(registry).first {
            editor = .handler(handler)
        } else {
            return nil
        }
    }

    /// Creates a run for one record, started from a menu of the desktop.
    init(
        of number: Int, of path: LocalPath, as format: Format?, in handler: Handler, _ registry: HandlerRegistry,
        among formats: FormatRegistry, on terminal: Terminal, isClicked: Bool
    ) throws(UsageError) {
        editor = .handler(handler)
        (self.registry, self.terminal, self.isClicked) = (registry, terminal, isClicked)
        var words: [LocalPath] = ["--records", "\(number)", "--", path]
        if let format { words = ["--from", LocalPath(format.id)] + words }
        arguments = try Arguments(words, accepting: EditCommand.allOptions, among: formats)
    }

    /// The programs that can edit a structure, the default first.
    static func editors(_ registry: HandlerRegistry) -> [Handler] {
        FileOpener(registry).candidates(for: .molfile).map(\.handler).filter { !registry.ownIDs.contains($0.id) }
    }

    private static func editor(_ name: String, _ registry: HandlerRegistry) throws(UsageError) -> Editor {
        if let handler = registry.handler(name) {
            if registry.ownIDs.contains(handler.id) {
                throw UsageError("\(handler.name) would open the copy with chemopen again")
            }
            return .handler(handler)
        }
        let words = name.split(separator: " ").map(String.init)
        guard let first = words.first else { throw UsageError("--with requires an editor") }
        let path = LocalPath(first).absolute(from: currentFolder())
        guard let program = first.utf8.contains(UInt8(ascii: "/")) ? path : registry.session.program(first) else {
            throw UsageError(
                "no installed program is named \"\(first)\"" + suggestion(for: first, among: registry.names))
        }
        return .command(program, words.map { Array($0.utf8) })
    }

    // MARK: Editing

    func run(_ path: LocalPath) throws(UsageError) -> ExitStatus {
        let choice = try RecordRequest(arguments)
        let format = try arguments.format(of: .from)
        let reading = try arguments.readOptions()
        do throws(Conversion.Failure) {
            let file = try RecordCollection(path, as: format, reading)
            guard let numbers = try choice.numbers(in: file, terminal) else { return .incomplete }
            guard numbers.count == 1 else {
                throw .impossible("\(numbers.count) records are selected, but an editor can edit only one at a time")
            }
            warnOfPending(path)
            var handler: Handler?
            if case .handler(let found) = editor { handler = found }
            var session = try EditSession(of: path, as: format, reading, record: numbers[0], for: handler, registry)
            tell(session.losses, of: path)
            return run(&session)
        } catch {
            notify("The structure cannot be edited", "\(error)")
            return terminal.tell(error)
        }
    }

    private var notify: (_ title: String, _ text: String) -> Void {
        guard isClicked else { return { _, _ in } }
        let session = registry.session
        return { _ = UserNotification($0, $1, isError: true).show(in: session) }
    }

    private func tell(_ losses: [Loss], of path: LocalPath) {
        let names = losses.map(\.feature.name)
        if names.isEmpty { return }
        terminal.tell(
            .note, of: path.shown,
            "the copy does not contain these data, which stay in the file: "
                + names.joined(separator: ", "))
    }

    private func warnOfPending(_ path: LocalPath) {
        let pending = EditSession.pending(in: registry.session)
        let there = path.absolute(from: currentFolder())
        for session in pending where session.path == there {
            terminal.tell(
                .warning, of: path.shown,
                "a saved copy of record \(session.number) was not merged: \(session.copy.shown) "
                    + "(use chemopen edit --resume to merge it)")
        }
    }

    private func run(_ session: inout EditSession) -> ExitStatus {
        let processes: [ChildProcess]
        do {
            processes = try start(session.copy)
        } catch {
            session.close()
            terminal.tell(.error, of: "chemopen", "\(error)")
            return .noApplication
        }
        let start = currentTime()
        var watch = CopyWatch(session.copy)
        let merging = Merging(arguments, terminal, notify)
        var running = processes
        noteSignalsToEnd()
        var left = Self.leave
        while true {
            running.removeAll { $0.endedStatus() != nil }
            if running.isEmpty, isAskedToEnd || !isPassedOn(since: start, session, merging) { break }
            if watch.isSettled { merging.merge(&session) }
            // An interrupt usually ends the editor too.
            if isAskedToEnd {
                left -= 1
                if left == 0 { break }
            }
            sleepMilliseconds(Self.pause)
        }
        merging.merge(&session, isLast: true)
        return merging.finish(&session, isEditing: !running.isEmpty)
    }

    /// The number of looks at an editor that is still running after this process was asked to end.
    private static let leave = 10

    private func start(_ copy: LocalPath) throws -> [ChildProcess] {
        switch editor {
        case .handler(let handler):
            let hasTerminal = isTerminal(0) && isTerminal(1)
            let launch = try Launch(handler, on: [copy], in: registry.session, hasTerminal: hasTerminal)
            return try launch.start().children
        case .command(let program, let words):
            return [
                try spawn(
                    program, words + [copy.bytes], environment: currentEnvironment, in: currentFolder(),
                    streams: .inherited)
            ]
        }
    }

    /// Whether to wait for the user because the program passed the copy to a process that was already running.
    private func isPassedOn(since start: Int, _ session: EditSession, _ merging: Merging) -> Bool {
        guard case .handler = editor, isTerminal(0), merging.isIdle,
            currentTime() - start < Self.shortest || merging.waits
        else { return false }
        if !merging.waits {
            terminal.tell(.note, of: "chemopen", "save the copy in the editor, then press Enter here")
            merging.waits = true
        }
        return !hasInput(0, within: 0)
    }

    // MARK: Resuming

    /// Merges the saved copies of earlier runs: those of the specified files, or all.
    static func resume(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        var status = ExitStatus.done
        let files = arguments.operands.map { $0.absolute(from: currentFolder()) }
        var count = 0
        for var session in EditSession.pending(in: .current) {
            var moved: LocalPath?
            if !files.isEmpty, !files.contains(session.path) {
                // The file may have been moved, so its old path may not exist.
                guard files.count == 1, fileKind(session.path) == .missing else { continue }
                moved = files[0]
            }
            count += 1
            let merging = Merging(arguments, terminal) { _, _ in }
            merging.merge(&session, into: moved, isLast: true)
            status.raise(to: merging.finish(&session))
        }
        if count == 0 { terminal.tell(.note, of: "chemopen", "all saved copies are merged") }
        return status
    }
}

/// Merges saved copies and prints the results.
private final class Merging {
    private let arguments: Arguments
    private let terminal: Terminal
    /// The last failure, which is reported only once for each saved copy.
    private var failure = ""
    private var status = ExitStatus.done
    private var count = 0
    private var told: Set<String> = []
    /// Whether the user has been prompted to press Enter.
    var waits = false

    /// The maximum number of preserved items that are listed.
    private static let most = 8

    /// Shows a message to a user without a terminal.
    private let notify: (_ title: String, _ text: String) -> Void

    init(_ arguments: Arguments, _ terminal: Terminal, _ notify: @escaping (_ title: String, _ text: String) -> Void) {
        (self.arguments, self.terminal, self.notify) = (arguments, terminal, notify)
    }

    var isIdle: Bool { count == 0 && failure.isEmpty }

    /// - Parameter isLast: Whether the copy is complete, so failures are final.
    func merge(_ session: inout EditSession, into moved: LocalPath? = nil, isLast: Bool = false) {
        do throws(Conversion.Failure) {
            guard let merged = try session.merge(into: moved) else { return }
            (failure, status) = ("", .done)
            count += 1
            var teller = ChangeReporter(printsJSON: arguments.has(.json), terminal)
            for change in merged.changes.changes { teller.tell(change) }
            if merged.changes.isEmpty { terminal.tell(.note, of: session.path.shown, "the structure was not changed") }
            tell(merged.kept, session)
            terminal.flush()
        } catch {
            // An editor may still be writing the copy.
            let text = "\(error)"
            if !isLast, case .read = error { return }
            if text != failure {
                status = terminal.tell(error)
                notify("The saved structure was not merged", "\(text)\nIt remains in \(session.copy.shown)")
            }
            failure = text
        }
    }

    private func tell(_ kept: [String], _ session: EditSession) {
        let new = kept.filter { told.insert($0).inserted }
        let place = "\(session.path.shown): record \(session.number)"
        for text in new.prefix(Self.most) {
            terminal.tell(.note, of: place, "kept, although the editor left it out or changed it: \(text)")
        }
        if !new.isEmpty { notify("The saved structure was merged", "Kept: " + new.prefix(5).joined(separator: ", ")) }
        if new.count > Self.most { terminal.tell(.note, of: place, "kept \(new.count - Self.most) more such data") }
    }

    /// Removes the session if all saved copies are merged. Otherwise prints where the copy is.
    ///
    /// - Parameter isEditing: Whether the editor can still save the copy.
    func finish(_ session: inout EditSession, isEditing: Bool = false) -> ExitStatus {
        if isEditing {
            terminal.tell(
                .note, of: session.path.shown,
                "the editor is still running (use chemopen edit --resume to merge what it saves)")
            return .incomplete
        }
        if session.close() {
            if count == 0, status == .done { terminal.tell(.note, of: session.path.shown, "no change is necessary") }
            return status
        }
        terminal.tell(
            .note, of: session.path.shown,
            "the saved copy remains in \(session.copy.shown) (use chemopen edit --resume to merge it)")
        status.raise(to: .incomplete)
        return status
    }
}

/// Detects when a file was saved.
private struct CopyWatch {
    private let path: LocalPath
    private var seen: FileIdentity?
    private var changed: FileIdentity?

    init(_ path: LocalPath) {
        self.path = path
        seen = FileIdentity(path)
    }

    /// Whether the file has been saved since the last call that returned `true`, and no write is in progress.
    var isSettled: Bool {
        mutating get {
            guard let now = FileIdentity(path), now != seen else { return false }
            defer { changed = now }
            if now != changed { return false }
            seen = now
            return true
        }
    }
}
