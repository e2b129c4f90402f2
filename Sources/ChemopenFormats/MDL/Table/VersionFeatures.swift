import ChemopenModel

extension Format {
    /// The features that files of one version of the format have a place for.
    public func holds(in version: WriteOptions.Version) -> Features {
        version == .v2000 ? holds.subtracting(MDLFeatures.beyondV2000) : holds
    }
}

extension MDLFeatures {
    /// The features that only a V3000 table can say. Lines of its own V2000 keeps, too.
    static let beyondV2000 = MDLTables.v2000.missing.subtracting(Features(.unknown)).union(
        Features(.dativeBonds, .hydrogenBonds, .multicentreBonds, .bondDisplay))
}
