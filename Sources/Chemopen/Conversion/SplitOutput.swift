/// An output to a directory, with one file for each record.
struct SplitOutput: RecordOutput, ~Copyable {
    static let isOneFile = false
    private let conversion: Conversion
    private let folder: LocalPath
    private let isNewFolder: Bool
    private let nameField: Text?
    /// The prefix of the file names: the input's name without its extension.
    var stem: LocalPath = ""
    private(set) var written = 0
    /// Whether any record had the field that provides the file name.
    private(set) var hasNames = false
    private(set) var unkept: [String] = []
    private(set) var header = SheetHeader()
    private var names = DistinctNames()
    /// The files of this run that replaced no existing file.
    private var made: [(path: LocalPath, identity: FileIdentity?)] = []

    init(_ conversion: Conversion, into folder: LocalPath, nameField: Text?) throws(Conversion.Failure) {
        self.conversion = conversion
        self.folder = folder
        self.nameField = nameField
        isNewFolder = fileKind(folder) == .missing
        do throws(FileError) {
            try makeFolder(folder)
        } catch {
            throw .write(WriteError(error))
        }
        ByteSink.sweep(beside: folder.appending("any"))
    }

    mutating func begin(_ header: @autoclosure () -> SheetHeader) throws(Conversion.Failure) {
        self.header = header()
    }

    mutating func write(_ record: Record, at place: RecordPlace, part: Int) throws(Conversion.Failure) -> WriteReport {
        var file = try open(record, place, part)
        try file.begin(header)
        let report = try file.write(record, at: place, part: part)
        try finish(file)
        return report
    }

    mutating func copy(_ text: [UInt8], of record: Record, at place: RecordPlace) throws(Conversion.Failure) {
        var file = try open(record, place, 0)
        try file.copy(text, of: record, at: place)
        try finish(file)
    }

    private mutating func finish(_ file: consuming SingleOutput) throws(Conversion.Failure) {
        try file.finish()
        if let last = made.indices.last, made[last].identity == nil {
            made[last].identity = FileIdentity(made[last].path)
        }
    }

    /// Removes the files of a failed run, as csplit does, because an incomplete set could be mistaken for a complete
    /// one. Does not remove files that replaced existing files, or files that another program has written since then.
    mutating func removeFiles() {
        for file in made.reversed() {
            guard let identity = file.identity, FileIdentity(file.path) == identity else { continue }
            removeFile(file.path)
        }
        made = []
        if isNewFolder { removeFolderIfEmpty(folder) }
    }

    private mutating func open(_ record: Record, _ place: RecordPlace, _ part: Int) throws(Conversion.Failure)
        -> SingleOutput
    {
        let suffix = conversion.target.extensions.first ?? "out"
        let path = folder.appending("\(names.take(name(record, place, part))).\(suffix)")
        written += 1
        if fileKind(path) == .missing { made.append((path, nil)) }
        let sink: ByteSink
        do throws(FileError) {
            sink = try ByteSink(path: path, replacing: conversion.overwritesExistingFiles)
        } catch {
            throw .write(WriteError(error))
        }
        for what in sink.unkept { unkept.append("\(path.shown): \(what)") }
        return try .open(sink, conversion.target, conversion.writing)
    }

    /// Returns the file name for a record, from its field or from the input's name and the record's number. The name
    /// may not be unique.
    private mutating func name(_ record: Record, _ place: RecordPlace, _ part: Int) -> LocalPath {
        let suffix = part == 0 ? "" : "-\(part)"
        if let nameField, let value = record.fields[nameField]?.value {
            hasNames = true
            let safe = safeFileName(LocalPath(bytes: value.bytes))
            if !safe.bytes.isEmpty { return "\(safe)\(suffix)" }
        }
        let digits = String(place.record)
        let number = String(repeating: "0", count: max(0, 6 - digits.count)) + digits
        return "\(stem)-\(number)\(suffix)"
    }
}

/// A set of used file names. If a name is already used, a number is appended, as in `benzene-2`.
///
/// On exFAT, macOS and Windows, names that differ only in case or Unicode normalization refer to the same file, so they
/// are treated as equal.
struct DistinctNames {
    private var taken: Set<Folded> = []
    /// The next number to try for a name. All lower numbers are used.
    private var next: [Folded: Int] = [:]

    /// Strings are equal if they are canonically equivalent. Bytes that are not UTF-8 must be identical.
    private enum Folded: Hashable {
        case text(String)
        case bytes([UInt8])

        init(_ name: LocalPath) {
            // The text is converted to upper case first, so that `ß` and `SS`, which some systems treat as equal,
            // become the same name.
            self = name.text.map { .text($0.uppercased().lowercased()) } ?? .bytes(name.bytes)
        }
    }

    mutating func take(_ wanted: LocalPath) -> LocalPath {
        let folded = Folded(wanted)
        if taken.insert(folded).inserted { return wanted }
        var number = next[folded] ?? 2
        while !taken.insert(Folded("\(wanted)-\(number)")).inserted { number += 1 }
        next[folded] = number + 1
        return "\(wanted)-\(number)"
    }
}
