import Chemopen

/// The marks and field names of consecutive records.
struct MarkedRecords: Sendable {
    var marks: [RecordMark] = []
    var fields: [Text] = []
}

extension RecordPages {
    /// Reads records once to derive their names. Structures are skipped if the format supports it.
    ///
    /// - Parameters:
    ///   - key: the key of a record, if the mapping specifies one.
    ///   - file: the name of the file in texts.
    func marks(_ numbers: Range<Int>, _ index: RecordIndex, by key: Template?, in file: String) -> MarkedRecords {
        var contents = [(whole: UInt64, structure: UInt64)](repeating: (0, 0), count: numbers.count)
        var keys = [(key: String, fields: [UInt8])](repeating: ("", []), count: numbers.count)
        var found = MarkedRecords()
        var knownColumns = 0
        func take(_ number: Int, _ record: BrowsedRecord) {
            guard numbers.contains(number) else { return }
            let columns = record.header.columns
            // A new piece of the file starts with an empty header.
            if columns.count != knownColumns {
                found.fields += record.header.hasAllColumns ? record.header.namesOfFields : columns.map(\.name)
                knownColumns = columns.count
            }
            let text = key?.text(of: record, in: file) ?? ""
            keys[number - numbers.lowerBound] = (
                text.isEmpty ? record.record?.title.string.trimmingBlanks ?? "" : text, record.record?.fieldBytes ?? []
            )
        }
        let skips = key?.readsStructure != true
        guard content.isIndexed, !content.isFramed else {
            read(numbers, index, skippingStructures: skips) { number, record in
                take(number, record)
                let hash = content.isIndexed ? contentHash(record.bytes.span, 0..<record.bytes.count) : nil
                contents[number - numbers.lowerBound] = (hash ?? record.record?.drawnHash ?? 0, 0)
                return true
            }
            return found.marking(keys, contents)
        }
        for piece in pieces(of: numbers, index) {
            let start = index.range(of: piece.lowerBound).lowerBound
            guard let bytes = try? content.bytes(start..<index.range(of: piece.upperBound - 1).upperBound) else {
                continue
            }
            for number in piece {
                let place = clamped(index.range(of: number), by: start, to: bytes.count)
                contents[number - numbers.lowerBound] = (
                    contentHash(bytes.span, place), structureHash(bytes.span, place)
                )
            }
        }
        scan(numbers, index, skippingStructures: skips) { number, record in
            take(number, record)
            return true
        }
        return found.marking(keys, contents)
    }
}

extension MarkedRecords {
    fileprivate func marking(
        _ keys: [(key: String, fields: [UInt8])], _ contents: [(whole: UInt64, structure: UInt64)]
    ) -> MarkedRecords {
        var records = self
        records.marks = zip(keys, contents).map { key, content in
            RecordMark(key: key.key, content: content.whole, fields: key.fields, structure: content.structure)
        }
        return records
    }
}

extension Record {
    /// The hash of a record that shares its bytes with others: of its structure, its drawing and its fields.
    fileprivate var drawnHash: UInt64 {
        let words = structureWords + [title.string]
        let bytes = Array(words.joined(separator: "\n").utf8) + fieldBytes
        return stableHash(bytes.span, 0..<bytes.count)
    }

    /// The names and values of the data fields.
    fileprivate var fieldBytes: [UInt8] {
        var bytes: [UInt8] = []
        for field in fields {
            bytes += field.name.bytes + [0] + field.value.bytes + [0]
        }
        return bytes
    }
}
