import Chemopen

/// The version of the program.
let version = "0.1.0"

extension String {
    /// Pads the text with spaces on the right.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }

    /// Pads the text with spaces on the left.
    func rightAligned(in width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }
}

extension Identification {
    /// The formats that the file's name or declared type wrongly suggests.
    var misleadingNames: [(how: String, Format)] {
        [("is named like", namedAs), ("was declared as", declaredAs)].compactMap { how, format in
            format.map { (how, $0) }
        }
    }
}

/// Formats a size: `1.5 MB`.
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

/// Formats a duration: `75 s`, `3 min 20 s`.
func duration(_ seconds: Double) -> String {
    let seconds = Int(min(seconds, 1e7).rounded(.up))
    return seconds < 100 ? "\(seconds) s" : "\(seconds / 60) min \(seconds % 60) s"
}

/// Formats a number with a fixed number of decimals.
func fixed(_ value: Double, decimals: Int) -> String {
    var bytes: [UInt8] = []
    bytes.appendFixed(value, decimals: decimals, width: 0)
    return String(decoding: bytes, as: UTF8.self)
}

/// Formats rows of two columns as lines.
///
/// - Parameter least: the minimum width of the first column, to align several tables.
func twoColumns(_ rows: [(String, String)], least: Int = 0) -> [String] {
    let width = max(least, rows.map(\.0.count).max() ?? 0)
    return rows.map { "  " + $0.padded(to: width) + "  " + $1 }
}
