import ChemopenBytes
import ChemopenDesktop

/// The session's clipboard on X11 or Wayland. It is accessed through the program `chemopen-clip`, which is installed
/// next to the running program.
///
///     let clipboard = try SystemClipboard()
///     for name in try clipboard.names() { print(name) }
public struct SystemClipboard: Sendable {
    private let path: LocalPath
    private let isPrimary: Bool

    /// The name of the program.
    public static let program = "chemopen-clip"

    /// The reason why the clipboard cannot be used.
    public struct Failure: Error, Sendable, CustomStringConvertible {
        /// The error message.
        public let description: String
        /// Whether there is no clipboard at all, or the program is missing.
        public let isAbsent: Bool
    }

    /// Creates access to the clipboard.
    ///
    /// - Parameter isPrimary: Whether to use the selection for the middle mouse button instead of the clipboard.
    /// - Throws: `Failure` if the program is missing.
    public init(isPrimary: Bool = false) throws(Failure) {
        guard let path = programBeside(Self.program) else {
            throw Failure(
                description: "the clipboard requires the program \(Self.program) next to this one", isAbsent: true)
        }
        self.path = path
        self.isPrimary = isPrimary
    }

    private static let largestContent = 1 << 29
    /// The exit status of the program if there is no clipboard.
    private static let noClipboard: Int32 = 4

    /// Puts an offer on the clipboard. A background process provides it until another program copies.
    ///
    /// - Throws: `Failure` if there is no clipboard.
    public func put(_ offer: ClipboardOffer) throws(Failure) {
        var text: [UInt8] = []
        for content in offer.contents {
            text += Array("\(content.bytes.count)\t\(content.names.joined(separator: "\t"))\n".utf8)
            text += content.bytes
        }
        let (answer, child) = try run(["offer"], writing: text)
        guard answer.elementsEqual("ready\n".utf8) else { throw failure(answer, child.wait()) }
    }

    /// Lists the names of the clipboard's contents.
    ///
    /// - Returns: The names in the order of preference of the program that copied.
    /// - Throws: `Failure` if there is no clipboard.
    public func names() throws(Failure) -> [String] {
        let (answer, child) = try run(["list"])
        let status = child.wait()
        guard status == 0 else { throw failure(answer, status) }
        return answer.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Reads the content with a name.
    ///
    /// - Returns: The bytes of the content.
    /// - Throws: `Failure` if there is no such content.
    public func bytes(_ name: String) throws(Failure) -> [UInt8] {
        let (answer, child) = try run(["take", name])
        let status = child.wait()
        guard status == 0 else { throw failure(answer, status) }
        return answer
    }

    private func failure(_ answer: [UInt8], _ status: Int32) -> Failure {
        let words = String(decoding: answer.prefix(1000).filter { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return Failure(
            description: words.isEmpty ? "\(Self.program) failed with status \(status)" : words,
            isAbsent: status == Self.noClipboard)
    }

    /// Starts the program, writes to it, and reads its output to the end.
    private func run(_ words: [String], writing text: [UInt8] = []) throws(Failure) -> ([UInt8], ChildProcess) {
        do throws(FileError) {
            let words = [Self.program] + words + (isPrimary ? ["--primary"] : [])
            let program = try StartedProgram(path, words.map { Array($0.utf8) }, environment: currentEnvironment)
            return (try program.answer(to: text, limit: Self.largestContent), program.process)
        } catch {
            throw Failure(description: "\(Self.program) cannot be started: \(error.explanation)", isAbsent: true)
        }
    }
}
