import Chemopen

/// Shows the progress of long operations on a terminal: bytes, records, rate and remaining time.
struct Progress {
    private let terminal: Terminal
    private let size: Int?
    private let start = monotonicNanoseconds()
    private var nextTime: UInt64
    private var calls = 0

    private static let firstDelay: UInt64 = 700_000_000
    private static let interval: UInt64 = 200_000_000

    init(of size: Int?, on terminal: Terminal) {
        self.terminal = terminal
        self.size = size
        nextTime = start &+ Self.firstDelay
    }

    /// Updates the progress. It can be called often because it checks the time only at every 64th call.
    mutating func show(bytes: Int, records: Int) {
        guard terminal.showsProgress else { return }
        calls &+= 1
        guard calls & 63 == 0 else { return }
        let now = monotonicNanoseconds()
        guard now >= nextTime else { return }
        nextTime = now &+ Self.interval
        terminal.showProgress(text(bytes, records, seconds: Double(now &- start) / 1e9))
    }

    private func text(_ bytes: Int, _ records: Int, seconds: Double) -> String {
        let rate = Double(bytes) / max(seconds, 0.001)
        var text = "\(recordCount(records)), \(byteCount(Double(bytes)))"
        guard let size, size > 0 else { return text + ", \(byteCount(rate))/s" }
        text += " of \(byteCount(Double(size))) (\(min(100, bytes * 100 / size)) %), \(byteCount(rate))/s"
        let left = Double(max(0, size - bytes)) / max(rate, 1)
        return text + ", \(duration(left)) left"
    }
}
