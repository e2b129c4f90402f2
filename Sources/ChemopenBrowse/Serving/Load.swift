import Chemopen

/// The bounds of readers' requests: each so much in a second and so much at once, and all together so much at once.
///
/// A reader has a store of points, which fills by itself; a request takes as many as it means work. Where there are too few,
/// a reader who asks one thing after the other waits a moment for them, and who asks several at once is told when to ask again.
final class Load: Sendable {
    private struct Account: Sendable {
        var points = Load.mostPoints
        var since: UInt64
        var running = 0

        mutating func fill(at now: UInt64) {
            points = min(Load.mostPoints, points + Double(now &- since) / 1e9 * Load.pointsPerSecond)
            since = now
        }

        /// Takes points, also some that are not there yet from a reader who asks nothing else meanwhile.
        mutating func pay(_ cost: Double, isAlone: Bool) -> Admission {
            let seconds = max(0, (cost - points) / Load.pointsPerSecond)
            let most = isAlone ? Load.longestWait : 0
            guard seconds <= most else { return .refused(seconds: Int(seconds.rounded(.up))) }
            points -= cost
            return .admitted(wait: UInt32((seconds * 1000).rounded(.up)))
        }
    }

    /// Whether a reader is let in.
    enum Admission: Sendable, Hashable {
        /// After so many milliseconds.
        case admitted(wait: UInt32)
        /// Not before so many seconds.
        case refused(seconds: Int)
    }

    private struct State: Sendable {
        var accounts: [String: Account] = [:]
        var working = 0
        /// Those who wait for their turn, in the order in which they came.
        var waiting: [Guarded<Bool>] = []
        /// How many came later and were let in before the first of these.
        var overtaken = 0

        mutating func takePlace() -> Bool {
            guard working < Load.mostWorking else { return false }
            working += 1
            return true
        }

        /// Wakes the one who has waited longest, where there is a place.
        func callFirst() {
            if working < Load.mostWorking { waiting.first?.change { $0 = true } }
        }
    }

    private static let mostPoints = 120.0
    private static let pointsPerSecond = 30.0
    /// So many seconds a reader waits for points.
    private static let longestWait = 1.5
    private static let mostAtOnceOfOne = 6
    private static let mostWorking = 4
    private static let mostWaiting = 200
    /// Who comes is let in at once where there is a place, as long as it takes others to wake; but not for ever.
    private static let mostOvertaking = 20

    private let state = Guarded(State())

    /// Lets a reader in.
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

    /// Takes points from a reader who is in. The wait is that for the points taken before as well.
    func charge(_ reader: String, _ cost: Double, at now: UInt64) -> Admission {
        state.change { state in
            guard var account = state.accounts[reader] else { return .refused(seconds: 1) }
            account.fill(at: now)
            defer { state.accounts[reader] = account }
            return account.pay(cost, isAlone: account.running == 1)
        }
    }

    func leave(_ reader: String) {
        state.change { state in state.accounts[reader]?.running -= 1 }
    }

    /// How many work or wait for their turn, for those who count.
    var countInside: Int { state.change { $0.working + $0.waiting.count } }

    /// Works in turn with others, about in the order in which they came; nothing where too many wait already.
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
                // Only the first is called.
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
