import ChemopenChemistry
import ChemopenModel

/// The changes made to a structure for drawing it, and the failures.
public struct LayoutRemarks: OptionSet, Sendable, Hashable {
    /// The remarks as bits.
    public let rawValue: UInt8

    /// Creates remarks from their bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The file has no coordinates, so they were computed.
    public static let placed = LayoutRemarks(rawValue: 1)
    /// The file has 3D coordinates, so a 2D layout was computed.
    public static let flattened = LayoutRemarks(rawValue: 2)
    /// No layout could be computed. The structure is not drawn, or drawn as a projection of its 3D coordinates.
    public static let failed = LayoutRemarks(rawValue: 4)
    /// The layout is not ready yet.
    public static let later = LayoutRemarks(rawValue: 8)
    /// The layout does not show the configuration of an atom or of a double bond.
    public static let unshown = LayoutRemarks(rawValue: 16)

    /// The remarks as small print, or an empty string if there are no remarks.
    public var text: String {
        var parts: [String] = []
        if contains(.placed) { parts.append("laid out (no coordinates)") }
        if contains(.flattened) { parts.append("laid out (from 3D coordinates)") }
        if contains(.failed) { parts.append("no layout could be computed") }
        if contains(.unshown) { parts.append("a configuration is not shown") }
        if contains(.later) { parts.append("a layout is being computed") }
        return parts.joined(separator: "; ")
    }
}

/// The options for laying out structures: the hydrogens to hide, the time to wait and the program.
private struct LayoutMaker {
    let hidesHydrogens: Bool
    let patience: LayoutProgram.Timeout
    let program: LayoutProgram

    /// Whether a molecule, or a member of its R-groups, needs a layout.
    static func isFor(_ molecule: Molecule) -> Bool {
        if CoordinateKind(of: molecule) != .drawn { return true }
        if molecule.extras.isEmpty { return false }
        return molecule.extras.contents.rgroups.contains { group in
            group.members.contains { CoordinateKind(of: $0) != .drawn }
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
        let standing = CoordinateKind(of: molecule)
        if standing == .drawn { return [] }
        // Small molecules are easier to recognize with all hydrogens.
        let hides = hidesHydrogens && molecule.atoms.count > 8
        guard let layout = FlatLayout(of: molecule, hidesHydrogens: hides) else { return .failed }
        var drawing: Molecule?
        switch program.answer(to: layout.question, patience) {
        case .later: return .later
        case .line(let places): drawing = layout.drawing(places)
        case .failed: break
        }
        // Without a layout, a molecule with 3D coordinates can still be drawn as a projection.
        if drawing == nil, standing == .unplaced, program.isThere { drawing = layout.plainDrawing() }
        guard let drawing else { return .failed }
        molecule = drawing
        let isUnshown =
            !molecule.extras.isEmpty
            && (molecule.extras.contents.bondNotes.contains { $0.note.geometry != nil }
                || molecule.extras.contents.atomNotes.contains {
                    if case .configuration = $0.note { true } else { false }
                })
        let remarks: LayoutRemarks = standing == .unplaced ? .placed : .flattened
        return isUnshown ? remarks.union(.unshown) : remarks
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
    /// Computes 2D coordinates and wedges for a molecule with 3D or no coordinates. Other molecules are unchanged.
    ///
    /// - Parameters:
    ///   - hidesHydrogens: Whether to remove drawn hydrogens that need not be drawn, and only count them.
    ///   - patience: The time to wait for the layout.
    /// - Returns: The changes made, and whether the layout failed or is not ready.
    public mutating func layOut(
        hidesHydrogens: Bool = false, _ patience: LayoutProgram.Timeout = .long, by program: LayoutProgram = .shared
    ) -> LayoutRemarks {
        LayoutMaker(hidesHydrogens: hidesHydrogens, patience: patience, program: program).layOut(&self)
    }
}

extension Record.Subject {
    /// Computes 2D coordinates for all molecules with 3D or no coordinates.
    ///
    /// - Returns: The changes made, and whether a layout failed or is not ready.
    public mutating func layOut(
        hidesHydrogens: Bool = false, _ patience: LayoutProgram.Timeout = .long, by program: LayoutProgram = .shared
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

extension LayoutProgram {
    /// Computes 2D coordinates and wedges, also for a molecule that is already drawn. The configurations are preserved.
    ///
    /// - Returns: Whether a layout was computed. If not, the molecule is unchanged.
    package func cleanUp(_ molecule: inout Molecule) -> Bool {
        guard let layout = FlatLayout(of: molecule, hidesHydrogens: false) else { return false }
        var drawing: Molecule?
        if case .line(let places) = answer(to: layout.question, .long) { drawing = layout.drawing(places) }
        guard let drawing = drawing ?? layout.plainDrawing(), drawing.atoms.count == molecule.atoms.count,
            drawing.bonds.count == molecule.bonds.count
        else { return false }
        molecule = drawing
        return true
    }
}
