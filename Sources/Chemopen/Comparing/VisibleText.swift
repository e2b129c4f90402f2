// Shows values of files so that different values look different.

extension String {
    /// The text with escapes for all invisible characters, such as `\n`, `\t` or `\u{A0}`.
    ///
    /// A backslash before a letter of an escape is doubled, so distinct texts stay distinct.
    package var visible: String { visible(inASCII: false) }

    /// - Parameter inASCII: Whether to escape all other characters too. Letters that look the same can then be
    ///   distinguished.
    fileprivate func visible(inASCII: Bool) -> String {
        if utf8.allSatisfy({ 0x20..<0x7F ~= $0 && $0 != UInt8(ascii: "\\") }) { return self }
        var shown = String.UnicodeScalarView()
        let scalars = Array(unicodeScalars)
        for (place, scalar) in scalars.enumerated() {
            switch scalar {
            case "\n": shown.append(contentsOf: "\\n".unicodeScalars)
            case "\r": shown.append(contentsOf: "\\r".unicodeScalars)
            case "\t": shown.append(contentsOf: "\\t".unicodeScalars)
            case "\\":
                let isAmbiguous = place + 1 < scalars.count && "nrtu\\".unicodeScalars.contains(scalars[place + 1])
                shown.append(contentsOf: (isAmbiguous ? "\\\\" : "\\").unicodeScalars)
            case _ where scalar.isInvisible || inASCII && !scalar.isASCII:
                shown.append(contentsOf: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars)
            default: shown.append(scalar)
            }
        }
        return String(shown)
    }
}

extension Unicode.Scalar {
    /// Whether the character is invisible or looks like a blank.
    fileprivate var isInvisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
        case .spaceSeparator: self != " "
        default: false
        }
    }
}

extension Text {
    /// The complete text with escapes for invisible characters.
    package var visible: String { string.visible }
}

/// Two different values in forms that look different.
package struct VisiblePair {
    package let first: String
    package let second: String

    /// The number of characters of a long value to show.
    private static let length = 60

    /// - Parameters:
    ///   - isText: Whether the values are texts of a file, which are shown in quotes.
    ///   - isCut: Whether to show only the part of long values in which they differ.
    package init(_ one: String, _ other: String, isText: Bool, isCut: Bool) {
        let cut = isCut ? Self.cutBoth(one, other, Self.length) : (one, other)
        var shown = (cut.0.visible, cut.1.visible)
        // Different characters can look the same, such as a letter with an accent and the letter followed by the accent.
        if shown.0 == shown.1 { shown = (cut.0.visible(inASCII: true), cut.1.visible(inASCII: true)) }
        (first, second) = isText ? ("\"\(shown.0)\"", "\"\(shown.1)\"") : shown
    }

    /// Returns a single value in a visible form, truncated if it is long.
    package static func shown(_ value: String, isText: Bool, isCut: Bool = true) -> String {
        let shown = (isCut ? part(of: Array(value.unicodeScalars), from: 0, length: length) : value).visible
        return isText ? "\"\(shown)\"" : shown
    }

    /// Returns the parts of two values in which they differ, with at most this many characters.
    package static func cut(_ one: String?, _ other: String?, length: Int) -> (String?, String?) {
        guard let one, let other else {
            return (
                one.map { part(of: Array($0.unicodeScalars), from: 0, length: length) },
                other.map { part(of: Array($0.unicodeScalars), from: 0, length: length) }
            )
        }
        return cutBoth(one, other, length)
    }

    private static func cutBoth(_ one: String, _ other: String, _ length: Int) -> (String, String) {
        let (first, second) = (Array(one.unicodeScalars), Array(other.unicodeScalars))
        if max(first.count, second.count) <= length { return (one, other) }
        var same = 0
        while same < min(first.count, second.count), first[same] == second[same] { same += 1 }
        let lead = length / 3
        let start = same < length - lead ? 0 : same - lead
        return (part(of: first, from: start, length: length), part(of: second, from: start, length: length))
    }

    private static func part(of scalars: [Unicode.Scalar], from start: Int, length: Int) -> String {
        var part = String.UnicodeScalarView()
        if start > 0 { part.append("…") }
        part.append(contentsOf: scalars[min(start, scalars.count)...].prefix(length))
        if scalars.count > start + length { part.append("…") }
        return String(part)
    }
}
