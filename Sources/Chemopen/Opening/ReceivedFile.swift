import ChemopenDesktop

/// A file that was passed to this program. It is opened once; its format is detected and its content is summarized.
///
/// Later reads use the same open file, even if its path refers to another file in the meantime.
///
///     let file = try ReceivedFile(LocalPath("a.mol"))
///     print(file.survey.format.name, file.survey.records)
public final class ReceivedFile: Sendable {
    /// The absolute path.
    public let path: LocalPath
    /// The path as specified by the caller.
    package let givenPath: LocalPath
    /// The file's name in messages.
    public let name: String
    /// A summary of the content, for the choice of a program.
    public let survey: FileSummary
    /// The evidence for the format.
    public let identification: Identification
    /// The URL from which the file was downloaded, if the downloading program attached it.
    public let origin: String?
    /// Whether the file is gzipped.
    public let isCompressed: Bool
    /// The options for reading the records.
    package let reading: ReadOptions
    private let file: OpenFile

    /// Opens a file and reads it.
    ///
    /// If several formats match equally well, the declared type decides. The default is the type that the downloading
    /// program has attached to the file.
    ///
    /// - Parameters:
    ///   - format: The format, or `nil` to detect it.
    ///   - reading: The options for reading the records.
    /// - Throws: `OpenError` if the file cannot be read, its format is unknown or it has no records.
    public convenience init(
        _ path: LocalPath, declaredAs type: String? = nil, as format: Format? = nil,
        _ reading: ReadOptions = ReadOptions()
    ) throws(OpenError) {
        try self.init(path, name: path.shown, declaredAs: type, as: format, reading)
    }

    /// - Parameter name: The file's name in messages.
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
        guard file.isRegular else { throw OpenError(.unreadable, "\(name): is a pipe or a device, not a file") }
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
                .unrecognized, "\(name): unknown file format" + head.foreignRemark)
        }
        self.reading = reading
        identification = found
        survey = try FileSummary(of: source, as: found.format, name: name, reading)
        self.file = file
    }

    /// The path through which the open file can be read.
    package var openPath: LocalPath { file.path }
}

/// The reason why a file cannot be opened in a program.
public struct OpenError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The step that failed.
    public enum Kind: Sendable, Hashable {
        /// The file cannot be read.
        case unreadable
        /// The file can be read, but its format is unknown.
        case unrecognized
        /// The format is known, but no record can be read or shown.
        case empty
        /// No program can open the file.
        case noProgram
        /// A copy cannot be written.
        case unwritable
    }

    /// The step that failed.
    public let kind: Kind
    /// The reason, with the name of the file.
    public let description: String

    /// Creates an error.
    public init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    /// Runs a function that writes files, and converts its errors to an `OpenError` that names the purpose of the
    /// files.
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
