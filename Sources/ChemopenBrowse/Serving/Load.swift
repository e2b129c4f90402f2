import Chemopen

/// The bounds of readers' requests: each so much in a second and so much at once, and all together so much at once.
///
/// A reader has a store of points, which fills by itself; a request takes as many as it means work.
final class Load: Sendable {
    private struct Account: Sendable {
        var points = Load.mostPoints
        var since: UInt64
        var running = 0

        /// Takes points. Where there are too few, it says after how many seconds there are enough.
        mutating func pay(_ cost: Double) -> Int? {
            guard points >= cost else { return max(1, Int(((cost - points) / Load.pointsPerSecond).rounded(.up))) }
            points -= cost
            return nil
        }
    }

    private struct State: Sendable {
        var accounts: [String: Account] = [:]
        var working = 0
        var waiting = 0
    }

    private static let mostPoints = 120.0
    private static let pointsPerSecond = 30.0
    private static let mostAtOnceOfOne = 6
    private static let mostWorking = 4
    private static let mostWaiting = 200

    private let state = Guarded(State())

    /// Lets a reader in. Otherwise says after how many seconds to ask again.
    func admit(_ reader: String, cost: Double, at now: UInt64) -> Int? {
        state.change { state in
            var account = state.accounts[reader] ?? Account(since: now)
            let seconds = Double(now &- account.since) / 1e9
            account.points = min(Self.mostPoints, account.points + seconds * Self.pointsPerSecond)
            account.since = now
            defer { state.accounts[reader] = account }
            guard account.running < Self.mostAtOnceOfOne else { return 1 }
            if let seconds = account.pay(cost) { return seconds }
            account.running += 1
            return nil
        }
    }

    /// Takes points from a reader who is in. Otherwise says after how many seconds to ask again.
    func charge(_ reader: String, _ cost: Double) -> Int? {
        state.change { state in
            guard var account = state.accounts[reader] else { return 1 }
            defer { state.accounts[reader] = account }
            return account.pay(cost)
        }
    }

    func leave(_ reader: String) {
        state.change { state in state.accounts[reader]?.running -= 1 }
    }

    /// Works in turn with others; nothing where too many wait already.
    func working<Answer>(_ body: () -> Answer) -> Answer? {
        let isIn = state.change { state in
            guard state.waiting < Self.mostWaiting else { return false }
            state.waiting += 1
            return true
        }
        guard isIn else { return nil }
        state.wait { state in
            guard state.working < Self.mostWorking else { return nil as Void? }
            state.waiting -= 1
            state.working += 1
            return ()
        }
        defer { state.change { $0.working -= 1 } }
        return body()
    }
}
