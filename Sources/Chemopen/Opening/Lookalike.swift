/// Describes the kind of a file in an unsupported format, from its beginning.
///
///     foreignKind(Head(Array("%PDF-1.7".utf8), isWhole: true))     // "a PDF document"
///
/// - Returns: The kind with an article, or `nil` if it is unknown.
public func foreignKind(_ head: Head) -> String? {
    let bytes = head.bytes
    let signatures: [([UInt8], String)] = [
        ([0x1F, 0x8B], "gzip within gzip"), ([0x50, 0x4B, 3, 4], "a ZIP archive"),
        ([0x89, 0x50, 0x4E, 0x47], "a PNG picture"),
        (Array("%PDF-".utf8), "a PDF document"), ([0x7F, 0x45, 0x4C, 0x46], "a program"),
        (Array("#!".utf8), "a script"),
        ([0xD0, 0xCF, 0x11, 0xE0], "an OLE document, which may contain a ChemDraw drawing"),
        (Array("VmpDRDAxMDA".utf8), "a ChemDraw drawing in base64"),
    ]
    if let packer = Packer.all.first(where: { bytes.starts(with: $0.signature) }) {
        return packer.kind
    }
    if let known = signatures.first(where: { bytes.starts(with: $0.0) }) { return known.1 }
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    let rest = text.drop { $0 == 0x20 || 9...13 ~= $0 }
    switch rest.first {
    case UInt8(ascii: "<")?: return foreignMarkup(rest)
    case UInt8(ascii: "{")?, UInt8(ascii: "[")?: return "JSON, or looks like it"
    case UInt8(ascii: ";")?, UInt8(ascii: "(")?: return "Lisp, or looks like it"
    case nil: return nil
    default: return bytes.prefix(512).contains(0) ? "a binary file of another kind" : nil
    }
}

/// A program with its own compression format, which Chemopen does not decompress.
package struct Packer: Sendable, Equatable {
    /// The name of the program, such as `bzip2`.
    package let program: String
    /// The extension of its files.
    package let suffix: String
    /// The first bytes of its files.
    let signature: [UInt8]

    fileprivate var kind: String { "compressed with \(program), \(Self.end)" }

    /// The error message for its files.
    package var remark: String { "unknown file format; it is \(kind)" }

    private static let end = "which is not supported"

    /// Returns the program that an error message names as the compressor of a file.
    package static func named(in message: String) -> Packer? {
        all.first { message.hasSuffix($0.kind) }
    }

    /// The common programs.
    package static let all = [
        Packer(program: "bzip2", suffix: "bz2", signature: Array("BZh".utf8)),
        Packer(program: "xz", suffix: "xz", signature: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]),
        Packer(program: "zstd", suffix: "zst", signature: [0x28, 0xB5, 0x2F, 0xFD]),
    ]

    /// Returns the program that has compressed a file, or `nil` if there is no such program or the file is unreadable.
    package static func ofFile(_ path: LocalPath) -> Packer? {
        guard let file = try? RandomAccessFile(path),
            let bytes = try? file.bytes(0..<min(6, file.identity.size))
        else { return nil }
        return all.first { bytes.starts(with: $0.signature) }
    }
}

/// Returns the kind of an XML document from its first element, after any declarations and comments.
private func foreignMarkup(_ bytes: ArraySlice<UInt8>) -> String? {
    var rest = bytes
    while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
        rest = rest[(open + 1)...]
        if rest.starts(with: "!--".utf8) {
            guard let end = endOfComment(rest) else { return "XML" }
            rest = rest[end...]
        } else if rest.starts(with: "!".utf8) {
            let word = String(decoding: rest.prefix(13), as: UTF8.self).lowercased()
            if word == "!doctype html" { return "an HTML page" }
        } else if !rest.starts(with: "?".utf8) {
            let name = rest.prefix { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: ":")
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            }
            let local = name.split(separator: UInt8(ascii: ":")).last.map { String(decoding: $0, as: UTF8.self) } ?? ""
            switch local {
            case "RDF": return "RDF/XML"
            case "html", "HTML": return "an HTML page"
            case "svg": return "an SVG picture"
            case "cml", "molecule", "moleculeList", "reactionList", "reactionScheme", "MDocument": return "CML or MRV"
            default: return "XML of another kind"
            }
        }
    }
    return nil
}

private func endOfComment(_ bytes: ArraySlice<UInt8>) -> Int? {
    var index = bytes.startIndex + 3
    while index + 2 < bytes.endIndex {
        if bytes[index] == UInt8(ascii: "-"), bytes[index + 1] == UInt8(ascii: "-"),
            bytes[index + 2] == UInt8(ascii: ">")
        {
            return index + 3
        }
        index += 1
    }
    return nil
}

extension Head {
    /// A remark such as `; it is RDF/XML` to append to the message that the format is unknown, or an empty string.
    package var foreignRemark: String {
        foreignKind(self).map { "; it is \($0)" } ?? ""
    }
}
