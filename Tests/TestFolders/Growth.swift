import Glibc

/// How many times as much work four times the size is: about 4 where the work grows with its input, 16 where it grows
/// with the square.
///
/// Work is the processor time of this thread alone, so that neither a loaded machine nor a slow one changes the outcome
/// by much.
package func growth(from size: Int, _ work: (Int) -> Void) -> Double {
    // The first run may warm up what the later ones find warm.
    let small = min(processorTime { work(size) }, processorTime { work(size) })
    let large = processorTime { work(4 * size) }
    return Double(large) / Double(max(1, small))
}

private func processorTime(_ work: () -> Void) -> Int {
    let start = threadNanoseconds()
    work()
    return threadNanoseconds() - start
}

private func threadNanoseconds() -> Int {
    var time = timespec()
    guard unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return 0 }
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}
