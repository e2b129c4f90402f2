import ChemopenBytes

/// The names of elements and attributes that CDXML uses, and their meanings. The table is built once for all files.
enum CDXMLNames {
    /// The role of an element, which its name alone determines.
    enum ElementRole {
        case object
        /// A run of text, `s`.
        case run
        case represent
        case font, color
        /// Any other element that is not an object.
        case other
    }

    /// The meaning of a name, as an element and as an attribute.
    struct Meaning {
        var kind = DrawnKind.unknown
        /// The property of an attribute and the form of its values; nil if the name is not a known attribute.
        var property = DrawnProperty(rawValue: 0)
        var form: DrawnType.Form?
        var element = ElementRole.object
        var isLook = false

        init() {}

        /// Creates the meaning of a name that is not in the vocabulary.
        init(ofOwnName name: [UInt8]) {
            isLook = DrawnLooks.isCaption(attribute: name)
        }
    }

    /// The meanings of the vocabulary's names, in the same order.
    static let meanings: [Meaning] = {
        var meanings = [Meaning](repeating: Meaning(), count: names.count)
        for place in 0...DrawnLooks.attributes.count { meanings[place].isLook = true }
        for (place, name) in DrawnKind.elements.enumerated() where !name.isEmpty {
            meanings[number(of: name)].kind = DrawnKind(elementAt: place)
        }
        for row in DrawnPropertyTable.all where !row.name.isEmpty {
            let number = number(of: row.name)
            // If two rows share a name, the first row applies.
            if meanings[number].form != nil { continue }
            meanings[number].property = row.property
            meanings[number].form = row.type.form
            meanings[number].isLook = DrawnPropertyTable.isLook(row.property)
        }
        meanings[number(of: "s")].element = .run
        meanings[number(of: "represent")].element = .represent
        for name in tables { meanings[number(of: name)].element = .other }
        meanings[number(of: "font")].element = .font
        meanings[number(of: "color")].element = .color
        return meanings
    }()

    private static func number(of name: String) -> Int {
        Int(vocabulary.number(of: Array(name.utf8).span) ?? 0)
    }

    static let vocabulary = XMLVocabulary(names)

    /// The number of `id`, the first name.
    static let id: Int32 = 0

    /// The names of appearance properties follow `id`. If a name is listed twice, its first position applies.
    private static let names =
        ["id"] + DrawnLooks.attributes + DrawnKind.elements + DrawnPropertyTable.all.map(\.name)
        + ["s", "represent"] + tables

    /// Names of elements that are not objects.
    private static let tables = [fontTable, "font", colorTable, "color", list]
    static let fontTable = "fonttable"
    static let colorTable = "colortable"
    /// The element that can contain several documents.
    static let list = "cdxList"
}
