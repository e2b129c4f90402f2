import Chemopen

/// The times of the last requests with each token, in a file next to the list of readers.
///
/// The file has a line `DIGEST SECONDS` for each token. The server stores it now and then, not for each request.
///
///     let seen = LastSeen(beside: "/var/lib/chemopen/readers")
///     seen.note(token, at: currentTime())
///     try seen.store()
package final class LastSeen: Sendable {
    private struct State: Sendable {
        var times: [String: Int]
        var isStored = true
    }

    private let path: LocalPath
    private let state: Guarded<State>

    /// Reads the stored times. A missing or unreadable file contains no times.
    ///
    /// - Parameter list: the path of the list of readers.
    package init(beside list: LocalPath) {
        path = list.folder.appending("\(list.name.shown).seen")
        var times: [String: Int] = [:]
        for line in ((try? readFile(path, limit: 4 << 20)) ?? []).split(separator: UInt8(ascii: "\n")) {
            let words = String(decoding: line, as: UTF8.self).split(separator: " ")
            if words.count == 2, words[0].utf8.count == 64, let time = Int(words[1]) { times[String(words[0])] = time }
        }
        state = Guarded(State(times: times))
    }

    /// Returns the time of the last request with a reader's token, in seconds since 1970, or `nil` if there was none.
    package func time(of reader: Reader) -> Int? {
        state.change { $0.times[reader.digest] }
    }

    /// Notes a request with a valid token.
    package func note(_ token: String, at time: Int) {
        let digest = SHA256.digits(of: token)
        state.change { state in
            state.times[digest] = time
            state.isStored = false
        }
    }

    /// Stores the times if there were requests since the last call. Forgets tokens that are no longer in the list.
    ///
    /// - Throws: `FileError` if the file cannot be written.
    package func store(keeping readers: [Reader]) throws(FileError) {
        let known = Set(readers.map(\.digest))
        let times: [String: Int]? = state.change { state in
            guard !state.isStored else { return nil }
            state.isStored = true
            state.times = state.times.filter { known.contains($0.key) }
            return state.times
        }
        guard let times else { return }
        let lines = times.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }.joined()
        let staged = path.folder.appending(".\(path.name.shown)-\(currentProcessID())")
        try replacePrivateFile(Array(lines.utf8), at: path, stagedAt: staged, forFolderOwner: true)
    }
}
