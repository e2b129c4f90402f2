import ChemopenBytes
import ChemopenChemistry
import ChemopenDesktop
import Synchronization

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

    private let path: LocalPath?
    private let state = Mutex(State())

    /// - Parameter path: where the program lies; beside this one where nothing is said.
    init(at path: LocalPath? = nil) {
        if let path { self.path = isExecutableFile(path) ? path : nil } else { self.path = programBeside(Self.name) }
    }

    /// Whether the program lies beside this one, and has not said that it cannot place anything.
    public var isThere: Bool { path != nil && state.withLock { !$0.isUseless } }

    /// How long somebody waits for one structure.
    public enum Patience: Sendable, Hashable {
        /// As long as a structure may take at all.
        case long
        /// A blink: what takes longer is made meanwhile, and is there when it is asked for again.
        case short

        var milliseconds: Int {
            switch self {
            case .long: LayoutProgram.longest
            case .short: 150
            }
        }
    }

    /// The outcome for a structure.
    enum Answer: Sendable, Hashable {
        case places([UInt8])
        case failed
        /// It takes longer than one would wait.
        case later
    }

    /// So many milliseconds a structure may take at all.
    private static let longest = 5000

    /// Asks for the places of a structure's atoms.
    func answer(to question: [UInt8], _ patience: Patience) -> Answer {
        guard let path else { return .failed }
        return state.withLock { $0.answer(to: question, by: path, within: patience.milliseconds, of: Self.longest) }
    }

    /// How often the program was started, for those who count.
    var starts: Int { state.withLock(\.starts) }

    // MARK: What goes on

    /// A run of the program, and what it is asked at the moment.
    private struct Run {
        var process: ChildProcess
        var line: Int32
        var question: [UInt8] = []
        var heard: [UInt8] = []
        var since = 0

        mutating func end() -> Int32 {
            closeDescriptor(line)
            return process.end()
        }
    }

    private struct State {
        var isUseless = false
        var starts = 0
        /// The one that waits for questions.
        private var idle: Run?
        /// Those that think longer than somebody would wait.
        private var busy: [Run] = []
        private var answers = RememberedAnswers()
        private static let mostBusy = 2

        mutating func answer(
            to question: [UInt8], by path: LocalPath, within milliseconds: Int, of longest: Int
        ) -> Answer {
            if isUseless { return .failed }
            if let known = answers[question] { return known }
            var run: Run
            if let place = busy.firstIndex(where: { $0.question == question }) {
                run = busy.remove(at: place)
            } else {
                // Whoever waits only a moment does not start more and more programs that think.
                lookAtBusy(of: longest)
                if busy.count >= Self.mostBusy, milliseconds < longest { return .later }
                guard let ready = ready(path) else { return .failed }
                run = ready
                run.question = question
                run.heard = []
                run.since = monotonicMilliseconds()
                guard say(question, on: run.line) else { return fail(&run) }
            }
            let left = longest - (monotonicMilliseconds() - run.since)
            switch hear(&run.heard, from: run.line, milliseconds: min(milliseconds, max(0, left))) {
            case .line: return take(run)
            case .end: return fail(&run)
            case .nothingYet:
                if milliseconds >= left { return fail(&run) }
                busy.append(run)
                return .later
            }
        }

        private mutating func ready(_ path: LocalPath) -> Run? {
            if let run = idle {
                idle = nil
                return run
            }
            guard let ends = try? makeLine() else { return nil }
            defer { closeDescriptor(ends.other) }
            let words = [Array(LayoutProgram.name.utf8)]
            let process = try? spawn(
                path, words, environment: [], in: "/", streams: .filtering(from: ends.other, to: ends.other))
            guard let process else {
                closeDescriptor(ends.own)
                isUseless = true
                return nil
            }
            starts += 1
            return Run(process: process, line: ends.own)
        }

        private mutating func take(_ run: Run) -> Answer {
            let answer: Answer = run.heard.count > 1 ? .places(run.heard.dropLast()) : .failed
            answers[run.question] = answer
            if idle == nil {
                idle = run
            } else {
                var run = run
                _ = run.end()
            }
            return answer
        }

        /// The program ended, or was too slow.
        private mutating func fail(_ run: inout Run) -> Answer {
            closeDescriptor(run.line)
            // Where it cannot start for want of its library, or has been built without, it ends by itself and says so.
            let status = run.process.endedStatus() ?? run.process.end()
            isUseless = [3, 126, 127].contains(status)
            answers[run.question] = .failed
            return .failed
        }

        /// Takes the answers of those that have come to an end meanwhile, and ends those that take too long.
        private mutating func lookAtBusy(of longest: Int) {
            let runs = busy
            busy = []
            for var run in runs {
                switch hear(&run.heard, from: run.line, milliseconds: 0) {
                case .line: _ = take(run)
                case .end: _ = fail(&run)
                case .nothingYet:
                    if monotonicMilliseconds() - run.since > longest { _ = fail(&run) } else { busy.append(run) }
                }
            }
        }
    }
}

/// The answers of late: what has been laid out need not be again, as long as there is room.
private struct RememberedAnswers {
    private var answers: [[UInt8]: LayoutProgram.Answer] = [:]
    /// From the oldest.
    private var order: [[UInt8]] = []
    private var bytes = 0
    private static let mostBytes = 4 << 20

    subscript(question: [UInt8]) -> LayoutProgram.Answer? {
        get { answers[question] }
        set {
            guard answers[question] == nil, let newValue else { return }
            answers[question] = newValue
            order.append(question)
            bytes += Self.size(question, newValue)
            guard bytes > Self.mostBytes else { return }
            // The older half goes at once, so that no answer costs a walk through all.
            let half = (order.count + 1) / 2
            for old in order[..<half] {
                guard let answer = answers.removeValue(forKey: old) else { continue }
                bytes -= Self.size(old, answer)
            }
            order.removeFirst(half)
        }
    }

    private static func size(_ question: [UInt8], _ answer: LayoutProgram.Answer) -> Int {
        if case .places(let places) = answer { return question.count + places.count + 200 }
        return question.count + 200
    }
}
