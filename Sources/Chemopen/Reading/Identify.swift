/// The format of a file and the evidence for it.
public struct Identification: Sendable {
    /// The evidence that determined the format.
    public enum Evidence: String, Sendable {
        /// The content alone.
        case content
        /// The content matches several formats; the file name selects one of them.
        case contentAndName = "content and name"
        /// The content matches several formats; the declared type selects one of them.
        case contentAndType = "content and declared type"
        /// The file is empty. Its name or declared type indicates a table format that allows empty files.
        case name
        /// The caller specified the format; the content was not checked.
        case request
    }

    /// The detected or specified format.
    public let format: Format
    /// The confidence in the format.
    public let confidence: Confidence
    /// The evidence for the format.
    public let evidence: Evidence
    /// The format that the file extension belongs to, if it differs from the detected one.
    public let namedAs: Format?
    /// The format that the declared type belongs to, if it differs from the detected one.
    public let declaredAs: Format?
}

/// Detects the format of a file from its beginning.
///
/// If several formats match equally well, the declared type decides, then the file extension.
///
///     let head = Head(Array(bytes), isWhole: true)
///     if let found = identify(head, named: "a.sdf") { print(found.format.name) }
///     if let found = identify(head, declaredAs: "chemical/x-mdl-sdfile") { print(found.evidence.rawValue) }
///
/// If a file is empty, the format is determined by the declared type or the name. This works only for table formats
/// that allow empty files.
///
/// - Parameter head: The first bytes of the file.
/// - Parameter name: The file's name, for its extension.
/// - Parameter type: The file's MIME type, if declared.
/// - Returns: The format and the evidence for it, or `nil` if the content matches no format.
public func identify(
    _ head: Head, named name: LocalPath? = nil, declaredAs type: String? = nil,
    among formats: FormatRegistry = .standard
) -> Identification? {
    if head.bytes.isEmpty, head.isWhole { return identifyEmpty(named: name, declaredAs: type, among: formats) }
    let suffix = name.map(fileExtension) ?? ""
    let declared = type.flatMap { Format.declared($0, among: formats) }
    // Indices are used, because copies of all formats would cost more than the inspection of the file.
    let owner = formats.place(withExtension: suffix)
    let meant = formats.firstIndex { $0.id == declared?.id } ?? owner
    let asked = meant.map { formats.confidence(ofFormatAt: $0, in: head) }
    var best: [Int] = []
    var confidence = Confidence.possible
    if let meant, asked == .certain {
        // The expected format is certain. Formats before it only affect the evidence; later ones cannot change the
        // result.
        best = formats.indices[..<meant].filter { formats.confidence(ofFormatAt: $0, in: head) == .certain } + [meant]
        confidence = .certain
    } else {
        for place in formats.indices {
            let found = if place == meant, let asked { asked } else { formats.confidence(ofFormatAt: place, in: head) }
            if found > confidence {
                (best, confidence) = ([place], found)
            } else if found == confidence {
                best.append(place)
            }
        }
    }
    guard let first = best.first else { return identifyByName(head, name, declaredAs: type, among: formats) }
    let place =
        best.first { formats[$0].id == declared?.id } ?? best.first { formats[$0].extensions.contains(suffix) } ?? first
    let chosen = formats[place]
    let evidence: Identification.Evidence =
        place == first ? .content : chosen.id == declared?.id ? .contentAndType : .contentAndName
    return Identification(
        format: chosen, confidence: confidence, evidence: evidence,
        namedAs: owner == place ? nil : owner.map { formats[$0] },
        declaredAs: declared?.id == chosen.id ? nil : declared)
}

/// Detects the format of a file from its beginning. The file name is a `String`.
///
/// - Returns: The format and the evidence for it, or `nil` if the content matches no format.
public func identify(
    _ head: Head, named name: String, declaredAs type: String? = nil, among formats: FormatRegistry = .standard
) -> Identification? {
    identify(head, named: LocalPath(name), declaredAs: type, among: formats)
}

/// Detects a format that requires a matching name or declared type in addition to its content. For standard input, the
/// content alone can be sufficient.
private func identifyByName(
    _ head: Head, _ name: LocalPath?, declaredAs type: String?, among formats: FormatRegistry
) -> Identification? {
    let byName = FormatRegistry(formats.toldByName)
    let declared = type.flatMap { Format.declared($0, among: byName) }
    let suffix = name.map(fileExtension) ?? ""
    guard let format = declared ?? byName.first(where: { $0.extensions.contains(suffix) }) else {
        // Standard input has no name, so its first lines must leave no doubt.
        guard name?.isDash == true, let proved = byName.first(where: { $0.proves?(head) == true }) else { return nil }
        return Identification(
            format: proved, confidence: .likely, evidence: .content, namedAs: nil, declaredAs: nil)
    }
    let confidence = format.sniff(head)
    if confidence == .no { return nil }
    return Identification(
        format: format, confidence: confidence, evidence: declared == nil ? .contentAndName : .contentAndType,
        namedAs: nil, declaredAs: nil)
}

/// Detects the format of an empty file from its name or declared type. In some table formats, a file without records is
/// empty.
private func identifyEmpty(
    named name: LocalPath?, declaredAs type: String?, among formats: FormatRegistry
) -> Identification? {
    let suffix = name.map(fileExtension) ?? ""
    // Includes the formats that require a matching name.
    let read = FormatRegistry(formats.all.filter { $0.makeReader != nil })
    let named = read.first { $0.extensions.contains(suffix) }
    let declared = type.flatMap { Format.declared($0, among: read) }
    guard let format = [declared, named].compactMap({ $0 }).first(where: \.mayBeEmpty) else { return nil }
    return Identification(
        format: format, confidence: .possible, evidence: .name, namedAs: named?.id == format.id ? nil : named,
        declaredAs: declared?.id == format.id ? nil : declared)
}

extension Identification {
    /// Creates an identification for a format that the caller specified.
    public init(named format: Format) {
        self.init(format: format, confidence: .certain, evidence: .request, namedAs: nil, declaredAs: nil)
    }
}

extension ReadOptions {
    /// The formats in the options, or all formats of Chemopen if the options contain none.
    package var knownFormats: FormatRegistry { formats.isEmpty ? .standard : formats }
}

extension ReadError {
    /// Creates the error for a file that is empty or matches no format.
    package init(unrecognized head: Head, in path: LocalPath) {
        if head.bytes.isEmpty {
            self.init(FileError(path, .isEmpty))
        } else {
            let expected = "unknown file format" + head.foreignRemark
            self.init(.unrecognized, file: path.shown, expected: expected)
        }
    }
}

extension Format {
    /// Returns the format for a MIME type.
    ///
    /// Ignores case and parameters, and also accepts the type of the gzipped format.
    ///
    ///     Format.declared("chemical/x-mdl-sdfile; charset=utf-8")?.id     // "sdf"
    ///
    /// - Returns: The first format that has this type, or `nil` if there is no such format.
    public static func declared(_ type: String, among formats: FormatRegistry = .standard) -> Format? {
        let name = (type.lowercased().split(separator: ";").first ?? "").filter { $0 != " " && $0 != "\t" }
        return formats.first { $0.mimeTypes.contains(name) || $0.gzippedType == name }
    }
}

extension FormatRegistry {
    /// Returns the format for a file name.
    ///
    /// Includes formats that can be detected only by name, and ignores a final `.gz`.
    ///
    ///     FormatRegistry.standard.format(ofName: "a/B.CSV.gz")?.id     // "csv"
    ///
    /// - Returns: The format with this file extension, or `nil` if there is no such format.
    public func format(ofName name: LocalPath) -> Format? { format(withExtension: fileExtension(name)) }
}

/// Returns the last extension of a file name in lower case, without the dot.
///
/// Ignores a final `.gz`. Returns an empty string if the name has no extension.
///
///     fileExtension("a/B.SDF.gz")      // "sdf"
///
/// - Returns: The extension, such as `sdf`.
public func fileExtension(_ name: LocalPath) -> String {
    let slash = UInt8(ascii: "/")
    var rest = name.bytes[...]
    while rest.last == slash { rest.removeLast() }
    if let last = rest.lastIndex(of: slash) { rest = rest[(last + 1)...] }
    let suffix = takeExtension(of: &rest)
    return suffix == "gz" ? takeExtension(of: &rest) : suffix
}

/// Returns the last extension of a file name that is a `String`.
///
/// - Returns: The extension in lower case without the dot, or an empty string.
public func fileExtension(_ name: String) -> String {
    fileExtension(LocalPath(name))
}

/// Removes the last extension and its dot, and returns the extension in lower case.
private func takeExtension(of name: inout ArraySlice<UInt8>) -> String {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return "" }
    defer { name = name[..<dot] }
    return LocalPath(bytes: Array(name[(dot + 1)...])).shown.lowercased()
}
