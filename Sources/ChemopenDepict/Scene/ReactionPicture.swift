import ChemopenModel

extension Picture {
    /// Draws a reaction, with its steps in rows, agents above the arrows, and conditions below them.
    ///
    /// A step continues the row of the previous step if its reactants are the products of that step.
    public init(of reaction: Reaction, style: Style = Style()) {
        var layout = ReactionLayout(of: reaction, style)
        for (place, step) in reaction.steps.prefix(100).enumerated() {
            let isContinued = place > 0 && Self.isContinued(step, reaction.steps[place - 1])
            layout.add(step, isContinued: isContinued)
        }
        layout.endRow()
        let rows = layout.rows.isEmpty ? [Picture(words: "no structure", size: style.fontSize)] : layout.rows
        let all = Picture(stacking: rows, gap: style.bondLength * 1.5)
        self.init(width: all.width + 2 * style.padding, height: all.height + 2 * style.padding)
        add(all, at: Point(style.padding, style.padding))
        palette = style.palette
        title = Self.title(of: reaction)
    }

    private static func isContinued(_ step: Reaction.Step, _ last: Reaction.Step) -> Bool {
        !step.reactants.isEmpty && step.reactants.count == last.products.count
            && zip(step.reactants, last.products).allSatisfy { $0.molecule == $1.molecule }
    }

    static func title(of reaction: Reaction) -> String {
        if !reaction.name.isEmpty { return reaction.name.string.trimmed(to: 200) }
        let sides = [reaction.reactants, reaction.products].map { side in
            side.map { title(of: $0.molecule) }.joined(separator: " + ")
        }
        return sides.joined(separator: " \(reaction.arrow?.symbol ?? "→") ").trimmed(to: 200)
    }
}

/// Arranges the parts of a reaction in rows, and starts a new row if a part does not fit.
private struct ReactionLayout {
    private let style: Picture.Style
    private(set) var rows: [Picture] = []
    private var row: [Picture] = []
    private var width = 0.0

    /// The common stretch of all molecules, which makes all bonds equally long.
    private let stretch: Double

    private static let gap = 6.0
    private static let mostComponents = 60
    private static let longestStretch = 1.8
    /// The largest number of molecules that are considered for the common bond length.
    private static let mostMeasured = 40

    init(of reaction: Reaction, _ style: Picture.Style) {
        var style = style
        style.padding = 2
        self.style = style
        let stretches = reaction.components.prefix(Self.mostMeasured).map { component in
            MoleculeSketch(drawing: component.molecule, style)?.stretch ?? 1
        }
        stretch = min(Self.longestStretch, stretches.max() ?? 1)
    }

    mutating func add(_ step: Reaction.Step, isContinued: Bool) {
        if !isContinued {
            endRow()
            add(step.reactants)
        }
        put(arrow(of: step))
        add(step.products)
    }

    mutating func endRow() {
        if row.isEmpty { return }
        rows.append(Picture(lining: row, gap: Self.gap))
        row = []
        width = 0
    }

    private mutating func put(_ part: Picture) {
        if width + part.width > style.widestRow { endRow() }
        row.append(part)
        width += part.width + Self.gap
    }

    private mutating func add(_ components: [Reaction.Component]) {
        for (place, component) in components.prefix(Self.mostComponents).enumerated() {
            let picture = picture(of: component)
            if place == 0 {
                put(picture)
            } else {
                let plus = Picture(words: "+", size: style.fontSize * 1.2)
                put(Picture(lining: [plus, picture], gap: Self.gap))
            }
        }
        if components.count > Self.mostComponents {
            put(Picture(words: "+ \(components.count - Self.mostComponents) more", size: style.fontSize))
        }
    }

    private func picture(of component: Reaction.Component) -> Picture {
        var parts: [Picture] = []
        let stoichiometry = component.stoichiometry.string.trimmed(to: 12)
        if !stoichiometry.isEmpty, stoichiometry != "1" {
            parts.append(Picture(words: stoichiometry, size: style.fontSize))
        }
        let molecule = component.molecule
        if molecule.atoms.isEmpty {
            let names = [molecule.name.string, component.name.string].map { $0.trimmed(to: 60) }.filter { !$0.isEmpty }
            parts.append(
                Picture(
                    paragraph: names.first ?? "no structure", size: style.fontSize, width: 140, mostLines: 4))
        } else {
            parts.append(Picture(structureOf: molecule, style, stretchedBy: stretch))
        }
        return parts.count == 1 ? parts[0] : Picture(lining: parts, gap: 3)
    }

    /// Returns an arrow with the pictures above and below it; its line is in the middle of the picture.
    private func arrow(of step: Reaction.Step) -> Picture {
        var above: [Picture] = []
        var line: [Picture] = []
        for component in step.agents.prefix(Self.mostComponents) {
            let picture = picture(of: component)
            if !line.isEmpty, line.reduce(0, { $0 + $1.width }) + picture.width > 220 {
                above.append(Picture(lining: line, gap: Self.gap))
                line = []
            }
            line.append(picture)
        }
        if !line.isEmpty { above.append(Picture(lining: line, gap: Self.gap)) }
        let below = step.conditions.prefix(20).compactMap { text -> Picture? in
            let lines = text.string.prefix(800).split(whereSeparator: \.isNewline).map { String($0).trimmed(to: 400) }
            let words = lines.joined(separator: "\n")
            return words.isEmpty
                ? nil : Picture(paragraph: words, size: style.fontSize * 0.85, width: 180, mostLines: 14)
        }
        let top = Picture(stacking: above, gap: 3, isCentered: true)
        let bottom = Picture(stacking: below, gap: 2, isCentered: true)
        let width = max(44, top.width + 16, bottom.width + 16)
        let reach = step.arrow == .forward ? 4 : 7.0
        let half = max(top.height, bottom.height) + 1 + reach
        var picture = Picture(width: width, height: 2 * half)
        picture.add(top, at: .init((width - top.width) / 2, half - reach - top.height))
        picture.add(bottom, at: .init((width - bottom.width) / 2, half + reach))
        var painter = PagePainter(style)
        painter.paint(
            Page.Arrow(
                step.arrow, from: .init(2, half), to: .init(width - 2, half), .init(width: style.lineWidth * 1.3)))
        picture.marks += painter.marks
        return picture
    }
}

extension Page.Arrow {
    /// Creates an arrow of a kind.
    fileprivate init(_ kind: Reaction.Arrow, from tail: Page.Point, to head: Page.Point, _ line: Page.Line) {
        self.init(from: tail, to: head, line)
        (tipLength, tipMiddle, tipWidth) = (7, 5.6, 2.6)
        headTip = .full
        let usualSpacing = 4.0
        switch kind {
        case .forward: break
        case .equilibrium, .equilibriumToProducts, .equilibriumToReactants:
            (headTip, tailTip, spacing) = (.halfLeft, .halfLeft, usualSpacing)
            if kind == .equilibriumToProducts { ratio = 2 }
            if kind == .equilibriumToReactants { ratio = 0.5 }
        case .resonance: tailTip = .full
        case .retrosynthetic: (look, spacing) = (.angle, usualSpacing)
        case .hollow: (look, spacing) = (.hollow, usualSpacing)
        case .crossed: bar = .cross
        case .hashed: bar = .hash
        case .dipole: isDipole = true
        }
    }
}
