// The function names follow chemopen.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CChemopen
import Chemopen

/// The result of a conversion.
final class ReportHandle: Handle {
    private var summary: Conversion.Summary?
    private var losses = LentLosses()
    private var remarks = LentRemarks()

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
        conversion.shouldCancel = { stop.change { $0 } }
        let ears = unsafe CallbackSink(options, stop)
        do throws(Conversion.Failure) {
            let summary = try conversion.run(
                inputs, to: output.map { .file($0) } ?? .discard, tell: ears.hear(_:of:), progress: ears.hear)
            self.summary = summary
            var all: [(Int, Loss)] = []
            for (_, report) in summary.reports {
                for entry in report.losses {
                    all.append((entry.records.first ?? 0, Loss(entry.feature, entry.detail, count: entry.count)))
                }
            }
            losses.set(all)
            remarks.set(Self.remarks(on: summary, of: conversion))
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

    /// Returns the remarks that `chemopen convert` prints for the conversion.
    private static func remarks(on summary: Conversion.Summary, of conversion: Conversion) -> [SpokenRemark] {
        let choice = summary.choice.remarks(
            on: conversion.selection, taken: summary.read, isWhole: summary.unreadable == 0,
            sawAll: !summary.isCutShort)
        var remarks = SpokenRemark.all(of: summary.reports, choice.remarks)
        for what in summary.unkept {
            remarks.append(
                SpokenRemark(kind: CHEMOPEN_EVENT_NOTE, text: "not preserved from the replaced file: \(what)"))
        }
        if !summary.hasOutput {
            remarks.append(
                SpokenRemark(
                    kind: CHEMOPEN_EVENT_WARNING, text: "there is no record to write, so no output was created"))
        }
        return remarks
    }

    func lendRemarks() -> (first: UnsafePointer<chemopen_remark>?, count: Int) {
        unsafe (remarks.pointer, remarks.count)
    }

    func lendLosses() -> (first: UnsafePointer<chemopen_loss>?, count: Int) { unsafe (losses.pointer, losses.count) }
}

extension Conversion {
    /// Applies the caller's options. Returns an error if they are not valid.
    fileprivate mutating func take(_ options: chemopen_convert_options) -> CallError? {
        guard let source = unsafe Format.named(options.from) else {
            return CallError(CHEMOPEN_UNSUPPORTED, unsafe "unknown format: \"\(string(options.from) ?? "")\"")
        }
        self.source = source
        guard let writing = unsafe WriteOptions(version: options.version, carriageReturns: options.carriage_returns)
        else {
            return CallError(CHEMOPEN_MISUSE, unsafe "unknown version: \(options.version)")
        }
        self.writing = writing
        do throws(CallError) {
            reading.encoding = unsafe try CharacterEncoding.given(options.encoding)
        } catch {
            return error
        }
        if let text = unsafe string(options.records) {
            guard let numbers = RecordNumbers(text) else {
                return CallError(CHEMOPEN_MISUSE, "expected record numbers such as 1-100,205, found \"\(text)\"")
            }
            selection.numbers = numbers
        }
        switch unsafe RecordFilter.list(options.conditions, options.condition_count) {
        case .success(let conditions): selection.conditions = conditions
        case .failure(let failure): return failure
        }
        switch unsafe Int(options.errors) {
        case CHEMOPEN_ERRORS_SKIP: errorPolicy = .skip
        case CHEMOPEN_ERRORS_STOP: errorPolicy = .stop
        case CHEMOPEN_ERRORS_KEEP: errorPolicy = .keep
        default: return CallError(CHEMOPEN_MISUSE, unsafe "unknown value of errors: \(options.errors)")
        }
        guard unsafe (0...256).contains(options.threads) else {
            return CallError(CHEMOPEN_MISUSE, unsafe "expected at most 256 threads, found \(options.threads)")
        }
        threads = unsafe max(1, Int(options.threads))
        overwritesExistingFiles = unsafe options.replaces != 0
        rewrites = unsafe options.rewrites != 0
        expandsAbbreviations = unsafe options.expands_abbreviations != 0
        return nil
    }
}

extension RecordFilter {
    /// Parses the caller's conditions.
    static func list(
        _ texts: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int
    ) -> Result<[RecordFilter], CallError> {
        guard count >= 0, unsafe count == 0 || texts != nil else {
            return .failure(CallError(CHEMOPEN_MISUSE, "the conditions are null, but their count is not 0"))
        }
        var conditions: [RecordFilter] = []
        let given = unsafe Given(texts, count)
        for index in unsafe given.indices {
            guard let text = unsafe bytes(given[index] ?? nil) else {
                return .failure(CallError(CHEMOPEN_MISUSE, "a condition is null"))
            }
            do throws(SyntaxError) {
                conditions.append(try RecordFilter(Text(bytes: text)))
            } catch {
                return .failure(CallError(CHEMOPEN_MISUSE, error.message))
            }
            if let problem = conditions.last?.problem { return .failure(CallError(CHEMOPEN_UNSUPPORTED, problem)) }
        }
        return .success(conditions)
    }
}

@c @implementation
public func chemopen_convert(
    _ report: UnsafeMutablePointer<OpaquePointer?>?, _ inputs: UnsafePointer<UnsafePointer<CChar>?>?,
    _ inputCount: Int, _ output: UnsafePointer<CChar>?, _ options: UnsafePointer<chemopen_convert_options>?
) -> chemopen_status {
    unsafe open(report, ReportHandle()) { handle in
        guard let options = unsafe given(options) else { return handle.misuse("the size of the options is not valid") }
        guard let inputs = unsafe paths(inputs, inputCount), !inputs.isEmpty else {
            return handle.misuse("no inputs specified")
        }
        return unsafe handle.run(inputs, bytes(output).map { LocalPath(bytes: $0) }, unsafe options)
    }
}

/// Returns the caller's paths, or `nil` if one of them is null.
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
public func chemopen_report_remarks(
    _ report: OpaquePointer?, _ remarks: UnsafeMutablePointer<UnsafePointer<chemopen_remark>?>?,
    _ count: UnsafeMutablePointer<Int>?
) -> chemopen_status {
    guard let remarks = unsafe remarks, let count = unsafe count else { return CHEMOPEN_MISUSE }
    unsafe (remarks.pointee, count.pointee) = (nil, 0)
    return unsafe with(report, as: ReportHandle.self) { report in
        unsafe (remarks.pointee, count.pointee) = unsafe report.lendRemarks()
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
