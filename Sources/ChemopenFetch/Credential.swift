import ChemopenBytes
import ChemopenDesktop

/// A credential for a server. It never appears in messages.
enum Credential {
    case basic(user: String, password: String)
    case bearer(token: String)

    /// The keyring stores the credential in this format.
    var text: String {
        switch self {
        case .basic(let user, let password): "basic\n\(user)\n\(password)"
        case .bearer(let token): "bearer\n\(token)"
        }
    }

    init?(text: String) {
        let parts = text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        switch parts.first {
        case "basic" where parts.count == 3: self = .basic(user: parts[1], password: parts[2])
        case "bearer" where parts.count == 2: self = .bearer(token: parts[1])
        default: return nil
        }
    }

    /// Returns the credential for a server from the keyring or else from the user's netrc file, and a description of
    /// any problem.
    ///
    /// - Parameter isTyped: whether the user typed this server's address; `false` for a server reached by redirection.
    ///   The netrc entry for all servers is used only for typed addresses.
    static func find(for address: Address, isTyped: Bool) -> (credential: Credential?, trouble: String?) {
        var trouble: String?
        do throws(Keyring.Failure) {
            let text = try endingWithCaller { () throws(Keyring.Failure) in
                try Keyring.secret(of: address.origin, .credential)
            }
            if let text, let found = Credential(text: text) { return (found, nil) }
        } catch {
            trouble = error.text
        }
        do throws(FileError) {
            if let found = try Netrc.of(.current)?.credential(for: address, isTyped: isTyped) { return (found, nil) }
        } catch {
            trouble = "\(error)"
        }
        return (nil, trouble)
    }
}

/// The user's netrc file, with entries such as `machine HOST login USER password PASSWORD`. The login `bearer` means
/// that the password is a token.
struct Netrc {
    private var entries: [(host: String?, login: String, password: String)] = []

    /// Reads the file that `NETRC` names, or `.netrc` in the home directory. Returns `nil` if it does not exist.
    static func of(_ session: SessionEnvironment) throws(FileError) -> Netrc? {
        let path = session.value("NETRC").map { LocalPath($0) } ?? session.home.appending(".netrc")
        guard let status = EntryStatus(path, followingLinks: true), status.isRegular else { return nil }
        guard status.mode & 0o077 == 0 else {
            let why = "not used because other users can read it (run chmod 600)"
            throw FileError(path, .notFetched(why))
        }
        return Netrc(String(decoding: try readFile(path, limit: 1 << 20), as: UTF8.self))
    }

    init(_ text: String) {
        var words = Self.words(of: text)[...]
        while let word = words.popFirst() {
            switch word {
            case "machine": entries.append((words.popFirst()?.lowercased() ?? "", "", ""))
            case "default": entries.append((nil, "", ""))
            case "login": if !entries.isEmpty { entries[entries.count - 1].login = words.popFirst() ?? "" }
            case "password": if !entries.isEmpty { entries[entries.count - 1].password = words.popFirst() ?? "" }
            case "account": _ = words.popFirst()
            default: break
            }
        }
    }

    /// Splits the text into tokens. Comments are skipped, and macros up to the next empty line.
    private static func words(of text: String) -> [String] {
        var words: [String] = []
        var isMacro = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if isMacro {
                isMacro = !line.trimmed.isEmpty
                continue
            }
            if line.trimmed.hasPrefix("#") { continue }
            var word = ""
            var (isQuoted, isEscaped, hasWord) = (false, false, false)
            for character in line {
                if isEscaped {
                    word.append(character)
                    isEscaped = false
                } else if character == "\\", isQuoted {
                    isEscaped = true
                } else if character == "\"", isQuoted || !hasWord {
                    isQuoted.toggle()
                    hasWord = true
                } else if !isQuoted, character == " " || character == "\t" || character == "\r" {
                    if hasWord { words.append(word) }
                    (word, hasWord) = ("", false)
                } else {
                    word.append(character)
                    hasWord = true
                }
            }
            if hasWord { words.append(word) }
            if let macro = words.lastIndex(of: "macdef"), macro + 2 >= words.count {
                words.removeSubrange(macro...)
                isMacro = true
            }
        }
        return words
    }

    func credential(for address: Address, isTyped: Bool) -> Credential? {
        let entry = entries.first { $0.host == nil ? isTyped : $0.host == address.host }
        guard let entry, !entry.password.isEmpty else { return nil }
        if entry.login == "bearer" { return .bearer(token: entry.password) }
        return .basic(user: entry.login, password: entry.password)
    }
}
