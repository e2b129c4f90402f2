import ChemopenDesktop

/// A plan for opening a file: the possible ways, the best first.
///
/// The plan depends only on the file's content, the available programs and the user's preferences. Programs that read
/// the file itself precede those that require a copy in another format. For a drawing, programs that draw precede those
/// that show 3D molecules. The built-in viewer precedes all programs that would show only part of the file, except the
/// default program.
public struct OpenPlan: Sendable {
    /// A way to open the file and the reason for its rank.
    public struct Choice: Sendable {
        /// The action.
        public let action: Action
        /// The reason for its rank.
        public let reason: String

        /// The program, or `nil` for the built-in viewer.
        public var handler: Handler? {
            switch action {
            case .launch(let handler, _), .convert(_, let handler): handler
            case .view: nil
            }
        }

        /// Whether the program will show only part of the file.
        public var showsLess: Bool {
            switch action {
            case .launch(_, let showsFirstOnly): showsFirstOnly
            case .convert(let copy, _): copy.showsFirstOnly || !copy.losses.isEmpty
            case .view: false
            }
        }
    }

    /// A way to open a file.
    public enum Action: Sendable {
        /// Open the file itself in the program.
        case launch(Handler, showsFirstOnly: Bool)
        /// Open a copy in the program.
        case convert(Copy, for: Handler)
        /// Open the file in the built-in viewer.
        case view
    }

    /// The copy to be made.
    public struct Copy: Sendable {
        /// The format of the copy.
        public var format: Format
        /// The version of the format.
        public var version = WriteOptions.Version.asNeeded
        /// The features of the file that the copy cannot represent.
        public var losses = Features()
        /// Whether the program receives only the first record with a structure.
        public var showsFirstOnly = false
        /// Whether the bytes are unchanged, and only the compression or the name differs.
        public var isVerbatim = false
        /// Whether the name is restricted to ASCII letters, digits and underscores.
        public var hasPlainName = false
    }

    /// The user's preferences.
    public struct Preferences: Sendable {
        /// The only program to use.
        public var handler: Handler?
        /// Whether to use only the built-in viewer.
        public var views = false
        /// Whether windows can be shown.
        public var isGraphical = true

        /// Creates preferences without restrictions.
        public init() {}
    }

    /// The properties of a file name that matter to programs.
    public struct Name: Sendable {
        /// The extension in lower case, without the dot and without `.gz`.
        public var suffix: String
        /// Whether the file is gzipped.
        public var isCompressed: Bool
        /// Whether the path contains only characters that a poorly written script can handle.
        public var isPlain: Bool

        /// Creates the properties of a name with an extension.
        public init(suffix: String, isCompressed: Bool = false, isPlain: Bool = true) {
            self.suffix = suffix
            self.isCompressed = isCompressed
            self.isPlain = isPlain
        }
    }

    /// The ways to open the file, the best first.
    public let choices: [Choice]

    /// Ranks the programs that may be able to open a file.
    public init(
        for survey: FileSummary, named name: Name, candidates: [HandlerRegistry.Candidate],
        formats: FormatRegistry = .standard,
        _ preferences: Preferences = Preferences()
    ) {
        let maker = PlanMaker(survey: survey, name: name, formats: formats)
        if preferences.views {
            choices = [Choice(action: .view, reason: "the viewer was requested")]
        } else if let handler = preferences.handler {
            choices =
                maker.choice(of: HandlerRegistry.Candidate(handler: handler, standing: .isRegistered), isAskedFor: true)
                .map { [$0.choice] } ?? []
        } else {
            let ranked = candidates.compactMap { maker.choice(of: $0, isAskedFor: false) }
            let sorted = ranked.enumerated().sorted { one, other in
                one.element.order(one.offset).lexicographicallyPrecedes(other.element.order(other.offset))
            }
            let capable = sorted.map(\.element).filter { $0.rank < PlanMaker.textRank }
            let programs = capable.filter { $0.rank == 0 || !$0.choice.showsLess }.map(\.choice)
            let lesser = capable.filter { $0.rank > 0 && $0.choice.showsLess }.map(\.choice)
            let editors = sorted.filter { $0.element.rank == PlanMaker.textRank }.map(\.element.choice)
            let view = [
                Choice(
                    action: .view,
                    reason: preferences.isGraphical
                        ? "the built-in viewer, which shows the complete file" : "there is no graphical session")
            ]
            choices =
                preferences.isGraphical ? programs + view + lesser + editors : view + programs + lesser + editors
        }
    }
}

/// The rules for opening the file in a program.
private struct PlanMaker {
    let survey: FileSummary
    let name: OpenPlan.Name
    let formats: FormatRegistry

    struct Ranked {
        var choice: OpenPlan.Choice
        var rank: Int
        var losses = 0
        /// Whether the program shows 3D molecules but the file contains a 2D drawing.
        var isMisfit = false

        /// The sort key. Smaller keys are better; a default program has the smallest.
        func order(_ place: Int) -> [Int] {
            [rank == 0 ? 0 : 1, rank >= PlanMaker.textRank ? 1 : 0, isMisfit ? 1 : 0, rank, losses, place]
        }
    }

    /// The rank of programs for more general types, which follow the viewer.
    static let textRank = 9

    func choice(of candidate: HandlerRegistry.Candidate, isAskedFor: Bool) -> Ranked? {
        var ranked = rankedChoice(of: candidate, isAskedFor: isAskedFor)
        ranked?.isMisfit = candidate.handler.known?.isSpatial == true && !survey.features.contains(.heights)
        return ranked
    }

    private func rankedChoice(of candidate: HandlerRegistry.Candidate, isAskedFor: Bool) -> Ranked? {
        let handler = candidate.handler
        let isDefault = candidate.standing == .isDefault
        if let direct = direct(handler, candidate.standing, isAskedFor: isAskedFor) {
            let reason =
                isAskedFor ? "requested" : isDefault ? "the default for \(survey.format.mimeType)" : direct.reason
            return Ranked(
                choice: OpenPlan.Choice(action: direct.action, reason: reason), rank: isDefault ? 0 : direct.rank)
        }
        if let copy = conversion(for: handler) {
            let what = copy.version == .v2000 && copy.format.id == survey.format.id ? "V2000" : copy.format.name
            var reason =
                isAskedFor ? "requested" : isDefault ? "the default for \(survey.format.mimeType)" : "reads \(what)"
            reason +=
                ", gets a copy in \(what)" + (copy.losses.isEmpty ? ", without loss" : ", without \(copy.losses.told)")
            let rank = isDefault ? 0 : copy.losses.isEmpty ? 3 : 4
            return Ranked(
                choice: OpenPlan.Choice(action: .convert(copy, for: handler), reason: reason), rank: rank,
                losses: copy.losses.list.count)
        }
        if case .opens(let type) = candidate.standing {
            return Ranked(
                choice: OpenPlan.Choice(action: .launch(handler, showsFirstOnly: false), reason: "opens any \(type)"),
                rank: Self.textRank)
        }
        if isAskedFor, handler.known == nil {
            return Ranked(
                choice: OpenPlan.Choice(
                    action: .launch(handler, showsFirstOnly: false),
                    reason: "requested, although its desktop entry does not list \(survey.format.mimeType)"), rank: 0)
        }
        return nil
    }

    // MARK: Opening the file itself

    private func direct(
        _ handler: Handler, _ standing: HandlerRegistry.Candidate.Standing, isAskedFor: Bool
    ) -> (action: OpenPlan.Action, reason: String, rank: Int)? {
        let readings = survey.format.mimeTypes.lazy.compactMap { handler.reading(of: $0, version: survey.version) }
            .filter { $0.showsReactions || !survey.features.contains(.reactions) }
        let packed = name.isCompressed ? handler.reading(of: survey.format.gzippedType, version: survey.version) : nil
        let isRegistered = standing == .isRegistered || standing == .isDefault
        // If a program was added to the list of a type, it is assumed to read the type even if its entry does not
        // specify this.
        let isListed =
            isRegistered && !isAskedFor && handler.known == nil
            && !handler.claims.contains(survey.format.gzippedType)
        guard let reading = readings.first ?? packed ?? (isListed ? Reading(survey.format.mimeType) : nil) else {
            return nil
        }
        let reason =
            isRegistered ? "registered for \(survey.format.mimeType)" : "known to read \(survey.format.mimeType)"
        let rank = isRegistered ? 1 : 2
        var copy = OpenPlan.Copy(format: survey.format, isVerbatim: true)
        let showsFirst = reading.showsFirstOnly && survey.records > 1
        if name.isCompressed, !reading.readsGzip, packed == nil {
            copy.hasPlainName = handler.known?.needsPlainNames == true
            return (.convert(copy, for: handler), reason + ", gets a decompressed copy", rank)
        }
        if !survey.format.extensions.contains(name.suffix) {
            let suffix = survey.format.extensions.first ?? ""
            return (
                .convert(copy, for: handler),
                reason + ", gets a copy with the extension .\(suffix), which programs rely on",
                rank
            )
        }
        if handler.known?.needsPlainNames == true, !name.isPlain {
            copy.hasPlainName = true
            return (
                .convert(copy, for: handler), reason + ", gets a copy with a name that its start script supports", rank
            )
        }
        return (.launch(handler, showsFirstOnly: showsFirst), reason, rank)
    }

    // MARK: Conversion

    private func conversion(for handler: Handler) -> OpenPlan.Copy? {
        var best: OpenPlan.Copy?
        for reading in handler.known?.readings ?? handler.claims.map({ Reading($0) }) {
            guard let format = formats.first(where: { $0.mimeTypes.contains(reading.type) }), format.isWritable
            else { continue }
            var copy = OpenPlan.Copy(format: format)
            if !reading.versions.isEmpty, !reading.versions.contains("V3000") { copy.version = .v2000 }
            if format.id == survey.format.id, copy.version == .asNeeded { continue }
            // If a drawing cannot be rewritten completely, a conversion would preserve only its structures and
            // reactions.
            if format.hasCommonPages, survey.format.hasCommonPages, format.rewrite == nil { continue }
            var supported = format.supportedFeatures(in: copy.version)
            if !reading.showsReactions { supported.remove(Features(.reactions)) }
            if survey.features.contains(.molecules), !supported.contains(.molecules) { continue }
            copy.losses = survey.features.subtracting(supported)
            copy.showsFirstOnly = survey.records > 1 && (!supported.contains(.severalRecords) || reading.showsFirstOnly)
            copy.hasPlainName = handler.known?.needsPlainNames == true
            if best.map({ copy.losses.list.count < $0.losses.list.count }) ?? true { best = copy }
        }
        return best
    }
}

extension Features {
    /// The names of the first features, for display.
    var told: String {
        let names = list.map(\.name)
        if names.count > 4 { return names.prefix(3).joined(separator: ", ") + " and \(names.count - 3) more" }
        return names.count > 1
            ? names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "") : names.first ?? ""
    }
}
