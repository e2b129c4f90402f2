import Chemopen

/// Rate limits for readers: how much each one can request per second and at once, and how much all of them can request
/// at once.
///
/// Each reader has a budget of points that is refilled continuously. A request costs points according to its work. If
/// there are too few, a reader with a single request waits a moment for them. A reader with several simultaneous
/// requests receives a time to retry.
final class Load: Sendable {
    private struct Account: Sendable {
        var points = Load.mostPoints
        var since: UInt64
        var running = 0

        mutating func fill(at now: UInt64) {
            points = min(Load.mostPoints, points + Double(now &- since) / 1e9 * Load.pointsPerSecond)
            since = now
        }

        /// Deducts points. A reader without other requests may also use points that are not available yet.
        mutating func pay(_ cost: Double, isAlone: Bool) -> Admission {
            let seconds = max(0, (cost - points) / Load.pointsPerSecond)
            let most = isAlone ? Load.longestWait : 0
            guard seconds <= most else { return .refused(seconds: Int(seconds.rounded(.up))) }
            points -= cost
            return .admitted(wait: UInt32((seconds * 1000).rounded(.up)))
        }
    }

    /// The decision whether to accept a request.
    enum Admission: Sendable, Hashable {
        /// The request is accepted after a wait in milliseconds.
        case admitted(wait: UInt32)
        /// The request is refused. The reader should retry after some seconds.
        case refused(seconds: Int)
    }

    private struct State: Sendable {
        var accounts: [String: Account] = [:]
        var working = 0
        /// The waiting requests, in order of arrival.
        var waiting: [Guarded<Bool>] = []
        /// The number of later requests that were accepted before the first of these.
        var overtaken = 0

        mutating func takePlace() -> Bool {
            guard working < Load.mostWorking else { return false }
            working += 1
            return true
        }

        /// Wakes the request that has waited longest if a slot is free.
        func callFirst() {
            if working < Load.mostWorking { waiting.first?.change { $0 = true } }
        }
    }

    private static let mostPoints = 120.0
    private static let pointsPerSecond = 30.0
    /// The maximum time in seconds to wait for points.
    private static let longestWait = 1.5
    private static let mostAtOnceOfOne = 6
    private static let mostWorking = 4
    private static let mostWaiting = 200
    /// A new request may use a free slot until a waiting one wakes up, but only this many times.
    private static let mostOvertaking = 20

    private let state = Guarded(State())

    /// Decides whether to accept a request of a reader.
    func admit(_ reader: String, cost: Double, at now: UInt64) -> Admission {
        state.change { state in
            var account = state.accounts[reader] ?? Account(since: now)
            account.fill(at: now)
            defer { state.accounts[reader] = account }
            guard account.running < Self.mostAtOnceOfOne else { return .refused(seconds: 1) }
            let admission = account.pay(cost, isAlone: account.running == 0)
            if case .admitted = admission { account.running += 1 }
            return admission
        }
    }

    /// Charges additional points for an accepted request. The wait includes the points charged before.
    func charge(_ reader: String, _ cost: Double, at now: UInt64) -> Admission {
        state.change { state in
            guard var account = state.accounts[reader] else { return .refused(seconds: 1) }
            account.fill(at: now)
            defer { state.accounts[reader] = account }
            return account.pay(cost, isAlone: account.running == 1)
        }
    }

    /// Charges additional points for work that was done. The debt delays the next request at most as long as any other.
    func owe(_ reader: String, _ cost: Double) {
        state.change { state in
            guard var account = state.accounts[reader] else { return }
            account.points = max(account.points - cost, -Self.longestWait * Self.pointsPerSecond / 2)
            state.accounts[reader] = account
        }
    }

    func leave(_ reader: String) {
        state.change { state in state.accounts[reader]?.running -= 1 }
    }

    /// The number of running and waiting requests, for tests.
    var countInside: Int { state.change { $0.working + $0.waiting.count } }

    /// Runs a function when a slot is free, approximately in order of arrival. Returns `nil` if too many requests are
    /// waiting.
    func working<Answer>(_ body: () -> Answer) -> Answer? {
        let isCalled = Guarded(false)
        var isIn = state.change { state -> Bool? in
            if state.waiting.isEmpty || state.overtaken < Self.mostOvertaking, state.takePlace() {
                if !state.waiting.isEmpty { state.overtaken += 1 }
                return true
            }
            guard state.waiting.count < Self.mostWaiting else { return nil }
            state.waiting.append(isCalled)
            state.callFirst()
            return false
        }
        while isIn == false {
            isCalled.wait { $0 ? () : nil }
            isIn = state.change { state in
                // Only the first waiting request is woken.
                guard state.takePlace() else {
                    isCalled.change { $0 = false }
                    return false
                }
                state.waiting.removeFirst()
                state.overtaken = 0
                state.callFirst()
                return true
            }
        }
        guard isIn == true else { return nil }
        defer {
            state.change { state in
                state.working -= 1
                state.callFirst()
            }
        }
        return body()
    }
}
