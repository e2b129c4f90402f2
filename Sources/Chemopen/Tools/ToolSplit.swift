extension ToolRun {
    /// Writes the records to files in a directory.
    func split(
        _ inputs: [Source], into folder: LocalPath, by division: RecordDivision
    ) throws(Conversion.Failure) {
        let isNewFolder = fileKind(folder) == .missing
        do throws(FileError) {
            try makeFolder(folder)
        } catch {
            throw .write(WriteError(error))
        }
        ByteSink.sweep(beside: folder.appending("any"))
        var made: [(path: LocalPath, identity: FileIdentity?)] = []
        do throws(Conversion.Failure) {
            var groups = RecordGroups(division)
            var places = ToolPlaces()
            let opened = try collect(
                inputs, to: nil, skippingStructures: !groups.readsStructures
            ) { record, context, place, input in
                places.append(place, ofInput: input)
                groups.add(record, context)
            }
            summary.withoutKey = groups.withoutValue
            var names = DistinctNames()
            let stem = inputs.first.map { fileStem($0.fileName) } ?? "records"
            let suffix = format?.extensions.first ?? "out"
            for (group, members) in groups.members {
                let path = folder.appending("\(names.take(groups.name(group, stem))).\(suffix)")
                if fileKind(path) == .missing { made.append((path, nil)) }
                let (written, files) = (summary.written, summary.files)
                try copy(members, of: places, in: opened, to: path)
                if format?.isSheet == true {
                    summary.written += written
                    summary.files = files + 1
                }
                if made.last?.path == path { made[made.count - 1].identity = FileIdentity(path) }
            }
        } catch {
            // An incomplete set of files could be mistaken for a complete one.
            for file in made.reversed() {
                guard let identity = file.identity, FileIdentity(file.path) == identity else { continue }
                removeFile(file.path)
            }
            if isNewFolder { removeFolderIfEmpty(folder) }
            throw error
        }
    }
}

/// The records of each file of a split.
private struct RecordGroups {
    private let division: RecordDivision
    /// The values of the groups, in the order of their first records.
    private var values: [[UInt8]] = []
    private var table = DigestTable(keepsIndices: true)
    /// The group of each record.
    private var groups: [UInt32] = []
    private(set) var withoutValue = 0

    init(_ division: RecordDivision) {
        self.division = division
    }

    var readsStructures: Bool { if case .value(let fact) = division { fact.readsStructure } else { false } }

    mutating func add(_ record: borrowing Record, _ context: RecordFilter.Context) {
        switch division {
        case .size(let size):
            groups.append(UInt32(clamping: groups.count / max(1, size)))
        case .value(let fact):
            let value = fact.text(in: record, context) ?? []
            if value.isEmpty { withoutValue += 1 }
            let (isNew, index) = table.insert(value)
            if isNew { values.append(value) }
            groups.append(UInt32(clamping: index))
        }
    }

    /// The groups with their members, in order.
    var members: [(group: Int, members: [Int])] {
        let count = (groups.max().map { Int($0) } ?? -1) + 1
        var sizes = Array(repeating: 0, count: count + 1)
        for group in groups { sizes[Int(group) + 1] += 1 }
        for index in 0..<count { sizes[index + 1] += sizes[index] }
        var sorted = Array(repeating: UInt32(0), count: groups.count)
        var next = sizes
        for (place, group) in groups.enumerated() {
            sorted[next[Int(group)]] = UInt32(clamping: place)
            next[Int(group)] += 1
        }
        let all = sorted
        return (0..<count).map { group in (group, all[sizes[group]..<sizes[group + 1]].map { Int($0) }) }
    }

    /// Returns the file name of a group without its extension.
    func name(_ group: Int, _ stem: LocalPath) -> LocalPath {
        guard case .value = division else {
            let digits = String(group + 1)
            return "\(stem)-\(String(repeating: "0", count: max(0, 4 - digits.count)) + digits)"
        }
        let safe = safeFileName(LocalPath(bytes: values[group]))
        return safe.bytes.isEmpty ? "\(stem)-none" : safe
    }
}
