/// The positions of an atom's letters.
struct AtomLabel {
    typealias Point = Picture.Point
    typealias Letters = Picture.Letters

    var letters: [Letters] = []
    /// The boxes that the letters cover.
    var boxes: [Box] = []
    /// The bounding box of all letters.
    var box = Box.empty

    /// Whether the label is a text and not the symbol of an element.
    var isWords = false

    /// The side of an atom on which its hydrogens or the rest of its label are drawn.
    enum Side: CaseIterable {
        case right, left, above, below
    }

    /// The position of a charge and unpaired electrons: raised after or before the letters, or above the atom.
    enum MarkPlace: CaseIterable {
        case behind, before, above
    }

    /// The position of a label relative to its atom.
    struct Pose {
        var side = Side.right
        /// Whether the text is centered on the atom.
        var isCentered = false
        var marks = MarkPlace.behind
    }

    /// Creates a label from letters that already have positions.
    init(_ letters: [Letters]) {
        self.letters = letters
        boxes = letters.map(\.box)
        for one in boxes { box.add(one) }
    }

    init(_ face: AtomFace, at place: Point, _ pose: Pose, _ style: Picture.Style) {
        switch face {
        case .corner: return
        case .element(let text): add(text, pose, style)
        case .words(let text, let marks):
            isWords = true
            add(text, marks, pose, style)
        }
        for index in letters.indices { letters[index].start += place }
        boxes = letters.map(\.box)
        for one in boxes { box.add(one) }
    }

    private mutating func add(_ text: AtomFace.ElementText, _ pose: Pose, _ style: Picture.Style) {
        let side = pose.side
        var hydrogens: [Piece] = []
        if text.hydrogens > 0, text.element == .hydrogen {
            hydrogens.append(Piece(text: "\(text.hydrogens + 1)", script: .lowered))
        } else if text.hydrogens > 0 {
            hydrogens.append(Piece(text: "H"))
            if text.hydrogens > 1 { hydrogens.append(Piece(text: "\(text.hydrogens)", script: .lowered)) }
        }
        let symbol = Piece(text: text.symbol)
        var line = text.before + [symbol]
        if side == .right { line += hydrogens }
        if side == .left { line = hydrogens + line }
        add(text.behind, pose.marks, to: &line, style)
        let ink = Picture.Ink.element(text.element)
        let middle = Lettering.width(of: text.symbol, size: style.fontSize) / 2
        set(line, anchor: line.firstIndex(of: symbol) ?? 0, middle, at: Point(0, 0), ink, style)
        if hydrogens.isEmpty || side == .right || side == .left { return }
        let isLowered = hydrogens.count > 1
        let height = Lettering.capitalHeight * style.fontSize
        let distance = height + 1.4 + (side == .above && isLowered ? 1.6 : 0)
        let place = Point(0, side == .above ? -distance : distance)
        set(hydrogens, anchor: 0, Lettering.width(of: "H", size: style.fontSize) / 2, at: place, ink, style)
    }

    /// Adds marks before or after the pieces of a line, or above the atom.
    private mutating func add(
        _ marks: [Piece], _ place: MarkPlace, to line: inout [Piece], _ style: Picture.Style
    ) {
        if marks.isEmpty { return }
        switch place {
        case .behind: line += marks
        case .before: line = marks + line
        case .above:
            let width = marks.reduce(0) { $0 + Self.width(of: $1, style) }
            // The marks are one point above the capitals.
            let height = -Lettering.capitalHeight * style.fontSize - 1 + style.fontSize * 0.45
            set(marks, anchor: 0, width / 2, at: Point(0, height), .line, style)
        }
    }

    private mutating func add(_ text: LabelText, _ marks: [Piece], _ pose: Pose, _ style: Picture.Style) {
        let isTurned = pose.side == .left
        var all = isTurned && text.isTurnable ? text.pieces(turned: true) : text.pieces(turned: false)
        guard !all.isEmpty else { return }
        add(marks, pose.marks, to: &all, style)
        if pose.isCentered {
            let width = all.reduce(0) { $0 + Self.width(of: $1, style) }
            return set(all, anchor: 0, width / 2, at: Point(0, 0), .line, style)
        }
        let first = all.firstIndex { !$0.isMark } ?? 0
        guard isTurned else {
            let letter = all[first].text.unicodeScalars.first.map { String($0) } ?? ""
            return set(all, anchor: first, Self.width(of: letter, all[first], style) / 2, at: Point(0, 0), .line, style)
        }
        let last = Self.anchorOfTurned(pose.marks == .behind ? Array(all.dropLast(marks.count)) : all, text)
        let piece = all[last]
        let letter = piece.text.unicodeScalars.last.map { String($0) } ?? ""
        let middle = Self.width(of: piece, style) - Self.width(of: letter, piece, style) / 2
        set(all, anchor: last, middle, at: Point(0, 0), .line, style)
    }

    /// Returns the piece that touches the bond if the bond is to the right of the label.
    private static func anchorOfTurned(_ pieces: [Piece], _ text: LabelText) -> Int {
        guard text.isTurnable, let unit = text.units.first, let name = unit.first else {
            return pieces.lastIndex { !$0.isMark && $0.script == .normal } ?? pieces.count - 1
        }
        let start = pieces.count - unit.count
        return pieces.indices.contains(start) && pieces[start] == name ? start : pieces.count - 1
    }

    private static func size(of piece: Piece, _ style: Picture.Style) -> Double {
        piece.script == .normal ? style.fontSize : style.fontSize * 0.74
    }

    private static func width(of piece: Piece, _ style: Picture.Style) -> Double {
        Lettering.width(of: piece.text, size: size(of: piece, style))
    }

    private static func width(of letter: String, _ piece: Piece, _ style: Picture.Style) -> Double {
        Lettering.width(of: letter, size: size(of: piece, style))
    }

    /// Adds pieces in a line. The point at distance `middle` from the left end of piece `anchor` is at `place`.
    private mutating func set(
        _ pieces: [Piece], anchor: Int, _ middle: Double, at place: Point, _ ink: Picture.Ink, _ style: Picture.Style
    ) {
        let before = pieces[..<anchor].reduce(0) { $0 + Self.width(of: $1, style) }
        var x = place.x - before - middle
        let line = place.y + Lettering.capitalHeight * style.fontSize / 2
        for piece in pieces where !piece.text.isEmpty {
            let shift: Double =
                switch piece.script {
                case .normal: 0
                case .lowered: style.fontSize * 0.2
                case .raised: -style.fontSize * 0.45
                }
            let added = Letters(
                piece.text, at: Point(x, line + shift), size: Self.size(of: piece, style), ink: ink,
                script: piece.script)
            letters.append(added)
            x += added.width
        }
    }
}
