import Chemopen

/// Tracks whether the page is open. Each open page holds one streaming response.
final class Presence: Sendable {
    private struct State: Sendable {
        var open = 0
        var hasBeenOpen = false
        /// Whether the page cannot be opened at all.
        var isHopeless = false
        /// When the last page was closed.
        var since = monotonicNanoseconds()
    }

    private let state = Guarded(State())

    /// The time to wait for a page that is being reloaded.
    private static let graceSeconds: UInt64 = 4
    /// The time to wait for the first page: browsers start slowly, and users may copy the address by hand.
    private static let patienceSeconds: UInt64 = 600

    func begin() {
        state.change { state in
            state.open += 1
            state.hasBeenOpen = true
        }
    }

    func end() {
        state.change { state in
            state.open -= 1
            state.since = monotonicNanoseconds()
        }
    }

    /// Stops waiting for a browser because none can be started.
    func giveUp() {
        state.change { $0.isHopeless = true }
    }

    /// Whether at least one page is open.
    var isOpen: Bool { state.change { $0.open > 0 } }

    var hasBeenOpen: Bool { state.change { $0.hasBeenOpen } }

    /// Waits until all pages are closed, or until the time limit if no page has been opened. Calls `act` every second.
    func waitUntilGone(lookingAfter act: () -> Void = {}) {
        while true {
            act()
            let isGone = state.change { state in
                if state.isHopeless, !state.hasBeenOpen { return true }
                let seconds = (monotonicNanoseconds() &- state.since) / 1_000_000_000
                return state.open <= 0 && seconds >= (state.hasBeenOpen ? Self.graceSeconds : Self.patienceSeconds)
            }
            if isGone { return }
            sleepSeconds(1)
        }
    }
}
