// The function names follow chemopen.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CChemopen
import Chemopen

/// The caller's event function for a table.
@safe
struct CallersEar {
    private let function: chemopen_event_function
    private let context: UnsafeMutableRawPointer?

    init(_ function: chemopen_event_function, _ context: UnsafeMutableRawPointer?) {
        unsafe self.function = unsafe function
        unsafe self.context = unsafe context
    }

    /// Passes remarks to the function. Throws if the function returns a value other than 0.
    func hear(_ remarks: [SpokenRemark]) throws(CallError) {
        for remark in remarks {
            var input = LentText()
            var message = LentText()
            var losses = LentLosses()
            input.set(remark.input)
            message.set(remark.text)
            if let feature = remark.feature { losses.set([(0, Loss(feature))]) }
            var told = unsafe chemopen_event()
            unsafe told.struct_size = unsafe MemoryLayout<chemopen_event>.size
            unsafe told.kind = remark.kind
            unsafe told.input = unsafe input.pointer
            unsafe told.message = unsafe message.pointer
            unsafe told.losses = unsafe losses.pointer
            unsafe told.loss_count = losses.count
            if unsafe function(context, &told) != 0 { throw CallError(CHEMOPEN_STOPPED, remark.text) }
        }
    }
}

/// The caller's functions for the events and progress of a conversion.
@safe
final class CallbackSink {
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
