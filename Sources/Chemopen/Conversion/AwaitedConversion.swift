import Synchronization

extension Conversion {
    /// Converts the inputs on a thread of its own, while the task waits; a task that is cancelled ends the run at its next
    /// record, with `.cancelled` and without an output.
    ///
    ///     let conversion = Conversion(to: .sdfile)
    ///     let task = Task { try await conversion.run(["a.rdf"], to: .file("b.sdf")) }
    ///     task.cancel()
    ///
    /// `tell` and `progress` are called on that thread. Several conversions may run at once, each independent of the others.
    public func run(
        _ inputs: [Source], to output: Output, tell: @escaping @Sendable (Event, LocalPath) -> Void = { _, _ in },
        progress: @escaping @Sendable (Progress) -> Void = { _ in }
    ) async throws(Failure) -> Summary {
        let result: Result<Summary, Failure> = await onOwnThread { signal in
            let conversion = self.cancelled(by: signal)
            return Result { () throws(Failure) in
                try conversion.run(inputs, to: output, tell: tell, progress: progress)
            }
        }
        return try result.get()
    }

    /// Converts files, while the task waits.
    public func run(
        _ inputs: [LocalPath], to output: Output, tell: @escaping @Sendable (Event, LocalPath) -> Void = { _, _ in },
        progress: @escaping @Sendable (Progress) -> Void = { _ in }
    ) async throws(Failure) -> Summary {
        try await run(inputs.map { Source($0) }, to: output, tell: tell, progress: progress)
    }

    /// Converts files whose paths are text, while the task waits.
    public func run(
        _ inputs: [String], to output: Output, tell: @escaping @Sendable (Event, LocalPath) -> Void = { _, _ in },
        progress: @escaping @Sendable (Progress) -> Void = { _ in }
    ) async throws(Failure) -> Summary {
        try await run(inputs.map { Source($0) }, to: output, tell: tell, progress: progress)
    }

    private func cancelled(by signal: CancelSignal) -> Conversion {
        var conversion = self
        conversion.cancels = { [cancels] in signal.isSet.load(ordering: .relaxed) || cancels?() == true }
        return conversion
    }
}

/// Says to the thread of some work that its task is cancelled.
final class CancelSignal: Sendable {
    let isSet = Atomic(false)
}

/// Does work on a thread of its own, while the task waits; a task that is cancelled sets the signal.
func onOwnThread<Outcome: Sendable>(_ work: @escaping @Sendable (CancelSignal) -> Outcome) async -> Outcome {
    let signal = CancelSignal()
    return await withTaskCancellationHandler {
        await withCheckedContinuation { (continuation: CheckedContinuation<Outcome, Never>) in
            onThread { continuation.resume(returning: work(signal)) }
        }
    } onCancel: {
        signal.isSet.store(true, ordering: .relaxed)
    }
}

/// Reads and writes files on a thread of its own, while the task waits; a task that is cancelled ends the work at its next
/// record, with `.cancelled`.
func onReadingThread<Value: Sendable>(
    by options: ReadOptions, _ work: @escaping @Sendable (ReadOptions) throws(Conversion.Failure) -> Value
) async throws(Conversion.Failure) -> Value {
    let result: Result<Value, Conversion.Failure> = await onOwnThread { signal in
        var options = options
        options.cancels = { [cancels = options.cancels] in
            signal.isSet.load(ordering: .relaxed) || cancels?() == true
        }
        let isCancelled = options.cancels
        let result = Result { () throws(Conversion.Failure) in try work(options) }
        if case .failure = result, isCancelled?() == true { return .failure(.cancelled) }
        return signal.isSet.load(ordering: .relaxed) ? .failure(.cancelled) : result
    }
    return try result.get()
}
