/// A file for each record, in a folder.
struct SplitOutput: RecordOutput, ~Copyable {
    static let isOneFile = false
    private let conversion: Conversion
    private let folder: LocalPath
    private let nameField: Text?
    /// The beginning of the files' names: the input's name without its extension.
    var stem: LocalPath = ""
    private(set) var written = 0
    /// Some record had the field that names its file.
    private(set) var hasNames = false
    private(set) var unkept: [String] = []
    private(set) var header = SheetHeader()
    private var names = DistinctNames()

    init(_ conversion: Conversion, into folder: LocalPath, nameField: Text?) throws(Conversion.Failure) {
        self.conversion = conversion
        self.folder = folder
        self.nameField = nameField
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
        let suffix = conversion.target.extensions.first ?? "out"
        let path = folder.appending("\(names.take(name(record, place, part))).\(suffix)")
        written += 1
        let sink: ByteSink
        do throws(FileError) {
            sink = try ByteSink(path: path, replacing: conversion.replaces)
        } catch {
            throw .write(WriteError(error))
        }
        for what in sink.unkept { unkept.append("\(path.shown): \(what)") }
        return try .open(sink, conversion.target, conversion.writing)
    }

    /// The name of a record's file, after its field or after its input and number. Others may have it, too.
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

/// Gives each file of a run its own name: if a name is used already, a number is added, as in `benzene-2`.
///
/// Names that differ only in case, or in the Unicode form of a letter, are the same file on exFAT, macOS and Windows, and
/// the same name here.
struct DistinctNames {
    private var taken: Set<Folded> = []
    /// The number to try next for a name that was used before. Those below it are used.
    private var next: [Folded: Int] = [:]

    /// Strings are equal if they are canonically equivalent; bytes that are not UTF-8 only if they are the same.
    private enum Folded: Hashable {
        case text(String)
        case bytes([UInt8])

        init(_ name: LocalPath) {
            self = name.text.map { .text($0.lowercased()) } ?? .bytes(name.bytes)
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
