import ChemopenBytes

/// The known names of elements and attributes of CDXML and their meanings, which are looked up once for all files.
enum CDXMLNames {
    /// The role of an element, by its name alone.
    enum ElementRole {
        case object
        /// `s`, a run of text.
        case run
        case represent
        case font, color
        /// Any other element that is not an object.
        case other
    }

    /// The meaning of a name as an element and as an attribute.
    struct Meaning {
        var kind = DrawnKind.unknown
        /// The property of an attribute and the form of its values; nil if it has none.
        var property = DrawnProperty(rawValue: 0)
        var form: DrawnType.Form?
        var element = ElementRole.object
        var isLook = false

        init() {}

        /// A name that is not in the vocabulary.
        init(ofOwnName name: [UInt8]) {
            isLook = DrawnLooks.isCaption(attribute: name)
        }
    }

    /// The meanings of the vocabulary's names, in its order.
    static let meanings: [Meaning] = {
        var meanings = [Meaning](repeating: Meaning(), count: names.count)
        for place in 0...DrawnLooks.attributes.count { meanings[place].isLook = true }
        for (place, name) in DrawnKind.elements.enumerated() where !name.isEmpty {
            meanings[number(of: name)].kind = DrawnKind(elementAt: place)
        }
        for row in DrawnPropertyTable.all where !row.name.isEmpty {
            let number = number(of: row.name)
            // A name that two rows share is that of the first.
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

    /// The number of `id`, which is the first name.
    static let id: Int32 = 0

    /// Looks come next. If a name is listed twice, its first position counts.
    private static let names =
        ["id"] + DrawnLooks.attributes + DrawnKind.elements + DrawnPropertyTable.all.map(\.name)
        + ["s", "represent"] + tables

    /// The elements that are not objects.
    private static let tables = [fontTable, "font", colorTable, "color", list]
    static let fontTable = "fonttable"
    static let colorTable = "colortable"
    /// A list of documents.
    static let list = "cdxList"
}
