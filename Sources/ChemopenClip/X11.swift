import CXCB

// Only this file calls libxcb. No pointer outlives the call that it is passed to.

/// The number of a string that the X server stores.
typealias XAtom = UInt32
/// The number of a window.
typealias XWindow = UInt32

/// A message from the X server about the clipboard.
enum XEvent {
    /// A program requests the selection and expects the reply in a property of its window.
    case requested(XRequest)
    /// Another program owns the selection from this time.
    case lost(selection: XAtom, time: UInt32)
    /// A reply has arrived. If it has no property, the request was refused.
    case answered(selection: XAtom, target: XAtom, property: XAtom)
    case propertyChanged(window: XWindow, property: XAtom, isDeleted: Bool, time: UInt32)
    case windowGone(XWindow)
    case other
}

/// A request for the selection.
struct XRequest {
    let selection: XAtom
    let target: XAtom
    /// The property for the reply. It is 0 from clients older than the ICCCM; the target is then used as the property.
    let property: XAtom
    let requestor: XWindow
    let time: UInt32
}

/// A part of a window property.
struct XProperty {
    let type: XAtom
    /// The size of each unit in bits: 8, 16 or 32.
    let format: Int
    let bytes: [UInt8]
    /// The number of bytes after this part.
    let left: Int

    /// The 32-bit units.
    var words: [UInt32] {
        guard format == 32 else { return [] }
        return stride(from: 0, to: bytes.count - 3, by: 4).map { place in
            (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << (8 * UInt32($1)) }
        }
    }
}

/// A connection to an X server, with a window that is never shown.
@safe final class XConnection {
    private let connection: OpaquePointer
    /// The window that owns the selection and receives replies.
    let window: XWindow
    /// The maximum number of property bytes in one request.
    let largestPiece: Int
    private var atoms: [String: XAtom] = [:]

    /// Predefined atoms of all servers.
    static let atomOfAtom: XAtom = 4
    static let atomOfInteger: XAtom = 19
    static let atomOfPrimary: XAtom = 1

    init?() {
        var place: Int32 = 0
        guard let connection = unsafe xcb_connect(nil, &place) else { return nil }
        unsafe self.connection = connection
        guard unsafe xcb_connection_has_error(connection) == 0 else {
            unsafe xcb_disconnect(connection)
            return nil
        }
        var screens = unsafe xcb_setup_roots_iterator(xcb_get_setup(connection))
        while place > 0, unsafe screens.rem > 1 {
            unsafe xcb_screen_next(&screens)
            place -= 1
        }
        guard let screen = unsafe screens.data else {
            unsafe xcb_disconnect(connection)
            return nil
        }
        window = unsafe xcb_generate_id(connection)
        var mask = XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue
        unsafe xcb_create_window(
            connection, 0, window, screen.pointee.root, -10, -10, 1, 1, 0,
            UInt16(XCB_WINDOW_CLASS_INPUT_ONLY.rawValue), screen.pointee.root_visual,
            XCB_CW_EVENT_MASK.rawValue, &mask)
        let units = unsafe Int(xcb_get_maximum_request_length(connection))
        largestPiece = max(1024, min(256 * 1024, units * 4 - 64))
    }

    deinit { unsafe xcb_disconnect(connection) }

    var descriptor: Int32 { unsafe xcb_get_file_descriptor(connection) }
    var isBroken: Bool { unsafe xcb_connection_has_error(connection) != 0 }

    func flush() {
        unsafe xcb_flush(connection)
    }

    // MARK: Atoms

    func atom(_ name: String) -> XAtom {
        if let known = atoms[name] { return known }
        let bytes = Array(name.utf8)
        let cookie = unsafe bytes.withUnsafeBytes { bytes in
            unsafe xcb_intern_atom(
                connection, 0, UInt16(clamping: bytes.count),
                bytes.bindMemory(to: CChar.self).baseAddress)
        }
        guard let reply = unsafe xcb_intern_atom_reply(connection, cookie, nil) else { return 0 }
        defer { unsafe free(reply) }
        let atom = unsafe reply.pointee.atom
        atoms[name] = atom
        return atom
    }

    /// Returns the name of an atom, or `nil` if the number is not an atom.
    func name(of atom: XAtom) -> [UInt8]? {
        let cookie = unsafe xcb_get_atom_name(connection, atom)
        var failure: UnsafeMutablePointer<xcb_generic_error_t>?
        let answer = unsafe xcb_get_atom_name_reply(connection, cookie, &failure)
        unsafe free(failure)
        guard let reply = unsafe answer else { return nil }
        defer { unsafe free(reply) }
        let count = unsafe Int(xcb_get_atom_name_name_length(reply))
        return unsafe Array(UnsafeRawBufferPointer(start: xcb_get_atom_name_name(reply), count: max(0, count)))
    }

    // MARK: Selections

    func own(_ selection: XAtom, from time: UInt32) {
        unsafe xcb_set_selection_owner(connection, window, selection, time)
    }

    /// Returns the window that owns a selection, or 0 if there is none.
    func owner(of selection: XAtom) -> XWindow {
        let cookie = unsafe xcb_get_selection_owner(connection, selection)
        guard let reply = unsafe xcb_get_selection_owner_reply(connection, cookie, nil) else { return 0 }
        defer { unsafe free(reply) }
        return unsafe reply.pointee.owner
    }

    /// Requests that the owner of a selection store it in a property of this program's window.
    func convert(_ selection: XAtom, to target: XAtom, into property: XAtom, at time: UInt32) {
        unsafe xcb_convert_selection(connection, window, selection, target, property, time)
    }

    /// Notifies a requesting program that the reply is in `property`, or that there is none if it is 0.
    func answer(_ request: XRequest, in property: XAtom) {
        var event = xcb_selection_notify_event_t()
        event.response_type = UInt8(XCB_SELECTION_NOTIFY)
        event.time = request.time
        event.requestor = request.requestor
        event.selection = request.selection
        event.target = request.target
        event.property = property
        // An event has 32 bytes when it is transmitted, more than this structure.
        unsafe withUnsafeBytes(of: &event) { bytes in
            var wire = unsafe Array(bytes.bindMemory(to: CChar.self).prefix(32))
            wire += [CChar](repeating: 0, count: max(0, 32 - wire.count))
            unsafe xcb_send_event(connection, 0, request.requestor, 0, wire)
        }
    }

    // MARK: Properties

    func put(_ bytes: ArraySlice<UInt8>, into property: XAtom, of window: XWindow, type: XAtom) {
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe _ = xcb_change_property(
                connection, UInt8(XCB_PROP_MODE_REPLACE.rawValue), window, property, type, 8,
                UInt32(clamping: bytes.count), bytes.baseAddress)
        }
    }

    func put(_ words: [UInt32], into property: XAtom, of window: XWindow, type: XAtom) {
        unsafe words.withUnsafeBytes { bytes in
            unsafe _ = xcb_change_property(
                connection, UInt8(XCB_PROP_MODE_REPLACE.rawValue), window, property, type, 32,
                UInt32(clamping: words.count), bytes.baseAddress)
        }
    }

    /// Appends zero bytes to a property of this program's window. The resulting event contains the server's time.
    func touch(_ property: XAtom) {
        unsafe xcb_change_property(
            connection, UInt8(XCB_PROP_MODE_APPEND.rawValue), window, property, Self.atomOfInteger, 32, 0, nil)
    }

    func delete(_ property: XAtom) {
        unsafe xcb_delete_property(connection, window, property)
    }

    /// Returns a part of a property, or `nil` if the window no longer exists.
    ///
    /// - Parameter unit: the offset of the part in units of four bytes.
    func property(_ property: XAtom, of window: XWindow, from unit: Int, bytes: Int) -> XProperty? {
        let cookie = unsafe xcb_get_property(
            connection, 0, window, property, 0, UInt32(clamping: unit), UInt32(clamping: bytes / 4))
        var failure: UnsafeMutablePointer<xcb_generic_error_t>?
        let answer = unsafe xcb_get_property_reply(connection, cookie, &failure)
        unsafe free(failure)
        guard let reply = unsafe answer else { return nil }
        defer { unsafe free(reply) }
        let count = unsafe Int(xcb_get_property_value_length(reply))
        return unsafe XProperty(
            type: reply.pointee.type, format: Int(reply.pointee.format),
            bytes: Array(UnsafeRawBufferPointer(start: xcb_get_property_value(reply), count: max(0, count))),
            left: Int(reply.pointee.bytes_after))
    }

    /// Starts or stops receiving events when another program's window is destroyed or its properties change.
    func watch(_ other: XWindow, _ isWatched: Bool) {
        guard other != window else { return }
        var mask =
            isWatched ? XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue | XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue : 0
        unsafe xcb_change_window_attributes(connection, other, XCB_CW_EVENT_MASK.rawValue, &mask)
    }

    // MARK: Events

    /// Returns the next event, or `nil` if there is none yet. Errors, such as those for destroyed windows, are returned
    /// as `other`.
    func nextEvent() -> XEvent? {
        guard let event = unsafe xcb_poll_for_event(connection) else { return nil }
        defer { unsafe free(event) }
        let kind = unsafe Int32(event.pointee.response_type & 0x7F)
        let raw = UnsafeRawPointer(event)
        switch kind {
        case XCB_SELECTION_REQUEST:
            let event = unsafe raw.load(as: xcb_selection_request_event_t.self)
            return .requested(
                XRequest(
                    selection: event.selection, target: event.target, property: event.property,
                    requestor: event.requestor, time: event.time))
        case XCB_SELECTION_CLEAR:
            let event = unsafe raw.load(as: xcb_selection_clear_event_t.self)
            return .lost(selection: event.selection, time: event.time)
        case XCB_SELECTION_NOTIFY:
            let event = unsafe raw.load(as: xcb_selection_notify_event_t.self)
            return .answered(selection: event.selection, target: event.target, property: event.property)
        case XCB_PROPERTY_NOTIFY:
            let event = unsafe raw.load(as: xcb_property_notify_event_t.self)
            return .propertyChanged(
                window: event.window, property: event.atom,
                isDeleted: UInt32(event.state) == XCB_PROPERTY_DELETE.rawValue, time: event.time)
        case XCB_DESTROY_NOTIFY:
            return unsafe .windowGone(raw.load(as: xcb_destroy_notify_event_t.self).window)
        default:
            return .other
        }
    }
}
