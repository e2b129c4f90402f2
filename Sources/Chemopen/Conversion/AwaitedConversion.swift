import Synchronization

extension Conversion {
    /// Converts the inputs on a separate thread while the task waits.
    ///
    /// If the task is cancelled, the run ends at its next record with `.cancelled` and writes no output.
    ///
    ///     let conversion = Conversion(to: .sdfile)
    ///     let task = Task { try await conversion.run(["a.rdf"], to: .file("b.sdf")) }
    ///     task.cancel()
    ///
    /// Several conversions can run at the same time, independently of each other.
    ///
    /// - Parameter tell: Receives events, on the separate thread.
    /// - Parameter progress: Receives progress reports, on the separate thread.
    /// - Returns: The counts and the losses.
    /// - Throws: `Failure` if there is no output.
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

    /// Converts files on a separate thread while the task waits.
    ///
    /// - Returns: The counts and the losses.
    /// - Throws: `Failure` if there is no output.
    public func run(
        _ inputs: [LocalPath], to output: Output, tell: @escaping @Sendable (Event, LocalPath) -> Void = { _, _ in },
        progress: @escaping @Sendable (Progress) -> Void = { _ in }
    ) async throws(Failure) -> Summary {
        try await run(inputs.map { Source($0) }, to: output, tell: tell, progress: progress)
    }

    /// Converts files on a separate thread while the task waits. The paths are strings.
    ///
    /// - Returns: The counts and the losses.
    /// - Throws: `Failure` if there is no output.
    public func run(
        _ inputs: [String], to output: Output, tell: @escaping @Sendable (Event, LocalPath) -> Void = { _, _ in },
        progress: @escaping @Sendable (Progress) -> Void = { _ in }
    ) async throws(Failure) -> Summary {
        try await run(inputs.map { Source($0) }, to: output, tell: tell, progress: progress)
    }

    private func cancelled(by signal: CancelSignal) -> Conversion {
        var conversion = self
        conversion.shouldCancel = { [shouldCancel] in signal.isSet.load(ordering: .relaxed) || shouldCancel?() == true }
        return conversion
    }
}

/// A flag that informs a thread that its task was cancelled.
package final class CancelSignal: Sendable {
    package let isSet = Atomic(false)
}

/// Runs work on a separate thread while the task waits. If the task is cancelled, the signal is set.
package func onOwnThread<Outcome: Sendable>(
    _ work: @escaping @Sendable (CancelSignal) -> Outcome
) async -> Outcome {
    let signal = CancelSignal()
    return await withTaskCancellationHandler {
        await withCheckedContinuation { (continuation: CheckedContinuation<Outcome, Never>) in
            onThread { continuation.resume(returning: work(signal)) }
        }
    } onCancel: {
        signal.isSet.store(true, ordering: .relaxed)
    }
}

/// Reads and writes files on a separate thread while the task waits.
///
/// If the task is cancelled, the work ends at its next record with `.cancelled`.
func onReadingThread<Value: Sendable>(
    by options: ReadOptions, _ work: @escaping @Sendable (ReadOptions) throws(Conversion.Failure) -> Value
) async throws(Conversion.Failure) -> Value {
    let result: Result<Value, Conversion.Failure> = await onOwnThread { signal in
        var options = options
        options.shouldCancel = { [shouldCancel = options.shouldCancel] in
            signal.isSet.load(ordering: .relaxed) || shouldCancel?() == true
        }
        let isCancelled = options.shouldCancel
        let result = Result { () throws(Conversion.Failure) in try work(options) }
        if case .failure = result, isCancelled?() == true { return .failure(.cancelled) }
        return signal.isSet.load(ordering: .relaxed) ? .failure(.cancelled) : result
    }
    return try result.get()
}
