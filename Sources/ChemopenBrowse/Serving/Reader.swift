import Chemopen

/// A reader of a server: the holder of a token, with the rights that it grants.
public struct Reader: Sendable, Hashable {
    /// The actions that a token permits. Each right includes the previous ones.
    public enum Right: String, Sendable, CaseIterable, Comparable {
        /// Read and search.
        case read
        /// Propose changes that a reader with the right `write` accepts or refuses.
        case propose
        /// Change records.
        case write

        /// Compares the extent of two rights.
        public static func < (one: Right, other: Right) -> Bool {
            (allCases.firstIndex(of: one) ?? 0) < (allCases.firstIndex(of: other) ?? 0)
        }
    }

    /// The name specified when the token was created.
    public let name: String
    /// The date of creation, such as `2026-01-31`.
    public var since = ""
    /// The actions that the token permits.
    public var right = Right.read
    /// The visible collections, as names of directories; `.` is the served directory itself. `nil` for all.
    public var collections: [String]?
    /// The last day on which the token is valid; `nil` if it does not expire.
    public var until: String?
    var digest = ""

    /// Creates a reader with the right to read all collections.
    public init(_ name: String) {
        self.name = name
    }

    /// Returns whether the reader can see a collection.
    public func sees(_ collection: String) -> Bool { collections?.contains(collection) ?? true }

    /// Returns whether the token has expired on a day.
    public func hasExpired(on day: String) -> Bool { until.map { $0 < day } ?? false }

    /// The rights as text, such as `write, vitamins and lots, until 2027-01-31`.
    public var rights: String {
        var words = [right.rawValue]
        if let collections { words.append(collections.joined(separator: ", ")) }
        if let until { words.append("until \(until)") }
        return words.joined(separator: "; ")
    }

    /// Returns whether a text is a date such as `2027-01-31`.
    public static func isDay(_ text: String) -> Bool { CalendarDay.days(text) != nil }
}

// MARK: The line of the list

extension Reader {
    /// Parses a line `DIGEST DATE NAME`. The date can be followed by the rights: `;write`, `;until=DATE` and
    /// `;in=COLLECTION`.
    init?(line: String) {
        let words = line.split(separator: " ", maxSplits: 2)
        guard words.count == 3, words[0].utf8.count == 64 else { return nil }
        self.init(String(words[2]))
        digest = String(words[0])
        for (place, part) in words[1].split(separator: ";", omittingEmptySubsequences: false).enumerated() {
            if place == 0 {
                since = String(part)
            } else if let right = Right(rawValue: String(part)) {
                self.right = right
            } else if part.hasPrefix("until="), Self.isDay(String(part.dropFirst(6))) {
                until = String(part.dropFirst(6))
            } else if part.hasPrefix("in="), let path = LocalPath(uri: "file:///" + part.dropFirst(3))?.text {
                collections = (collections ?? []) + [String(path.dropFirst())]
            } else {
                // A right that this version does not know must not be ignored.
                return nil
            }
        }
    }

    var line: String {
        var word = since
        if right != .read { word += ";\(right.rawValue)" }
        if let until { word += ";until=\(until)" }
        for collection in collections ?? [] {
            word += ";in=" + LocalPath("/" + collection).uri.dropFirst("file:///".count)
        }
        return "\(digest) \(word) \(name)"
    }
}
