import ChemopenModel

extension PagePainter {
    /// The size and the shifts of raised and lowered letters, relative to the font size.
    private static let scriptSize = 0.75
    private static let lowering = 0.22
    private static let raising = 0.35

    /// Returns the letters of a text, and their underlines.
    static func marks(of writing: Page.Writing) -> [Picture.Mark] {
        var marks: [Picture.Mark] = []
        for line in lines(of: writing) {
            for (letters, run) in line {
                marks.append(.letters(letters))
                guard run.isUnderlined, !letters.text.isEmpty else { continue }
                let below = letters.start + Point(0, letters.size * 0.12)
                let ends = [below, below + Point(letters.width, 0)].map {
                    $0.turned(by: letters.turn, about: letters.start)
                }
                marks.append(.stroke(.init(ends, width: max(0.4, letters.size * 0.06), ink: letters.ink)))
            }
        }
        return marks
    }

    /// Returns the letters of each line with their text runs.
    static func lines(of writing: Page.Writing) -> [[(letters: Picture.Letters, run: Page.TextRun)]] {
        let widths = writing.lines.map { line in line.runs.reduce(0) { $0 + width(of: $1) } }
        let factor = factor(of: writing, widest: widths.max() ?? 0)
        let pivot = writing.lines.first.map(\.place) ?? Point(0, 0)
        return zip(writing.lines, widths).map { line, width in
            var place = line.place
            switch writing.alignment {
            case .left: break
            case .center: place.x -= width * factor / 2
            case .right: place.x -= width * factor
            }
            return line.runs.compactMap { run in
                if run.text.isEmpty { return nil }
                var letters = letters(of: run, at: place, factor)
                place.x += letters.width
                if writing.turn != 0 {
                    letters.start = letters.start.turned(by: writing.turn, about: pivot)
                    letters.turn = writing.turn
                }
                return (letters, run)
            }
        }
    }

    /// Returns the ratio of the text width in the file, if specified, to its width in the known fonts.
    private static func factor(of writing: Page.Writing, widest: Double) -> Double {
        guard let stated = writing.width, widest > 0.1 else { return 1 }
        let factor = stated / widest
        return 0.75...1.33 ~= factor ? factor : 1
    }

    private static func size(of run: Page.TextRun) -> Double {
        run.script == .normal ? run.size : run.size * scriptSize
    }

    private static func width(of run: Page.TextRun) -> Double {
        Lettering.width(of: run.text, size: size(of: run), face(of: run))
    }

    private static func letters(of run: Page.TextRun, at place: Point, _ factor: Double) -> Picture.Letters {
        let shift: Double =
            switch run.script {
            case .normal: 0
            case .lowered: run.size * lowering
            case .raised: -run.size * raising
            }
        let script: Picture.Letters.Script =
            switch run.script {
            case .normal: .normal
            case .lowered: .lowered
            case .raised: .raised
            }
        var letters = Picture.Letters(
            run.text, at: place + Point(0, shift), size: size(of: run), ink: Picture.Ink(run.color), script: script,
            face: face(of: run))
        letters.width *= factor
        return letters
    }

    private static func face(of run: Page.TextRun) -> Font {
        var face = Font()
        face.isBold = run.isBold
        face.isItalic = run.isItalic
        let name = run.font.lowercased().utf8
        func isCalled(_ part: String) -> Bool { name.indices.contains { name[$0...].starts(with: part.utf8) } }
        let serifs = [
            "times", "roman", "serif", "georgia", "garamond", "palatino", "cambria", "book antiqua", "ming", "song",
        ]
        let typewriters = ["courier", "mono", "consolas"]
        if isCalled("sans") { return face }
        if serifs.contains(where: isCalled) { face.family = .serif }
        if typewriters.contains(where: isCalled) { face.family = .typewriter }
        return face
    }
}
