import ChemopenBytes
import ChemopenModel

/// Statements that ChemDraw has no words for, in annotations that bear our keyword. ChemDraw keeps them with the node, the
/// bond or the fragment that they stand in.
///
/// A statement is a field: its tag, and behind a colon its values with commas between. What SketchEl's text says in a
/// field is said by the same one: `yMDL_ALIAS:Boc`.
enum OwnStatement {
    static let keyword: Text = "Chemopen"
    /// The program that a drawing of ours names as its maker.
    static let program: Text = "Chemopen"

    enum Tag: String {
        // Of a node.
        case label, map, charge, isotope, radical, hydrogens, elements, query, field, transient
        /// The numbers of the Sgroups that it is part of.
        case member
        // Of a bond.
        case order, drawn, asks, geometry
        // Of a fragment.
        /// There is no structure in the record, or one without atoms.
        case none, empty
        /// How many atoms and bonds there are: statements that count them mean nothing where others have been drawn.
        case size
        /// How far the molecule was moved to its place on the page, in ten-thousandths of an Ångström, and by how many
        /// ten-thousandths it was stretched before.
        case moved
        case title, origin, component, stoichiometry
        /// The number of an R-group, its logic, and the alternative group that holds its members.
        case rgroup
        /// An attribute or an element that is in no table, with the atom that it was read of, or 0.
        case kept
        // Of a text.
        /// It is the name of the fragment of this id, or that of the reaction of an arrow.
        case name
        // Of an arrow.
        case comment
        /// A data field whose name or value an annotation would not keep.
        case data
        // Of a bracket.
        /// It is that of an Sgroup which its nodes name.
        case bracket
    }

    static func text(_ tag: Tag, _ values: [Text] = []) -> Text { ForeignFields.text(Text(tag.rawValue), values) }

    static func text(_ tag: Tag, numbers: [Int]) -> Text {
        let name = tag.rawValue.utf8
        var bytes: [UInt8] = []
        bytes.append(addingCapacity: name.count + 24 * numbers.count) { output in
            for letter in name { output.append(letter) }
            for (place, number) in numbers.enumerated() {
                output.append(place == 0 ? UInt8(ascii: ":") : Ascii.comma)
                output.append(decimal: number)
            }
        }
        return Text(bytes: bytes)
    }

    /// The values behind a tag; nothing where the statement has another one.
    static func values(of statement: Text, _ tag: Tag) -> [Text]? {
        let name = tag.rawValue.utf8
        guard statement.bytes.starts(with: name) else { return nil }
        return ForeignFields.values(of: statement, tagLength: name.count)
    }

    static func value(of statement: Text, _ tag: Tag) -> Text? {
        guard let values = values(of: statement, tag), values.count == 1 else { return nil }
        return values[0]
    }

    static func number(of statement: Text, _ tag: Tag) -> Int? { value(of: statement, tag).flatMap(number) }

    static func numbers(of statement: Text, _ tag: Tag) -> [Int]? {
        guard let values = values(of: statement, tag) else { return nil }
        let numbers = values.compactMap(number)
        return numbers.count == values.count ? numbers : nil
    }

    static func number(_ text: Text) -> Int? { Numeral.whole(text.bytes.span, 0..<text.bytes.count) }

    /// The statement with control characters escaped, which neither spelling keeps.
    static func escaped(_ statement: Text) -> Text {
        if statement.isPrintable { return statement }
        var bytes: [UInt8] = []
        for byte in statement.bytes {
            guard byte < 0x20 else {
                bytes.append(byte)
                continue
            }
            bytes.append(UInt8(ascii: "\\"))
            bytes.appendHex(UInt64(byte), width: 4)
        }
        return Text(bytes: bytes)
    }
}

extension Drawing {
    /// The statements of ours that stand in an object, in their order.
    func ownStatements(in object: Int) -> [Text] {
        if !has(.annotation) { return [] }
        var found: [Text] = []
        for child in children(of: object) where kind(of: child) == .annotation {
            if text(.keyword, of: child) == OwnStatement.keyword, let content = text(.content, of: child) {
                found.append(content)
            }
        }
        return found
    }
}
