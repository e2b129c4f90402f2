import ChemopenModel

/// The value of a property, independent of its encoding. Lengths are in points and y points down, as in the file.
enum DrawnValue: Sendable {
    /// A number, a Boolean, an ID, or the index of a name in its property's table.
    case integer(Int)
    case real(Double)
    case position(Position)
    case box(DrawnBox)
    case identifiers([UInt32])
    case text(Text)
    case elements(DrawnElements)
    case names([Text], areExcluded: Bool)
    /// The coordinates of a curve, of lines across a page, or line numbers.
    case numbers([Double])
    /// A picture, or data that the encoding cannot represent as text.
    case bytes([UInt8])
    case styled(StyledText)
    case fonts([DrawnFont])
    case colors([DrawnColor])
    case references([DrawnReference])
}

/// Text with fonts, as consecutive runs.
struct StyledText: Sendable {
    struct Run: Sendable {
        /// The ID of the font; nil if the run does not specify it.
        var font: Int?
        /// Bits: 1 bold, 2 italic, 4 underlined, 32 subscript, 64 superscript; 96 is a formula.
        var face: Int?
        /// The size in points.
        var size: Double?
        var color: Int?
        var text: Text

        func hasLook(of other: Run) -> Bool {
            font == other.font && face == other.face && size == other.size && color == other.color
        }
    }

    var runs: [Run] = []

    var isEmpty: Bool { runs.allSatisfy(\.text.isEmpty) }
}

/// A font in the document's table.
struct DrawnFont: Sendable {
    var id: Int
    /// The number of a code page.
    var characterSet: Int
    var name: Text
}

/// A color in the document's table, with components up to 65,535.
struct DrawnColor: Sendable {
    var red: UInt16
    var green: UInt16
    var blue: UInt16
}

/// A property of another object, which an object shows.
struct DrawnReference: Sendable {
    var object: UInt32
    var property: UInt16
}

/// A rectangle in points, with y pointing down. For a line, it contains the two ends.
struct DrawnBox: Sendable {
    var left: Double
    var top: Double
    var right: Double
    var bottom: Double
}

extension DrawnBox {
    /// Creates the smallest box around positions.
    init(around positions: some Sequence<Position>) {
        var box = DrawnBox(left: .infinity, top: .infinity, right: -.infinity, bottom: -.infinity)
        for position in positions { box.include(position) }
        self = box
    }

    var isEmpty: Bool { !(left <= right && top <= bottom) }

    var center: Position { Position((left + right) / 2, (top + bottom) / 2) }

    mutating func include(_ position: Position) {
        left = min(left, position.x)
        right = max(right, position.x)
        top = min(top, position.y)
        bottom = max(bottom, position.y)
    }

    /// The same box with its sides in order.
    var upright: DrawnBox {
        DrawnBox(left: min(left, right), top: min(top, bottom), right: max(left, right), bottom: max(top, bottom))
    }

    /// Returns the distance between two boxes; 0 if they overlap.
    func distance(to other: DrawnBox) -> Double {
        let x = max(0, max(other.left - right, left - other.right))
        let y = max(0, max(other.top - bottom, top - other.bottom))
        return (x * x + y * y).squareRoot()
    }
}

/// Atomic numbers, as a list of allowed or excluded elements.
struct DrawnElements: Sendable {
    var numbers: [Int]
    var areExcluded: Bool
}
