import ChemopenModel

/// The label that is drawn at an atom, and on which side of it the text goes on.
struct NodeLabel {
    var text: [UInt8]
    /// The text ends at the atom, and its first letters stand on the left: `HO`.
    var isTurned = false

    /// The label of an element, with its hydrogens, charge and isotope.
    init(_ symbol: Text, hydrogens: Int, of atom: Atom, isTurned: Bool) {
        self.isTurned = isTurned && hydrogens > 0
        var isotope: [UInt8] = []
        if atom.isotope > 0, symbol != "D", symbol != "T" { isotope.appendDecimal(Int(atom.isotope)) }
        var shell: [UInt8] = []
        if hydrogens > 0 { shell.append(UInt8(ascii: "H")) }
        if hydrogens > 1 { shell.appendDecimal(hydrogens) }
        text = self.isTurned ? shell + isotope + symbol.bytes : isotope + symbol.bytes + shell
        if atom.charge != 0 {
            let number = Int(atom.charge.magnitude)
            if number > 1 { text.appendDecimal(number) }
            text.append(atom.charge > 0 ? UInt8(ascii: "+") : UInt8(ascii: "-"))
        }
    }

    init(_ text: Text) { self.text = text.bytes }

    static let size = 10.0
    /// Digits below the line, charges above it.
    static let formula = 0x60

    /// Where the text begins whose first or last letter stands around a place.
    func position(at place: Position) -> Position {
        Position(Self.rounded(place.x + (isTurned ? 3.6 : -3.6)), Self.rounded(place.y + 3.6))
    }

    private static func rounded(_ points: Double) -> Double { (points * 100).rounded() / 100 }

    var width: Double { Double(text.count) * 6.5 }

    func box(at place: Position) -> DrawnBox {
        let start = position(at: place)
        let left = isTurned ? start.x - width : start.x
        return DrawnBox(left: left, top: start.y - 8.5, right: left + width, bottom: start.y + 1.5)
    }
}
