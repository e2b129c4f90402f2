// The function names follow chemopen.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CChemopen
import Chemopen

/// A file that is fetched from an address.
@safe
final class FetchedHandle: Handle {
    private var copy: FetchedCopy?
    private var path = LentText()
    private var type = LentText()
    private var note = LentText()

    func run(_ word: String, _ options: chemopen_fetch_options) -> chemopen_status {
        let address: Address
        do throws(Address.Refusal) {
            address = try Address(word)
        } catch {
            // The error does not contain the address because it may contain a password.
            return misuse("the address \(error.description)")
        }
        var wishes = FetchOptions()
        wishes.isOffline = unsafe options.is_offline != 0
        wishes.encrypts = unsafe options.encrypts != 0
        let state = Guarded<(bytes: Int, size: Int)>((0, 0))
        wishes.onEvent = { event in
            if case .progress(let bytes, let size) = event { state.change { $0 = (bytes, size ?? 0) } }
        }
        var input = LentText()
        input.set(address.shown)
        // Called on this thread while the program works.
        let shouldCancel = { () -> Bool in
            guard let progress = unsafe options.progress else { return false }
            let (bytes, size) = state.change { $0 }
            var told = unsafe chemopen_progress()
            unsafe told.struct_size = unsafe MemoryLayout<chemopen_progress>.size
            unsafe told.input = unsafe input.pointer
            unsafe told.done = UInt64(clamping: bytes)
            unsafe told.size = UInt64(clamping: size)
            return unsafe progress(options.context, &told) != 0
        }
        let isStopped = Guarded(false)
        do throws(FileError) {
            copy = try Fetcher(wishes).fetch(address) {
                let stops = shouldCancel()
                if stops { isStopped.change { $0 = true } }
                return stops
            }
        } catch {
            if isStopped.change({ $0 }) { return fail(CallError(CHEMOPEN_STOPPED, "stopped by the caller")) }
            return fail(CallError(ReadError(error)))
        }
        return CHEMOPEN_OK
    }

    func lendCopy(to place: UnsafeMutablePointer<chemopen_copy>?) -> chemopen_status {
        var lent = unsafe chemopen_copy()
        if let copy {
            let bytes = copy.path.bytes
            path.set(bytes.span)
            type.set(copy.type ?? "")
            note.set(copy.notes.joined(separator: "; "))
            unsafe lent.path = unsafe path.pointer
            unsafe lent.type = unsafe type.pointer
            unsafe lent.note = unsafe note.pointer
        }
        guard unsafe fill(place, with: lent) else { return CHEMOPEN_MISUSE }
        return copy == nil ? CHEMOPEN_ABSENT : CHEMOPEN_OK
    }
}

@c @implementation
public func chemopen_fetch(
    _ fetched: UnsafeMutablePointer<OpaquePointer?>?, _ address: UnsafePointer<CChar>?,
    _ options: UnsafePointer<chemopen_fetch_options>?
) -> chemopen_status {
    unsafe open(fetched, FetchedHandle()) { handle in
        guard let options = unsafe given(options) else { return handle.misuse("the size of the options is not valid") }
        guard let address = unsafe string(address) else { return handle.misuse("no address specified") }
        return unsafe handle.run(address, options)
    }
}

@c @implementation
public func chemopen_fetched_copy(
    _ fetched: OpaquePointer?, _ copy: UnsafeMutablePointer<chemopen_copy>?
) -> chemopen_status {
    unsafe with(fetched, as: FetchedHandle.self) { unsafe $0.lendCopy(to: copy) }
}

@c @implementation
public func chemopen_fetched_error(
    _ fetched: OpaquePointer?, _ error: UnsafeMutablePointer<chemopen_error>?
) -> chemopen_status {
    unsafe with(fetched, as: FetchedHandle.self) { unsafe $0.lendFailure(to: error) }
}

@c @implementation
public func chemopen_fetched_close(_ fetched: UnsafeMutablePointer<OpaquePointer?>?) -> chemopen_status {
    unsafe close(fetched, FetchedHandle.self)
}
