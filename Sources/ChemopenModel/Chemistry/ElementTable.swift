/// The periodic table: one row for each element, and a lookup table from symbols to atomic numbers.
///
/// Both tables are constants. Reading a symbol therefore needs one load and no check that the table is initialized.
enum ElementTable {
    /// The symbol and masses of one element.
    struct Row {
        let averageMass: Double
        let commonIsotope: Int16
        let firstLetter: UInt8
        let secondLetter: UInt8

        /// An element that occurs in nature and has a symbol of two letters.
        init(_ first: Unicode.Scalar, _ second: Unicode.Scalar, _ averageMass: Double, common: Int16) {
            firstLetter = UInt8(truncatingIfNeeded: first.value)
            secondLetter = UInt8(truncatingIfNeeded: second.value)
            self.averageMass = averageMass
            commonIsotope = common
        }

        /// An element that occurs in nature and has a symbol of one letter.
        init(_ letter: Unicode.Scalar, _ averageMass: Double, common: Int16) {
            self.init(letter, "\0", averageMass, common: common)
        }

        /// An element without a standard atomic weight.
        init(_ first: Unicode.Scalar, _ second: Unicode.Scalar, longestLived isotope: Int16) {
            self.init(first, second, Double(isotope), common: isotope)
        }
    }

    /// The elements by atomic number, with IUPAC's standard atomic weights of 2024, abridged to five digits.
    static let rows: InlineArray<119, Row> = [
        Row("\0", 0, common: 0),  // none
        Row("H", 1.008, common: 1),  // 1
        Row("H", "e", 4.0026, common: 4),  // 2
        Row("L", "i", 6.94, common: 7),  // 3
        Row("B", "e", 9.0122, common: 9),  // 4
        Row("B", 10.81, common: 11),  // 5
        Row("C", 12.011, common: 12),  // 6
        Row("N", 14.007, common: 14),  // 7
        Row("O", 15.999, common: 16),  // 8
        Row("F", 18.998, common: 19),  // 9
        Row("N", "e", 20.180, common: 20),  // 10
        Row("N", "a", 22.990, common: 23),  // 11
        Row("M", "g", 24.305, common: 24),  // 12
        Row("A", "l", 26.982, common: 27),  // 13
        Row("S", "i", 28.085, common: 28),  // 14
        Row("P", 30.974, common: 31),  // 15
        Row("S", 32.06, common: 32),  // 16
        Row("C", "l", 35.45, common: 35),  // 17
        Row("A", "r", 39.95, common: 40),  // 18
        Row("K", 39.098, common: 39),  // 19
        Row("C", "a", 40.078, common: 40),  // 20
        Row("S", "c", 44.956, common: 45),  // 21
        Row("T", "i", 47.867, common: 48),  // 22
        Row("V", 50.942, common: 51),  // 23
        Row("C", "r", 51.996, common: 52),  // 24
        Row("M", "n", 54.938, common: 55),  // 25
        Row("F", "e", 55.845, common: 56),  // 26
        Row("C", "o", 58.933, common: 59),  // 27
        Row("N", "i", 58.693, common: 58),  // 28
        Row("C", "u", 63.546, common: 63),  // 29
        Row("Z", "n", 65.38, common: 64),  // 30
        Row("G", "a", 69.723, common: 69),  // 31
        Row("G", "e", 72.630, common: 74),  // 32
        Row("A", "s", 74.922, common: 75),  // 33
        Row("S", "e", 78.971, common: 80),  // 34
        Row("B", "r", 79.904, common: 79),  // 35
        Row("K", "r", 83.798, common: 84),  // 36
        Row("R", "b", 85.468, common: 85),  // 37
        Row("S", "r", 87.62, common: 88),  // 38
        Row("Y", 88.906, common: 89),  // 39
        Row("Z", "r", 91.222, common: 90),  // 40
        Row("N", "b", 92.906, common: 93),  // 41
        Row("M", "o", 95.95, common: 98),  // 42
        Row("T", "c", longestLived: 97),  // 43
        Row("R", "u", 101.07, common: 102),  // 44
        Row("R", "h", 102.91, common: 103),  // 45
        Row("P", "d", 106.42, common: 106),  // 46
        Row("A", "g", 107.87, common: 107),  // 47
        Row("C", "d", 112.41, common: 114),  // 48
        Row("I", "n", 114.82, common: 115),  // 49
        Row("S", "n", 118.71, common: 120),  // 50
        Row("S", "b", 121.76, common: 121),  // 51
        Row("T", "e", 127.60, common: 130),  // 52
        Row("I", 126.90, common: 127),  // 53
        Row("X", "e", 131.29, common: 132),  // 54
        Row("C", "s", 132.91, common: 133),  // 55
        Row("B", "a", 137.33, common: 138),  // 56
        Row("L", "a", 138.91, common: 139),  // 57
        Row("C", "e", 140.12, common: 140),  // 58
        Row("P", "r", 140.91, common: 141),  // 59
        Row("N", "d", 144.24, common: 142),  // 60
        Row("P", "m", longestLived: 145),  // 61
        Row("S", "m", 150.36, common: 152),  // 62
        Row("E", "u", 151.96, common: 153),  // 63
        Row("G", "d", 157.25, common: 158),  // 64
        Row("T", "b", 158.93, common: 159),  // 65
        Row("D", "y", 162.50, common: 164),  // 66
        Row("H", "o", 164.93, common: 165),  // 67
        Row("E", "r", 167.26, common: 166),  // 68
        Row("T", "m", 168.93, common: 169),  // 69
        Row("Y", "b", 173.05, common: 174),  // 70
        Row("L", "u", 174.97, common: 175),  // 71
        Row("H", "f", 178.49, common: 180),  // 72
        Row("T", "a", 180.95, common: 181),  // 73
        Row("W", 183.84, common: 184),  // 74
        Row("R", "e", 186.21, common: 187),  // 75
        Row("O", "s", 190.23, common: 192),  // 76
        Row("I", "r", 192.22, common: 193),  // 77
        Row("P", "t", 195.08, common: 195),  // 78
        Row("A", "u", 196.97, common: 197),  // 79
        Row("H", "g", 200.59, common: 202),  // 80
        Row("T", "l", 204.38, common: 205),  // 81
        Row("P", "b", 207.2, common: 208),  // 82
        Row("B", "i", 208.98, common: 209),  // 83
        Row("P", "o", longestLived: 209),  // 84
        Row("A", "t", longestLived: 210),  // 85
        Row("R", "n", longestLived: 222),  // 86
        Row("F", "r", longestLived: 223),  // 87
        Row("R", "a", longestLived: 226),  // 88
        Row("A", "c", longestLived: 227),  // 89
        Row("T", "h", 232.04, common: 232),  // 90
        Row("P", "a", 231.04, common: 231),  // 91
        Row("U", 238.03, common: 238),  // 92
        Row("N", "p", longestLived: 237),  // 93
        Row("P", "u", longestLived: 244),  // 94
        Row("A", "m", longestLived: 243),  // 95
        Row("C", "m", longestLived: 247),  // 96
        Row("B", "k", longestLived: 247),  // 97
        Row("C", "f", longestLived: 251),  // 98
        Row("E", "s", longestLived: 252),  // 99
        Row("F", "m", longestLived: 257),  // 100
        Row("M", "d", longestLived: 258),  // 101
        Row("N", "o", longestLived: 259),  // 102
        Row("L", "r", longestLived: 262),  // 103
        Row("R", "f", longestLived: 267),  // 104
        Row("D", "b", longestLived: 268),  // 105
        Row("S", "g", longestLived: 269),  // 106
        Row("B", "h", longestLived: 270),  // 107
        Row("H", "s", longestLived: 269),  // 108
        Row("M", "t", longestLived: 277),  // 109
        Row("D", "s", longestLived: 281),  // 110
        Row("R", "g", longestLived: 282),  // 111
        Row("C", "n", longestLived: 285),  // 112
        Row("N", "h", longestLived: 286),  // 113
        Row("F", "l", longestLived: 290),  // 114
        Row("M", "c", longestLived: 290),  // 115
        Row("L", "v", longestLived: 293),  // 116
        Row("T", "s", longestLived: 294),  // 117
        Row("O", "g", longestLived: 294),  // 118
    ]

    /// The atomic numbers by symbol, one line for each first letter. No symbol ends in z.
    // swift-format-ignore
    static let numbers: InlineArray<676, UInt8> = [
        //     a   b   c   d   e   f   g   h   i   j   k   l   m   n   o   p   q   r   s   t   u   v   w   x   y
          0,  0,  0, 89,  0,  0,  0, 47,  0,  0,  0,  0, 13, 95,  0,  0,  0,  0, 18, 33, 85, 79,  0,  0,  0,  0,  // A
          5, 56,  0,  0,  0,  4,  0,  0,107, 83,  0, 97,  0,  0,  0,  0,  0,  0, 35,  0,  0,  0,  0,  0,  0,  0,  // B
          6, 20,  0,  0, 48, 58, 98,  0,  0,  0,  0,  0, 17, 96,112, 27,  0,  0, 24, 55,  0, 29,  0,  0,  0,  0,  // C
          0,  0,105,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,110,  0,  0,  0,  0,  0, 66,  // D
          0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0, 68, 99,  0, 63,  0,  0,  0,  0,  // E
          9,  0,  0,  0,  0, 26,  0,  0,  0,  0,  0,  0,114,100,  0,  0,  0,  0, 87,  0,  0,  0,  0,  0,  0,  0,  // F
          0, 31,  0,  0, 64, 32,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  // G
          1,  0,  0,  0,  0,  2, 72, 80,  0,  0,  0,  0,  0,  0,  0, 67,  0,  0,  0,108,  0,  0,  0,  0,  0,  0,  // H
         53,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0, 49,  0,  0,  0, 77,  0,  0,  0,  0,  0,  0,  0,  // I
          0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  // J
         19,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0, 36,  0,  0,  0,  0,  0,  0,  0,  // K
          0, 57,  0,  0,  0,  0,  0,  0,  0,  3,  0,  0,  0,  0,  0,  0,  0,  0,103,  0,  0, 71,116,  0,  0,  0,  // L
          0,  0,  0,115,101,  0,  0, 12,  0,  0,  0,  0,  0,  0, 25, 42,  0,  0,  0,  0,109,  0,  0,  0,  0,  0,  // M
          7, 11, 41,  0, 60, 10,  0,  0,113, 28,  0,  0,  0,  0,  0,102, 93,  0,  0,  0,  0,  0,  0,  0,  0,  0,  // N
          8,  0,  0,  0,  0,  0,  0,118,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0, 76,  0,  0,  0,  0,  0,  0,  // O
         15, 91, 82,  0, 46,  0,  0,  0,  0,  0,  0,  0,  0, 61,  0, 84,  0,  0, 59,  0, 78, 94,  0,  0,  0,  0,  // P
          0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  // Q
          0, 88, 37,  0,  0, 75,104,111, 45,  0,  0,  0,  0,  0, 86,  0,  0,  0,  0,  0,  0, 44,  0,  0,  0,  0,  // R
         16,  0, 51, 21,  0, 34,  0,106,  0, 14,  0,  0,  0, 62, 50,  0,  0,  0, 38,  0,  0,  0,  0,  0,  0,  0,  // S
          0, 73, 65, 43,  0, 52,  0,  0, 90, 22,  0,  0, 81, 69,  0,  0,  0,  0,  0,117,  0,  0,  0,  0,  0,  0,  // T
         92,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  // U
         23,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  // V
         74,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  // W
          0,  0,  0,  0,  0, 54,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  // X
         39,  0, 70,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  // Y
          0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0, 30,  0,  0,  0, 40,  0,  0,  0,  0,  0,  0,  0,  // Z
    ]

    /// Returns the index of a symbol in `numbers`. For a symbol of one letter, the second byte is 0 or a space.
    static func place(ofSymbol first: UInt8, _ second: UInt8) -> Int? {
        let line = first &- UInt8(ascii: "A")
        guard line < 26 else { return nil }
        if second == 0 || second == UInt8(ascii: " ") { return Int(line) &* 26 }
        let letter = second &- UInt8(ascii: "a")
        guard letter < 25 else { return nil }
        return Int(line) &* 26 &+ Int(letter) &+ 1
    }
}
