/// A path of this machine, as the bytes it is made of: names of files need not be UTF-8.
///
/// A literal is a path, and a path in a literal stays what it is, byte for byte:
///
///     let folder: LocalPath = "/home/anna"
///     let path: LocalPath = "\(folder)/a b.mol"
///     print(path.uri)                                  // file:///home/anna/a%20b.mol
///     LocalPath(uri: "file:///home/anna/a%20b.mol")    // the same path
///
/// For people and for JSON there is `shown`, which is no path.
public struct LocalPath: Sendable, Hashable {
    /// The bytes as the system has them, without a zero byte behind them.
    public let bytes: [UInt8]

    /// A path of any bytes.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// A path that is text; its bytes are those of the text in UTF-8.
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
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                uri.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                uri += "%" + hex(byte)
            }
        }
        return uri
    }

    /// The path as text, if it is UTF-8.
    public var text: String? { String(validating: bytes, as: UTF8.self) }

    /// The path starts at the root.
    public var isAbsolute: Bool { bytes.first == UInt8(ascii: "/") }

    /// Standard input or output, where a file is asked for.
    package var isDash: Bool { bytes == [UInt8(ascii: "-")] }
}

func hex(_ byte: UInt8) -> String {
    let digits = Array("0123456789ABCDEF")
    return String([digits[Int(byte >> 4)], digits[Int(byte & 15)]])
}

// MARK: For people

extension LocalPath: CustomStringConvertible {
    /// The path for people and for JSON. No two paths are shown alike.
    ///
    /// A path that is UTF-8 is shown as it is. In one that is not, a byte that belongs to no character is shown as
    /// `\xE9`, by its two hexadecimal digits, and a backslash as two. A path that is UTF-8 and has `\x` in it could be
    /// taken for such a one, so its backslashes are shown as two, too.
    public var shown: String {
        let holdsEscape = zip(bytes, bytes.dropFirst()).contains { $0 == UInt8(ascii: "\\") && $1 == UInt8(ascii: "x") }
        if !holdsEscape, let text { return text }
        var shown = ""
        var rest = bytes[...]
        while let first = rest.first {
            let length = (1...4).first { String(validating: rest.prefix($0), as: UTF8.self) != nil }
            if first == UInt8(ascii: "\\") {
                shown += "\\\\"
            } else if let length {
                shown += String(decoding: rest.prefix(length), as: UTF8.self)
            } else {
                shown += "\\x" + hex(first)
            }
            rest = rest.dropFirst(length ?? 1)
        }
        return shown
    }

    /// The same as `shown`.
    public var description: String { shown }
}

// MARK: Parts

extension LocalPath {
    /// The last part.
    public var name: LocalPath {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return self }
        return LocalPath(bytes: Array(bytes[(slash + 1)...]))
    }

    /// All but the last part: `.` for a name alone, `/` for what lies in the root.
    public var folder: LocalPath {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == 0 ? "/" : LocalPath(bytes: Array(bytes[..<slash]))
    }

    /// A path below this one, which is a folder.
    public func appending(_ part: LocalPath) -> LocalPath {
        bytes.last == UInt8(ascii: "/") ? "\(self)\(part)" : "\(self)/\(part)"
    }

    /// The path from the root on; a relative one starts at the folder in which the process stands.
    public func absolute(from folder: @autoclosure () -> LocalPath) -> LocalPath {
        isAbsolute ? self : folder().appending(self)
    }

    /// Whether the path begins with these bytes.
    package func hasPrefix(_ beginning: LocalPath) -> Bool {
        bytes.starts(with: beginning.bytes)
    }

    /// Whether the path ends in these bytes.
    package func hasSuffix(_ end: LocalPath) -> Bool {
        bytes.reversed().starts(with: end.bytes.reversed())
    }
}

extension LocalPath: Comparable {
    /// The order of the bytes, which is the same in every language.
    public static func < (one: LocalPath, other: LocalPath) -> Bool {
        one.bytes.lexicographicallyPrecedes(other.bytes)
    }
}

// MARK: Literals

extension LocalPath: ExpressibleByStringInterpolation {
    /// The path of a literal.
    public init(stringLiteral path: String) {
        self.init(path)
    }

    /// The path of a literal that others are put into.
    public init(stringInterpolation: StringInterpolation) {
        bytes = stringInterpolation.bytes
    }

    /// Puts a path together of texts, numbers and paths, which keep their bytes.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var bytes: [UInt8] = []

        /// Begins an empty path.
        public init(literalCapacity: Int, interpolationCount: Int) {
            bytes.reserveCapacity(literalCapacity)
        }

        /// Appends text of the literal.
        public mutating func appendLiteral(_ text: String) {
            bytes += text.utf8
        }

        /// Appends a path byte for byte.
        public mutating func appendInterpolation(_ path: LocalPath) {
            bytes += path.bytes
        }

        /// Appends text in UTF-8.
        public mutating func appendInterpolation(_ text: String) {
            bytes += text.utf8
        }

        /// Appends a number in digits.
        public mutating func appendInterpolation(_ number: some BinaryInteger) {
            bytes += String(number).utf8
        }
    }
}

extension DefaultStringInterpolation {
    /// Warns where a path becomes a part of a text: the text may be meant for people, or for a path that loses its bytes.
    @available(
        *, deprecated, message: "for people write .shown; for a path say that the literal is one: \"…\" as LocalPath"
    )
    /// Puts another path in, byte for byte.
    public mutating func appendInterpolation(_ path: LocalPath) {
        appendInterpolation(path.shown)
    }
}
