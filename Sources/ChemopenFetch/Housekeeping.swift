import ChemopenBytes
import ChemopenDesktop

/// What people do with the store and the keyring by hand. Each returns the status of the program.
enum Housekeeping {
    private static let (done, unreadable, unwritable): (Int32, Int32, Int32) = (0, 3, 5)

    static func list() -> Int32 {
        do throws(FetchFailure) {
            let store = try FetchStore(in: .current)
            let all = store.entries(nil)
            let key = all.contains { $0.entry.isSealed } ? try? StoreKey.kept() : nil
            for (server, entry) in store.entries(key) {
                let notes = entry.kept()
                let date = notes.map { localTime($0.checked) } ?? "incomplete      "
                let unnamed = entry.isSealed ? "\(server.shown), of an address that only its key tells" : server.shown
                let name = (notes ?? entry.partNotes)?.address ?? unnamed
                let size = String(entry.size)
                let blanks = String(repeating: " ", count: max(0, 12 - size.count))
                Main.tell("\(date)  \(blanks)\(size)  \(plain(name))" + (entry.isSealed ? ", encrypted" : ""))
            }
            return done
        } catch {
            say("chemopen: error: \(error.text)")
            return unreadable
        }
    }

    /// Clears all, or what came from a server, or from an address. With all the key goes as well.
    static func clear(_ word: String?) -> Int32 {
        do throws(FetchFailure) {
            let store = try FetchStore(in: .current)
            var count = 0
            if let word, Address.begins(LocalPath(word)) {
                let address = try self.address(word)
                var entries = [store.entry(address, nil)]
                if let key = try? StoreKey.kept() { entries.append(store.entry(address, key)) }
                if address.text == address.origin + "/" {
                    let server = entries[0].folder.folder
                    entries += store.entries(nil).map(\.entry).filter { $0.folder.folder == server }
                }
                for entry in entries where EntryStatus(entry.folder) != nil {
                    store.remove(entry)
                    count += 1
                }
            } else if let word {
                throw FetchFailure("\"\(plain(word))\" is no address; https://host clears what came from a server")
            } else {
                let entries = store.entries(nil)
                for (_, entry) in entries { store.remove(entry) }
                count = entries.count
                if entries.contains(where: { $0.entry.isSealed }) { _ = try? StoreKey.forget() }
            }
            Main.tell(count == 1 ? "1 file is forgotten" : "\(count) files are forgotten")
            return done
        } catch {
            say("chemopen: error: \(error.text)")
            return unreadable
        }
    }

    static func login(_ word: String) -> Int32 {
        do throws(FetchFailure) {
            let address = try address(word)
            if isTerminal(0) { say("Name at \(address.origin), or nothing where it wants a token alone:") }
            guard let user = nextLine() else { throw FetchFailure("no name was given") }
            if isTerminal(0) { say(user.isEmpty ? "Token:" : "Password:") }
            guard let secret = nextLine(isSecret: true), !secret.isEmpty else {
                throw FetchFailure("no \(user.isEmpty ? "token" : "password") was given")
            }
            let credential = user.isEmpty ? Credential.bearer(token: secret) : .basic(user: user, password: secret)
            do throws(Keyring.Failure) {
                try Keyring.keep(
                    credential.text, of: address.origin, .credential, label: "Chemopen: \(address.origin)")
            } catch {
                throw FetchFailure("nothing was kept: \(error.text)")
            }
            Main.tell("the keyring keeps the words for \(address.origin)")
            return done
        } catch {
            say("chemopen: error: \(error.text)")
            return unwritable
        }
    }

    static func logout(_ word: String) -> Int32 {
        do throws(FetchFailure) {
            let address = try address(word)
            do throws(Keyring.Failure) {
                guard try Keyring.withdraw(address.origin, .credential) else {
                    throw Keyring.Failure(text: "the keyring keeps none for \(address.origin)")
                }
            } catch {
                throw FetchFailure("nothing was withdrawn: \(error.text)")
            }
            Main.tell("the words for \(address.origin) are withdrawn")
            Main.tell("chemopen cache clear \(address.origin) forgets its files, too")
            return done
        } catch {
            say("chemopen: error: \(error.text)")
            return unwritable
        }
    }

    private static func address(_ word: String) throws(FetchFailure) -> Address {
        do throws(Address.Refusal) {
            return try Address(word)
        } catch {
            // The word may hold a password.
            throw FetchFailure("the address \(error)")
        }
    }
}
