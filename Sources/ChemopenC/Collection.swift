// The function names follow chemopen.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CChemopen
import Chemopen

/// A file whose records are edited in place.
@safe
final class CollectionHandle: Handle {
    private var records: RecordCollection?

    /// Opens a file.
    func begin(_ path: LocalPath, _ format: Format?) -> chemopen_status {
        do throws(Conversion.Failure) {
            records = try RecordCollection(path, as: format)
            return CHEMOPEN_OK
        } catch {
            return fail(CallError(error))
        }
    }

    var count: Int? { records?.count }

    /// Edits the file. It stays unchanged if the function fails.
    func edit(_ body: (inout RecordCollection) throws(Conversion.Failure) -> Void) -> chemopen_status {
        guard var edited = records else { return misuse("the file could not be opened") }
        do throws(Conversion.Failure) {
            try body(&edited)
            records = edited
            return CHEMOPEN_OK
        } catch {
            return fail(CallError(error))
        }
    }
}

@c @implementation
public func chemopen_collection_open(
    _ collection: UnsafeMutablePointer<OpaquePointer?>?, _ path: UnsafePointer<CChar>?, _ format: UnsafePointer<CChar>?
) -> chemopen_status {
    unsafe open(collection, CollectionHandle()) { handle in
        guard let path = unsafe bytes(path) else { return handle.misuse("the path is null") }
        do throws(CallError) {
            return handle.begin(LocalPath(bytes: path), try unsafe Format.given(format))
        } catch {
            return handle.fail(error)
        }
    }
}

@c @implementation
public func chemopen_collection_count(
    _ collection: OpaquePointer?, _ count: UnsafeMutablePointer<Int>?
) -> chemopen_status {
    guard let count = unsafe count else { return CHEMOPEN_MISUSE }
    unsafe count.pointee = 0
    return unsafe with(collection, as: CollectionHandle.self) { collection in
        guard let found = collection.count else { return collection.misuse("the file could not be opened") }
        unsafe count.pointee = found
        return CHEMOPEN_OK
    }
}

@c @implementation
public func chemopen_collection_record(
    _ collection: OpaquePointer?, _ number: Int, _ record: OpaquePointer?
) -> chemopen_status {
    unsafe with(collection, as: CollectionHandle.self) { collection in
        unsafe with(record, as: RecordHandle.self) { record in
            record.beginChange()
            record.record = Record()
            var isReadable = true
            let status = collection.edit { records throws(Conversion.Failure) in
                if let found = try records.record(number) { record.record = found } else { isReadable = false }
            }
            return isReadable ? status : CHEMOPEN_BAD_RECORD
        }
    }
}

@c @implementation
public func chemopen_collection_set_field(
    _ collection: OpaquePointer?, _ number: Int, _ name: UnsafePointer<CChar>?, _ nameLength: Int,
    _ value: UnsafePointer<CChar>?, _ valueLength: Int
) -> chemopen_status {
    unsafe with(collection, as: CollectionHandle.self) { collection in
        guard let name = unsafe bytes(name, nameLength) else { return collection.misuse("the name is null") }
        let isRemoved = unsafe value == nil && valueLength == 0
        guard let value = unsafe bytes(value, valueLength) else { return collection.misuse("the value is null") }
        let edit: RecordEdit =
            isRemoved ? .unset(Text(bytes: name)) : .set(Text(bytes: name), Text(bytes: value))
        return collection.edit { records throws(Conversion.Failure) in _ = try records.edit(record: number, [edit]) }
    }
}

@c @implementation
public func chemopen_collection_set_title(
    _ collection: OpaquePointer?, _ number: Int, _ title: UnsafePointer<CChar>?, _ length: Int
) -> chemopen_status {
    unsafe with(collection, as: CollectionHandle.self) { collection in
        guard let title = unsafe bytes(title, length) else { return collection.misuse("the title is null") }
        return collection.edit { records throws(Conversion.Failure) in
            _ = try records.edit(record: number, [.setTitle(Text(bytes: title))])
        }
    }
}

@c @implementation
public func chemopen_collection_set_structure(
    _ collection: OpaquePointer?, _ number: Int, _ record: OpaquePointer?
) -> chemopen_status {
    unsafe with(collection, as: CollectionHandle.self) { collection in
        unsafe with(record, as: RecordHandle.self) { record in
            let edit = RecordEdit.take(.structure, from: record.record)
            return collection.edit { records throws(Conversion.Failure) in
                _ = try records.edit(record: number, [edit])
            }
        }
    }
}

@c @implementation
public func chemopen_collection_insert(
    _ collection: OpaquePointer?, _ number: Int, _ record: OpaquePointer?
) -> chemopen_status {
    unsafe with(collection, as: CollectionHandle.self) { collection in
        unsafe with(record, as: RecordHandle.self) { record in
            collection.edit { records throws(Conversion.Failure) in
                _ = try records.insert([record.record], at: number == 0 ? nil : number)
            }
        }
    }
}

@c @implementation
public func chemopen_collection_delete(_ collection: OpaquePointer?, _ number: Int) -> chemopen_status {
    unsafe with(collection, as: CollectionHandle.self) { collection in
        collection.edit { records throws(Conversion.Failure) in _ = try records.delete(records: [number]) }
    }
}

@c @implementation
public func chemopen_collection_move(_ collection: OpaquePointer?, _ number: Int, _ target: Int) -> chemopen_status {
    unsafe with(collection, as: CollectionHandle.self) { collection in
        collection.edit { records throws(Conversion.Failure) in _ = try records.move(records: [number], to: target) }
    }
}

@c @implementation
public func chemopen_collection_save(
    _ collection: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ replaces: Int32
) -> chemopen_status {
    unsafe with(collection, as: CollectionHandle.self) { collection in
        let path = unsafe bytes(path).map { LocalPath(bytes: $0) }
        return collection.edit { records throws(Conversion.Failure) in
            if let path {
                try records.save(to: path, replacing: replaces != 0)
            } else {
                try records.save()
                // A later save compares the file with its new content.
                records = try RecordCollection(records.path, as: records.format)
            }
        }
    }
}

@c @implementation
public func chemopen_collection_error(
    _ collection: OpaquePointer?, _ error: UnsafeMutablePointer<chemopen_error>?
) -> chemopen_status {
    unsafe with(collection, as: CollectionHandle.self) { unsafe $0.lendFailure(to: error) }
}

@c @implementation
public func chemopen_collection_close(_ collection: UnsafeMutablePointer<OpaquePointer?>?) -> chemopen_status {
    unsafe close(collection, CollectionHandle.self)
}
