/// The type of the values of a property, which determines their encoding in CDX and CDXML.
struct DrawnType: Sendable {
    /// The kind of value. `DrawnCodec` has one codec for each; the fast paths of the readers know the most frequent ones.
    enum Form: UInt8, Sendable {
        case integer, identifier, named, bits, flag, order, charge, real, fraction
        case point, box, numbers, identifiers, elements
        case text, names, tagValue, bytes
        /// Text with fonts, and a font without text.
        case styled, style
        case fonts, colors, references
    }

    let form: Form
    /// The number of bytes of a number in CDX. A number that needs more takes four.
    fileprivate(set) var byteCount = 4
    fileprivate(set) var isSigned = true
    /// CDX stores a fraction as a number of these parts.
    fileprivate(set) var parts = 65536.0
    /// The position in CDX of each number of a group: y precedes x, and top precedes left.
    fileprivate(set) var order = [0]
    /// A count precedes the items in CDX.
    fileprivate(set) var isCounted = false
    /// Text is UTF-8 in CDX, and pictures are hexadecimal in CDXML; both are usually not.
    fileprivate(set) var isSpecial = false
    /// The names of consecutive numbers or bits in CDXML; an empty name stands for a number without a meaning.
    fileprivate(set) var names: [[UInt8]] = []
    fileprivate(set) var firstNumber = 0
    /// The names of single numbers in CDXML.
    fileprivate(set) var words: [Int: [UInt8]] = [:]

    private init(_ form: Form, _ change: (inout DrawnType) -> Void = { _ in }) {
        self.form = form
        change(&self)
    }
}

extension DrawnType {
    static func signed(_ bytes: Int) -> DrawnType { DrawnType(.integer) { $0.byteCount = bytes } }

    static func unsigned(_ bytes: Int) -> DrawnType {
        DrawnType(.integer) { ($0.byteCount, $0.isSigned) = (bytes, false) }
    }

    static let identifier = DrawnType(.identifier) { $0.isSigned = false }

    /// Numbers that CDXML spells out, from 0 or -1.
    static func named(_ names: [String], bytes: Int = 2) -> DrawnType {
        DrawnType(.named) { ($0.names, $0.byteCount) = (names.map { Array($0.utf8) }, bytes) }
    }

    static func namedFromMinusOne(_ names: [String]) -> DrawnType {
        var type = named(names, bytes: 1)
        type.firstNumber = -1
        return type
    }

    /// Numbers some of which have a name in CDXML.
    static func words(_ words: [Int: String]) -> DrawnType {
        DrawnType(.integer) { type in
            (type.byteCount, type.isSigned) = (2, false)
            type.words = words.mapValues { Array($0.utf8) }
        }
    }

    /// Bits with a name each, from the lowest, and the name of none of them.
    static func bits(_ names: [String], none: String) -> DrawnType {
        DrawnType(.bits) { type in
            (type.byteCount, type.isSigned) = (2, false)
            type.names = names.map { Array($0.utf8) }
            type.words = [0: Array(none.utf8)]
        }
    }

    /// A property that is true by its presence, and one with a byte. Readers accept both forms for both.
    static let flag = DrawnType(.flag) { $0.byteCount = 0 }
    static let truth = DrawnType(.flag) { $0.byteCount = 1 }

    static let bondOrder = DrawnType(.order) { ($0.byteCount, $0.isSigned) = (2, false) }

    /// A signed byte, or four bytes with 24 bits after the point.
    static let charge = DrawnType(.charge)
    static let real = DrawnType(.real)
    static let coordinate = DrawnType(.fraction)

    static func multiplied(_ factor: Int, bytes: Int) -> DrawnType {
        DrawnType(.fraction) { ($0.parts, $0.byteCount) = (Double(factor), bytes) }
    }

    static let point = DrawnType(.point) { $0.order = [1, 0] }
    static let point3D = DrawnType(.point) { $0.order = [0, 1, 2] }
    static let box = DrawnType(.box) { $0.order = [1, 0, 3, 2] }

    static let coordinates = DrawnType(.numbers)
    static let points = DrawnType(.numbers) { ($0.order, $0.isCounted) = ([1, 0], true) }
    static let points3D = DrawnType(.numbers) { ($0.order, $0.isCounted) = ([0, 1, 2], true) }
    static let countedNumbers = DrawnType(.numbers) { type in
        (type.parts, type.byteCount, type.isSigned, type.isCounted) = (1, 2, false, true)
    }

    static let identifiers = DrawnType(.identifiers)
    static let countedIdentifiers = DrawnType(.identifiers) { $0.isCounted = true }
    static let elements = DrawnType(.elements)

    static let text = DrawnType(.text)
    static let utf8Text = DrawnType(.text) { $0.isSpecial = true }
    static let names = DrawnType(.names)
    /// A text, or a number if the type of the tag says so.
    static let tagValue = DrawnType(.tagValue)
    /// Pictures and other data.
    static let hexadecimal = DrawnType(.bytes) { $0.isSpecial = true }
    static let base64 = DrawnType(.bytes)

    static let styled = DrawnType(.styled)
    static let utf8Styled = DrawnType(.styled) { $0.isSpecial = true }
    static let style = DrawnType(.style)
    static let fonts = DrawnType(.fonts)
    static let colors = DrawnType(.colors)
    /// Properties of other objects that an object shows.
    static let references = DrawnType(.references)
}

// MARK: - Names of numbers

extension DrawnType {
    /// Whether a number has a meaning: all numbers, unless the type lists names.
    func allows(_ number: Int) -> Bool { form != .named || name(of: number) != nil }

    /// Returns the name of a number or a set of bits; nil if it has none.
    func name(of number: Int) -> [UInt8]? {
        if let word = words[number] { return word }
        if form == .bits {
            if number < 0 || number >> names.count != 0 { return nil }
            return Array(names.indices.filter { number >> $0 & 1 == 1 }.map { names[$0] }.joined(separator: [0x20]))
        }
        guard names.indices.contains(number &- firstNumber) else { return nil }
        let name = names[number &- firstNumber]
        return name.isEmpty ? nil : name
    }

    /// Returns the number of a name.
    func number(named name: Span<UInt8>) -> Int? {
        if form == .named {
            if name.isEmpty { return nil }
            for place in names.indices where name.spells(names[place]) { return place + firstNumber }
        }
        for (number, word) in words where name.spells(word) { return number }
        return nil
    }
}

/// The orders of bonds, which are the bits of a set.
enum DrawnOrder {
    static let single = 0x0001
    static let any = 0xFFFF

    /// The names of the bits in CDXML, from the lowest.
    static let names = [
        "1", "2", "3", "4", "5", "6", "0.5", "1.5", "2.5", "3.5", "4.5", "5.5", "dative", "ionic", "hydrogen",
        "threecenter",
    ]

    /// Returns the names of the bits.
    static func spelling(of bits: Int) -> String {
        if bits == any { return "any" }
        return names.indices.filter { bits & 1 << $0 != 0 }.map { names[$0] }.joined(separator: " ")
    }
}
