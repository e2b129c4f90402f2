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
    /// The entry that is looked at first: most records lose the same in the same order.
    private var likely = 0

    /// A report of nothing.
    public init() {}

    /// Whether nothing was lost.
    public var isEmpty: Bool { losses.isEmpty }

    mutating func add(_ found: [Loss], inRecord number: Int) {
        let found = found.span
        for index in found.indices {
            let place = place(of: found[index])
            likely = place + 1 < losses.count ? place + 1 : 0
            losses[place].count += found[index].count
            losses[place].records.add(number)
        }
    }

    private mutating func place(of loss: borrowing Loss) -> Int {
        if likely < losses.count, losses[likely].feature == loss.feature, losses[likely].detail == loss.detail {
            return likely
        }
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

    mutating func add(version: String, because reason: String, inRecord number: Int) {
        var place = versions.firstIndex { $0.version == version && $0.reason == reason }
        if place == nil {
            versions.append(VersionEntry(version: version, reason: reason))
            place = versions.count - 1
        }
        if let place { versions[place].records.add(number) }
    }
}

extension LossReport.Entry {
    /// Whether it is there still, and only said in another way.
    public var isRewritten: Bool { Loss.tellsOfRewriting(detail) }
}

extension LossReport.Entry: CustomStringConvertible {
    /// `aliases (3, in records 1, 7 and 9)`.
    public var description: String {
        let name = detail.isEmpty ? feature.name : "\(feature.name) \(detail.shown)"
        return "\(name) (\(count), in \(records))"
    }
}

extension LossReport.VersionEntry: CustomStringConvertible {
    /// `written as V3000: record 5 (more than 999 atoms)`.
    public var description: String {
        "written as \(version): \(records) (\(reason))"
    }
}
