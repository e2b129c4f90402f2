// The tasks that copy records.

extension ToolRun {
    /// Performs the task and writes its output.
    func write(_ inputs: [Source], to path: LocalPath) throws(Conversion.Failure) {
        if inputs.count > ToolPlaces.mostInputs { throw .impossible("there are too many inputs") }
        if !path.isDash, !tool.overwritesExistingFiles, fileKind(path) == .regular {
            // Check this first, to avoid reading large inputs unnecessarily.
            throw .write(WriteError(FileError(path, .alreadyExists)))
        }
        switch tool.task {
        case .head(let count, isRest: false): try copy(inputs, to: path, atMost: count) { _, _, _ in true }
        case .tail(let first, isStart: true):
            try copy(inputs, to: path) { [self] _, _, _ in summary.read >= first }
        case .distinct(let identity, .first(count: nil)): try copyDistinct(inputs, to: path, by: identity)
        case .distinct(let identity, .atMost(let count)):
            try copyDistinct(inputs, to: path, by: identity, atMost: count)
        case .head(let count, isRest: true): try copyHead(inputs, to: path, without: count)
        case .tail(let count, isStart: false): try copyTail(inputs, to: path, count)
        case .sample(let count, let seed): try copySample(inputs, to: path, count, seed)
        case .sort(let orders): try copySorted(inputs, to: path, by: orders)
        case .distinct(let identity, let repeats): try copyCounted(inputs, to: path, by: identity, repeats)
        case .select(let choice): try copySelected(inputs, to: path, choice)
        case .join(let table): try copyJoined(inputs, to: path, with: table)
        }
    }

    /// Copies the records for which a function returns `true`, in one pass.
    ///
    /// - Parameter limit: The number of records after which to stop.
    /// - Parameter skippingStructures: Whether the function ignores structures.
    /// - Parameter change: Changes the bytes of a record and, before the first one, the header of the output.
    func copy(
        _ inputs: [Source], to path: LocalPath, atMost limit: Int = .max, skippingStructures: Bool = true,
        change: RecordRewriting? = nil,
        if isWanted: (inout Record, borrowing RecordStream, ToolInput) throws(Conversion.Failure) -> Bool
    ) throws(Conversion.Failure) {
        guard let first = inputs.first else { throw .impossible("there is no input") }
        var input: ToolInput
        if let opened = exchange(&openedFirst, with: nil) {
            input = opened
        } else {
            input = try open(first, keepsBytes: false, to: path)
        }
        if input.format.isSheet {
            return try copyRows(input, inputs, to: path, atMost: limit, skippingStructures, if: isWanted)
        }
        var output = try self.output(path)
        var isContiguous = true
        for (number, source) in inputs.enumerated() {
            if number > 0 {
                if output.written >= limit { break }
                input = try open(source, keepsBytes: false, to: path)
                isContiguous = false
            }
            let current = input
            try read(current, skippingStructures: skippingStructures) {
                isContiguous = false
            } rest: { stream throws(Conversion.Failure) in
                // The header of a table without rows precedes no record.
                if output.written == 0 { try begin(&output, change, current.format) }
                guard isContiguous else { return }
                var rest: [UInt8] = []
                stream.copyBytesBetweenRecords(to: &rest)
                output.take(rest: rest)
            } take: { record, stream throws(Conversion.Failure) in
                if output.written == 0 { try begin(&output, change, current.format) }
                if output.written >= limit { return false }
                guard try isWanted(&record, stream, current) else {
                    isContiguous = false
                    return true
                }
                var (lead, bytes): ([UInt8], [UInt8]) = ([], [])
                // A changed header replaces the one before the first record.
                let hasNewHead = change != nil && output.written == 0 && !head.isEmpty
                if isContiguous, !hasNewHead { stream.copyBytesBetweenRecords(to: &lead) }
                stream.copyRecordBytes(to: &bytes)
                let isFirst = lead.count == stream.place.offset
                if let change { bytes = try change.bytes(&record, stream, current, bytes) }
                try output.copy(bytes, lead: lead, isFirst: isFirst)
                isContiguous = true
                return output.written < limit
            }
        }
        try output.finish()
        summary.written = output.written
        summary.files = 1
    }

    private func begin(
        _ output: inout CopiedRecords, _ change: RecordRewriting?, _ format: Format
    ) throws(Conversion.Failure) {
        let (header, head) = try change?.head(format) ?? (header, head)
        output.begin(header, head)
    }

    /// Opens the first input. Returns it if it is a DataSheet; otherwise the next copy uses it.
    func sheet(_ first: Source, to path: LocalPath) throws(Conversion.Failure) -> ToolInput? {
        let input = try open(first, keepsBytes: false, to: path)
        if input.format.isSheet { return input }
        openedFirst = input
        return nil
    }

    private func copyRows(
        _ first: ToolInput, _ inputs: [Source], to path: LocalPath, atMost limit: Int, _ skippingStructures: Bool,
        if isWanted: (inout Record, borrowing RecordStream, ToolInput) throws(Conversion.Failure) -> Bool
    ) throws(Conversion.Failure) {
        var rows = SheetRows()
        for (number, source) in inputs.enumerated() {
            let input = number == 0 ? first : try open(source, keepsBytes: true, to: path)
            rows.inputs.append(input)
            try read(input, skippingStructures: skippingStructures) { record, stream throws(Conversion.Failure) in
                if rows.order.count < limit, try isWanted(&record, stream, input) {
                    rows.order.append((number, stream.place.record - 1))
                }
                return rows.order.count < limit
            }
        }
        try write(rows, to: path)
    }

    // MARK: Two passes

    /// Reads all selected records and passes each with its position.
    ///
    /// - Returns: The inputs, which can be read again.
    func collect(
        _ inputs: [Source], to path: LocalPath?, skippingStructures: Bool,
        take: (inout Record, RecordFilter.Context, RecordPlace, _ input: Int) throws(Conversion.Failure) -> Void
    ) throws(Conversion.Failure) -> [ToolInput] {
        var opened: [ToolInput] = []
        for (number, source) in inputs.enumerated() {
            let input = try open(source, keepsBytes: true, to: path)
            opened.append(input)
            try read(input, skippingStructures: skippingStructures) { record, stream throws(Conversion.Failure) in
                var place = stream.place
                if input.format.isSheet { (place.offset, place.length) = (stream.place.record - 1, 0) }
                try take(&record, Self.context(stream, input), place, number)
                return true
            }
        }
        return opened
    }

    /// Copies records in an order.
    ///
    /// - Parameter change: Changes the bytes of a record.
    func copy(
        _ order: some Sequence<Int>, of places: ToolPlaces, in inputs: [ToolInput], to path: LocalPath,
        header wide: (header: SheetHeader, head: [UInt8])? = nil,
        change: ((_ bytes: [UInt8], _ index: Int) throws(Conversion.Failure) -> [UInt8])? = nil
    ) throws(Conversion.Failure) {
        if format?.isSheet == true {
            var rows = SheetRows()
            rows.inputs = inputs
            rows.order = order.map { (places[$0].input, places[$0].range.lowerBound) }
            return try write(rows, to: path)
        }
        var output = try self.output(path)
        output.begin(wide?.header ?? header, wide?.head ?? head)
        var current: Int?
        for index in order {
            if isCancelled { throw .cancelled }
            let (number, range) = places[index]
            if let last = current, last != number { try inputs[last].finish() }
            current = number
            var bytes = try inputs[number].bytes(range)
            if let change { bytes = try change(bytes, index) }
            try output.copy(bytes, isFirst: range.lowerBound == 0)
        }
        for input in inputs { try input.finish() }
        try output.finish()
        summary.written += output.written
        summary.files += 1
    }

    private func copyHead(_ inputs: [Source], to path: LocalPath, without count: Int) throws(Conversion.Failure) {
        var places = ToolPlaces()
        let opened = try collect(inputs, to: path, skippingStructures: true) { _, _, place, input in
            places.append(place, ofInput: input)
        }
        try copy(0..<max(0, places.count - count), of: places, in: opened, to: path)
    }

    private func copyTail(_ inputs: [Source], to path: LocalPath, _ count: Int) throws(Conversion.Failure) {
        var places = ToolPlaces()
        var next = 0
        let opened = try collect(inputs, to: path, skippingStructures: true) { _, _, place, input in
            if places.count < count {
                places.append(place, ofInput: input)
            } else if count > 0 {
                places.replace(next, by: place, ofInput: input)
                next = (next + 1) % count
            }
        }
        let all = places.count
        try copy((0..<all).lazy.map { ($0 + next) % max(1, all) }, of: places, in: opened, to: path)
    }

    private func copySample(
        _ inputs: [Source], to path: LocalPath, _ count: Int, _ seed: UInt64
    ) throws(Conversion.Failure) {
        var places = ToolPlaces()
        var random = SeededRandom(seed)
        var seen = 0
        let opened = try collect(inputs, to: path, skippingStructures: true) { _, _, place, input in
            seen += 1
            if places.count < count {
                places.append(place, ofInput: input)
            } else {
                let index = random.next(below: seen)
                if index < count { places.replace(index, by: place, ofInput: input) }
            }
        }
        try copy((0..<places.count).sorted { places.isInOrder($0, $1) }, of: places, in: opened, to: path)
    }
}

/// A change that is applied to copied records.
struct RecordRewriting {
    /// Returns the header of the output, after the first record was read.
    let head: (Format) throws(Conversion.Failure) -> (header: SheetHeader, head: [UInt8])
    /// Returns the bytes of a record in the output.
    let bytes: (inout Record, borrowing RecordStream, ToolInput, [UInt8]) throws(Conversion.Failure) -> [UInt8]
}

/// A generator of random numbers that are the same on every machine (SplitMix64).
private struct SeededRandom {
    private var state: UInt64

    init(_ seed: UInt64) {
        state = seed
    }

    /// Returns a number from 0 up to, but not including, a limit.
    mutating func next(below limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        bits ^= bits >> 31
        return Int(bits.multipliedFullWidth(by: UInt64(max(1, limit))).high)
    }
}
