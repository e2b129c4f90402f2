import ChemopenModel

/// The extension of a DataSheet that says what the table holds.
///
///     SheetAspect.aspects(of: header).map(\.kind)      // [.reaction, .yield]
///
/// Aspects are found by their type; the name is a label that programs use as they like. They are read only: an extension
/// is written back word for word.
public struct SheetAspect: Sendable, Hashable {
    /// The kinds of aspects that are known, by their types.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A row is a step of a reaction.
        case reaction = "org.mmi.aspect.Reaction"
        /// Columns hold quantities and yields.
        case yield = "org.mmi.aspect.Yield"
        /// Rows together are experiments.
        case experiment = "org.mmi.aspect.Experiment"
        /// Scaffolds and substituents of a series of compounds.
        case structureActivity = "org.mmi.aspect.SARTable"
        /// Columns hold measured values with their units and errors.
        case measurements = "org.mmi.aspect.MeasurementData"
        /// A row is a mixture.
        case mixture = "org.mmi.aspect.Mixture"
        /// Columns hold data that is no text.
        case binaryData = "org.mmi.aspect.BinaryData"
        /// Where assays come from.
        case assayProvenance = "org.mmi.aspect.AssayProvenance"
        /// The data that a Bayesian model was made of.
        case bayesianSource = "org.mmi.aspect.BayesianSource"
        /// What a Bayesian model predicts.
        case bayesianPrediction = "org.mmi.aspect.BayesianPrediction"
    }

    /// The kind of the aspect.
    public let kind: Kind
    /// The lines `key=value` and blocks `key:` in their order, escapes resolved.
    public let entries: [Entry]

    /// A line of an aspect, or a block of lines.
    public struct Entry: Sendable, Hashable {
        /// The word in front of the equals sign or the colon.
        public let key: Text
        /// The values between commas behind the equals sign; nothing for a line without one.
        public let values: [Text]
    }

    /// The aspects among the extensions of a sheet, in their order.
    public static func aspects(of header: SheetHeader) -> [SheetAspect] {
        header.extensions.compactMap { block in
            Kind(rawValue: block.type.string).map { SheetAspect(kind: $0, entries: Self.entries(block.content)) }
        }
    }

    /// The number behind a key, at least 0 and at most 100, which no sheet goes beyond.
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
