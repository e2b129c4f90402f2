import ChemopenModel

extension PageShapeReader {
    /// Returns an arrow object, or a line that newer programs draw as an arrow.
    ///
    /// Returns nil if its ends are missing.
    func arrow(of place: Int) -> Page.Arrow? {
        guard let head = point(.head3D, of: place), let tail = point(.tail3D, of: place) else { return nil }
        var arrow = Page.Arrow(from: tail, to: head, line(of: place))
        arrow.headTip = Self.tip(drawing.integer(.arrowheadHead, of: place))
        arrow.tailTip = Self.tip(drawing.integer(.arrowheadTail, of: place))
        arrow.look = Self.look(drawing.integer(.arrowheadType, of: place))
        readSizes(of: place, into: &arrow)
        arrow.isDipole = drawing.isSet(.dipole, of: place)
        switch drawing.integer(.crossedOut, of: place) ?? 0 {
        case 2: arrow.bar = .cross
        case 3: arrow.bar = .hash
        default: break
        }
        // Some programs write only the older arrow type and omit the tips.
        if let type = drawing.integer(.arrowType, of: place), arrow.headTip == .none, arrow.tailTip == .none {
            Self.readType(type, into: &arrow, unit(of: place))
        }
        if let sweep = drawing.real(.angularSize, of: place), sweep != 0, abs(sweep) <= 360 {
            arrow.sweep = sweep
            arrow.center = point(.center3D, of: place)
        }
        return arrow
    }

    /// Returns the unit of tip sizes: a hundredth of the line width.
    private func unit(of place: Int) -> Double {
        (drawing.real(.lineWidth, of: place).flatMap(PageSettings.sound) ?? settings.lineWidth) / 100
    }

    func readSizes(of place: Int, into arrow: inout Page.Arrow) {
        let unit = unit(of: place)
        func length(_ property: DrawnProperty) -> Double? {
            drawing.integer(property, of: place).flatMap { $0 > 0 && $0 < 100_000 ? Double($0) * unit : nil }
        }
        arrow.tipLength = length(.headSize) ?? 1000 * unit
        arrow.tipMiddle = length(.headCenterSize) ?? arrow.tipLength * 0.875
        arrow.tipWidth = length(.headWidth) ?? arrow.tipLength * 0.25
        arrow.spacing = length(.shaftSpacing) ?? 0
        arrow.ratio = length(.equilibriumRatio).map { max(0.1, min(10, $0 / unit / 100)) } ?? 1
    }

    private static func tip(_ number: Int?) -> Page.Arrow.Tip {
        switch number ?? 0 {
        case 2: .full
        case 3: .halfLeft
        case 4: .halfRight
        default: .none
        }
    }

    private static func look(_ number: Int?) -> Page.Arrow.Look {
        switch number ?? 0 {
        case 2: .hollow
        case 3: .angle
        default: .solid
        }
    }

    /// Returns the arrow of an older program, which is a line with an arrow type.
    func olderArrow(of place: Int, from tail: Page.Point, to head: Page.Point, _ type: Int) -> Page.Arrow {
        var arrow = Page.Arrow(from: tail, to: head, line(of: place))
        readSizes(of: place, into: &arrow)
        Self.readType(type, into: &arrow, unit(of: place))
        return arrow
    }

    private static func readType(_ type: Int, into arrow: inout Page.Arrow, _ unit: Double) {
        let usualSpacing = 400 * unit
        switch type {
        case 1: arrow.headTip = .halfLeft
        case 2: arrow.headTip = .full
        case 4: (arrow.headTip, arrow.tailTip) = (.full, .full)
        case 8:
            (arrow.headTip, arrow.tailTip) = (.halfLeft, .halfLeft)
            if arrow.spacing == 0 { arrow.spacing = usualSpacing }
        case 16:
            (arrow.headTip, arrow.look) = (.full, .hollow)
            if arrow.spacing == 0 { arrow.spacing = usualSpacing }
        case 32:
            (arrow.headTip, arrow.look) = (.full, .angle)
            if arrow.spacing == 0 { arrow.spacing = usualSpacing }
        case 64: (arrow.headTip, arrow.bar) = (.full, .cross)
        case 128: (arrow.headTip, arrow.isDipole) = (.full, true)
        default: break
        }
    }
}
