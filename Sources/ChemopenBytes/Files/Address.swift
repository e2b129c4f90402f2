/// An address that a person has typed to fetch a file: `https://host/a/kinases.sdf.gz`.
///
///     let address = try Address("https://example.org/sets/kinases.sdf?page=2")
///     print(address.shown)        // https://example.org/sets/kinases.sdf
///     print(address.fileName)     // kinases.sdf
///
/// Plain `http` is accepted only for the local machine. Do not create an address from the content of a file: the file's
/// author would choose the server.
public struct Address: Sendable, Hashable {
    /// The complete address as requested. The query may contain secrets, so display `shown` instead.
    public let text: String
    /// Whether the connection uses TLS.
    public let isSecure: Bool
    /// The name of the server in lower case; an IPv6 address is in brackets.
    public let host: String
    /// The port of the server.
    public let port: Int
    /// The path and the query, percent-encoded.
    private let target: String

    /// An error that explains why an address was refused.
    public struct Refusal: Error, Sendable, Hashable, CustomStringConvertible {
        /// The reason, to be printed after the address.
        public let description: String
    }

    /// Parses an address.
    ///
    /// - Throws: `Refusal` if the text is not a valid address, contains a user name or a password, or would be fetched
    ///   without encryption from another machine.
    public init(_ word: String) throws(Refusal) {
        guard let (scheme, rest) = Self.scheme(of: word) else { throw Refusal(description: "is not a valid address") }
        guard scheme == "https" || scheme == "http" else {
            throw Refusal(description: "uses the unsupported scheme \(scheme); use https://")
        }
        guard word.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }) else {
            throw Refusal(description: "contains a blank, a control character or a backslash")
        }
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !authority.contains("@") else {
            throw Refusal(
                description: "contains a user name or a password, which other users could see; "
                    + "use chemopen login to store them in the keyring")
        }
        (host, port) = try Self.server(authority, isSecure: scheme == "https")
        isSecure = scheme == "https"
        var target = String(rest.dropFirst(authority.count).prefix { $0 != "#" })
        if target.first != "/" { target = "/" + target }
        self.target = Self.escaped(target)
        text = Self.origin(isSecure, host, port) + self.target
        guard isSecure || isOfThisMachine else {
            throw Refusal(description: "cannot be fetched without encryption; use https://")
        }
    }

    /// Whether a command-line argument starts with a scheme, as addresses of any kind do: `scheme://`.
    public static func begins(_ word: LocalPath) -> Bool {
        word.text.map { scheme(of: $0) != nil } ?? false
    }

    private static func scheme(of word: String) -> (String, Substring)? {
        guard let colon = word.utf8.firstIndex(of: UInt8(ascii: ":")), word[colon...].hasPrefix("://") else {
            return nil
        }
        let scheme = word[..<colon].lowercased()
        guard scheme.utf8.first.map({ UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }) == true,
            scheme.utf8.allSatisfy({ isPlain($0) })
        else { return nil }
        return (scheme, word[colon...].dropFirst(3))
    }

    private static func server(
        _ authority: Substring, isSecure: Bool
    ) throws(Refusal) -> (host: String, port: Int) {
        var host = authority
        var port = isSecure ? 443 : 80
        let afterBracket = authority.lastIndex(of: "]") ?? authority.startIndex
        if let colon = authority[afterBracket...].lastIndex(of: ":") {
            let digits = authority[colon...].dropFirst()
            guard let number = Int(digits), 1...65_535 ~= number, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
                throw Refusal(description: "has an invalid port, \":\(digits)\"")
            }
            port = number
            host = authority[..<colon]
        }
        let isNumber = host.hasPrefix("[") && host.hasSuffix("]") && host.utf8.count > 4
        let inside = isNumber ? host.dropFirst().dropLast() : host
        let isSound =
            !inside.isEmpty && inside.utf8.count <= 253
            && inside.utf8.allSatisfy { isNumber ? $0 == UInt8(ascii: ":") || isHexadecimal($0) : isPlain($0) }
        guard isSound else {
            throw Refusal(
                description: "has an invalid server name, \"\(host)\"; encode non-ASCII names as xn--…")
        }
        return (host.lowercased(), port)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte || 0x41...0x46 ~= byte & 0xDF || byte == UInt8(ascii: ".")
    }

    /// Whether a byte is allowed unescaped in schemes, host names and file names.
    private static func isPlain(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || "-._+".utf8.contains(byte)
    }

    private static func escaped(_ target: String) -> String {
        var text = ""
        for byte in target.utf8 {
            if byte < 0x80, !"\"<>^`{|}".utf8.contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%" + hex(byte)
            }
        }
        return text
    }

    private static func origin(_ isSecure: Bool, _ host: String, _ port: Int) -> String {
        let isUsual = port == (isSecure ? 443 : 80)
        return (isSecure ? "https://" : "http://") + host + (isUsual ? "" : ":\(port)")
    }

    /// The scheme and server, such as `https://example.org`, with the port if it is not the default.
    public var origin: String { Self.origin(isSecure, host, port) }

    /// Whether the server is certainly the local machine, by its name or its IP address.
    public var isOfThisMachine: Bool {
        host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]" || Self.isLoopback(host)
    }

    /// Whether an IPv4 or IPv6 address, as formatted by the system, is a loopback address or `0.0.0.0`.
    package static func isLoopback(_ number: String) -> Bool {
        if number == "::1" { return true }
        let plain = number.hasPrefix("::ffff:") ? number.dropFirst(7) : number[...]
        let parts = plain.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, parts.allSatisfy({ UInt8($0) != nil }) else { return false }
        return parts[0] == "127" || plain == "0.0.0.0"
    }

    /// The address for display, without the query.
    public var shown: String { origin + target.prefix { $0 != "?" } }

    /// Returns the address of a redirect that the server has sent.
    ///
    /// - Throws: `Refusal` if the redirect drops encryption, or leads from another server to the local machine.
    package func redirected(to word: String) throws(Refusal) -> Address {
        let next = try Address(word)
        guard next.isSecure || !isSecure else { throw Refusal(description: "cannot be fetched without encryption") }
        guard isOfThisMachine || !next.isOfThisMachine else {
            throw Refusal(description: "leads to this machine, which another server must not access")
        }
        return next
    }

    /// A file name made from the last component of the path: ASCII letters and digits, dots, hyphens, underscores and
    /// plus signs.
    public var fileName: LocalPath {
        let path = target.prefix { $0 != "?" }
        let last = LocalPath(uri: "file://\(path)")?.name.bytes ?? Array((path.split(separator: "/").last ?? "").utf8)
        var name = last.map { Self.isPlain($0) ? $0 : UInt8(ascii: "_") }[...]
        // Keep the end of the name: its extension identifies the format.
        if name.count > 100 { name = name.suffix(100) }
        while let first = name.first, first == UInt8(ascii: ".") || first == UInt8(ascii: "-") { name.removeFirst() }
        return name.isEmpty ? "index" : LocalPath(bytes: Array(name))
    }
}
