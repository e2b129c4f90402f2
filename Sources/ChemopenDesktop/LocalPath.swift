/// A path of this machine, as the bytes it is made of: names of files need not be UTF-8.
///
///     let path = LocalPath("/home/anna/a b.mol")
///     print(path.uri)                                  // file:///home/anna/a%20b.mol
///     LocalPath(uri: "file:///home/anna/a%20b.mol")    // the same path
public struct LocalPath: Sendable, Hashable {
    public let bytes: [UInt8]

    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    public init(_ path: String) {
        bytes = Array(path.utf8)
    }

    /// The path of a `file:` URI of this machine; `nil` for any other.
    ///
    /// The host may be missing or `localhost`. A `%` without two hexadecimal digits, and a zero byte, are refused.
    public init?(uri: String) {
        guard uri.lowercased().hasPrefix("file:") else { return nil }
        var rest = Array(uri.utf8.dropFirst(5))[...]
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return nil }
            let host = String(decoding: rest[..<slash], as: UTF8.self).lowercased()
            guard host.isEmpty || host == "localhost" else { return nil }
            rest = rest[slash...]
        }
        guard rest.first == UInt8(ascii: "/") else { return nil }
        var path: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { break }
            guard byte == UInt8(ascii: "%") else {
                path.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(Self.digit), let low = rest.popFirst().flatMap(Self.digit),
                high << 4 | low != 0
            else { return nil }
            path.append(high << 4 | low)
        }
        bytes = path
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// The path as a URI; only what no shell, bus or browser takes for something else is left as it is.
    public var uri: String {
        var uri = "file://"
        let digits = Array("0123456789ABCDEF")
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                uri.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                uri += "%" + String([digits[Int(byte >> 4)], digits[Int(byte & 15)]])
            }
        }
        return uri
    }

    /// The path for people; bytes that are no UTF-8 are shown as a replacement character.
    public var shown: String { String(decoding: bytes, as: UTF8.self) }

    public var isAbsolute: Bool { bytes.first == UInt8(ascii: "/") }

    /// The last part.
    public var name: LocalPath {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return self }
        return LocalPath(bytes: Array(bytes[(slash + 1)...]))
    }

    /// The path from the root on; a relative one starts at the folder in which the process stands.
    public func absolute(from folder: @autoclosure () -> [UInt8]) -> LocalPath {
        if isAbsolute { return self }
        var start = folder()
        if start.last != UInt8(ascii: "/") { start.append(UInt8(ascii: "/")) }
        return LocalPath(bytes: start + bytes)
    }
}
