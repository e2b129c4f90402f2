import ChemopenBytes
import ChemopenModel

/// Writes molfiles, from the title to `M  END`: the inverse of `MolfileReader`.
struct MolfileWriter {
    let options: WriteOptions
    /// What the molecules written so far held and their version has no place for.
    var report = WriteReport()

    init(_ options: WriteOptions) {
        self.options = options
    }

    /// Adds a molecule to the output, in the version that the options ask for or that its content needs.
    ///
    /// Most of what asks for V3000 shows at once; the rest is met on the way, and the way is then taken back.
    mutating func write(_ molecule: borrowing Molecule, to output: inout [UInt8]) throws(WriteError) {
        if options.version == .v2000 { try molecule.checkFitsV2000() }
        if molecule.hydrogenRule == .mdl || molecule.isAlikeByAllRules {
            writeAsItIs(molecule, meantBy: .mdl, to: &output)
        } else if let drawn = drawn(molecule) {
            writeAsItIs(drawn, meantBy: drawn.hydrogenRule, to: &output)
        } else {
            writeAsItIs(molecule, meantBy: molecule.hydrogenRule, to: &output)
        }
    }

    /// The molecule as MDL's formats draw it; `nil` where it is drawn so already.
    mutating func drawn(_ molecule: borrowing Molecule) -> Molecule? {
        guard let drawn = DrawnMolecule(molecule) else { return nil }
        for loss in drawn.losses { report.losses.note(loss.feature, loss.detail, count: loss.count) }
        return drawn.molecule
    }

    /// - Parameter rule: the one by which the hydrogens are meant; the molecule's own, or one that says the same.
    private mutating func writeAsItIs(
        _ molecule: borrowing Molecule, meantBy rule: Molecule.HydrogenRule, to output: inout [UInt8]
    ) {
        var reason: V3000Need?
        if options.version == .asNeeded {
            reason = V3000Need(molecule)
            if reason == nil {
                let start = output.count
                reason = writeV2000(molecule, meantBy: rule, to: &output)
                if reason != nil { output.removeLast(output.count - start) }
            }
        } else if options.version == .v2000 {
            _ = writeV2000(molecule, meantBy: rule, to: &output)
        }
        if options.version == .v3000 || reason != nil {
            report.version = "V3000"
            if let reason { report.reason = reason.text }
            var meant = copy molecule
            meant.hydrogenRule = rule
            writeV3000(meant, to: &output)
        } else if report.version.isEmpty {
            report.version = "V2000"
        }
    }
}

extension Molecule {
    /// V2000 has three columns for the number of an atom: beyond 999 its bonds would join other atoms.
    borrowing func checkFitsV2000() throws(WriteError) {
        if atoms.count > 999 { throw .beyondV2000("\(atoms.count) atoms") }
        if bonds.count > 999 { throw .beyondV2000("\(bonds.count) bonds") }
        if extras.isEmpty { return }
        for group in extras.contents.rgroups {
            for member in group.members { try member.checkFitsV2000() }
        }
    }
}

extension WriteError {
    static func beyondV2000(_ content: String) -> WriteError {
        WriteError(.impossible, "V2000 counts to 999 and there are \(content); V3000 can hold them")
    }
}

/// Something that V2000 has no place for.
struct V3000Need: Equatable {
    let text: String
    let feature: Feature
    /// What becomes of it where V2000 is asked for all the same.
    let loss: String

    init(_ text: String, _ feature: Feature, inV2000 loss: String? = nil) {
        self.text = text
        self.feature = feature
        self.loss = loss ?? text
    }

    static let largeCharge = V3000Need(
        "a charge beyond 15", .charges, inV2000: "written with M  ZCH, which not all programs read")
    static let largeMapNumber = V3000Need("a map number beyond 999", .mapNumbers)
    static let wideCoordinates = V3000Need("coordinates that take more than ten columns", .coordinates)
    static let preciseCoordinates = V3000Need("coordinates of more than four decimals", .precision)
    static let dativeBond = V3000Need(
        "a dative bond", .dativeBonds, inV2000: "written as type 9, which not all programs read")
    static let hydrogenBond = V3000Need(
        "a hydrogen bond", .hydrogenBonds, inV2000: "written as type 10, which not all programs read")
    static let largeValence = V3000Need("a valence beyond 14", .valences)
    static let longLabel = V3000Need("an atom with a long name", .labels)

    /// What shows without looking at each atom; `nil` for nearly every molecule.
    init?(_ molecule: borrowing Molecule) {
        if molecule.atoms.count > 999 {
            self = V3000Need("more than 999 atoms", .molecules)
        } else if molecule.bonds.count > 999 {
            self = V3000Need("more than 999 bonds", .molecules)
        } else if !molecule.labels.isEmpty, Self.hasLongLabel(molecule) {
            self = .longLabel
        } else if !molecule.extras.isEmpty, let need = Self.all(molecule.extras.contents).first {
            self = need
        } else {
            return nil
        }
    }

    private static func hasLongLabel(_ molecule: borrowing Molecule) -> Bool {
        let isLong = molecule.labels.map { !fits($0) && V3000AtomType.isLabel($0) }
        if !isLong.contains(true) { return false }
        for index in molecule.atoms.indices {
            let label = Int(molecule.atoms[index].label)
            if isLong.indices.contains(label), isLong[label], !molecule.isNamedByGroup(index) { return true }
        }
        return false
    }

    /// Whether a label has room in the three columns of a symbol, and is read as one there.
    static func fits(_ label: Text) -> Bool {
        guard case .label = AtomSymbol(0..<label.bytes.count, of: label.bytes.span) else { return false }
        return hasRoom(for: label)
    }

    private static func hasRoom(for label: Text) -> Bool {
        label.bytes.count <= 3 && label.bytes.allSatisfy { $0 > Ascii.blank && $0 != 0x7F }
            && label.bytes.first.map(Ascii.isDigit) != true
    }

    /// Everything among the rare things that V2000 has no place for.
    static func all(_ rare: Extras.Contents) -> [V3000Need] {
        var needs: [V3000Need] = []
        if rare.sgroups.count > 999 { needs.append(V3000Need("more than 999 Sgroups", .sgroups)) }
        if !rare.stereoGroups.isEmpty { needs.append(V3000Need("stereo groups", .stereoGroups)) }
        if !rare.collections.isEmpty { needs.append(V3000Need("highlights or collections", .collections)) }
        if rare.rgroups.contains(where: { !$0.members.isEmpty }) {
            needs.append(V3000Need("members of R-groups", .rgroups))
        }
        if !rare.templates.isEmpty { needs.append(V3000Need("templates", .templates)) }
        if rare.linkNodes.contains(where: { !$0.neighbours.isEmpty && !$0.fitsV2000 }) {
            needs.append(V3000Need("a link with more than its largest repeat and two neighbours", .linkNodes))
        }
        if rare.rgroups.contains(where: { $0.logic != nil && max($0.number, $0.logic?.requires ?? 0) > 999 }) {
            needs.append(V3000Need("an R-group of a number beyond 999", .rgroupLogic))
        }
        if !KeptLines(rare, .v3000).isEmpty {
            needs.append(V3000Need("V3000 lines that are kept as they stood", .unknown))
        }
        for tagged in rare.atomNotes {
            switch tagged.note {
            case .valence(let valence) where valence > 14: needs.append(.largeValence)
            case .hydrogenQuery(let count) where count > 998:
                needs.append(V3000Need("a query for hydrogens beyond 998", .queryAtoms))
            case .attachmentOrder(let order) where order.contains { Int($0.point.string) == nil }:
                needs.append(V3000Need("template atoms", .templates))
            case .keyword: needs.append(V3000Need("V3000 keywords that are kept as they stood", .unknown))
            default:
                if let term = AtomTerm.term(of: tagged.note), term.isOnlyInV3000 {
                    needs.append(V3000Need("template atoms", tagged.note.feature))
                }
            }
        }
        for tagged in rare.bondNotes {
            switch tagged.note {
            case .endpoints: needs.append(V3000Need("a bond to several atoms", .multicentreBonds))
            case .display: needs.append(V3000Need("how a bond is displayed", .bondDisplay))
            case .keyword: needs.append(V3000Need("V3000 keywords that are kept as they stood", .unknown))
            default: break
            }
        }
        for sgroup in rare.sgroups where !sgroup.fitsV2000 {
            needs.append(V3000Need("an Sgroup that says more than V2000 can", .sgroupDetails))
        }
        return needs
    }
}

extension Sgroup {
    /// Whether everything it says has a line in V2000.
    fileprivate var fitsV2000: Bool {
        keywords.isEmpty && headBonds.isEmpty && containedBonds.isEmpty
            && bondVectors.allSatisfy { $0.vector?.fitsV2000 ?? false }
            && attachments.allSatisfy { $0.leaving != $0.atom && $0.identifier.bytes.count <= 2 }
            && brackets.allSatisfy { $0.start.fitsV2000 && $0.end.fitsV2000 }
            && [kind.code, subtype, connectivity].allSatisfy { $0.bytes.count <= 3 && !$0.bytes.contains(Ascii.blank) }
            && data?.fitsV2000 ?? true
    }
}

extension Sgroup.Data {
    fileprivate var fitsV2000: Bool {
        fieldName.bytes.count <= 30 && units.bytes.count <= 20 && fieldType.bytes.count <= 2
            && queryType.bytes.count <= 2 && values.allSatisfy { $0.bytes.last.map(Ascii.isBlank) != true }
    }
}

extension Position {
    /// Two coordinates of four decimals in ten columns.
    fileprivate var fitsV2000: Bool {
        z == 0 && [x, y].allSatisfy { -9999.9999...99999.9999 ~= $0 && ($0 * 10_000).rounded() / 10_000 == $0 }
    }
}

extension LinkNode {
    fileprivate var fitsV2000: Bool { neighbours.count <= 2 && minimum == 1 && 0...999 ~= maximum }
}
