import ChemopenModel

/// Something that a record held and its new format has no place for.
public struct Loss: Sendable, Hashable {
    public var feature: Feature
    /// What it was, in the words of the format it came from: `M  ZZC`, `MUL`, `yAROMATIC`.
    public var detail: Text
    /// How often the record has it.
    public var count: Int

    public init(_ feature: Feature, _ detail: Text = "", count: Int = 1) {
        self.feature = feature
        self.detail = detail
        self.count = count
    }
}

extension [Loss] {
    /// Notes a loss, adding to one of the same kind.
    public mutating func note(_ feature: Feature, _ detail: Text = "", count: Int = 1) {
        if count == 0 { return }
        if let place = firstIndex(where: { $0.feature == feature && $0.detail == detail }) {
            self[place].count += count
        } else {
            append(Loss(feature, detail, count: count))
        }
    }
}
