import ChemopenBytes

/// An element that is not in the tables, preserved as XML.
struct ForeignElement {
    private(set) var text: [UInt8] = []
    /// The number of open elements.
    private(set) var depth = 0

    mutating func open(
        _ name: Int32, _ attributes: Span<XMLEvents.Event>, _ characters: Span<UInt8>, _ names: XMLNames
    ) {
        depth += 1
        text += [0x3C] + names[Int(name)]
        for place in attributes.indices { text += [0x20] + Self.attribute(attributes[place], characters, names) }
        text.append(0x3E)
    }

    mutating func add(text characters: Span<UInt8>) {
        Self.append(characters, to: &text)
    }

    mutating func close(_ name: Int32, _ names: XMLNames) {
        depth -= 1
        text += [0x3C, 0x2F] + names[Int(name)] + [0x3E]
    }

    /// Returns an attribute as `Name="value"`.
    static func attribute(_ attribute: XMLEvents.Event, _ characters: Span<UInt8>, _ names: XMLNames) -> [UInt8] {
        var text = names[Int(attribute.name)] + [0x3D, 0x22]
        attribute.withText(in: characters) { append($0, to: &text) }
        text.append(0x22)
        return text
    }

    private static func append(_ characters: Span<UInt8>, to text: inout [UInt8]) {
        for place in characters.indices {
            switch characters[place] {
            case UInt8(ascii: "&"): text += "&amp;".utf8
            case UInt8(ascii: "<"): text += "&lt;".utf8
            case UInt8(ascii: "\""): text += "&quot;".utf8
            case let byte: text.append(byte)
            }
        }
    }
}
