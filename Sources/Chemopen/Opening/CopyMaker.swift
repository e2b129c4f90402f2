import ChemopenDesktop

/// Creates the copy of a file for a program.
struct CopyMaker {
    let copy: OpenPlan.Copy
    let file: ReceivedFile
    let folder: PrivateFolder
    let selection: RecordSelection

    init(_ copy: OpenPlan.Copy, of file: ReceivedFile, in folder: PrivateFolder, _ selection: RecordSelection) {
        self.copy = copy
        self.file = file
        self.folder = folder
        self.selection = selection
    }

    /// The name of the copies without an extension: the file's name, with unusual characters replaced if the program
    /// requires it.
    private var stem: LocalPath {
        let stem = fileStem(file.path)
        guard copy.hasPlainName else { return stem }
        let plain = String(decoding: stem.bytes, as: UTF8.self).unicodeScalars.map {
            $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0)) ? Character($0) : "_"
        }
        return LocalPath(String(plain))
    }

    private var suffix: String { copy.format.extensions.first ?? "out" }

    func run() throws(OpenError) -> FileOpener.Prepared {
        var prepared = FileOpener.Prepared(files: [], folder: folder)
        let what = "\(file.name): the copy"
        if copy.isVerbatim, selection.takesAll {
            let path = try OpenError.writing(what) { () throws(FileError) in try writeBytes() }
            prepared.files = [path]
        } else {
            try convert(into: &prepared)
        }
        try OpenError.writing(what) { () throws(FileError) in try folder.seal() }
        return prepared
    }

    /// Writes the decompressed bytes of the file.
    private func writeBytes() throws(FileError) -> LocalPath {
        let path: LocalPath = "\(folder.path)/\(stem).\(suffix)"
        var source = try ByteSource(path: file.openPath, named: file.path)
        var sink = try ByteSink(path: path)
        while try source.fill() {
            sink.bytes.append(contentsOf: source.buffer[source.window])
            source.consume(to: source.window.upperBound)
            try sink.flush()
        }
        try sink.commit()
        return path
    }

    private func convert(into prepared: inout FileOpener.Prepared) throws(OpenError) {
        guard let first = file.survey.firstStructure else {
            throw OpenError(.empty, "\(file.name): contains no structure to open")
        }
        var conversion = Conversion(to: copy.format)
        conversion.source = file.survey.format
        conversion.reading = file.reading
        conversion.writing.version = copy.version
        conversion.selection = selection
        let isOneFile = copy.format.supportedFeatures.contains(.severalRecords)
        if selection.takesAll, copy.showsFirstOnly, !isOneFile {
            conversion.selection.numbers = RecordNumbers("\(first)")
        }
        var count = 0
        do throws(Conversion.Failure) {
            let output: Conversion.Output =
                isOneFile
                ? .file("\(folder.path)/\(stem).\(suffix)" as LocalPath) : .directory(folder.path, fileNameField: nil)
            let summary = try conversion.run([file.openPath], to: output)
            prepared.unreadable = summary.unreadable
            count = summary.written
            prepared.remarks =
                summary.choice.remarks(on: selection, taken: count, isWhole: summary.unreadable == 0, sawAll: true)
                .remarks
            if let report = summary.reports.first?.report { prepared.report = report }
        } catch {
            throw error.opening(file.name)
        }
        prepared.files = try settleNames()
        if prepared.files.isEmpty || count == 0 { throw OpenError(.empty, "\(file.name): \(prepared.whyNothing)") }
        if !selection.takesAll, !prepared.files.contains(where: { Self.hasStructure($0, file.reading) }) {
            throw OpenError(.empty, "\(file.name): the selected records contain no structure")
        }
    }

    private static func hasStructure(_ path: LocalPath, _ reading: ReadOptions) -> Bool {
        (try? ReceivedFile(path, reading))?.survey.firstStructure != nil
    }

    /// Renames the converted files after the original, with numbers if there are several.
    private func settleNames() throws(OpenError) -> [LocalPath] {
        do throws(FileError) {
            let made = try folderEntries(folder.path).sorted { ($0.bytes.count, $0) < ($1.bytes.count, $1) }
            var files: [LocalPath] = []
            for (index, name) in made.enumerated() {
                let path: LocalPath = "\(folder.path)/\(stem)\(made.count > 1 ? "-\(index + 1)" : "").\(suffix)"
                let old = folder.path.appending(name)
                if old != path { try renameEntry(old, to: path) }
                files.append(path)
            }
            return files
        } catch {
            throw OpenError(.unwritable, "\(error)")
        }
    }
}

extension FileOpener.Prepared {
    /// The reason why the copy is empty.
    fileprivate var whyNothing: String {
        remarks.isEmpty ? "contains no such record" : remarks.map(\.text).joined(separator: "; ")
    }
}

extension Conversion.Failure {
    func opening(_ name: String) -> OpenError {
        switch self {
        case .read(let error): OpenError(.unreadable, "\(name): \(error.message)")
        case .write(let error): OpenError(.unwritable, "\(name): \(error)")
        case .impossible(let why): OpenError(.noProgram, "\(name): \(why)")
        case .stopped, .cancelled: OpenError(.empty, "\(name): a record could not be read")
        }
    }
}
