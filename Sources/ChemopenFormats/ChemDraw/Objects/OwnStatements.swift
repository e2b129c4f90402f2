import ChemopenBytes
import ChemopenModel

/// Statements for anything ChemDraw cannot express, in annotations with Chemopen's keyword. ChemDraw preserves them
/// with the node, bond or fragment that contains them.
///
/// A statement is a field: a tag, a colon, and the values, separated by commas. If SketchEl has a field for the same
/// data, its format is used: `yMDL_ALIAS:Boc`.
enum OwnStatement {
    static let keyword: Text = "Chemopen"
    /// The program name in the drawings that Chemopen writes.
    static let program: Text = "Chemopen"

    enum Tag: String {
        // Statements of a node.
        case label, map, charge, isotope, radical, hydrogens, elements, query, field, transient
        /// The numbers of the Sgroups that contain the node.
        case member
        // Statements of a bond.
        case order, drawn, asks, geometry
        // Statements of a fragment.
        /// The record has no structure, or a structure without atoms.
        case none, empty
        /// The numbers of atoms and bonds. If they have changed since, statements that refer to indices are ignored.
        case size
        /// The shift of the molecule on its page, in ten-thousandths of an Ångström. If the molecule was stretched before,
        /// the factor follows, also in ten-thousandths.
        case moved
        case title, origin, component, stoichiometry
        /// The number of an R-group, its logic, and the alternative group with its members.
        case rgroup
        /// An attribute or element that is not in the tables, with the number of its atom, or 0.
        case kept
        // Statements of a text.
        /// The text is the name of the fragment with this ID, or of an arrow's reaction.
        case name
        // Statements of an arrow.
        case comment
        /// A data field with a name or value that an annotation cannot store.
        case data
        // Statements of a bracket.
        /// The bracket belongs to an Sgroup that its nodes specify.
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

    /// Returns the values after a tag; nil if the statement has another tag.
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

    /// Returns the statement with control characters escaped, because neither encoding preserves them.
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
    /// Returns Chemopen's statements in an object, in their order.
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
