import ChemopenBytes

/// An element of a drawing that is in no table, spelled again as it was met.
struct ForeignElement {
    private(set) var text: [UInt8] = []
    /// How many elements are open.
    private(set) var depth = 0

    mutating func open(_ name: Int32, _ attributes: Range<Int>, _ events: XMLEvents) {
        depth += 1
        text += [0x3C] + events.names[Int(name)]
        for place in attributes { text += [0x20] + Self.attribute(place, events) }
        text.append(0x3E)
    }

    mutating func add(text characters: ArraySlice<UInt8>) {
        Self.append(characters, to: &text)
    }

    mutating func close(_ name: Int32, _ events: XMLEvents) {
        depth -= 1
        text += [0x3C, 0x2F] + events.names[Int(name)] + [0x3E]
    }

    /// `Name="value"`.
    static func attribute(_ place: Int, _ events: XMLEvents) -> [UInt8] {
        let event = events.list[place]
        var text = events.names[Int(event.name)] + [0x3D, 0x22]
        append(events.text[event.range], to: &text)
        text.append(0x22)
        return text
    }

    private static func append(_ characters: ArraySlice<UInt8>, to text: inout [UInt8]) {
        for byte in characters {
            switch byte {
            case UInt8(ascii: "&"): text += "&amp;".utf8
            case UInt8(ascii: "<"): text += "&lt;".utf8
            case UInt8(ascii: "\""): text += "&quot;".utf8
            default: text.append(byte)
            }
        }
    }
}
