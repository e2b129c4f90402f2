import Glibc

/// Returns the ratio of the work for four times the size: about 4 if the work is linear, 16 if it is quadratic.
///
/// Measures the processor time of this thread, so the load and the speed of the machine have little effect.
package func growth(from size: Int, _ work: (Int) -> Void) -> Double {
    // The first run may fill caches that the later ones use.
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
