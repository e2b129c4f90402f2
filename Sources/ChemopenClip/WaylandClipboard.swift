import CWayland
import ChemopenBytes

/// The clipboard of a Wayland compositor.
///
/// With the data control protocols (ext-data-control-v1, wlr-data-control-unstable-v1) a program needs no window to
/// access it. If the compositor supports neither, only the window with keyboard focus can access the clipboard, so an
/// invisible window is opened for a moment.
struct WaylandClipboard {
    /// The protocol, with its interfaces and the numbers of its messages.
    private enum Way {
        case ext, wlr, plain

        var manager: chemopen_interface {
            switch self {
            case .ext: chemopen_of_ext_manager
            case .wlr: chemopen_of_wlr_manager
            case .plain: chemopen_of_plain_manager
            }
        }
        var device: chemopen_interface {
            switch self {
            case .ext: chemopen_of_ext_device
            case .wlr: chemopen_of_wlr_device
            case .plain: chemopen_of_plain_device
            }
        }
        var source: chemopen_interface {
            switch self {
            case .ext: chemopen_of_ext_source
            case .wlr: chemopen_of_wlr_source
            case .plain: chemopen_of_plain_source
            }
        }
        /// The name of the manager to bind.
        var name: String {
            switch self {
            case .ext: "ext_data_control_manager_v1"
            case .wlr: "zwlr_data_control_manager_v1"
            case .plain: "wl_data_device_manager"
            }
        }
        /// The numbers of the requests `set_selection` and `receive` and of the events `selection`,
        /// `primary_selection`, `send` and `cancelled`.
        var setSelection: UInt32 { self == .plain ? 1 : 0 }
        var receive: UInt32 { self == .plain ? 1 : 0 }
        var selection: UInt32 { self == .plain ? 5 : 1 }
        var send: UInt32 { self == .plain ? 1 : 0 }
        var cancelled: UInt32 { self == .plain ? 2 : 1 }
    }

    private static let setPrimarySelection: UInt32 = 2
    private static let primarySelection: UInt32 = 3
    private static let finished: UInt32 = 2

    private let connection: WaylandConnection
    private let way: Way
    private let isPrimary: Bool
    private let seat: WaylandObject
    private let manager: WaylandObject
    private let device: WaylandObject

    /// Returns whether a compositor lets programs without a window access its clipboard.
    static func hasDataControl(_ connection: WaylandConnection) -> Bool {
        connection.globals[Way.ext.name] != nil || connection.globals[Way.wlr.name] != nil
    }

    /// Connects to the clipboard.
    ///
    /// - Parameter isPlain: whether to open a window even if the compositor supports data control.
    init(on connection: WaylandConnection, isPrimary: Bool, isPlain: Bool) throws(ClipFailure) {
        let ways: [Way] = isPlain ? [.plain] : [.ext, .wlr, .plain]
        guard let way = ways.first(where: { connection.globals[$0.name] != nil }) else {
            throw .noClipboard("the compositor has no clipboard")
        }
        guard let seat = connection.bind("wl_seat", chemopen_of_seat) else {
            throw .noClipboard("the compositor has no seat and therefore no clipboard")
        }
        guard let manager = connection.bind(way.name, way.manager, version: way == .wlr ? 2 : 1),
            let device = connection.request(manager, 1, making: way.device, [.new, .object(seat)])
        else { throw .noClipboard("the compositor denies access to its clipboard") }
        let version = connection.globals[way.name]?.version ?? 1
        if isPrimary, way == .plain || way == .wlr && version < 2 {
            throw .noClipboard("the compositor does not support access to the primary selection")
        }
        self.connection = connection
        self.way = way
        self.isPrimary = isPrimary
        self.seat = seat
        self.manager = manager
        self.device = device
    }

    // MARK: Serving

    /// Puts an offer on the clipboard. Returns the source object that represents it.
    func own(_ offer: Offer) throws(ClipFailure) -> WaylandObject {
        guard let source = connection.request(manager, 0, making: way.source, [.new]) else {
            throw .noClipboard("the compositor does not accept clipboard content")
        }
        for name in offer.names { connection.request(source, 0, [.text(name)]) }
        if way == .plain {
            var window = try FocusedWindow(on: connection, seat: seat)
            connection.request(device, way.setSelection, [.object(source), .number(try window.serial())])
            guard connection.settle() else { throw .noClipboard("the compositor does not respond") }
            window.close()
        } else {
            connection.request(device, isPrimary ? Self.setPrimarySelection : way.setSelection, [.object(source)])
        }
        guard connection.settle() else { throw .noClipboard("the compositor does not respond") }
        return source
    }

    /// Serves the offer until another program copies, or until a byte arrives on the descriptor `ending`.
    func serve(_ offer: Offer, from source: WaylandObject, until ending: Int32) {
        var transfers = PipeTransfers()
        var isOwner = true
        while isOwner || !transfers.isEmpty, !connection.isBroken {
            let watched = [Watched(descriptor: ending)] + transfers.watched
            let (events, ready) = connection.takeEvents(waiting: transfers.isEmpty ? -1 : 500, watched)
            if ready.contains(0) { return }
            transfers.advance(Set(ready.map { $0 - 1 }))
            for event in events {
                if event.object == source, event.code == way.send, event.values.count == 2,
                    case .descriptor(let descriptor) = event.values[1]
                {
                    // If the type was not offered, the reply is empty.
                    transfers.add(offer.bytes(event.values[0].text) ?? [], to: descriptor)
                    continue
                }
                if event.object == source, event.code == way.cancelled { isOwner = false }
                if way != .plain, event.object == device, event.code == Self.finished { isOwner = false }
                event.drop()
            }
            transfers.giveUpIdle()
        }
    }

    // MARK: Asking

    /// Returns the object that represents the clipboard content, with its type names.
    func offered() throws(ClipFailure) -> (object: WaylandObject, names: [String])? {
        var window: FocusedWindow?
        if way == .plain {
            window = try FocusedWindow(on: connection, seat: seat)
            _ = try window?.serial()
        }
        defer { window?.close() }
        guard connection.settle() else { throw .noClipboard("the compositor does not respond") }
        var names: [(object: WaylandObject, names: [String])] = []
        var current: WaylandObject?
        let wanted = isPrimary ? Self.primarySelection : way.selection
        for event in connection.takeEvents(waiting: 0).events {
            if event.object == device, event.code == 0, let object = event.values.first?.object {
                names.append((object, []))
            } else if event.object == device, event.code == wanted {
                current = event.values.first?.object
            } else if let place = names.firstIndex(where: { $0.object == event.object }), event.code == 0,
                let name = event.values.first?.text, !name.isEmpty, name.utf8.count <= Bounds.nameLength,
                names[place].names.count < Bounds.names
            {
                names[place].names.append(name)
            }
            event.drop()
        }
        return names.first { $0.object == current }
    }

    /// Returns the content for a type name.
    func bytes(_ name: String, of object: WaylandObject) throws(ClipFailure) -> [UInt8] {
        guard let pipe = makeQuickPipe() else { throw .unserved("too many open files") }
        connection.request(object, way.receive, [.text(name), .descriptor(pipe.writing)])
        closeFile(pipe.writing)
        defer { closeFile(pipe.reading) }
        var bytes: [UInt8] = []
        let end = monotonicMilliseconds() + Bounds.wholeMilliseconds
        var last = monotonicMilliseconds()
        while !connection.isBroken {
            let now = monotonicMilliseconds()
            guard now < end, now - last < Bounds.idleMilliseconds else {
                throw .unserved("the program that offers \"\(name)\" stopped sending it")
            }
            let (events, ready) = connection.takeEvents(waiting: 500, [Watched(descriptor: pipe.reading)])
            for event in events { event.drop() }
            guard ready.contains(0) else { continue }
            guard let piece = readSome(pipe.reading) else { return bytes }
            if !piece.isEmpty { last = monotonicMilliseconds() }
            bytes += piece
            guard bytes.count <= Bounds.bytes else {
                throw .unserved("the content is larger than \(Bounds.bytes >> 20) MB")
            }
        }
        throw .unserved("the connection to the compositor was lost")
    }
}

/// A transparent window of one pixel, open while it needs keyboard focus.
private struct FocusedWindow {
    private let connection: WaylandConnection
    private let keyboard: WaylandObject
    private let shell: WaylandObject
    private let surface: WaylandObject
    private let shellSurface: WaylandObject
    private let toplevel: WaylandObject
    private let buffer: WaylandObject

    /// The maximum time in milliseconds until the compositor focuses the window.
    private static let patience = 3000
    private static let hasKeyboard: UInt32 = 2

    init(on connection: WaylandConnection, seat: WaylandObject) throws(ClipFailure) {
        _ = connection.settle()
        let events = connection.takeEvents(waiting: 0).events
        connection.keep(events)
        let abilities = events.last { $0.object == seat && $0.code == 0 }?.values.first?.number ?? 0
        guard abilities & Self.hasKeyboard != 0,
            let keyboard = connection.request(seat, 1, making: chemopen_of_keyboard, [.new])
        else { throw .noClipboard("clipboard access requires keyboard focus, but the compositor has no keyboard") }
        guard let compositor = connection.bind("wl_compositor", chemopen_of_compositor),
            let shell = connection.bind("xdg_wm_base", chemopen_of_xdg_shell),
            let memory = connection.bind("wl_shm", chemopen_of_shm), let file = makeMemoryFile(4),
            let surface = connection.request(compositor, 0, making: chemopen_of_surface, [.new]),
            let shellSurface = connection.request(
                shell, 2, making: chemopen_of_xdg_surface, [.new, .object(surface)]),
            let toplevel = connection.request(shellSurface, 1, making: chemopen_of_xdg_toplevel, [.new]),
            let pool = connection.request(
                memory, 0, making: chemopen_of_pool, [.new, .descriptor(file), .integer(4)]),
            // One pixel of 4 bytes: alpha, red, green and blue.
            let buffer = connection.request(
                pool, 0, making: chemopen_of_buffer,
                [.new, .integer(0), .integer(1), .integer(1), .integer(4), .number(0)])
        else { throw .noClipboard("clipboard access requires a window, but the compositor cannot open one") }
        closeFile(file)
        connection.request(toplevel, 2, [.text("Chemopen clipboard")])
        connection.request(surface, Self.commit)
        self.connection = connection
        self.keyboard = keyboard
        self.shell = shell
        self.surface = surface
        self.shellSurface = shellSurface
        self.toplevel = toplevel
        self.buffer = buffer
    }

    private static let commit: UInt32 = 6

    /// Waits for keyboard focus. Returns the serial number of the focus event.
    mutating func serial() throws(ClipFailure) -> UInt32 {
        let end = monotonicMilliseconds() + Self.patience
        var others: [WaylandEvent] = []
        defer { connection.keep(others) }
        while !connection.isBroken, monotonicMilliseconds() < end {
            var serial: UInt32?
            for event in connection.takeEvents(waiting: 200).events {
                switch (event.object, event.code) {
                case (shellSurface, 0):
                    connection.request(shellSurface, 4, [.number(event.values.first?.number ?? 0)])
                    connection.request(surface, 1, [.object(buffer), .integer(0), .integer(0)])
                    connection.request(surface, 2, [.integer(0), .integer(0), .integer(1), .integer(1)])
                    connection.request(surface, Self.commit)
                case (shell, 0): connection.request(shell, 3, [.number(event.values.first?.number ?? 0)])
                case (keyboard, 1): serial = event.values.first?.number
                case (keyboard, _): event.drop()
                default: others.append(event)
                }
            }
            if let serial { return serial }
        }
        throw .noClipboard("clipboard access requires keyboard focus, but another window has it")
    }

    func close() {
        connection.request(toplevel, 0, destroying: true)
        connection.request(shellSurface, 0, destroying: true)
        connection.request(surface, 0, destroying: true)
        connection.flush()
    }
}
