import Chemopen

/// The address on which a server listens, for a reverse proxy or for users of this machine.
package enum ListenPlace: Sendable, Hashable {
    case socket(LocalPath)
    case loopback(UInt16)

    /// The default port.
    package static let usualPort: UInt16 = 8017

    /// Parses `unix:/run/chemopen.sock`, `127.0.0.1:8017` or `8017`.
    package init?(_ word: LocalPath) {
        if word.hasPrefix("unix:") {
            let path = LocalPath(bytes: Array(word.bytes.dropFirst(5)))
            if path.bytes.isEmpty { return nil }
            self = .socket(path)
            return
        }
        var text = word.text ?? ""
        for host in ["127.0.0.1:", "localhost:"] where text.hasPrefix(host) { text.removeFirst(host.count) }
        guard let port = UInt16(text) else { return nil }
        self = .loopback(port)
    }

    /// Returns the scheme and host of a public address in lower case, or `nil` if it contains more than that.
    package static func origin(_ address: String) -> String? {
        var text = address.lowercased()
        if text.hasSuffix("/") { text.removeLast() }
        guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return nil }
        let host = text.dropFirst(scheme.count)
        let isHost = host.utf8.allSatisfy { Ascii.isLetter($0) || Ascii.isDigit($0) || ".:-[]".utf8.contains($0) }
        return host.isEmpty || !isHost ? nil : text
    }
}
