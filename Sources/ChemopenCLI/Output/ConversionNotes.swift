import Chemopen

/// The notes about the losses of a conversion: unexpected losses one by one, and data that the target format can never
/// store in one line.
struct ConversionNotes {
    /// The lines about unexpected losses, each with its input.
    private(set) var unexpected: [(input: LocalPath, text: String)] = []
    /// The line about data that the format can never store, or an empty text.
    private(set) var expected = ""

    /// The maximum number of lines about unexpected losses, and of the details of one kind.
    private static let mostLines = 8
    private static let mostDetails = 2
    /// The maximum number of field names in the line, and their length.
    private static let mostNames = 8
    private static let longestNames = 60

    /// Data that accompanies a structure. Its loss is expected if the format stores no such data; the structure stays
    /// the same. Any other loss changes the structure, and so does a changed value.
    private static let accompanying = Features(
        .fields, .fieldHeaders, .repeatedFields, .fieldOrder, .registryNumbers, .structuresInFields, .columnTypes,
        .columnSummaries,
        .sheetTitle, .sheetExtensions, .emptyLinesInValues, .names, .origins, .comments, .coordinates, .heights,
        .precision, .numbering, .labels, .aliases, .atomValues, .parities, .bondDisplay, .conditions, .reactionMarks,
        .arrowKinds, .extensionFields, .unknown)

    /// Describes the losses of all inputs.
    ///
    /// - Parameters:
    ///   - laysOut: whether the conversion computes coordinates.
    ///   - hasReport: whether the user already has a list of all losses, or cannot get one.
    init(
        _ reports: [(input: LocalPath, report: LossReport)], to target: Format, laysOut: Bool = false, hasReport: Bool
    ) {
        var (missing, fields, hasMore): (Features, Set<Text>, Bool) = ([], [], false)
        var names: [Text] = []
        for (input, report) in reports {
            var lines: [(feature: Feature, isRewritten: Bool, count: Int)] = []
            for entry in report.losses {
                if Self.isExpected(entry, of: target) {
                    missing.formUnion(Features(entry.feature))
                    if entry.feature == .fields, !names.contains(entry.detail) { names.append(entry.detail) }
                    continue
                }
                add(entry, of: input, Self.hint(for: entry, target, laysOut), &lines)
            }
            for line in lines where line.count > Self.mostDetails {
                let more = line.count - Self.mostDetails
                let verb = line.isRewritten ? "changed" : "left out"
                unexpected.append((input, "\(verb): \(more) more kinds of \(line.feature.name)"))
            }
            fields.formUnion(report.fieldNames)
            hasMore = hasMore || report.hasMoreFields
        }
        if unexpected.count > Self.mostLines {
            let more = unexpected.count - Self.mostLines
            unexpected = Array(unexpected.prefix(Self.mostLines))
            let hint = hasReport ? "" : " (use --report FILE for the list)"
            unexpected.append(("", "\(more) more kinds of losses\(hint)"))
        }
        if missing.isEmpty { return }
        var words = missing.list.filter { $0 != .fields }.map(Self.word)
        if missing.contains(.fields) {
            words.append(Self.phrase(fields, names, hasMore: hasMore, isAlone: words.isEmpty))
        }
        let last = words.removeLast()
        let list = words.isEmpty ? last : words.joined(separator: ", ") + " or " + last
        expected = "\(target.name) stores no \(list)" + (hasReport ? "" : "; use --report FILE for the list")
    }

    /// Returns whether a loss follows from the format alone and does not change the structure.
    static func isExpected(_ entry: LossReport.Entry, of target: Format) -> Bool {
        !entry.isRewritten && accompanying.contains(entry.feature)
            && !target.supportedFeatures.contains(entry.feature)
    }

    /// Returns the option that avoids a loss. Wedges can express stereo without coordinates, so that other programs can
    /// read it.
    private static func hint(for entry: LossReport.Entry, _ target: Format, _ laysOut: Bool) -> String {
        if !entry.remark.isEmpty { return " (use \(Option.encoding.name) to specify its encoding)" }
        let isDrawable = [.bondGeometries, .coordinationStereo].contains(entry.feature)
        guard isDrawable, !laysOut, target.supportedFeatures.contains(.coordinates),
            !target.supportedFeatures.contains(.coordinationStereo)
        else { return "" }
        return " (use \(Option.layout.name) to draw them)"
    }

    private mutating func add(
        _ entry: LossReport.Entry, of input: LocalPath, _ hint: String,
        _ lines: inout [(feature: Feature, isRewritten: Bool, count: Int)]
    ) {
        let known = lines.firstIndex { $0.feature == entry.feature && $0.isRewritten == entry.isRewritten }
        if let known {
            lines[known].count += 1
            if lines[known].count > Self.mostDetails { return }
        } else {
            lines.append((entry.feature, entry.isRewritten, 1))
        }
        let verb = entry.isRewritten ? "changed" : "left out"
        unexpected.append((input, "\(verb): \(entry)\(entry.remark)\(hint)"))
    }

    /// Returns the name of a feature in a sentence.
    private static func word(_ feature: Feature) -> String {
        switch feature {
        case .labels: "atom labels"
        case .aliases: "atom aliases"
        case .heights: "3D coordinates"
        case .precision: "precise coordinates"
        case .numbering: "atom numbers"
        case .unknown: "content of other programs"
        default: feature.name
        }
    }

    /// Returns the number of fields, with their names if they are few.
    private static func phrase(_ fields: Set<Text>, _ names: [Text], hasMore: Bool, isAlone: Bool) -> String {
        if fields.isEmpty { return "data fields" }
        if hasMore {
            return isAlone ? "data fields (at least \(fields.count))" : "at least \(fields.count) data fields"
        }
        let list = names.map(\.shown).joined(separator: ", ")
        if fields.count <= mostNames, list.count <= longestNames { return "data fields (\(list))" }
        return isAlone ? "data fields (\(fields.count))" : "\(fields.count) data fields"
    }
}
