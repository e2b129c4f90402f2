/// The parts that a conversion left out or wrote otherwise than usual, by kind and with the records concerned.
public struct LossReport: Sendable {
    /// Things of one kind.
    public struct Entry: Sendable {
        /// The kind of the lost things.
        public let feature: Feature
        /// In the words of the format they came from.
        public let detail: Text
        /// How many things were lost.
        public fileprivate(set) var count = 0
        /// The records that lost them.
        public fileprivate(set) var records = RecordRanges()
    }

    /// Records that were written in another version than usual.
    public struct VersionEntry: Sendable {
        /// The version that was written.
        public let version: String
        /// Why it is not the usual one.
        public let reason: String
        /// The records that were written so.
        public fileprivate(set) var records = RecordRanges()
    }

    /// The losses, a kind each.
    public private(set) var losses: [Entry] = []
    /// The versions other than the usual one.
    public private(set) var versions: [VersionEntry] = []

    /// So many details of a kind are told one by one, fewer than a record keeps apart.
    private static let mostDetails = 8
    /// The entries that losses were found to belong to.
    private var known = KnownEntries()

    /// A report of nothing.
    public init() {}

    /// Takes down what a writer says of a record.
    package mutating func add(_ report: WriteReport, inRecord number: Int) {
        if !report.losses.isEmpty { add(report.losses, inRecord: number) }
        if !report.reason.isEmpty { add(version: report.version, because: report.reason, inRecord: number) }
    }

    /// Whether nothing was lost.
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

/// The places of the entries that lately met losses belong to: records of a file lose much the same.
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

    /// Names of fields often begin alike.
    private static func slot(of loss: borrowing Loss) -> Int {
        let bytes = loss.detail.bytes.span
        var sum = Int(loss.feature.rawValue) &+ bytes.count &* 5
        if !bytes.isEmpty { sum &+= Int(bytes[bytes.count / 2]) &* 3 &+ Int(bytes[bytes.count &- 1]) }
        return sum % count
    }
}

extension LossReport.Entry {
    /// Whether it is there still, and only said in another way.
    public var isRewritten: Bool { Loss.tellsOfRewriting(detail) }
}

extension LossReport.Entry {
    /// What became of it, behind the description.
    package var remark: String { feature == .foreignEncoding ? "; read as Windows-1252" : "" }
}

extension LossReport.Entry: CustomStringConvertible {
    /// `aliases (3, in records 1, 7 and 9)`.
    public var description: String {
        let name = detail.isEmpty ? feature.name : "\(feature.name) \(detail.shown)"
        return "\(name) (\(count), in \(records))"
    }
}

extension LossReport {
    /// A line for each kind of things: `left out: fields CAS (7, in records 1-7); fields MASS (7, in records 1-7)`.
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
    /// `written as V3000: record 5 (more than 999 atoms)`.
    public var description: String {
        "written as \(version): \(records) (\(reason))"
    }
}
