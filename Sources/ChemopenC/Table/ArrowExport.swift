import CChemopen

// How Arrow's structures are made and taken back, as the specification of its C data interface has it: a structure that
// is given to somebody holds a function that takes back all that hangs on it, and sets itself to null.

/// What hangs on an `ArrowSchema`.
private final class SchemaParts {
    var texts: [UnsafePointer<CChar>] = []
    var children: [UnsafeMutablePointer<ArrowSchema>] = []
    var list: UnsafeMutablePointer<UnsafeMutablePointer<ArrowSchema>?>?

    deinit {
        for text in texts { text.deallocate() }
        for child in children {
            if let release = child.pointee.release { release(child) }
            child.deallocate()
        }
        list?.deallocate()
    }
}

extension ArrowSchema {
    static func exported(_ format: String, name: String, isNullable: Bool, _ children: [ArrowSchema]) -> ArrowSchema {
        let parts = SchemaParts()
        var schema = ArrowSchema()
        let format = immortal(format)
        let name = immortal(name)
        parts.texts = [format, name]
        schema.format = format
        schema.name = name
        schema.flags = isNullable ? Int64(ARROW_FLAG_NULLABLE) : 0
        schema.n_children = Int64(children.count)
        if !children.isEmpty {
            let list = UnsafeMutablePointer<UnsafeMutablePointer<ArrowSchema>?>.allocate(capacity: children.count)
            for (index, child) in children.enumerated() {
                let place = UnsafeMutablePointer<ArrowSchema>.allocate(capacity: 1)
                place.initialize(to: child)
                parts.children.append(place)
                list[index] = place
            }
            parts.list = list
            schema.children = list
        }
        schema.private_data = Unmanaged.passRetained(parts).toOpaque()
        schema.release = { schema in
            guard let schema, let parts = schema.pointee.private_data else { return }
            schema.pointee.release = nil
            schema.pointee.private_data = nil
            Unmanaged<SchemaParts>.fromOpaque(parts).release()
        }
        return schema
    }
}

/// What hangs on an `ArrowArray`.
private final class ArrayParts {
    var buffers: [UnsafeMutableRawPointer?] = []
    var bufferList: UnsafeMutablePointer<UnsafeRawPointer?>?
    var children: [UnsafeMutablePointer<ArrowArray>] = []
    var list: UnsafeMutablePointer<UnsafeMutablePointer<ArrowArray>?>?

    deinit {
        for buffer in buffers { buffer?.deallocate() }
        bufferList?.deallocate()
        for child in children {
            if let release = child.pointee.release { release(child) }
            child.deallocate()
        }
        list?.deallocate()
    }
}

extension ArrowArray {
    static func exported(
        rows: Int, nulls: Int, _ buffers: [UnsafeMutableRawPointer?], _ children: [ArrowArray]
    ) -> ArrowArray {
        let parts = ArrayParts()
        var array = ArrowArray()
        array.length = Int64(rows)
        array.null_count = Int64(nulls)
        array.n_buffers = Int64(buffers.count)
        array.n_children = Int64(children.count)
        parts.buffers = buffers
        let bufferList = UnsafeMutablePointer<UnsafeRawPointer?>.allocate(capacity: max(1, buffers.count))
        for (index, buffer) in buffers.enumerated() { bufferList[index] = UnsafeRawPointer(buffer) }
        parts.bufferList = bufferList
        array.buffers = bufferList
        if !children.isEmpty {
            let list = UnsafeMutablePointer<UnsafeMutablePointer<ArrowArray>?>.allocate(capacity: children.count)
            for (index, child) in children.enumerated() {
                let place = UnsafeMutablePointer<ArrowArray>.allocate(capacity: 1)
                place.initialize(to: child)
                parts.children.append(place)
                list[index] = place
            }
            parts.list = list
            array.children = list
        }
        array.private_data = Unmanaged.passRetained(parts).toOpaque()
        array.release = { array in
            guard let array, let parts = array.pointee.private_data else { return }
            array.pointee.release = nil
            array.pointee.private_data = nil
            Unmanaged<ArrayParts>.fromOpaque(parts).release()
        }
        return array
    }
}

extension TableColumn {
    var schema: ArrowSchema {
        switch type {
        case .string: .exported("u", name: name, isNullable: true, [])
        case .integer: .exported("l", name: name, isNullable: true, [])
        case .real: .exported("g", name: name, isNullable: true, [])
        case .boolean: .exported("b", name: name, isNullable: true, [])
        case .list:
            .exported(
                "+l", name: name, isNullable: true, [.exported("u", name: "item", isNullable: true, [])])
        }
    }
}

extension ColumnBuilder {
    /// Hands the rows over and begins anew.
    mutating func takeArray(rows count: Int) -> ArrowArray {
        pad(to: count)
        if kind == .boolean { values.padBits(to: count) }
        validity.padBits(to: count)
        let (nulls, items) = (nulls, items)
        let bits = nulls == 0 ? nil : validity.take()
        if nulls == 0 { validity.shorten(to: 0) }
        defer { beginBatch() }
        switch kind {
        case .integer, .real, .boolean:
            return .exported(rows: count, nulls: nulls, [bits, values.take()], [])
        case .string:
            return .exported(rows: count, nulls: nulls, [bits, values.take(), text.take()], [])
        case .list:
            let texts = ArrowArray.exported(rows: items, nulls: 0, [nil, textEnds.take(), text.take()], [])
            return .exported(rows: count, nulls: nulls, [bits, values.take()], [texts])
        }
    }
}
