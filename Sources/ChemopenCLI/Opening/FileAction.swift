import Chemopen

/// An action of a menu other than opening.
enum FileAction {
    /// Edits a structure in a program and merges what it saves; `nil` prompts for the program.
    case edit(String?)
    /// Saves a copy of each file in a format; `nil` prompts for the format.
    case save(Format?)
    /// Copies all structures as text to the clipboard; `nil` prompts for the format.
    case copy(Format?)
    /// Draws a sheet of pictures next to the first file.
    case sheet

    /// The keyword that prompts for a format.
    static let ask = "ask"
}

extension Arguments {
    /// Returns the action to perform instead of opening the files.
    func fileAction() throws(UsageError) -> FileAction? {
        var actions: [FileAction] = has(.sheet) ? [.sheet] : []
        if has(.saveAs) { actions.append(.save(try target(of: .saveAs))) }
        if has(.copyAs) { actions.append(.copy(try target(of: .copyAs))) }
        if let name = value(of: .editIn) { actions.append(.edit(name == FileAction.ask ? nil : name)) }
        if actions.count > 1 {
            throw UsageError("--edit-in, --save-as, --copy-as and --sheet cannot be combined")
        }
        return actions.first
    }

    private func target(of option: Option) throws(UsageError) -> Format? {
        if value(of: option) == FileAction.ask { return nil }
        guard let format = try format(of: option) else { return nil }
        if !format.isWritable { throw UsageError("\(format.name) can be read but not written") }
        return format
    }
}

/// The path of a new file next to an existing one. For requests from the desktop, an unused name is chosen, because the
/// user cannot specify another one.
struct FreeName {
    let file: LocalPath
    let suffix: String
    let isClicked: Bool

    var path: LocalPath {
        let stem = "\(file.folder)/\(fileStem(file))" as LocalPath
        let first: LocalPath = "\(stem).\(suffix)"
        guard isClicked, fileKind(first) != .missing else { return first }
        return (2...999).lazy.map { "\(stem) (\($0)).\(suffix)" as LocalPath }.first { fileKind($0) == .missing }
            ?? first
    }
}

/// Prompts for the format of a copy. Each choice lists the features that the format cannot represent.
struct FormatQuestion {
    let formats: FormatRegistry
    /// The features of the files.
    let features: Features

    func answer(_ question: String, _ asker: Asker) throws(OpenError) -> Format? {
        let targets = formats.filter { format in
            format.isWritable
                && (format.supportedFeatures.contains(.molecules) || !features.contains(.molecules))
        }
        let items = targets.map { format in
            let lost = features.subtracting(format.supportedFeatures).list.map(\.name)
            return "\(format.name) (.\(format.extensions.first ?? format.id))"
                + (lost.isEmpty ? "" : ", without " + lost.joined(separator: ", "))
        }
        return try asker.choice(question, among: items).map { targets[$0] }
    }
}

/// Prompts the user, in a terminal or in a window.
struct Asker {
    let session: SessionEnvironment
    let terminal: Terminal

    /// Returns the index of the chosen item, or `nil` if the user cancels.
    func choice(_ question: String, among items: [String]) throws(OpenError) -> Int? {
        if isTerminal(0), isTerminal(2) {
            terminal.show(question, mark: "")
            for (index, item) in items.enumerated() { terminal.show("  \(index + 1)  \(item)", mark: "") }
            terminal.show("Number (empty to cancel):", mark: "")
            guard let number = readLine().flatMap({ Int($0) }), items.indices.contains(number - 1) else { return nil }
            return number - 1
        }
        guard let dialog = Dialog(in: session) else {
            throw OpenError(
                .noProgram, "cannot show a prompt: there is no terminal, and zenity, yad and kdialog are not installed")
        }
        return dialog.choice(question, among: items)
    }
}

/// Performs a menu action on files.
struct FileActionRun {
    private let request: OpenRequest
    private let teller: OpenReporter
    private let terminal: Terminal
    private let asker: Asker
    /// The chosen format. The user is prompted only once.
    private var chosen: Format?
    /// The files that are combined into one result.
    private var taken: [ReceivedFile] = []
    private var editor: Handler?
    private var status = ExitStatus.done

    init(_ request: OpenRequest, _ teller: OpenReporter, on terminal: Terminal) {
        self.request = request
        self.teller = teller
        self.terminal = terminal
        asker = Asker(session: request.opening.registry.session, terminal: terminal)
    }

    mutating func take(_ file: ReceivedFile) throws(OpenError) {
        if case .edit(let named) = request.action { return try edit(file, in: named) }
        guard case .save(let named) = request.action else { return taken.append(file) }
        guard let format = try choose(named, "Convert", file, file.survey.features) else { return }
        let target = FreeName(
            file: place(of: file), suffix: format.extensions.first ?? format.id, isClicked: request.isClicked
        ).path
        let count = try convert([file], to: format, .file(target))
        teller.showResult("\(target.shown) has \(recordCount(count))")
    }

    // MARK: Editing

    /// The largest number of records to choose from.
    private static let mostListed = 200

    private mutating func edit(_ file: ReceivedFile, in named: String?) throws(OpenError) {
        guard fileKind(file.path) == .regular, !Address.begins(LocalPath(file.name)) else {
            throw OpenError(.unwritable, "\(file.name): is not a local file and cannot be edited; save a copy first")
        }
        let registry = request.opening.registry
        if editor == nil { editor = try chooseEditor(named, file, registry) }
        guard let handler = editor else {
            return teller.tell(.note, "\(file.name): no program was chosen")
        }
        guard let number = try chooseRecord(file) else {
            return teller.tell(.note, "\(file.name): no record was chosen")
        }
        do throws(UsageError) {
            let run = try EditorRun(
                of: number, of: file.path, as: request.format, in: handler, registry, among: request.reading.formats,
                on: terminal, isClicked: request.isClicked)
            status.raise(to: try run.run(file.path))
        } catch {
            throw OpenError(.unreadable, error.message)
        }
    }

    private func chooseEditor(
        _ named: String?, _ file: ReceivedFile, _ registry: HandlerRegistry
    ) throws(OpenError) -> Handler? {
        let editors = EditorRun.editors(registry)
        if let named {
            if let handler = registry.handler(named), !registry.ownIDs.contains(handler.id) { return handler }
            let hint = suggestion(for: named, among: registry.names)
            throw OpenError(.noProgram, "no installed program is named \"\(named)\"" + hint)
        }
        if editors.isEmpty { throw OpenError(.noProgram, "no program that can edit structures is installed") }
        return try asker.choice("Edit \(file.path.name.shown) in:", among: editors.map(\.name)).map { editors[$0] }
    }

    private func chooseRecord(_ file: ReceivedFile) throws(OpenError) -> Int? {
        let selection = request.opening.selection
        let titles = try OpenError.converting(file) { () throws(Conversion.Failure) -> [(Int, String)]? in
            let records = try RecordCollection(file.path, as: request.format, request.reading)
            let all = (1..<records.count + 1).prefix(Self.mostListed + 1)
            let numbers = selection.takesAll ? Array(all) : try records.numbers(of: selection).numbers
            if numbers.count > Self.mostListed { return nil }
            return try numbers.map { number throws(Conversion.Failure) in
                let title = try records.record(number)?.molecule?.name ?? ""
                return (number, "\(number)  \(title)")
            }
        }
        guard let titles else {
            throw OpenError(
                .unwritable,
                "\(file.name): contains more than \(Self.mostListed) records; "
                    + "open it in the viewer, and edit a record there")
        }
        if titles.count == 1 { return titles[0].0 }
        if titles.isEmpty { throw OpenError(.empty, "\(file.name): there is no record to edit") }
        let question = "Edit this record of \(file.path.name.shown):"
        return try asker.choice(question, among: titles.map(\.1)).map { titles[$0].0 }
    }

    /// Returns the file that determines the directory of a result. For a downloaded file, that is the current
    /// directory.
    private func place(of file: ReceivedFile) -> LocalPath {
        Address.begins(LocalPath(file.name)) ? currentFolder().appending(file.path.name) : file.path
    }

    /// Creates the result of all files.
    mutating func finish() throws(OpenError) -> ExitStatus {
        guard let first = taken.first else { return status }
        if case .copy(let named) = request.action {
            let features = taken.reduce(Features()) { $0.union($1.survey.features) }
            guard let format = try choose(named, "Copy", first, features) else { return .done }
            try copy(to: format)
            return .done
        }
        return try drawSheet(beside: first)
    }

    private mutating func choose(
        _ named: Format?, _ verb: String, _ file: ReceivedFile, _ features: Features
    ) throws(OpenError) -> Format? {
        if let format = named ?? chosen { return format }
        let question = "\(verb) \(file.path.name.shown), \(file.survey.format.described), as:"
        chosen = try FormatQuestion(formats: request.opening.formats, features: features).answer(question, asker)
        if chosen == nil { teller.tell(.note, "no format was chosen") }
        return chosen
    }

    /// Copies a single file verbatim and several files as one. Programs that paste text receive the given format.
    private func copy(to format: Format) throws(OpenError) {
        guard let first = taken.first else { return }
        let session = request.opening.registry.session
        let folder = try OpenError.writing("a file for the clipboard") { () throws(FileError) in
            try PrivateFolder(in: session)
        }
        let joined = folder.path.appending("joined")
        defer {
            removeEntry(joined)
            folder.remove()
        }
        // This conversion reports the losses of the text, with the file name.
        let count = try convert(taken, to: format, .discard)
        let isOne = taken.count == 1
        if !isOne { _ = try convert(taken, to: .jsonLines, .file(joined), telling: false) }
        var selection = RecordSelection()
        if isOne { selection = request.opening.selection }
        let offer = try OpenError.converting(first) { () throws(Conversion.Failure) in
            try ClipboardOffer(
                of: isOne ? first.openPath : joined, as: isOne ? first.survey.format : .jsonLines, request.reading,
                selection: selection, text: format)
        }
        do throws(SystemClipboard.Failure) {
            try SystemClipboard().put(offer)
        } catch {
            throw OpenError(.noProgram, error.description)
        }
        teller.showResult("\(recordCount(count)) on the clipboard, as \(format.name)")
    }

    /// Writes the records of files to one output, reports losses, and returns the number of records.
    private func convert(
        _ files: [ReceivedFile], to format: Format, _ output: Conversion.Output, telling: Bool = true
    ) throws(OpenError) -> Int {
        guard let first = files.first else { return 0 }
        var conversion = Conversion(to: format)
        if files.count == 1 { conversion.source = first.survey.format }
        conversion.reading = request.reading
        conversion.selection = request.opening.selection
        let summary = try OpenError.converting(first) { () throws(Conversion.Failure) in
            try conversion.run(files.map(\.openPath), to: output)
        }
        let found = summary.choice.remarks(
            on: conversion.selection, taken: summary.read, isWhole: summary.unreadable == 0, sawAll: true)
        if found.meetsNothing, summary.read == 0 {
            // The output name was unused before, so the file can be deleted.
            if case .file(let path) = output { removeEntry(path) }
            throw OpenError(.empty, "\(first.name): " + found.remarks.map(\.text).joined(separator: "; "))
        }
        if telling {
            for remark in found.remarks { teller.tell(remark.isWarning ? .warning : .note, remark.text) }
            for (file, report) in zip(files, summary.reports) { teller.tell(report.report, of: file) }
        }
        return summary.written
    }

    /// Draws a PNG, or an SVG if the program for PNG is not installed.
    private func drawSheet(beside first: ReceivedFile) throws(OpenError) -> ExitStatus {
        let suffix = SiblingProgram("chemopen-draw").path == nil ? "svg" : "png"
        let target = FreeName(file: place(of: first), suffix: suffix, isClicked: request.isClicked).path
        let words = ["--output", target] + request.wordsOfRecords + ["--"] + taken.map(\.path)
        let status: ExitStatus
        do throws(UsageError) {
            let arguments = try Arguments(words, accepting: DepictCommand.allOptions, among: request.reading.formats)
            status = try DepictCommand.run(arguments, on: terminal)
        } catch {
            throw OpenError(.unwritable, error.message)
        }
        guard fileKind(target) != .missing else { throw OpenError(.unwritable, "\(target.shown): no sheet was drawn") }
        teller.showResult("\(target.shown) shows the structures")
        return status
    }
}

extension OpenError {
    /// Runs a conversion and adds the file name to its errors.
    fileprivate static func converting<Result>(
        _ file: ReceivedFile, _ body: () throws(Conversion.Failure) -> Result
    ) throws(OpenError) -> Result {
        do throws(Conversion.Failure) {
            return try body()
        } catch {
            switch error {
            case .write(let failure): throw OpenError(.unwritable, "\(failure)")
            case .read(let failure): throw OpenError(.unreadable, "\(file.name): \(failure.message)")
            case .impossible(let why): throw OpenError(.unwritable, "\(file.name): \(why)")
            case .stopped, .cancelled: throw OpenError(.empty, "\(file.name): a record could not be read")
            }
        }
    }
}
