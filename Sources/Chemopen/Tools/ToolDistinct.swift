extension ToolRun {
    /// Copies the first records of each kind in one pass.
    func copyDistinct(
        _ inputs: [Source], to path: LocalPath, by identity: RecordIdentity, atMost limit: Int = 1
    ) throws(Conversion.Failure) {
        var texts = try IdentityText(identity)
        var table = DigestTable(keepsIndices: limit > 1)
        var counts: [UInt32] = []
        var withoutKey = 0
        try copy(
            inputs, to: path, skippingStructures: !identity.readsStructure
        ) { record, stream, input throws(Conversion.Failure) in
            guard let text = try texts.text(of: &record, Self.context(stream, input)) else {
                withoutKey += 1
                return true
            }
            let (isNew, index) = table.insert(text)
            if limit <= 1 { return isNew && limit == 1 }
            if isNew { counts.append(0) }
            counts[index] += 1
            return counts[index] <= limit
        }
        summary.withoutKey = withoutKey
    }

    /// Copies records depending on the number of records of their kind, which must be known before the first record is
    /// written.
    func copyCounted(
        _ inputs: [Source], to path: LocalPath, by identity: RecordIdentity, _ repeats: RecordTool.Repeats
    ) throws(Conversion.Failure) {
        var texts = try IdentityText(identity)
        var table = DigestTable(keepsIndices: true)
        var places = ToolPlaces()
        // The number of records of each kind; a record without an identity has its own kind.
        var counts: [UInt32] = []
        var kinds: [UInt32] = []
        let opened = try collect(
            inputs, to: path, skippingStructures: !identity.readsStructure
        ) { record, context, place, input throws(Conversion.Failure) in
            if let text = try texts.text(of: &record, context) {
                let (isNew, index) = table.insert(text)
                if !isNew {
                    counts[Int(kinds[index])] += 1
                    return
                }
                kinds.append(UInt32(clamping: counts.count))
            } else {
                summary.withoutKey += 1
            }
            counts.append(1)
            places.append(place, ofInput: input)
        }
        kinds = []
        let all = counts
        let name: Text?
        let isWanted: (UInt32) -> Bool
        switch repeats {
        case .first(let count): (name, isWanted) = (count, { _ in true })
        case .repeated(let count): (name, isWanted) = (count, { $0 > 1 })
        case .single: (name, isWanted) = (nil, { $0 == 1 })
        case .atMost: (name, isWanted) = (nil, { _ in true })
        }
        let order = all.indices.lazy.filter { isWanted(all[$0]) }
        guard let name else { return try copy(order, of: places, in: opened, to: path) }
        try copy(order, of: places, in: opened, to: path, adding: name) { Text("\(all[$0])") }
    }
}
