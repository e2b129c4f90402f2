import ChemopenDesktop

/// A file that was handed to this program: opened once, told by its content, and looked through.
///
/// The bytes read later are those of this very file, whatever happens to its name meanwhile.
///
///     let file = try ReceivedFile(LocalPath("a.mol"))
///     print(file.survey.format.name, file.survey.records)
public final class ReceivedFile: Sendable {
    /// From the root on.
    public let path: LocalPath
    /// As it was given.
    package let givenPath: LocalPath
    /// The file's name in messages.
    public let name: String
    /// The content, as far as the choice of a program depends on it.
    public let survey: Survey
    /// How its format was told.
    public let identification: Identification
    /// The address from which it was fetched, where the program that fetched it has attached that.
    public let origin: String?
    /// The file is gzipped.
    public let isCompressed: Bool
    /// How its records are read.
    package let reading: ReadOptions
    private let file: OpenFile

    /// Opens a file and looks it through; a declared MIME type is a hint, as its name is. Where none is declared, the one
    /// counts that the program which fetched the file has attached to it.
    ///
    /// - Parameters:
    ///   - format: its format; `nil` where the content is to tell.
    ///   - reading: how its records are read.
    public convenience init(
        _ path: LocalPath, declaredAs type: String? = nil, as format: Format? = nil,
        _ reading: ReadOptions = ReadOptions()
    ) throws(OpenError) {
        try self.init(path, name: path.shown, declaredAs: type, as: format, reading)
    }

    /// - Parameter name: what messages call it.
    package init(
        _ path: LocalPath, name: String, declaredAs type: String?, as format: Format? = nil,
        _ reading: ReadOptions = ReadOptions()
    ) throws(OpenError) {
        let file: OpenFile
        do throws(FileError) {
            file = try OpenFile(path)
        } catch {
            throw OpenError(.unreadable, "\(name): \(error.explanation)")
        }
        guard file.isRegular else { throw OpenError(.unreadable, "\(name): is a pipe or a device, and no file") }
        self.path = path.absolute(from: currentFolder())
        givenPath = path
        self.name = name
        var source: ByteSource
        do throws(FileError) {
            source = try ByteSource(path: file.path, named: path).decoded(from: reading.encoding)
        } catch {
            throw OpenError(.unreadable, "\(name): \(error.explanation)")
        }
        let (head, failure) = source.peekHead()
        isCompressed = source.isCompressed
        origin = attachedText("user.xdg.origin.url", of: path)
        let type = type ?? attachedText("user.mime_type", of: path)
        let named = format.map { Identification(named: $0) }
        guard let found = named ?? identify(head, named: path, declaredAs: type, among: reading.knownFormats)
        else {
            if let failure { throw OpenError(.unreadable, "\(name): \(failure.message)") }
            if head.bytes.allSatisfy({ $0 == 0x20 || 9...13 ~= $0 }) {
                throw OpenError(.unreadable, "\(name): is empty")
            }
            throw OpenError(
                .unrecognised, "\(name): does not look like any chemical format known here" + head.foreignRemark)
        }
        self.reading = reading
        identification = found
        survey = try Survey(of: source, as: found.format, name: name, reading)
        self.file = file
    }

    /// A path that leads to the open file.
    package var openPath: LocalPath { file.path }
}

/// Why a file cannot be opened, or not handed on.
public struct OpenError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The step that failed.
    public enum Kind: Sendable, Hashable {
        /// The bytes do not come.
        case unreadable
        /// The bytes come, and no format known here looks like this.
        case unrecognised
        /// The format is known, and nothing in the file can be read or shown.
        case empty
        /// No program can take it.
        case noProgram
        /// A copy could not be written.
        case unwritable
    }

    /// The step that failed.
    public let kind: Kind
    /// The reason in words, with the name of the file.
    public let description: String

    /// An error at a step, in words.
    public init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    /// Does something with files that are to be written, and says what for when that fails.
    package static func writing<Result>(
        _ what: String, _ body: () throws(FileError) -> Result
    ) throws(OpenError) -> Result {
        do throws(FileError) {
            return try body()
        } catch {
            throw OpenError(.unwritable, "\(what) could not be written: \(error)")
        }
    }
}
