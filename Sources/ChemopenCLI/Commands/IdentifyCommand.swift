import Chemopen

extension Option {
    static let declaredType = Option(
        "--mime", value: "TYPE", help: "the MIME type of the file; only a hint, like its name")
}

extension Arguments {
    /// Returns the declared MIME type of the files.
    func declaredType() throws(UsageError) -> String? {
        guard let type = value(of: .declaredType) else { return nil }
        guard type.contains("/") else {
            throw UsageError("--mime requires a type such as chemical/x-cdx, not \"\(type)\"")
        }
        return type
    }
}

/// `chemopen identify`: detects the format of files by their content.
enum IdentifyCommand: Command {
    static let name = "identify"
    static let group = CommandGroup.look
    static let isPaged = true
    static let summary = "identify the format of a file and how it was detected"
    static let usage = "chemopen identify [options] FILE..."
    static let example = "chemopen identify unknown.bin"
    static let options: [Option] = [.declaredType, .json]
    static let reading = Reading.records
    static let fetches = true
    static let isConfined = true

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        var status = ExitStatus.done
        let type = try arguments.declaredType()
        let format = try arguments.format(of: .from)
        _ = try arguments.files()
        for path in arguments.localFiles() {
            do throws(ReadError) {
                let finding = try Finding(
                    arguments.source(path), declaredAs: type, as: format, among: arguments.formats)
                arguments.has(.json) ? finding.write(on: terminal) : finding.print(on: terminal)
            } catch {
                if arguments.has(.json) { writeFailure(error, on: terminal) }
                terminal.tell(error)
                status.raise(to: .unreadable)
            }
        }
        return status
    }

    private static func writeFailure(_ error: ReadError, on terminal: Terminal) {
        var json = JSON()
        json.object { json in
            json.field("file", error.file)
            json.key("format")
            json.null()
            json.field("message", error.message)
        }
        json.endLine()
        terminal.write(json.bytes)
    }

    private struct Finding {
        /// The displayed file name.
        let name: String
        let identification: Identification
        let isCompressed: Bool
        /// The format version of the first readable record.
        let version: String

        init(
            _ file: Source, declaredAs type: String?, as format: Format?, among formats: FormatRegistry
        ) throws(ReadError) {
            name = file.name.shown
            var source = try Self.open(file)
            identification = try source.identified(
                as: format, declaredAs: type ?? file.declaredType, among: formats)
            isCompressed = source.isCompressed
            version = Self.version(of: source, identification.format)
        }

        /// Opens a file. The wait for a pipe without a writer is limited, because other files may follow.
        private static func open(_ file: Source) throws(ReadError) -> ByteSource {
            do throws(FileError) {
                if let path = file.path, fileKind(path) == .fifo { return try ByteSource(pipe: path, patience: 2000) }
                return try file.open()
            } catch {
                throw ReadError(error)
            }
        }

        private static func version(of source: consuming ByteSource, _ format: Format) -> String {
            guard var records = try? RecordStream.open(source, as: format) else { return "" }
            var record = Record()
            _ = try? records.read(into: &record)
            return records.place.version
        }

        func print(on terminal: Terminal) {
            let format = identification.format
            var line = "\(name): \(format.name)"
            if !version.isEmpty { line += " \(version)" }
            if isCompressed { line += ", gzipped" }
            terminal.print(
                line + ", \(format.mimeTypes.first ?? "no MIME type"), detected by \(identification.evidence.rawValue)")
            for (how, other) in identification.misleadingNames {
                terminal.tell(.warning, "\(name): \(how) \(other.described), but is \(format.described)")
            }
        }

        func write(on terminal: Terminal) {
            let format = identification.format
            var json = JSON()
            json.object { json in
                json.field("file", name)
                json.field("format", format.id)
                json.field("name", format.name)
                if !version.isEmpty { json.field("version", version) }
                json.field("mime_type", format.mimeTypes.first ?? "")
                json.field("told_by", identification.evidence.rawValue)
                json.field("certain", identification.confidence == .certain)
                json.field("gzip", isCompressed)
                if let other = identification.namedAs { json.field("named_as", other.id) }
                if let other = identification.declaredAs { json.field("declared_as", other.id) }
            }
            json.endLine()
            terminal.write(json.bytes)
        }
    }
}
