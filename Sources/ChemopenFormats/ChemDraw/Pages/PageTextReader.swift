import ChemopenModel

/// Converts text objects to lines of text with final letters and positions.
struct PageTextReader: PagePart {
    let drawing: Drawing
    let settings: PageSettings

    /// Returns a text that is not the label of an atom.
    func text(of place: Int) -> Page.Writing? {
        let style = PageSettings.style(
            of: place, in: drawing, (.captionFont, .captionFace, .captionSize), over: settings.caption)
        let size = style.size ?? 10
        guard let start = point(.position, of: place) ?? boxedStart(of: place, size) else { return nil }
        let letters = letters(of: place, style)
        if letters.allSatisfy({ $0.scalar == " " || $0.scalar == "\n" }) { return nil }
        let stated =
            drawing.integer(.justification, of: place) ?? drawing.integer(.captionJustification, of: place)
            ?? drawing.integer(.captionJustification, of: Drawing.document)
        let lettersSize = letters.map(\.look.size).max() ?? size
        if let corner = cornerOfBracket(of: place, start, lettersSize) {
            return writing(letters, at: corner, of: place, .left)
        }
        return writing(letters, at: start, of: place, alignment(stated))
    }

    /// Returns the corrected position of the usage text of a bracket, or nil if the specified position is near the
    /// bracket.
    ///
    /// ChemDraw computes the position of these texts. Some files contain the position of another text, or no position.
    private func cornerOfBracket(of text: Int, _ start: Page.Point, _ size: Double) -> Page.Point? {
        let tag = drawing.objects[text].parent
        guard tag >= 0, drawing.kind(of: tag) == .objectTag,
            drawing.text(.name, of: tag)?.string.lowercased() == "bracketusage"
        else { return nil }
        let bracket = drawing.objects[tag].parent
        guard bracket >= 0, let box = drawing.box(.boundingBox, of: bracket)?.upright, isSound(box) else { return nil }
        let x = max(box.left - start.x, start.x - box.right, 0)
        let y = max(box.top - start.y, start.y - box.bottom, 0)
        let reach = 2 * size
        if x * x + y * y <= reach * reach { return nil }
        // An invisible copy of the text, for older programs, can have the correct position.
        for sibling in drawing.children(of: bracket, .objectTag).prefix(4) where sibling != tag {
            guard let other = drawing.children(of: sibling, .text).first, let place = point(.position, of: other),
                place.x > box.right, place.y > box.top - size, place.y < box.bottom + 4 * size
            else { continue }
            return place
        }
        return Page.Point(box.right + 0.28 * size, box.bottom + 0.25 * size)
    }

    /// Returns the start of a text that has only a bounding box.
    private func boxedStart(of place: Int, _ size: Double) -> Page.Point? {
        guard let box = drawing.box(.boundingBox, of: place)?.upright, isSound(box) else { return nil }
        let above = 0.75
        return Page.Point(box.left, box.top + above * size)
    }

    /// Returns the label of an atom at its position.
    func label(of place: Int) -> Page.Writing? {
        let style = PageSettings.style(
            of: place, in: drawing, (.labelFont, .labelFace, .labelSize), over: settings.label)
        let node = drawing.objects[place].parent
        let size = style.size ?? 10
        let middle = 0.39
        let own = point(.position, of: node)
        guard
            let start = point(.position, of: place)
                ?? own.map({ Page.Point($0.x - 0.36 * size, $0.y + middle * size) })
        else { return nil }
        var letters = letters(of: place, style)
        if letters.allSatisfy({ $0.scalar == " " || $0.scalar == "\n" }) { return nil }
        let stated =
            drawing.integer(.justification, of: place) ?? drawing.integer(.labelJustification, of: place)
            ?? drawing.integer(.labelJustification, of: Drawing.document)
        let alignment = alignment(stated)
        let side = drawing.integer(.labelAlignment, of: place) ?? 0
        let isWrapped = drawing.value(.lineStarts, of: place) != nil
        let isOneLine = !letters.contains { $0.scalar == "\n" }
        if isOneLine, isWrapped, side == 3 || side == 4, let own {
            return stacked(letters, at: start, isAbove: side == 3, Page.Point(start.x, own.y + middle * size))
        }
        if alignment == .right, isOneLine, !isWrapped { letters = Self.turned(letters) }
        return writing(letters, at: start, of: place, alignment)
    }

    private func alignment(_ number: Int?) -> Page.Writing.Alignment {
        switch number ?? 0 {
        case -1: .right
        case 1: .center
        default: .left
        }
    }

    // MARK: Letters

    /// A letter with its style.
    struct Letter {
        var scalar: Unicode.Scalar
        /// The index of the run that contains the letter.
        var run: Int
        var look: Page.TextRun
        /// Whether digits and signs become subscripts and superscripts, as in a formula.
        var isFormula: Bool
    }

    /// Longer texts are truncated, because no page can show them.
    static let mostLetters = 1 << 16

    private func styledText(of place: Int) -> StyledText {
        if case .styled(let stated)? = drawing.value(.utf8Text, of: place) { return stated }
        if case .styled(let stated)? = drawing.value(.text, of: place) { return stated }
        return StyledText()
    }

    /// Whether the text is truncated.
    func isCutOff(_ place: Int) -> Bool {
        let runs = styledText(of: place).runs
        guard runs.reduce(0, { $0 + $1.text.bytes.count }) > Self.mostLetters else { return false }
        return runs.reduce(0) { $0 + $1.text.string.unicodeScalars.count } > Self.mostLetters
    }

    private func letters(of place: Int, _ style: StyledText.Run) -> [Letter] {
        var letters: [Letter] = []
        for (number, run) in styledText(of: place).runs.enumerated() {
            var look = Page.TextRun("")
            let face = run.face ?? (run.font == nil && run.size == nil ? style.face : nil) ?? 0
            look.font = (run.font ?? style.font).flatMap { settings.fonts[$0] } ?? ""
            look.size = run.size.flatMap(PageSettings.sound) ?? style.size ?? 10
            look.isBold = face & 1 != 0
            look.isItalic = face & 2 != 0
            look.isUnderlined = face & 4 != 0
            look.color = (run.color ?? drawing.integer(.color, of: place)).flatMap { settings.color($0) }
            let scripts = face & 0x60
            look.script = scripts == 0x20 ? .lowered : scripts == 0x40 ? .raised : .normal
            let isGreek = SymbolFont.isOne(look.font)
            if isGreek { look.font = "" }
            for scalar in run.text.string.unicodeScalars {
                guard letters.count < Self.mostLetters else { return letters }
                let shown = isGreek ? SymbolFont.scalar(scalar) : scalar == "\t" ? " " : scalar
                letters.append(Letter(scalar: shown, run: number, look: look, isFormula: scripts == 0x60))
            }
        }
        return Self.withFormulas(letters)
    }

    /// Lowers digits that follow letters and raises charges at the end of a token, in runs that are formulas.
    private static func withFormulas(_ letters: [Letter]) -> [Letter] {
        var letters = letters
        var place = 0
        /// The previous letter, if it belongs to the same token.
        var last: Unicode.Scalar?
        while place < letters.count {
            let scalar = letters[place].scalar
            guard letters[place].isFormula else {
                last = isWordPart(scalar) ? scalar : nil
                place += 1
                continue
            }
            if isFigure(scalar), let before = last, !isFigure(before), before != "-", before != "+" {
                var end = place
                while end < letters.count, letters[end].isFormula, isFigure(letters[end].scalar) { end += 1 }
                for index in place..<end { letters[index].look.script = .lowered }
                last = scalar
                place = end
                continue
            }
            if scalar == "+" || scalar == "-" || scalar == "\u{2212}", last != nil, isEndOfWord(letters, place + 1) {
                letters[place].look.script = .raised
                if scalar == "-" { letters[place].scalar = "\u{2212}" }
            }
            last = isWordPart(scalar) ? scalar : nil
            place += 1
        }
        return letters
    }

    private static func isFigure(_ scalar: Unicode.Scalar) -> Bool { 0x30...0x39 ~= scalar.value }

    private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || isFigure(scalar) || scalar == ")" || scalar == "]" || scalar == "}"
    }

    private static func isEndOfWord(_ letters: [Letter], _ place: Int) -> Bool {
        guard place < letters.count else { return true }
        let scalar = letters[place].scalar
        return scalar == " " || scalar == "\n" || scalar == ")" || scalar == "]" || scalar == "," || scalar == "+"
    }

    // MARK: Labels that grow to the left

    /// Returns the label with its groups reversed, for a bond that approaches from the right.
    private static func turned(_ letters: [Letter]) -> [Letter] { groups(of: letters).reversed().flatMap { $0 } }

    /// Splits a formula into groups: an element with its digits and charge, or a part in brackets.
    private static func groups(of letters: [Letter]) -> [[Letter]] {
        var groups: [[Letter]] = []
        var depth = 0
        for letter in letters {
            let scalar = letter.scalar
            let isUpper = scalar.properties.isUppercase || scalar == "\u{2022}"
            // An isotope number belongs to the symbol that follows it.
            let isAfterMass = groups.count == 1 && groups[0].allSatisfy { $0.look.script == .raised }
            let begins =
                depth == 0 && letter.look.script == .normal && !isAfterMass
                && (isUpper || scalar == "(" || scalar == "[")
            if begins || groups.isEmpty { groups.append([]) }
            groups[groups.count - 1].append(letter)
            if scalar == "(" || scalar == "[" { depth += 1 }
            if scalar == ")" || scalar == "]" { depth = max(0, depth - 1) }
        }
        return groups
    }

    /// Returns a label with its first group at the atom and the rest above or below it.
    private func stacked(
        _ letters: [Letter], at start: Page.Point, isAbove: Bool, _ foot: Page.Point
    ) -> Page.Writing {
        let groups = Self.groups(of: letters)
        let rest = groups.dropFirst().flatMap { $0 }
        guard let first = groups.first, !rest.isEmpty else {
            return Page.Writing([Page.TextLine(Self.runs(letters), at: foot)])
        }
        let atom = Page.TextLine(Self.runs(first), at: foot)
        let size = letters.map(\.look.size).max() ?? 10
        let below = Page.Point(start.x, foot.y + size)
        let other = Page.TextLine(Self.runs(rest), at: isAbove ? start : below)
        return Page.Writing(isAbove ? [other, atom] : [atom, other])
    }

    // MARK: Lines

    private static let usualSpacing = 1.15

    private func writing(
        _ letters: [Letter], at start: Page.Point, of place: Int, _ alignment: Page.Writing.Alignment
    ) -> Page.Writing {
        let lines = lines(of: letters, place)
        var size = 0.0
        for letter in letters { size = max(size, letter.look.size) }
        var step = size * Self.usualSpacing
        var writing = Page.Writing([], alignment: alignment)
        var start = start
        if let box = drawing.box(.boundingBox, of: place)?.upright, isSound(box),
            drawing.value(.rotation, of: place) == nil
        {
            writing.width = box.right - box.left
            // Some programs specify the corner of a text instead of its anchor.
            if alignment == .right, abs(start.x - (box.left + box.right) / 2) < 1 { start.x = box.right }
            let below = 0.22
            if lines.count > 1 {
                let stated = (box.bottom - start.y - below * size) / Double(lines.count - 1)
                if stated > 0.75 * size, stated < 2.2 * size { step = stated }
            }
        }
        if let turn = drawing.integer(.rotation, of: place) { writing.turn = Double(turn) / 65536 }
        for (number, line) in lines.enumerated() {
            let place = Page.Point(start.x, start.y + step * Double(number))
            writing.lines.append(Page.TextLine(Self.runs(line), at: place))
        }
        return writing
    }

    /// Splits letters into lines, at line ends and at the line breaks of the file.
    private func lines(of letters: [Letter], _ place: Int) -> [[Letter]] {
        var breaks: Set<Int> = []
        if case .numbers(let stated)? = drawing.value(.lineStarts, of: place) {
            for number in stated where number > 0 && number < Double(letters.count) { breaks.insert(Int(number)) }
        }
        var lines: [[Letter]] = [[]]
        for (number, letter) in letters.enumerated() {
            if breaks.contains(number), number > 0, letters[number - 1].scalar != "\n" { lines.append([]) }
            if letter.scalar == "\n" { lines.append([]) } else { lines[lines.count - 1].append(letter) }
        }
        while lines.count > 1, lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    private static func runs(_ letters: [Letter]) -> [Page.TextRun] {
        var runs: [Page.TextRun] = []
        var last: (run: Int, script: Page.TextRun.Script)?
        var text = String.UnicodeScalarView()
        func close() {
            if !runs.isEmpty { runs[runs.count - 1].text = String(text) }
            text = String.UnicodeScalarView()
        }
        for letter in letters {
            if last?.run != letter.run || last?.script != letter.look.script {
                close()
                runs.append(letter.look)
                last = (letter.run, letter.look.script)
            }
            text.append(letter.scalar)
        }
        close()
        return runs
    }
}

/// The `Symbol` font, which shows Greek letters and signs.
enum SymbolFont {
    static func isOne(_ name: String) -> Bool { name == "Symbol" }

    /// Returns the Unicode letter that the font shows for a code.
    static func scalar(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        let privateUse: UInt32 = 0xF000
        let value =
            scalar.value >= privateUse && scalar.value < privateUse + 0x100 ? scalar.value - privateUse : scalar.value
        switch value {
        case 0x41...0x5A: return upper[Int(value - 0x41)]
        case 0x61...0x7A: return lower[Int(value - 0x61)]
        default: return signs[value] ?? Unicode.Scalar(value) ?? scalar
        }
    }

    private static let signs: [UInt32: Unicode.Scalar] = [
        0x22: "∀", 0x24: "∃", 0x27: "∋", 0x2D: "−", 0x40: "≅", 0x5E: "⊥", 0xA2: "′", 0xA3: "≤", 0xA5: "∞", 0xAB: "↔",
        0xAC: "←", 0xAD: "↑", 0xAE: "→", 0xAF: "↓", 0xB0: "°", 0xB1: "±", 0xB2: "″", 0xB3: "≥", 0xB4: "×", 0xB6: "∂",
        0xB7: "•", 0xB9: "≠", 0xBA: "≡", 0xBB: "≈", 0xBC: "…", 0xD0: "∠", 0xD1: "∇", 0xD6: "√", 0xD7: "⋅", 0xDB: "⇔",
        0xDC: "⇐", 0xDE: "⇒", 0xE5: "∑",
    ]

    private static let upper = Array("ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ".unicodeScalars)
    private static let lower = Array("αβχδεφγηιϕκλμνοπθρστυϖωξψζ".unicodeScalars)
}
