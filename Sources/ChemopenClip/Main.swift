import ChemopenBytes

/// `chemopen-clip offer|list|take TYPE [--primary] [--way WAY]`: clipboard access for `chemopen copy` and `chemopen
/// paste`.
///
/// It is a separate program so that chemopen itself starts without the clipboard libraries. `offer` reads the contents
/// from standard input, prints `ready` when other programs can request them, and serves them in the background until
/// another program copies. `list` prints the offered type names, one per line. `take` prints the content of one type.
@main
enum Main {
    private static let nothing: Int32 = 1
    private static let usage: Int32 = 2
    private static let noClipboard: Int32 = 4

    static func main() {
        turnSignalsIntoErrors()
        closeInherited()
        guard let request = Request(Array(CommandLine.arguments.dropFirst())) else {
            complain("chemopen-clip is run by chemopen; see chemopen copy --help and chemopen paste --help")
            endProcess(usage)
        }
        do throws(ClipFailure) {
            let clipboard = try Clipboard(request)
            switch request.act {
            case .offer: try serve(clipboard)
            case .list: try show(Array((clipboard.names().map { $0 + "\n" }.joined()).utf8))
            case .take(let name): try show(clipboard.bytes(name))
            }
        } catch {
            switch error {
            case .noClipboard(let reason): fail(reason, noClipboard)
            case .nothing(let reason), .unserved(let reason): fail(reason, nothing)
            }
        }
        endProcess(0)
    }

    private static func serve(_ clipboard: Clipboard) throws(ClipFailure) {
        var text: [UInt8] = []
        while (try? readBytes(0, upTo: 1 << 20, into: &text)) == true {}
        guard let offer = Offer(text) else {
            throw .nothing("the offered content is incomplete")
        }
        text = []
        try clipboard.serve(offer) {
            try? writeAll(Array("ready\n".utf8), to: 1)
            goToBackground()
        }
    }

    private static func show(_ bytes: [UInt8]) {
        try? writeAll(bytes, to: 1)
    }

    /// Prints the reason to standard output instead of the content; `chemopen` includes it in its error message.
    private static func fail(_ reason: String, _ status: Int32) -> Never {
        show(Array((reason + "\n").utf8))
        endProcess(status)
    }

    private static func complain(_ text: String) {
        try? writeAll(Array((text + "\n").utf8), to: 2)
    }
}

/// A parsed command line.
struct Request {
    enum Act {
        case offer, list
        case take(String)
    }

    /// The clipboard system, if a specific one is required.
    enum Way: String {
        case x11, wayland
        /// Wayland with a window of this program.
        case window
    }

    var act: Act
    var isPrimary = false
    var way: Way?

    init?(_ words: [String]) {
        var rest = words[...]
        switch rest.popFirst() {
        case "offer": act = .offer
        case "list": act = .list
        case "take":
            guard let name = rest.popFirst() else { return nil }
            act = .take(name)
        default: return nil
        }
        while let word = rest.popFirst() {
            switch word {
            case "--primary": isPrimary = true
            case "--way":
                guard let name = rest.popFirst(), let named = Way(rawValue: name) else { return nil }
                way = named
            default: return nil
            }
        }
    }
}

/// The clipboard of the session.
///
/// If a Wayland compositor supports data control, its clipboard is accessed without a window. Otherwise the X server's
/// clipboard is used, which the compositor synchronizes with its own. Without an X server, a window is opened to access
/// the compositor's clipboard.
private enum Clipboard {
    case x11(XConnection, isPrimary: Bool)
    case wayland(WaylandClipboard)

    init(_ request: Request) throws(ClipFailure) {
        let isWayland = !(environment("WAYLAND_DISPLAY") ?? "").isEmpty
        let compositor = isWayland && request.way != .x11 ? WaylandConnection() : nil
        let needsWindow = compositor.map { !WaylandClipboard.hasDataControl($0) } ?? true
        if request.way == nil || request.way == .x11, needsWindow, !(environment("DISPLAY") ?? "").isEmpty,
            let connection = XConnection()
        {
            self = .x11(connection, isPrimary: request.isPrimary)
        } else if let compositor {
            self = .wayland(
                try WaylandClipboard(
                    on: compositor, isPrimary: request.isPrimary, isPlain: request.way == .window))
        } else {
            throw .noClipboard("no clipboard: cannot connect to an X server or a Wayland compositor")
        }
    }

    func serve(_ offer: Offer, whenReady: () -> Void) throws(ClipFailure) {
        guard let ending = watchSignalsToEnd() else { throw .unserved("too many open files") }
        switch self {
        case .x11(let connection, let isPrimary):
            var serving = try XServing(offer, on: connection, isPrimary: isPrimary)
            whenReady()
            serving.run(until: ending)
        case .wayland(let clipboard):
            let source = try clipboard.own(offer)
            whenReady()
            clipboard.serve(offer, from: source, until: ending)
        }
    }

    func names() throws(ClipFailure) -> [String] {
        switch self {
        case .x11(let connection, let isPrimary):
            return try XAsking(on: connection, isPrimary: isPrimary).names()
        case .wayland(let clipboard):
            return try clipboard.offered()?.names ?? []
        }
    }

    func bytes(_ name: String) throws(ClipFailure) -> [UInt8] {
        switch self {
        case .x11(let connection, let isPrimary):
            return try XAsking(on: connection, isPrimary: isPrimary).bytes(name)
        case .wayland(let clipboard):
            guard let offered = try clipboard.offered(), offered.names.contains(name) else {
                throw .nothing("the clipboard does not offer \"\(name)\"")
            }
            return try clipboard.bytes(name, of: offered.object)
        }
    }
}
