/// Converts a text to a safe file name.
///
/// The name contains no path separators, characters that are special on any system, control characters or text
/// direction marks, and does not start with a dot, dash or space.
///
/// Bytes that are not UTF-8 are preserved. The length is limited to leave space for a number and an extension.
func safeFileName(_ text: LocalPath) -> LocalPath {
    var name: [UInt8] = []
    var letters = 0
    var rest = text.bytes[...]
    while let letter = takeLetter(of: &rest), letters < 60, name.count + letter.count <= 200 {
        if name.isEmpty, letter.count == 1, letter.first.map(".- ".utf8.contains) == true { continue }
        let scalar = String(validating: letter, as: UTF8.self)?.unicodeScalars.first
        let isForbidden = scalar.map { $0.steersDisplay || "/\\:*?\"<>|".unicodeScalars.contains($0) } ?? false
        name += isForbidden ? [UInt8(ascii: "_")] : Array(letter)
        letters += 1
    }
    while let last = name.last, last == UInt8(ascii: " ") || last == UInt8(ascii: ".") { name.removeLast() }
    return LocalPath(bytes: isDeviceOfWindows(name) ? [UInt8(ascii: "_")] + name : name)
}

/// Whether Windows reserves a name for a device, with any extension, such as `con` or `LPT1`.
private func isDeviceOfWindows(_ name: [UInt8]) -> Bool {
    let stem = name.prefix { $0 != UInt8(ascii: ".") }
    guard (3...4).contains(stem.count) else { return false }
    let word = String(decoding: stem, as: UTF8.self).lowercased()
    if stem.count == 3 { return ["con", "prn", "aux", "nul"].contains(word) }
    return (word.hasPrefix("com") || word.hasPrefix("lpt")) && word.last.map { "123456789".contains($0) } == true
}

/// Removes and returns the bytes of the first character, or one byte if it is not valid UTF-8.
private func takeLetter(of bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard !bytes.isEmpty else { return nil }
    let length = (1...4).first { String(validating: bytes.prefix($0), as: UTF8.self) != nil } ?? 1
    defer { bytes = bytes.dropFirst(length) }
    return bytes.prefix(length)
}

extension Unicode.Scalar {
    /// Whether the character is invisible and affects the display: a control character, a line separator or a text
    /// direction mark.
    package var steersDisplay: Bool {
        switch value {
        case ..<0x20, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

/// Returns the name of a file without its directory and extensions: `a/b.sdf.gz` becomes `b`.
package func fileStem(_ path: LocalPath) -> LocalPath {
    if path.isDash { return "record" }
    let name = path.bytes.split(separator: UInt8(ascii: "/")).last ?? []
    let suffix = fileExtension(LocalPath(bytes: Array(name)))
    var stem = name
    if LocalPath(bytes: Array(stem.suffix(3))).shown.lowercased() == ".gz" { stem = stem.dropLast(3) }
    if !suffix.isEmpty, let dot = stem.lastIndex(of: UInt8(ascii: ".")) { stem = stem[..<dot] }
    let safe = safeFileName(LocalPath(bytes: Array(stem)))
    return safe.bytes.isEmpty ? "record" : safe
}
