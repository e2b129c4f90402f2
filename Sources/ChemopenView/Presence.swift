import Chemopen

/// Whether somebody looks at the page: each open page keeps one answer coming.
final class Presence: Sendable {
    private struct State: Sendable {
        var open = 0
        var hasBeenOpen = false
        /// Nothing can open a page.
        var isHopeless = false
        /// When the last page was closed.
        var since = monotonicNanoseconds()
    }

    private let state = Guarded(State())

    /// A page that is loaded again is away for a moment.
    private static let graceSeconds: UInt64 = 4
    /// A browser may be slow to start, and a person slow to copy an address.
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

    /// Says that no browser has come: nobody waits for one any more.
    func giveUp() {
        state.change { $0.isHopeless = true }
    }

    /// Some page is open.
    var isOpen: Bool { state.change { $0.open > 0 } }

    var hasBeenOpen: Bool { state.change { $0.hasBeenOpen } }

    /// Waits until all pages are closed, or none has ever been opened; on the way it does something each second.
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
