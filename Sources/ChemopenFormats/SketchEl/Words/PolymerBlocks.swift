import ChemopenBytes
import ChemopenModel

/// Polymer blocks: `xPOLYMER:1:2:ht` on each atom of a block that has two crossing bonds.
enum PolymerBlocks {
    /// Converts the fields of valid blocks to repeating units.
    ///
    /// If the number of crossing bonds is wrong, or a repeating unit cannot represent all information of a block, its
    /// fields are preserved.
    static func take(from contents: inout Extras.Contents, of molecule: Molecule) {
        var blocks: [Int: (field: Text, atoms: [Int32], isSound: Bool)] = [:]
        // The atoms of a block usually are adjacent and have the same field.
        var last: (field: Text, number: Int)?
        for tagged in contents.atomNotes {
            guard case .field(let field) = tagged.note else { continue }
            if let last, last.field == field {
                blocks[last.number]?.atoms.append(tagged.index)
                continue
            }
            guard let number = number(of: field) else { continue }
            last = (field, number)
            blocks[number, default: (field, [], true)].atoms.append(tagged.index)
            if blocks[number]?.field != field { blocks[number]?.isSound = false }
        }
        if blocks.isEmpty { return }
        let bondsOfAtoms = BondsOfAtoms(molecule)
        var known = Set(contents.sgroups.filter { $0.kind != .abbreviation }.map { Set($0.atoms) })
        var numbers = Set(contents.sgroups.map { Int($0.number) })
        var taken: Set<Int> = []
        for number in blocks.keys.sorted() {
            guard let block = blocks[number], block.isSound else { continue }
            let members = Set(block.atoms)
            let crossing = bondsOfAtoms.bonds(leaving: members)
            var sgroup = Sgroup(.repeatingUnit)
            sgroup.atoms = block.atoms
            sgroup.bonds = crossing.map { Int32(clamping: $0) }
            sgroup.label = "n"
            for tag in tags(of: block.field).dropFirst() { set(tag, in: &sgroup) }
            guard field(of: sgroup, number: number, crossing: crossing.count) == block.field else { continue }
            if known.insert(members).inserted {
                sgroup.number = numbers.contains(number) ? 0 : Int32(clamping: number)
                numbers.insert(Int(sgroup.number))
                contents.sgroups.append(sgroup)
            }
            taken.insert(number)
        }
        if taken.isEmpty { return }
        contents.atomNotes.removeAll { tagged in
            guard case .field(let text) = tagged.note else { return false }
            return number(of: text).map { taken.contains($0) } ?? false
        }
    }

    private static let prefix: StaticString = "xPOLYMER:"

    /// Returns the number of the block in an atom's field.
    private static func number(of field: Text) -> Int? {
        guard field.begins(prefix) else { return nil }
        let bytes = field.bytes.span
        let end = firstIndex(of: 0x3A, in: bytes, from: prefix.utf8CodeUnitCount, to: bytes.count) ?? bytes.count
        return Numeral.whole(bytes, prefix.utf8CodeUnitCount..<end).flatMap { $0 > 0 ? $0 : nil }
    }

    /// Returns the numbers of blocks with preserved fields.
    static func numbers(in notes: [Indexed<AtomNote>]) -> Set<Int> {
        var numbers: Set<Int> = []
        for case .field(let field) in notes.lazy.map(\.note) {
            if let number = number(of: field) { numbers.insert(number) }
        }
        return numbers
    }

    /// Returns the parts after the number: the number of crossing bonds, then tags.
    private static func tags(of field: Text) -> [Text] {
        field.bytes.dropFirst(prefix.utf8CodeUnitCount)
            .split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).dropFirst().map { Text(bytes: $0) }
    }

    private static func set(_ tag: Text, in sgroup: inout Sgroup) {
        switch tag {
        case "ht": sgroup.connectivity = "HT"
        case "hh": sgroup.connectivity = "HH"
        case "rnd": sgroup.connectivity = "EU"
        default: if tag.bytes.first == UInt8(ascii: "n"), tag.bytes.count > 1 { sgroup.label = tag }
        }
    }

    /// Returns the field for each atom of a repeating unit.
    static func field(of sgroup: Sgroup, number: Int, crossing: Int) -> Text {
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

    /// Whether the fields of its atoms represent a repeating unit completely.
    static func sayAll(of sgroup: Sgroup, crossing: [Int32]) -> Bool {
        var plain = Sgroup(.repeatingUnit)
        plain.number = sgroup.number
        plain.atoms = sgroup.atoms
        plain.bonds = crossing
        plain.label = sgroup.label
        plain.connectivity = sgroup.connectivity
        return plain == sgroup && sgroup.label.bytes.first == UInt8(ascii: "n")
    }
}
