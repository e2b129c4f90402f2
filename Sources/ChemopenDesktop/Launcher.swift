import ChemopenBytes

/// How a program is started on some files: the very words, known before anything happens.
///
///     let launch = try Launch(handler, on: [LocalPath("/a.mol")], in: .current)
///     print(launch.commands.map(\.words))
///     try launch.start()
public struct Launch: Sendable {
    /// One start of the program.
    public struct Command: Sendable, Hashable {
        /// Where the program lies.
        public let program: LocalPath
        /// Its arguments, its own name first.
        public let arguments: [[UInt8]]

        /// The arguments for people, as `LocalPath.shown` shows them.
        public var words: [String] { arguments.map { LocalPath(bytes: $0).shown } }
    }

    /// The program that is started.
    public let handler: Handler
    /// One, or one for each file where the program takes only one.
    public let commands: [Command]
    /// Asks the running program over the bus; the commands are for when that fails.
    public let busCommand: Command?
    /// The folder in which the program runs.
    public let folder: LocalPath
    /// Runs in the terminal from which it is started, which waits for it.
    public let isInThisTerminal: Bool
    private let session: Surroundings

    /// - Parameter hasTerminal: there is a terminal that a terminal program can use.
    public init(
        _ handler: Handler, on files: [LocalPath], in session: Surroundings, hasTerminal: Bool = false
    ) throws(EntryError) {
        self.handler = handler
        self.session = session
        let entry = handler.entry
        if let path = entry.folder, EntryStatus(path, followingLinks: true)?.isFolder == true {
            folder = path
        } else {
            folder = EntryStatus(session.home, followingLinks: true)?.isFolder == true ? session.home : "/"
        }
        isInThisTerminal = entry.isTerminalProgram && hasTerminal
        busCommand = entry.isBusActivatable ? Self.busCommand(entry.busName, files, session) : nil
        var line = entry.exec
        if let exec = handler.known?.exec { line = .success(try ExecLine(exec)) }
        guard let line else {
            guard busCommand != nil else {
                throw EntryError("\(entry.name) is started over the bus, and there is none")
            }
            commands = []
            return
        }
        let exec = try line.get()
        guard let program = session.program(exec.program) else { throw EntryError("\(exec.program) is not installed") }
        let wrapper = entry.isTerminalProgram && !hasTerminal ? try TerminalEmulator(session) : nil
        commands = exec.commands(for: files, name: entry.name, icon: entry.icon, location: entry.location).map {
            words in
            guard let wrapper else { return Command(program: program, arguments: words) }
            return Command(program: wrapper.program, arguments: wrapper.words.map { Array($0.utf8) } + words)
        }
    }

    /// The call that opens files in a program on the session's bus.
    private static func busCommand(_ name: String, _ files: [LocalPath], _ session: Surroundings) -> Command? {
        let isName =
            name.contains(".")
            && name.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
            }
        guard isName, session.hasBus, let program = session.program("gdbus")
        else { return nil }
        let object = "/" + name.map { $0 == "." ? "/" : $0 == "-" ? "_" : String($0) }.joined()
        let uris = files.map { "'\($0.uri)'" }.joined(separator: ", ")
        let data = Delivery(in: session).platformData.sorted { $0.key < $1.key }
            .map { "'\($0.key)': <\(BusText.quoted($0.value))>" }.joined(separator: ", ")
        let words = [
            "gdbus", "call", "--session", "--timeout", "10", "--dest", name, "--object-path", object, "--method",
            "org.freedesktop.Application.Open", "[\(uris)]", "@a{sv} {\(data)}",
        ]
        return Command(program: program, arguments: words.map { Array($0.utf8) })
    }

    /// The processes that are still running behind a launch.
    public struct Running: Sendable {
        /// None for a program that was asked over the bus.
        public let processes: [Int32]

        /// Waits until all of them have ended; the highest status.
        public func wait() -> Int32 {
            processes.map { ChildProcess(id: $0).wait() }.max() ?? 0
        }
    }

    /// Starts the program, or asks it over the bus.
    public func start() throws(LaunchError) -> Running {
        if let busCommand, let child = try? spawn(busCommand, .none), child.wait() == 0 {
            return Running(processes: [])
        }
        guard !commands.isEmpty else { throw LaunchError("\(handler.name) does not answer on the bus") }
        var processes: [Int32] = []
        for command in commands {
            do throws(FileError) {
                let child = try spawn(command, isInThisTerminal ? .inherited : .none)
                if isInThisTerminal { _ = child.wait() } else { processes.append(child.id) }
            } catch {
                throw LaunchError(
                    "\(handler.name) could not be started: \(command.program.shown): \(error.explanation)")
            }
        }
        return Running(processes: processes)
    }

    private func spawn(_ command: Command, _ streams: ChildStreams) throws(FileError) -> ChildProcess {
        // The words of other launchers about their own start are not for this program.
        let own = ["GIO_LAUNCHED_DESKTOP_FILE=", "GIO_LAUNCHED_DESKTOP_FILE_PID="].map { Array($0.utf8) }
        let environment = currentEnvironment.filter { entry in !own.contains { entry.starts(with: $0) } }
        return try ChemopenDesktop.spawn(
            command.program, command.arguments, environment: environment, in: folder, streams: streams)
    }
}

/// Why a program could not be started.
public struct LaunchError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason in words.
    public let description: String

    /// An error in words.
    public init(_ description: String) {
        self.description = description
    }
}

/// A window in which a program without windows can run.
private struct TerminalEmulator {
    let program: LocalPath
    /// Its name and the option before the command.
    let words: [String]

    private static let known: [(String, [String])] = [
        ("xdg-terminal-exec", []), ("x-terminal-emulator", ["-e"]), ("gnome-terminal", ["--"]), ("kgx", ["--"]),
        ("konsole", ["-e"]), ("xfce4-terminal", ["-x"]), ("mate-terminal", ["-x"]), ("lxterminal", ["-e"]),
        ("xterm", ["-e"]),
    ]

    init(_ session: Surroundings) throws(EntryError) {
        for (name, options) in Self.known {
            guard let program = session.program(name) else { continue }
            self.program = program
            words = [name] + options
            return
        }
        throw EntryError("it runs in a terminal, and no terminal emulator is installed")
    }
}
