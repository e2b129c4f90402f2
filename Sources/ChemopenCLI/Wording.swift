import Chemopen

/// The version of the program.
let version = "0.1.0"

extension String {
    /// The text with blanks behind it up to a width.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }

    /// The text with blanks before it up to a width.
    func rightAligned(in width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }
}

extension Identification {
    /// The formats that the file's name and its declared type lead one to expect in vain.
    var misleadingNames: [(how: String, Format)] {
        [("is called like", namedAs), ("came as", declaredAs)].compactMap { how, format in format.map { (how, $0) } }
    }
}

/// `1.5 MB`.
func byteCount(_ count: Double) -> String {
    var value = count
    for unit in ["B", "kB", "MB", "GB"] {
        if value < 1000 || unit == "GB" {
            return unit == "B" ? "\(Int(value)) B" : "\(fixed(value, decimals: 1)) \(unit)"
        }
        value /= 1000
    }
    return ""
}

/// `75 s`, `3 min 20 s`.
func duration(_ seconds: Double) -> String {
    let seconds = Int(min(seconds, 1e7).rounded(.up))
    return seconds < 100 ? "\(seconds) s" : "\(seconds / 60) min \(seconds % 60) s"
}

/// A number with so many decimals.
func fixed(_ value: Double, decimals: Int) -> String {
    var bytes: [UInt8] = []
    bytes.appendFixed(value, decimals: decimals, width: 0)
    return String(decoding: bytes, as: UTF8.self)
}

/// Rows of a table as lines.
func twoColumns(_ rows: [(String, String)]) -> [String] {
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { "  " + $0.padded(to: width) + "  " + $1 }
}
