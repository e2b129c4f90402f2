import ChemopenBytes
import ChemopenModel

/// A property that V2000 cannot represent.
struct V3000Need: Equatable {
    let text: String
    let feature: Feature
    /// The loss if V2000 is requested nevertheless.
    let loss: String

    init(_ text: String, _ feature: Feature, inV2000 loss: String? = nil) {
        self.text = text
        self.feature = feature
        self.loss = loss ?? text
    }

    static let largeCharge = V3000Need(
        "a charge beyond 15", .charges,
        inV2000: "written with \(PropertyKey.trueCharges), which some programs cannot read")
    static let largeMapNumber = V3000Need("a map number beyond 999", .mapNumbers)
    static let wideCoordinates = V3000Need("coordinates that need more than ten columns", .coordinates)
    static let preciseCoordinates = V3000Need("coordinates with more than four decimals", .precision)
    static let dativeBond = V3000Need(
        "a dative bond", .dativeBonds, inV2000: "written as type 9, which some programs cannot read")
    static let hydrogenBond = V3000Need(
        "a hydrogen bond", .hydrogenBonds, inV2000: "written as type 10, which some programs cannot read")
    static let largeValence = V3000Need("a valence beyond 14", .valences)
    static let longLabel = V3000Need("an atom with a long name", .labels)
    static let stereoCare = V3000Need("stereo care on a bond", .queryBonds)
    static let severalAtoms = V3000Need("a bond to several atoms", .multicenterBonds, inV2000: "")
    static let bondDisplay = V3000Need("the display of a bond", .bondDisplay, inV2000: "")
    static let templateAtoms = V3000Need("template atoms", .templates)
    static let keptKeywords = V3000Need("preserved V3000 keywords", .unknown)

    /// Whether a label fits into the three columns of a symbol and is read as a label there.
    static func fits(_ label: Text) -> Bool {
        guard case .label = AtomSymbol(0..<label.bytes.count, of: label.bytes.span) else { return false }
        return hasRoom(for: label)
    }

    private static func hasRoom(for label: Text) -> Bool {
        label.bytes.count <= 3 && label.bytes.allSatisfy { $0 > Ascii.blank && $0 != 0x7F }
            && label.bytes.first.map(Ascii.isDigit) != true
    }
}
