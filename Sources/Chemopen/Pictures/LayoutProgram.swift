import ChemopenBytes
import ChemopenDesktop

/// The program that places atoms on paper. It lies beside the program that runs, and answers one structure after the other.
///
/// A structure that it fails at, or that takes it too long, costs one picture: it is ended, and started again for the next.
///
///     if LayoutProgram.shared.isThere { print("structures without coordinates can be drawn") }
public final class LayoutProgram: Sendable {
    /// The name of the program, which lies beside this one.
    public static let name = "chemopen-layout"

    /// The one that all pictures of this process are made with.
    public static let shared = LayoutProgram()

    private let program: AnsweringProgram

    /// - Parameter path: where the program lies; beside this one where nothing is said.
    init(at path: LocalPath? = nil) {
        program = AnsweringProgram(Self.name, at: path)
    }

    /// Whether the program lies beside this one, and has not said that it cannot place anything.
    public var isThere: Bool { program.isThere }

    /// How long somebody waits for one structure.
    public enum Patience: Sendable, Hashable {
        /// As long as a structure may take at all.
        case long
        /// A blink: what takes longer is made meanwhile, and is there when it is asked for again.
        case short

        var milliseconds: Int {
            switch self {
            case .long: AnsweringProgram.longest
            case .short: 150
            }
        }
    }

    /// Asks for the places of a structure's atoms.
    func answer(to question: [UInt8], _ patience: Patience) -> AnsweringProgram.Answer {
        program.answer(to: question, within: patience.milliseconds)
    }

    /// How often the program was started, for those who count.
    var starts: Int { program.starts }
}
