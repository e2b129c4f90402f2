import Chemopen

/// The answer to one of several readers.
public struct SharedAnswer: Sendable {
    /// The outcome of a request.
    public enum Outcome: Sendable {
        /// The request was answered, possibly with partial results.
        case answered
        /// The request is not valid.
        case refused
        /// The rights of the reader or the mapping do not permit the request.
        case forbidden
        /// A change is based on a state that is no longer current.
        case conflict
        /// This reader sends too many requests.
        case tooMuch
        /// All readers together send too many requests.
        case busy
    }

    /// The outcome of the request.
    public let outcome: Outcome
    /// The answer or an error message, as a JSON object.
    public let json: [UInt8]
    /// The time in seconds after which to retry, if that is useful.
    public let secondsToRetry: Int?
}

/// Answers requests of several readers, each with a fair share of the work.
public final class SharedAnswers: Sendable {
    let service: BrowseService
    let load = Load()
    /// The number of requests that wait for complete results.
    private let patient = Guarded(0)

    private static let mostPatient = 32
    /// The cost of parsing a short request.
    private static let readingCost = 0.05
    /// The maximum time to wait for complete results.
    private static let patienceMilliseconds: UInt64 = 1500

    /// Creates the answers for the readers of a service.
    public init(_ service: BrowseService) {
        self.service = service
    }

    /// Answers a request of a reader. A slow request returns partial results.
    ///
    /// - Parameters:
    ///   - bytes: the request as JSON.
    ///   - reader: the reader, with the rights of its token.
    /// - Returns: the answer, or the reason why the request was refused.
    public func answer(_ bytes: [UInt8], to reader: Reader) -> SharedAnswer {
        let name = reader.name
        // Parsing a request costs points as well.
        let reading = load.admit(name, cost: Self.readingCost + Double(bytes.count) / 8192, at: monotonicNanoseconds())
        if case .refused(let seconds) = reading { return tooMuch(seconds) }
        defer { load.leave(name) }
        guard let json = JSONValue(bytes), json.object != nil else {
            return refusal("a request must be one JSON object")
        }
        var request: BrowseRequest
        do throws(BrowseRequest.Fault) {
            request = try BrowseRequest(json)
            let most = service.mostRows
            guard request.entities.count <= most else {
                throw BrowseRequest.Fault(message: "a request can contain at most \(most) entities")
            }
            if request.isPaged { request.count = min(request.count, most) }
        } catch {
            return refusal(error.message)
        }
        switch load.charge(name, request.cost, at: monotonicNanoseconds()) {
        case .refused(let seconds): return tooMuch(seconds)
        case .admitted(let wait): sleepMilliseconds(wait)
        }
        let answer = answer(request, id: json["id"], service.seen(by: reader), since: monotonicNanoseconds())
        // The size of a list without pages is known only now.
        if !request.isPaged { load.owe(name, Double(answer.json.count) / 200_000) }
        return answer
    }

    private func answer(
        _ request: BrowseRequest, id: JSONValue?, _ service: BrowseService, since: UInt64
    ) -> SharedAnswer {
        var hurried = request
        hurried.isPatient = false
        var pause: UInt32 = 10
        var isPatient = false
        defer { if isPatient { patient.change { $0 -= 1 } } }
        while true {
            let worked = working(on: request) { () -> Result<(json: [UInt8], isComplete: Bool), BrowseRequest.Fault> in
                do throws(BrowseRequest.Fault) {
                    return .success(try service.answer(hurried, id: id))
                } catch {
                    return .failure(error)
                }
            }
            guard let worked else {
                return SharedAnswer(
                    outcome: .busy, json: service.failure("too many requests at once; try again", id: id),
                    secondsToRetry: 1)
            }
            switch worked {
            case .failure(let fault):
                let outcome: SharedAnswer.Outcome =
                    switch fault.kind {
                    case .invalid: .refused
                    case .forbidden: .forbidden
                    case .conflict: .conflict
                    }
                return SharedAnswer(outcome: outcome, json: service.failure(fault, id: id), secondsToRetry: nil)
            case .success(let answer):
                let left = Self.patienceMilliseconds * 1_000_000 > monotonicNanoseconds() &- since
                if request.isPatient, !answer.isComplete, left, !isPatient {
                    isPatient = patient.change { count in
                        guard count < Self.mostPatient else { return false }
                        count += 1
                        return true
                    }
                }
                guard request.isPatient, !answer.isComplete, left, isPatient else {
                    return SharedAnswer(
                        outcome: .answered, json: answer.json, secondsToRetry: answer.isComplete ? nil : 1)
                }
                sleepMilliseconds(pause)
                pause = min(pause * 2, 300)
            }
        }
    }

    /// Runs a function when a slot is free. Changes wait for each other first, so they use only one slot.
    private func working<Answer>(on request: BrowseRequest, _ body: () -> Answer) -> Answer? {
        guard request.changesFiles, let recorder = service.recorder else { return load.working(body) }
        return recorder.inTurn { load.working(body) }
    }

    private func refusal(_ message: String) -> SharedAnswer {
        SharedAnswer(outcome: .refused, json: service.failure(message, id: nil), secondsToRetry: nil)
    }

    private func tooMuch(_ seconds: Int) -> SharedAnswer {
        SharedAnswer(
            outcome: .tooMuch, json: service.failure("too many requests; try again", id: nil),
            secondsToRetry: seconds)
    }
}

extension BrowseRequest {
    /// The approximate cost of the answer in points. A row of a list costs 1/50.
    fileprivate var cost: Double {
        // A client starts with a list for each category.
        if kind == .preferences || kind == .navigation { return 0.1 }
        let rows =
            isPaged ? Double(kind == .detail || kind == .drill || kind == .export ? entities.count : count) / 50 : 0.1
        let isExpensive = kind == .search || kind == .statistics || !condition.isEmpty || !sort.isEmpty
        let startsPrograms = kind == .sketch || kind == .changes || changesFiles
        return rows + (isExpensive ? 2 : 0) + (startsPrograms ? 4 : 0)
    }
}
