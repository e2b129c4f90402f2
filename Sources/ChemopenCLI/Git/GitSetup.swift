import Chemopen

/// The configuration of git for chemical files: the drivers, and the files that use them.
struct GitSetup {
    struct Failure: Error {
        let message: String
    }

    private let git: Git
    private let formats: [Format]
    private let drivers: [(key: String, value: String)]
    /// The attributes file, which assigns files to the drivers.
    let attributes: LocalPath

    private static let driver = "chemopen"
    private static let beginning = "# chemopen git-setup: begin"
    private static let end = "# chemopen git-setup: end"

    init(_ git: Git, formats: [Format], program: LocalPath?) throws(Failure) {
        guard let program else { throw Failure(message: "cannot find the path of this program") }
        guard let attributes = git.attributesFile() else {
            throw Failure(
                message: "the current directory is not in a git repository (use --user to set up all repositories)")
        }
        self.git = git
        self.formats = formats
        self.attributes = attributes
        let word = program.shown.inSingleQuotes
        drivers = [
            ("diff.\(Self.driver).command", word + " diff"),
            ("diff.\(Self.driver).textconv", word + " textconv"),
            ("merge.\(Self.driver).name", "chemical files, record by record"),
            ("merge.\(Self.driver).driver", word + " merge --name %P %O %A %B"),
        ]
    }

    /// Writes missing settings. Returns existing settings that were not changed.
    func install() throws(Failure) -> [(key: String, value: String)] {
        var kept: [(key: String, value: String)] = []
        for (key, value) in drivers {
            if let present = git.value(of: key), present != value {
                kept.append((key, present))
            } else if !git.set(key, to: value) {
                throw Failure(message: "git rejected the setting \(key)")
            }
        }
        let old = try text()
        let rest = Self.withoutBlock(old)
        var lines: [String] = [Self.beginning]
        for format in formats where format.makeReader != nil {
            for name in format.extensions {
                lines.append("*.\(name) diff=\(Self.driver) merge=\(Self.driver)")
                lines.append("*.\(name).gz diff=\(Self.driver) merge=\(Self.driver)")
            }
        }
        // The block is at the beginning of the file because later lines take precedence.
        let block = (lines + [Self.end]).map { $0 + "\n" }.joined()
        try write(Array(block.utf8) + rest, unless: old)
        return kept
    }

    /// Removes the settings that `install` wrote.
    func remove() throws(Failure) {
        for (key, value) in drivers where git.value(of: key) == value { _ = git.set(key, to: nil) }
        for section in ["diff", "merge"] where !git.hasSection("\(section).\(Self.driver)") {
            git.removeSection("\(section).\(Self.driver)")
        }
        let old = try text()
        try write(Self.withoutBlock(old), unless: old)
    }

    private static func withoutBlock(_ text: [UInt8]) -> [UInt8] {
        guard let start = text.firstRange(ofPart: beginning.utf8),
            let end = text.firstRange(ofPart: (end + "\n").utf8),
            start.lowerBound < end.lowerBound
        else { return text }
        return Array(text[..<start.lowerBound] + text[end.upperBound...])
    }

    private func text() throws(Failure) -> [UInt8] {
        if fileKind(attributes) == .missing { return [] }
        do throws(FileError) {
            var source = try ByteSource(path: attributes)
            return try source.allBytes()
        } catch {
            throw Failure(message: "\(attributes.shown): \(error.explanation)")
        }
    }

    private func write(_ text: [UInt8], unless old: [UInt8]) throws(Failure) {
        if text == old { return }
        do throws(FileError) {
            if text.isEmpty { return try deleteFile(attributes) }
            try makeFolders(attributes.folder)
            try writeFile(text, to: attributes, replacing: true)
        } catch {
            throw Failure(message: "\(attributes.shown): \(error.explanation)")
        }
    }
}
