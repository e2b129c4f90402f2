import ChemopenBytes
import ChemopenModel

/// The texts of a binary drawing with the fonts, sizes and colours of their runs, from and to bytes.
struct DrawnTexts {
    let numbers: CDXNumbers
    var characterSets = CDXCharacterSets()

    private static let styleLength = 10
    private static let twentieths = 20.0

    init(numbers: CDXNumbers) {
        self.numbers = numbers
    }

    mutating func readFonts(_ data: ArraySlice<UInt8>) {
        characterSets.readFonts(data, isBigEndian: numbers.isBigEndian)
    }

    // MARK: From bytes

    /// The runs of a text. Newer programs put its letters into a second copy.
    func runs(of data: ArraySlice<UInt8>, copy: ArraySlice<UInt8>?) -> [StyledText.Run] {
        let runs = self.runs(of: data) { characterSets.text(of: $0, runs: [.init(start: 0, font: $1)]) }
        guard let copy else { return runs }
        let other = self.runs(of: copy) { bytes, _ in CDXCharacterSets.withOneKindOfLineEnd(bytes) }
        guard other.allSatisfy(\.text.isUTF8), Self.letters(of: other) != Self.letters(of: runs) else { return runs }
        // A copy without styles has those of the text.
        if other.count == 1, other[0].font == nil, runs.count == 1 {
            var run = runs[0]
            run.text = other[0].text
            return [run]
        }
        return other
    }

    private static func letters(of runs: [StyledText.Run]) -> [UInt8] { runs.flatMap(\.text.bytes) }

    private func runs(
        of data: ArraySlice<UInt8>, _ text: (ArraySlice<UInt8>, UInt16) -> Text
    ) -> [StyledText.Run] {
        let (styles, body) = parts(of: data)
        let letters = CDXCharacterSets.untilZero(body)
        if styles == 0 { return letters.isEmpty ? [] : [StyledText.Run(text: text(letters, 0))] }
        var runs: [StyledText.Run] = []
        let starts = (0..<styles).map { style in
            style == 0 ? 0 : min(letters.count, numbers.word(data, 2 + Self.styleLength * style) ?? 0)
        }
        for style in 0..<styles {
            let end = style + 1 < styles ? starts[style + 1] : letters.count
            let place = 2 + Self.styleLength * style
            func word(_ number: Int) -> Int { numbers.word(data, place + 2 * number) ?? 0 }
            let bytes = letters.dropFirst(starts[style]).prefix(max(0, end - starts[style]))
            runs.append(
                StyledText.Run(
                    font: word(1), face: word(2), size: Double(word(3)) / Self.twentieths, colour: word(4),
                    text: text(bytes, UInt16(truncatingIfNeeded: word(1)))))
        }
        return runs
    }

    /// How many styles there are, and the letters behind them. Where there is no room for so many, all of it is letters.
    private func parts(of data: ArraySlice<UInt8>) -> (styles: Int, body: ArraySlice<UInt8>) {
        guard let styles = numbers.word(data, 0), 2 + Self.styleLength * styles <= data.count else { return (0, data) }
        return (styles, data.dropFirst(2 + Self.styleLength * styles))
    }

    /// A text of which only the letters count, and whether it has styles.
    func letters(of data: ArraySlice<UInt8>, isUTF8: Bool = false) -> (text: Text, isStyled: Bool) {
        let (styles, body) = parts(of: data)
        if styles == 0 { return (characterSets.text(of: body, isUTF8: isUTF8), false) }
        let runs = self.runs(of: data) { characterSets.text(of: $0, runs: [.init(start: 0, font: $1)]) }
        return (Text(bytes: Self.letters(of: runs)), true)
    }

    /// The attributes for the style of labels or captions: font, size, and face and colour where they are not the usual ones.
    func style(of data: ArraySlice<UInt8>, _ prefix: String) -> [CDXMLTokens.Attribute]? {
        guard data.count == 8 else { return nil }
        let parts = (0..<4).compactMap { numbers.word(data, 2 * $0) }
        var attributes = [CDXMLTokens.Attribute(prefix + "Font", DrawnConversion.decimal(parts[0]))]
        attributes.append(.init(prefix + "Size", DrawnConversion.fraction(parts[2], of: Self.twentieths)))
        if parts[1] != 0 { attributes.append(.init(prefix + "Face", DrawnConversion.decimal(parts[1]))) }
        if parts[3] != 0 { attributes.append(.init(prefix + "Color", DrawnConversion.decimal(parts[3]))) }
        return attributes
    }

    // MARK: To bytes

    /// A text in the character sets of its fonts, and its copy in UTF-8 where it needs one. Nothing where it has more than
    /// its styles can count.
    func data(of runs: [StyledText.Run]) -> (text: [UInt8], copy: [UInt8]?)? {
        let isPlain = runs.allSatisfy { CDXCharacterSets.isPlain($0.text.bytes.span) || Self.isLines($0.text) }
        let text = data(of: runs) { characterSets.bytes(of: $0.text.bytes, inFont: UInt16(clamping: $0.font ?? 0)) }
        guard let text else { return nil }
        if isPlain { return (text, nil) }
        guard let copy = data(of: runs, \.text.bytes) else { return nil }
        return (text, copy)
    }

    private static func isLines(_ text: Text) -> Bool { text.bytes.allSatisfy { $0 < 0x80 } }

    private func data(of runs: [StyledText.Run], _ letters: (StyledText.Run) -> [UInt8]) -> [UInt8]? {
        var data: [UInt8] = []
        var body: [UInt8] = []
        let isBare = runs.allSatisfy { $0.font == nil && $0.size == nil && $0.face == nil && $0.colour == nil }
        numbers.append(isBare ? 0 : runs.count, bytes: 2, to: &data)
        for run in runs {
            let size = ((run.size ?? 10) * Self.twentieths).rounded()
            let style = [body.count, run.font ?? 0, run.face ?? 0, Int(max(0, min(65_535, size))), run.colour ?? 0]
            guard style.allSatisfy({ 0...0xFFFF ~= $0 }), runs.count <= 0xFFFF else { return nil }
            if !isBare { for number in style { numbers.append(number, bytes: 2, to: &data) } }
            body += letters(run).map { $0 == Ascii.lineFeed ? Ascii.carriageReturn : $0 }
        }
        return data + body
    }

    /// Letters without styles; some names stand without the number of these, too.
    func data(of letters: [UInt8], isBare: Bool) -> [UInt8] {
        let lines = letters.map { $0 == Ascii.lineFeed ? Ascii.carriageReturn : $0 }
        return isBare ? lines : [0, 0] + lines
    }

    /// A style out of its attributes: font and size have to be there.
    func style(of attributes: [CDXMLTokens.Attribute], _ prefix: String) -> [UInt8]? {
        func number(_ name: String) -> Double? {
            attributes.first { $0.isCalled(prefix + name) }.flatMap { CDXMLValues.real($0.value.span) }
        }
        guard let font = number("Font"), let size = number("Size") else { return nil }
        var data: [UInt8] = []
        for part in [font, number("Face") ?? 0, size * Self.twentieths, number("Color") ?? 0] {
            guard part >= 0, part < 65_536 else { return nil }
            numbers.append(Int(part.rounded()), bytes: 2, to: &data)
        }
        return data
    }
}

extension CDXMLTokens.Attribute {
    init(_ name: String, _ value: [UInt8]) {
        self.init(name: Array(name.utf8), value: value)
    }

    func isCalled(_ name: String) -> Bool { self.name.elementsEqual(name.utf8) }
}
