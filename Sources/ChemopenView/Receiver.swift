import Chemopen
import ChemopenBrowse

/// The one viewer of a session, to which other programs send files: it shows them in the page that is open.
///
/// On the session's bus it is an application: `Activate`, `Open` and `ActivateAction` of `org.freedesktop.Application`.
final class Receiver: Sendable {
    static let busName = "arpa.home.chemopen.viewer"

    private let service: BrowseService
    private let site: ViewSite
    private let presence: Presence
    /// The openers that were asked to show the page, and when the last was.
    private let openers = Guarded((running: [ChildProcess](), last: UInt64(0)))
    /// The page that leads the browser here, until it has come.
    private let redirect = Guarded<RedirectPage?>(nil)
    /// A browser takes its time; nobody wants a page for each file until then.
    private static let secondsOfStart: UInt64 = 15

    init(_ service: BrowseService, _ site: ViewSite, _ presence: Presence) {
        self.service = service
        self.site = site
        self.presence = presence
    }

    /// Hands files to the viewer that runs already; `false` where there is none.
    static func handOver(_ files: [LocalPath], _ delivery: Delivery, over bus: SessionBus) -> Bool {
        bus.open(files.map { $0.absolute(from: currentFolder()).uri }, delivery, in: busName)
    }

    /// Shows the files of a call. The work that is left keeps them among those that were opened last.
    func take(_ call: BusCall) -> () -> Void {
        let session = Surroundings.current
        let files = call.addresses.map { address in
            LocalPath(uri: address) ?? MountedPlaces(session).path(of: LocalPath(address)) ?? LocalPath(address)
        }
        let recent = RecentFiles(in: session)
        // Somebody who asks for the viewer alone sees what was opened last.
        let isBare = files.isEmpty && service.isEmpty && fileKind(recent.sheet) == .regular
        let (failures, first) = service.add(isBare ? [recent.sheet] : files, delivered: call.delivery)
        if !failures.isEmpty {
            let text = failures.map { "\($0)" }.joined(separator: "\n")
            // Without a notification service this lasts until somebody closes the window, and the next call does not wait.
            onThread { _ = Announcement("Not all could be opened", text, isError: true).show(in: session) }
        }
        site.isCalled(toShow: first, unseen: { Self.tellWhere(files, in: session) })
        if presence.isOpen { session.raiseWindow(titled: ViewSite.titleEnd) } else { _ = showPage(call.delivery) }
        return { self.keep(files, call.delivery) }
    }

    /// Tells somebody who has clicked, and whose browser stayed in the background, where the files are shown.
    private static func tellWhere(_ files: [LocalPath], in session: Surroundings) {
        let names = files.prefix(3).map(\.name.shown).joined(separator: ", ")
        let more = files.count > 3 ? " and \(files.count - 3) more" : ""
        let text = files.isEmpty ? "It is open in the browser." : "\(names)\(more): on its page in the browser."
        onThread { _ = Announcement("Shown in the viewer", text, isError: false).show(in: session) }
    }

    /// Keeps files among those that were opened last.
    func keep(_ files: [LocalPath], _ delivery: Delivery) {
        do throws(OpenError) {
            try RecentFiles(in: .current).add(files, delivery)
        } catch {
            Main.tell("note: the files are not kept among those opened last: \(error)")
        }
    }

    /// Asks the desktop to show the page; `false` where nobody can be asked.
    func showPage(_ delivery: Delivery) -> Bool {
        let now = monotonicNanoseconds()
        let isStarting = openers.change { openers in
            let isStarting = openers.last > 0 && (now &- openers.last) / 1_000_000_000 < Self.secondsOfStart
            if !isStarting { openers.last = now }
            return isStarting
        }
        if isStarting { return true }
        let session = Surroundings.current
        guard session.isGraphical, let opener = session.program("xdg-open") else { return false }
        removeRedirect()
        site.makeOnceAddress { address in
            redirect.change { $0 = RedirectPage(to: address, in: session) }
        } onUse: { [self] in
            removeRedirect()
        }
        guard let address = redirect.change({ $0?.address }) else { return false }
        let words = ["xdg-open", address].map { Array($0.utf8) }
        guard
            let child = try? spawn(
                opener, words, environment: delivery.environment(), in: currentFolder(), streams: .none)
        else { return false }
        openers.change { $0.running.append(child) }
        return true
    }

    /// Removes the page that leads the browser here, if there is one.
    func removeRedirect() {
        let page = redirect.change { page in
            defer { page = nil }
            return page
        }
        page?.remove()
    }

    /// Notices openers that have ended; one that could not open anything ends the waiting.
    func lookAfterOpeners() {
        let statuses = openers.change { openers in
            var statuses: [Int32] = []
            openers.running.removeAll { child in
                guard let status = child.endedStatus() else { return false }
                statuses.append(status)
                return true
            }
            return statuses
        }
        if statuses.contains(where: { $0 != 0 }) { presence.giveUp() }
    }
}
