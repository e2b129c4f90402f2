// The names are those of chemopen.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

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
        switch unsafe Format.target(options.to, output) {
        case .success(let format): target = format
        case .failure(let failure): return fail(failure)
        }
        var conversion = Conversion(to: target)
        if let failure = unsafe conversion.take(options) { return fail(failure) }
        let stop = Guarded(false)
        conversion.cancels = { stop.change { $0 } }
        let ears = unsafe CallersEars(options, stop)
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
        guard unsafe fill(place, with: lent) else { return CHEMOPEN_MISUSE }
        return summary == nil ? CHEMOPEN_ABSENT : CHEMOPEN_OK
    }

    func lendLosses() -> (first: UnsafePointer<chemopen_loss>?, count: Int) { unsafe (losses.pointer, losses.count) }
}

extension Conversion {
    /// Takes the caller's options, or says what is wrong with them.
    fileprivate mutating func take(_ options: chemopen_convert_options) -> CallError? {
        guard let source = unsafe Format.named(options.from) else {
            return CallError(CHEMOPEN_IMPOSSIBLE, unsafe "no format is called \"\(string(options.from) ?? "")\"")
        }
        self.source = source
        guard let writing = unsafe WriteOptions(version: options.version, carriageReturns: options.carriage_returns)
        else {
            return CallError(CHEMOPEN_MISUSE, unsafe "no version is called \(options.version)")
        }
        self.writing = writing
        if let text = unsafe string(options.records) {
            guard let numbers = RecordNumbers(text) else {
                return CallError(CHEMOPEN_MISUSE, "expected numbers of records like 1-100,205, found \(text)")
            }
            selection.numbers = numbers
        }
        switch unsafe Criteria.list(options.conditions, options.condition_count) {
        case .success(let conditions): selection.conditions = conditions
        case .failure(let failure): return failure
        }
        switch unsafe Int(options.errors) {
        case CHEMOPEN_ERRORS_SKIP: errorPolicy = .skip
        case CHEMOPEN_ERRORS_STOP: errorPolicy = .stop
        case CHEMOPEN_ERRORS_KEEP: errorPolicy = .keep
        default: return CallError(CHEMOPEN_MISUSE, unsafe "there is no way \(options.errors) to treat errors")
        }
        guard unsafe (0...256).contains(options.threads) else {
            return CallError(CHEMOPEN_MISUSE, unsafe "expected at most 256 threads, found \(options.threads)")
        }
        threads = unsafe max(1, Int(options.threads))
        replaces = unsafe options.replaces != 0
        rewrites = unsafe options.rewrites != 0
        expandsAbbreviations = unsafe options.expands_abbreviations != 0
        return nil
    }
}

extension Criteria {
    /// The conditions that a caller gives.
    static func list(
        _ texts: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int
    ) -> Result<[Criteria], CallError> {
        guard count >= 0, unsafe count == 0 || texts != nil else {
            return .failure(CallError(CHEMOPEN_MISUSE, "there are no conditions where some are announced"))
        }
        var conditions: [Criteria] = []
        let given = unsafe Given(texts, count)
        for index in unsafe given.indices {
            guard let text = unsafe bytes(given[index] ?? nil) else {
                return .failure(CallError(CHEMOPEN_MISUSE, "a condition is null"))
            }
            do throws(SyntaxError) {
                conditions.append(try Criteria(Text(bytes: text)))
            } catch {
                return .failure(CallError(CHEMOPEN_MISUSE, error.message))
            }
        }
        return .success(conditions)
    }
}

/// The caller's functions that hear of a conversion.
@safe
private final class CallersEars {
    private let options: chemopen_convert_options
    private let stop: Guarded<Bool>
    private var input = LentText()
    private var message = LentText()
    private var losses = LentLosses()

    init(_ options: chemopen_convert_options, _ stop: Guarded<Bool>) {
        unsafe self.options = unsafe options
        self.stop = stop
    }

    private func heed(_ answer: CInt) {
        if answer != 0 { stop.change { $0 = true } }
    }

    func hear(_ state: Conversion.Progress) {
        guard let progress = unsafe options.progress else { return }
        input.set(state.input.shown)
        var told = unsafe chemopen_progress()
        unsafe told.struct_size = unsafe MemoryLayout<chemopen_progress>.size
        unsafe told.input = unsafe input.pointer
        unsafe told.done = UInt64(clamping: state.bytesRead)
        unsafe told.size = UInt64(clamping: state.size ?? 0)
        unsafe told.records = UInt64(clamping: state.records)
        unsafe heed(progress(options.context, &told))
    }

    func hear(_ event: Conversion.Event, of path: LocalPath) {
        guard let hear = unsafe options.event else { return }
        input.set(path.shown)
        var told = unsafe chemopen_event()
        unsafe told.struct_size = unsafe MemoryLayout<chemopen_event>.size
        unsafe told.input = unsafe input.pointer
        losses.set([])
        switch event {
        case .unreadable(let record):
            unsafe told.kind = CHEMOPEN_EVENT_UNREADABLE
            unsafe told.record = Int64(record.error.record)
            unsafe told.line = Int64(record.error.line)
            message.set("\(record.error)")
        case .doubtful(let issue, let place):
            unsafe told.kind = CHEMOPEN_EVENT_DOUBT
            unsafe told.record = Int64(place.record)
            unsafe told.line = Int64(issue.line)
            message.set(issue.found.isEmpty ? issue.message : "\(issue.message), found \"\(issue.found.shown)\"")
        case .lost(let lost, let record):
            unsafe told.kind = CHEMOPEN_EVENT_LOSS
            unsafe told.record = Int64(record)
            losses.set(lost.map { (record, $0) })
            let names = lost.map { $0.detail.isEmpty ? $0.feature.name : "\($0.feature.name) \($0.detail.shown)" }
            message.set(names.joined(separator: ", "))
        case .version(let version, let reason, let record):
            unsafe told.kind = CHEMOPEN_EVENT_VERSION
            unsafe told.record = Int64(record)
            message.set("written as \(version): \(reason)")
        case .failed(let error):
            unsafe told.kind = CHEMOPEN_EVENT_FAILED
            message.set("\(error)")
        }
        unsafe told.message = unsafe message.pointer
        unsafe told.losses = unsafe losses.pointer
        unsafe told.loss_count = losses.count
        unsafe heed(hear(options.context, &told))
    }
}

@c @implementation
public func chemopen_convert(
    _ report: UnsafeMutablePointer<OpaquePointer?>?, _ inputs: UnsafePointer<UnsafePointer<CChar>?>?,
    _ inputCount: Int, _ output: UnsafePointer<CChar>?, _ options: UnsafePointer<chemopen_convert_options>?
) -> chemopen_status {
    unsafe open(report, ReportHandle()) { handle in
        guard let options = unsafe given(options) else { return handle.misuse("the options have no size") }
        guard let inputs = unsafe paths(inputs, inputCount), !inputs.isEmpty else {
            return handle.misuse("there are no inputs")
        }
        return unsafe handle.run(inputs, bytes(output).map { LocalPath(bytes: $0) }, unsafe options)
    }
}

/// The paths that a caller gives; `nil` where one of them is null.
func paths(_ list: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int) -> [LocalPath]? {
    guard count >= 0, unsafe count == 0 || list != nil else { return nil }
    var paths: [LocalPath] = []
    let given = unsafe Given(list, count)
    for index in unsafe given.indices {
        guard let path = unsafe bytes(given[index] ?? nil) else { return nil }
        paths.append(LocalPath(bytes: path))
    }
    return paths
}

@c @implementation
public func chemopen_report_summary(
    _ report: OpaquePointer?, _ summary: UnsafeMutablePointer<chemopen_summary>?
) -> chemopen_status {
    unsafe with(report, as: ReportHandle.self) { unsafe $0.lendSummary(to: summary) }
}

@c @implementation
public func chemopen_report_losses(
    _ report: OpaquePointer?, _ losses: UnsafeMutablePointer<UnsafePointer<chemopen_loss>?>?,
    _ count: UnsafeMutablePointer<Int>?
) -> chemopen_status {
    guard let losses = unsafe losses, let count = unsafe count else { return CHEMOPEN_MISUSE }
    unsafe (losses.pointee, count.pointee) = (nil, 0)
    return unsafe with(report, as: ReportHandle.self) { report in
        unsafe (losses.pointee, count.pointee) = unsafe report.lendLosses()
        return CHEMOPEN_OK
    }
}

@c @implementation
public func chemopen_report_error(
    _ report: OpaquePointer?, _ error: UnsafeMutablePointer<chemopen_error>?
) -> chemopen_status {
    unsafe with(report, as: ReportHandle.self) { unsafe $0.lendFailure(to: error) }
}

@c @implementation
public func chemopen_report_close(_ report: UnsafeMutablePointer<OpaquePointer?>?) -> chemopen_status {
    unsafe close(report, ReportHandle.self)
}
