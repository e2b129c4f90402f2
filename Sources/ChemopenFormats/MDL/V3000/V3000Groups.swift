import ChemopenBytes
import ChemopenModel

/// What stands behind the bonds of a V3000 table, written.
extension MolfileWriter {
    mutating func write(_ link: LinkNode, _ table: V3000Places, to output: inout [UInt8]) {
        let neighbours = link.neighbours.compactMap { table.atoms[$0] }
        guard let atom = table.atoms[link.atom], !neighbours.isEmpty else {
            return report.losses.note(.linkNodes, "without neighbours")
        }
        let start = output.beginV3000Line()
        output.append(.linkNode)
        for number in [Int(link.minimum), Int(link.maximum), neighbours.count] {
            output.append(Ascii.blank)
            output.appendDecimal(number)
        }
        for neighbour in neighbours {
            output.append(Ascii.blank)
            output.appendDecimal(atom)
            output.append(Ascii.blank)
            output.appendDecimal(neighbour)
        }
        output.endV3000Line(from: start)
    }

    // MARK: Sgroups

    mutating func writeSgroups(
        _ molecule: borrowing Molecule, _ sgroups: [Sgroup], _ table: V3000Places, _ chemistry: V3000Chemistry,
        to output: inout [UInt8]
    ) {
        output.appendV3000Line(.begin, .sgroup)
        noteChangedTexts(of: sgroups) { $0.changesOnOneLine }
        for (index, sgroup) in sgroups.enumerated() {
            let start = output.beginV3000Line()
            output.appendDecimal(table.sgroups[Int32(clamping: index)] ?? 0)
            output.append(Ascii.blank)
            output.appendV3000Value(sgroup.kind.code, isName: true)
            output.append(Ascii.blank)
            output.appendDecimal(Int(sgroup.identifier))
            appendMembers(sgroup, table, to: &output)
            appendDrawing(sgroup, table, to: &output)
            appendData(sgroup, to: &output)
            output.appendV3000(.classOfTemplate, sgroup.templateClass)
            for keyword in sgroup.keywords { output.appendV3000(keyword.name, raw: keyword.value) }
            append(sgroup.attachments, table, to: &output)
            output.endV3000Line(from: start)
        }
        var number = table.sgroups.following(sgroups.count)
        for sgroup in chemistry.sgroups(molecule) {
            let start = output.beginV3000Line()
            output.appendDecimal(number)
            output.append(contentsOf: " DAT 0".utf8)
            output.appendV3000(.atoms, sgroup.atoms, numbers: table.atoms)
            output.appendV3000(.crossingBonds, sgroup.bonds, numbers: table.bonds)
            appendData(sgroup, to: &output)
            output.endV3000Line(from: start)
            number += 1
        }
        output.appendV3000Line(.end, .sgroup)
    }

    private func appendMembers(_ sgroup: Sgroup, _ table: V3000Places, to output: inout [UInt8]) {
        output.appendV3000(.atoms, sgroup.atoms, numbers: table.atoms)
        output.appendV3000(.parentAtoms, sgroup.parentAtoms, numbers: table.atoms)
        output.appendV3000(sgroup.kind == .data ? .containedBonds : .crossingBonds, sgroup.bonds, numbers: table.bonds)
        if sgroup.kind != .data { output.appendV3000(.containedBonds, sgroup.containedBonds, numbers: table.bonds) }
        output.appendV3000(.headBonds, sgroup.headBonds, numbers: table.bonds)
        output.appendV3000(.bondCorrespondence, sgroup.bondCorrespondence, numbers: table.bonds)
    }

    private func appendDrawing(_ sgroup: Sgroup, _ table: V3000Places, to output: inout [UInt8]) {
        output.appendV3000(.subtype, sgroup.subtype)
        output.appendV3000(sgroup.kind == .multiple ? .multiplier : .label, sgroup.label)
        output.appendV3000(.connectivity, sgroup.connectivity)
        if let parent = sgroup.parent.flatMap({ table.sgroups[$0] }) { output.appendV3000(.parent, parent) }
        if sgroup.componentNumber != 0 { output.appendV3000(.componentNumber, Int(sgroup.componentNumber)) }
        for bracket in sgroup.brackets {
            output.appendV3000Key(.bracket)
            output.append(contentsOf: "(9 ".utf8)
            output.appendV3000(bracket.start)
            output.append(Ascii.blank)
            output.appendV3000(bracket.end)
            output.append(contentsOf: " 0 0 0)".utf8)
        }
        if let style = sgroup.bracketStyle {
            output.appendV3000(.bracketType, style == .round ? "PAREN" : "BRACKET")
        }
        if sgroup.isExpanded { output.appendV3000(.expansion, "E") }
        for vector in sgroup.bondVectors {
            guard let bond = table.bonds[vector.bond] else { continue }
            output.appendV3000Key(.bondVector)
            output.append(contentsOf: (vector.vector == nil ? "(1 " : "(4 ").utf8)
            output.appendDecimal(bond)
            if let position = vector.vector {
                output.append(Ascii.blank)
                output.appendV3000(position)
            }
            output.append(0x29)
        }
    }

    private mutating func appendData(_ sgroup: Sgroup, to output: inout [UInt8]) {
        guard let data = sgroup.data else { return }
        output.appendV3000(.fieldName, data.fieldName)
        output.appendV3000(.fieldInfo, data.units)
        output.appendV3000(.fieldDisplay, data.display)
        output.appendV3000(.queryType, data.queryType)
        output.appendV3000(.queryOperator, data.queryOperator)
        for value in data.values {
            output.appendV3000Key(.fieldData)
            output.appendV3000Value(value)
            if value.bytes.contains(where: { $0 < Ascii.blank && $0 != Ascii.tab }) {
                report.losses.note(.sgroupDetails, "control characters in data")
            }
        }
        if !data.fieldType.isEmpty, data.fieldType != "T" {
            report.losses.note(.sgroupDetails, Text(bytes: Array("field type ".utf8) + data.fieldType.bytes))
        }
    }

    private func append(
        _ attachments: [Sgroup.AttachmentPoint], _ table: V3000Places, to output: inout [UInt8]
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
                output.append(contentsOf: (attachment.leaving == nil ? "0" : "aidx").utf8)
            }
            output.append(Ascii.blank)
            output.appendV3000Value(attachment.identifier)
            output.append(0x29)
        }
    }

    // MARK: Collections

    func writeCollections(_ contents: Extras.Contents, _ table: V3000Places, to output: inout [UInt8]) {
        output.appendV3000Line(.begin, .collection)
        for group in contents.stereoGroups {
            let start = output.beginV3000Line()
            switch group.kind {
            case .absolute: output.append(contentsOf: "MDLV30/STEABS".utf8)
            case .racemic: output.append(contentsOf: "MDLV30/STERAC".utf8)
            case .relative: output.append(contentsOf: "MDLV30/STEREL".utf8)
            }
            if group.kind != .absolute { output.appendDecimal(Int(group.number)) }
            output.appendV3000(.atoms, group.atoms, numbers: table.atoms)
            output.appendV3000(.bonds, group.bonds, numbers: table.bonds)
            output.endV3000Line(from: start)
        }
        for collection in contents.collections {
            if collection.isDefault { output.appendV3000Line(.defaults) }
            let start = output.beginV3000Line()
            output.appendV3000Value(collection.name, isName: true)
            output.appendV3000(.atoms, collection.atoms, numbers: table.atoms)
            output.appendV3000(.bonds, collection.bonds, numbers: table.bonds)
            output.appendV3000(.sgroups, collection.sgroups, numbers: table.sgroups)
            for keyword in collection.keywords { output.appendV3000(keyword.name, raw: keyword.value) }
            output.endV3000Line(from: start)
        }
        output.appendV3000Line(.end, .collection)
    }

    // MARK: R-groups and templates

    mutating func write(_ group: RGroup, to output: inout [UInt8]) {
        let head = output.beginV3000Line()
        output.append(.begin, .rgroup)
        output.append(Ascii.blank)
        output.appendDecimal(Int(group.number))
        output.endV3000Line(from: head)
        if let logic = group.logic {
            let start = output.beginV3000Line()
            output.append(.logic)
            output.append(Ascii.blank)
            output.appendDecimal(Int(logic.requires))
            output.append(contentsOf: (logic.restIsHydrogen ? " 1" : " 0").utf8)
            if !logic.occurrence.isEmpty {
                output.append(Ascii.blank)
                output.appendV3000Value(logic.occurrence, isName: true)
            }
            output.endV3000Line(from: start)
        }
        for member in group.members { writeInner(member, to: &output) }
        output.appendV3000Line(.end, .rgroup)
    }

    mutating func write(_ templates: [Template], to output: inout [UInt8]) {
        if templates.isEmpty { return }
        output.appendV3000Line(.begin, .template)
        for (index, template) in templates.enumerated() {
            let start = output.beginV3000Line()
            output.append(.template)
            output.append(Ascii.blank)
            output.appendDecimal(index + 1)
            output.append(Ascii.blank)
            output.appendV3000Value(template.name, isName: true)
            for keyword in template.keywords { output.appendV3000(keyword.name, raw: keyword.value) }
            output.endV3000Line(from: start)
            writeInner(template.molecule, to: &output)
        }
        output.appendV3000Line(.end, .template)
    }

    /// A table within the block of another one has no place for R-groups and templates of its own.
    private mutating func writeInner(_ molecule: Molecule, to output: inout [UInt8]) {
        writeCtabV3000(molecule, to: &output)
        report.losses.note(.rgroups, "within an R-group", count: molecule.extras.contents.rgroups.count)
        report.losses.note(.templates, "within an R-group", count: molecule.extras.contents.templates.count)
    }
}
