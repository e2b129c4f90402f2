import Chemopen

/// The command line as typed, to suggest commands that can be copied.
struct TypedLine {
    /// The program name and its arguments.
    var words: [LocalPath]

    /// The command line, quoted for a shell.
    var text: String { words.map(\.quoted).joined(separator: " ") }

    // MARK: Unsupported compression

    /// The files on the command line with unsupported compression.
    struct Packed {
        var files: [(place: Int, packer: Packer)] = []
        /// The names of these files as shown in messages.
        private var names: Set<String> = []

        /// Checks each argument that is a file.
        init(of line: TypedLine) {
            for place in line.words.indices.dropFirst() {
                guard let packer = Packer.ofFile(line.words[place]) else { continue }
                files.append((place, packer))
                names.insert(line.words[place].shown)
            }
        }

        /// Returns whether a message starts with the name of one of these files.
        func isNamed(by message: String) -> Bool {
            message.indices.contains { message[$0] == ":" && names.contains(String(message[..<$0])) }
        }
    }

    /// Returns a command that reads files with unsupported compression.
    ///
    /// - Parameters:
    ///   - packed: the files.
    ///   - isPiped: whether the command reads a file from standard input.
    func reading(_ packed: Packed, isPiped: Bool) -> String {
        var line = self
        if isPiped, packed.files.count == 1, let (place, packer) = packed.files.first, !words.contains(where: \.isDash)
        {
            line.words[place] = "-"
            let inner = fileExtension(words[place].withoutExtension)
            // Data from a pipe has no file name that could indicate its format.
            if let format = FormatRegistry.standard.toldByName.first(where: { $0.extensions.contains(inner) }),
                !words.contains("--from"), !words.contains(where: { $0.hasPrefix("-i") })
            {
                line.words.insert(contentsOf: ["--from", LocalPath(format.id)], at: 2)
            }
            return "\(packer.program) -dc \(words[place].quotedPath) | \(line.text)"
        }
        var steps: [String] = []
        var told: Set<String> = []
        for (place, packer) in packed.files {
            let word = words[place]
            let plain = fileExtension(word) == packer.suffix ? word.withoutExtension : word
            let isFree = plain != word && fileKind(plain) == .missing
            line.words[place] = isFree ? plain : "\(plain.withoutExtension)-unpacked.\(fileExtension(plain))"
            let step =
                isFree
                ? "\(packer.program) -dk \(word.quotedPath)"
                : "\(packer.program) -dc \(word.quotedPath) > \(line.words[place].quotedPath)"
            if told.insert(step).inserted { steps.append(step) }
        }
        return (steps + [line.text]).joined(separator: " && ")
    }

    /// Returns a command that compresses the output with the program that its name suggests.
    ///
    /// - Parameters:
    ///   - packer: the compression program.
    ///   - format: the format to add if the command line does not specify one.
    func packing(_ output: LocalPath, with packer: Packer, as format: String? = nil, isPiped: Bool) -> String? {
        guard let place = words.lastIndex(of: output), place > 0 else { return nil }
        var line = self
        line.words[place] = isPiped ? "-" : output.withoutExtension
        let path = (isPiped ? output : line.words[place]).quotedPath
        if let format { line.words.insert(contentsOf: ["--to", LocalPath(format)], at: 2) }
        return line.text + (isPiped ? " | \(packer.program) > \(path)" : " && \(packer.program) \(path)")
    }
}

extension Arguments {
    /// Rejects an output name that suggests unsupported compression.
    func refusePacked(_ output: LocalPath?, on terminal: Terminal, as format: String? = nil, isPiped: Bool = false)
        throws(UsageError)
    {
        guard let output, let packer = Packer.all.first(where: { $0.suffix == fileExtension(output) }) else { return }
        let line = terminal.typed.packing(output, with: packer, as: format, isPiped: isPiped)
        throw UsageError(
            "\(output.shown) would not be compressed; only .gz is supported"
                + (line.map { "; to compress it, run: \($0)" } ?? ""))
    }
}

extension LocalPath {
    /// The path without its last extension.
    var withoutExtension: LocalPath {
        let suffix = fileExtension(self)
        return suffix.isEmpty ? self : LocalPath(bytes: Array(bytes.dropLast(suffix.utf8.count + 1)))
    }

    /// The quoted path, written so that it is not parsed as an option.
    fileprivate var quotedPath: String { (hasPrefix("-") ? "./\(self)" as LocalPath : self).quoted }

    /// The argument quoted for a shell. Bytes that are not UTF-8 and invisible characters are written as `$'\351'`.
    var quoted: String {
        let isPlain =
            !bytes.isEmpty
            && bytes.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || "/-_.+:=,@%".utf8.contains(byte)
            }
        if isPlain { return shown }
        if let text, !text.unicodeScalars.contains(where: \.steersDisplay) { return text.inSingleQuotes }
        let letters = bytes.map { byte in
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\\"): "\\" + String(Unicode.Scalar(byte))
            case 0x20..<0x7F: String(Unicode.Scalar(byte))
            default: "\\" + String(String(Int(byte) + 0o1000, radix: 8).dropFirst())
            }
        }
        return "$'" + letters.joined() + "'"
    }
}
