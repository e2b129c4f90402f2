import ChemopenChemistry
import ChemopenModel

/// The doings at structures so that they can be drawn, and what could not be done.
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

/// How structures are laid out: with which hydrogens, how fast, and by which program.
private struct LayoutMaker {
    let hidesHydrogens: Bool
    let patience: LayoutProgram.Patience
    let program: LayoutProgram

    /// Whether a molecule, or a member of its R-groups, is to be laid out.
    static func isFor(_ molecule: Molecule) -> Bool {
        if MoleculeStanding(of: molecule) != .drawn { return true }
        if molecule.extras.isEmpty { return false }
        return molecule.extras.contents.rgroups.contains { group in
            group.members.contains { MoleculeStanding(of: $0) != .drawn }
        }
    }

    func layOut(_ molecule: inout Molecule) -> LayoutRemarks {
        var remarks = LayoutRemarks()
        if !molecule.extras.isEmpty {
            for group in molecule.extras.contents.rgroups.indices {
                for member in molecule.extras.contents.rgroups[group].members.indices {
                    remarks.formUnion(layOutAlone(&molecule.extras.contents.rgroups[group].members[member]))
                }
            }
        }
        return remarks.union(layOutAlone(&molecule))
    }

    private func layOutAlone(_ molecule: inout Molecule) -> LayoutRemarks {
        let standing = MoleculeStanding(of: molecule)
        if standing == .drawn { return [] }
        // Few atoms are seen better with all their hydrogens.
        let hides = hidesHydrogens && molecule.atoms.count > 8
        guard let layout = FlatLayout(of: molecule, hidesHydrogens: hides) else { return .failed }
        var drawing: Molecule?
        switch program.answer(to: layout.question, patience) {
        case .later: return .later
        case .line(let places): drawing = layout.drawing(places)
        case .failed: break
        }
        // A molecule that stands in space can be seen from a side.
        if drawing == nil, standing == .unplaced, program.isThere { drawing = layout.plainDrawing() }
        guard let drawing else { return .failed }
        molecule = drawing
        return standing == .unplaced ? .placed : .flattened
    }

    func layOut(_ reaction: inout Reaction) -> LayoutRemarks {
        var remarks = LayoutRemarks()
        func layOut(_ components: inout [Reaction.Component]) {
            for place in components.indices where Self.isFor(components[place].molecule) {
                remarks.formUnion(self.layOut(&components[place].molecule))
            }
        }
        for step in reaction.steps.indices {
            layOut(&reaction.steps[step].reactants)
            layOut(&reaction.steps[step].agents)
            layOut(&reaction.steps[step].products)
        }
        return remarks
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
        LayoutMaker(hidesHydrogens: hidesHydrogens, patience: patience, program: program).layOut(&self)
    }
}

extension Record.Subject {
    /// Makes drawings of all molecules that have no coordinates, or stand in space.
    public mutating func layOut(
        hidesHydrogens: Bool = false, _ patience: LayoutProgram.Patience = .long, by program: LayoutProgram = .shared
    ) -> LayoutRemarks {
        let maker = LayoutMaker(hidesHydrogens: hidesHydrogens, patience: patience, program: program)
        switch self {
        case .none: return []
        case .molecule(var molecule):
            guard LayoutMaker.isFor(molecule) else { return [] }
            let remarks = maker.layOut(&molecule)
            self = .molecule(molecule)
            return remarks
        case .reaction(var reaction):
            guard reaction.components.contains(where: { LayoutMaker.isFor($0.molecule) }) else { return [] }
            let remarks = maker.layOut(&reaction)
            self = .reaction(reaction)
            return remarks
        }
    }
}
