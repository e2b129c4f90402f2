import Chemopen

/// Writes hits to standard output: copied verbatim if their format is that of the output, otherwise converted.
struct HitOutput: ~Copyable {
    private let terminal: Terminal
    private let formats: FormatRegistry
    private var writer: (any RecordWriter & ~Copyable)?
    private var format: Format?
    private var losses: [Feature: Int] = [:]
    private(set) var status = ExitStatus.done
    private var lastShown: UInt64 = 0

    /// The maximum time in nanoseconds that a hit waits to be printed together with others.
    private static let patience: UInt64 = 20_000_000

    init(_ terminal: Terminal, among formats: FormatRegistry) {
        self.terminal = terminal
        self.formats = formats
    }

    mutating func take(_ hit: consuming StructureSearch.Hit) {
        do throws(WriteError) {
            try write(hit)
        } catch {
            terminal.tell(.error, "\(error)")
            status.raise(to: .unwritable)
        }
        showSoon()
    }

    private mutating func write(_ hit: StructureSearch.Hit) throws(WriteError) {
        if format == nil { try begin(formatOfAll(for: hit)) }
        guard let format else { return }
        if hit.format.id == format.id {
            try writer?.copy(hit.bytes, beginsFile: false)
        } else if let record = Self.record(of: hit) {
            for loss in try writer?.write(record).losses ?? [] { losses[loss.feature, default: 0] += loss.count }
        }
        if let bytes = writer?.takeBytes() { terminal.write(bytes) }
    }

    private mutating func begin(_ format: Format) throws(WriteError) {
        self.format = format
        writer = try format.makeWriter(ByteSink(), WriteOptions())
        try writer?.begin(SheetHeader())
    }

    /// Returns the output format. It is the format of the first hit if it can contain several records and its header
    /// does not depend on them.
    private func formatOfAll(for hit: StructureSearch.Hit) -> Format {
        let format = hit.format
        func fits(_ format: Format) -> Bool {
            format.isWritable && !format.needsColumns && !format.hasCommonPages
        }
        if format.supportedFeatures.contains(.severalRecords), fits(format) { return format }
        let isReaction = Self.record(of: hit)?.reaction != nil
        let wanted = Features(.severalRecords, isReaction ? .reactions : .molecules)
        let fit = formats.filter { fits($0) && $0.supportedFeatures.isSuperset(of: wanted) }
        // Prefer a format without a header and footer, because its records can simply be concatenated.
        return fit.first { $0.mayBeEmpty } ?? fit.first ?? format
    }

    static func record(of hit: StructureSearch.Hit) -> Record? {
        if let record = hit.record { return record }
        guard let source = try? ByteSource(hit.bytes, name: "hit"),
            var stream = try? RecordStream.open(source, as: hit.format)
        else { return nil }
        return (try? stream.next()) ?? nil
    }

    /// Prints pending output unless output was printed a moment ago.
    mutating func showSoon() {
        let now = monotonicNanoseconds()
        guard now &- lastShown > Self.patience else { return }
        lastShown = now
        terminal.flush()
    }

    /// Prints hits that were held back.
    mutating func showIfDue() {
        if terminal.hasPendingOutput { showSoon() }
    }

    /// Writes the end of the file and reports losses.
    mutating func finish() {
        do throws(WriteError) {
            try writer?.finish()
            if let bytes = writer?.takeBytes() { terminal.write(bytes) }
        } catch {
            terminal.tell(.error, "\(error)")
            status.raise(to: .unwritable)
        }
        terminal.flush()
        for (feature, count) in losses.sorted(by: { $0.key.name < $1.key.name }) {
            terminal.tell(.note, "left out: \(feature.name) (\(count))")
        }
    }
}
