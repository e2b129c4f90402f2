import ChemopenDesktop

/// The plan for a file: the ways in which it can be opened, the best first.
///
/// A pure function of what the file holds, which programs there are, and what is wanted. Programs that read the file as
/// it is come before those that need a copy in another format; a drawing goes to programs that draw before those that
/// show molecules in space. The viewer comes before all that would show less than the file, but for a default.
public struct Plan: Sendable {
    /// A way to open the file, and why it has its place.
    public struct Choice: Sendable {
        /// The thing to do.
        public let action: Action
        /// Why it has its place, in words.
        public let reason: String

        /// The program; `nil` for the built-in viewer.
        public var handler: Handler? {
            switch action {
            case .launch(let handler, _), .convert(_, let handler): handler
            case .view: nil
            }
        }

        /// The program will show less than the file holds.
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
        /// The program gets the file itself.
        case launch(Handler, showsFirstOnly: Bool)
        /// The program gets a copy.
        case convert(Copy, for: Handler)
        /// This program shows it.
        case view
    }

    /// The copy to be made.
    public struct Copy: Sendable {
        /// The format of the copy.
        public var format: Format
        /// The version of the format.
        public var version = WriteOptions.Version.asNeeded
        /// The features that the file holds and the copy will not.
        public var losses = Features()
        /// Only the first record with a structure is handed over.
        public var showsFirstOnly = false
        /// The bytes stay as they are; only the packing or the name is another.
        public var isVerbatim = false
        /// The name may hold only letters, digits and a few signs.
        public var hasPlainName = false
    }

    /// The wishes of the user.
    public struct Preferences: Sendable {
        /// Only this program.
        public var handler: Handler?
        /// Only the built-in viewer.
        public var views = false
        /// Windows can be shown.
        public var isGraphical = true

        /// No wishes.
        public init() {}
    }

    /// A file's name, as far as programs go by it.
    public struct Name: Sendable {
        /// The extension in small letters, without its dot and without `.gz`.
        public var suffix: String
        /// The file is gzipped.
        public var isCompressed: Bool
        /// Nothing in its path is special to a careless script.
        public var isPlain: Bool

        /// A name by its extension.
        public init(suffix: String, isCompressed: Bool = false, isPlain: Bool = true) {
            self.suffix = suffix
            self.isCompressed = isCompressed
            self.isPlain = isPlain
        }
    }

    /// The ways, the best first.
    public let choices: [Choice]

    /// Ranks the programs that may come into question.
    public init(
        for survey: Survey, named name: Name, candidates: [HandlerRegistry.Candidate],
        formats: FormatRegistry = .standard,
        _ preferences: Preferences = Preferences()
    ) {
        let maker = PlanMaker(survey: survey, name: name, formats: formats)
        if preferences.views {
            choices = [Choice(action: .view, reason: "the viewer was asked for")]
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
                        ? "the built-in viewer, which shows all of it" : "there is no graphical session")
            ]
            choices =
                preferences.isGraphical ? programs + view + lesser + editors : view + programs + lesser + editors
        }
    }
}

/// Finds the way in which one program can open the file.
private struct PlanMaker {
    let survey: Survey
    let name: Plan.Name
    let formats: FormatRegistry

    struct Ranked {
        var choice: Plan.Choice
        var rank: Int
        var losses = 0
        /// The program shows in space what is drawn on paper.
        var isMisfit = false

        /// The smaller comes first; a default before all.
        func order(_ place: Int) -> [Int] {
            [rank == 0 ? 0 : 1, rank >= PlanMaker.textRank ? 1 : 0, isMisfit ? 1 : 0, rank, losses, place]
        }
    }

    /// Programs for wider types come behind the viewer.
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
                isAskedFor ? "asked for" : isDefault ? "the default for \(survey.format.mimeType)" : direct.reason
            return Ranked(choice: Plan.Choice(action: direct.action, reason: reason), rank: isDefault ? 0 : direct.rank)
        }
        if let copy = conversion(for: handler) {
            let what = copy.version == .v2000 && copy.format.id == survey.format.id ? "V2000" : copy.format.name
            var reason =
                isAskedFor ? "asked for" : isDefault ? "the default for \(survey.format.mimeType)" : "reads \(what)"
            reason +=
                ", gets a copy in \(what)" + (copy.losses.isEmpty ? ", without loss" : ", without \(copy.losses.told)")
            let rank = isDefault ? 0 : copy.losses.isEmpty ? 3 : 4
            return Ranked(
                choice: Plan.Choice(action: .convert(copy, for: handler), reason: reason), rank: rank,
                losses: copy.losses.list.count)
        }
        if case .opens(let type) = candidate.standing {
            return Ranked(
                choice: Plan.Choice(action: .launch(handler, showsFirstOnly: false), reason: "opens any \(type)"),
                rank: Self.textRank)
        }
        if isAskedFor, handler.known == nil {
            return Ranked(
                choice: Plan.Choice(
                    action: .launch(handler, showsFirstOnly: false),
                    reason: "asked for, although it does not say that it opens \(survey.format.mimeType)"), rank: 0)
        }
        return nil
    }

    // MARK: As it is

    private func direct(
        _ handler: Handler, _ standing: HandlerRegistry.Candidate.Standing, isAskedFor: Bool
    ) -> (action: Plan.Action, reason: String, rank: Int)? {
        let readings = survey.format.mimeTypes.lazy.compactMap { handler.reading(of: $0, version: survey.version) }
            .filter { $0.showsReactions || !survey.features.contains(.reactions) }
        let packed = name.isCompressed ? handler.reading(of: survey.format.gzippedType, version: survey.version) : nil
        let isRegistered = standing == .isRegistered || standing == .isDefault
        // Who has put a program on a list for the type knows what it reads, whatever it says of itself.
        let isListed =
            isRegistered && !isAskedFor && handler.known == nil
            && !handler.claims.contains(survey.format.gzippedType)
        guard let reading = readings.first ?? packed ?? (isListed ? Reading(survey.format.mimeType) : nil) else {
            return nil
        }
        let reason =
            isRegistered ? "registered for \(survey.format.mimeType)" : "known to read \(survey.format.mimeType)"
        let rank = isRegistered ? 1 : 2
        var copy = Plan.Copy(format: survey.format, isVerbatim: true)
        let showsFirst = reading.showsFirstOnly && survey.records > 1
        if name.isCompressed, !reading.readsGzip, packed == nil {
            copy.hasPlainName = handler.known?.needsPlainNames == true
            return (.convert(copy, for: handler), reason + ", gets an unpacked copy", rank)
        }
        if !survey.format.extensions.contains(name.suffix) {
            let suffix = survey.format.extensions.first ?? ""
            return (
                .convert(copy, for: handler), reason + ", gets a copy that is named .\(suffix), as programs go by that",
                rank
            )
        }
        if handler.known?.needsPlainNames == true, !name.isPlain {
            copy.hasPlainName = true
            return (
                .convert(copy, for: handler), reason + ", gets a copy under a name that its start script can take", rank
            )
        }
        return (.launch(handler, showsFirstOnly: showsFirst), reason, rank)
    }

    // MARK: In another format

    private func conversion(for handler: Handler) -> Plan.Copy? {
        var best: Plan.Copy?
        for reading in handler.known?.readings ?? handler.claims.map({ Reading($0) }) {
            guard let format = formats.first(where: { $0.mimeTypes.contains(reading.type) }), format.makeWriter != nil
            else { continue }
            var copy = Plan.Copy(format: format)
            if !reading.versions.isEmpty, !reading.versions.contains("V3000") { copy.version = .v2000 }
            if format.id == survey.format.id, copy.version == .asNeeded { continue }
            // Of a drawing that is not written again as it stands only structures and reactions would be left.
            if format.hasCommonPages, survey.format.hasCommonPages, format.rewrite == nil { continue }
            var holds = format.holds(in: copy.version)
            if !reading.showsReactions { holds.remove(Features(.reactions)) }
            if survey.features.contains(.molecules), !holds.contains(.molecules) { continue }
            copy.losses = survey.features.subtracting(holds)
            copy.showsFirstOnly = survey.records > 1 && (!holds.contains(.severalRecords) || reading.showsFirstOnly)
            copy.hasPlainName = handler.known?.needsPlainNames == true
            if best.map({ copy.losses.list.count < $0.losses.list.count }) ?? true { best = copy }
        }
        return best
    }
}

extension Features {
    /// The first few of them, for people.
    var told: String {
        let names = list.map(\.name)
        if names.count > 4 { return names.prefix(3).joined(separator: ", ") + " and \(names.count - 3) more" }
        return names.count > 1
            ? names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "") : names.first ?? ""
    }
}
