/// Makes a file's name of any text. It has no separator, no sign with a meaning on some system, nothing that steers a
/// terminal or turns the direction of writing, and no dot, dash or blank in front.
///
/// Bytes that are no UTF-8 stay as they are. The name is far shorter than the system allows, so that a number and an
/// extension fit behind it.
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

/// Whether Windows opens a device under a name, with any extension: `con`, `LPT1`.
private func isDeviceOfWindows(_ name: [UInt8]) -> Bool {
    let stem = name.prefix { $0 != UInt8(ascii: ".") }
    guard (3...4).contains(stem.count) else { return false }
    let word = String(decoding: stem, as: UTF8.self).lowercased()
    if stem.count == 3 { return ["con", "prn", "aux", "nul"].contains(word) }
    return (word.hasPrefix("com") || word.hasPrefix("lpt")) && word.last.map { "123456789".contains($0) } == true
}

/// Takes the bytes of a character, or one byte that belongs to none.
private func takeLetter(of bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard !bytes.isEmpty else { return nil }
    let length = (1...4).first { String(validating: bytes.prefix($0), as: UTF8.self) != nil } ?? 1
    defer { bytes = bytes.dropFirst(length) }
    return bytes.prefix(length)
}

extension Unicode.Scalar {
    /// Nobody sees it: a control character, the end of a line, or a mark of the direction of writing.
    package var steersDisplay: Bool {
        switch value {
        case ..<0x20, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

/// The name of a file without its folder and its extensions: `a/b.sdf.gz` is `b`.
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
