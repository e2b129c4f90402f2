/// The outer electrons and common valences of elements, as used by RDKit's aromaticity rules.
enum Shell {
    private static let electrons: [UInt8] = [
        0, 1, 2, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 2, 3, 4,
        5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 3, 4, 5, 6, 7, 8, 9,
        10, 11, 12, 13, 14, 15, 4, 5, 6, 7, 8, 9, 10, 11, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 3, 4, 5, 6, 7, 8,
        9, 10, 11, 12, 13, 14, 15, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
    ]

    /// Returns the number of outer electrons of an element.
    static func electrons(_ element: UInt8) -> Int {
        electrons.indices.contains(Int(element)) ? Int(electrons[Int(element)]) : 0
    }

    /// Returns the lowest valence of an element, or -1 if it has no common valence.
    static func lowestValence(_ element: Int) -> Int {
        switch element {
        case 2, 10, 18, 36, 54, 86: 0
        case 1, 3, 9, 11, 17, 19, 35, 37, 53, 55, 85, 87: 1
        case 4, 8, 12, 16, 20, 34, 38, 50, 52, 56, 82, 84, 88: 2
        case 5, 7, 13, 15, 31, 33, 49, 51, 83: 3
        case 6, 14, 32: 4
        default: -1
        }
    }

    /// Returns the highest valence of a charged nonmetal, which is that of the element with the same number of
    /// electrons.
    ///
    /// - Returns: the valence, or `nil` for other elements.
    static func mostValence(_ element: UInt8, charge: Int) -> Int? {
        switch Int(element) &- charge {
        case 1, 9, 17, 35: 1
        case 8: 2
        case 5, 7: 3
        case 6, 14, 32: 4
        case 15, 33, 51: 5
        case 16, 34, 52: 6
        default: nil
        }
    }

    /// Returns whether one element attracts electrons from another.
    static func draws(_ one: UInt8, from other: UInt8) -> Bool {
        let (here, there) = (electrons(one), electrons(other))
        return here > there || here == there && one < other
    }
}
