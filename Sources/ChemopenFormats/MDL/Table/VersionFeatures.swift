import ChemopenModel

extension Format {
    /// What files of one version of the format have a place for.
    public func holds(in version: WriteOptions.Version) -> Features {
        version == .v2000 ? holds.subtracting(MDLFeatures.beyondV2000) : holds
    }
}

extension MDLFeatures {
    /// What only a V3000 table can say.
    static let beyondV2000 = Features(
        .stereoGroups, .collections, .templates, .dativeBonds, .hydrogenBonds, .multicentreBonds, .bondDisplay)
}
