import ChemopenBytes

/// The words in which CDXML spells objects, properties and their values, one behind the other in one block of memory.
///
/// Made when a drawing is written; those who read have no use for them. A class: a copy would count all its arrays anew.
final class CDXMLWords: Sendable {
    typealias Place = Range<Int32>

    struct Object {
        /// The beginning of its element up to the name, and the end of it.
        let start: Place
        let end: Place
    }

    struct Attribute {
        enum Way: UInt8 {
            case decimal, flag, order, named
            /// By the row.
            case row
        }

        let way: Way
        let isInSpace: Bool
        /// Its beginning up to the value.
        let start: Place
        /// The names of its values, from that of the first number on; an empty one is none.
        let names: Range<Int32>
        let firstNumber: Int
        /// The bytes that it takes with a number or a name.
        let room: Int
    }

    static let all = CDXMLWords()

    private let letters: [UInt8]
    private let objects: [Object]
    private let attributes: [Attribute]
    private let names: [Place]
    /// Where the attributes stand, by the tags of their properties.
    private let places: [Int16]

    private static let longestNumber = 24

    private init() {
        var letters: [UInt8] = []
        func add(_ word: [UInt8]) -> Place {
            let start = Int32(letters.count)
            letters += word
            return start..<Int32(letters.count)
        }
        func add(_ word: String) -> Place { add(Array(word.utf8)) }
        objects = DrawnKind.known.map { Object(start: add("<\($0.name)"), end: add("</\($0.name)>\n")) }
        var names: [Place] = []
        var attributes: [Attribute] = []
        var places = [Int16](repeating: -1, count: Int(DrawnPropertyTable.limit))
        for row in DrawnPropertyTable.all {
            let firstName = Int32(names.count)
            for name in row.valueNames { names.append(add(name)) }
            let start = add(" \(row.name)=\"")
            let isInSpace = if case .point3D = row.type { true } else { false }
            places[Int(row.property.rawValue)] = Int16(attributes.count)
            attributes.append(
                Attribute(
                    way: Attribute.Way(of: row.type), isInSpace: isInSpace, start: start,
                    names: firstName..<Int32(names.count), firstNumber: row.firstNumber,
                    room: start.count + (row.valueNames.map(\.count).max() ?? 0) + Self.longestNumber))
        }
        self.letters = letters
        self.attributes = attributes
        self.names = names
        self.places = places
    }

    // MARK: Looking

    @inline(__always)
    subscript(kind: DrawnKind) -> Object { objects[kind.place] }

    /// The attribute of a property; nothing where XML has none.
    @inline(__always)
    subscript(property: DrawnProperty) -> Attribute? {
        let place = property.rawValue < DrawnPropertyTable.limit ? places[Int(property.rawValue)] : -1
        return place < 0 ? nil : attributes[Int(place)]
    }

    @inline(__always)
    func append(_ word: Place, to output: inout OutputSpan<UInt8>) {
        let letters = letters
        output.append(copying: letters.span.extracting(Int(word.lowerBound)..<Int(word.upperBound)))
    }

    @inline(__always)
    func append(_ word: Place, to bytes: inout [UInt8]) {
        let letters = letters
        bytes.append(copying: letters.span.extracting(Int(word.lowerBound)..<Int(word.upperBound)))
    }

    /// Adds an attribute with a whole number, if its way is one of those that need no row.
    @inline(__always)
    func append(_ attribute: Attribute, _ number: Int, to bytes: inout [UInt8]) {
        bytes.append(addingCapacity: attribute.room) { output in
            append(attribute.start, to: &output)
            switch attribute.way {
            case .flag:
                if number == 0 { output.append("no") } else { output.append("yes") }
            case .named:
                let place = number &- attribute.firstNumber
                let isNamed = 0..<attribute.names.count ~= place
                let name = isNamed ? names[Int(attribute.names.lowerBound) &+ place] : 0..<0
                if name.isEmpty { output.append(decimal: number) } else { append(name, to: &output) }
            case .order, .decimal, .row: output.append(decimal: number)
            }
            output.append(Ascii.quote)
        }
    }
}

extension CDXMLWords.Attribute.Way {
    init(of type: DrawnType) {
        self =
            switch type {
            case .flag, .truth: .flag
            case .bondOrder: .order
            case .named, .namedFromMinusOne: .named
            case .words: .row
            default: .decimal
            }
    }
}
