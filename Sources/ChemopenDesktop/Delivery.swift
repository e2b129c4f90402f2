import ChemopenBytes

/// How files came here, as far as anybody says so: who sent them, and with which words.
///
///     let delivery = Delivery(note: "the batch of Monday", startID: "pcmanfm-17-host-chemopen-0_TIME5")
///     print(delivery.sender)      // pcmanfm
public struct Delivery: Sendable, Hashable {
    /// The sender's words about the files; empty where there are none.
    public var note: String
    /// The id that X11 desktops give to a start; empty where there is none.
    public var startID: String
    /// The word by which a Wayland desktop lets a window come to the front; empty where there is none.
    public var token: String

    /// A delivery of which this much is known.
    public init(note: String = "", startID: String = "", token: String = "") {
        self.note = note
        self.startID = startID
        self.token = token
    }

    /// A delivery as the desktop tells a process that it starts.
    public init(in session: Surroundings) {
        self.init(
            startID: session.value("DESKTOP_STARTUP_ID") ?? "", token: session.value("XDG_ACTIVATION_TOKEN") ?? "")
    }

    /// The program that sent the files; empty where nobody says which.
    ///
    /// Launchers name themselves in the id that they give to a start, each in its own notation: `thunar/chemopen/17-0-host`,
    /// `pcmanfm-17-host-/usr/bin/chemopen-0`, and KDE's `host;seconds;microseconds;17`, whose last number is a process.
    public var sender: String {
        [startID, token].lazy.compactMap(Self.launcher).first ?? ""
    }

    private static func launcher(namedBy id: String) -> String? {
        guard let end = id.utf8.firstRange(ofPart: "_TIME".utf8) else { return nil }
        let words = id[..<end.lowerBound]
        let steps = words.split(separator: "/", omittingEmptySubsequences: false)
        if steps.count == 3, steps[2].split(separator: "-").first.flatMap({ Int32($0) }) != nil {
            // A path in the first place has bars for its slashes.
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

    /// A delivery as an application is told over the session's bus.
    public init(platformData data: [String: String]) {
        self.init(
            note: data[Self.noteKey] ?? "", startID: data[Self.startKey] ?? "", token: data[Self.tokenKey] ?? "")
    }

    /// The same for another application; only ours know the note.
    public var platformData: [String: String] {
        [Self.noteKey: note, Self.startKey: startID, Self.tokenKey: token].filter { !$0.value.isEmpty }
    }

    /// The environment of a program that shows the files: the words that another start has left there are not about them.
    package func environment(over block: [[UInt8]] = currentEnvironment) -> [[UInt8]] {
        let words = [("DESKTOP_STARTUP_ID=", startID), ("XDG_ACTIVATION_TOKEN=", token)]
            .map { (name: Array($0.utf8), value: Array($1.utf8)) }
        return block.filter { entry in !words.contains { entry.starts(with: $0.name) } }
            + words.filter { !$0.value.isEmpty }.map { $0.name + $0.value }
    }
}
