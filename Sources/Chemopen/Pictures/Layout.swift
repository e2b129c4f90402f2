import ChemopenChemistry
import ChemopenModel

/// What was done to structures so that they can be drawn, and what could not be done.
public struct LayoutRemarks: OptionSet, Sendable, Hashable {
    /// The remarks, a bit each.
    public let rawValue: UInt8

    /// Remarks by their bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The file has no coordinates; atoms were placed.
    public static let placed = LayoutRemarks(rawValue: 1)
    /// The file has positions in space; a flat drawing was made of them.
    public static let flattened = LayoutRemarks(rawValue: 2)
    /// There is no drawing, or only a view of what stands in space: no program placed the atoms.
    public static let failed = LayoutRemarks(rawValue: 4)
    /// There is no drawing yet.
    public static let later = LayoutRemarks(rawValue: 8)

    /// The remarks in words, for small print; empty where there are none.
    public var text: String {
        var parts: [String] = []
        if contains(.placed) { parts.append("laid out (no coordinates)") }
        if contains(.flattened) { parts.append("laid out (was in space)") }
        if contains(.failed) { parts.append("no layout could be made") }
        if contains(.later) { parts.append("a layout is being made") }
        return parts.joined(separator: "; ")
    }
}

extension Molecule {
    /// Makes a drawing of a molecule that has no coordinates, or stands in space, with wedges for its configurations; any
    /// other molecule stays as it is.
    ///
    /// - Parameters:
    ///   - hidesHydrogens: hydrogens that need not be drawn are counted at their neighbours instead.
    ///   - patience: how long to wait for it.
    public mutating func layOut(
        hidesHydrogens: Bool = false, _ patience: LayoutProgram.Patience = .long, by program: LayoutProgram = .shared
    ) -> LayoutRemarks {
        var remarks = LayoutRemarks()
        if !extras.isEmpty { remarks = extras.contents.layOutMembers(hidesHydrogens, patience, program) }
        let standing = standing
        if standing == .drawn { return remarks }
        // Few atoms are seen better with all their hydrogens.
        guard let layout = FlatLayout(of: self, hidesHydrogens: hidesHydrogens && atoms.count > 8) else {
            return remarks.union(.failed)
        }
        var drawing: Molecule?
        switch program.answer(to: layout.question, patience) {
        case .later: return remarks.union(.later)
        case .places(let places): drawing = layout.drawing(places)
        case .failed: break
        }
        // What stands in space can be seen from a side.
        if drawing == nil, standing == .unplaced, program.isThere { drawing = layout.plainDrawing() }
        guard let drawing else { return remarks.union(.failed) }
        self = drawing
        return remarks.union(standing == .unplaced ? .placed : .flattened)
    }
}

extension Extras.Contents {
    /// Lays out the members of R-groups.
    fileprivate mutating func layOutMembers(
        _ hidesHydrogens: Bool, _ patience: LayoutProgram.Patience, _ program: LayoutProgram
    ) -> LayoutRemarks {
        var remarks = LayoutRemarks()
        for group in rgroups.indices {
            for member in rgroups[group].members.indices {
                remarks.formUnion(
                    rgroups[group].members[member].layOut(hidesHydrogens: hidesHydrogens, patience, by: program))
            }
        }
        return remarks
    }
}

extension Reaction {
    /// Makes drawings of all molecules that have no coordinates, or stand in space.
    public mutating func layOut(
        hidesHydrogens: Bool = false, _ patience: LayoutProgram.Patience = .long, by program: LayoutProgram = .shared
    ) -> LayoutRemarks {
        var remarks = LayoutRemarks()
        func layOut(_ components: inout [Component]) {
            for place in components.indices where components[place].molecule.needsLayout {
                remarks.formUnion(
                    components[place].molecule.layOut(hidesHydrogens: hidesHydrogens, patience, by: program))
            }
        }
        for step in steps.indices {
            layOut(&steps[step].reactants)
            layOut(&steps[step].agents)
            layOut(&steps[step].products)
        }
        return remarks
    }
}

extension Record.Subject {
    /// Makes drawings of what has no coordinates, or stands in space.
    public mutating func layOut(
        hidesHydrogens: Bool = false, _ patience: LayoutProgram.Patience = .long, by program: LayoutProgram = .shared
    ) -> LayoutRemarks {
        switch self {
        case .none: return []
        case .molecule(var molecule):
            guard molecule.needsLayout else { return [] }
            let remarks = molecule.layOut(hidesHydrogens: hidesHydrogens, patience, by: program)
            self = .molecule(molecule)
            return remarks
        case .reaction(var reaction):
            guard reaction.components.contains(where: { $0.molecule.needsLayout }) else { return [] }
            let remarks = reaction.layOut(hidesHydrogens: hidesHydrogens, patience, by: program)
            self = .reaction(reaction)
            return remarks
        }
    }
}

extension Molecule {
    /// Whether the molecule, or a member of its R-groups, is to be laid out.
    var needsLayout: Bool {
        if standing != .drawn { return true }
        if extras.isEmpty { return false }
        return extras.contents.rgroups.contains { $0.members.contains { $0.standing != .drawn } }
    }
}
