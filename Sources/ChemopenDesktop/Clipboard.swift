import ChemopenBytes

/// The clipboard of the session, filled by a program that is installed for that.
public struct Clipboard: Sendable {
    private let program: LocalPath
    private let words: [LocalPath]

    /// The programs, in the order in which they are asked, and their words.
    private static let fillers: [(name: String, words: [LocalPath], isForWayland: Bool)] = [
        ("wl-copy", [], true), ("xclip", ["-selection", "clipboard"], false),
        ("xsel", ["--clipboard", "--input"], false),
    ]

    /// `nil` where no program can be asked.
    public init?(in session: Surroundings) {
        let isWayland = session.value("WAYLAND_DISPLAY") != nil
        for filler in Self.fillers where filler.isForWayland ? isWayland : session.value("DISPLAY") != nil {
            guard let program = session.program(filler.name) else { continue }
            self.program = program
            words = filler.words
            return
        }
        return nil
    }

    /// The packages of which one is needed, for people.
    public static let packages = "xclip, or wl-clipboard under Wayland"

    /// Puts the content of a file on the clipboard; `false` where the program fails.
    public func take(_ file: LocalPath) -> Bool {
        guard (try? redirectStandardInput(to: file)) != nil else { return false }
        let arguments = ([program.name] + words).map(\.bytes)
        guard
            let child = try? spawn(
                program, arguments, environment: currentEnvironment, in: "/", streams: .filtering(from: 0, to: 2))
        else { return false }
        return child.wait() == 0
    }
}
