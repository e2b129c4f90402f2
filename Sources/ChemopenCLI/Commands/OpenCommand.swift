import Chemopen

extension Option {
    static let list = Option("--list", help: "list the programs that can open the file, in order, with reasons")
    static let with = Option("--with", value: "ID", help: "use this program; ID is the name of its desktop entry")
    static let choose = Option("--choose", help: "ask which program to use")
    static let view = Option("--view", help: "use the built-in viewer")
    static let showCommand = Option("--dry-run", help: "print the exact command instead of running it")
    static let note = Option("--note", value: "TEXT", help: "a note about the files, shown in the viewer")
    static let wait = Option("--wait", help: "wait until the program exits")
    static let editIn = Option(
        "--edit-in", value: "ID",
        help: "edit a structure in ID, and merge what you save; use ask to choose")
    static let saveAs = Option(
        "--save-as", value: "FORMAT", choices: targets,
        help: "write a copy in FORMAT next to the file instead; use ask to choose")
    static let copyAs = Option(
        "--copy-as", value: "FORMAT", choices: targets,
        help: "copy the structures as text in FORMAT instead; use ask to choose")
    static let sheet = Option("--sheet", help: "draw a sheet of all structures next to the file instead")
    private static let targets = FormatRegistry.standard.writable.map(\.id) + [FileAction.ask]
    static let clicked = Option(
        "--clicked", help: "for desktop entries: show messages in a window instead of the terminal")
    static let keepCopies = Option(
        "--keep", path: "FOLDER", help: "for internal use: keep copies until the programs exit")
}

/// `chemopen open` and `chemopen FILE`: opens files in suitable programs.
enum OpenCommand: Command {
    static let name = "open"
    static let group = CommandGroup.desktop
    static let summary = "open files in a suitable application; the same as chemopen FILE..."
    static let usage = "chemopen open [options] FILE..."
    static let example = "chemopen open --with pymol caffeine.el"
    static let moreExamples = [
        "chemopen open --list kinases.sdf",
        "chemopen open --save-as sdf drawing.cdx",
    ]
    static let options: [Option] =
        [.list, .with, .choose, .view, .showCommand, .json, .wait, .note] + Option.selecting
        + [.editIn, .saveAs, .copyAs, .sheet, .declaredType, .clicked, .keepCopies]
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

/// The parsed command line of `open`.
struct OpenRequest {
    let files: [LocalPath]
    let opening: FileOpener
    let lists: Bool
    let chooses: Bool
    let isDryRun: Bool
    let printsJSON: Bool
    let waits: Bool
    /// The sender's note about the files.
    let note: LocalPath?
    /// Whether the files were opened from the desktop, without a terminal.
    let isClicked: Bool
    /// The circumstances of the request. The start-up tokens of a terminal are ignored because they do not refer to
    /// these files.
    var delivery: OpenContext {
        var delivery = isClicked ? OpenContext(in: opening.registry.session) : OpenContext()
        delivery.note = note.map { $0.text ?? $0.shown } ?? ""
        return delivery
    }
    /// Whether the viewer can show a window.
    var startsViewer: Bool {
        opening.preferences.isGraphical && !printsJSON && SiblingProgram.viewer.path != nil
    }

    /// The action to perform instead of opening the files.
    let action: FileAction?
    /// The declared MIME type of the files.
    let declaredType: String?
    /// The format of the files, if it is specified and not detected.
    let format: Format?
    let reading: ReadOptions
    /// The options that another program needs to read the same records in the same way.
    let wordsOfRecords: [LocalPath]

    init(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) {
        let session = SessionEnvironment.current
        let registry = HandlerRegistry(session, program: Self.ownProgram)
        var opening = FileOpener(registry, among: arguments.formats)
        opening.hasTerminal = isTerminal(0) && isTerminal(1)
        opening.preferences.views = arguments.has(.view)
        if let name = arguments.value(of: .with) {
            guard let handler = registry.handler(name) else {
                throw UsageError(
                    "no installed program is named \"\(name)\"" + suggestion(for: name, among: registry.names))
            }
            guard !registry.ownIDs.contains(handler.id) else {
                throw UsageError("\(handler.name) would open the file with chemopen again")
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
        if files.isEmpty { throw UsageError("no file specified (use - for standard input)") }
        self.files = files
        lists = arguments.has(.list)
        chooses = arguments.has(.choose)
        isDryRun = arguments.has(.showCommand)
        printsJSON = arguments.has(.json)
        waits = arguments.has(.wait)
        note = arguments.path(of: .note)
        if note != nil, action != nil { throw UsageError("--note applies only to files that are opened") }
        isClicked = arguments.has(.clicked)
        source = { arguments.source($0) }
        self.opening = opening
    }

    /// Converts an operand to a source.
    let source: @Sendable (LocalPath) -> Source

    /// The path of the running program.
    static var ownProgram: LocalPath? { resolvedPath("/proc/self/exe") }
}

extension DesktopPackage {
    /// Returns a package with entries that start this program, by name if its path is not UTF-8. It includes entries of
    /// programs that receive converted files.
    static func startingThisProgram(
        at place: ProgramPlace?, among formats: FormatRegistry, _ registry: HandlerRegistry
    ) -> DesktopPackage {
        var package = ofAllFormats(among: formats)
        if let place, let name = place.name {
            package.program = name
            package.programPath = place.path.text ?? name
        }
        package.bridges = FileOpener(registry, among: formats).bridges()
        return package
    }
}
