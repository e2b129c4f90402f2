import ChemopenModel

extension Format {
    /// Returns the features that files of one version of the format support.
    public func supportedFeatures(in version: WriteOptions.Version) -> Features {
        version == .v2000 ? supportedFeatures.subtracting(MDLFeatures.beyondV2000) : supportedFeatures
    }
}

extension MDLFeatures {
    /// The features that only a V3000 table supports. V2000 tables also preserve unrecognized lines.
    static let beyondV2000 = MDLTables.v2000.missing.subtracting(Features(.unknown)).union(
        Features(.dativeBonds, .hydrogenBonds, .multicenterBonds, .bondDisplay))
}
