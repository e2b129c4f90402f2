import Chemopen

/// The state of the viewer when it was left: the files that were open, how they were read and which of their records were
/// chosen, and the place in the page as its address says it.
///
/// Kept in `left` of the user's state folder, readable for the user alone.
public struct LeftView: Sendable {
    /// The end of the page's address, from its `#` on.
    public let address: String
    /// The files that were open.
    public let files: [LocalPath]
    /// The words of the command line by which the files were read and their records chosen.
    public let words: [LocalPath]

    private static let wordMark = "word "
    private static let longestAddress = 1 << 16

    /// Nothing for bytes that are no place in a page.
    public init?(address: [UInt8], files: [LocalPath], words: [LocalPath] = []) {
        guard address.count <= Self.longestAddress, address.first == UInt8(ascii: "#"),
            address.allSatisfy({ 0x21..<0x7F ~= $0 })
        else { return nil }
        self.address = String(decoding: address, as: UTF8.self)
        // The bytes of a pipe do not come again.
        self.files = files.filter { !$0.isDash }
        self.words = words
    }

    private static func folder(in session: Surroundings) -> LocalPath { session.stateHome.appending("chemopen") }

    /// Keeps it in the place of what was kept before; best effort.
    public func keep(in session: Surroundings = .current) {
        guard !files.isEmpty else { return }
        let folder = Self.folder(in: session)
        // As a path below the root a word may have any bytes.
        let words = words.map { Self.wordMark + LocalPath(bytes: Array("/".utf8) + $0.bytes).uri }
        let lines = [address] + words + files.map { $0.absolute(from: currentFolder()).uri }
        let text = Array((lines.joined(separator: "\n") + "\n").utf8)
        guard (try? makeFolders(folder)) != nil else { return }
        try? replacePrivateFile(
            text, at: folder.appending("left"), stagedAt: folder.appending(".left-\(currentProcessID())"))
    }

    /// The state that was kept last; nothing where there is none.
    public static func last(in session: Surroundings = .current) -> LeftView? {
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
        return files.isEmpty ? nil : LeftView(address: Array(address), files: files, words: words)
    }
}
