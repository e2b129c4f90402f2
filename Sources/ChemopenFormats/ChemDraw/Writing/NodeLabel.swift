import ChemopenBytes
import ChemopenModel

/// Up to eight letters of ASCII that mean nothing to XML.
struct ShortText {
    /// The first letter is in the lowest byte; zeros behind the last one.
    private(set) var word: UInt64 = 0
    private(set) var count = 0

    /// Adds a letter, for which there has to be room.
    mutating func append(_ letter: UInt8) {
        word |= UInt64(letter) << UInt64(truncatingIfNeeded: count &* 8)
        count &+= 1
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(addingCapacity: 8) { $0.append(word: word, count: count) }
        return bytes
    }
}

/// The label that is drawn at an atom, and on which side of it the text goes on.
struct NodeLabel {
    /// The text where it is no more than an element with small numbers, as nearly all are.
    let short: ShortText?
    private let letters: [UInt8]
    private let letterCount: Int
    /// The text goes to the left of the atom, where it is shown as `HO`.
    var isTurned = false
    /// It is an element with its hydrogens, which may be on either side of it.
    private(set) var isFormula = false
    /// The mass of an isotope in the text, which stands above the line.
    private(set) var raised: Range<Int>?

    /// The letters as they follow one another from the atom on, whichever way they go: `OH`, as in all files of ChemDraw's.
    var text: [UInt8] { short?.bytes ?? letters }

    /// The label of an element, with its hydrogens, charge and isotope.
    init(_ symbol: Text, hydrogens: Int, of atom: Atom, isTurned: Bool) {
        var text: [UInt8] = []
        var raised: Range<Int>?
        if atom.isotope > 0, symbol != "D", symbol != "T" {
            text.appendDecimal(Int(atom.isotope))
            raised = 0..<text.count
        }
        text += symbol.bytes
        if hydrogens > 0 { text.append(UInt8(ascii: "H")) }
        if hydrogens > 1 { text.appendDecimal(hydrogens) }
        if atom.charge != 0 {
            let number = Int(atom.charge.magnitude)
            if number > 1 { text.appendDecimal(number) }
            text.append(atom.charge > 0 ? UInt8(ascii: "+") : UInt8(ascii: "-"))
        }
        self.init(Text(bytes: text), raised: raised)
        self.isTurned = isTurned && hydrogens > 0
        isFormula = hydrogens > 0
    }

    /// The same for an atom that is called by its element, of the natural mixture; nothing for one that is not so, and for
    /// numbers of two digits.
    init?(of atom: Atom, hydrogens: Int, isTurned: Bool) {
        let (first, second) = atom.element.symbolBytes
        guard atom.isotope == 0, atom.label == Atom.noLabel, 0...9 ~= hydrogens, -9...9 ~= atom.charge, first != 0
        else {
            return nil
        }
        var text = ShortText()
        text.append(first)
        if second != 0 { text.append(second) }
        if hydrogens > 0 { text.append(UInt8(ascii: "H")) }
        if hydrogens > 1 { text.append(UInt8(truncatingIfNeeded: hydrogens) | 0x30) }
        if atom.charge.magnitude > 1 { text.append(UInt8(truncatingIfNeeded: atom.charge.magnitude) | 0x30) }
        if atom.charge != 0 { text.append(atom.charge > 0 ? UInt8(ascii: "+") : UInt8(ascii: "-")) }
        short = text
        letters = []
        letterCount = text.count
        self.isTurned = isTurned && hydrogens > 0
        isFormula = hydrogens > 0
    }

    init(_ text: Text, raised: Range<Int>? = nil) {
        short = nil
        letters = text.bytes
        let isASCII = letters.allSatisfy { $0 < 0x80 }
        letterCount = isASCII ? letters.count : text.string.unicodeScalars.count
        self.raised = raised
    }

    /// Where the text begins whose first or last letter stands around a place.
    func position(at place: Position, _ size: Double) -> Position {
        let half = size * 0.36
        // The letter behind the mass is the one at the atom.
        let mass = isTurned ? 0 : size * 0.4 * Double(raised?.count ?? 0)
        return Position(Self.rounded(place.x + (isTurned ? half : -half - mass)), Self.rounded(place.y + half))
    }

    private static func rounded(_ points: Double) -> Double { wholeNumber(points * 100) / 100 }

    func box(at place: Position, _ size: Double) -> DrawnBox {
        let start = position(at: place, size)
        let width = Double(letterCount) * 0.65 * size
        let left = isTurned ? start.x - width : start.x
        return DrawnBox(left: left, top: start.y - 0.85 * size, right: left + width, bottom: start.y + 0.15 * size)
    }
}
