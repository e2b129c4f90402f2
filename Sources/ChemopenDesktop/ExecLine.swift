import ChemopenBytes

/// The command of a desktop entry: arguments with field codes for the files to open.
///
/// The line is split by the quoting rules of the Desktop Entry specification. Each argument is then expanded
/// separately, and the result is not parsed again.
///
///     let line = try ExecLine("viewer --title %c %F")
///     line.commands(for: [LocalPath("/a b.mol")], of: entry)   // [["viewer", "--title", "Viewer", "/a b.mol"]]
struct ExecLine: Sendable, Hashable {
    /// A part of an argument.
    enum Piece: Sendable, Hashable {
        case text([UInt8])
        case file, uri, name, location
    }

    enum Word: Sendable, Hashable {
        case pieces([Piece])
        /// `%F` and `%U`: one argument for each file.
        case files, uris
        /// `%i`: the two arguments `--icon` and the icon, or no arguments if the entry has no icon.
        case icon
    }

    let words: [Word]

    /// The program as written in the line.
    var program: String {
        guard case .pieces(let pieces)? = words.first else { return "" }
        return pieces.reduce(into: "") { name, piece in
            if case .text(let bytes) = piece { name += String(decoding: bytes, as: UTF8.self) }
        }
    }

    /// Whether the command accepts several files at once.
    var takesSeveralFiles: Bool { words.contains { $0 == .files || $0 == .uris } }

    init(_ text: String) throws(EntryError) {
        guard text.utf8.count <= 16 * 1024 else { throw EntryError("the Exec line is too long") }
        var scanner = ExecScanner(text)
        words = try scanner.words()
        let fileCodes = words.reduce(0) { $0 + $1.fileCodeCount }
        guard fileCodes <= 1 else { throw EntryError("the Exec line has more than one file code") }
        guard case .pieces(let pieces)? = words.first, case .text? = pieces.first, pieces.count == 1 else {
            throw EntryError("the Exec line does not specify a program")
        }
        try checkProgram()
    }

    /// Creates a command from its arguments, to which all files or one file are appended.
    init(_ command: [String], takesSeveralFiles: Bool) throws(EntryError) {
        words = command.map { .pieces([.text(Array($0.utf8))]) } + [takesSeveralFiles ? .files : .pieces([.file])]
        if command.isEmpty { throw EntryError("the Exec line does not specify a program") }
        try checkProgram()
    }

    private func checkProgram() throws(EntryError) {
        guard !program.isEmpty else { throw EntryError("the Exec line does not specify a program") }
        guard !program.contains("=") else { throw EntryError("the program's name contains a =") }
        guard program.hasPrefix("/") || !program.contains("/") else {
            throw EntryError("the program's path is relative")
        }
    }

    /// Returns the commands that open the files: one command, or one for each file if the line accepts only one.
    func commands(for files: [LocalPath], name: String, icon: String?, location: LocalPath?) -> [[[UInt8]]] {
        if files.isEmpty || takesSeveralFiles { return [command(for: files, name, icon, location)] }
        return files.map { command(for: [$0], name, icon, location) }
    }

    private func command(for files: [LocalPath], _ name: String, _ icon: String?, _ location: LocalPath?) -> [[UInt8]] {
        var command: [[UInt8]] = []
        for word in words {
            switch word {
            case .files, .uris: command += files.map(\.bytes)
            case .icon:
                if let icon, !icon.isEmpty { command += [Array("--icon".utf8), Array(icon.utf8)] }
            case .pieces(let pieces):
                // An argument that consists of a single code without a value is omitted.
                if case .file? = pieces.first, pieces.count == 1, files.isEmpty { continue }
                if case .uri? = pieces.first, pieces.count == 1, files.isEmpty { continue }
                if case .location? = pieces.first, pieces.count == 1, location == nil { continue }
                command.append(
                    pieces.reduce(into: []) { bytes, piece in
                        switch piece {
                        case .text(let text): bytes += text
                        case .file, .uri: bytes += files.first?.bytes ?? []
                        case .name: bytes += Array(name.utf8)
                        case .location: bytes += location?.bytes ?? []
                        }
                    })
            }
        }
        let hasPlace = words.contains { $0.fileCodeCount > 0 }
        return hasPlace ? command : command + files.map(\.bytes)
    }
}

extension ExecLine.Word {
    fileprivate var fileCodeCount: Int {
        switch self {
        case .files, .uris: 1
        case .icon: 0
        case .pieces(let pieces): pieces.count { $0 == .file || $0 == .uri }
        }
    }
}

/// The reason why a desktop entry cannot be used.
public struct EntryError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason as text.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Splits an `Exec` line into its arguments.
private struct ExecScanner {
    private let text: [UInt8]
    private var position = 0

    init(_ text: String) {
        self.text = Array(text.utf8)
    }

    /// Characters that have a meaning in a shell and must be quoted.
    private static let reserved = Set("\n\"'\\><~|&;$*?#()`".utf8)
    /// Reserved characters that are harmless without a shell; real entries leave them unquoted.
    private static let tolerated = Set("~*?#()".utf8)

    mutating func words() throws(EntryError) -> [ExecLine.Word] {
        var words: [ExecLine.Word] = []
        while true {
            while let byte = peek(), byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { position += 1 }
            guard let first = peek() else { return words }
            if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
                position += 1
                words.append(.pieces([.text(try quoted(until: first))]))
                if let next = peek(), next != UInt8(ascii: " "), next != UInt8(ascii: "\t") {
                    throw EntryError("an argument of the Exec line is only partly quoted")
                }
            } else if let word = try plainWord() {
                words.append(word)
            }
        }
    }

    private func peek() -> UInt8? {
        position < text.count ? text[position] : nil
    }

    private mutating func next() -> UInt8? {
        guard let byte = peek() else { return nil }
        position += 1
        return byte
    }

    /// Reads quoted text. In double quotes, a backslash escapes `"`, `` ` ``, `$` and itself. Single quotes contain
    /// literal text: other launchers accept them although they are not part of the specification.
    private mutating func quoted(until quote: UInt8) throws(EntryError) -> [UInt8] {
        var word: [UInt8] = []
        while let byte = next() {
            if byte == quote { return word }
            switch byte {
            case UInt8(ascii: "\\") where quote == UInt8(ascii: "\""):
                guard let escaped = next() else { break }
                if !"\"`$\\".utf8.contains(escaped) { word.append(byte) }
                word.append(escaped)
            case UInt8(ascii: "%"):
                guard next() == UInt8(ascii: "%") else { throw EntryError("the Exec line has a field code in quotes") }
                word.append(byte)
            default: word.append(byte)
            }
        }
        throw EntryError("the Exec line has an unclosed quote")
    }

    private mutating func plainWord() throws(EntryError) -> ExecLine.Word? {
        var pieces: [ExecLine.Piece] = []
        var plain: [UInt8] = []
        var whole: ExecLine.Word?
        var isEmptied = false
        while let byte = peek(), byte != UInt8(ascii: " "), byte != UInt8(ascii: "\t") {
            position += 1
            guard byte == UInt8(ascii: "%") else {
                if Self.reserved.contains(byte), !Self.tolerated.contains(byte) {
                    throw EntryError(
                        "the Exec line has an unquoted \(Character(Unicode.Scalar(byte)))")
                }
                plain.append(byte)
                continue
            }
            guard let code = next() else { throw EntryError("the Exec line ends with a %") }
            if code == UInt8(ascii: "%") {
                plain.append(code)
                continue
            }
            if !plain.isEmpty { pieces.append(.text(plain)) }
            plain = []
            switch code {
            case UInt8(ascii: "f"): pieces.append(.file)
            case UInt8(ascii: "u"): pieces.append(.uri)
            case UInt8(ascii: "c"): pieces.append(.name)
            case UInt8(ascii: "k"): pieces.append(.location)
            case UInt8(ascii: "F"): whole = .files
            case UInt8(ascii: "U"): whole = .uris
            case UInt8(ascii: "i"): whole = .icon
            case UInt8(ascii: "d"), UInt8(ascii: "D"), UInt8(ascii: "n"), UInt8(ascii: "N"), UInt8(ascii: "v"),
                UInt8(ascii: "m"):
                isEmptied = true
            default:
                throw EntryError("the Exec line has the unknown code %\(Character(Unicode.Scalar(code)))")
            }
        }
        if !plain.isEmpty { pieces.append(.text(plain)) }
        if let whole {
            guard pieces.isEmpty, !isEmptied else { throw EntryError("%F, %U and %i must be separate arguments") }
            return whole
        }
        return pieces.isEmpty ? nil : .pieces(pieces)
    }
}
