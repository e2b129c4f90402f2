import CDBus
import Chemopen

// The one file that calls libdbus. Pointers live no longer than the connection, or the call they are passed to.

/// A call that another program makes over the session's bus to an application.
struct BusCall: Sendable {
    /// `Activate`, `Open` or `ActivateAction`.
    let method: String
    /// The addresses of files to open.
    var addresses: [String] = []
    /// The action that is asked for.
    var action = ""
}

/// The session's bus: applications find one another there by their names.
///
///     guard let bus = SessionBus(), bus.own("arpa.home.chemopen.viewer") else { return }
///     bus.serve { call in print(call.method) }
@safe
final class SessionBus: @unchecked Sendable {
    /// Only the thread that serves uses it after the name is owned.
    private let connection: OpaquePointer

    private static let interface = "org.freedesktop.Application"
    private static let patience: Int32 = 5000
    private static let typeOfArrays = Int32(chemopen_type_array)
    private static let typeOfStrings = Int32(chemopen_type_string)

    /// Nothing where there is no bus. One is never started for this.
    init?(in session: Surroundings = .current) {
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

    /// Takes a name; `false` where another program has it.
    func own(_ name: String) -> Bool {
        let result = unsafe dbus_bus_request_name(connection, name, UInt32(DBUS_NAME_FLAG_DO_NOT_QUEUE), nil)
        return result == DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER || result == DBUS_REQUEST_NAME_REPLY_ALREADY_OWNER
    }

    /// Asks the application of a name, if it runs, to open files; `false` where it does not, or does not answer.
    func open(_ addresses: [String], in name: String) -> Bool {
        let path = "/" + name.replacing(".", with: "/")
        guard let message = unsafe dbus_message_new_method_call(name, path, Self.interface, "Open") else {
            return false
        }
        defer { unsafe dbus_message_unref(message) }
        unsafe dbus_message_set_auto_start(message, 0)
        var arguments = unsafe DBusMessageIter()
        var list = unsafe DBusMessageIter()
        unsafe dbus_message_iter_init_append(message, &arguments)
        guard unsafe dbus_message_iter_open_container(&arguments, Self.typeOfArrays, "s", &list) != 0 else {
            return false
        }
        for address in addresses {
            let isAdded = unsafe address.withCString { text in
                var text: UnsafePointer<CChar>? = unsafe text
                return unsafe dbus_message_iter_append_basic(&list, Self.typeOfStrings, &text)
            }
            guard isAdded != 0 else { return false }
        }
        unsafe dbus_message_iter_close_container(&arguments, &list)
        guard unsafe dbus_message_iter_open_container(&arguments, Self.typeOfArrays, "{sv}", &list) != 0 else {
            return false
        }
        unsafe dbus_message_iter_close_container(&arguments, &list)
        guard let reply = unsafe dbus_connection_send_with_reply_and_block(connection, message, Self.patience, nil)
        else { return false }
        unsafe dbus_message_unref(reply)
        return true
    }

    /// Answers the calls of others until the bus is gone.
    func serve(_ answer: (BusCall) -> Void) {
        while unsafe dbus_connection_read_write(connection, -1) != 0 {
            while let message = unsafe dbus_connection_pop_message(connection) {
                unsafe take(message, answer)
                unsafe dbus_message_unref(message)
            }
        }
    }

    private func take(_ message: OpaquePointer, _ answer: (BusCall) -> Void) {
        guard unsafe dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_METHOD_CALL else { return }
        var reply: OpaquePointer?
        if let call = unsafe Self.call(message) {
            answer(call)
            unsafe reply = dbus_message_new_method_return(message)
        } else {
            unsafe reply = dbus_message_new_error(message, DBUS_ERROR_UNKNOWN_METHOD, "no such method here")
        }
        guard let reply = unsafe reply else { return }
        if unsafe dbus_message_get_no_reply(message) == 0 { unsafe dbus_connection_send(connection, reply, nil) }
        unsafe dbus_connection_flush(connection)
        unsafe dbus_message_unref(reply)
    }

    private static func call(_ message: OpaquePointer) -> BusCall? {
        guard unsafe text(dbus_message_get_interface(message)) == interface,
            let method = unsafe text(dbus_message_get_member(message))
        else { return nil }
        var call = BusCall(method: method)
        var arguments = unsafe DBusMessageIter()
        let hasArguments = unsafe dbus_message_iter_init(message, &arguments) != 0
        switch method {
        case "Activate": return call
        case "Open":
            guard hasArguments, unsafe dbus_message_iter_get_arg_type(&arguments) == typeOfArrays else { return nil }
            var list = unsafe DBusMessageIter()
            unsafe dbus_message_iter_recurse(&arguments, &list)
            while let address = unsafe string(&list) {
                call.addresses.append(address)
                if unsafe dbus_message_iter_next(&list) == 0 { break }
            }
            return call
        case "ActivateAction":
            guard hasArguments, let action = unsafe string(&arguments) else { return nil }
            call.action = action
            return call
        default: return nil
        }
    }

    /// The string at a place among arguments.
    private static func string(_ place: inout DBusMessageIter) -> String? {
        guard unsafe dbus_message_iter_get_arg_type(&place) == typeOfStrings else { return nil }
        var pointer: UnsafePointer<CChar>?
        unsafe dbus_message_iter_get_basic(&place, &pointer)
        return unsafe text(pointer)
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String? {
        guard let pointer = unsafe pointer else { return nil }
        return unsafe String(cString: pointer)
    }
}
