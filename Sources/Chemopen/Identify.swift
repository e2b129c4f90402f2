/// What a file is, and how that was told.
public struct Identification: Sendable {
    /// What has settled the type.
    public enum Evidence: String, Sendable {
        /// The content alone.
        case content
        /// The content fits several types; the name chose among them.
        case contentAndName = "content and name"
    }

    public let format: Format
    public let confidence: Confidence
    public let evidence: Evidence
    /// The format that the name's extension belongs to, where that is another one: the name misleads.
    public let namedAs: Format?
}

/// Tells a file's format by its beginning. The name only chooses among formats that are equally likely.
///
///     let head = Head(Array(bytes), isWhole: true)
///     if let found = identify(head, named: "a.sdf") { print(found.format.name) }
///
/// `nil` where no format looks like this, whatever the file is called.
public func identify(_ head: Head, named name: String? = nil, among formats: [Format] = Format.all) -> Identification? {
    var best: [Format] = []
    var confidence = Confidence.possible
    for format in formats {
        let found = format.sniff(head)
        if found > confidence {
            best = [format]
            confidence = found
        } else if found == confidence {
            best.append(format)
        }
    }
    guard let first = best.first else { return nil }
    let suffix = name.map(fileExtension) ?? ""
    let chosen = best.first { $0.extensions.contains(suffix) } ?? first
    let owner = formats.first { $0.extensions.contains(suffix) }
    return Identification(
        format: chosen, confidence: confidence, evidence: chosen.id == first.id ? .content : .contentAndName,
        namedAs: owner?.id == chosen.id ? nil : owner)
}

/// The last extension of a file's name in small letters, without its dot and without `.gz`; empty where there is none.
///
///     fileExtension("a/B.SDF.gz")      // "sdf"
public func fileExtension(_ name: String) -> String {
    let bareName = (name.split(separator: "/").last ?? "").lowercased()
    let parts = bareName.split(separator: ".", omittingEmptySubsequences: false)
    let bare = parts.count > 1 && parts.last == "gz" ? parts.dropLast() : parts[...]
    return bare.count > 1 ? bare.last.map(String.init) ?? "" : ""
}
