import CDBus
import Chemopen

// Only this file calls libdbus. No pointer outlives the connection, or the call that it is passed to.

/// A value in a bus message.
enum BusValue: Sendable, Hashable {
    case byte(UInt8)
    case integer(Int32)
    /// An unsigned integer.
    case number(UInt32)
    case string(String)
    case strings([String])
    case table([String: BusValue])

    var string: String? {
        if case .string(let text) = self { text } else { nil }
    }
}

/// A call of `org.freedesktop.Application` that this program received over the session bus.
struct BusCall: Sendable {
    enum Method: String {
        case activate = "Activate"
        case open = "Open"
        case action = "ActivateAction"
    }

    let method: Method
    /// The addresses of files to open.
    var addresses: [String] = []
    /// The requested action.
    var action = ""
    /// The details that the caller sent with the call.
    var delivery = OpenContext()

    /// Parses a call. Fails if the arguments do not match the method.
    init?(_ name: String, _ arguments: [BusValue]) {
        guard let method = Method(rawValue: name) else { return nil }
        self.method = method
        switch (method, arguments.first) {
        case (.activate, _): break
        case (.open, .strings(let addresses)): self.addresses = addresses
        case (.action, .string(let action)): self.action = action
        default: return nil
        }
        guard case .table(let data) = arguments.last else { return }
        delivery = OpenContext(platformData: data.compactMapValues(\.string))
    }
}

/// The session bus, on which applications find each other by name.
///
///     guard let bus = SessionBus(), bus.own("arpa.home.chemopen.viewer") else { return }
///     bus.serve { call in { print(call.method) } }
@safe
final class SessionBus: @unchecked Sendable {
    /// After the name is owned, only the serving thread uses the connection.
    private let connection: OpaquePointer

    private static let patience: Int32 = 5000

    /// Connects to the bus. Fails if the bus is not running; it is never started.
    init?(in session: SessionEnvironment = .current) {
        let socket = session.runtimeFolder.map { $0.appending("bus") }
        guard session.value("DBUS_SESSION_BUS_ADDRESS") != nil || socket.map({ fileKind($0) == .socket }) == true,
            let connection = unsafe dbus_bus_get_private(DBUS_BUS_SESSION, nil)
        else { return nil }
        unsafe dbus_connection_set_exit_on_disconnect(connection, 0)
        unsafe self.connection = connection
    }

    deinit {
        unsafe dbus_connection_close(connection)
        unsafe dbus_connection_unref(connection)
    }

    // MARK: Applications

    /// Acquires a name. Returns `false` if another program owns it.
    func own(_ name: String) -> Bool {
        let result = unsafe dbus_bus_request_name(connection, name, UInt32(DBUS_NAME_FLAG_DO_NOT_QUEUE), nil)
        return result == DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER || result == DBUS_REQUEST_NAME_REPLY_ALREADY_OWNER
    }

    /// Calls a running application to open files. Returns `false` if it is not running or does not respond.
    func open(_ addresses: [String], _ delivery: OpenContext, in name: String) -> Bool {
        let path = Self.path(of: name)
        let data = delivery.platformData.mapValues { BusValue.string($0) }
        return call(
            Self.application, "Open", of: path, in: name, [.strings(addresses), .table(data)], startsIt: false) != nil
    }

    /// Handles calls until the bus is disconnected.
    ///
    /// - Parameter answer: handles a call and returns the work to do after the reply.
    func serve(_ answer: (BusCall) -> () -> Void) {
        while unsafe dbus_connection_read_write(connection, -1) != 0 {
            while let message = unsafe dbus_connection_pop_message(connection) {
                let rest = unsafe take(message, answer)
                rest()
                unsafe dbus_message_unref(message)
            }
        }
    }

    private static let application = "org.freedesktop.Application"

    /// Replies to a message and returns the remaining work.
    private func take(_ message: OpaquePointer, _ answer: (BusCall) -> () -> Void) -> () -> Void {
        var rest = {}
        guard unsafe dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_METHOD_CALL else { return rest }
        var reply: OpaquePointer?
        if unsafe Self.text(dbus_message_get_interface(message)) == Self.application,
            let method = unsafe Self.text(dbus_message_get_member(message)),
            let call = unsafe BusCall(method, Self.arguments(of: message))
        {
            rest = answer(call)
            unsafe reply = dbus_message_new_method_return(message)
        } else {
            unsafe reply = dbus_message_new_error(message, DBUS_ERROR_UNKNOWN_METHOD, "no such method here")
        }
        guard let reply = unsafe reply else { return rest }
        if unsafe dbus_message_get_no_reply(message) == 0 { unsafe dbus_connection_send(connection, reply, nil) }
        unsafe dbus_connection_flush(connection)
        unsafe dbus_message_unref(reply)
        return rest
    }

    // MARK: Notifications

    private static let notifications = "org.freedesktop.Notifications"
    private static let offer = "offer"

    /// Shows a notification with a button. Returns its number, or `nil` if the notification service does not support
    /// buttons.
    func notify(_ announcement: UserNotification, offering label: String) -> UInt32? {
        guard case .strings(let able)? = callNotifications("GetCapabilities", [])?.first, able.contains("actions")
        else {
            return nil
        }
        // The service may send the notification's signals only to the sender, so use the same connection.
        unsafe dbus_bus_add_match(connection, "type='signal',interface='\(Self.notifications)'", nil)
        let hints: [String: BusValue] = [
            "urgency": .byte(announcement.urgency), "desktop-entry": .string(UserNotification.program),
        ]
        let answer = callNotifications(
            "Notify",
            [
                .string("Chemopen"), .number(0), .string(UserNotification.program), .string(announcement.title),
                .string(announcement.plainText), .strings([Self.offer, label]), .table(hints),
                .integer(announcement.milliseconds),
            ])
        guard case .number(let number)? = answer?.first else { return nil }
        let owner = "type='signal',member='NameOwnerChanged',arg0='\(Self.notifications)'"
        unsafe dbus_bus_add_match(connection, owner, nil)
        return number
    }

    /// Returns the object path of a service with this name.
    private static func path(of name: String) -> String { "/" + name.replacingEach(".", by: "/") }

    private func callNotifications(_ method: String, _ arguments: [BusValue]) -> [BusValue]? {
        call(Self.notifications, method, of: Self.path(of: Self.notifications), in: Self.notifications, arguments)
    }

    /// Waits until the user presses the button of a notification and returns the activation details. Returns `nil` if
    /// the notification is closed or its service ends.
    func waitForOffer(of number: UInt32) -> OpenContext? {
        var delivery = OpenContext()
        while unsafe dbus_connection_read_write(connection, -1) != 0 {
            while let message = unsafe dbus_connection_pop_message(connection) {
                defer { unsafe dbus_message_unref(message) }
                let arguments = unsafe Self.arguments(of: message)
                let isOurs = arguments.first == .number(number)
                switch unsafe Self.text(dbus_message_get_member(message)) {
                case "ActivationToken" where isOurs: delivery.token = arguments.last?.string ?? ""
                case "ActionInvoked" where isOurs && arguments.last == .string(Self.offer): return delivery
                case "NotificationClosed" where isOurs: return nil
                case "NameOwnerChanged": return nil
                default: break
                }
            }
        }
        return nil
    }

    // MARK: Messages

    /// Calls a method and returns its result, or `nil` if the call fails.
    private func call(
        _ interface: String, _ method: String, of path: String, in name: String, _ arguments: [BusValue],
        startsIt: Bool = true
    ) -> [BusValue]? {
        guard let message = unsafe dbus_message_new_method_call(name, path, interface, method) else { return nil }
        defer { unsafe dbus_message_unref(message) }
        unsafe dbus_message_set_auto_start(message, startsIt ? 1 : 0)
        var place = unsafe DBusMessageIter()
        unsafe dbus_message_iter_init_append(message, &place)
        guard arguments.allSatisfy({ unsafe Self.append($0, at: &place) }),
            let reply = unsafe dbus_connection_send_with_reply_and_block(connection, message, Self.patience, nil)
        else { return nil }
        defer { unsafe dbus_message_unref(reply) }
        return unsafe Self.arguments(of: reply)
    }

    private static let array = Int32(chemopen_type_array)
    private static let entry = Int32(chemopen_type_entry)
    private static let variant = Int32(chemopen_type_variant)

    private static func append(_ value: BusValue, at place: inout DBusMessageIter) -> Bool {
        switch value {
        case .byte(var byte):
            return unsafe dbus_message_iter_append_basic(&place, Int32(chemopen_type_byte), &byte) != 0
        case .integer(var number):
            return unsafe dbus_message_iter_append_basic(&place, Int32(chemopen_type_int32), &number) != 0
        case .number(var number):
            return unsafe dbus_message_iter_append_basic(&place, Int32(chemopen_type_uint32), &number) != 0
        case .string(let text):
            return unsafe text.withCString { pointer in
                var pointer: UnsafePointer<CChar>? = unsafe pointer
                return unsafe dbus_message_iter_append_basic(&place, Int32(chemopen_type_string), &pointer) != 0
            }
        case .strings(let texts):
            return unsafe appendContainer(array, "s", at: &place) { list in
                texts.allSatisfy { unsafe append(.string($0), at: &list) }
            }
        case .table(let table):
            return unsafe appendContainer(array, "{sv}", at: &place) { list in
                table.allSatisfy { key, value in
                    unsafe appendContainer(entry, nil, at: &list) { pair in
                        unsafe append(.string(key), at: &pair)
                            && appendContainer(variant, signature(of: value), at: &pair) {
                                unsafe append(value, at: &$0)
                            }
                    }
                }
            }
        }
    }

    private static func signature(of value: BusValue) -> String {
        switch value {
        case .byte: "y"
        case .integer: "i"
        case .number: "u"
        case .string: "s"
        case .strings: "as"
        case .table: "a{sv}"
        }
    }

    private static func appendContainer(
        _ kind: Int32, _ signature: String?, at place: inout DBusMessageIter,
        _ fill: (inout DBusMessageIter) -> Bool
    ) -> Bool {
        var inside = unsafe DBusMessageIter()
        guard unsafe dbus_message_iter_open_container(&place, kind, signature, &inside) != 0 else { return false }
        let isFilled = unsafe fill(&inside)
        return unsafe dbus_message_iter_close_container(&place, &inside) != 0 && isFilled
    }

    /// Returns the arguments of a message. Arguments of unsupported types are omitted.
    private static func arguments(of message: OpaquePointer) -> [BusValue] {
        var place = unsafe DBusMessageIter()
        guard unsafe dbus_message_iter_init(message, &place) != 0 else { return [] }
        return unsafe values(&place) { unsafe value(&$0) }
    }

    /// Returns the values from the iterator's position to the end of its level.
    private static func values<Value>(
        _ place: inout DBusMessageIter, _ value: (inout DBusMessageIter) -> Value?
    ) -> [Value] {
        var values: [Value] = []
        while unsafe dbus_message_iter_get_arg_type(&place) != 0 {
            if let value = unsafe value(&place) { values.append(value) }
            if unsafe dbus_message_iter_next(&place) == 0 { break }
        }
        return values
    }

    private static func value(_ place: inout DBusMessageIter) -> BusValue? {
        let kind = unsafe dbus_message_iter_get_arg_type(&place)
        switch kind {
        case Int32(chemopen_type_string):
            var pointer: UnsafePointer<CChar>?
            unsafe dbus_message_iter_get_basic(&place, &pointer)
            return unsafe text(pointer).map { .string($0) }
        case Int32(chemopen_type_uint32):
            var number: UInt32 = 0
            unsafe dbus_message_iter_get_basic(&place, &number)
            return .number(number)
        case array:
            let element = unsafe dbus_message_iter_get_element_type(&place)
            var inside = unsafe DBusMessageIter()
            unsafe dbus_message_iter_recurse(&place, &inside)
            if element == Int32(chemopen_type_string) {
                return .strings(unsafe values(&inside) { unsafe string(&$0) })
            }
            guard element == entry else { return nil }
            let pairs = unsafe values(&inside) { unsafe pair(&$0) }
            return .table(Dictionary(pairs) { first, _ in first })
        default: return nil
        }
    }

    /// Returns a dictionary entry with a string value.
    private static func pair(_ place: inout DBusMessageIter) -> (String, BusValue)? {
        var inside = unsafe DBusMessageIter()
        unsafe dbus_message_iter_recurse(&place, &inside)
        guard let key = unsafe string(&inside), unsafe dbus_message_iter_next(&inside) != 0,
            unsafe dbus_message_iter_get_arg_type(&inside) == variant
        else { return nil }
        var held = unsafe DBusMessageIter()
        unsafe dbus_message_iter_recurse(&inside, &held)
        return unsafe string(&held).map { (key, .string($0)) }
    }

    private static func string(_ place: inout DBusMessageIter) -> String? {
        unsafe value(&place)?.string
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String? {
        guard let pointer = unsafe pointer else { return nil }
        return unsafe String(cString: pointer)
    }
}
