/// The data that a conversion left out or wrote in an unusual version, by kind and with the affected records.
public struct LossReport: Sendable {
    /// The losses of one kind.
    public struct Entry: Sendable {
        /// The kind of data.
        public let feature: Feature
        /// A description in the terms of the source format.
        public let detail: Text
        /// The number of losses.
        public fileprivate(set) var count = 0
        /// The affected records.
        public fileprivate(set) var records = RecordRanges()
    }

    /// Records that were written in a version other than the default.
    public struct VersionEntry: Sendable {
        /// The version that was written.
        public let version: String
        /// The reason for the version.
        public let reason: String
        /// The affected records.
        public fileprivate(set) var records = RecordRanges()
    }

    /// The losses, one entry for each kind and detail.
    public private(set) var losses: [Entry] = []
    /// The versions other than the default.
    public private(set) var versions: [VersionEntry] = []
    /// The names of the fields that were left out, at most 10,000.
    package private(set) var fieldNames: Set<Text> = []
    /// Whether further fields were left out.
    package private(set) var hasMoreFields = false
    private static let mostFieldNames = 10_000

    /// The maximum number of details for each kind. This is less than the number of details that the losses of one
    /// record distinguish.
    private static let mostDetails = 8
    /// A cache of the entries for recent losses.
    private var known = KnownEntries()

    /// Creates an empty report.
    public init() {}

    /// Adds a writer's report about a record.
    package mutating func add(_ report: WriteReport, inRecord number: Int) {
        if !report.losses.isEmpty { add(report.losses, inRecord: number) }
        if !report.reason.isEmpty { add(version: report.version, because: report.reason, inRecord: number) }
    }

    /// Whether there are no losses.
    public var isEmpty: Bool { losses.isEmpty }

    package mutating func add(_ found: [Loss], inRecord number: Int) {
        let found = found.span
        for index in found.indices {
            let place = known.place(of: found[index]) ?? place(of: found[index])
            losses[place].count += found[index].count
            losses[place].records.add(number)
        }
    }

    private mutating func place(of loss: borrowing Loss) -> Int {
        // Known fields have an entry in the cache, so this code sees each name at least once.
        if loss.feature == .fields, !Loss.tellsOfRewriting(loss.detail) {
            if loss.detail == Loss.others(than: loss.detail) || fieldNames.count >= Self.mostFieldNames {
                hasMoreFields = true
            } else {
                fieldNames.insert(loss.detail)
            }
        }
        let place = entry(of: loss)
        known.keep(place, of: loss)
        return place
    }

    private mutating func entry(of loss: borrowing Loss) -> Int {
        var details = 0
        for place in losses.indices where losses[place].feature == loss.feature {
            if losses[place].detail == loss.detail { return place }
            details += 1
        }
        if details < Self.mostDetails {
            losses.append(Entry(feature: loss.feature, detail: loss.detail))
            return losses.count - 1
        }
        let detail = Loss.others(than: loss.detail)
        for place in losses.indices where losses[place].feature == loss.feature {
            if losses[place].detail == detail { return place }
        }
        losses.append(Entry(feature: loss.feature, detail: detail))
        return losses.count - 1
    }

    package mutating func add(version: String, because reason: String, inRecord number: Int) {
        var place = versions.firstIndex { $0.version == version && $0.reason == reason }
        if place == nil {
            versions.append(VersionEntry(version: version, reason: reason))
            place = versions.count - 1
        }
        if let place { versions[place].records.add(number) }
    }
}

/// A cache of the entry indices for recent losses. The records of a file usually have similar losses.
private struct KnownEntries {
    private var slots: [Slot] = []
    private static let count = 128

    private struct Slot {
        var loss = Loss(.molecules)
        var place = -1
    }

    func place(of loss: borrowing Loss) -> Int? {
        let slots = slots.span
        if slots.isEmpty { return nil }
        let slot = Self.slot(of: loss)
        guard slots[slot].place >= 0, slots[slot].loss.feature == loss.feature, slots[slot].loss.detail == loss.detail
        else { return nil }
        return slots[slot].place
    }

    mutating func keep(_ place: Int, of loss: borrowing Loss) {
        if slots.isEmpty { slots = [Slot](repeating: Slot(), count: Self.count) }
        let slot = Self.slot(of: loss)
        slots[slot].loss = copy loss
        slots[slot].place = place
    }

    /// Uses the length and two bytes of the detail, because field names often have the same beginning.
    private static func slot(of loss: borrowing Loss) -> Int {
        let bytes = loss.detail.bytes.span
        var sum = Int(loss.feature.rawValue) &+ bytes.count &* 5
        if !bytes.isEmpty { sum &+= Int(bytes[bytes.count / 2]) &* 3 &+ Int(bytes[bytes.count &- 1]) }
        return sum % count
    }
}

extension LossReport.Entry {
    /// Whether the data is still present in a different form.
    public var isRewritten: Bool { Loss.tellsOfRewriting(detail) }
}

extension LossReport.Entry {
    /// A note about the consequence, to be appended to the description.
    package var remark: String { feature == .foreignEncoding ? "; guessed as Windows-1252 or escaped" : "" }
}

extension LossReport.Entry: CustomStringConvertible {
    /// The entry as text, such as `aliases (3, in records 1, 7 and 9)`.
    public var description: String {
        let name = detail.isEmpty ? feature.name : "\(feature.name) \(detail.shown)"
        return "\(name) (\(count), in \(records))"
    }
}

extension LossReport {
    /// One line for each kind, such as `left out: fields CAS (7, in records 1-7); fields MASS (7, in records 1-7)`.
    package var lines: [(feature: Feature, text: String)] {
        var lines: [(feature: Feature, isRewritten: Bool, text: String)] = []
        for entry in losses {
            let place = lines.firstIndex { $0.feature == entry.feature && $0.isRewritten == entry.isRewritten }
            if let place {
                lines[place].text += "; \(entry)\(entry.remark)"
            } else {
                let verb = entry.isRewritten ? "changed" : "left out"
                lines.append((entry.feature, entry.isRewritten, "\(verb): \(entry)\(entry.remark)"))
            }
        }
        return lines.map { ($0.feature, $0.text) }
    }
}

extension LossReport.VersionEntry: CustomStringConvertible {
    /// The entry as text, such as `written as V3000: record 5 (more than 999 atoms)`.
    public var description: String {
        "written as \(version): \(records) (\(reason))"
    }
}
