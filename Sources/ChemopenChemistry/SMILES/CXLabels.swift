import ChemopenModel

/// The atom labels of CX extensions: `_R1` for the site of an R-group, `Q_e` and `M_p` for atoms that are not an
/// element.
enum CXLabel {
    /// Returns the R-group number that a label specifies, or `nil` if the label is not that of a site.
    static func site(_ label: [UInt8]) -> Int32? {
        guard label.starts(with: "_R".utf8), 3...9 ~= label.count else { return nil }
        var number: Int32 = 0
        for byte in label[2...] {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            number = number * 10 + Int32(byte - UInt8(ascii: "0"))
        }
        return number > 0 ? number : nil
    }

    /// Returns the label of a site, or `nil` if the number cannot be read back.
    static func label(ofSite number: Int32) -> [UInt8]? {
        let label = Array("_R\(number)".utf8)
        return site(label) == number ? label : nil
    }

    /// Returns the name of an atom that is not an element, or `nil` for the label of any atom.
    static func name(_ label: [UInt8]) -> Text? {
        if label.elementsEqual("star_e".utf8) { return nil }
        return Text(bytes: isMarked(label) ? Array(label.dropLast(2)) : label)
    }

    /// Returns the label for the name of an atom that is not an element; the inverse of `name`.
    static func label(ofName name: Text) -> [UInt8] {
        switch name {
        case "A", "Q": return name.bytes + "_e".utf8
        case "AH", "QH", "X", "XH", "M", "MH", "Pol", "Mod": return name.bytes + "_p".utf8
        default: return isMarked(name.bytes) || site(name.bytes) != nil ? name.bytes + "_p".utf8 : name.bytes
        }
    }

    private static func isMarked(_ label: [UInt8]) -> Bool {
        label.count > 2 && (label.suffix(2).elementsEqual("_e".utf8) || label.suffix(2).elementsEqual("_p".utf8))
    }
}

extension [UInt8] {
    /// Appends text for a CX extension, and encodes characters that have a meaning there as numbers.
    mutating func append(extensionText text: [UInt8]) {
        for byte in text {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+"),
                UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "="),
                UInt8(ascii: "#"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "("), UInt8(ascii: ")"), 0x80...:
                append(byte)
            default: append(contentsOf: "&#\(byte);".utf8)
            }
        }
    }
}

/// The Sgroup kinds that CX extensions support.
enum CXSgroup {
    private static let table: [(code: Text, subtype: Text, word: Text)] = [
        ("SRU", "", "n"), ("MON", "", "mon"), ("MER", "", "mer"), ("COP", "ALT", "alt"), ("COP", "RAN", "ran"),
        ("COP", "BLO", "blk"), ("COP", "", "co"), ("CRO", "", "xl"), ("MOD", "", "mod"), ("MIX", "", "mix"),
        ("FOR", "", "f"), ("ANY", "", "any"), ("GEN", "", "gen"), ("COM", "", "c"), ("GRA", "", "grf"),
    ]

    static func word(for sgroup: Sgroup) -> Text? {
        table.first { $0.code == sgroup.kind.code && $0.subtype == sgroup.subtype }?.word
    }

    static func sgroup(_ word: Text) -> Sgroup? {
        guard let row = table.first(where: { $0.word == word }) else { return nil }
        var sgroup = Sgroup(Sgroup.Kind(row.code))
        sgroup.subtype = row.subtype
        return sgroup
    }

    static let connectivities: [Text: Text] = ["ht": "HT", "hh": "HH", "eu": "EU"]
}
