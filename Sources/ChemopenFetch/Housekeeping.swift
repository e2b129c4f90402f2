import ChemopenBytes
import ChemopenDesktop

/// The commands that manage the cache and the keyring. Each returns the exit status of the program.
enum Housekeeping {
    private static let (done, unreadable, unwritable): (Int32, Int32, Int32) = (0, 3, 5)

    static func list(printsJSON: Bool) -> Int32 {
        status(ifNot: unreadable) { () throws(FetchFailure) in
            let store = try FetchStore(in: .current)
            let key = store.entries(nil).contains { $0.entry.isSealed } ? try? StoreKey.kept() : nil
            for (server, entry) in store.entries(key) {
                Main.tell(printsJSON ? object(entry, of: server) : line(entry, of: server))
            }
        }
    }

    private static func line(_ entry: FetchEntry, of server: LocalPath) -> String {
        let notes = entry.kept()
        let date = notes.map { localTime($0.checked) } ?? "incomplete      "
        let unnamed = entry.isSealed ? "\(server.shown) (address encrypted)" : server.shown
        let name = (notes ?? entry.partNotes)?.address ?? unnamed
        let size = String(entry.size)
        let blanks = String(repeating: " ", count: max(0, 12 - size.count))
        return "\(date)  \(blanks)\(size)  \(plain(name))" + (entry.isSealed ? ", encrypted" : "")
    }

    /// Formats a cache entry as a JSON object.
    private static func object(_ entry: FetchEntry, of server: LocalPath) -> String {
        let notes = entry.kept()
        var members = ["\"server\":\(quoted(server.shown))"]
        if let address = (notes ?? entry.partNotes)?.address { members.append("\"address\":\(quoted(address))") }
        if let notes { members.append("\"checked\":\(quoted(localTime(notes.checked)))") }
        members.append("\"bytes\":\(entry.size)")
        members.append("\"complete\":\(notes != nil)")
        members.append("\"encrypted\":\(entry.isSealed)")
        return "{\(members.joined(separator: ","))}"
    }

    /// Quotes a string for JSON. Control characters are replaced by `plain`.
    private static func quoted(_ text: String) -> String {
        let escaped = plain(text).unicodeScalars.map { scalar in
            scalar == "\"" || scalar == "\\" ? "\\\(scalar)" : String(scalar)
        }
        return "\"\(escaped.joined())\""
    }

    /// Deletes the entire cache, or only the files of a server or an address. If everything is deleted, the encryption
    /// key is deleted as well.
    static func clear(_ word: String?, printsJSON: Bool) -> Int32 {
        status(ifNot: unreadable) { () throws(FetchFailure) in
            let store = try FetchStore(in: .current)
            let entries: [FetchEntry]
            if let word {
                entries = try self.entries(word, in: store).filter { EntryStatus($0.folder) != nil }
            } else {
                entries = store.entries(nil).map(\.entry)
                if entries.contains(where: \.isSealed) { _ = try? StoreKey.forget() }
            }
            for entry in entries { store.remove(entry) }
            if printsJSON { return Main.tell("{\"forgotten\":\(entries.count)}") }
            Main.tell("removed \(entries.count == 1 ? "1 file" : "\(entries.count) files") from the cache")
        }
    }

    /// Returns the cache entries of an address, or of a server if the address has no path.
    private static func entries(_ word: String, in store: FetchStore) throws(FetchFailure) -> [FetchEntry] {
        let address = try address(word)
        let clear = store.entry(address, nil)
        if address.text == address.origin + "/" {
            return store.entries(nil).map(\.entry).filter { $0.folder.folder == clear.folder.folder }
        }
        guard store.hasSealed(of: address), let key = try? StoreKey.kept() else { return [clear] }
        return [clear, store.entry(address, key)]
    }

    static func login(_ word: String) -> Int32 {
        status(ifNot: unwritable) { () throws(FetchFailure) in
            let address = try address(word)
            if isTerminal(0) { say("User name for \(address.origin) (empty for a token):") }
            guard let user = nextLine() else { throw FetchFailure("no user name was entered") }
            if isTerminal(0) { say(user.isEmpty ? "Token:" : "Password:") }
            guard let secret = nextLine(isSecret: true), !secret.isEmpty else {
                throw FetchFailure("no \(user.isEmpty ? "token" : "password") was entered")
            }
            let credential = user.isEmpty ? Credential.bearer(token: secret) : .basic(user: user, password: secret)
            do throws(Keyring.Failure) {
                try Keyring.keep(
                    credential.text, of: address.origin, .credential, label: "Chemopen: \(address.origin)")
            } catch {
                throw FetchFailure("cannot store the credential: \(error.text)")
            }
            Main.tell("stored the credential for \(address.origin) in the keyring")
        }
    }

    static func logout(_ word: String) -> Int32 {
        status(ifNot: unwritable) { () throws(FetchFailure) in
            let address = try address(word)
            let isWithdrawn: Bool
            do throws(Keyring.Failure) {
                isWithdrawn = try Keyring.withdraw(address.origin, .credential)
            } catch {
                throw FetchFailure("cannot remove the credential: \(error.text)")
            }
            guard isWithdrawn else {
                throw FetchFailure("the keyring has no credential for \(address.origin)")
            }
            Main.tell("removed the credential for \(address.origin) from the keyring")
            Main.tell("to remove its cached files as well, run: chemopen cache clear \(address.origin)")
        }
    }

    private static func status(ifNot failed: Int32, _ body: () throws(FetchFailure) -> Void) -> Int32 {
        do throws(FetchFailure) {
            try body()
            return done
        } catch {
            say("chemopen: error: \(error.text)")
            return failed
        }
    }

    private static func address(_ word: String) throws(FetchFailure) -> Address {
        do throws(Address.Refusal) {
            return try Address(word)
        } catch {
            // The error does not quote the address because it may contain a password.
            throw FetchFailure("the address \(error)")
        }
    }
}
