import ChemopenBytes
import ChemopenModel

/// The position of letters whose first or last one is centered at a position.
struct LetterPlace {
    /// The text continues to the left.
    let isTurned: Bool
    let size: Double
    /// Half of a letter.
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

    /// Returns the start of the text, in whole hundredths.
    @inline(__always)
    func hundredths(x: Double) -> Double { wholeNumber((x + shift) * 100) }

    @inline(__always)
    func hundredths(y: Double) -> Double { wholeNumber((y + half) * 100) }

    func start(at place: Position) -> Position {
        Position(hundredths(x: place.x) / 100, hundredths(y: place.y) / 100)
    }

    /// Returns the box of letters that start at a position.
    @inline(__always)
    func box(of letters: Int, from start: Position) -> DrawnBox {
        let width = Double(letters) * 0.65 * size
        let left = isTurned ? start.x - width : start.x
        return DrawnBox(left: left, top: start.y - 0.85 * size, right: left + width, bottom: start.y + 0.15 * size)
    }
}

/// The label of an atom, and the side of the atom on which it continues.
struct NodeLabel {
    /// The letters, starting at the atom, in both directions: `OH`, as in all files of ChemDraw.
    let text: [UInt8]
    let letterCount: Int
    /// The text continues to the left of the atom, where it is shown as `HO`.
    var isTurned = false
    /// It is an element with its hydrogens, which can be on both sides.
    private(set) var isFormula = false
    /// The mass of an isotope in the text, which is raised.
    private(set) var raised: Range<Int>?

    /// Makes the label of an element, with its hydrogens, charge and isotope.
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

    /// Returns the start of the text whose first or last letter is centered at a position.
    func position(at place: Position, _ size: Double) -> Position {
        LetterPlace(isTurned: isTurned, size, raised: raised?.count ?? 0).start(at: place)
    }

    func box(at place: Position, _ size: Double) -> DrawnBox {
        LetterPlace(isTurned: isTurned, size).box(of: letterCount, from: position(at: place, size))
    }
}
