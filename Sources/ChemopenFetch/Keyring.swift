import CSecret
import ChemopenDesktop

// The one file that calls libsecret. Texts that it hands out are overwritten as soon as they are copied.

/// The session's keyring, which keeps a secret for a source.
struct Keyring {
    /// Why the keyring cannot be used.
    struct Failure: Error {
        let text: String
    }

    enum Kind: String {
        /// The words by which somebody is let into a server.
        case credential
        /// The key of the store.
        case key
    }

    /// Without a bus there is no keyring, and asking for one must not start a bus.
    private static func requireBus() throws(Failure) {
        guard Surroundings.current.hasRunningBus else {
            throw Failure(text: "no keyring is there: this session has no bus")
        }
    }

    private static func failure(_ message: UnsafeMutablePointer<CChar>?) -> Failure? {
        guard let message = unsafe message else { return nil }
        defer { unsafe free(message) }
        return Failure(text: "the keyring does not answer: \(unsafe String(cString: message))")
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
        guard isKept != 0 else { throw Failure(text: "the keyring does not keep it") }
    }

    /// Withdraws a secret; `false` where none was kept.
    static func withdraw(_ source: String, _ kind: Kind) throws(Failure) -> Bool {
        try requireBus()
        var message: UnsafeMutablePointer<CChar>?
        let isWithdrawn = unsafe chemopen_withdraw_secret(source, kind.rawValue, &message)
        if let failure = unsafe failure(message) { throw failure }
        return isWithdrawn != 0
    }
}
