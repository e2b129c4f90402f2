import ChemopenBytes
import ChemopenModel

/// Polymer blocks: `xPOLYMER:1:2:ht` on each atom of a block that two bonds cross.
enum PolymerBlocks {
    /// Turns the fields of blocks that are sound into repeating units.
    ///
    /// A block whose stated number of crossing bonds is wrong is none, and its fields stay.
    static func take(from contents: inout Extras.Contents, of molecule: Molecule) {
        var blocks: [Int: (atoms: [Int32], tags: [Text], isSound: Bool)] = [:]
        // The atoms of a block mostly stand side by side, with the same field.
        var last: (field: Text, number: Int)?
        for tagged in contents.atomNotes {
            guard case .field(let text) = tagged.note else { continue }
            if let last, last.field == text {
                blocks[last.number]?.atoms.append(tagged.index)
                continue
            }
            guard let (number, values) = block(of: text) else { continue }
            last = (text, number)
            blocks[number, default: ([], values, true)].atoms.append(tagged.index)
            if blocks[number]?.tags != values { blocks[number]?.isSound = false }
        }
        let bondsOfAtoms = BondsOfAtoms(molecule)
        var known = Set(contents.sgroups.filter { $0.kind != .abbreviation }.map { Set($0.atoms) })
        var numbers = Set(contents.sgroups.map { Int($0.number) })
        var taken: Set<Int> = []
        for number in blocks.keys.sorted() {
            guard let block = blocks[number], block.isSound else { continue }
            let members = Set(block.atoms)
            let crossing = bondsOfAtoms.bonds(leaving: members)
            guard let stated = block.tags.first, Int(stated.string) == crossing.count else { continue }
            if known.insert(members).inserted {
                var sgroup = Sgroup(.repeatingUnit)
                sgroup.atoms = block.atoms
                sgroup.bonds = crossing.map { Int32(clamping: $0) }
                sgroup.label = "n"
                sgroup.number = numbers.contains(number) ? 0 : Int32(clamping: number)
                numbers.insert(Int(sgroup.number))
                for tag in block.tags.dropFirst() { set(tag, in: &sgroup) }
                contents.sgroups.append(sgroup)
            }
            taken.insert(number)
        }
        contents.atomNotes.removeAll { tagged in
            guard case .field(let text) = tagged.note else { return false }
            return number(of: text).map { taken.contains($0) } ?? false
        }
    }

    /// Whether a field makes its atom one of a block's.
    static func isMember(_ field: Text) -> Bool { field.begins(prefix) }

    private static let prefix: StaticString = "xPOLYMER:"

    /// The number of the block that a field makes its atom one of.
    private static func number(of field: Text) -> Int? {
        guard isMember(field) else { return nil }
        let bytes = field.bytes.span
        let end = firstIndex(of: 0x3A, in: bytes, from: prefix.utf8CodeUnitCount, to: bytes.count) ?? bytes.count
        return Numeral.whole(bytes, prefix.utf8CodeUnitCount..<end).flatMap { $0 > 0 ? $0 : nil }
    }

    private static func block(of field: Text) -> (number: Int, [Text])? {
        guard let number = number(of: field) else { return nil }
        let parts = field.bytes.dropFirst(prefix.utf8CodeUnitCount)
            .split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        return (number, parts.dropFirst().map { Text(bytes: $0) })
    }

    private static func set(_ tag: Text, in sgroup: inout Sgroup) {
        switch tag {
        case "ht": sgroup.connectivity = "HT"
        case "hh": sgroup.connectivity = "HH"
        case "rnd": sgroup.connectivity = "EU"
        default: if tag.bytes.first == UInt8(ascii: "n"), tag.bytes.count > 1 { sgroup.label = tag }
        }
    }

    /// The field of each atom of a repeating unit.
    static func field(of sgroup: Sgroup, number: Int, _ molecule: Molecule) -> Text {
        let members = Set(sgroup.atoms)
        let crossing = molecule.bonds.count { members.contains($0.from) != members.contains($0.to) }
        var text = "xPOLYMER:\(number):\(crossing)"
        switch sgroup.connectivity {
        case "HT": text += ":ht"
        case "HH": text += ":hh"
        case "EU": text += ":rnd"
        default: break
        }
        if sgroup.label.bytes.first == UInt8(ascii: "n"), sgroup.label.bytes.count > 1 {
            text += ":" + sgroup.label.string
        }
        return Text(text)
    }

    /// Whether the fields of its atoms say all that there is of a repeating unit.
    static func sayAll(of sgroup: Sgroup, _ molecule: Molecule) -> Bool {
        let members = Set(sgroup.atoms)
        var plain = Sgroup(.repeatingUnit)
        plain.number = sgroup.number
        plain.atoms = sgroup.atoms
        plain.bonds = molecule.bonds.indices.filter {
            members.contains(molecule.bonds[$0].from) != members.contains(molecule.bonds[$0].to)
        }.map { Int32(clamping: $0) }
        plain.label = sgroup.label
        plain.connectivity = sgroup.connectivity
        return plain == sgroup && sgroup.label.bytes.first == UInt8(ascii: "n")
    }
}
