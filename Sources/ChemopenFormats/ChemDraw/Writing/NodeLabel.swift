import ChemopenModel

/// The label that is drawn at an atom, and on which side of it the text goes on.
struct NodeLabel {
    /// The letters as they follow one another from the atom on, whichever way they go: `OH`, as in all files of ChemDraw's.
    var text: [UInt8]
    /// The text goes to the left of the atom, where it is shown as `HO`.
    var isTurned = false
    /// It is an element with its hydrogens, which may be on either side of it.
    private(set) var isFormula = false
    /// The mass of an isotope in the text, which stands above the line.
    private(set) var raised: Range<Int>?

    /// The label of an element, with its hydrogens, charge and isotope.
    init(_ symbol: Text, hydrogens: Int, of atom: Atom, isTurned: Bool) {
        self.isTurned = isTurned && hydrogens > 0
        isFormula = hydrogens > 0
        text = []
        if atom.isotope > 0, symbol != "D", symbol != "T" {
            text.appendDecimal(Int(atom.isotope))
            raised = 0..<text.count
            text += symbol.bytes
        } else {
            text = symbol.bytes
        }
        if hydrogens > 0 { text.append(UInt8(ascii: "H")) }
        if hydrogens > 1 { text.appendDecimal(hydrogens) }
        if atom.charge != 0 {
            let number = Int(atom.charge.magnitude)
            if number > 1 { text.appendDecimal(number) }
            text.append(atom.charge > 0 ? UInt8(ascii: "+") : UInt8(ascii: "-"))
        }
    }

    init(_ text: Text) { self.text = text.bytes }

    /// Where the text begins whose first or last letter stands around a place.
    func position(at place: Position, _ size: Double) -> Position {
        let half = size * 0.36
        // The letter behind the mass is the one at the atom.
        let mass = isTurned ? 0 : size * 0.4 * Double(raised?.count ?? 0)
        return Position(Self.rounded(place.x + (isTurned ? half : -half - mass)), Self.rounded(place.y + half))
    }

    private static func rounded(_ points: Double) -> Double { (points * 100).rounded() / 100 }

    func box(at place: Position, _ size: Double) -> DrawnBox {
        let start = position(at: place, size)
        let isASCII = text.allSatisfy { $0 < 0x80 }
        let count = isASCII ? text.count : Text(bytes: text).string.unicodeScalars.count
        let width = Double(count) * 0.65 * size
        let left = isTurned ? start.x - width : start.x
        return DrawnBox(left: left, top: start.y - 0.85 * size, right: left + width, bottom: start.y + 0.15 * size)
    }
}
