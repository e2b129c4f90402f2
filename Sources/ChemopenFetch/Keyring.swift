import CSecret
import ChemopenDesktop

// Only this file calls libsecret. Returned C strings are erased after they are copied.

/// The keyring of the session, which stores secrets by origin and kind.
struct Keyring {
    /// The reason why the keyring cannot be used.
    struct Failure: Error {
        let text: String
    }

    enum Kind: String {
        /// The credential for a server.
        case credential
        /// The encryption key of the cache.
        case key
    }

    /// Throws if there is no session bus. The keyring requires one, and using it must not start one.
    private static func requireBus() throws(Failure) {
        guard SessionEnvironment.current.hasRunningBus else {
            throw Failure(text: "no keyring: this session has no bus")
        }
    }

    private static func failure(_ message: UnsafeMutablePointer<CChar>?) -> Failure? {
        guard let message = unsafe message else { return nil }
        defer { unsafe free(message) }
        return Failure(text: "the keyring reported an error: \(unsafe String(cString: message))")
    }

    static func secret(of source: String, _ kind: Kind) throws(Failure) -> String? {
        try requireBus()
        var message: UnsafeMutablePointer<CChar>?
        let found = unsafe chemopen_find_secret(source, kind.rawValue, &message)
        defer { unsafe chemopen_forget(found) }
        if let failure = unsafe failure(message) { throw failure }
        guard let found = unsafe found else { return nil }
        return unsafe String(cString: found)
    }

    static func keep(_ secret: String, of source: String, _ kind: Kind, label: String) throws(Failure) {
        try requireBus()
        var message: UnsafeMutablePointer<CChar>?
        let isKept = unsafe chemopen_keep_secret(source, kind.rawValue, label, secret, &message)
        if let failure = unsafe failure(message) { throw failure }
        guard isKept != 0 else { throw Failure(text: "the keyring did not store it") }
    }

    /// Deletes a secret. Returns `false` if there was none.
    static func withdraw(_ source: String, _ kind: Kind) throws(Failure) -> Bool {
        try requireBus()
        var message: UnsafeMutablePointer<CChar>?
        let isWithdrawn = unsafe chemopen_withdraw_secret(source, kind.rawValue, &message)
        if let failure = unsafe failure(message) { throw failure }
        return isWithdrawn != 0
    }
}
