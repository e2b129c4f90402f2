import ChemopenBytes
import ChemopenDesktop
import Synchronization

/// A program that answers questions about structures, a line each. `helperProgram` finds it.
///
/// A structure that it fails at, or that takes it too long, costs one answer: it is ended, and started again for the next.
final class AnsweringProgram: Sendable {
    private let name: String
    private let path: LocalPath?
    private let state = Mutex(State())

    /// - Parameter path: where the program lies; where `helperProgram` finds it if nothing is said.
    init(_ name: String, at path: LocalPath? = nil) {
        self.name = name
        if let path { self.path = isExecutableFile(path) ? path : nil } else { self.path = helperProgram(name) }
    }

    /// Whether there is such a program, whether it can start or not.
    var isFound: Bool { path != nil }

    /// Whether the program is there, and has not said that it cannot answer anything.
    var isThere: Bool { path != nil && state.withLock { !$0.isUseless } }

    /// The outcome for a structure.
    enum Answer: Sendable, Hashable {
        /// The answer without its line end.
        case line([UInt8])
        case failed
        /// It takes longer than one would wait.
        case later
    }

    /// So many milliseconds a structure may take at all.
    static let longest = 5000

    /// Asks a question, which ends with its line end.
    func answer(to question: [UInt8], within milliseconds: Int = longest) -> Answer {
        guard let path else { return .failed }
        return state.withLock { $0.answer(to: question, by: path, called: name, within: milliseconds) }
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
        /// The process that has started it: a child that was forked later must not talk to it.
        let owner = currentProcessID()

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
            to question: [UInt8], by path: LocalPath, called name: String, within milliseconds: Int
        ) -> Answer {
            let longest = AnsweringProgram.longest
            if isUseless { return .failed }
            for run in busy where run.owner != currentProcessID() { closeDescriptor(run.line) }
            busy.removeAll { $0.owner != currentProcessID() }
            if let known = answers[question] { return known }
            var run: Run
            if let place = busy.firstIndex(where: { $0.question == question }) {
                run = busy.remove(at: place)
            } else {
                // Whoever waits only a moment does not start more and more programs that think.
                lookAtBusy(of: longest)
                if busy.count >= Self.mostBusy, milliseconds < longest { return .later }
                guard let ready = ready(path, name) else { return .failed }
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

        private mutating func ready(_ path: LocalPath, _ name: String) -> Run? {
            if let run = idle {
                idle = nil
                if run.owner == currentProcessID() { return run }
                closeDescriptor(run.line)
            }
            guard let ends = try? makeLine() else { return nil }
            defer { closeDescriptor(ends.other) }
            let words = [Array(name.utf8)]
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
            let answer: Answer = run.heard.count > 1 ? .line(run.heard.dropLast()) : .failed
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
    private var answers: [[UInt8]: AnsweringProgram.Answer] = [:]
    /// From the oldest.
    private var order: [[UInt8]] = []
    private var bytes = 0
    private static let mostBytes = 4 << 20

    subscript(question: [UInt8]) -> AnsweringProgram.Answer? {
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

    private static func size(_ question: [UInt8], _ answer: AnsweringProgram.Answer) -> Int {
        if case .line(let places) = answer { return question.count + places.count + 200 }
        return question.count + 200
    }
}
