import ChemopenBytes

/// Details about files that were passed to this program: the sender, its note, and the start-up tokens.
///
///     let delivery = OpenContext(note: "the batch of Monday", startID: "pcmanfm-17-host-chemopen-0_TIME5")
///     print(delivery.sender)      // pcmanfm
public struct OpenContext: Sendable, Hashable {
    /// The sender's note about the files, or an empty string.
    public var note: String
    /// The start-up notification ID of X11 desktops, or an empty string.
    public var startID: String
    /// The activation token that lets a window come to the front on Wayland, or an empty string.
    public var token: String

    /// Creates a delivery from known values.
    public init(note: String = "", startID: String = "", token: String = "") {
        self.note = note
        self.startID = startID
        self.token = token
    }

    /// Creates a delivery from the environment variables that the desktop sets for a process that it starts.
    public init(in session: SessionEnvironment) {
        self.init(
            startID: session.value("DESKTOP_STARTUP_ID") ?? "", token: session.value("XDG_ACTIVATION_TOKEN") ?? "")
    }

    /// The name of the program that sent the files, or an empty string if the start-up ID does not contain it.
    ///
    /// Launchers put their name into the start-up ID, each in its own notation: `thunar/chemopen/17-0-host`,
    /// `pcmanfm-17-host-/usr/bin/chemopen-0`, and KDE's `host;seconds;microseconds;17`, in which the last number is a
    /// process ID.
    public var sender: String {
        [startID, token].lazy.compactMap(Self.launcher).first ?? ""
    }

    private static func launcher(namedBy id: String) -> String? {
        guard let end = id.utf8.firstRange(ofPart: "_TIME".utf8) else { return nil }
        let words = id[..<end.lowerBound]
        let steps = words.split(separator: "/", omittingEmptySubsequences: false)
        if steps.count == 3, steps[2].split(separator: "-").first.flatMap({ Int32($0) }) != nil {
            // If the first component is a path, its slashes are written as vertical bars.
            return steps[0].split(separator: "|").last.map(String.init)
        }
        let parts = words.split(separator: ";", omittingEmptySubsequences: false)
        if parts.count == 4 { return Int32(parts[3]).flatMap(RunningProcess.init)?.name }
        let pieces = words.split(separator: "-", omittingEmptySubsequences: false)
        guard let number = pieces.firstIndex(where: { Int32($0) != nil }), number > 0 else { return nil }
        let name = LocalPath(pieces[..<number].joined(separator: "-")).name
        return name.bytes.isEmpty ? nil : name.shown
    }

    // MARK: To and from programs

    private static let noteKey = "chemopen-note"
    private static let startKey = "desktop-startup-id"
    private static let tokenKey = "activation-token"

    /// Creates a delivery from the platform data that an application receives on the session bus.
    public init(platformData data: [String: String]) {
        self.init(
            note: data[Self.noteKey] ?? "", startID: data[Self.startKey] ?? "", token: data[Self.tokenKey] ?? "")
    }

    /// The platform data to send to another application. Only chemopen's own programs understand the note.
    public var platformData: [String: String] {
        [Self.noteKey: note, Self.startKey: startID, Self.tokenKey: token].filter { !$0.value.isEmpty }
    }

    /// Returns the environment for a program that shows the files. Start-up tokens in `block` belong to another start
    /// and are replaced.
    package func environment(over block: [[UInt8]] = currentEnvironment) -> [[UInt8]] {
        let words = [("DESKTOP_STARTUP_ID=", startID), ("XDG_ACTIVATION_TOKEN=", token)]
            .map { (name: Array($0.utf8), value: Array($1.utf8)) }
        return block.filter { entry in !words.contains { entry.starts(with: $0.name) } }
            + words.filter { !$0.value.isEmpty }.map { $0.name + $0.value }
    }
}
