import ChemopenBytes
import ChemopenDesktop

/// The helper program that computes 2D coordinates. It processes one structure at a time.
///
/// If it fails or exceeds the time limit for a structure, only that layout is missing: the program is ended, and
/// started again for the next structure.
///
///     if LayoutProgram.shared.isThere { print("structures without coordinates can be drawn") }
public final class LayoutProgram: Sendable {
    /// The name of the program. It is located next to the running program; for a library, also near the library and in
    /// `PATH`.
    public static let name = "chemopen-layout"

    /// The instance that all pictures of this process use.
    public static let shared = LayoutProgram()

    private let program: AnsweringProgram

    /// - Parameter path: The path of the program. By default it is searched for as described for `name`.
    init(at path: LocalPath? = nil) {
        program = AnsweringProgram(Self.name, at: path)
    }

    /// Whether the program is installed and has not reported that it cannot compute layouts.
    public var isThere: Bool { program.isThere }

    /// The time to wait for a layout.
    public enum Timeout: Sendable, Hashable {
        /// Waits up to the time limit for a structure.
        case long
        /// Waits a fraction of a second. A layout that takes longer is computed in the background and returned by a
        /// later request.
        case short

        var milliseconds: Int {
            switch self {
            case .long: AnsweringProgram.longest
            case .short: 150
            }
        }
    }

    /// Requests the coordinates for a structure.
    func answer(to question: [UInt8], _ patience: Timeout) -> AnsweringProgram.Answer {
        program.answer(to: question, within: patience.milliseconds)
    }

    /// The number of times that the program was started, for tests.
    var starts: Int { program.starts }
}
