import Chemopen

/// The state of the viewer when it was left: the files that were open, and the place in the page as its address says it.
///
/// Kept in `left` of the user's state folder, readable for the user alone.
public struct LeftView: Sendable {
    /// The end of the page's address, from its `#` on.
    public let address: String
    /// The files that were open.
    public let files: [LocalPath]

    private static let longestAddress = 1 << 16

    /// Nothing for bytes that are no place in a page.
    public init?(address: [UInt8], files: [LocalPath]) {
        guard address.count <= Self.longestAddress, address.first == UInt8(ascii: "#"),
            address.allSatisfy({ 0x21..<0x7F ~= $0 })
        else { return nil }
        self.address = String(decoding: address, as: UTF8.self)
        // The bytes of a pipe do not come again.
        self.files = files.filter { !$0.isDash }
    }

    private static func folder(in session: Surroundings) -> LocalPath { session.stateHome.appending("chemopen") }

    /// Keeps it in the place of what was kept before; best effort.
    public func keep(in session: Surroundings = .current) {
        guard !files.isEmpty else { return }
        let folder = Self.folder(in: session)
        let lines = [address] + files.map { $0.absolute(from: currentFolder()).uri }
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
        let files = lines.dropFirst().compactMap { LocalPath(uri: String(decoding: $0, as: UTF8.self)) }
        return files.isEmpty ? nil : LeftView(address: Array(address), files: files)
    }
}
