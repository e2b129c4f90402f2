// The function names follow chemopen.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CChemopen
import Chemopen

/// The changes between versions of a file.
@safe
final class ChangesHandle: Handle {
    private var changes: [Change] = []
    private var next = 0
    private var text = LentText()
    private var differences = unsafe LentMemory<chemopen_difference>()

    struct Change {
        var kind: String
        var before = 0
        var after = 0
        var name: String
        var differences: [Difference] = []
        var commit: Commit?
        var records: (before: Record?, after: Record?) = (nil, nil)
    }

    func add(_ change: Change) { changes.append(change) }

    /// Lends the next change, or returns `CHEMOPEN_END` if there are no more.
    func lendNext(to place: UnsafeMutablePointer<chemopen_change>?) -> chemopen_status {
        guard next < changes.count else {
            return unsafe fill(place, with: chemopen_change()) ? CHEMOPEN_END : CHEMOPEN_MISUSE
        }
        let change = changes[next]
        var bytes: [UInt8] = []
        var starts: [Int] = []
        func note(_ part: String?) {
            starts.append(part == nil ? -1 : bytes.count)
            if let part { bytes += Array(part.utf8) + [0] }
        }
        let commit = change.commit
        for part in [change.kind, change.name, commit?.id, commit?.author, commit?.date, commit?.subject] { note(part) }
        for difference in change.differences {
            for part in [difference.subject, difference.first, difference.second] { note(part) }
        }
        text.set(bytes.span)
        func lent(_ index: Int) -> UnsafePointer<CChar>? {
            starts[index] < 0 ? nil : unsafe text.pointer.map { unsafe $0 + starts[index] }
        }
        unsafe differences.empty(for: change.differences.count)
        for index in change.differences.indices {
            let first = 6 + 3 * index
            unsafe differences.append(
                chemopen_difference(subject: lent(first), before: lent(first + 1), after: lent(first + 2)))
        }
        var result = unsafe chemopen_change()
        unsafe result.kind = unsafe lent(0)
        unsafe result.name = unsafe lent(1)
        unsafe (result.commit, result.author) = unsafe (lent(2), lent(3))
        unsafe (result.date, result.message) = unsafe (lent(4), lent(5))
        unsafe (result.before, result.after) = (Int64(change.before), Int64(change.after))
        unsafe result.differences = unsafe differences.pointer
        unsafe result.difference_count = unsafe differences.count
        guard unsafe fill(place, with: result) else { return CHEMOPEN_MISUSE }
        next += 1
        return CHEMOPEN_OK
    }

    /// The records of the last change.
    var records: (before: Record?, after: Record?)? {
        changes.indices.contains(next - 1) ? changes[next - 1].records : nil
    }
}

extension ChangesHandle {
    func compare(
        _ first: LocalPath, _ second: LocalPath, _ options: chemopen_change_options
    ) throws(CallError) {
        let format = try unsafe Format.given(options.format)
        guard unsafe options.tolerance >= 0, unsafe options.tolerance.isFinite else {
            throw CallError(CHEMOPEN_MISUSE, "the tolerance must not be negative")
        }
        do throws(ReadError) {
            var files = try FileComparison(first, second, as: format)
            if unsafe options.tolerance > 0 { files.comparison.tolerance = unsafe options.tolerance }
            files.key = unsafe string(options.key).map { Text($0) }
            func refuse(_ record: UnreadableRecord) { add(Change(kind: "unreadable", name: "\(record.error)")) }
            try files.compare(refuse: refuse) { difference in
                let (one, other) = (difference.first ?? 0, difference.second ?? 0)
                var change = Change(kind: difference.kind.rawValue, before: one, after: other, name: difference.name)
                change.differences = difference.differences
                change.records = (difference.before, difference.after)
                add(change)
            }
        } catch {
            throw CallError(error)
        }
    }

    func follow(_ path: LocalPath, _ options: chemopen_change_options) throws(CallError) {
        let format = try unsafe Format.given(options.format)
        do throws(Conversion.Failure) {
            var history = try FileHistory(path, as: format)
            history.key = unsafe string(options.key).map { Text($0) }
            history.since = unsafe bytes(options.since).map { LocalPath(bytes: $0) }
            history.until = unsafe bytes(options.until).map { LocalPath(bytes: $0) }
            history.author = unsafe string(options.author)
            var left = unsafe options.most == 0 ? Int.max : Int(clamping: options.most)
            func note(_ text: String) { add(Change(kind: "note", name: text)) }
            try history.changes(of: unsafe string(options.record).map { Text($0) }, note: note) { commit, change in
                let (one, other) = (change.before?.number ?? 0, change.after?.number ?? 0)
                var found = Change(kind: change.kind.rawValue, before: one, after: other, name: change.name)
                found.differences = change.parts.map { Difference("\($0.part)", $0.before, $0.after) }
                found.commit = commit
                found.records = (change.before?.record, change.after?.record)
                add(found)
                left -= 1
                return left > 0
            }
        } catch {
            throw CallError(error)
        }
    }

    func merge(
        _ base: LocalPath, _ ours: LocalPath, _ theirs: LocalPath, _ output: LocalPath?,
        _ options: chemopen_change_options
    ) throws(CallError) {
        let format = try unsafe Format.given(options.format)
        do throws(Conversion.Failure) {
            var merge = FileMerge(base: base, ours: ours, theirs: theirs, as: format)
            merge.key = unsafe string(options.key).map { Text($0) }
            let outcome = try merge.merged()
            if let output {
                try writeWholeFile(outcome.bytes, to: output, replacing: unsafe options.replaces != 0)
            } else {
                try outcome.save(inPlaceOf: ours)
            }
            if outcome.isWrittenAnew { add(Change(kind: "note", name: "the entire table was rewritten")) }
            for remark in outcome.remarks { add(Change(kind: "note", name: remark)) }
            for conflict in outcome.conflicts {
                let reason = Difference(conflict.reason, nil, nil)
                add(Change(kind: "conflict", name: conflict.record, differences: [reason]))
            }
        } catch {
            throw CallError(error)
        }
    }
}

extension Format {
    /// Returns the format with the caller's ID, or `nil` if the ID is null.
    static func given(_ id: UnsafePointer<CChar>?) throws(CallError) -> Format? {
        guard let format = unsafe named(id) else {
            throw CallError(CHEMOPEN_UNSUPPORTED, unsafe "unknown format: \"\(string(id) ?? "")\"")
        }
        return format
    }
}

/// Opens a list of changes. Calls a function with the caller's options and paths, of which none may be null.
private func openChanges(
    _ place: UnsafeMutablePointer<OpaquePointer?>?, _ paths: [UnsafePointer<CChar>?],
    _ options: UnsafePointer<chemopen_change_options>?,
    _ body: (ChangesHandle, [LocalPath], chemopen_change_options) throws(CallError) -> Void
) -> chemopen_status {
    unsafe open(place, ChangesHandle()) { handle in
        guard let options = unsafe given(options) else { return handle.misuse("the size of the options is not valid") }
        var given: [LocalPath] = []
        for index in unsafe paths.indices {
            guard let path = unsafe bytes(paths[index]) else { return handle.misuse("a path is null") }
            given.append(LocalPath(bytes: path))
        }
        do throws(CallError) {
            try unsafe body(handle, given, options)
            return CHEMOPEN_OK
        } catch {
            return handle.fail(error)
        }
    }
}

@c @implementation
public func chemopen_diff(
    _ changes: UnsafeMutablePointer<OpaquePointer?>?, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?,
    _ options: UnsafePointer<chemopen_change_options>?
) -> chemopen_status {
    unsafe openChanges(changes, [first, second], options) { handle, paths, options throws(CallError) in
        try unsafe handle.compare(paths[0], paths[1], options)
    }
}

@c @implementation
public func chemopen_history(
    _ changes: UnsafeMutablePointer<OpaquePointer?>?, _ path: UnsafePointer<CChar>?,
    _ options: UnsafePointer<chemopen_change_options>?
) -> chemopen_status {
    unsafe openChanges(changes, [path], options) { handle, paths, options throws(CallError) in
        try unsafe handle.follow(paths[0], options)
    }
}

@c @implementation
public func chemopen_merge(
    _ changes: UnsafeMutablePointer<OpaquePointer?>?, _ base: UnsafePointer<CChar>?, _ ours: UnsafePointer<CChar>?,
    _ theirs: UnsafePointer<CChar>?, _ output: UnsafePointer<CChar>?, _ options: UnsafePointer<chemopen_change_options>?
) -> chemopen_status {
    unsafe openChanges(changes, [base, ours, theirs], options) { handle, paths, options throws(CallError) in
        let output = unsafe bytes(output).map { LocalPath(bytes: $0) }
        try unsafe handle.merge(paths[0], paths[1], paths[2], output, options)
    }
}

@c @implementation
public func chemopen_changes_next(
    _ changes: OpaquePointer?, _ change: UnsafeMutablePointer<chemopen_change>?
) -> chemopen_status {
    unsafe with(changes, as: ChangesHandle.self) { unsafe $0.lendNext(to: change) }
}

@c @implementation
public func chemopen_changes_records(
    _ changes: OpaquePointer?, _ before: OpaquePointer?, _ after: OpaquePointer?
) -> chemopen_status {
    unsafe with(changes, as: ChangesHandle.self) { changes in
        unsafe with(before, as: RecordHandle.self) { before in
            unsafe with(after, as: RecordHandle.self) { after in
                guard let records = changes.records else { return CHEMOPEN_ABSENT }
                for (handle, record) in [(before, records.before), (after, records.after)] {
                    handle.beginChange()
                    handle.record = record ?? Record()
                }
                return CHEMOPEN_OK
            }
        }
    }
}

@c @implementation
public func chemopen_changes_error(
    _ changes: OpaquePointer?, _ error: UnsafeMutablePointer<chemopen_error>?
) -> chemopen_status {
    unsafe with(changes, as: ChangesHandle.self) { unsafe $0.lendFailure(to: error) }
}

@c @implementation
public func chemopen_changes_close(_ changes: UnsafeMutablePointer<OpaquePointer?>?) -> chemopen_status {
    unsafe close(changes, ChangesHandle.self)
}
