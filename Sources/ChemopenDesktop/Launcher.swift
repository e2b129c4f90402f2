import ChemopenBytes

/// The commands that open files in a program. You can inspect them before anything is started.
///
///     let launch = try Launch(handler, on: [LocalPath("/a.mol")], in: .current)
///     print(launch.commands.map(\.words))
///     try launch.start()
public struct Launch: Sendable {
    /// A single command.
    public struct Command: Sendable, Hashable {
        /// The path of the program.
        public let program: LocalPath
        /// The arguments. The first argument is the program's name.
        public let arguments: [[UInt8]]

        /// The arguments in readable form, as `LocalPath.shown` returns them.
        public var words: [String] { arguments.map { LocalPath(bytes: $0).shown } }
    }

    /// The program to start.
    public let handler: Handler
    /// One command, or one for each file if the program accepts only one.
    public let commands: [Command]
    /// A call that opens the files over the session bus. `commands` are used if it fails.
    public let busCommand: Command?
    /// The working directory of the program.
    public let folder: LocalPath
    /// Whether the program runs in the current terminal. If so, `start` waits until it ends.
    public let isInThisTerminal: Bool
    private let session: SessionEnvironment

    /// Prepares a launch without starting anything.
    ///
    /// - Parameter hasTerminal: whether a terminal program can use the current terminal.
    /// - Throws: an `EntryError` if the program cannot be started.
    public init(
        _ handler: Handler, on files: [LocalPath], in session: SessionEnvironment, hasTerminal: Bool = false
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
                throw EntryError("\(entry.name) requires a session bus, which is not available")
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

    /// Returns a call that opens files in an application on the session bus.
    private static func busCommand(_ name: String, _ files: [LocalPath], _ session: SessionEnvironment) -> Command? {
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
        let data = OpenContext(in: session).platformData.sorted { $0.key < $1.key }
            .map { "'\($0.key)': <\(BusText.quoted($0.value))>" }.joined(separator: ", ")
        let words = [
            "gdbus", "call", "--session", "--timeout", "10", "--dest", name, "--object-path", object, "--method",
            "org.freedesktop.Application.Open", "[\(uris)]", "@a{sv} {\(data)}",
        ]
        return Command(program: program, arguments: words.map { Array($0.utf8) })
    }

    /// The running processes of a launch.
    public struct Running: Sendable {
        /// The process IDs. The list is empty for a program that was started over the bus.
        public let processes: [Int32]

        /// The processes, to examine them without waiting.
        package var children: [ChildProcess] { processes.map { ChildProcess(id: $0) } }

        /// Waits until all processes have ended.
        ///
        /// - Returns: the highest exit status, or 0 if there are no processes.
        public func wait() -> Int32 {
            processes.map { ChildProcess(id: $0).wait() }.max() ?? 0
        }
    }

    /// Starts the program, over the bus if possible.
    ///
    /// - Returns: the processes that are still running.
    /// - Throws: a `LaunchError` if a program cannot be started.
    public func start() throws(LaunchError) -> Running {
        if let busCommand, let child = try? spawn(busCommand, .none), child.wait() == 0 {
            return Running(processes: [])
        }
        guard !commands.isEmpty else { throw LaunchError("\(handler.name) does not respond on the session bus") }
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
        // Variables that another launcher has set for this process must not be passed to the new program.
        let own = ["GIO_LAUNCHED_DESKTOP_FILE=", "GIO_LAUNCHED_DESKTOP_FILE_PID="].map { Array($0.utf8) }
        let environment = currentEnvironment.filter { entry in !own.contains { entry.starts(with: $0) } }
        return try ChemopenDesktop.spawn(
            command.program, command.arguments, environment: environment, in: folder, streams: streams)
    }
}

/// The reason why a program could not be started.
public struct LaunchError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason as text.
    public let description: String

    /// Creates an error.
    public init(_ description: String) {
        self.description = description
    }
}

/// A terminal emulator for programs without a window.
private struct TerminalEmulator {
    let program: LocalPath
    /// The emulator's name and the option that precedes the command.
    let words: [String]

    private static let known: [(String, [String])] = [
        ("xdg-terminal-exec", []), ("x-terminal-emulator", ["-e"]), ("gnome-terminal", ["--"]), ("kgx", ["--"]),
        ("konsole", ["-e"]), ("xfce4-terminal", ["-x"]), ("mate-terminal", ["-x"]), ("lxterminal", ["-e"]),
        ("xterm", ["-e"]),
    ]

    init(_ session: SessionEnvironment) throws(EntryError) {
        for (name, options) in Self.known {
            guard let program = session.program(name) else { continue }
            self.program = program
            words = [name] + options
            return
        }
        throw EntryError("it requires a terminal, but no terminal emulator is installed")
    }
}
