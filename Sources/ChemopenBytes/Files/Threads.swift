import Glibc

// This is the only file that calls the system's threads.

/// Runs work on several threads while the body runs on the current one, and waits for all of them.
///
/// - Parameter body: accepts the number of threads that could be started, which may be lower or 0. It must end the work
///   of the threads.
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

/// Runs work on another thread while the body runs on the current one, and waits for it.
///
/// - Parameter body: accepts whether the thread could be started. It must end the work of the thread.
package func withThread<Result>(
    running work: @escaping @Sendable () -> Void, _ body: (_ isRunning: Bool) -> Result
) -> Result {
    let thread = startThread(work)
    let result = body(thread != nil)
    if let thread { _ = pthread_join(thread, nil) }
    return result
}

/// Runs work on a separate thread without waiting for it, or on the current thread if no thread can be started.
package func onThread(running work: @escaping @Sendable () -> Void) {
    if let thread = startThread(work) { _ = pthread_detach(thread) } else { work() }
}

/// Runs a function on another thread when the process has used an amount of processor time. If no thread can be
/// started, the system ends the process at that time instead.
package func afterProcessorTime(milliseconds: Int, _ act: @escaping @Sendable () -> Void) {
    let thread = startThread {
        let limit = UInt64(max(0, milliseconds)) * 1_000_000
        // Each processor uses at most the elapsed time, so the thread can sleep for a part of the remaining time.
        while true {
            let used = processCPUNanoseconds()
            if used >= limit { return act() }
            _ = usleep(UInt32(clamping: max(5000, (limit - used) / 4000)))
        }
    }
    if let thread {
        _ = pthread_detach(thread)
    } else {
        let time = timeval(tv_sec: milliseconds / 1000, tv_usec: milliseconds % 1000 * 1000)
        var timer = itimerval(it_interval: timeval(), it_value: time)
        _ = unsafe setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &timer, nil)
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

/// The work of a thread, as an object that can be passed through the system call.
private final class Work: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
        self.run = run
    }
}

/// A value that only one thread at a time can access. Threads can also wait for a condition on the value.
///
/// The value is protected by a mutex, so sharing it is safe even though the compiler cannot verify this.
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

    /// Changes the value and wakes waiting threads.
    package func change<Result>(_ body: (inout Value) -> Result) -> Result {
        _ = unsafe pthread_mutex_lock(mutex)
        defer { _ = unsafe pthread_mutex_unlock(mutex) }
        defer { _ = unsafe pthread_cond_broadcast(change) }
        return body(&value)
    }

    /// Calls the body after each change of the value until it returns a result.
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
