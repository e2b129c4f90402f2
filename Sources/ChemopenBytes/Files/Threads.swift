import Glibc

// The one file that calls the system's threads.

/// Runs the work on so many threads while the body runs on this one, and waits for all of them.
///
/// The body is told how many threads there are, which may be fewer than were asked for, or none; it has to see to it
/// that their work ends.
package func withThreads<Result>(
    _ count: Int, running work: @escaping @Sendable () -> Void, _ body: (_ count: Int) -> Result
) -> Result {
    var threads: [pthread_t] = []
    for _ in 0..<max(0, count) {
        guard let thread = startThread(work) else { break }
        threads.append(thread)
    }
    let result = body(threads.count)
    for thread in threads { _ = pthread_join(thread, nil) }
    return result
}

/// Runs the work on another thread while the body runs on this one, and waits for it. The body is told whether there is
/// such a thread, and has to see to it that its work ends.
package func withThread<Result>(
    running work: @escaping @Sendable () -> Void, _ body: (_ isRunning: Bool) -> Result
) -> Result {
    let thread = startThread(work)
    let result = body(thread != nil)
    if let thread { _ = pthread_join(thread, nil) }
    return result
}

/// Runs the work on a thread of its own, for which nobody waits; on this one where no thread can be had.
package func onThread(running work: @escaping @Sendable () -> Void) {
    if let thread = startThread(work) { _ = pthread_detach(thread) } else { work() }
}

/// Does something once the process has used so much processor time, unless it ends before; on another thread.
package func afterProcessorTime(milliseconds: Int, _ act: @escaping @Sendable () -> Void) {
    onThread {
        let limit = UInt64(max(0, milliseconds)) * 1_000_000
        // Each processor uses no more time than passes, so that the time that is left can be slept through.
        while true {
            let used = processCPUNanoseconds()
            if used >= limit { return act() }
            _ = usleep(UInt32(clamping: max(5000, (limit - used) / 4000)))
        }
    }
}

private func startThread(_ work: @escaping @Sendable () -> Void) -> pthread_t? {
    var thread = pthread_t()
    let box = unsafe Unmanaged.passRetained(Work(work))
    let failure = unsafe pthread_create(
        &thread, nil,
        { box in
            if let box = unsafe box { unsafe Unmanaged<Work>.fromOpaque(box).takeRetainedValue().run() }
            return nil
        }, box.toOpaque())
    if failure == 0 { return thread }
    unsafe box.release()
    return nil
}

/// A thread's work, as an object that survives the way through the system.
private final class Work: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
        self.run = run
    }
}

/// A value that one thread at a time may touch; the others wait, also for the value to be as they need it.
///
/// The value lies behind a mutex: that makes it safe to share what the compiler cannot see to be so.
@safe
package final class Guarded<Value: ~Copyable & Sendable>: @unchecked Sendable {
    private var value: Value
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let change: UnsafeMutablePointer<pthread_cond_t>

    package init(_ value: consuming Value) {
        self.value = value
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe change = .allocate(capacity: 1)
        unsafe change.initialize(to: pthread_cond_t())
        _ = unsafe pthread_mutex_init(mutex, nil)
        _ = unsafe pthread_cond_init(change, nil)
    }

    deinit {
        _ = unsafe pthread_cond_destroy(change)
        _ = unsafe pthread_mutex_destroy(mutex)
        unsafe change.deallocate()
        unsafe mutex.deallocate()
    }

    /// Changes the value and wakes those who wait for a change.
    package func change<Result>(_ body: (inout Value) -> Result) -> Result {
        _ = unsafe pthread_mutex_lock(mutex)
        defer { _ = unsafe pthread_mutex_unlock(mutex) }
        defer { _ = unsafe pthread_cond_broadcast(change) }
        return body(&value)
    }

    /// Tries until the body returns something, each time somebody has changed the value.
    package func wait<Result>(for body: (inout Value) -> Result?) -> Result {
        _ = unsafe pthread_mutex_lock(mutex)
        defer { _ = unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&value) {
                _ = unsafe pthread_cond_broadcast(change)
                return result
            }
            _ = unsafe pthread_cond_wait(change, mutex)
        }
    }
}
