import ChemopenBytes
import ChemopenDesktop
import Synchronization

/// A helper program that processes requests about structures, one per line. It is located with `helperProgram`.
///
/// If the program fails or exceeds the time limit for a structure, only that response is missing: the program is ended,
/// and started again for the next request. After several consecutive failures, it is not started again.
final class AnsweringProgram: Sendable {
    private let name: String
    private let path: LocalPath?
    private let state = Mutex(State())

    /// - Parameter path: The path of the program. By default it is located with `helperProgram`.
    init(_ name: String, at path: LocalPath? = nil) {
        self.name = name
        if let path { self.path = isExecutableFile(path) ? path : nil } else { self.path = helperProgram(name) }
    }

    /// Whether the program exists, regardless of whether it can start.
    var isFound: Bool { path != nil }

    /// Whether the program exists and has not reported that it cannot process any request.
    var isThere: Bool { path != nil && state.withLock { !$0.isUseless } }

    /// The outcome of a request.
    enum Answer: Sendable, Hashable {
        /// The response without its line end.
        case line([UInt8])
        case failed
        /// The response is not ready within the requested time.
        case later
    }

    /// The time limit for a response in milliseconds.
    static let longest = 5000

    /// Sends a request, which must end with a line end, and waits for the response.
    func answer(to question: [UInt8], within milliseconds: Int = longest) -> Answer {
        guard let path else { return .failed }
        return state.withLock { $0.answer(to: question, by: path, called: name, within: milliseconds) }
    }

    /// The number of times that the program was started, for tests.
    var starts: Int { state.withLock(\.starts) }

    // MARK: Implementation

    /// A running process and its current request.
    private struct Run {
        var process: ChildProcess
        var line: Int32
        var question: [UInt8] = []
        var heard: [UInt8] = []
        var since = 0
        /// The process that started the program. A forked child must not communicate with it.
        let owner = currentProcessID()

        mutating func end() -> Int32 {
            closeDescriptor(line)
            return process.end()
        }
    }

    private struct State {
        var isUseless = false
        var starts = 0
        /// The number of failures since the last response.
        private var failures = 0
        private static let mostFailures = 8
        /// The process that is ready for a request.
        private var idle: Run?
        /// The processes that exceeded the requested time for a response.
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
                // They are limited, because callers with a short timeout could otherwise start any number of busy
                // processes.
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
            failures = 0
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

        /// Handles a process that ended or exceeded the time limit.
        private mutating func fail(_ run: inout Run) -> Answer {
            closeDescriptor(run.line)
            // If the program cannot start because its library is missing, or was built without the library, its exit
            // status indicates this.
            let status = run.process.endedStatus() ?? run.process.end()
            failures += 1
            isUseless = [3, 126, 127].contains(status) || failures >= Self.mostFailures
            answers[run.question] = .failed
            return .failed
        }

        /// Collects the responses that are ready, and ends the processes that exceeded the time limit.
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

/// A cache of recent responses, limited by size.
private struct RememberedAnswers {
    private var answers: [[UInt8]: AnsweringProgram.Answer] = [:]
    /// The requests, the oldest first.
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
            // The older half is removed at once, to avoid a pass over all entries for each new response.
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
