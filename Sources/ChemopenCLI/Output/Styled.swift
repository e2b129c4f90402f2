import Chemopen

/// Text in parts with different styles. Styles become colors if the terminal supports them.
struct Styled: Equatable {
    /// The meaning of a part, which determines its color.
    enum Style: Equatable {
        case plain, heading, name, file, number, formula, hit, added, removed, moved, dim, error, warning, note, chosen

        /// The parameters of the escape sequence; empty for plain text.
        var parameters: String {
            switch self {
            case .plain: ""
            case .heading: "1"
            case .name: "1;32"
            case .file: "35"
            case .number: "32"
            case .formula: "36"
            case .hit, .error: "1;31"
            case .added: "32"
            case .removed: "31"
            case .moved: "33"
            case .dim: "2"
            case .warning: "1;35"
            case .note: "1;36"
            case .chosen: "7"
            }
        }
    }

    var parts: [(text: String, style: Style)] = []

    init() {}

    init(_ text: String, _ style: Style = .plain) {
        if !text.isEmpty { parts = [(text, style)] }
    }

    static func == (one: Styled, other: Styled) -> Bool {
        one.parts.elementsEqual(other.parts) { $0 == $1 }
    }

    static func + (one: Styled, other: Styled) -> Styled {
        var sum = one
        sum += other
        return sum
    }

    static func + (one: Styled, other: String) -> Styled { one + Styled(other) }

    static func += (one: inout Styled, other: Styled) {
        for part in other.parts { one.append(part.text, part.style) }
    }

    mutating func append(_ text: String, _ style: Style = .plain) {
        if text.isEmpty { return }
        if let last = parts.last, last.style == style {
            parts[parts.count - 1].text += text
        } else {
            parts.append((text, style))
        }
    }

    /// The text without styles.
    var text: String { parts.map(\.text).joined() }

    /// The number of columns that the text occupies.
    var width: Int { parts.reduce(0) { $0 + $1.text.displayWidth } }

    /// Returns the text for output, with escape sequences if `colored`. Control characters are replaced with dots.
    func rendered(colored: Bool) -> String {
        var text = ""
        for part in parts {
            let shown = printable(part.text)
            let parameters = part.style.parameters
            text += colored && !parameters.isEmpty ? "\u{1B}[\(parameters)m\(shown)\u{1B}[0m" : shown
        }
        return text
    }

    /// Returns the beginning of the text that fits in a number of columns, ending in `…` if something is missing.
    func truncated(to columns: Int) -> Styled {
        if width <= columns { return self }
        var (rest, left) = (Styled(), max(0, columns - 1))
        for part in parts {
            let text = part.text.prefix(columns: left)
            rest.append(text, part.style)
            left -= text.displayWidth
            if text.unicodeScalars.count < part.text.unicodeScalars.count { break }
        }
        if columns > 0 { rest.append("…", rest.parts.last?.style ?? .plain) }
        return rest
    }

    /// The text without spaces at its end.
    var withoutTrailingBlanks: Styled {
        var line = self
        while let last = line.parts.popLast() {
            let text = last.text.reversed().drop { $0 == " " }
            if text.isEmpty { continue }
            line.append(String(text.reversed()), last.style)
            break
        }
        return line
    }

    /// Returns the text with spaces added on the right up to a number of columns, truncated if it is longer.
    func fitted(to columns: Int) -> Styled {
        let text = truncated(to: columns)
        return text + String(repeating: " ", count: max(0, columns - text.width))
    }
}
