import ChemopenBytes

/// The remote locations that the desktop has mounted. GVFS shows them as directories.
public struct GVFSMounts: Sendable {
    private let gio: LocalPath?
    private let folder: LocalPath?

    /// Creates the mounts of a session.
    public init(_ session: SessionEnvironment) {
        gio = session.program("gio")
        folder = session.runtimeFolder?.appending("gvfs")
    }

    /// The URI schemes of mounted locations. For other addresses, GIO is not called, because it would download them.
    private static let schemes: Set<String> = ["smb", "sftp", "afp", "mtp", "gphoto2", "dav", "davs", "nfs", "trash"]

    /// Returns the local path of an address.
    ///
    /// - Returns: the absolute path, or `nil` if the location is not mounted.
    public func path(of address: LocalPath) -> LocalPath? {
        guard let gio, let folder, let text = address.text, let colon = text.firstIndex(of: ":"),
            Self.schemes.contains(text[..<colon].lowercased()), EntryStatus(folder) != nil,
            let lines = runProgram(gio, ["info", "--attributes=standard::name", "--", address])
        else { return nil }
        let beginning = Array("local path: ".utf8)
        guard let line = lines.split(separator: UInt8(ascii: "\n")).first(where: { $0.starts(with: beginning) }) else {
            return nil
        }
        let path = LocalPath(bytes: Array(line.dropFirst(beginning.count)))
        return path.isAbsolute ? path : nil
    }
}
