import Chemopen

/// The state of the viewer when it was closed: the open files, how they were read, the record filter, and the location
/// in the page.
///
/// It is stored in `left` in the user's state directory, readable only by the user.
public struct SavedViewState: Sendable {
    /// The fragment of the page's address, including the `#`.
    public let address: String
    /// The open files.
    public let files: [LocalPath]
    /// The command-line arguments that specify how to read the files and select records.
    public let words: [LocalPath]

    private static let wordMark = "word "
    private static let longestAddress = 1 << 16

    /// Creates a state. Returns `nil` if the bytes are not a valid fragment.
    public init?(address: [UInt8], files: [LocalPath], words: [LocalPath] = []) {
        guard address.count <= Self.longestAddress, address.first == UInt8(ascii: "#"),
            address.allSatisfy({ 0x21..<0x7F ~= $0 })
        else { return nil }
        self.address = String(decoding: address, as: UTF8.self)
        // The data of a pipe cannot be read again.
        self.files = files.filter { !$0.isDash }
        self.words = words
    }

    private static func folder(in session: SessionEnvironment) -> LocalPath { session.stateHome.appending("chemopen") }

    /// Stores the state, replacing the previous one. Errors are ignored.
    public func keep(in session: SessionEnvironment = .current) {
        guard !files.isEmpty else { return }
        let folder = Self.folder(in: session)
        // Encoded as an absolute path, an argument can contain any bytes.
        let words = words.map { Self.wordMark + LocalPath(bytes: Array("/".utf8) + $0.bytes).uri }
        let lines = [address] + words + files.map { $0.absolute(from: currentFolder()).uri }
        let text = Array((lines.joined(separator: "\n") + "\n").utf8)
        guard (try? makeFolders(folder)) != nil else { return }
        try? replacePrivateFile(
            text, at: folder.appending("left"), stagedAt: folder.appending(".left-\(currentProcessID())"))
    }

    /// Returns the state that was stored last.
    ///
    /// - Returns: the state, or `nil` if no valid state is stored.
    public static func last(in session: SessionEnvironment = .current) -> SavedViewState? {
        guard let bytes = try? readFile(folder(in: session).appending("left")) else { return nil }
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        guard let address = lines.first else { return nil }
        var (files, words): ([LocalPath], [LocalPath]) = ([], [])
        for line in lines.dropFirst() {
            let isWord = line.starts(with: wordMark.utf8)
            let spelled = isWord ? line.dropFirst(wordMark.utf8.count) : line
            guard let path = LocalPath(uri: String(decoding: spelled, as: UTF8.self)) else { continue }
            if isWord { words.append(LocalPath(bytes: Array(path.bytes.dropFirst()))) } else { files.append(path) }
        }
        return files.isEmpty ? nil : SavedViewState(address: Array(address), files: files, words: words)
    }
}
