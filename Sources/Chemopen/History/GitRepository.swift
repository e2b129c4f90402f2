/// A git repository, read with git's command line.
///
/// Programs that the repository's configuration, attributes, hooks or files specify are never run, so you can read
/// untrusted repositories safely.
package struct GitRepository: Sendable {
    private let program: LocalPath
    private let environment: [[UInt8]]
    /// The directory in which git runs.
    package let folder: LocalPath

    /// The variables of the session that are passed to git: those that identify the user. Git's other variables could
    /// redirect it.
    private static let inherited = [
        "PATH", "HOME", "XDG_CONFIG_HOME", "TMPDIR", "EMAIL", "GIT_CONFIG_GLOBAL", "GIT_AUTHOR_NAME",
        "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_DATE", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "GIT_COMMITTER_DATE",
    ]

    /// The environment of git. All protocols are disabled, so missing objects are not fetched.
    private static let settings = [
        "LC_ALL=C.UTF-8", "GIT_CONFIG_NOSYSTEM=1", "GIT_ATTR_NOSYSTEM=1", "GIT_PAGER=cat", "PAGER=cat", "GIT_EDITOR=:",
        "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS=", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1",
        "GIT_ALLOW_PROTOCOL=none", "GIT_NO_REPLACE_OBJECTS=1", "GIT_LITERAL_PATHSPECS=1",
    ]

    /// Overrides for settings that could specify a program or make git do more than requested.
    private static let overrides = [
        "core.fsmonitor=false", "core.hooksPath=/dev/null", "core.pager=cat", "core.attributesFile=/dev/null",
        "core.sshCommand=false", "core.askPass=", "core.editor=:", "core.untrackedCache=false", "credential.helper=",
        "diff.external=", "log.showSignature=false", "gpg.program=false", "commit.gpgSign=false",
        "protocol.allow=never", "gc.auto=0", "maintenance.auto=false", "submodule.recurse=false", "color.ui=false",
        "core.quotePath=false",
    ]

    /// Creates the repository that contains a directory. Only a request shows whether there is a repository.
    package init(around folder: LocalPath, _ session: SessionEnvironment = .current) throws(Conversion.Failure) {
        guard let program = try? session.findProgram("git") else {
            throw .impossible("the program git is not installed")
        }
        self.program = program
        self.folder = folder
        let block = currentEnvironment.filter { entry in
            Self.inherited.contains { entry.starts(with: Array("\($0)=".utf8)) }
        }
        environment = block + Self.settings.map { Array($0.utf8) }
    }

    private func words(_ words: [LocalPath]) -> [[UInt8]] {
        let overrides = Self.overrides.flatMap { ["-c", LocalPath($0)] as [LocalPath] }
        return (["git", "--no-pager"] + overrides + words).map(\.bytes)
    }

    /// Returns the output of a git command, or `nil` if it fails.
    ///
    /// - Parameter more: Additional environment variables for this call.
    package func ask(_ words: [LocalPath], with more: [LocalPath] = []) throws(Conversion.Failure) -> [UInt8]? {
        do throws(FileError) {
            let ends = try makePipe()
            defer { closeDescriptor(ends.reading) }
            let child = try start(words, with: more, printingTo: ends.writing)
            do throws(FileError) {
                let output = try readToEnd(ends.reading, of: child, limit: Self.mostOutput)
                let isWhole = output.count < Self.mostOutput
                if !isWhole { child.end() }
                return isWhole && child.wait() == 0 ? output : nil
            } catch {
                child.end()
                throw error
            }
        } catch {
            throw .read(ReadError(error))
        }
    }

    private static let mostOutput = 1 << 28

    private func start(
        _ words: [LocalPath], with more: [LocalPath], printingTo descriptor: Int32
    ) throws(FileError) -> ChildProcess {
        defer { closeDescriptor(descriptor) }
        return try spawn(
            program, self.words(words), environment: environment(with: more), in: folder,
            streams: .printing(to: descriptor))
    }

    /// Returns the environment with variables that replace those of the same name.
    private func environment(with more: [LocalPath]) -> [[UInt8]] {
        let names = more.map { variable in Array(variable.bytes.prefix { $0 != UInt8(ascii: "=") }) + Array("=".utf8) }
        return environment.filter { entry in !names.contains { entry.starts(with: $0) } } + more.map(\.bytes)
    }

    /// Returns the first line that a git command prints, or `nil` if it fails.
    package func line(_ words: [LocalPath], with more: [LocalPath] = []) throws(Conversion.Failure) -> LocalPath? {
        try ask(words, with: more).map { LocalPath(bytes: Array($0.prefix { $0 != UInt8(ascii: "\n") })) }
    }

    /// Starts the process that returns objects.
    package func objects() throws(Conversion.Failure) -> GitObjects {
        do throws(FileError) {
            let (requests, answers) = (try makePipe(), try makePipe())
            widenPipe(answers.reading)
            defer {
                closeDescriptor(requests.reading)
                closeDescriptor(answers.writing)
            }
            let child = try spawn(
                program, words(["cat-file", "--batch"]), environment: environment, in: folder,
                streams: .filtering(from: requests.reading, to: answers.writing))
            return GitObjects(child, requests: requests.writing, answers: answers.reading)
        } catch {
            throw .read(ReadError(error))
        }
    }
}

/// A process that returns the objects of a repository in the order of the requests.
package struct GitObjects: ~Copyable {
    private let child: ChildProcess
    private let requests: Int32
    private let answers: Int32
    private var pending: [UInt8] = []

    init(_ child: ChildProcess, requests: Int32, answers: Int32) {
        (self.child, self.requests, self.answers) = (child, requests, answers)
    }

    deinit {
        closeDescriptor(requests)
        closeDescriptor(answers)
        // The process only reads, so it can be killed safely.
        child.end()
    }

    /// Requests an object, to be read with `next`. With several pending requests, git does not have to wait.
    package func ask(for id: String) throws(Conversion.Failure) {
        do throws(FileError) {
            try writeAll(Array((id + "\n").utf8), to: requests)
        } catch {
            throw .read(ReadError(error))
        }
    }

    /// Returns the next requested object.
    package mutating func next() throws(Conversion.Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        try next(into: &bytes)
        return bytes
    }

    /// Reads the next requested object into an existing buffer.
    package mutating func next(into bytes: inout [UInt8]) throws(Conversion.Failure) {
        bytes.removeAll(keepingCapacity: true)
        var pending: [UInt8] = []
        swap(&pending, &self.pending)
        var head: Int?
        while head == nil {
            head = pending.firstIndex(of: UInt8(ascii: "\n"))
            if head == nil, try !take(upTo: 4096, into: &pending) { throw .impossible("git returned no object") }
        }
        let end = head ?? 0
        let words = String(decoding: pending[..<end], as: UTF8.self).split(separator: " ")
        guard words.count == 3, words[1] == "blob", let size = Int(words[2]), size >= 0 else {
            throw .impossible("git does not have this version of the file: \(words.joined(separator: " "))")
        }
        guard size <= RecordCost.mostVersionBytes else {
            throw .impossible(
                "git has a version of \(size) bytes, which exceeds the limit of \(RecordCost.mostVersionBytes); "
                    + "use git cat-file blob \(words[0]) to write it to a file, and chemopen diff to compare files")
        }
        // The bytes received with the header may include the beginning of the next response.
        bytes.append(contentsOf: pending[(end + 1)...].prefix(size + 1))
        pending.removeSubrange(...(end + bytes.count))
        while bytes.count <= size {
            if try !take(upTo: min(size + 1 - bytes.count, 1 << 20), into: &bytes) {
                throw .impossible("git stopped unexpectedly")
            }
        }
        bytes.removeLast()
        self.pending = pending
    }

    private func take(upTo count: Int, into bytes: inout [UInt8]) throws(Conversion.Failure) -> Bool {
        do throws(FileError) {
            return waitForOutput(answers, of: child) ? try readBytes(answers, upTo: count, into: &bytes) : false
        } catch {
            throw .read(ReadError(error))
        }
    }
}
