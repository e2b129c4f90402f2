/// A path on this machine as raw bytes, because file names need not be UTF-8.
///
/// You can write a path as a literal. A path interpolated into the literal stays the same, byte for byte:
///
///     let folder: LocalPath = "/home/anna"
///     let path: LocalPath = "\(folder)/a b.mol"
///     print(path.uri)                                  // file:///home/anna/a%20b.mol
///     LocalPath(uri: "file:///home/anna/a%20b.mol")    // the same path
///
/// Use `shown` for people and for JSON; it cannot be converted back.
public struct LocalPath: Sendable, Hashable {
    /// The bytes as used by the system, without the terminating zero.
    public let bytes: [UInt8]

    /// Creates a path from any bytes.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Creates a path from text, encoded as UTF-8.
    public init(_ path: String) {
        bytes = Array(path.utf8)
    }

    /// Creates a path from a `file:` URI of this machine.
    ///
    /// The host may be missing or `localhost`. A zero byte, and a `%` without two hexadecimal digits, are invalid.
    ///
    /// - Returns: `nil` if the URI is invalid or of another kind.
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

    /// The path as a `file:` URI. Every byte that a shell, D-Bus or a browser could misinterpret is percent-encoded.
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

    /// The path as text, or `nil` if it is not UTF-8.
    public var text: String? { String(validating: bytes, as: UTF8.self) }

    /// Whether the path starts at the root.
    public var isAbsolute: Bool { bytes.first == UInt8(ascii: "/") }

    /// Whether the path is `-`, which means standard input or output.
    package var isDash: Bool { bytes == [UInt8(ascii: "-")] }
}

func hex(_ byte: UInt8) -> String {
    let digits = Array("0123456789ABCDEF")
    return String([digits[Int(byte >> 4)], digits[Int(byte & 15)]])
}

// MARK: Display

extension LocalPath: CustomStringConvertible {
    /// The path for people and for JSON. Distinct paths stay distinct.
    ///
    /// A path in UTF-8 is shown unchanged. In other paths, a byte that does not belong to a character is shown as
    /// `\xE9` with its two hexadecimal digits, and a backslash is doubled. If a path in UTF-8 contains `\x`, it could
    /// be mistaken for such an escape, so its backslashes are doubled as well.
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
    /// The last component.
    public var name: LocalPath {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return self }
        return LocalPath(bytes: Array(bytes[(slash + 1)...]))
    }

    /// The path without its last component: `.` for a single name, `/` for a file in the root directory.
    public var folder: LocalPath {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == 0 ? "/" : LocalPath(bytes: Array(bytes[..<slash]))
    }

    /// Returns the path of a file in this directory.
    public func appending(_ part: LocalPath) -> LocalPath {
        bytes.last == UInt8(ascii: "/") ? "\(self)\(part)" : "\(self)/\(part)"
    }

    /// Returns the absolute path; a relative path starts at `folder`, usually the current directory.
    public func absolute(from folder: @autoclosure () -> LocalPath) -> LocalPath {
        isAbsolute ? self : folder().appending(self)
    }

    /// Whether the path begins with the bytes of another.
    package func hasPrefix(_ beginning: LocalPath) -> Bool {
        bytes.starts(with: beginning.bytes)
    }

    /// Whether the path ends with the bytes of another.
    package func hasSuffix(_ end: LocalPath) -> Bool {
        bytes.reversed().starts(with: end.bytes.reversed())
    }
}

extension LocalPath: Comparable {
    /// Compares the bytes, so the order does not depend on the locale.
    public static func < (one: LocalPath, other: LocalPath) -> Bool {
        one.bytes.lexicographicallyPrecedes(other.bytes)
    }
}

// MARK: Literals

extension LocalPath: ExpressibleByStringInterpolation {
    /// Creates a path from a literal.
    public init(stringLiteral path: String) {
        self.init(path)
    }

    /// Creates a path from a literal with interpolations.
    public init(stringInterpolation: StringInterpolation) {
        bytes = stringInterpolation.bytes
    }

    /// A builder that joins text, numbers and paths, and preserves the bytes of paths.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var bytes: [UInt8] = []

        /// Creates an empty path.
        public init(literalCapacity: Int, interpolationCount: Int) {
            bytes.reserveCapacity(literalCapacity)
        }

        /// Appends text from the literal.
        public mutating func appendLiteral(_ text: String) {
            bytes += text.utf8
        }

        /// Appends a path byte for byte.
        public mutating func appendInterpolation(_ path: LocalPath) {
            bytes += path.bytes
        }

        /// Appends text as UTF-8.
        public mutating func appendInterpolation(_ text: String) {
            bytes += text.utf8
        }

        /// Appends the digits of a number.
        public mutating func appendInterpolation(_ number: some BinaryInteger) {
            bytes += String(number).utf8
        }
    }
}

extension DefaultStringInterpolation {
    /// Appends the displayed form of a path to a text, with a warning: the text may be intended for display, or for a
    /// path that would lose its bytes.
    @available(
        *, deprecated, message: "use .shown for display; for a path, declare the literal as one: \"…\" as LocalPath"
    )
    public mutating func appendInterpolation(_ path: LocalPath) {
        appendInterpolation(path.shown)
    }
}
