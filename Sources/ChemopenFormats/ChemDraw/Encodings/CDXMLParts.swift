import ChemopenBytes
import ChemopenModel

/// An attribute of an element, with its value unescaped.
struct CDXMLAttribute {
    var name: [UInt8]
    var value: [UInt8]

    func isCalled(_ name: String) -> Bool { self.name.elementsEqual(name.utf8) }
}

extension [CDXMLAttribute] {
    subscript(name: String) -> [UInt8]? { first { $0.isCalled(name) }?.value }

    func integer(_ name: String) -> Int? { self[name].flatMap { CDXMLValues.integer($0.span) } }

    func real(_ name: String) -> Double? { self[name].flatMap { CDXMLValues.real($0.span) } }
}

/// The elements that are part of the enclosing object's values: runs of text, fonts, colors and references.
enum CDXMLParts {
    static let run = Array("s".utf8)
    static let reference = Array("represent".utf8)
    static let fontTable = Array(CDXMLNames.fontTable.utf8)
    static let colorTable = Array(CDXMLNames.colorTable.utf8)
    /// The names of the attributes of a run.
    static let looks = ["font", "size", "color", "face"]

    static func run(_ attributes: [CDXMLAttribute]) -> StyledText.Run {
        StyledText.Run(
            font: attributes.integer("font"), face: attributes.integer("face"), size: attributes.real("size"),
            color: attributes.integer("color"), text: Text())
    }

    /// Returns the font that an element describes. An invalid ID or character set becomes -1.
    static func font(_ attributes: [CDXMLAttribute]) -> DrawnFont {
        DrawnFont(
            id: attributes.integer("id") ?? -1,
            characterSet: attributes["charset"].flatMap { DrawnCharsets.number(of: $0) } ?? -1,
            name: Text(bytes: attributes["name"] ?? []))
    }

    /// Returns the color that an element describes, and sets `isExact` to false if a component is missing.
    static func color(_ attributes: [CDXMLAttribute], isExact: inout Bool) -> DrawnColor {
        let parts = ["r", "g", "b"].map { name in
            attributes.real(name).map { UInt16((max(0, min(1, $0)) * 65_535).rounded()) }
        }
        if parts.contains(nil) { isExact = false }
        return DrawnColor(red: parts[0] ?? 0, green: parts[1] ?? 0, blue: parts[2] ?? 0)
    }

    static func reference(_ attributes: [CDXMLAttribute]) -> DrawnReference? {
        guard let id = attributes.integer("object").flatMap({ UInt32(exactly: $0) }),
            let name = attributes["attribute"],
            let row = DrawnPropertyTable.row(named: name)
        else { return nil }
        return DrawnReference(object: id, property: row.property.rawValue)
    }
}

/// The character sets of fonts, by number and by name.
enum DrawnCharsets {
    private static let names = [0: "Unknown", 1252: "iso-8859-1", 10000: "x-mac-roman", 65001: "utf-8"]
    private static let prefix = "windows-"

    static func name(of number: Int) -> String { names[number] ?? "\(prefix)\(number)" }

    static func number(of name: [UInt8]) -> Int? {
        let name = String(decoding: name, as: UTF8.self).lowercased()
        if let number = names.first(where: { $0.value.lowercased() == name })?.key { return number }
        return name.hasPrefix(prefix) ? Int(name.dropFirst(prefix.count)) : Int(name)
    }
}
