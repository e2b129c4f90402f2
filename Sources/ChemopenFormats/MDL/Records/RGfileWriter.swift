import ChemopenBytes
import ChemopenModel

/// Writes an R-group file: the inverse of `RGfileReader`.
struct RGfileWriter {
    private let options: WriteOptions
    private let root: Molecule
    private let groups: [RGroup]
    /// The content of members that an R-group file cannot store.
    private var losses: [Loss] = []

    /// Creates a writer; `nil` if no R-group has members, or if some content requires V3000, which has R-group
    /// blocks.
    init?(_ molecule: Molecule, _ options: WriteOptions) {
        var all = molecule.extras.contents.rgroups
        if all.allSatisfy(\.members.isEmpty) { return nil }
        let asking = all.count { $0.logicInV2000 != nil }
        if 1..<all.count ~= asking {
            // Readers process the groups with V2000 logic before the others.
            all = all.enumerated().sorted { ($0.element.number, $0.offset) < ($1.element.number, $1.offset) }.map(
                \.element)
        }
        var groups = all.filter { !$0.members.isEmpty }
        for place in groups.indices {
            for member in groups[place].members.indices {
                losses.leaveOutOuterBlocks(&groups[place].members[member].extras, of: "a member")
            }
        }
        self.groups = groups
        self.options = options
        var root = molecule
        root.extras.contents.rgroups = all
        for place in root.extras.contents.rgroups.indices { root.extras.contents.rgroups[place].members = [] }
        root.extras.contents.rgroups.removeAll { $0.logic == nil }
        self.root = root
        guard options.version == .v2000 || fitsV2000() else { return nil }
    }

    private func fitsV2000() -> Bool {
        var writer = V2000Writer(options)
        var output: [UInt8] = []
        for molecule in [root] + groups.flatMap(\.members) {
            if V3000Need(molecule) != nil || writer.write(molecule, to: &output) != nil { return false }
        }
        return true
    }

    func write(to output: inout [UInt8]) -> WriteReport {
        var writer = V2000Writer(options)
        output.append("$MDL  REV  1\n$MOL\n$HDR\n")
        let (heading, table) = parts(of: root, &writer)
        output.append(contentsOf: heading)
        output.append("$END HDR\n$CTAB\n")
        output.append(contentsOf: table)
        output.append("$END CTAB\n")
        for group in groups {
            output.append("$RGP\n")
            output.appendPadded(Int(group.number), width: 4)
            output.append(Ascii.lineFeed)
            for member in group.members {
                output.append("$CTAB\n")
                output.append(contentsOf: parts(of: member, &writer).table)
                output.append("$END CTAB\n")
            }
            output.append("$END RGP\n")
        }
        output.append("$END MOL\n")
        var report = WriteReport()
        report.version = "V2000"
        report.losses = losses
        report.losses.note(writer.losses)
        return report
    }

    /// Returns a molfile, split into its three header lines and the table.
    private func parts(
        of molecule: Molecule, _ writer: inout V2000Writer
    ) -> (heading: ArraySlice<UInt8>, table: ArraySlice<UInt8>) {
        var molfile: [UInt8] = []
        _ = writer.write(molecule, to: &molfile)
        var lines = LineCursor(0..<molfile.count, of: molfile.span)
        for _ in 0..<3 { _ = lines.next(in: molfile.span) }
        return (molfile[..<lines.position], molfile[lines.position...])
    }
}
