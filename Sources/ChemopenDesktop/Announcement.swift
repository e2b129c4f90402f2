import ChemopenBytes

/// Something to be told to somebody who has clicked and looks at no terminal.
public struct Announcement: Sendable {
    /// A few words.
    public let title: String
    /// The sentences below them.
    public let text: String
    /// Something has failed.
    public let isError: Bool

    /// Something to be told.
    public init(_ title: String, _ text: String, isError: Bool) {
        self.title = title
        self.text = text
        self.isError = isError
    }

    /// The sentences, without anything that a desktop takes for markup.
    package var plainText: String { Dialog.plain(text) }
    /// How urgent it is, in the numbers of desktop notifications.
    package var urgency: UInt8 { isError ? 2 : 1 }
    /// How long it stays; 0 until somebody takes it away.
    package var milliseconds: Int32 { isError ? 0 : 20_000 }
    /// The name of the program's icon and entry.
    package static let program = "chemopen"

    /// Shows it as a notification of the desktop, else in a window, else as a page in the browser; `false` where none
    /// of these can be had.
    public func show(in session: Surroundings) -> Bool {
        guard session.isGraphical else { return false }
        if notify(session) { return true }
        if let dialog = Dialog(in: session), dialog.show(title + "\n\n" + text, isError: isError) { return true }
        return showPage(session)
    }

    /// Asks the desktop's own service, which answers with the number of the notification.
    private func notify(_ session: Surroundings) -> Bool {
        guard session.hasRunningBus, let gdbus = session.program("gdbus") else { return false }
        let words = [
            "call", "--session", "--timeout", "5", "--dest", "org.freedesktop.Notifications", "--object-path",
            "/org/freedesktop/Notifications", "--method", "org.freedesktop.Notifications.Notify", "Chemopen", "0",
            Self.program, BusText.quoted(title), BusText.quoted(plainText), "[]",
            "{'urgency': <byte \(urgency)>, 'desktop-entry': <'\(Self.program)'>}", "\(milliseconds)",
        ]
        return runProgram(gdbus, words.map { LocalPath($0) }) != nil
    }

    private func showPage(_ session: Surroundings) -> Bool {
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
