import CChemopen
import Chemopen

/// The outcome of a conversion.
final class ReportHandle: Handle {
    private var summary: Conversion.Summary?
    private var losses = LentLosses()

    func run(
        _ inputs: [LocalPath], _ output: LocalPath?, _ options: chemopen_convert_options
    ) -> chemopen_status {
        let target: Format
        switch Format.target(options.to, output) {
        case .success(let format): target = format
        case .failure(let failure): return fail(failure)
        }
        var conversion = Conversion(to: target)
        if let failure = conversion.take(options) { return fail(failure) }
        let stop = Guarded(false)
        conversion.cancels = { stop.change { $0 } }
        let ears = CallersEars(options, stop)
        do throws(Conversion.Failure) {
            let summary = try conversion.run(
                inputs, to: output.map { .file($0) } ?? .nothing, tell: ears.hear(_:of:), progress: ears.hear)
            self.summary = summary
            var all: [(Int, Loss)] = []
            for (_, report) in summary.reports {
                for entry in report.losses {
                    all.append((entry.records.first ?? 0, Loss(entry.feature, entry.detail, count: entry.count)))
                }
            }
            losses.set(all)
            if summary.failures.isEmpty { return CHEMOPEN_OK }
            return fail(CallError(summary.failures[0]))
        } catch {
            return fail(CallError(error))
        }
    }

    func lendSummary(to place: UnsafeMutablePointer<chemopen_summary>?) -> chemopen_status {
        var lent = chemopen_summary()
        if let summary {
            lent.written = Int64(summary.written)
            lent.read = Int64(summary.read)
            lent.unreadable = Int64(summary.unreadable)
            lent.is_cut_short = summary.isCutShort ? 1 : 0
            lent.has_output = summary.hasOutput ? 1 : 0
        }
        guard fill(place, with: lent) else { return CHEMOPEN_MISUSE }
        return summary == nil ? CHEMOPEN_ABSENT : CHEMOPEN_OK
    }

    func lendLosses() -> (first: UnsafePointer<chemopen_loss>?, count: Int) { (losses.pointer, losses.count) }
}

extension Conversion {
    /// Takes the caller's options, or says what is wrong with them.
    fileprivate mutating func take(_ options: chemopen_convert_options) -> CallError? {
        guard let source = Format.named(options.from) else {
            return CallError(CHEMOPEN_IMPOSSIBLE, "no format is called \"\(string(options.from) ?? "")\"")
        }
        self.source = source
        guard let writing = WriteOptions(version: options.version, carriageReturns: options.carriage_returns) else {
            return CallError(CHEMOPEN_MISUSE, "no version is called \(options.version)")
        }
        self.writing = writing
        if let text = string(options.records) {
            guard let numbers = RecordNumbers(text) else {
                return CallError(CHEMOPEN_MISUSE, "expected numbers of records like 1-100,205, found \(text)")
            }
            self.numbers = numbers
        }
        switch FieldCondition.list(options.conditions, options.condition_count) {
        case .success(let conditions): self.conditions = conditions
        case .failure(let failure): return failure
        }
        switch Int(options.errors) {
        case CHEMOPEN_ERRORS_SKIP: errorPolicy = .skip
        case CHEMOPEN_ERRORS_STOP: errorPolicy = .stop
        case CHEMOPEN_ERRORS_KEEP: errorPolicy = .keep
        default: return CallError(CHEMOPEN_MISUSE, "there is no way \(options.errors) to treat errors")
        }
        guard (0...256).contains(options.threads) else {
            return CallError(CHEMOPEN_MISUSE, "expected at most 256 threads, found \(options.threads)")
        }
        threads = max(1, Int(options.threads))
        replaces = options.replaces != 0
        rewrites = options.rewrites != 0
        expandsAbbreviations = options.expands_abbreviations != 0
        return nil
    }
}

extension FieldCondition {
    /// The conditions that a caller gives.
    static func list(
        _ texts: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int
    ) -> Result<[FieldCondition], CallError> {
        guard count >= 0, count == 0 || texts != nil else {
            return .failure(CallError(CHEMOPEN_MISUSE, "there are no conditions where some are announced"))
        }
        var conditions: [FieldCondition] = []
        for text in UnsafeBufferPointer(start: texts, count: count) {
            guard let text = bytes(text) else { return .failure(CallError(CHEMOPEN_MISUSE, "a condition is null")) }
            do throws(SyntaxError) {
                conditions.append(try FieldCondition(Text(bytes: text)))
            } catch {
                return .failure(CallError(CHEMOPEN_MISUSE, error.message))
            }
        }
        return .success(conditions)
    }
}

/// The caller's functions that hear of a conversion.
private final class CallersEars {
    private let options: chemopen_convert_options
    private let stop: Guarded<Bool>
    private var input = LentText()
    private var message = LentText()
    private var losses = LentLosses()

    init(_ options: chemopen_convert_options, _ stop: Guarded<Bool>) {
        self.options = options
        self.stop = stop
    }

    private func heed(_ answer: CInt) {
        if answer != 0 { stop.change { $0 = true } }
    }

    func hear(_ state: Conversion.Progress) {
        guard let progress = options.progress else { return }
        input.set(state.input.shown)
        var told = chemopen_progress()
        told.struct_size = MemoryLayout<chemopen_progress>.size
        told.input = input.pointer
        told.done = UInt64(clamping: state.bytesRead)
        told.size = UInt64(clamping: state.size ?? 0)
        told.records = UInt64(clamping: state.records)
        heed(progress(options.context, &told))
    }

    func hear(_ event: Conversion.Event, of path: LocalPath) {
        guard let hear = options.event else { return }
        input.set(path.shown)
        var told = chemopen_event()
        told.struct_size = MemoryLayout<chemopen_event>.size
        told.input = input.pointer
        losses.set([])
        switch event {
        case .unreadable(let record):
            told.kind = CHEMOPEN_EVENT_UNREADABLE
            told.record = Int64(record.error.record)
            told.line = Int64(record.error.line)
            message.set("\(record.error)")
        case .doubtful(let issue, let place):
            told.kind = CHEMOPEN_EVENT_DOUBT
            told.record = Int64(place.record)
            told.line = Int64(issue.line)
            message.set(issue.found.isEmpty ? issue.message : "\(issue.message), found \"\(issue.found.shown)\"")
        case .lost(let lost, let record):
            told.kind = CHEMOPEN_EVENT_LOSS
            told.record = Int64(record)
            losses.set(lost.map { (record, $0) })
            let names = lost.map { $0.detail.isEmpty ? $0.feature.name : "\($0.feature.name) \($0.detail.shown)" }
            message.set(names.joined(separator: ", "))
        case .version(let version, let reason, let record):
            told.kind = CHEMOPEN_EVENT_VERSION
            told.record = Int64(record)
            message.set("written as \(version): \(reason)")
        case .failed(let error):
            told.kind = CHEMOPEN_EVENT_FAILED
            message.set("\(error)")
        }
        told.message = message.pointer
        told.losses = losses.pointer
        told.loss_count = losses.count
        heed(hear(options.context, &told))
    }
}

@c @implementation
public func chemopen_convert(
    _ report: UnsafeMutablePointer<OpaquePointer?>?, _ inputs: UnsafePointer<UnsafePointer<CChar>?>?,
    _ inputCount: Int, _ output: UnsafePointer<CChar>?, _ options: UnsafePointer<chemopen_convert_options>?
) -> chemopen_status {
    open(report, ReportHandle()) { handle in
        guard let options = given(options) else { return handle.misuse("the options have no size") }
        guard let inputs = paths(inputs, inputCount), !inputs.isEmpty else {
            return handle.misuse("there are no inputs")
        }
        return handle.run(inputs, bytes(output).map { LocalPath(bytes: $0) }, options)
    }
}

/// The paths that a caller gives; `nil` where one of them is null.
func paths(_ list: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int) -> [LocalPath]? {
    guard count >= 0, count == 0 || list != nil else { return nil }
    var paths: [LocalPath] = []
    for path in UnsafeBufferPointer(start: list, count: count) {
        guard let path = bytes(path) else { return nil }
        paths.append(LocalPath(bytes: path))
    }
    return paths
}

@c @implementation
public func chemopen_report_summary(
    _ report: OpaquePointer?, _ summary: UnsafeMutablePointer<chemopen_summary>?
) -> chemopen_status {
    with(report, as: ReportHandle.self) { $0.lendSummary(to: summary) }
}

@c @implementation
public func chemopen_report_losses(
    _ report: OpaquePointer?, _ losses: UnsafeMutablePointer<UnsafePointer<chemopen_loss>?>?,
    _ count: UnsafeMutablePointer<Int>?
) -> chemopen_status {
    guard let losses, let count else { return CHEMOPEN_MISUSE }
    (losses.pointee, count.pointee) = (nil, 0)
    return with(report, as: ReportHandle.self) { report in
        (losses.pointee, count.pointee) = report.lendLosses()
        return CHEMOPEN_OK
    }
}

@c @implementation
public func chemopen_report_error(
    _ report: OpaquePointer?, _ error: UnsafeMutablePointer<chemopen_error>?
) -> chemopen_status {
    with(report, as: ReportHandle.self) { $0.lendFailure(to: error) }
}

@c @implementation
public func chemopen_report_close(_ report: UnsafeMutablePointer<OpaquePointer?>?) -> chemopen_status {
    close(report, ReportHandle.self)
}
