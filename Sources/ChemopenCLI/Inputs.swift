import Chemopen

/// Opens a file for a command, with the detected format or the one specified with `--from`.
func openRecords(
    _ source: Source, as format: Format?, _ options: ReadOptions
) throws(ReadError) -> RecordStream {
    guard let format else { return try readUnknown(source, options) }
    return try read(source, as: format, options)
}

extension Arguments {
    /// Returns the operands of a command that reads files or addresses.
    func sources() throws(UsageError) -> [Source] { try files().map { source($0) } }

    /// Converts an operand to a source: an address if it looks like one and is not a file. Addresses are downloaded
    /// when they are first read.
    func source(_ operand: LocalPath) -> Source {
        Source(typed: operand, fetchOptions())
    }

    /// Returns the options for reading files.
    func readOptions() throws(UsageError) -> ReadOptions {
        var options = ReadOptions(among: formats)
        if let name = value(of: .encoding) {
            guard let encoding = CharacterEncoding(name) else {
                throw UsageError(CharacterEncoding.complaint(about: name) + " (run iconv -l for a list)")
            }
            options.encoding = encoding
        }
        switch value(of: .valence) {
        case nil, "2009": break
        case "2017": options.valenceRule = .restricted2017
        case let year?: throw UsageError("--valence accepts 2009 or 2017, not \"\(year)\"")
        }
        return options
    }

    /// Returns the reading options as arguments for another program, after validating them.
    func wordsOfReading() throws(UsageError) -> [LocalPath] {
        var words: [LocalPath] = []
        if let format = try format(of: .from) { words += [LocalPath(Option.from.name), LocalPath(format.id)] }
        if let encoding = path(of: .encoding) { words += [LocalPath(Option.encoding.name), encoding] }
        if try readOptions().valenceRule != ReadOptions().valenceRule, let year = path(of: .valence) {
            words += [LocalPath(Option.valence.name), year]
        }
        return words
    }

    /// Returns the format that an option specifies, or `nil` if the option is missing.
    func format(of option: Option) throws(UsageError) -> Format? {
        guard let name = value(of: option) else { return nil }
        let id = name.lowercased()
        let known = formats.all
        if let format = known.first(where: { $0.id == id || $0.extensions.contains(id) }) { return format }
        let hint = ObabelHabits.answer(toFormat: id) ?? suggestion(for: id, among: known.map(\.id))
        throw UsageError("unknown format: \"\(name)\"" + hint)
    }
}

extension Format {
    /// Whether files are tables whose columns are known before the first row.
    var isTable: Bool { needsColumns && supportedFeatures.contains(.columnTypes) }
}

extension Terminal {
    /// Reports why a file cannot be read, with a hint if its format is unknown.
    func tell(_ error: ReadError) {
        tell(.error, "\(error)" + (error.kind == .unrecognized ? hint(at: "\(error)") : ""))
    }

    /// Returns a hint for content in an unknown format: a command that decompresses it, or the option that specifies
    /// the format.
    ///
    /// - Parameter complaint: an error message that starts with the file name.
    func hint(at complaint: String) -> String {
        guard let packer = Packer.named(in: complaint) else { return " (use \(Option.from.name) to specify it)" }
        guard packedWords.isNamed(by: complaint) else { return " (use \(packer.program) -dc to decompress it)" }
        // For several files, a single command decompresses all of them.
        if isUnpackingTold { return "" }
        isUnpackingTold = true
        return "; to read it, run: \(typed.reading(packedWords, isPiped: takesPipe))"
    }

    /// Reports files with unsupported compression before another program receives them, because it could not suggest a
    /// command. Returns whether there are any.
    func tellPacked(_ files: [LocalPath]) -> Bool {
        let packed = files.compactMap { file in Packer.ofFile(file).map { "\(file.shown): \($0.remark)" } }
        for complaint in packed { tell(.error, complaint + hint(at: complaint)) }
        return !packed.isEmpty
    }
}

extension ReadError {
    /// Returns the exit status. An error before the first record means that the file could not be opened.
    func status(afterRecords count: Int) -> ExitStatus {
        switch kind {
        case .unrecognized: .unreadable
        case .file: count == 0 ? .unreadable : .incomplete
        case .broken, .tooLarge: .incomplete
        }
    }
}
