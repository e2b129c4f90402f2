import ChemopenDesktop

/// Opens files in the programs of this desktop, converting them on the way where that is needed.
///
///     let opening = Opening(HandlerRegistry(.current))
///     let file = try ReceivedFile(LocalPath("a.cdx"))
///     if let choice = opening.plan(for: file).choices.first, let handler = choice.handler {
///         let prepared = try opening.prepare(choice.action, for: file)
///         try opening.launch(handler, on: prepared.files).start()
///     }
public struct Opening: Sendable {
    /// The programs of the desktop.
    public let registry: HandlerRegistry
    /// The wishes of the user.
    public var preferences = Plan.Preferences()
    /// The records to hand over; where it takes all, those that the program can take.
    public var selection = RecordSelection()
    /// A terminal program can run where this one does.
    public var hasTerminal = false

    /// The formats of which copies may be made.
    public let formats: FormatRegistry

    /// Opens files in the programs of a registry.
    public init(_ registry: HandlerRegistry, among formats: FormatRegistry = .standard) {
        self.registry = registry
        self.formats = formats
        preferences.isGraphical = registry.session.isGraphical
    }

    /// The ways to open a file.
    public func plan(for file: ReceivedFile) -> Plan {
        let isPlain = file.path.bytes.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || "/-_.+@".utf8.contains(byte)
        }
        let name = Plan.Name(suffix: fileExtension(file.path), isCompressed: file.isCompressed, isPlain: isPlain)
        let back = LaunchLog.handlersHandingBack(file.path, in: registry.session)
        var preferences = self.preferences
        if let handler = preferences.handler, back.contains(handler.id) { preferences.handler = nil }
        let candidates = candidates(for: file.survey.format).filter { !back.contains($0.handler.id) }
        return Plan(for: file.survey, named: name, candidates: candidates, formats: formats, preferences)
    }

    /// All programs that may come into question for a format: those for its own type first, then those for others.
    public func candidates(for format: Format) -> [HandlerRegistry.Candidate] {
        var found = registry.candidates(for: format.mimeType, aliases: Array(format.mimeTypes.dropFirst()))
        for type in format.signature?.gzippedExtensions.isEmpty == false ? [format.gzippedType] : [] {
            for candidate in registry.candidates(for: type) { add(candidate, to: &found) }
        }
        for other in formats where other.id != format.id && other.makeWriter != nil {
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

    /// Files that are ready to be handed over.
    public struct Prepared: Sendable {
        /// The files, which exist as long as the folder does.
        public var files: [LocalPath]
        /// Where copies lie; `nil` where the file itself is handed over.
        public var folder: PrivateFolder?
        /// The losses of the copies.
        public var report = LossReport()
        /// The number of records that could not be read.
        public var unreadable = 0
        /// Parts of the choice of records that may not have been meant.
        package var remarks: [RecordChoice.Remark] = []
    }

    /// Makes the copy that an action asks for.
    public func prepare(_ action: Plan.Action, for file: ReceivedFile) throws(OpenError) -> Prepared {
        switch action {
        case .view: return Prepared(files: [])
        case .launch where selection.takesAll: return Prepared(files: [file.path])
        case .launch:
            return try makeCopy(Plan.Copy(format: file.survey.format), of: file)
        case .convert(let copy, _):
            return try makeCopy(copy, of: file)
        }
    }

    private func makeCopy(_ copy: Plan.Copy, of file: ReceivedFile) throws(OpenError) -> Prepared {
        let folder: PrivateFolder
        do throws(FileError) {
            folder = try PrivateFolder(in: registry.session)
        } catch {
            throw OpenError(.unwritable, "no private folder for a copy: \(error)")
        }
        do throws(OpenError) {
            return try CopyMaker(copy, of: file, in: folder, selection).run()
        } catch {
            try? folder.seal()
            folder.remove()
            throw error
        }
    }

    /// How the files would be handed to a program, word for word.
    public func launch(_ handler: Handler, on files: [LocalPath]) throws(OpenError) -> Launch {
        do throws(EntryError) {
            return try Launch(handler, on: files, in: registry.session, hasTerminal: hasTerminal)
        } catch {
            throw OpenError(.noProgram, "\(handler.name) cannot be started: \(error)")
        }
    }
}
