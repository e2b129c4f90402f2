import ChemopenBytes
import ChemopenModel

/// Computes the position of a label whose first or last letter is at a given point.
struct LetterPlace {
    /// Whether the text continues to the left.
    let isTurned: Bool
    let size: Double
    /// Half the size of a letter.
    let half: Double
    private let shift: Double

    @inline(__always)
    init(isTurned: Bool, _ size: Double, raised: Int = 0) {
        self.isTurned = isTurned
        self.size = size
        half = size * 0.36
        // The letter after the mass is at the atom.
        shift = isTurned ? half : -half - size * 0.4 * Double(raised)
    }

    /// Returns the start of the text, in hundredths rounded to integers.
    @inline(__always)
    func hundredths(x: Double) -> Double { wholeNumber((x + shift) * 100) }

    @inline(__always)
    func hundredths(y: Double) -> Double { wholeNumber((y + half) * 100) }

    func start(at place: Position) -> Position {
        Position(hundredths(x: place.x) / 100, hundredths(y: place.y) / 100)
    }

    /// Returns the box of a number of letters, from the start of the text.
    @inline(__always)
    func box(of letters: Int, from start: Position) -> DrawnBox {
        let width = Double(letters) * 0.65 * size
        let left = isTurned ? start.x - width : start.x
        return DrawnBox(left: left, top: start.y - 0.85 * size, right: left + width, bottom: start.y + 0.15 * size)
    }
}

/// The label of an atom, and the side on which its text continues.
struct NodeLabel {
    /// The letters in their order from the atom, regardless of the side: always `OH`, as in ChemDraw's files.
    let text: [UInt8]
    let letterCount: Int
    /// Whether the text continues to the left of the atom, which shows `HO`.
    var isTurned = false
    /// Whether the label is an element with hydrogens, which can be on either side.
    private(set) var isFormula = false
    /// The mass of an isotope in the text, which is a superscript.
    private(set) var raised: Range<Int>?

    /// Creates the label of an element, with its hydrogens, charge and isotope.
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

    init(_ text: Text, raised: Range<Int>? = nil) {
        self.text = text.bytes
        let isASCII = text.bytes.allSatisfy { $0 < 0x80 }
        letterCount = isASCII ? text.bytes.count : text.string.unicodeScalars.count
        self.raised = raised
    }

    /// Returns the start of a text whose first or last letter is at a position.
    func position(at place: Position, _ size: Double) -> Position {
        LetterPlace(isTurned: isTurned, size, raised: raised?.count ?? 0).start(at: place)
    }

    func box(at place: Position, _ size: Double) -> DrawnBox {
        LetterPlace(isTurned: isTurned, size).box(of: letterCount, from: position(at: place, size))
    }
}
