/// The format of a file, and how that was told.
public struct Identification: Sendable {
    /// The evidence that has settled the type.
    public enum Evidence: String, Sendable {
        /// The content alone.
        case content
        /// The content fits several types; the name chose among them.
        case contentAndName = "content and name"
        /// The content fits several types; the type that was declared chose among them.
        case contentAndType = "content and declared type"
        /// There is no content, and the name, or the type that was declared, is that of a table that may be without any.
        case name
        /// The caller has named the format, whatever the content shows.
        case request
    }

    /// The format.
    public let format: Format
    /// How sure that is.
    public let confidence: Confidence
    /// The evidence that has settled it.
    public let evidence: Evidence
    /// The format that the name's extension belongs to, where that is another one: the name misleads.
    public let namedAs: Format?
    /// The format that the declared type belongs to, where that is another one: whoever declared it was wrong.
    public let declaredAs: Format?
}

/// Tells a file's format by its beginning. A declared type, and then the name, only choose among formats that are
/// equally likely.
///
///     let head = Head(Array(bytes), isWhole: true)
///     if let found = identify(head, named: "a.sdf") { print(found.format.name) }
///     if let found = identify(head, declaredAs: "chemical/x-mdl-sdfile") { print(found.evidence.rawValue) }
///
/// `nil` where no format looks like this, whatever the file is called. A file without a byte looks like nothing: there the
/// name tells, if it is that of a table which is written so when it has no record.
public func identify(
    _ head: Head, named name: LocalPath? = nil, declaredAs type: String? = nil,
    among formats: FormatRegistry = .standard
) -> Identification? {
    if head.bytes.isEmpty, head.isWhole { return identifyEmpty(named: name, declaredAs: type, among: formats) }
    let suffix = name.map(fileExtension) ?? ""
    let declared = type.flatMap { Format.declared($0, among: formats) }
    // Places, since copies of all formats would cost more than to look at the file.
    let owner = formats.place(withExtension: suffix)
    let meant = formats.firstIndex { $0.id == declared?.id } ?? owner
    let asked = meant.map { formats.confidence(ofFormatAt: $0, in: head) }
    var best: [Int] = []
    var confidence = Confidence.possible
    if let meant, asked == .certain {
        // It is meant, and beyond doubt. Those before it say whether the content alone would tell; none behind it has a say.
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

/// Tells a file's format by its beginning, under a name that is text.
public func identify(
    _ head: Head, named name: String, declaredAs type: String? = nil, among formats: FormatRegistry = .standard
) -> Identification? {
    identify(head, named: LocalPath(name), declaredAs: type, among: formats)
}

/// A file that looks like a format which its content alone would not tell, and is called or declared so.
private func identifyByName(
    _ head: Head, _ name: LocalPath?, declaredAs type: String?, among formats: FormatRegistry
) -> Identification? {
    let byName = FormatRegistry(formats.toldByName)
    let declared = type.flatMap { Format.declared($0, among: byName) }
    let suffix = name.map(fileExtension) ?? ""
    guard let format = declared ?? byName.first(where: { $0.extensions.contains(suffix) }) else { return nil }
    let confidence = format.sniff(head)
    if confidence == .no { return nil }
    return Identification(
        format: format, confidence: confidence, evidence: declared == nil ? .contentAndName : .contentAndType,
        namedAs: nil, declaredAs: nil)
}

/// A file without a byte is the table without a record that a writer leaves, where it is called so.
private func identifyEmpty(
    named name: LocalPath?, declaredAs type: String?, among formats: FormatRegistry
) -> Identification? {
    let suffix = name.map(fileExtension) ?? ""
    // Also of those that only the name tells.
    let read = FormatRegistry(formats.all.filter { $0.makeReader != nil })
    let named = read.first { $0.extensions.contains(suffix) }
    let declared = type.flatMap { Format.declared($0, among: read) }
    guard let format = [declared, named].compactMap({ $0 }).first(where: \.mayBeEmpty) else { return nil }
    return Identification(
        format: format, confidence: .possible, evidence: .name, namedAs: named?.id == format.id ? nil : named,
        declaredAs: declared?.id == format.id ? nil : declared)
}

extension Identification {
    /// A format that the caller has named.
    public init(named format: Format) {
        self.init(format: format, confidence: .certain, evidence: .request, namedAs: nil, declaredAs: nil)
    }
}

extension ReadOptions {
    /// The formats that are meant: those of Chemopen where none are given.
    package var knownFormats: FormatRegistry { formats.isEmpty ? .standard : formats }
}

extension ReadError {
    /// Says that a file looks like no format, or that nothing is in it.
    package init(unrecognised head: Head, in path: LocalPath) {
        if head.bytes.isEmpty {
            self.init(FileError(path, .isEmpty))
        } else {
            let expected = "no chemical format that is read here looks like this" + head.foreignRemark
            self.init(.unrecognised, file: path.shown, expected: expected)
        }
    }
}

extension Format {
    /// The format that a MIME type means: in any case, with parameters or without, and of the gzipped form, too.
    ///
    ///     Format.declared("chemical/x-mdl-sdfile; charset=utf-8")?.id     // "sdf"
    public static func declared(_ type: String, among formats: FormatRegistry = .standard) -> Format? {
        let name = (type.lowercased().split(separator: ";").first ?? "").filter { $0 != " " && $0 != "\t" }
        return formats.first { $0.mimeTypes.contains(name) || $0.gzippedType == name }
    }
}

extension FormatRegistry {
    /// Returns the format in which a file of this name is written; also one that is recognized by its name only, and with
    /// `.gz` after its extension.
    ///
    ///     FormatRegistry.standard.format(ofName: "a/B.CSV.gz")?.id     // "csv"
    public func format(ofName name: LocalPath) -> Format? { format(withExtension: fileExtension(name)) }
}

/// The last extension of a file's name in small letters, without its dot and without `.gz`; empty where there is none.
///
///     fileExtension("a/B.SDF.gz")      // "sdf"
public func fileExtension(_ name: LocalPath) -> String {
    let slash = UInt8(ascii: "/")
    var rest = name.bytes[...]
    while rest.last == slash { rest.removeLast() }
    if let last = rest.lastIndex(of: slash) { rest = rest[(last + 1)...] }
    let suffix = takeExtension(of: &rest)
    return suffix == "gz" ? takeExtension(of: &rest) : suffix
}

/// The last extension of a name that is text.
public func fileExtension(_ name: String) -> String {
    fileExtension(LocalPath(name))
}

/// Takes the last dot, and what stands behind it, off.
private func takeExtension(of name: inout ArraySlice<UInt8>) -> String {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return "" }
    defer { name = name[..<dot] }
    return LocalPath(bytes: Array(name[(dot + 1)...])).shown.lowercased()
}
