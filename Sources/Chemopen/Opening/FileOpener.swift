import ChemopenDesktop

/// Opens files in the programs of this desktop, and converts them if necessary.
///
///     let opening = FileOpener(HandlerRegistry(.current))
///     let file = try ReceivedFile(LocalPath("a.cdx"))
///     if let choice = opening.plan(for: file).choices.first, let handler = choice.handler {
///         let prepared = try opening.prepare(choice.action, for: file)
///         try opening.launch(handler, on: prepared.files).start()
///     }
public struct FileOpener: Sendable {
    /// The programs of the desktop.
    public let registry: HandlerRegistry
    /// The user's preferences.
    public var preferences = OpenPlan.Preferences()
    /// The records to open. If the selection contains all records, the program gets the records that it supports.
    public var selection = RecordSelection()
    /// Whether a terminal program can run in the terminal of this process.
    public var hasTerminal = false

    /// The formats that can be used for copies.
    public let formats: FormatRegistry

    /// Creates an opener that uses the programs of a registry.
    public init(_ registry: HandlerRegistry, among formats: FormatRegistry = .standard) {
        self.registry = registry
        self.formats = formats
        preferences.isGraphical = registry.session.isGraphical
    }

    /// Finds the ways to open a file.
    ///
    /// - Returns: The ways, the best first. Programs that have returned the file to Chemopen are excluded.
    public func plan(for file: ReceivedFile) -> OpenPlan {
        let isPlain = file.path.bytes.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || "/-_.+@".utf8.contains(byte)
        }
        let name = OpenPlan.Name(suffix: fileExtension(file.path), isCompressed: file.isCompressed, isPlain: isPlain)
        let back = LaunchLog.handlersInLaunchChain(file.path, in: registry.session)
        var preferences = self.preferences
        if let handler = preferences.handler, back.contains(handler.id) { preferences.handler = nil }
        let candidates = candidates(for: file.survey.format).filter { !back.contains($0.handler.id) }
        return OpenPlan(for: file.survey, named: name, candidates: candidates, formats: formats, preferences)
    }

    /// Finds all programs that may be able to open a format.
    ///
    /// - Returns: The programs for the format's own type, followed by programs for types that it can be converted to.
    public func candidates(for format: Format) -> [HandlerRegistry.Candidate] {
        var found = registry.candidates(for: format.mimeType, aliases: Array(format.mimeTypes.dropFirst()))
        for type in format.signature?.gzippedExtensions.isEmpty == false ? [format.gzippedType] : [] {
            for candidate in registry.candidates(for: type) { add(candidate, to: &found) }
        }
        for other in formats where other.id != format.id && other.isWritable {
            for candidate in registry.candidates(for: other.mimeType, aliases: Array(other.mimeTypes.dropFirst())) {
                if case .opens = candidate.standing { continue }
                add(.init(handler: candidate.handler, standing: .isKnown), to: &found)
            }
        }
        return found
    }

    private func add(_ candidate: HandlerRegistry.Candidate, to found: inout [HandlerRegistry.Candidate]) {
        if let place = found.firstIndex(where: { $0.handler.id == candidate.handler.id }) {
            if case .opens = found[place].standing { found[place] = candidate }
            return
        }
        found.append(candidate)
    }

    /// Files that are ready to be opened.
    public struct Prepared: Sendable {
        /// The files. Copies exist as long as `folder` does.
        public var files: [LocalPath]
        /// The directory of the copies, or `nil` if the file itself is opened.
        public var folder: PrivateFolder?
        /// The losses of the copies.
        public var report = LossReport()
        /// The number of unreadable records.
        public var unreadable = 0
        /// Remarks about possible mistakes in the selection of records.
        package var remarks: [SelectionStatistics.Remark] = []
    }

    /// Makes the copy that an action requires.
    ///
    /// - Returns: The files to open.
    /// - Throws: `OpenError` if the copy cannot be written or would be empty.
    public func prepare(_ action: OpenPlan.Action, for file: ReceivedFile) throws(OpenError) -> Prepared {
        switch action {
        case .view: return Prepared(files: [])
        case .launch where selection.takesAll: return Prepared(files: [file.path])
        case .launch:
            return try makeCopy(OpenPlan.Copy(format: file.survey.format), of: file)
        case .convert(let copy, _):
            return try makeCopy(copy, of: file)
        }
    }

    private func makeCopy(_ copy: OpenPlan.Copy, of file: ReceivedFile) throws(OpenError) -> Prepared {
        let folder: PrivateFolder
        do throws(FileError) {
            folder = try PrivateFolder(in: registry.session)
        } catch {
            throw OpenError(.unwritable, "cannot create a private directory for a copy: \(error)")
        }
        do throws(OpenError) {
            return try CopyMaker(copy, of: file, in: folder, selection).run()
        } catch {
            try? folder.seal()
            folder.remove()
            throw error
        }
    }

    /// Prepares the command that opens files in a program.
    ///
    /// - Returns: The command with its arguments.
    /// - Throws: `OpenError` if the program's desktop entry cannot be used.
    public func launch(_ handler: Handler, on files: [LocalPath]) throws(OpenError) -> Launch {
        do throws(EntryError) {
            return try Launch(handler, on: files, in: registry.session, hasTerminal: hasTerminal)
        } catch {
            throw OpenError(.noProgram, "\(handler.name) cannot be started: \(error)")
        }
    }
}
