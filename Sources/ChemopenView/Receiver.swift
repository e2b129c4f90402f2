import Chemopen
import ChemopenBrowse

/// The viewer of a session, which receives files from other programs and shows them in the open page.
///
/// On the session bus it implements `Activate`, `Open` and `ActivateAction` of `org.freedesktop.Application`.
final class Receiver: Sendable {
    static let busName = "arpa.home.chemopen.viewer"

    private let service: BrowseService
    private let site: ViewSite
    private let presence: Presence
    /// The running openers of the page, and when the last one was started.
    private let openers = Guarded((running: [ChildProcess](), last: UInt64(0)))
    /// The page that redirects the browser, until it has been loaded.
    private let redirect = Guarded<RedirectPage?>(nil)
    /// The time that a browser may need to start. No second page is opened during it.
    private static let secondsOfStart: UInt64 = 15

    init(_ service: BrowseService, _ site: ViewSite, _ presence: Presence) {
        self.service = service
        self.site = site
        self.presence = presence
    }

    /// Passes files to the viewer that is already running. Returns `false` if there is none.
    static func handOver(_ files: [LocalPath], _ delivery: OpenContext, over bus: SessionBus) -> Bool {
        bus.open(files.map { $0.absolute(from: currentFolder()).uri }, delivery, in: busName)
    }

    /// Shows the files of a call. The returned function adds them to the recent files.
    func take(_ call: BusCall) -> () -> Void {
        let session = SessionEnvironment.current
        let files = call.addresses.map { address in
            LocalPath(uri: address) ?? GVFSMounts(session).path(of: LocalPath(address)) ?? LocalPath(address)
        }
        let recent = RecentFiles(in: session)
        // If the viewer is started without files, show the recent files.
        let isBare = files.isEmpty && service.isEmpty && fileKind(recent.sheet) == .regular
        let (failures, first) = service.add(isBare ? [recent.sheet] : files, delivered: call.delivery)
        if !failures.isEmpty {
            let text = failures.map { "\($0)" }.joined(separator: "\n")
            // Without a notification service this blocks until the user closes a window, so use another thread.
            onThread { _ = UserNotification("Some files could not be opened", text, isError: true).show(in: session) }
        }
        site.isCalled(toShow: first, unseen: { Self.tellWhere(files, in: session) })
        if presence.isOpen { session.raiseWindow(titled: ViewSite.titleEnd) } else { _ = showPage(call.delivery) }
        return { self.keep(files, call.delivery) }
    }

    /// Notifies a user whose browser stayed in the background where the files are shown.
    private static func tellWhere(_ files: [LocalPath], in session: SessionEnvironment) {
        let names = files.prefix(3).map(\.name.shown).joined(separator: ", ")
        let more = files.count > 3 ? " and \(files.count - 3) more" : ""
        let text = files.isEmpty ? "The page is open in the browser." : "\(names)\(more): open in the browser."
        onThread { _ = UserNotification("Shown in the viewer", text, isError: false).show(in: session) }
    }

    /// Adds files to the recent files.
    func keep(_ files: [LocalPath], _ delivery: OpenContext) {
        do throws(OpenError) {
            try RecentFiles(in: .current).add(files, delivery)
        } catch {
            Main.tell("note: cannot add the files to the recent files: \(error)")
        }
    }

    /// Opens the page in the browser. Returns `false` if the desktop has no opener.
    func showPage(_ delivery: OpenContext) -> Bool {
        let now = monotonicNanoseconds()
        let isStarting = openers.change { openers in
            let isStarting = openers.last > 0 && (now &- openers.last) / 1_000_000_000 < Self.secondsOfStart
            if !isStarting { openers.last = now }
            return isStarting
        }
        if isStarting { return true }
        let session = SessionEnvironment.current
        let appBrowser = HandlerRegistry(session).appBrowser
        guard session.isGraphical, let opener = appBrowser ?? session.program("xdg-open") else { return false }
        removeRedirect()
        site.makeOnceAddress { address in
            redirect.change { $0 = RedirectPage(to: address, in: session) }
        } onUse: { [self] in
            removeRedirect()
        }
        guard let address = redirect.change({ $0?.address }) else { return false }
        let words = [opener.name.bytes, Array((appBrowser == nil ? address : "--app=" + address).utf8)]
        guard
            let child = try? spawn(
                opener, words, environment: delivery.environment(), in: currentFolder(), streams: .none)
        else { return false }
        openers.change { $0.running.append(child) }
        return true
    }

    /// Removes the page that redirects the browser, if it exists.
    func removeRedirect() {
        let page = redirect.change { page in
            defer { page = nil }
            return page
        }
        page?.remove()
    }

    /// Checks for openers that have ended. If one of them failed, stops waiting for a browser.
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
