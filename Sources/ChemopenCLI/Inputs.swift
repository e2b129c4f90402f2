import Chemopen

/// Opens a file for a command: by its content, or as the format that `--from` names.
func openRecords(
    _ source: Source, as format: Format?, _ options: ReadOptions
) throws(ReadError) -> RecordStream {
    guard let format else { return try readUnknown(source, options) }
    return try read(source, as: format, options)
}

extension Arguments {
    /// The operands of a command that reads files or addresses, one after the other.
    func sources() throws(UsageError) -> [Source] { try files().map { source($0) } }

    /// The meaning of an operand: an address where it begins as one and is no file. Nothing is fetched before it is read.
    func source(_ operand: LocalPath) -> Source {
        Source(typed: operand, fetchOptions())
    }

    /// How files are to be read.
    func readOptions() throws(UsageError) -> ReadOptions {
        var options = ReadOptions(among: formats)
        if let name = value(of: .encoding) {
            guard let encoding = CharacterEncoding(name) else {
                throw UsageError(CharacterEncoding.complaint(about: name) + "; iconv -l lists them")
            }
            options.encoding = encoding
        }
        switch value(of: .valence) {
        case nil, "2009": break
        case "2017": options.valenceRule = .restricted2017
        case let year?: throw UsageError("--valence takes 2009 or 2017, not \"\(year)\"")
        }
        return options
    }

    /// The options that say how files are to be read, for another program; they are valid.
    func wordsOfReading() throws(UsageError) -> [LocalPath] {
        var words: [LocalPath] = []
        if let format = try format(of: .from) { words += [LocalPath(Option.from.name), LocalPath(format.id)] }
        if let encoding = path(of: .encoding) { words += [LocalPath(Option.encoding.name), encoding] }
        if try readOptions().valenceRule != ReadOptions().valenceRule, let year = path(of: .valence) {
            words += [LocalPath(Option.valence.name), year]
        }
        return words
    }

    /// The format that an option names; `nil` where it is not given.
    func format(of option: Option) throws(UsageError) -> Format? {
        guard let name = value(of: option) else { return nil }
        let id = name.lowercased()
        let known = formats.all
        if let format = known.first(where: { $0.id == id || $0.extensions.contains(id) }) { return format }
        let hint = ObabelHabits.answer(toFormat: id) ?? suggestion(for: id, among: known.map(\.id))
        throw UsageError("no format is called \"\(name)\"" + hint)
    }
}

extension Format {
    /// Whether its files are tables, whose columns are known before the first row.
    var isTable: Bool { needsColumns && holds.contains(.columnTypes) }
}

extension Terminal {
    /// Says why a file cannot be read, and what helps where nothing is known of its content.
    func tell(_ error: ReadError) {
        tell(.error, "\(error)" + (error.kind == .unrecognised ? hint(at: "\(error)") : ""))
    }

    /// The remedy for content that looks like nothing: a line that unpacks it, or the option that names its format.
    ///
    /// - Parameter complaint: begins with the file.
    func hint(at complaint: String) -> String {
        guard let packer = Packer.named(in: complaint) else { return "; \(Option.from.name) names its format" }
        guard packedWords.isNamed(by: complaint) else { return "; \(packer.program) -dc unpacks it" }
        // Of several files the line reads all.
        if isUnpackingTold { return "" }
        isUnpackingTold = true
        return "; this reads it: \(typed.reading(packedWords, isPiped: takesPipe))"
    }

    /// Tells of files that another program has packed, before they are handed to one that could only say so.
    func tellPacked(_ files: [LocalPath]) -> Bool {
        let packed = files.compactMap { file in Packer.ofFile(file).map { "\(file.shown): \($0.remark)" } }
        for complaint in packed { tell(.error, complaint + hint(at: complaint)) }
        return !packed.isEmpty
    }
}

extension ReadError {
    /// The status of the program: a file that fails before its first record was not opened, so to speak.
    func status(afterRecords count: Int) -> ExitStatus {
        switch kind {
        case .unrecognised: .unreadable
        case .file: count == 0 ? .unreadable : .incomplete
        case .broken, .tooLarge: .incomplete
        }
    }
}
