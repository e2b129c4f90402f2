import ChemopenModel

/// An extension of a DataSheet that describes the content of the table.
///
///     SheetAspect.aspects(of: header).map(\.kind)      // [.reaction, .yield]
///
/// The type identifies an aspect; programs choose its name freely. Aspects are only read. The writer preserves
/// extensions verbatim.
public struct SheetAspect: Sendable, Hashable {
    /// The supported kinds of aspects, by type.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A row is a step of a reaction.
        case reaction = "org.mmi.aspect.Reaction"
        /// Columns contain quantities and yields.
        case yield = "org.mmi.aspect.Yield"
        /// Rows combine to experiments.
        case experiment = "org.mmi.aspect.Experiment"
        /// Scaffolds and substituents of a series of compounds.
        case structureActivity = "org.mmi.aspect.SARTable"
        /// Columns contain measured values with their units and errors.
        case measurements = "org.mmi.aspect.MeasurementData"
        /// A row is a mixture.
        case mixture = "org.mmi.aspect.Mixture"
        /// Columns contain data other than text.
        case binaryData = "org.mmi.aspect.BinaryData"
        /// The origin of assays.
        case assayProvenance = "org.mmi.aspect.AssayProvenance"
        /// The source data of a Bayesian model.
        case bayesianSource = "org.mmi.aspect.BayesianSource"
        /// The predictions of a Bayesian model.
        case bayesianPrediction = "org.mmi.aspect.BayesianPrediction"
    }

    /// The kind of the aspect.
    public let kind: Kind
    /// The lines `key=value` and blocks `key:` in order, with decoded escapes.
    public let entries: [Entry]

    /// A line or a block in an aspect.
    public struct Entry: Sendable, Hashable {
        /// The text before the equals sign or the colon.
        public let key: Text
        /// The comma-separated values after the equals sign. If a line has no equals sign, the array is empty.
        public let values: [Text]
    }

    /// Returns the aspects in the extensions of a sheet, in order.
    public static func aspects(of header: SheetHeader) -> [SheetAspect] {
        header.extensions.compactMap { block in
            Kind(rawValue: block.type.string).map { SheetAspect(kind: $0, entries: Self.entries(block.content)) }
        }
    }

    /// Returns the number for a key, limited to 0 to 100, which is enough for any sheet.
    func count(_ key: Text) -> Int? {
        guard let value = entries.first(where: { $0.key == key })?.values.first, let count = Int(value.string) else {
            return nil
        }
        return min(max(count, 0), 100)
    }

    private static func entries(_ content: Text) -> [Entry] {
        content.bytes.split(separator: 0x0A).map { line in
            let line = line.last == 0x0D ? line.dropLast() : line
            guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else {
                return Entry(key: unescaped(line.last == 0x3A ? line.dropLast() : line), values: [])
            }
            let values = line[(equals + 1)...].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            return Entry(key: unescaped(line[..<equals]), values: values.map(unescaped))
        }
    }

    private static func unescaped(_ text: ArraySlice<UInt8>) -> Text {
        let bytes = Array(text)
        var result: [UInt8] = []
        SketchElEscapes.unescape(0..<bytes.count, of: bytes.span, into: &result)
        return Text(bytes: result)
    }
}
