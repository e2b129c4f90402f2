/// The type of the values of a property, which determines their encoding in CDX and CDXML.
struct DrawnType: Sendable {
    /// The kind of value. `DrawnCodec` has one codec for each; the fast paths of the readers support the most
    /// frequent ones.
    enum Form: UInt8, Sendable {
        case integer, identifier, named, bits, flag, order, charge, real, fraction
        case point, box, numbers, identifiers, elements
        case text, names, tagValue, bytes
        /// Text with fonts, and a font without text.
        case styled, style
        case fonts, colors, references
    }

    let form: Form
    /// The size of a number in CDX, in bytes. Larger numbers use four bytes.
    fileprivate(set) var byteCount = 4
    fileprivate(set) var isSigned = true
    /// The factor by which CDX multiplies a fraction to store it as an integer.
    fileprivate(set) var parts = 65536.0
    /// The index in CDX of each number in a group, because y precedes x, and top precedes left.
    fileprivate(set) var order = [0]
    /// Whether a count precedes the items in CDX.
    fileprivate(set) var isCounted = false
    /// Whether a text is UTF-8 in CDX, or a picture is hexadecimal in CDXML. Both are exceptions.
    fileprivate(set) var isSpecial = false
    /// The CDXML names of consecutive numbers or bits. An empty name stands for an invalid number.
    fileprivate(set) var names: [[UInt8]] = []
    fileprivate(set) var firstNumber = 0
    /// The CDXML names of individual numbers.
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

    /// Returns the type of numbers that each have a CDXML name, starting with 0.
    static func named(_ names: [String], bytes: Int = 2) -> DrawnType {
        DrawnType(.named) { ($0.names, $0.byteCount) = (names.map { Array($0.utf8) }, bytes) }
    }

    static func namedFromMinusOne(_ names: [String]) -> DrawnType {
        var type = named(names, bytes: 1)
        type.firstNumber = -1
        return type
    }

    /// Returns the type of numbers that can have a CDXML name.
    static func words(_ words: [Int: String]) -> DrawnType {
        DrawnType(.integer) { type in
            (type.byteCount, type.isSigned) = (2, false)
            type.words = words.mapValues { Array($0.utf8) }
        }
    }

    /// Returns the type of a bit set, with a name for each bit from the lowest and a name for 0.
    static func bits(_ names: [String], none: String) -> DrawnType {
        DrawnType(.bits) { type in
            (type.byteCount, type.isSigned) = (2, false)
            type.names = names.map { Array($0.utf8) }
            type.words = [0: Array(none.utf8)]
        }
    }

    /// A property whose presence means true, and a property with one byte. For both, readers accept both forms.
    static let flag = DrawnType(.flag) { $0.byteCount = 0 }
    static let truth = DrawnType(.flag) { $0.byteCount = 1 }

    static let bondOrder = DrawnType(.order) { ($0.byteCount, $0.isSigned) = (2, false) }

    /// A signed byte, or four bytes with 24 fraction bits.
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
    /// A text, or a number if the tag's type specifies it.
    static let tagValue = DrawnType(.tagValue)
    /// Pictures and other data.
    static let hexadecimal = DrawnType(.bytes) { $0.isSpecial = true }
    static let base64 = DrawnType(.bytes)

    static let styled = DrawnType(.styled)
    static let utf8Styled = DrawnType(.styled) { $0.isSpecial = true }
    static let style = DrawnType(.style)
    static let fonts = DrawnType(.fonts)
    static let colors = DrawnType(.colors)
    /// Properties of other objects, which an object shows.
    static let references = DrawnType(.references)
}

// MARK: - Names of numbers

extension DrawnType {
    /// Whether a number is valid. All numbers are valid unless the type is a list of names.
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

    /// Returns the number for a name; nil if the name is unknown.
    func number(named name: Span<UInt8>) -> Int? {
        if form == .named {
            if name.isEmpty { return nil }
            for place in names.indices where name.spells(names[place]) { return place + firstNumber }
        }
        for (number, word) in words where name.spells(word) { return number }
        return nil
    }
}

/// Bond orders, as bits of a set.
enum DrawnOrder {
    static let single = 0x0001
    static let any = 0xFFFF

    /// The CDXML names of the bits, from the lowest.
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
