/// What the periodic table says of each element, a line an element.
///
/// Weights are IUPAC's standard atomic weights abridged to five digits, with the revision of 2024.
enum ElementTable {
    /// What is known of one element.
    struct Row {
        let averageMass: Double
        let commonIsotope: Int16
        let firstLetter: UInt8
        let secondLetter: UInt8

        /// An element found in nature: its symbol, its weight and its most abundant isotope.
        init(_ symbol: String, _ averageMass: Double, common: Int16) {
            var letters = symbol.utf8.makeIterator()
            firstLetter = letters.next() ?? 0
            secondLetter = letters.next() ?? 0
            self.averageMass = averageMass
            commonIsotope = common
        }

        /// An element without a standard atomic weight.
        init(_ symbol: String, longestLived isotope: Int16) {
            self.init(symbol, Double(isotope), common: isotope)
        }
    }

    /// The elements by atomic number.
    static let rows: InlineArray<119, Row> = [
        Row("", 0, common: 0),
        Row("H", 1.008, common: 1),  // 1
        Row("He", 4.0026, common: 4),  // 2
        Row("Li", 6.94, common: 7),  // 3
        Row("Be", 9.0122, common: 9),  // 4
        Row("B", 10.81, common: 11),  // 5
        Row("C", 12.011, common: 12),  // 6
        Row("N", 14.007, common: 14),  // 7
        Row("O", 15.999, common: 16),  // 8
        Row("F", 18.998, common: 19),  // 9
        Row("Ne", 20.180, common: 20),  // 10
        Row("Na", 22.990, common: 23),  // 11
        Row("Mg", 24.305, common: 24),  // 12
        Row("Al", 26.982, common: 27),  // 13
        Row("Si", 28.085, common: 28),  // 14
        Row("P", 30.974, common: 31),  // 15
        Row("S", 32.06, common: 32),  // 16
        Row("Cl", 35.45, common: 35),  // 17
        Row("Ar", 39.95, common: 40),  // 18
        Row("K", 39.098, common: 39),  // 19
        Row("Ca", 40.078, common: 40),  // 20
        Row("Sc", 44.956, common: 45),  // 21
        Row("Ti", 47.867, common: 48),  // 22
        Row("V", 50.942, common: 51),  // 23
        Row("Cr", 51.996, common: 52),  // 24
        Row("Mn", 54.938, common: 55),  // 25
        Row("Fe", 55.845, common: 56),  // 26
        Row("Co", 58.933, common: 59),  // 27
        Row("Ni", 58.693, common: 58),  // 28
        Row("Cu", 63.546, common: 63),  // 29
        Row("Zn", 65.38, common: 64),  // 30
        Row("Ga", 69.723, common: 69),  // 31
        Row("Ge", 72.630, common: 74),  // 32
        Row("As", 74.922, common: 75),  // 33
        Row("Se", 78.971, common: 80),  // 34
        Row("Br", 79.904, common: 79),  // 35
        Row("Kr", 83.798, common: 84),  // 36
        Row("Rb", 85.468, common: 85),  // 37
        Row("Sr", 87.62, common: 88),  // 38
        Row("Y", 88.906, common: 89),  // 39
        Row("Zr", 91.222, common: 90),  // 40
        Row("Nb", 92.906, common: 93),  // 41
        Row("Mo", 95.95, common: 98),  // 42
        Row("Tc", longestLived: 97),  // 43
        Row("Ru", 101.07, common: 102),  // 44
        Row("Rh", 102.91, common: 103),  // 45
        Row("Pd", 106.42, common: 106),  // 46
        Row("Ag", 107.87, common: 107),  // 47
        Row("Cd", 112.41, common: 114),  // 48
        Row("In", 114.82, common: 115),  // 49
        Row("Sn", 118.71, common: 120),  // 50
        Row("Sb", 121.76, common: 121),  // 51
        Row("Te", 127.60, common: 130),  // 52
        Row("I", 126.90, common: 127),  // 53
        Row("Xe", 131.29, common: 132),  // 54
        Row("Cs", 132.91, common: 133),  // 55
        Row("Ba", 137.33, common: 138),  // 56
        Row("La", 138.91, common: 139),  // 57
        Row("Ce", 140.12, common: 140),  // 58
        Row("Pr", 140.91, common: 141),  // 59
        Row("Nd", 144.24, common: 142),  // 60
        Row("Pm", longestLived: 145),  // 61
        Row("Sm", 150.36, common: 152),  // 62
        Row("Eu", 151.96, common: 153),  // 63
        Row("Gd", 157.25, common: 158),  // 64
        Row("Tb", 158.93, common: 159),  // 65
        Row("Dy", 162.50, common: 164),  // 66
        Row("Ho", 164.93, common: 165),  // 67
        Row("Er", 167.26, common: 166),  // 68
        Row("Tm", 168.93, common: 169),  // 69
        Row("Yb", 173.05, common: 174),  // 70
        Row("Lu", 174.97, common: 175),  // 71
        Row("Hf", 178.49, common: 180),  // 72
        Row("Ta", 180.95, common: 181),  // 73
        Row("W", 183.84, common: 184),  // 74
        Row("Re", 186.21, common: 187),  // 75
        Row("Os", 190.23, common: 192),  // 76
        Row("Ir", 192.22, common: 193),  // 77
        Row("Pt", 195.08, common: 195),  // 78
        Row("Au", 196.97, common: 197),  // 79
        Row("Hg", 200.59, common: 202),  // 80
        Row("Tl", 204.38, common: 205),  // 81
        Row("Pb", 207.2, common: 208),  // 82
        Row("Bi", 208.98, common: 209),  // 83
        Row("Po", longestLived: 209),  // 84
        Row("At", longestLived: 210),  // 85
        Row("Rn", longestLived: 222),  // 86
        Row("Fr", longestLived: 223),  // 87
        Row("Ra", longestLived: 226),  // 88
        Row("Ac", longestLived: 227),  // 89
        Row("Th", 232.04, common: 232),  // 90
        Row("Pa", 231.04, common: 231),  // 91
        Row("U", 238.03, common: 238),  // 92
        Row("Np", longestLived: 237),  // 93
        Row("Pu", longestLived: 244),  // 94
        Row("Am", longestLived: 243),  // 95
        Row("Cm", longestLived: 247),  // 96
        Row("Bk", longestLived: 247),  // 97
        Row("Cf", longestLived: 251),  // 98
        Row("Es", longestLived: 252),  // 99
        Row("Fm", longestLived: 257),  // 100
        Row("Md", longestLived: 258),  // 101
        Row("No", longestLived: 259),  // 102
        Row("Lr", longestLived: 262),  // 103
        Row("Rf", longestLived: 267),  // 104
        Row("Db", longestLived: 268),  // 105
        Row("Sg", longestLived: 269),  // 106
        Row("Bh", longestLived: 270),  // 107
        Row("Hs", longestLived: 269),  // 108
        Row("Mt", longestLived: 277),  // 109
        Row("Ds", longestLived: 281),  // 110
        Row("Rg", longestLived: 282),  // 111
        Row("Cn", longestLived: 285),  // 112
        Row("Nh", longestLived: 286),  // 113
        Row("Fl", longestLived: 290),  // 114
        Row("Mc", longestLived: 290),  // 115
        Row("Lv", longestLived: 293),  // 116
        Row("Ts", longestLived: 294),  // 117
        Row("Og", longestLived: 294),  // 118
    ]

    /// The atomic numbers by the places of their symbols, 0 where no symbol has its place.
    static let numbers: InlineArray<832, UInt8> = {
        var numbers = InlineArray<832, UInt8>(repeating: 0)
        for number in rows.indices {
            guard let place = place(ofSymbol: rows[number].firstLetter, rows[number].secondLetter) else { continue }
            numbers[place] = UInt8(truncatingIfNeeded: number)
        }
        return numbers
    }()

    /// The place of a symbol: 32 places to a first letter, of which the first is that of the letter alone.
    static func place(ofSymbol first: UInt8, _ second: UInt8) -> Int? {
        let row = first &- UInt8(ascii: "A")
        guard row < 26 else { return nil }
        if second == 0 || second == UInt8(ascii: " ") { return Int(row) << 5 }
        let letter = second &- UInt8(ascii: "a")
        guard letter < 26 else { return nil }
        return Int(row) << 5 | (Int(letter) + 1)
    }
}
