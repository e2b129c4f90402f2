import ChemopenModel

/// Something that a record held and its new format has no place for.
public struct Loss: Sendable, Hashable {
    /// The kind of the thing.
    public var feature: Feature
    /// The lost thing in the words of the format it came from: `M  ZZC`, `MUL`, `yAROMATIC`.
    public var detail: Text
    /// How often the record has it.
    public var count: Int

    /// A loss of something, once or several times.
    public init(_ feature: Feature, _ detail: Text = "", count: Int = 1) {
        self.feature = feature
        self.detail = detail
        self.count = count
    }
}

extension [Loss] {
    /// So many details of a feature are kept apart in a record; a file can make up as many as it likes.
    package static var mostDetails: Int { 32 }

    /// Notes a loss, adding to one of the same kind. Details beyond `mostDetails` are counted together.
    public mutating func note(
        _ feature: Feature, _ detail: @autoclosure () -> Text = Text(bytes: []), count: Int = 1
    ) {
        if count != 0 { add(Loss(feature, detail(), count: count)) }
    }

    private mutating func add(_ loss: Loss) {
        let (feature, detail, count) = (loss.feature, loss.detail, loss.count)
        var details = 0
        if let place = place(of: loss, &details) {
            self[place].count += count
            return
        }
        if isEmpty { reserveCapacity(Self.mostDetails) }
        if details < Self.mostDetails { return append(loss) }
        let others = Loss.others(than: detail)
        if let place = firstIndex(where: { $0.feature == feature && $0.detail == others }) {
            self[place].count += count
        } else {
            append(Loss(feature, others, count: count))
        }
    }

    /// Where a loss of the same kind stands; else how many others of its feature there are.
    private func place(of loss: borrowing Loss, _ others: inout Int) -> Int? {
        let known = span
        for place in known.indices where known[place].feature == loss.feature {
            if known[place].detail == loss.detail { return place }
            others += 1
        }
        return nil
    }

    /// Notes the losses of another record, or of another part of this one.
    package mutating func note(_ losses: [Loss]) {
        for loss in losses where loss.count != 0 { add(loss) }
    }
}

extension Loss {
    /// The detail of all losses that are not told one by one, like this one.
    package static func others(than detail: Text) -> Text {
        tellsOfRewriting(detail) ? otherWays : others
    }

    private static let otherWays: Text = "written in other ways"
    private static let others: Text = "and others"

    /// Whether the thing is there still, and only said in another way.
    package static func tellsOfRewriting(_ detail: Text) -> Bool {
        detail.bytes.starts(with: "written ".utf8)
    }
}
