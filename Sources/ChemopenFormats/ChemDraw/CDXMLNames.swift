import ChemopenBytes

/// The names of elements and attributes that CDXML is known to use, and what each means: looked up once for all files.
enum CDXMLNames {
    /// What an element is, by its name alone.
    enum ElementRole {
        case object
        /// `s`, a run of text.
        case run
        case represent
        /// Fonts, colours and whatever else is no object.
        case other
    }

    /// What a name means: as an element and as an attribute.
    struct Meaning {
        var kind = DrawnKind.unknown
        /// The place of the property's row; -1 where it has none.
        var row: Int16 = -1
        var element = ElementRole.object
        var isID = false
        var isLook = false

        init() {}

        /// A name that is not in the vocabulary.
        init(ofOwnName name: [UInt8]) {
            isLook = DrawnLooks.isCaption(attribute: name)
        }

        fileprivate init(of name: String) {
            kind = DrawnKind(element: name)
            if let row = DrawnPropertyTable.place(named: name) { self.row = Int16(row) }
            switch name {
            case "s": element = .run
            case "represent": element = .represent
            case "fonttable", "font", "colortable", "color", "cdxList": element = .other
            default: break
            }
            isID = name == "id"
        }
    }

    /// The meanings of the vocabulary's names, in its order.
    static let meanings: [Meaning] = {
        var meanings = names.map { Meaning(of: $0) }
        for place in 0..<DrawnLooks.attributes.count { meanings[place].isLook = true }
        return meanings
    }()

    static let vocabulary = XMLVocabulary(names)

    /// Looks first. A name may be listed twice; then its first place is the one that counts.
    private static let names =
        DrawnLooks.attributes + DrawnKind.elements + DrawnPropertyTable.names
        + ["s", "represent", "fonttable", "colortable", "cdxList"]
}
