import Chemopen

/// Opens a file for a command: by its content, or as the format that `--from` names.
func openRecords(_ path: LocalPath, as format: Format?) throws(ReadError) -> RecordStream {
    guard let format else { return try readUnknown(path: path) }
    let source: ByteSource
    do throws(FileError) {
        source = try ByteSource(path: path)
    } catch {
        throw ReadError(error)
    }
    return try RecordStream.open(source, as: format)
}

extension Arguments {
    /// The format that an option names; `nil` where it is not given.
    func format(of option: Option) throws(UsageError) -> Format? {
        guard let name = value(of: option) else { return nil }
        let id = name.lowercased()
        if let format = Format.all.first(where: { $0.id == id || $0.extensions.contains(id) }) { return format }
        throw UsageError("no format is called \"\(name)\"" + suggestion(for: id, among: Format.all.map(\.id)))
    }
}

extension Format {
    /// Whether its files are tables, whose columns are known before the first row.
    var isTable: Bool { holds.contains(.columnTypes) }
}

extension ReadError {
    /// What the program makes of it: a file that fails before its first record was not opened, so to speak.
    func status(afterRecords count: Int) -> ExitStatus {
        switch kind {
        case .unrecognised: .unreadable
        case .file: count == 0 ? .unreadable : .incomplete
        case .broken, .tooLarge: .incomplete
        }
    }
}
