import ChemopenModel

/// The layout of a page, in ten-thousandths of an Ångström, with y pointing down. Coordinates are integers, so
/// reading and writing a drawing again does not change it.
struct PagePlaces {
    /// The number of units in an Ångström.
    static let unit = 10_000.0
    /// The number of points in an Ångström: a bond of 1.5 Å is 14.4 points long.
    static let scale = 9.6
    /// The maximum length of a page in points, given the largest number in CDX.
    static let longestPage = 31_000.0

    /// The width within which items are placed next to one another.
    private let width: Int
    private let factor: Double
    private static let margin = whole(points: 36)
    private static let gap = whole(points: 24)

    static func whole(points: Double) -> Int { Int((points / scale * unit).rounded()) }

    static func points(_ whole: Int) -> Double { wholeNumber(Double(whole) / unit * scale * 10_000) / 10_000 }

    private var x = margin
    private var y = margin
    private var rowHeight = 0

    init(_ style: PageStyle) {
        width = style.whole(540)
        factor = style.factor
    }

    /// The lower end of the page's content, in points.
    var bottom: Double { Self.points(y + rowHeight + Self.margin) * factor }

    var isEmpty: Bool { x == Self.margin && y == Self.margin }

    /// Whether an item would exceed the maximum length. An item that is larger than a page is placed on its own page.
    func isFull(for size: Size) -> Bool {
        !isEmpty && Self.points(y + rowHeight + size.height + Self.margin + Self.gap) * factor > Self.longestPage
    }

    /// Returns the upper left corner for an item, next to the previous item or in the next row.
    mutating func place(_ size: Size) -> Corner {
        if x > Self.margin, x + size.width > width { nextRow() }
        defer {
            x += size.width + Self.gap
            rowHeight = max(rowHeight, size.height)
        }
        return Corner(x: x, y: y)
    }

    private mutating func nextRow() {
        x = Self.margin
        y += rowHeight + Self.gap
        rowHeight = 0
    }

    struct Size {
        var width = 0
        var height = 0
    }

    struct Corner {
        var x: Int
        var y: Int
    }
}

/// The positions of a molecule's atoms on its page: moved, with y pointing down.
struct MoleculePlace {
    /// Whether the atoms have coordinates.
    let isDrawn: Bool
    let isInSpace: Bool
    /// The stretching factor, above 1 for molecules whose bonds are too short for normal letters.
    private(set) var stretching = 1.0
    private var left = 0
    private var top = 0
    private(set) var size = PagePlaces.Size()
    private let factor: Double
    /// The height of letters at atoms.
    let labelSize: Double
    /// The offset from the molecule's origin to the page's.
    private var shift = PagePlaces.Corner(x: 0, y: 0)

    init(of molecule: borrowing Molecule, _ style: PageStyle) {
        factor = style.factor
        labelSize = style.labelSize
        let atoms = molecule.atoms
        isInSpace = molecule.flags.contains(.threeDimensional) || molecule.hasHeights
        var box = DrawnBox(around: [])
        var lowest = 0.0
        var highest = 0.0
        for atom in atoms {
            box.include(atom.position)
            lowest = min(lowest, atom.position.z)
            highest = max(highest, atom.position.z)
        }
        let isPoint = box.left == box.right && box.top == box.bottom
        isDrawn =
            !atoms.isEmpty
            && (isInSpace || !(molecule.flags.contains(.withoutCoordinates) || (isPoint && atoms.count > 1)))
        guard isDrawn else { return }
        let widest = max(box.right - box.left, box.bottom - box.top, highest - lowest)
        if !isInSpace { stretching = Self.stretching(of: molecule, widest) }
        let (right, bottom) = (whole(box.right), whole(-box.top))
        left = whole(box.left)
        top = whole(-box.bottom)
        size = PagePlaces.Size(width: max(0, right - left), height: max(0, bottom - top))
    }

    /// Returns the factor by which to stretch bonds that are shorter than three quarters of the usual length, as in
    /// many molfiles. The factor is a multiple of 1/4, so the original coordinates can be restored exactly.
    private static func stretching(of molecule: borrowing Molecule, _ widest: Double) -> Double {
        let steps = 4.0
        let atoms = molecule.atoms
        let (usual, least) = (1.5, 0.05)
        var lengths: [Double] = []
        for bond in molecule.bonds where max(bond.from, bond.to) < atoms.count {
            let (from, to) = (atoms[Int(bond.from)].position, atoms[Int(bond.to)].position)
            let (x, y) = (to.x - from.x, to.y - from.y)
            let length = (x * x + y * y).squareRoot()
            if length > least { lengths.append(length) }
        }
        // The median is short if most bonds are short, which can be checked without sorting.
        guard lengths.count(where: { $0 < usual * 0.75 }) > lengths.count / 2 else { return 1 }
        lengths.sort()
        let stretching = (usual / lengths[lengths.count / 2] * steps).rounded() / steps
        return widest * stretching <= Shrinking.widest ? stretching : 1
    }

    private func whole(_ length: Double) -> Int {
        let whole = wholeNumber(length * stretching * PagePlaces.unit)
        return Int(max(-1e15, min(1e15, whole)))
    }

    /// The displacement and the stretching in the form of `OwnStatement`; empty if the molecule has neither.
    var moved: [Double] {
        guard isDrawn, shift.x != 0 || shift.y != 0 || stretching > 1 else { return [] }
        let stretched = stretching > 1 ? [(stretching * PagePlaces.unit).rounded()] : []
        return [Double(shift.x), Double(-shift.y)] + stretched
    }

    mutating func move(to corner: PagePlaces.Corner) {
        shift = PagePlaces.Corner(x: corner.x - left, y: corner.y - top)
    }

    private func points(_ whole: Int) -> Double { PageStyle.scaled(PagePlaces.points(whole), factor) }

    /// Returns the position on the page, in points.
    func position(_ position: Position) -> Position {
        Position(
            points(whole(position.x) + shift.x), points(whole(-position.y) + shift.y),
            isInSpace ? points(whole(position.z)) : 0)
    }
}

/// Rounds a number to the nearest integer, halves away from zero, without calling the C library for common numbers.
@inline(__always)
func wholeNumber(_ number: Double) -> Double {
    guard number.magnitude < 1e9 else { return number.rounded() }
    let whole = Double(Int(number))
    let rest = number - whole
    return rest >= 0.5 ? whole + 1 : rest <= -0.5 ? whole - 1 : whole
}
