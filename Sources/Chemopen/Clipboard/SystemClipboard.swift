import ChemopenBytes
import ChemopenDesktop

/// The clipboard of the session, on X11 or Wayland, as the program `chemopen-clip` reaches it. It lies beside the program that
/// runs.
///
///     let clipboard = try SystemClipboard()
///     for name in try clipboard.names() { print(name) }
public struct SystemClipboard: Sendable {
    private let path: LocalPath
    private let isPrimary: Bool

    /// The name of the program.
    public static let program = "chemopen-clip"

    /// Why the clipboard cannot be used.
    public struct Failure: Error, Sendable, CustomStringConvertible {
        /// The reason in words.
        public let description: String
        /// There is no clipboard at all, or no program for it.
        public let isAbsent: Bool
    }

    /// Looks for the program.
    ///
    /// - Parameter isPrimary: the selection that the middle button of the mouse pastes, instead of the clipboard.
    public init(isPrimary: Bool = false) throws(Failure) {
        guard let path = programBeside(Self.program) else {
            throw Failure(
                description: "the clipboard needs the program \(Self.program) beside this one", isAbsent: true)
        }
        self.path = path
        self.isPrimary = isPrimary
    }

    private static let largestContent = 1 << 29
    /// The program's status where there is no clipboard.
    private static let noClipboard: Int32 = 4

    /// Puts contents on the clipboard. A process in the background serves them until another program copies.
    public func put(_ offer: ClipboardOffer) throws(Failure) {
        var text: [UInt8] = []
        for content in offer.contents {
            text += Array("\(content.bytes.count)\t\(content.names.joined(separator: "\t"))\n".utf8)
            text += content.bytes
        }
        let (answer, child) = try run(["offer"], writing: text)
        guard answer.elementsEqual("ready\n".utf8) else { throw failure(answer, child.wait()) }
    }

    /// The names of what lies on the clipboard, in the order in which the program that copied prefers them.
    public func names() throws(Failure) -> [String] {
        let (answer, child) = try run(["list"])
        let status = child.wait()
        guard status == 0 else { throw failure(answer, status) }
        return answer.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The content behind a name.
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

    /// Starts the program, writes to it, and reads until it closes its output.
    private func run(_ words: [String], writing text: [UInt8] = []) throws(Failure) -> ([UInt8], ChildProcess) {
        do throws(FileError) {
            let words = [Self.program] + words + (isPrimary ? ["--primary"] : [])
            let program = try StartedProgram(path, words.map { Array($0.utf8) }, environment: currentEnvironment)
            return (program.answer(to: text, limit: Self.largestContent), program.process)
        } catch {
            throw Failure(description: "\(Self.program) cannot be started: \(error.explanation)", isAbsent: true)
        }
    }
}
