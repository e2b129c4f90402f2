import ChemopenBytes
import ChemopenModel

/// Writes the parts of a V3000 table after the bonds.
struct V3000GroupWriter {
    /// The content that V3000 cannot store.
    private(set) var losses: [Loss] = []
    private let table: V3000Places

    init(_ table: V3000Places) {
        self.table = table
    }

    mutating func write(_ link: LinkNode, to output: inout [UInt8]) {
        let neighbors = link.neighbors.compactMap { table.atoms[$0] }
        guard let atom = table.atoms[link.atom], !neighbors.isEmpty else {
            return losses.note(.linkNodes, "without neighbors")
        }
        let start = output.beginV3000Line()
        output.append(.linkNode)
        for number in [Int(link.minimum), Int(link.maximum), neighbors.count] {
            output.append(Ascii.blank)
            output.appendDecimal(number)
        }
        for neighbor in neighbors {
            output.append(Ascii.blank)
            output.appendDecimal(atom)
            output.append(Ascii.blank)
            output.appendDecimal(neighbor)
        }
        output.endV3000Line(from: start)
    }

    // MARK: Sgroups

    mutating func writeSgroups(
        _ molecule: borrowing Molecule, _ sgroups: [Sgroup], _ chemistry: V3000Chemistry,
        to output: inout [UInt8]
    ) {
        output.appendV3000Line(.begin, .sgroup)
        losses.noteChangedTexts(of: sgroups) { $0.changesOnOneLine }
        for (index, sgroup) in sgroups.enumerated() {
            let start = output.beginV3000Line()
            output.appendDecimal(table.sgroups[Int32(clamping: index)] ?? 0)
            output.append(Ascii.blank)
            output.appendV3000Value(sgroup.kind.code, isName: true)
            output.append(Ascii.blank)
            output.appendDecimal(Int(sgroup.identifier))
            for term in SgroupTerm.all { append(term, of: sgroup, to: &output) }
            for keyword in sgroup.keywords { output.appendV3000(keyword.name, raw: keyword.value) }
            append(sgroup.attachments, to: &output)
            output.endV3000Line(from: start)
        }
        var number = table.sgroups.following(sgroups.count)
        for sgroup in chemistry.sgroups(molecule) {
            let start = output.beginV3000Line()
            output.appendDecimal(number)
            output.append(Ascii.blank)
            output.appendV3000Value(sgroup.kind.code)
            output.append(contentsOf: " 0".utf8)
            output.appendV3000(.atoms, sgroup.atoms, numbers: table.atoms)
            output.appendV3000(.crossingBonds, sgroup.bonds, numbers: table.bonds)
            for term in SgroupTerm.all { appendData(term, of: sgroup, to: &output) }
            output.endV3000Line(from: start)
            number += 1
        }
        output.appendV3000Line(.end, .sgroup)
    }

    /// Appends the keywords of a term. Attachments are excluded, because they are written last.
    private mutating func append(
        _ term: SgroupTerm, of sgroup: Sgroup, to output: inout [UInt8]
    ) {
        guard let key = term.key(in: sgroup.kind) else { return appendData(term, of: sgroup, to: &output) }
        switch term.content {
        case .atoms(let field): output.appendV3000(key, sgroup[field], numbers: table.atoms)
        case .bonds(let field): output.appendV3000(key, sgroup[field], numbers: table.bonds)
        case .word(let field), .text(let field): output.appendV3000(key, sgroup[field])
        case .number(let field):
            if sgroup[field] != 0 { output.appendV3000(key, Int(sgroup[field])) }
        case .parent:
            if let parent = sgroup.parent.flatMap({ table.sgroups[$0] }) { output.appendV3000(key, parent) }
        case .bracketStyle:
            if let style = sgroup.bracketStyle { output.appendV3000(key, Text(style.word)) }
        case .expansion:
            if sgroup.isExpanded { output.appendV3000(key, Text(SgroupTerm.expanded)) }
        case .bracket: for bracket in sgroup.brackets { append(bracket, key, to: &output) }
        case .bondVector: for vector in sgroup.bondVectors { append(vector, key, to: &output) }
        case .data, .values, .valuePart: appendData(term, of: sgroup, to: &output)
        case .kind, .attachment: break
        }
    }

    private func append(_ bracket: Sgroup.Bracket, _ key: V3000Keyword, to output: inout [UInt8]) {
        output.appendV3000Key(key)
        output.append(contentsOf: "(9 ".utf8)
        output.appendV3000(bracket.start)
        output.append(Ascii.blank)
        output.appendV3000(bracket.end)
        output.append(contentsOf: " 0 0 0)".utf8)
    }

    private func append(
        _ vector: Sgroup.BondVector, _ key: V3000Keyword, to output: inout [UInt8]
    ) {
        guard let bond = table.bonds[vector.bond] else { return }
        output.appendV3000Key(key)
        output.append(contentsOf: (vector.vector == nil ? "(1 " : "(4 ").utf8)
        output.appendDecimal(bond)
        if let position = vector.vector {
            output.append(Ascii.blank)
            output.appendV3000(position)
        }
        output.append(0x29)
    }

    /// Appends the data of a term. V3000 has no keyword for the type of a field.
    private mutating func appendData(_ term: SgroupTerm, of sgroup: Sgroup, to output: inout [UInt8]) {
        guard let data = sgroup.data else { return }
        switch (term.content, term.key) {
        case (.data(let field), let key?): output.appendV3000(key, data[field])
        case (.data(let field), nil):
            let type = data[field]
            if type.isEmpty || type == "T" { return }
            losses.note(.sgroupDetails, Text(bytes: Array("field type ".utf8) + type.bytes))
        case (.values, let key?):
            for value in data.values {
                output.appendV3000Key(key)
                output.appendV3000Value(value)
                if value.bytes.contains(where: { $0 < Ascii.blank && $0 != Ascii.tab }) {
                    losses.note(.sgroupDetails, "control characters in data")
                }
            }
        default: return
        }
    }

    private func append(
        _ attachments: [Sgroup.AttachmentPoint], to output: inout [UInt8]
    ) {
        for attachment in attachments {
            guard let atom = table.atoms[attachment.atom] else { continue }
            output.appendV3000Key(.attachment)
            output.append(contentsOf: "(3 ".utf8)
            output.appendDecimal(atom)
            output.append(Ascii.blank)
            if let leaving = attachment.leaving, leaving != attachment.atom {
                output.appendDecimal(table.atoms[leaving] ?? 0)
            } else {
                output.append(contentsOf: (attachment.leaving == nil ? "0" : SgroupTerm.leavingItself).utf8)
            }
            output.append(Ascii.blank)
            output.appendV3000Value(attachment.identifier)
            output.append(0x29)
        }
    }

    // MARK: Collections

    func writeCollections(_ contents: Extras.Contents, to output: inout [UInt8]) {
        output.appendV3000Line(.begin, .collection)
        for group in contents.stereoGroups {
            let start = output.beginV3000Line()
            if let name = StereoGroup.collections.first(where: { $0.kind == group.kind })?.name { output.append(name) }
            if group.kind != .absolute { output.appendDecimal(Int(group.number)) }
            output.appendV3000(.atoms, group.atoms, numbers: table.atoms)
            output.appendV3000(.bonds, group.bonds, numbers: table.bonds)
            output.endV3000Line(from: start)
        }
        for collection in contents.collections {
            if collection.isDefault { output.appendV3000Line(.defaults) }
            let start = output.beginV3000Line()
            output.appendV3000Value(collection.name, isName: true)
            for term in CollectionTerm.all {
                output.appendV3000(term.key, term.get(collection), numbers: table.numbering(of: term.members))
            }
            for keyword in collection.keywords { output.appendV3000(keyword.name, raw: keyword.value) }
            output.endV3000Line(from: start)
        }
        output.appendV3000Line(.end, .collection)
    }
}
