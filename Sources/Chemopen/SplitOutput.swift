/// A file for each record, in a folder.
struct SplitOutput: RecordOutput, ~Copyable {
    static let isOneFile = false
    private let conversion: Conversion
    private let folder: String
    private let nameField: Text?
    /// What the names of the files begin with: the input's name without its extension.
    var stem = ""
    private(set) var written = 0
    /// Some record had the field that names its file.
    private(set) var hasNames = false
    private var header = SheetHeader()
    private var namesTaken: Set<String> = []

    init(_ conversion: Conversion, into folder: String, nameField: Text?) throws(Conversion.Failure) {
        self.conversion = conversion
        self.folder = folder
        self.nameField = nameField
        do throws(FileError) {
            try makeFolder(folder)
        } catch {
            throw .write(WriteError(error))
        }
    }

    mutating func begin(_ header: @autoclosure () -> SheetHeader) throws(Conversion.Failure) {
        self.header = header()
    }

    mutating func write(_ record: Record, at place: RecordPlace, part: Int) throws(Conversion.Failure) -> WriteReport {
        var file = try open(record, place, part)
        try file.begin(header)
        let report = try file.write(record, at: place, part: part)
        try file.finish()
        return report
    }

    mutating func copy(_ text: [UInt8], of record: Record, at place: RecordPlace) throws(Conversion.Failure) {
        var file = try open(record, place, 0)
        try file.copy(text, of: record, at: place)
        try file.finish()
    }

    private mutating func open(_ record: Record, _ place: RecordPlace, _ part: Int) throws(Conversion.Failure)
        -> SingleOutput
    {
        let path = folder + "/" + name(record, place, part) + "." + (conversion.target.extensions.first ?? "out")
        written += 1
        let sink: ByteSink
        do throws(FileError) {
            sink = try ByteSink(path: path, replacing: conversion.replaces)
        } catch {
            throw .write(WriteError(error))
        }
        return try .open(sink, conversion.target, conversion.writing)
    }

    /// A name that no record before had.
    private mutating func name(_ record: Record, _ place: RecordPlace, _ part: Int) -> String {
        let suffix = part == 0 ? "" : "-\(part)"
        let digits = String(place.record)
        let number = String(repeating: "0", count: max(0, 6 - digits.count)) + digits
        guard let nameField else { return "\(stem)-\(number)\(suffix)" }
        let field = record.fields[nameField]
        hasNames = hasNames || field != nil
        let value = field.map { safeFileName($0.value.string) } ?? ""
        let base = (value.isEmpty ? "\(stem)-\(number)" : value) + suffix
        var name = base
        var copy = 2
        while !namesTaken.insert(name).inserted {
            name = "\(base)-\(copy)"
            copy += 1
        }
        return name
    }
}

/// The text as a file's name on every system: no separators, no signs with a meaning, no dot or dash in front.
func safeFileName(_ text: String) -> String {
    var name = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
        if name.count == 60 { break }
        let isForbidden =
            scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || "/\\:*?\"<>|".unicodeScalars.contains(scalar)
        if name.isEmpty, scalar == "." || scalar == "-" || scalar == " " { continue }
        name.append(isForbidden ? "_" : scalar)
    }
    while let last = name.last, last == " " || last == "." { name.removeLast() }
    return String(name)
}

/// The name of a file without its folder and its extensions: `a/b.sdf.gz` is `b`.
package func fileStem(_ path: String) -> String {
    if path == "-" { return "record" }
    let name = path.split(separator: "/").last.map(String.init) ?? "record"
    let suffix = fileExtension(name)
    var stem = name[...]
    if stem.lowercased().hasSuffix(".gz") { stem = stem.dropLast(3) }
    if !suffix.isEmpty { stem = stem.dropLast(suffix.count + 1) }
    let safe = safeFileName(String(stem))
    return safe.isEmpty ? "record" : safe
}
