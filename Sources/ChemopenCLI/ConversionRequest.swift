import Chemopen

/// The parsed command line of `convert`.
struct ConversionRequest {
    let inputs: [Source]
    let output: Conversion.Output
    let conversion: Conversion
    let isStrict: Bool
    /// Whether data that the target format can never store is omitted from the notes.
    let isQuiet: Bool
    let printsJSON: Bool
    let reportPath: LocalPath?

    init(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) {
        var operands = arguments.operands
        let folder = arguments.path(of: .split)
        var path = arguments.path(of: .output)
        let isDryRun = arguments.has(.dryRun)
        if path == nil, folder == nil, !(isDryRun && operands.count == 1) { path = operands.popLast() }
        let inputs = operands.map { arguments.source($0) }
        guard !inputs.isEmpty else {
            throw UsageError("convert requires an input and an output, as in: \(ConvertCommand.example)")
        }
        if path != nil, folder != nil { throw UsageError("--split DIR and --output OUT cannot be combined") }
        if arguments.has(.splitBy), folder == nil { throw UsageError("--split-by requires --split DIR") }
        let format = path.flatMap { arguments.formats.format(ofName: $0.withoutExtension) }
        try arguments.refusePacked(
            path, on: terminal, as: arguments.has(.to) ? nil : format?.id ?? "FORMAT",
            isPiped: arguments.value(of: .onError) != Conversion.ErrorPolicy.keep.rawValue)
        var conversion = Conversion(to: try Self.target(arguments, path, inputs))
        conversion.source = try arguments.format(of: .from)
        conversion.reading = try arguments.readOptions()
        conversion.writing.version = try Self.version(arguments)
        conversion.selection = try arguments.selection()
        conversion.expandsAbbreviations = arguments.has(.expandInto)
        conversion.laysOut = arguments.has(.layout)
        conversion.keepsProjection = arguments.has(.noLayoutOfDrawing)
        if conversion.laysOut, conversion.keepsProjection {
            throw UsageError("--layout and --no-layout cannot be combined")
        }
        if conversion.laysOut, !LayoutProgram.shared.isThere {
            throw UsageError(
                "--layout requires the program \(LayoutProgram.name), which is not installed next to chemopen")
        }
        conversion.computes = try arguments.computes()
        conversion.writing.isCanonical = arguments.has(.canonical)
        if arguments.has(.canonical), !conversion.target.hasLineNotation {
            throw UsageError("--canonical applies only to SMILES, not to \(conversion.target.name)")
        }
        conversion.writing.columns = try Self.columns(arguments, of: conversion.target)
        if let file = arguments.path(of: .style) {
            conversion.writing.style = try Self.style(file, for: conversion.target, among: arguments.formats)
        }
        conversion.rewrites = arguments.has(.rewrite) || arguments.has(.canonical) || arguments.has(.columnNames)
        conversion.errorPolicy = try Self.errorPolicy(arguments)
        let threads = Arguments.threadsForLongWork(on: operands)
        conversion.threads = try arguments.threadCount(
            usual: threads > 1 && Self.isLong(conversion, of: inputs, arguments) ? threads : 1)
        conversion.overwritesExistingFiles = arguments.has(.force)
        if let level = try arguments.number(of: .gzipLevel, in: 1...9) { conversion.gzipLevel = level }
        if conversion.errorPolicy == .keep, path?.isDash == true {
            throw UsageError("--on-error keep requires an output file, because bad records are written to OUT.rejects")
        }
        if let report = arguments.path(of: .report), report == path, [.missing, .regular].contains(fileKind(report)) {
            throw UsageError("--report and the output are the same file, \(report.shown)")
        }
        self.inputs = inputs
        self.conversion = conversion
        isStrict = arguments.has(.strict)
        isQuiet = arguments.has(.quietNotes)
        reportPath = arguments.path(of: .report)
        printsJSON = arguments.has(.json)
        if isDryRun {
            output = .discard
        } else if let folder {
            output = .directory(folder, fileNameField: arguments.field(of: .splitBy))
        } else {
            output = .file(path ?? "-")
            if printsJSON, path?.isDash != false {
                throw UsageError("--json and OUT would both use standard output (use --output to specify a file)")
            }
        }
    }

    /// Returns the columns of an output table.
    private static func columns(_ arguments: Arguments, of target: Format) throws(UsageError) -> [Text] {
        guard let text = arguments.path(of: .columnNames) else { return [] }
        if !target.needsColumns || !target.hasLineNotation {
            throw UsageError("--columns applies only to CSV and TSV, not to \(target.name)")
        }
        let words = text.bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        let names = words.map { Text(bytes: $0) }
        if Set(names).count < names.count || names.contains(where: \.isEmpty) {
            throw UsageError("--columns requires distinct names separated by commas, not \"\(text.shown)\"")
        }
        return names
    }

    /// Returns the format of the output: the specified format, that of the extension, or that of the first input.
    private static func target(
        _ arguments: Arguments, _ path: LocalPath?, _ inputs: [Source]
    ) throws(UsageError) -> Format {
        let format: Format
        if let named = try arguments.format(of: .to) {
            format = named
        } else if let path, !path.isDash, fileKind(path) != .directory {
            guard let found = arguments.formats.format(ofName: path) else {
                let suffix = fileExtension(path)
                let names = arguments.formats.writable.flatMap(\.extensions).map { "." + $0 }
                let what = suffix.isEmpty ? "\(path.shown) has no extension" : "no format has the extension .\(suffix)"
                let hint = ObabelHabits.answer(toFormat: suffix)
                throw UsageError(
                    what + (hint ?? suggestion(for: "." + suffix, among: names) + " (use --to to specify the format)"))
            }
            format = found
        } else if let input = inputs.first, let found = Self.format(ofFile: input, among: arguments.formats) {
            format = found
        } else {
            throw UsageError("unknown output format (use --to to specify it)")
        }
        if !format.isWritable, !isCopy(of: inputs, in: format, arguments) {
            throw UsageError("\(format.name) can be read but not written")
        }
        return format
    }

    /// Returns whether a single file is copied in its own format, which does not require a writer.
    private static func isCopy(of inputs: [Source], in format: Format, _ arguments: Arguments) -> Bool {
        guard let input = inputs.first, inputs.count == 1, !arguments.has(.rewrite), !arguments.has(.split) else {
            return false
        }
        return Self.format(ofFile: input, among: arguments.formats)?.id == format.id
    }

    /// Returns whether the conversion takes much longer than reading, because records are searched or change their
    /// format.
    private static func isLong(_ conversion: Conversion, of inputs: [Source], _ arguments: Arguments) -> Bool {
        if !conversion.selection.structures.isEmpty { return true }
        return inputs.first.flatMap { format(ofFile: $0, among: arguments.formats) }?.id != conversion.target.id
    }

    private static func format(ofFile input: Source, among formats: FormatRegistry) -> Format? {
        if input.path?.isDash == true { return nil }
        guard var source = try? input.open() else { return nil }
        return identify(
            source.peekHead().head, named: input.name, declaredAs: input.declaredType, among: formats)?.format
    }

    /// Returns the bytes of the drawing that specifies the style.
    private static func style(
        _ file: LocalPath, for target: Format, among formats: FormatRegistry
    ) throws(UsageError) -> [UInt8] {
        guard target.hasCommonPages else {
            throw UsageError("--style applies only to CDX and CDXML, not to \(target.name)")
        }
        var bytes: [UInt8]
        do throws(FileError) {
            var source = try ByteSource(path: file)
            bytes = try source.allBytes()
        } catch {
            throw UsageError("--style requires a drawing: \(error)")
        }
        guard identify(Head(bytes, isWhole: true), named: file, among: formats)?.format.hasCommonPages == true else {
            throw UsageError("--style requires a CDX or CDXML drawing, not \(file.shown)")
        }
        return bytes
    }

    private static func version(_ arguments: Arguments) throws(UsageError) -> WriteOptions.Version {
        switch (arguments.has(.v2000), arguments.has(.v3000)) {
        case (true, true): throw UsageError("--v2000 and --v3000 cannot be combined")
        case (true, false): .v2000
        case (false, true): .v3000
        case (false, false): .asNeeded
        }
    }

    private static func errorPolicy(_ arguments: Arguments) throws(UsageError) -> Conversion.ErrorPolicy {
        guard let word = arguments.value(of: .onError) else { return .skip }
        guard let policy = Conversion.ErrorPolicy(rawValue: word) else {
            let known = Conversion.ErrorPolicy.allCases.map(\.rawValue)
            throw UsageError(
                "--on-error accepts \(known.joined(separator: ", ")), not \"\(word)\""
                    + suggestion(for: word, among: known))
        }
        return policy
    }
}
