import ChemopenModel

/// A reader of one part of a page, with shared access to the appearance and positions of objects.
protocol PagePart {
    var drawing: Drawing { get }
    var settings: PageSettings { get }
}

/// Coordinates beyond this limit cannot be on a page.
private let farthest = 1e5

extension PagePart {
    // MARK: Looks

    func color(of place: Int) -> Page.Color? {
        drawing.integer(.color, of: place).flatMap { settings.color($0) }
    }

    /// Returns the line style of an object, with the document's settings as defaults.
    func line(of place: Int) -> Page.Line {
        let bits = drawing.integer(.lineType, of: place) ?? 0
        return line(of: place, isDashed: bits & 1 != 0, isBold: bits & 2 != 0, isWavy: bits & 4 != 0)
    }

    func line(of place: Int, isDashed: Bool, isBold: Bool, isWavy: Bool = false) -> Page.Line {
        let thin = drawing.real(.lineWidth, of: place).flatMap(PageSettings.sound) ?? settings.lineWidth
        let bold = drawing.real(.boldWidth, of: place).flatMap(PageSettings.sound) ?? settings.boldWidth
        let dash = drawing.real(.hashSpacing, of: place).flatMap(PageSettings.sound) ?? settings.hashSpacing
        var line = Page.Line(width: isBold ? bold : thin, color: color(of: place), dash: isDashed ? dash : 0)
        line.isWavy = isWavy
        return line
    }

    // MARK: Positions

    func isSound(_ point: Page.Point) -> Bool { abs(point.x) < farthest && abs(point.y) < farthest }

    func isSound(_ box: DrawnBox) -> Bool {
        isSound(Page.Point(box.left, box.top)) && isSound(Page.Point(box.right, box.bottom))
    }

    /// Returns the point that a property specifies, or nil if it is far outside any page.
    func point(_ property: DrawnProperty, of place: Int) -> Page.Point? {
        guard let position = drawing.position(property, of: place) else { return nil }
        let point = Page.Point(position.x, position.y)
        return isSound(point) ? point : nil
    }

    /// Returns the position at which an atom is drawn.
    func nodePlace(_ node: Int) -> Page.Point? { point(.position, of: node) ?? point(.position3D, of: node) }

    /// Returns the two opposite corners of an object's bounding box.
    func ends(of place: Int) -> (first: Page.Point, second: Page.Point)? {
        guard let box = drawing.box(.boundingBox, of: place), isSound(box) else { return nil }
        return (Page.Point(box.left, box.top), Page.Point(box.right, box.bottom))
    }
}

extension DrawnKind {
    static let curve = DrawnKind(rawValue: 0x8008)
    static let embeddedObject = DrawnKind(rawValue: 0x8009)
    static let thinLayerPlate = DrawnKind(rawValue: 0x801D)
    static let thinLayerLane = DrawnKind(rawValue: 0x801E)
    static let thinLayerSpot = DrawnKind(rawValue: 0x801F)
}

extension DrawnProperty {
    static let visible = DrawnProperty(rawValue: 0x0011)
    static let rotation = DrawnProperty(rawValue: 0x0205)
    static let boundsInParent = DrawnProperty(rawValue: 0x0206)
    static let topLeft = DrawnProperty(rawValue: 0x0209)
    static let topRight = DrawnProperty(rawValue: 0x020A)
    static let bottomRight = DrawnProperty(rawValue: 0x020B)
    static let bottomLeft = DrawnProperty(rawValue: 0x020C)
    static let center3D = DrawnProperty(rawValue: 0x020D)
    static let majorAxis3D = DrawnProperty(rawValue: 0x020E)
    static let minorAxis3D = DrawnProperty(rawValue: 0x020F)
    static let color = DrawnProperty(rawValue: 0x0301)
    static let groundColor = DrawnProperty(rawValue: 0x0302)
    static let highlight = DrawnProperty(rawValue: 0x0308)
    static let labelDisplay = DrawnProperty(rawValue: 0x0401)
    static let display2 = DrawnProperty(rawValue: 0x0602)
    static let crossingBonds = DrawnProperty(rawValue: 0x060E)
    static let lineStarts = DrawnProperty(rawValue: 0x0704)
    static let width = DrawnProperty(rawValue: 0x0812)
    static let height = DrawnProperty(rawValue: 0x0813)
    static let labelFont = DrawnProperty(rawValue: 0x081A)
    static let captionFont = DrawnProperty(rawValue: 0x081B)
    static let labelSize = DrawnProperty(rawValue: 0x081C)
    static let captionSize = DrawnProperty(rawValue: 0x081D)
    static let labelFace = DrawnProperty(rawValue: 0x081E)
    static let captionFace = DrawnProperty(rawValue: 0x081F)
    static let lineType = DrawnProperty(rawValue: 0x0A01)
    static let rectangleType = DrawnProperty(rawValue: 0x0A03)
    static let ovalType = DrawnProperty(rawValue: 0x0A04)
    static let orbitalType = DrawnProperty(rawValue: 0x0A05)
    static let curveType = DrawnProperty(rawValue: 0x0A08)
    static let lipSize = DrawnProperty(rawValue: 0x0A22)
    static let curvePoints = DrawnProperty(rawValue: 0x0A23)
    static let curvePoints3D = DrawnProperty(rawValue: 0x0A2E)
    static let shadowSize = DrawnProperty(rawValue: 0x0A32)
    static let closed = DrawnProperty(rawValue: 0x0A39)
    static let cornerRadius = DrawnProperty(rawValue: 0x0A3C)
    static let gif = DrawnProperty(rawValue: 0x0A6E)
    static let png = DrawnProperty(rawValue: 0x0A70)
    static let jpeg = DrawnProperty(rawValue: 0x0A71)
    static let bitmap = DrawnProperty(rawValue: 0x0A72)
    static let originFraction = DrawnProperty(rawValue: 0x0AA0)
    static let solventFraction = DrawnProperty(rawValue: 0x0AA1)
    static let showsOrigin = DrawnProperty(rawValue: 0x0AA2)
    static let showsSolvent = DrawnProperty(rawValue: 0x0AA3)
    static let showsBorders = DrawnProperty(rawValue: 0x0AA4)
    static let retention = DrawnProperty(rawValue: 0x0AB0)
    static let textFrame = DrawnProperty(rawValue: 0x0B00)
    static let groupFrame = DrawnProperty(rawValue: 0x0B01)
}
