import ChemopenModel

/// Data in a record that the target format cannot represent.
public struct Loss: Sendable, Hashable {
    /// The kind of content.
    public var feature: Feature
    /// The lost content in the terms of the original format: `M  ZZC`, `MUL`, `yAROMATIC`.
    public var detail: Text
    /// The number of occurrences in the record.
    public var count: Int

    /// Creates a loss with one or more occurrences.
    public init(_ feature: Feature, _ detail: Text = "", count: Int = 1) {
        self.feature = feature
        self.detail = detail
        self.count = count
    }
}

extension [Loss] {
    /// The number of details of a feature that are listed separately for a record. A file can contain any number of
    /// them.
    package static var mostDetails: Int { 32 }

    /// Adds a loss to the list, or increases the count of an equal one. Details beyond `mostDetails` are counted
    /// together.
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

    /// Returns the index of an equal loss. Otherwise, counts the other losses of the same feature.
    private func place(of loss: borrowing Loss, _ others: inout Int) -> Int? {
        let known = span
        for place in known.indices where known[place].feature == loss.feature {
            if known[place].detail == loss.detail { return place }
            others += 1
        }
        return nil
    }

    /// Adds the losses of another record, or of another part of this one.
    package mutating func note(_ losses: [Loss]) {
        for loss in losses where loss.count != 0 { add(loss) }
    }
}

extension Loss {
    /// Returns the detail for all further losses of the same kind that are not listed separately.
    package static func others(than detail: Text) -> Text {
        tellsOfRewriting(detail) ? otherWays : others
    }

    private static let otherWays: Text = "written in other ways"
    private static let others: Text = "and others"

    /// Whether the content is preserved and only represented in another way.
    package static func tellsOfRewriting(_ detail: Text) -> Bool {
        detail.bytes.starts(with: "written ".utf8)
    }
}
