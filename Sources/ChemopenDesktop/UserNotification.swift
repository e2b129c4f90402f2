import ChemopenBytes

/// A message for a user who started the program from the desktop and sees no terminal.
public struct UserNotification: Sendable {
    /// The heading, a few words long.
    public let title: String
    /// The text below the heading, in complete sentences.
    public let text: String
    /// Whether the message reports a failure.
    public let isError: Bool

    /// Creates a message.
    public init(_ title: String, _ text: String, isError: Bool) {
        self.title = title
        self.text = text
        self.isError = isError
    }

    /// The text without any character that a desktop could parse as markup.
    package var plainText: String { Dialog.plain(text) }
    /// The urgency level of the desktop notification specification: 1 is normal, 2 is critical.
    package var urgency: UInt8 { isError ? 2 : 1 }
    /// The display time of the notification. If it is 0, the notification stays until the user dismisses it.
    package var milliseconds: Int32 { isError ? 0 : 20_000 }
    /// The name of the program's icon and desktop entry.
    package static let program = "chemopen"

    /// Shows the message as a desktop notification. If that fails, uses a dialog window, then a page in the browser.
    ///
    /// - Returns: `false` if the session has no way to show the message.
    public func show(in session: SessionEnvironment) -> Bool {
        guard session.isGraphical else { return false }
        if notify(session) { return true }
        if let dialog = Dialog(in: session), dialog.show(title + "\n\n" + text, isError: isError) { return true }
        return showPage(session)
    }

    /// Calls the notification service of the desktop, which returns the number of the notification.
    private func notify(_ session: SessionEnvironment) -> Bool {
        guard session.hasRunningBus, let gdbus = session.program("gdbus") else { return false }
        let words = [
            "call", "--session", "--timeout", "5", "--dest", "org.freedesktop.Notifications", "--object-path",
            "/org/freedesktop/Notifications", "--method", "org.freedesktop.Notifications.Notify", "Chemopen", "0",
            Self.program, BusText.quoted(title), BusText.quoted(plainText), "[]",
            "{'urgency': <byte \(urgency)>, 'desktop-entry': <'\(Self.program)'>}", "\(milliseconds)",
        ]
        return runProgram(gdbus, words.map { LocalPath($0) }) != nil
    }

    private func showPage(_ session: SessionEnvironment) -> Bool {
        guard let opener = session.program("xdg-open"), let folder = try? PrivateFolder(in: session) else {
            return false
        }
        let lines = text.split(separator: "\n").map { "<p>\(SharedMimeInfo.escaped(String($0)))</p>\n" }.joined()
        let heading = SharedMimeInfo.escaped(title)
        let html =
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>\(heading)</title></head>\n"
            + "<body>\n<h1>\(heading)</h1>\n\(lines)</body></html>\n"
        let page = folder.path.appending("message.html")
        guard (try? writePrivateFile(Array(html.utf8), to: page)) != nil else { return false }
        try? folder.seal()
        return runProgram(opener, [page]) != nil
    }
}
