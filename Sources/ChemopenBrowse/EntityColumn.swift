import Chemopen

/// A column of an answer.
enum EntityColumn: Sendable, Hashable {
    case permanentID, reference, category, summaryHeader, summary, identifier, children, images, properties, rootLevel
    /// Only the main picture.
    case marquee
    /// The main picture as an address, as in the earlier version of the protocol.
    case imageAddress
    /// The page that contains the record, if the file has pages.
    case page
    /// The text of the record in the file.
    case text
    /// The values of one data field.
    case property(String)
    /// The values of a computed fact, such as `mass`.
    case fact(String, ComputedFields)
    /// The atoms of a molecule in 3D.
    case model

    init?(_ name: String) {
        switch name {
        case "PERM_ID": self = .permanentID
        case "REFCON": self = .reference
        case "CATEGORY": self = .category
        case "SUMMARY_HEADER": self = .summaryHeader
        case "SUMMARY": self = .summary
        case "IDENTIFIER": self = .identifier
        case "CHILDREN": self = .children
        case "IMAGES": self = .images
        case "PROPERTIES": self = .properties
        case "ROOT_LEVEL": self = .rootLevel
        case "TEXT": self = .text
        case "IMAGES.MARQUEE": self = .marquee
        case "IMAGE_URL": self = .imageAddress
        case "IMAGES.PAGE": self = .page
        case "MODEL": self = .model
        default:
            if name.hasPrefix(Self.factPrefix) {
                let fact = String(name.dropFirst(Self.factPrefix.count))
                guard let fields = try? ComputedFields([fact]) else { return nil }
                self = .fact(fact, fields)
                return
            }
            guard name.hasPrefix(Self.propertyPrefix), name.count > Self.propertyPrefix.count else { return nil }
            self = .property(String(name.dropFirst(Self.propertyPrefix.count)))
        }
    }

    private static let propertyPrefix = "PROPERTY:"
    private static let factPrefix = "FACT:"

    /// Returns a suggestion for a misspelled column name.
    static func suggestion(for name: String) -> String {
        let names =
            (ofLists + [.images, .properties, .marquee, .page, .text, .imageAddress, .model]).map(\.name) + [
                propertyPrefix + "NAME"
            ]
            + ComputedFields.names.map { factPrefix + $0 }
        return Chemopen.suggestion(for: name.uppercased(), among: names)
    }

    var name: String {
        switch self {
        case .permanentID: "PERM_ID"
        case .reference: "REFCON"
        case .category: "CATEGORY"
        case .summaryHeader: "SUMMARY_HEADER"
        case .summary: "SUMMARY"
        case .identifier: "IDENTIFIER"
        case .children: "CHILDREN"
        case .images: "IMAGES"
        case .properties: "PROPERTIES"
        case .rootLevel: "ROOT_LEVEL"
        case .text: "TEXT"
        case .marquee: "IMAGES.MARQUEE"
        case .imageAddress: "IMAGE_URL"
        case .page: "IMAGES.PAGE"
        case .property(let name): Self.propertyPrefix + name
        case .fact(let name, _): Self.factPrefix + name
        case .model: "MODEL"
        }
    }

    /// The columns that a page shows.
    static let ofLists: [EntityColumn] = [
        .permanentID, .reference, .category, .summaryHeader, .summary, .identifier, .children, .rootLevel,
    ]

    /// The default columns of a request.
    static func usual(of kind: BrowseRequest.Kind) -> [EntityColumn] {
        let start: [EntityColumn] = [.permanentID, .reference]
        let summary: [EntityColumn] = [.category, .summaryHeader, .summary]
        return switch kind {
        case .navigation: start + summary + [.rootLevel]
        case .root: start + summary + [.children, .rootLevel]
        case .detail: start + [.summaryHeader, .summary, .identifier, .images, .properties]
        default: start + summary + [.children]
        }
    }

    /// Returns the columns with the two mandatory ones at the start.
    static func completed(_ columns: [EntityColumn]) -> [EntityColumn] {
        var all: [EntityColumn] = [.permanentID, .reference]
        for column in columns where !all.contains(column) { all.append(column) }
        return all
    }
}

// MARK: Values

extension Entity {
    /// Writes the values of columns. Returns whether they are final; a picture may not be ready yet.
    func write(_ columns: [EntityColumn], _ style: PictureForm, to json: inout JSON) -> Bool {
        var isFinal = true
        json.array { json in
            for column in columns where !write(column, style, to: &json) { isFinal = false }
        }
        return isFinal
    }

    /// Writes the value of a column. Returns whether it is final.
    @discardableResult
    func write(_ column: EntityColumn, _ style: PictureForm, to json: inout JSON) -> Bool {
        switch column {
        case .permanentID: json.string(id.text)
        case .reference: json.string(reference)
        case .category: json.string(category)
        case .summaryHeader: json.string(summaryHeader)
        case .summary: json.string(summary)
        case .identifier: json.string(identifier)
        case .children:
            json.array { json in for child in children.list { json.string(child.id.text) } }
            return file.knowsChildren
        case .images: return writeImages(style, to: &json)
        case .properties: writeProperties(to: &json)
        case .rootLevel:
            // Clients of the pattern distinguish only empty and other values.
            if isAtRoot { json.bool(true) } else { json.string("") }
            return file.knowsChildren
        case .text: json.string(shownText)
        case .marquee:
            // A row of the list has no space for remarks in small print.
            var small = style
            small.style.showsRemarks = false
            return json.picture(picture(small.style), at: pictureAddress, small.format ?? .svg)
        case .imageAddress:
            if let address = pictureAddress {
                json.string(address)
                return true
            }
            let picture = picture(style.style)
            json.string(picture.map { "data:image/svg+xml;base64," + base64($0.svg()) } ?? "")
            return picture?.isPreliminary != true
        case .page: return json.picture(pagePicture(style.style), style.format ?? .svg)
        case .property(let name): json.string(values(of: Text(name)))
        case .fact(_, let fact): json.string(values(of: fact))
        case .model: writeModel(to: &json)
        }
        return true
    }

    var category: String {
        switch kind {
        case .file(let view): view.content?.format.name ?? "not readable"
        case .category(let category): category.collection
        case .record(let record): file.mapping?.category.map { $0.text(of: record, in: file.name) } ?? file.name
        case .part(let part, _): part.role
        }
    }

    private var isFile: Bool {
        if case .file = kind { true } else { false }
    }

    private var isAtRoot: Bool {
        switch kind {
        case .file, .category: true
        // If categories are defined by fields, a record without one is not shown at the top level.
        case .record(let record):
            (file.mapping?.category == nil || !category.isEmpty) && !file.hasParent(record)
        case .part: false
        }
    }

    var identifier: String {
        switch kind {
        case .file: file.shownPath
        case .category(let category): category.name
        case .record(let record): "\(file.name)#\(record.number)"
        case .part(_, let record): "\(file.name)#\(record.number)/\(id.parts.joined(separator: "/"))"
        }
    }

    var summaryHeader: String {
        switch kind {
        case .file: return file.name
        case .category(let category): return category.name
        case .record(let record):
            if let text = file.mapping?.header?.text(of: record, in: file.name), !text.isEmpty { return text }
            let title = record.record?.title.string.trimmingBlanks ?? ""
            return title.isEmpty ? "record \(record.number)" : title
        case .part(let part, _):
            let name = part.name.string.trimmingBlanks
            if !name.isEmpty { return name }
            if case .molecule(let molecule) = part.subject, !molecule.formula.isEmpty { return molecule.formula }
            return part.role
        }
    }

    var summary: String {
        switch kind {
        case .file(let view):
            if let failure = view.failure { return failure.message }
            let all = (view.isComplete ? "" : "more than ") + counted(view.count, "record")
            return file.chosen.map { "\($0.numbers.count) chosen of \(all)" } ?? all
        case .category(let category):
            return (category.isComplete ? "" : "more than ") + counted(category.count, "record")
        case .record(let record):
            if case .failure(let error) = record.content { return "cannot be read: \(error.message)" }
            if let text = file.mapping?.summary?.text(of: record, in: file.name) { return text }
            return subject.summary
        case .part(let part, _):
            let factor = part.stoichiometry.isEmpty ? "" : "\(part.stoichiometry.string) × "
            return factor + part.subject.summary
        }
    }

    /// The maximum size of a record's text. Longer text is truncated.
    static let longestText = 512 * 1024

    private var shownText: String {
        guard case .record(let record) = kind else { return "" }
        if record.bytes.contains(0) { return hexDump(record.bytes) }
        let text = Text(bytes: record.bytes.prefix(Self.longestText)).string
        return record.bytes.count > Self.longestText ? text + "\n…" : text
    }

    /// Returns a hex dump of the start of binary data.
    private func hexDump(_ bytes: [UInt8]) -> String {
        let most = 4096
        var text: [UInt8] = []
        for start in stride(from: 0, to: min(bytes.count, most), by: 16) {
            let line = bytes[start..<min(start + 16, bytes.count)]
            text.appendHex(UInt64(start), width: 8)
            for byte in line {
                text.append(UInt8(ascii: " "))
                text.appendHex(UInt64(byte), width: 2)
            }
            text += Array(repeating: UInt8(ascii: " "), count: 3 * (16 - line.count) + 2)
            text += line.map { 0x20..<0x7F ~= $0 ? $0 : UInt8(ascii: ".") }
            text.append(UInt8(ascii: "\n"))
        }
        return String(decoding: text, as: UTF8.self) + (bytes.count > most ? "…\n" : "")
    }

    private func values(of name: Text) -> String {
        guard case .record(let record) = kind, let fields = record.record?.fields else { return "" }
        let places = fields.indices.filter { fields.columns[Int(fields.entries[$0].column)].name == name }
        return places.map { fields[$0].value.string }.joined(separator: "\n")
    }

    private func values(of fact: ComputedFields) -> String {
        guard case .record(let record) = kind, let content = record.record else { return "" }
        var place = RecordPlace()
        place.record = record.number
        place.version = record.version
        let values = fact.texts(of: content, at: place).first ?? []
        return values.map { Text(bytes: $0).string }.joined(separator: "\n")
    }

    // MARK: Pictures

    private func writeImages(_ form: PictureForm, to json: inout JSON) -> Bool {
        let format = form.format ?? .png
        var tiles = parts.prefix(12).compactMap { $0.picture(form.style) }
        // With a picture elsewhere, the structure is the first of the others.
        let address = pictureAddress
        if address != nil, let own = picture(form.style) { tiles.insert(own, at: 0) }
        var isFinal = true
        json.object { json in
            json.key("MARQUEE")
            if let address {
                json.object { $0.field("URL", address) }
            } else {
                isFinal = json.picture(picture(form.style), format)
            }
            json.key("TILED")
            json.array { json in
                for tile in tiles where !json.picture(tile, format) { isFinal = false }
            }
        }
        return isFinal
    }

    /// Returns a picture of the pages of a drawing, for a record in the drawing or for the file.
    func pagePicture(_ style: Picture.Style) -> Picture? {
        let pages: [Page]?
        switch kind {
        case .part, .category: return nil
        case .file(let view):
            guard view.content?.format.readPages != nil else { return nil }
            pages = try? Page.all(of: Source(file.path))
        case .record(let record):
            guard let readPages = file.view.content?.format.readPages, let source = try? ByteSource(record.bytes) else {
                return nil
            }
            pages = try? readPages(source, ReadOptions())
        }
        let pictures = (pages ?? []).prefix(Self.mostPages).compactMap { Picture(of: $0, style: style) }
        if pictures.count < 2 { return pictures.first }
        var picture = Picture(tiling: pictures, columns: 1, gap: 12)
        picture.title = pictures[0].title
        picture.palette = pictures[0].palette
        return picture
    }

    private static let mostPages = 20

    /// Returns the picture of a record. A row without a structure of its own shows its first one.
    ///
    /// - Parameter patience: the time limit for the layout of structures without coordinates.
    func picture(_ style: Picture.Style, _ patience: LayoutProgram.Timeout = .short) -> Picture? {
        switch file.mapping?.images {
        case .page?: return pagePicture(style)
        case Mapping.Images.none?: return nil
        case .structure?, .elsewhere?, nil: return drawing(style, patience)
        }
    }

    /// The web address of a record's picture, if the mapping specifies one.
    private var pictureAddress: String? {
        guard case .elsewhere(let template)? = file.mapping?.images, case .record(let record) = kind else { return nil }
        let address = template.text(of: record, in: file.name)
        let isPlain = address.utf8.count <= 2000 && address.utf8.allSatisfy { 0x21...0x7E ~= $0 }
        let beginning = address.lowercased()
        return isPlain && (beginning.hasPrefix("https://") || beginning.hasPrefix("http://")) ? address : nil
    }

    private func drawing(_ style: Picture.Style, _ patience: LayoutProgram.Timeout) -> Picture? {
        switch subject {
        case .none where isFile: pagePicture(style)
        case .none: parts.lazy.compactMap { $0.drawing(style, patience) }.first
        case .molecule(let molecule) where molecule.atoms.isEmpty: nil
        case .molecule, .reaction:
            Picture(
                layingOut: differing.isEmpty
                    ? highlight.map(subject.highlighting) ?? subject : subject.highlighting(atoms: Set(differing)),
                style: style, patience)
        }
    }
}

extension JSON {
    /// Writes a picture, or `null` if there is none. Returns whether it is final.
    ///
    /// - Parameter address: the address of another picture.
    @discardableResult
    mutating func picture(_ picture: Picture?, at address: String? = nil, _ format: PictureForm.Format = .svg) -> Bool {
        guard let picture else {
            if let address { object { $0.field("URL", address) } } else { null() }
            return true
        }
        object { json in
            if let address { json.field("URL", address) }
            let png = format == .png ? picture.png : nil
            json.key("DATA")
            json.object { json in
                json.field("BASE64", base64(png ?? picture.svg()))
                json.field("FORMAT", png == nil ? "SVG" : "PNG")
            }
            json.field("width", picture.width.rounded())
            json.field("height", picture.height.rounded())
            if !picture.remark.isEmpty { json.field("remark", picture.remark) }
            if picture.isPreliminary { json.field("preliminary", true) }
        }
        return !picture.isPreliminary
    }
}

/// The appearance of pictures in a response.
struct PictureForm: Sendable, Hashable {
    /// The format of pictures.
    enum Format: String, Sendable, CaseIterable {
        case svg = "SVG"
        case png = "PNG"
    }

    var style: Picture.Style
    /// `nil` if the request does not specify a format.
    var format: Format?
}

extension Picture {
    /// The picture in pixels, or `nil` if the program that draws them is not installed.
    fileprivate var png: [UInt8]? {
        try? DrawingProgram().png(of: self, pixelsPerPoint: pixelsPerPoint(atMost: 2))
    }
}

/// Encodes bytes in Base64 (RFC 4648).
func base64(_ bytes: [UInt8]) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    func append(_ bits: UInt32, of count: Int) {
        for letter in 0..<4 {
            let place = Int(bits >> UInt32(18 - 6 * letter) & 63)
            text.append(letter <= count ? letters[place] : UInt8(ascii: "="))
        }
    }
    let whole = bytes.count / 3 * 3
    for start in stride(from: 0, to: whole, by: 3) {
        append(UInt32(bytes[start]) << 16 | UInt32(bytes[start + 1]) << 8 | UInt32(bytes[start + 2]), of: 3)
    }
    let rest = bytes[whole...]
    if let first = rest.first {
        let second = rest.count > 1 ? UInt32(bytes[whole + 1]) << 8 : 0
        append(UInt32(first) << 16 | second, of: rest.count)
    }
    return String(decoding: text, as: UTF8.self)
}

extension Record.Subject {
    /// The formula and counts on one line.
    var summary: String {
        switch self {
        case .none: return "data only"
        case .molecule(let molecule):
            let composition = molecule.composition()
            let formula = composition.formula.description + composition.chargeText
            let counts = "\(counted(molecule.atoms.count, "atom")), \(counted(molecule.bonds.count, "bond"))"
            return formula.isEmpty ? counts : "\(formula), \(counts)"
        case .reaction(let reaction):
            func side(_ components: [Reaction.Component]) -> String {
                components.map { $0.molecule.formula }.filter { !$0.isEmpty }.joined(separator: " + ")
            }
            let arrows = [side(reaction.reactants), side(reaction.products)].joined(
                separator: " \(reaction.arrow?.symbol ?? "→") ")
            return reaction.steps.count > 1 ? "\(arrows), \(reaction.steps.count) steps" : arrows
        }
    }
}

/// Returns a count with a noun in the singular or plural: `1 atom`, `2 atoms`.
func counted(_ count: Int, _ thing: String) -> String {
    "\(count) \(thing)\(count == 1 ? "" : "s")"
}

extension Composition {
    /// The charge, such as `2+` or `−`, or an empty string for a neutral composition.
    var chargeText: String {
        if charge == 0 { return "" }
        let sign = charge > 0 ? "+" : "−"
        return charge.magnitude == 1 ? " \(sign)" : " \(charge.magnitude)\(sign)"
    }
}
