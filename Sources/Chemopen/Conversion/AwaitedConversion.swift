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
        _ inputs: [LocalPath], to output: Output, tell: @escaping @Sendable (Event, LocalPath) -> Void = { _, _ in },
        progress: @escaping @Sendable (Progress) -> Void = { _ in }
    ) async throws(Failure) -> Summary {
        let signal = CancelSignal()
        let conversion = self.cancelled(by: signal)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Result<Summary, Failure>, Never>) in
                onThread {
                    let result = Result { () throws(Failure) in
                        try conversion.run(inputs, to: output, tell: tell, progress: progress)
                    }
                    continuation.resume(returning: result)
                }
            }
        } onCancel: {
            signal.isSet.store(true, ordering: .relaxed)
        }
        return try result.get()
    }

    /// Converts inputs whose paths are text, while the task waits.
    public func run(
        _ inputs: [String], to output: Output, tell: @escaping @Sendable (Event, LocalPath) -> Void = { _, _ in },
        progress: @escaping @Sendable (Progress) -> Void = { _ in }
    ) async throws(Failure) -> Summary {
        try await run(inputs.map { LocalPath($0) }, to: output, tell: tell, progress: progress)
    }

    private func cancelled(by signal: CancelSignal) -> Conversion {
        var conversion = self
        conversion.cancels = { [cancels] in signal.isSet.load(ordering: .relaxed) || cancels?() == true }
        return conversion
    }
}

/// Says to the thread of a conversion that its task is cancelled.
private final class CancelSignal: Sendable {
    let isSet = Atomic(false)
}
