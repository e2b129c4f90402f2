import ChemopenBytes
import ChemopenDesktop

/// `chemopen-fetch`: downloads a file from an address that the user typed and caches it.
///
/// `chemopen` runs this program. It is separate to ensure that code that parses files never opens a socket. The request
/// is read from standard input because other users can see command-line arguments. The replies are written line by
/// line:
///
///     address https://…          progress 65536 1048576
///     offline                    note TEXT
///     encrypt                    type chemical/x-mdl-sdfile
///     go                         file PATH, or error TEXT
///
/// The fetch ends when the input ends. A file in memory exists until then.
///
/// With `browse` in place of `go`, the address is that of a server of the browse protocol. Each further line of the
/// input is a request, and the reply is `response JSON`, `offline TEXT` or `error TEXT`. `token WORD` replaces the
/// credential from the keyring.
@main
enum Main {
    static func main() {
        turnSignalsIntoErrors()
        var words = Array(programArguments().dropFirst().map { $0.text ?? $0.shown })
        let printsJSON = words.first == "--json"
        if printsJSON { words.removeFirst() }
        switch words.first {
        case nil: endProcess(serve() ? 0 : 3)
        case "list" where words.count == 1: endProcess(Housekeeping.list(printsJSON: printsJSON))
        case "clear" where words.count <= 2:
            endProcess(Housekeeping.clear(words.count == 2 ? words[1] : nil, printsJSON: printsJSON))
        case "login" where words.count == 2: endProcess(Housekeeping.login(words[1]))
        case "logout" where words.count == 2: endProcess(Housekeeping.logout(words[1]))
        default:
            say("chemopen-fetch is run by chemopen; see chemopen cache --help")
            endProcess(2)
        }
    }

    private static func serve() -> Bool {
        var word = ""
        var token: String?
        var (isOffline, encrypts) = (false, false)
        while let line = nextLine(), line != "go" {
            if line == "browse" { return browse(word, token) }
            if line.hasPrefix("token ") { token = String(line.dropFirst(6)) }
            if line == "offline" { isOffline = true }
            if line == "encrypt" { encrypts = true }
            if line.hasPrefix("address ") { word = String(line.dropFirst(8)) }
        }
        do throws(FetchFailure) {
            let fetch = try Fetch(word, encrypts: encrypts)
            try fetch.run(isOffline: isOffline)
            return true
        } catch {
            tell("error \(plain(error.text))")
            return false
        }
    }

    private static func browse(_ word: String, _ token: String?) -> Bool {
        do throws(Address.Refusal) {
            let address = try Address(word.hasSuffix("/") ? word + "browse" : word + "/browse")
            BrowsedServer(address, token.map { .bearer(token: $0) }).run()
            return true
        } catch {
            tell("error \(plain(error.description))")
            return false
        }
    }

    /// Sends a line to the calling program.
    static func tell(_ line: String) { tell(line, "") }

    /// Sends a line that ends with a path.
    static func tell(_ line: String, _ path: LocalPath) {
        try? writeAll(Array(line.utf8) + path.bytes + [UInt8(ascii: "\n")], to: 1)
    }
}

/// A single requested file.
private struct Fetch {
    private let address: Address
    private let store: FetchStore
    private let entry: FetchEntry

    init(_ word: String, encrypts: Bool) throws(FetchFailure) {
        do throws(Address.Refusal) {
            address = try Address(word)
        } catch {
            throw FetchFailure(error.description)
        }
        store = try FetchStore(in: .current)
        do throws(Keyring.Failure) {
            if encrypts {
                let key = try endingWithCaller { () throws(Keyring.Failure) in try StoreKey.keptOrMade() }
                entry = store.entry(address, key)
                return
            }
            // A file that has been encrypted once stays encrypted.
            let isSealed = store.hasSealed(of: address)
            let key = try endingWithCaller { () throws(Keyring.Failure) in isSealed ? try StoreKey.kept() : nil }
            if let key {
                let sealed = store.entry(address, key)
                if sealed.kept() != nil {
                    entry = sealed
                    return
                }
            }
            entry = store.entry(address, nil)
        } catch {
            throw FetchFailure("encryption requires a keyring: \(error.text)")
        }
    }

    func run(isOffline: Bool) throws(FetchFailure) {
        do throws(FileError) {
            try entry.make()
        } catch {
            throw FetchFailure("cannot cache the file: \(error)")
        }
        let lock = try lock()
        defer {
            entry.tidy()
            closeDescriptor(lock)
        }
        let notes = try isOffline ? offline(nil) : fetch()
        // The unencrypted copy is no longer needed.
        if entry.isSealed { store.remove(store.entry(address, nil)) }
        if !notes.type.isEmpty { Main.tell("type \(plain(notes.type))") }
        try handOver()
        awaitEndOfInput()
    }

    /// Locks the entry, waiting for other runs that fetch the same file.
    private func lock() throws(FetchFailure) -> Int32 {
        while true {
            do throws(FileError) {
                if let lock = try tryToLockFolder(entry.folder) { return lock }
            } catch {
                throw FetchFailure("cannot cache the file: \(error)")
            }
            if hasLostItsCaller() { throw FetchFailure("the download was canceled") }
            sleepMilliseconds(100)
        }
    }

    private func fetch() throws(FetchFailure) -> FetchNotes {
        var told: UInt64 = 0
        let transfer = try Transfer(address, into: entry, Limits(), isCancelled: hasLostItsCaller) { bytes, total in
            let now = monotonicNanoseconds()
            guard now &- told > 200_000_000 else { return }
            told = now
            Main.tell("progress \(bytes) \(total ?? 0)")
        }
        do throws(FetchFailure) {
            return try transfer.run()
        } catch {
            guard error.isOffline else { throw error }
            return try offline(error.text)
        }
    }

    /// Returns the cached copy if the network must not be used or is unavailable.
    private func offline(_ why: String?) throws(FetchFailure) -> FetchNotes {
        guard let notes = entry.kept() else {
            let why = why.map { $0 + ", and " } ?? ""
            throw FetchFailure("\(why)there is no cached copy")
        }
        Main.tell("note offline, as of \(localTime(notes.checked))" + (why.map { ": \($0)" } ?? ""))
        return notes
    }

    private func handOver() throws(FetchFailure) {
        guard let key = entry.key else { return Main.tell("file ", entry.file) }
        do throws(FileError) {
            let memory = try makeFileInMemory()
            guard try key.unseal(entry.file, to: memory.number) else {
                throw FileError(entry.file, .notFetched("the cached copy was changed and cannot be decrypted"))
            }
            Main.tell("memory ", memory.path)
        } catch {
            throw FetchFailure(error.explanation)
        }
    }
}
