import CChemopen

// Exports structures of Arrow's C data interface. Each exported structure has a `release` function that frees the
// memory it refers to and sets itself to null.

/// The memory that an `ArrowSchema` refers to.
@safe
private final class SchemaParts {
    var texts: [UnsafePointer<CChar>] = unsafe []
    var children: [UnsafeMutablePointer<ArrowSchema>] = unsafe []
    var list: UnsafeMutablePointer<UnsafeMutablePointer<ArrowSchema>?>?

    deinit {
        for index in unsafe texts.indices { unsafe texts[index].deallocate() }
        for index in unsafe children.indices {
            let child = unsafe children[index]
            if let release = unsafe child.pointee.release { unsafe release(child) }
            unsafe child.deallocate()
        }
        unsafe list?.deallocate()
    }
}

extension ArrowSchema {
    static func exported(_ format: String, name: String, isNullable: Bool, _ children: [ArrowSchema]) -> ArrowSchema {
        let parts = SchemaParts()
        var schema = unsafe ArrowSchema()
        let format = unsafe immortal(format)
        let name = unsafe immortal(name)
        unsafe parts.texts = unsafe [format, name]
        unsafe schema.format = unsafe format
        unsafe schema.name = unsafe name
        unsafe schema.flags = isNullable ? Int64(ARROW_FLAG_NULLABLE) : 0
        unsafe schema.n_children = unsafe Int64(children.count)
        if unsafe !children.isEmpty {
            let list = unsafe UnsafeMutablePointer<UnsafeMutablePointer<ArrowSchema>?>.allocate(
                capacity: children.count)
            for index in unsafe children.indices {
                let place = UnsafeMutablePointer<ArrowSchema>.allocate(capacity: 1)
                unsafe place.initialize(to: children[index])
                unsafe parts.children.append(place)
                unsafe list[index] = unsafe place
            }
            unsafe parts.list = unsafe list
            unsafe schema.children = unsafe list
        }
        unsafe schema.private_data = unsafe Unmanaged.passRetained(parts).toOpaque()
        unsafe schema.release = { schema in
            guard let schema = unsafe schema, let parts = unsafe schema.pointee.private_data else { return }
            unsafe schema.pointee.release = nil
            unsafe schema.pointee.private_data = nil
            unsafe Unmanaged<SchemaParts>.fromOpaque(parts).release()
        }
        return unsafe schema
    }
}

/// The memory that an `ArrowArray` refers to.
@safe
private final class ArrayParts {
    var buffers: [UnsafeMutableRawPointer?] = unsafe []
    var bufferList: UnsafeMutablePointer<UnsafeRawPointer?>?
    var children: [UnsafeMutablePointer<ArrowArray>] = unsafe []
    var list: UnsafeMutablePointer<UnsafeMutablePointer<ArrowArray>?>?

    deinit {
        for index in unsafe buffers.indices { unsafe buffers[index]?.deallocate() }
        unsafe bufferList?.deallocate()
        for index in unsafe children.indices {
            let child = unsafe children[index]
            if let release = unsafe child.pointee.release { unsafe release(child) }
            unsafe child.deallocate()
        }
        unsafe list?.deallocate()
    }
}

extension ArrowArray {
    static func exported(
        rows: Int, nulls: Int, _ buffers: [UnsafeMutableRawPointer?], _ children: [ArrowArray]
    ) -> ArrowArray {
        let parts = ArrayParts()
        var array = unsafe ArrowArray()
        unsafe array.length = Int64(rows)
        unsafe array.null_count = Int64(nulls)
        unsafe array.n_buffers = unsafe Int64(buffers.count)
        unsafe array.n_children = unsafe Int64(children.count)
        unsafe parts.buffers = unsafe buffers
        let bufferList = unsafe UnsafeMutablePointer<UnsafeRawPointer?>.allocate(capacity: max(1, buffers.count))
        for index in unsafe buffers.indices { unsafe bufferList[index] = UnsafeRawPointer(buffers[index]) }
        unsafe parts.bufferList = unsafe bufferList
        unsafe array.buffers = unsafe bufferList
        if unsafe !children.isEmpty {
            let list = unsafe UnsafeMutablePointer<UnsafeMutablePointer<ArrowArray>?>.allocate(capacity: children.count)
            for index in unsafe children.indices {
                let place = UnsafeMutablePointer<ArrowArray>.allocate(capacity: 1)
                unsafe place.initialize(to: children[index])
                unsafe parts.children.append(place)
                unsafe list[index] = unsafe place
            }
            unsafe parts.list = unsafe list
            unsafe array.children = unsafe list
        }
        unsafe array.private_data = unsafe Unmanaged.passRetained(parts).toOpaque()
        unsafe array.release = { array in
            guard let array = unsafe array, let parts = unsafe array.pointee.private_data else { return }
            unsafe array.pointee.release = nil
            unsafe array.pointee.private_data = nil
            unsafe Unmanaged<ArrayParts>.fromOpaque(parts).release()
        }
        return unsafe array
    }
}

extension TableColumn {
    var schema: ArrowSchema {
        switch type {
        case .string: unsafe .exported("u", name: name, isNullable: true, [])
        case .integer: unsafe .exported("l", name: name, isNullable: true, [])
        case .real: unsafe .exported("g", name: name, isNullable: true, [])
        case .boolean: unsafe .exported("b", name: name, isNullable: true, [])
        case .list:
            unsafe .exported(
                "+l", name: name, isNullable: true, [.exported("u", name: "item", isNullable: true, [])])
        }
    }
}

extension ColumnBuilder {
    /// Returns the rows as an array and starts with an empty batch.
    mutating func takeArray(rows count: Int) -> ArrowArray {
        pad(to: count)
        if kind == .boolean { values.padBits(to: count) }
        validity.padBits(to: count)
        let (nulls, items) = (nulls, items)
        let bits = unsafe nulls == 0 ? nil : validity.take()
        if nulls == 0 { validity.shorten(to: 0) }
        defer { beginBatch() }
        switch kind {
        case .integer, .real, .boolean:
            return unsafe .exported(rows: count, nulls: nulls, [bits, values.take()], [])
        case .string:
            return unsafe .exported(rows: count, nulls: nulls, [bits, values.take(), text.take()], [])
        case .list:
            let texts = unsafe ArrowArray.exported(rows: items, nulls: 0, [nil, textEnds.take(), text.take()], [])
            return unsafe .exported(rows: count, nulls: nulls, [bits, values.take()], [texts])
        }
    }
}
