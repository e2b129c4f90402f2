import Chemopen

/// The problems of a server's directory, mappings, tokens and address, found before it starts.
///
///     let check = ServeCheck("/srv/chem", tokens: "/var/lib/chemopen/readers", at: "https://chem.example.org")
///     for problem in check.problems { print(problem.text) }
package struct ServeCheck: Sendable {
    /// A problem and what to do about it.
    package struct Problem: Sendable, Hashable {
        package let text: String
        /// Whether the server cannot start, or no reader gets any data.
        package let isFatal: Bool

        package init(_ text: String, isFatal: Bool = false) {
            self.text = text
            self.isFatal = isFatal
        }
    }

    package private(set) var problems: [Problem] = []
    /// The numbers of readable files and of readers.
    package private(set) var files = 0
    package private(set) var readers = 0

    /// Checks everything except whether the server can listen.
    package init(_ path: LocalPath, tokens: LocalPath, at address: String?) {
        checkFolder(path)
        checkReaders(tokens)
        if let address { checkAddress(address) }
    }

    /// Adds a problem.
    package mutating func note(_ problem: Problem) {
        problems.append(problem)
    }

    private mutating func checkFolder(_ path: LocalPath) {
        guard let folder = ServedFolder(path) else {
            let isMissing = fileKind(path) == .missing
            let problem =
                isMissing ? "does not exist; create it, mount it or correct the path" : "is not a readable directory"
            return note(Problem("\(path.shown) \(problem)", isFatal: true))
        }
        let (served, _, messages, _) = folder.look()
        for message in messages { note(Problem(message)) }
        for file in served {
            do throws(FileError) {
                _ = try OpenFile(file.path)
                files += 1
            } catch {
                note(Problem("\(error); make it readable for the user who runs the server"))
            }
        }
        if served.isEmpty, messages.isEmpty {
            note(Problem("\(path.shown) contains no chemical files; add some, or list their names in mapping.json"))
        }
    }

    private mutating func checkReaders(_ tokens: LocalPath) {
        do throws(Readers.Failure) {
            readers = try Readers(tokens).list.count
            if readers == 0 {
                note(Problem("\(tokens.shown) lists no readers; use chemopen serve --add NAME to add one"))
            }
        } catch {
            note(Problem(error.message, isFatal: true))
        }
    }

    private mutating func checkAddress(_ address: String) {
        guard let origin = ListenPlace.origin(address) else {
            let form = "use the form https://chem.example.org, without a path"
            return note(Problem("\"\(address)\" is not an address of a server; \(form)", isFatal: true))
        }
        let isLocal = ["http://localhost", "http://127.0.0.1"].contains { origin == $0 || origin.hasPrefix($0 + ":") }
        if origin.hasPrefix("http:"), !isLocal {
            note(Problem("\(origin) has no TLS, so others can read the tokens; use a proxy with https"))
        }
    }
}
