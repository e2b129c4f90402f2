import Chemopen

extension Option {
    static let list = Option("--list", help: "list the programs that can open the file, in order, with reasons")
    static let with = Option("--with", value: "ID", help: "use this program; ID is the name of its desktop entry")
    static let choose = Option("--choose", help: "ask which program to use")
    static let view = Option("--view", help: "use the built-in viewer")
    static let showCommand = Option("--dry-run", help: "print the exact command instead of running it")
    static let note = Option("--note", value: "TEXT", help: "a note about the files, shown in the viewer")
    static let wait = Option("--wait", help: "wait until the program exits")
    static let saveAs = Option(
        "--save-as", value: "FORMAT", choices: targets,
        help: "write a copy in FORMAT next to the file instead; use ask to choose")
    static let copyAs = Option(
        "--copy-as", value: "FORMAT", choices: targets,
        help: "copy the structures to the clipboard instead, as text in FORMAT, or ask")
    static let sheet = Option("--sheet", help: "draw a sheet of all structures next to the file instead")
    private static let targets = FormatRegistry.standard.writable.map(\.id) + [FileAction.ask]
    static let clicked = Option(
        "--clicked", help: "for desktop entries: show messages in a window instead of the terminal")
    static let keepCopies = Option(
        "--keep", path: "FOLDER", help: "for internal use: keep copies until the programs exit")
}

/// `chemopen open`, and `chemopen FILE`: hands files to the programs that read them.
enum OpenCommand: Command {
    static let name = "open"
    static let summary = "open files in a suitable application; the same as chemopen FILE..."
    static let usage = "chemopen open [options] FILE..."
    static let example = "chemopen open --with pymol caffeine.el"
    static let options: [Option] =
        [.list, .with, .choose, .view, .showCommand, .json, .wait, .note] + Option.selecting
        + [.saveAs, .copyAs, .sheet, .declaredType, .clicked, .keepCopies]
    static let reading = Reading.hydrogens
    static let fetches = true
    static let remarks = [
        "The format is detected from the content. If a program cannot read it, it gets a copy in a format",
        "that it can read, in a private directory. The same applies if you choose records. FILE may be a",
        "file: URI; - is standard input. Without a display, chemopen prints the file as info does.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        if let folder = arguments.path(of: .keepCopies) {
            PrivateFolder.keep(folder, until: arguments.operands.compactMap { Int32($0.shown) }, in: .current)
            return .done
        }
        let request = try OpenRequest(arguments, on: terminal)
        var run = OpenRun(request, on: terminal)
        return try run.run()
    }
}

/// The request to `open`, out of its arguments.
struct OpenRequest {
    let files: [LocalPath]
    let opening: Opening
    let lists: Bool
    let chooses: Bool
    let isDryRun: Bool
    let printsJSON: Bool
    let waits: Bool
    /// The sender's words about the files.
    let note: LocalPath?
    /// Somebody has clicked on the files, and looks at no terminal.
    let isClicked: Bool
    /// How the files came here. A terminal keeps the words of its own start, which are not about these files.
    var delivery: Delivery {
        var delivery = isClicked ? Delivery(in: opening.registry.session) : Delivery()
        delivery.note = note.map { $0.text ?? $0.shown } ?? ""
        return delivery
    }
    /// The viewer can show a window.
    var startsViewer: Bool {
        opening.preferences.isGraphical && !printsJSON && SiblingProgram.viewer.path != nil
    }

    /// The wish that a menu has passed on, instead of opening the files.
    let action: FileAction?
    /// The MIME type under which the files came.
    let declaredType: String?
    /// The format of the files, whatever their content looks like.
    let format: Format?
    let reading: ReadOptions
    /// The options that tell another program how to read, and which records to take.
    let wordsOfRecords: [LocalPath]

    init(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) {
        let session = Surroundings.current
        let registry = HandlerRegistry(session, program: Self.ownProgram)
        var opening = Opening(registry, among: arguments.formats)
        opening.hasTerminal = isTerminal(0) && isTerminal(1)
        opening.preferences.views = arguments.has(.view)
        if let name = arguments.value(of: .with) {
            guard let handler = registry.handler(name) else {
                throw UsageError(
                    "no installed program is called \"\(name)\"" + suggestion(for: name, among: registry.names))
            }
            guard !registry.ownIDs.contains(handler.id) else {
                throw UsageError("\(handler.name) would hand the file back")
            }
            opening.preferences.handler = handler
        }
        opening.selection = try arguments.selection()
        declaredType = try arguments.declaredType()
        format = try arguments.format(of: .from)
        reading = try arguments.readOptions()
        wordsOfRecords = try arguments.wordsOfReading() + arguments.wordsOfSelecting()
        action = try arguments.fileAction()
        var files = arguments.localFiles()
        if files.isEmpty, !isTerminal(0), let chosen = Dialog(in: session)?.file("Open a chemical file") {
            files = [chosen]
        }
        if files.isEmpty { throw UsageError("no file is named; - is standard input") }
        self.files = files
        lists = arguments.has(.list)
        chooses = arguments.has(.choose)
        isDryRun = arguments.has(.showCommand)
        printsJSON = arguments.has(.json)
        waits = arguments.has(.wait)
        note = arguments.path(of: .note)
        if note != nil, action != nil { throw UsageError("--note goes with files that are opened") }
        isClicked = arguments.has(.clicked)
        source = { arguments.source($0) }
        self.opening = opening
    }

    /// The meaning of a word of the command line.
    let source: @Sendable (LocalPath) -> Source

    /// The file of the running program.
    static var ownProgram: LocalPath? { resolvedPath("/proc/self/exe") }
}

extension DesktopPackage {
    /// The package whose entries start this very program, by its name where its path is no text, and with the entries of
    /// other programs that get files through it.
    static func startingThisProgram(
        at place: ProgramPlace?, among formats: FormatRegistry, _ registry: HandlerRegistry
    ) -> DesktopPackage {
        var package = ofAllFormats(among: formats)
        if let place, let name = place.name {
            package.program = name
            package.programPath = place.path.text ?? name
        }
        package.bridges = Opening(registry, among: formats).bridges()
        return package
    }
}
