import CWayland
import ChemopenBytes

// Only this file calls libwayland. No pointer outlives the connection that created it.

/// A protocol object, created by this program or by the compositor.
@safe struct WaylandObject: Equatable {
    fileprivate let proxy: OpaquePointer

    fileprivate init(_ proxy: OpaquePointer) {
        unsafe self.proxy = proxy
    }

    static func == (one: WaylandObject, other: WaylandObject) -> Bool {
        unsafe one.proxy == other.proxy
    }
}

/// An argument of a request or an event.
enum WaylandValue {
    case number(UInt32)
    case integer(Int32)
    case text(String)
    case object(WaylandObject?)
    case descriptor(Int32)
    /// The placeholder for an object that a request creates.
    case new
    case other

    var object: WaylandObject? { if case .object(let object) = self { object } else { nil } }
    var text: String { if case .text(let text) = self { text } else { "" } }
    var number: UInt32 { if case .number(let number) = self { number } else { 0 } }
}

/// A message from the compositor.
struct WaylandEvent {
    let object: WaylandObject
    /// The index of the event in its interface.
    let code: UInt32
    let values: [WaylandValue]

    /// Closes descriptors of the event that were not used.
    func drop() {
        for case .descriptor(let descriptor) in values { closeFile(descriptor) }
    }
}

/// A global object of the compositor.
struct WaylandGlobal {
    let number: UInt32
    let version: UInt32
}

/// A connection to a Wayland compositor. Events are queued until they are requested.
@safe final class WaylandConnection {
    private let display: OpaquePointer
    private var events: [WaylandEvent] = []
    private(set) var globals: [String: WaylandGlobal] = [:]
    private(set) var isBroken = false

    let displayObject: WaylandObject
    private var registry: WaylandObject?

    init?() {
        guard let display = unsafe wl_display_connect(nil) else { return nil }
        unsafe self.display = display
        unsafe displayObject = WaylandObject(display)
        registry = request(displayObject, 1, making: chemopen_of_registry, [.new])
        guard registry != nil, settle() else { return nil }
    }

    deinit { unsafe wl_display_disconnect(display) }

    var descriptor: Int32 { unsafe wl_display_get_fd(display) }

    // MARK: Requests

    /// Sends a request with the given number. Returns the object that it creates.
    @discardableResult
    func request(
        _ object: WaylandObject, _ code: UInt32, making interface: chemopen_interface? = nil, version: UInt32? = nil,
        destroying: Bool = false, _ values: [WaylandValue] = []
    ) -> WaylandObject? {
        let text = values.map(\.text).first { !$0.isEmpty } ?? ""
        let made = unsafe text.withCString { text -> OpaquePointer? in
            var arguments = unsafe values.map { value in
                var argument = unsafe wl_argument()
                switch value {
                case .number(let number): unsafe argument.u = number
                case .integer(let number): unsafe argument.i = number
                case .text: unsafe argument.s = text
                case .object(let object): unsafe argument.o = object?.proxy
                case .descriptor(let number): unsafe argument.h = number
                case .new, .other: unsafe argument.o = nil
                }
                return unsafe argument
            }
            if unsafe arguments.isEmpty { unsafe arguments.append(wl_argument()) }
            let made = unsafe wl_proxy_marshal_array_flags(
                object.proxy, code, interface.flatMap { unsafe chemopen_interface($0) },
                version ?? wl_proxy_get_version(object.proxy), destroying ? UInt32(WL_MARSHAL_FLAG_DESTROY) : 0,
                &arguments)
            return unsafe made
        }
        guard let made = unsafe made else { return nil }
        unsafe listen(made)
        return unsafe WaylandObject(made)
    }

    /// Binds a global object by the name of its interface, in a version that both sides support.
    func bind(_ name: String, _ interface: chemopen_interface, version: UInt32 = 1) -> WaylandObject? {
        guard let registry, let global = globals[name] else { return nil }
        let version = min(version, global.version)
        return request(
            registry, 0, making: interface, version: version,
            [.number(global.number), .text(name), .number(version), .new])
    }

    func flush() {
        unsafe wl_display_flush(display)
    }

    // MARK: Events

    private func listen(_ proxy: OpaquePointer) {
        let own = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe wl_proxy_add_dispatcher(
            proxy,
            { own, target, code, message, arguments in
                guard let own = unsafe own, let target = unsafe target, let message = unsafe message else { return 0 }
                let connection = unsafe Unmanaged<WaylandConnection>.fromOpaque(own).takeUnretainedValue()
                unsafe connection.collect(OpaquePointer(target), code, message, arguments)
                return 0
            }, own, nil)
    }

    private func collect(
        _ target: OpaquePointer, _ code: UInt32, _ message: UnsafePointer<wl_message>,
        _ arguments: UnsafeMutablePointer<wl_argument>?
    ) {
        var values: [WaylandValue] = []
        // The signature starts with a version and marks optional arguments.
        let signature = unsafe String(cString: message.pointee.signature).filter { "iufsonah".contains($0) }
        for (place, kind) in signature.enumerated() {
            guard let argument = unsafe arguments?[place] else { break }
            switch kind {
            case "u": unsafe values.append(.number(argument.u))
            case "i": unsafe values.append(.integer(argument.i))
            case "s": unsafe values.append(.text(argument.s.flatMap { unsafe String(validatingCString: $0) } ?? ""))
            case "o": unsafe values.append(.object(argument.o.map { unsafe WaylandObject($0) }))
            case "n":
                guard let proxy = unsafe argument.o else { continue }
                unsafe listen(proxy)
                unsafe values.append(.object(WaylandObject(proxy)))
            case "h": unsafe values.append(.descriptor(argument.h))
            default: values.append(.other)
            }
        }
        let event = unsafe WaylandEvent(object: WaylandObject(target), code: code, values: values)
        if event.object == registry {
            if code == 0, values.count == 3 {
                globals[values[1].text] = WaylandGlobal(number: values[0].number, version: values[2].number)
            }
        } else {
            events.append(event)
        }
    }

    /// Returns the queued events. If there are none, waits up to `time` milliseconds for an event or until another
    /// descriptor is ready, and returns the indices of ready descriptors.
    func takeEvents(waiting time: Int, _ others: [Watched] = []) -> (events: [WaylandEvent], ready: Set<Int>) {
        while unsafe wl_display_prepare_read(display) != 0 {
            if unsafe wl_display_dispatch_pending(display) < 0 {
                isBroken = true
                return ([], [])
            }
        }
        flush()
        let ready = waitForAny(
            of: [Watched(descriptor: descriptor)] + others, milliseconds: events.isEmpty ? time : 0)
        if ready.contains(0) {
            if unsafe wl_display_read_events(display) < 0 { isBroken = true }
        } else {
            unsafe wl_display_cancel_read(display)
        }
        if unsafe wl_display_dispatch_pending(display) < 0 { isBroken = true }
        defer { events.removeAll() }
        return (events, Set(ready.filter { $0 > 0 }.map { $0 - 1 }))
    }

    /// Puts events back into the queue.
    func keep(_ kept: [WaylandEvent]) {
        events = kept + events
    }

    /// Waits until the compositor has processed all requests. Returns `false` if it does not respond.
    func settle() -> Bool {
        guard let callback = request(displayObject, 0, making: chemopen_of_callback, [.new]) else { return false }
        let end = monotonicMilliseconds() + Bounds.idleMilliseconds
        var others: [WaylandEvent] = []
        defer { keep(others) }
        while !isBroken, monotonicMilliseconds() < end {
            let taken = takeEvents(waiting: 500).events
            others += taken.filter { $0.object != callback }
            if taken.contains(where: { $0.object == callback }) { return true }
        }
        return false
    }
}
