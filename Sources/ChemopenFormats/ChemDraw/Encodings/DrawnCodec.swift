import ChemopenBytes
import ChemopenModel

/// The state of decoding a binary drawing: its byte order, its fonts, and the warning for the last value.
struct CDXReading {
    /// The greatest plausible width or height of a page.
    static let farthest = 32_000.0

    let numbers: CDXNumbers
    var characterSets = CDXCharacterSets()
    /// The problem with the last value, for readers to report.
    private(set) var doubt: String?
    /// Whether the last value represents its data completely, so that another encoding can replace them.
    private(set) var isExact = true

    init(isBigEndian: Bool) {
        numbers = CDXNumbers(isBigEndian: isBigEndian)
    }

    mutating func readFonts(_ data: ArraySlice<UInt8>) {
        characterSets.readFonts(data, isBigEndian: numbers.isBigEndian)
    }

    /// Decodes a value; returns nil if the data are invalid.
    mutating func value(of type: DrawnType, in data: ArraySlice<UInt8>) -> DrawnValue? {
        (doubt, isExact) = (nil, true)
        return type.decode(data, &self)
    }

    /// Whether a text has fonts.
    func isStyled(_ data: ArraySlice<UInt8>) -> Bool { DrawnType.body(data, numbers).map { $0.styles > 0 } ?? false }

    fileprivate mutating func doubt(_ message: String, isExact: Bool = false) {
        doubt = message
        if !isExact { self.isExact = false }
    }

    fileprivate mutating func expect(_ isExact: Bool) {
        if !isExact { self.isExact = false }
    }

    fileprivate mutating func refuse(_ data: ArraySlice<UInt8>) -> DrawnValue? {
        doubt("a value of \(data.count) bytes is invalid; ignored")
        return nil
    }
}

/// The state of encoding a binary drawing: its byte order and its fonts.
struct CDXWriting {
    var numbers = CDXNumbers(isBigEndian: false)
    var characterSets = CDXCharacterSets()
    /// The font and size of non-ASCII texts, in a drawing with UTF-8 fonts only. If nil, such texts are written
    /// without a font.
    var textStyle: StyledText.Run?
}

// MARK: - CDX

extension DrawnType {
    /// Decodes a value. If its length does not match its count, the decoder reads the complete items and adds a
    /// warning.
    fileprivate func decode(_ data: ArraySlice<UInt8>, _ reading: inout CDXReading) -> DrawnValue? {
        let numbers = reading.numbers
        switch form {
        case .integer, .identifier, .named, .bits:
            guard let number = numbers.integer(data, isSigned: isSigned) else { return reading.refuse(data) }
            return .integer(number)
        case .flag: return .integer(data.isEmpty || data.contains { $0 != 0 } ? 1 : 0)
        case .order:
            guard let bits = numbers.integer(data, isSigned: false) else { return reading.refuse(data) }
            if bits == 1 << (8 * data.count) - 1 { return .integer(DrawnOrder.any) }
            reading.expect(bits <= 0xFFFF)
            return .integer(bits & 0xFFFF)
        case .charge:
            guard let number = numbers.integer(data, isSigned: true) else { return reading.refuse(data) }
            return .real(Double(number) / (data.count == 4 ? Self.chargeParts : 1))
        case .real:
            if let number = numbers.real(data) { return .real(number) }
            if data.count == 8 {
                reading.doubt("not a finite number; ignored")
                return nil
            }
            guard let number = numbers.integer(data, isSigned: true) else { return reading.refuse(data) }
            return .real(Double(number))
        case .fraction:
            guard byteCount < 4 || data.count == 4, let number = numbers.integer(data, isSigned: true) else {
                return reading.refuse(data)
            }
            return .real(Double(number) / parts)
        case .point, .box:
            guard data.count >= 4 * order.count else { return reading.refuse(data) }
            reading.expect(data.count == 4 * order.count)
            let values = fractions(data, order.count, numbers)
            if form == .box {
                return .box(DrawnBox(left: values[0], top: values[1], right: values[2], bottom: values[3]))
            }
            if values.count > 2 { return .position(Position(values[0], values[1], values[2])) }
            if max(abs(values[0]), abs(values[1])) > CDXReading.farthest {
                reading.doubt("far outside any page", isExact: true)
            }
            return .position(Position(values[0], values[1]))
        case .numbers:
            guard let (rest, count) = items(data, order.count * byteCount, &reading) else {
                return reading.refuse(data)
            }
            return .numbers(fractions(rest, count * order.count, numbers))
        case .identifiers: return .identifiers(identifiers(data, &reading))
        case .elements:
            guard let claimed = numbers.integer(data.prefix(2), isSigned: true), data.count >= 2 else {
                return reading.refuse(data)
            }
            let list = stride(from: 2, to: data.count - 1, by: 2).compactMap { numbers.word(data, $0) }
            reading.expect(data.count % 2 == 0)
            if abs(claimed) != list.count {
                reading.doubt("announces \(abs(claimed)) elements, but \(list.count) are present")
            }
            return .elements(DrawnElements(numbers: list, areExcluded: claimed < 0))
        case .names: return names(data, &reading)
        case .text: return .text(text(data, &reading))
        case .tagValue:
            // A text can be as short as a number. The data are a text if they are readable with or without a count of
            // styles.
            let isReadable = data.dropFirst(data.starts(with: [0, 0]) ? 2 : 0).allSatisfy {
                $0 >= 0x20 || $0 == 9 || $0 == 10 || $0 == 13
            }
            if !isReadable, let number = numbers.real(data) { return .real(number) }
            if !isReadable, data.count == 4, let number = numbers.integer(data, isSigned: true) {
                return .integer(number)
            }
            return .text(text(data, &reading))
        case .bytes: return .bytes(Array(data))
        case .styled: return runs(data, &reading).map { .styled(StyledText(runs: $0)) }
        case .style:
            guard data.count >= 8 else { return reading.refuse(data) }
            reading.expect(data.count == 8)
            var run = Self.run(data, numbers)
            if run.face == 0 { run.face = nil }
            if run.color == 0 { run.color = nil }
            return .styled(StyledText(runs: [run]))
        case .fonts: return .fonts(fonts(data, &reading))
        case .colors:
            guard let (rest, count) = items(data, 6, &reading, isCounted: true) else { return reading.refuse(data) }
            return .colors(
                (0..<count).map { place in
                    let parts = (0..<3).map { UInt16(clamping: numbers.word(rest, 6 * place + 2 * $0) ?? 0) }
                    return DrawnColor(red: parts[0], green: parts[1], blue: parts[2])
                })
        case .references:
            reading.expect(data.count % 6 == 0)
            return .references(
                stride(from: 0, to: data.count - 5, by: 6).map { place in
                    DrawnReference(
                        object: numbers.long(data, place) ?? 0,
                        property: UInt16(clamping: numbers.word(data, place + 4) ?? 0))
                })
        }
    }

    private static let chargeParts = 16_777_216.0
    private static let twentieths = 20.0

    private func fractions(_ data: ArraySlice<UInt8>, _ count: Int, _ numbers: CDXNumbers) -> [Double] {
        let group = order.count
        return (0..<count).map { index in
            let place = byteCount * (index / group * group + order[index % group])
            let number = numbers.integer(data.dropFirst(place).prefix(byteCount), isSigned: isSigned) ?? 0
            return Double(number) / parts
        }
    }

    /// Returns the data after the count, and the number of complete items.
    private func items(
        _ data: ArraySlice<UInt8>, _ size: Int, _ reading: inout CDXReading, isCounted: Bool? = nil
    ) -> (ArraySlice<UInt8>, Int)? {
        guard isCounted ?? self.isCounted else {
            reading.expect(data.count % size == 0)
            return (data, data.count / size)
        }
        guard let claimed = reading.numbers.word(data, 0) else { return nil }
        reading.expect(data.count - 2 == claimed * size)
        return (data.dropFirst(2), min(claimed, (data.count - 2) / size))
    }

    /// Decodes a list of IDs. Some programs omit the count.
    private func identifiers(_ data: ArraySlice<UInt8>, _ reading: inout CDXReading) -> [UInt32] {
        let numbers = reading.numbers
        let claimed = isCounted && data.count % 4 == 2 ? numbers.word(data, 0) : nil
        let list = claimed == nil ? data : data.dropFirst(2)
        let ids = stride(from: 0, to: list.count / 4 * 4, by: 4).compactMap { numbers.long(list, $0) }
        if list.count % 4 != 0 { reading.doubt("\(data.count) bytes are not a list of ids; the complete ids are read") }
        if let claimed, claimed != ids.count {
            reading.doubt("announces \(claimed) ids, but \(ids.count) are present")
        }
        return ids
    }

    private func names(_ data: ArraySlice<UInt8>, _ reading: inout CDXReading) -> DrawnValue? {
        guard let claimed = reading.numbers.integer(data.prefix(2), isSigned: true), data.count >= 2 else {
            return reading.refuse(data)
        }
        var names: [Text] = []
        var rest = data.dropFirst(2)
        while names.count < abs(claimed), let length = reading.numbers.word(rest, 0), length <= rest.count - 2 {
            let name = Self.text.text(rest.dropFirst(2).prefix(length), &reading)
            reading.expect(!name.isEmpty && !name.bytes.contains { $0 <= Ascii.blank })
            names.append(name)
            rest = rest.dropFirst(2 + length)
        }
        reading.expect(rest.isEmpty)
        if names.count != abs(claimed) {
            reading.doubt("announces \(abs(claimed)) names, but \(names.count) are present")
        }
        return .names(names, areExcluded: claimed < 0)
    }

    // MARK: Text

    /// Splits a text from its styles: the number of styles precedes them, and each has ten bytes.
    ///
    /// The names of tags and properties have no styles and no number of styles. In this case, the first two bytes
    /// usually specify more styles than the data can contain, and the result is nil.
    fileprivate static func body(_ data: ArraySlice<UInt8>, _ numbers: CDXNumbers) -> (
        styles: Int, text: ArraySlice<UInt8>
    )? {
        guard let styles = numbers.word(data, 0), 2 + 10 * styles <= data.count else { return nil }
        return (styles, data.dropFirst(2 + 10 * styles))
    }

    private func text(_ data: ArraySlice<UInt8>, _ reading: inout CDXReading) -> Text {
        let (numbers, sets) = (reading.numbers, reading.characterSets)
        guard let (styles, body) = Self.body(data, numbers) else {
            let claimsAll = numbers.word(data, 0) == 0xFFFF
            if claimsAll { reading.doubt("announces 65535 styles; read as text without styles") }
            return sets.text(of: claimsAll ? data.dropFirst(2) : data, isUTF8: isSpecial)
        }
        if isSpecial {
            let text = sets.text(of: body, isUTF8: true)
            if text.isUTF8 { return text }
            reading.doubt("some bytes are not UTF-8; read as Windows-1252")
            return CDXCharacterSets.mended(text)
        }
        let starts = (0..<styles).map { numbers.word(data, 2 + 10 * $0) ?? 0 }
        if let last = starts.last, last > body.count { reading.doubt("a style starts after the end of the text") }
        if CDXCharacterSets.isPlain(body.span) { return Text(bytes: body) }
        return sets.text(
            of: body,
            runs: starts.enumerated().map { place, start in
                .init(start: start, font: UInt16(clamping: numbers.word(data, 4 + 10 * place) ?? 0))
            })
    }

    /// Returns the runs of a text, each decoded with the character set of its font; nil if the text should be UTF-8
    /// but is not.
    private func runs(_ data: ArraySlice<UInt8>, _ reading: inout CDXReading) -> [StyledText.Run]? {
        let (numbers, sets) = (reading.numbers, reading.characterSets)
        let (styles, body) = Self.body(data, numbers) ?? (0, data)
        let letters = CDXCharacterSets.untilZero(body)
        var runs: [StyledText.Run] = []
        if styles == 0, !letters.isEmpty {
            runs = [StyledText.Run(text: sets.text(of: letters, isUTF8: isSpecial))]
        }
        func start(_ style: Int) -> Int {
            if style == styles { return letters.count }
            return style == 0 ? 0 : min(letters.count, numbers.word(data, 2 + 10 * style) ?? 0)
        }
        for style in 0..<styles {
            var run = Self.run(data.dropFirst(4 + 10 * style), numbers)
            let part = letters.dropFirst(start(style)).prefix(max(0, start(style + 1) - start(style)))
            run.text =
                isSpecial
                ? sets.text(of: part, isUTF8: true)
                : sets.text(of: part, runs: [.init(start: 0, font: UInt16(clamping: run.font ?? 0))])
            runs.append(run)
        }
        return isSpecial && !runs.allSatisfy(\.text.isUTF8) ? nil : runs
    }

    private static func run(_ data: ArraySlice<UInt8>, _ numbers: CDXNumbers) -> StyledText.Run {
        let words = (0..<4).map { numbers.word(data, 2 * $0) ?? 0 }
        return StyledText.Run(
            font: words[0], face: words[1], size: Double(words[2]) / twentieths, color: words[3], text: Text())
    }

    private func fonts(_ data: ArraySlice<UInt8>, _ reading: inout CDXReading) -> [DrawnFont] {
        let numbers = reading.numbers
        var fonts: [DrawnFont] = []
        var rest = data.dropFirst(4)
        let claimed = numbers.word(data, 2) ?? 0
        while fonts.count < claimed, let id = numbers.word(rest, 0), let set = numbers.word(rest, 2),
            let length = numbers.word(rest, 4)
        {
            let name = reading.characterSets.text(of: rest.dropFirst(6).prefix(length), isUTF8: false)
            reading.expect(length <= rest.count - 6)
            fonts.append(DrawnFont(id: id, characterSet: set, name: name))
            rest = rest.dropFirst(6 + length)
        }
        reading.expect(fonts.count == claimed)
        return fonts
    }

    // MARK: Writing

    /// Appends the data of a value. Returns false if the type cannot express it, and leaves `data` in an undefined
    /// state.
    func encode(_ value: DrawnValue, to data: inout [UInt8], _ writing: CDXWriting) -> Bool {
        let numbers = writing.numbers
        switch (form, value) {
        case (.integer, .integer(let number)), (.identifier, .integer(let number)), (.named, .integer(let number)),
            (.bits, .integer(let number)):
            return append(number, to: &data, numbers)
        case (.flag, .integer(let bit)):
            if byteCount == 1 || bit == 0 { data.append(UInt8(clamping: bit)) }
        case (.order, .integer(let bits)): numbers.append(bits, bytes: 2, to: &data)
        case (.charge, .real(let charge)):
            if charge == charge.rounded(), abs(charge) < 128 {
                numbers.append(Int(charge), bytes: 1, to: &data)
                return true
            }
            return Self.append(charge * Self.chargeParts, bytes: 4, to: &data, numbers)
        case (.real, .real(let number)), (.tagValue, .real(let number)):
            numbers.append(Int(truncatingIfNeeded: number.bitPattern), bytes: 8, to: &data)
        case (.tagValue, .integer(let number)):
            guard let exact = Int32(exactly: number) else { return false }
            numbers.append(Int(exact), bytes: 4, to: &data)
        case (.fraction, .real(let number)):
            let scaled = (number * parts).rounded()
            return abs(scaled) < 1e10 && append(Int(scaled), to: &data, numbers)
        case (.point, .position(let position)):
            return append(
                order.count > 2 ? [position.x, position.y, position.z] : [position.x, position.y], &data, numbers)
        case (.box, .box(let box)): return append([box.left, box.top, box.right, box.bottom], &data, numbers)
        case (.numbers, .numbers(let list)):
            guard list.count % order.count == 0 else { return false }
            if isCounted, !numbers.append(words: [list.count / order.count], to: &data) { return false }
            return append(list, &data, numbers)
        case (.identifiers, .identifiers(let ids)):
            if isCounted, !numbers.append(words: [ids.count], to: &data) { return false }
            for id in ids { numbers.append(Int(id), bytes: 4, to: &data) }
        case (.elements, .elements(let list)):
            guard list.numbers.count < 0x8000 else { return false }
            numbers.append(list.areExcluded ? -list.numbers.count : list.numbers.count, bytes: 2, to: &data)
            return numbers.append(words: list.numbers, to: &data)
        case (.names, .names(let names, let areExcluded)):
            guard names.count < 0x8000 else { return false }
            numbers.append(areExcluded ? -names.count : names.count, bytes: 2, to: &data)
            for name in names {
                guard numbers.append(words: [name.bytes.count + 2, 0], to: &data) else { return false }
                data += name.bytes
            }
        case (.text, .text(let text)), (.tagValue, .text(let text)): return append(text, to: &data, writing)
        case (.bytes, .bytes(let bytes)): data += bytes
        case (.styled, .styled(let text)): return append(text.runs, to: &data, writing)
        case (.style, .styled(let text)):
            guard let run = text.runs.first else { return false }
            return Self.append(run, to: &data, numbers)
        case (.fonts, .fonts(let fonts)):
            let isWindows = 1
            guard numbers.append(words: [isWindows, fonts.count], to: &data) else { return false }
            for font in fonts {
                let name = font.name.bytes
                guard numbers.append(words: [font.id, font.characterSet, name.count], to: &data) else { return false }
                data += name
            }
        case (.colors, .colors(let colors)):
            return numbers.append(
                words: [colors.count] + colors.flatMap { [Int($0.red), Int($0.green), Int($0.blue)] }, to: &data)
        case (.references, .references(let references)):
            for reference in references {
                numbers.append(Int(reference.object), bytes: 4, to: &data)
                numbers.append(Int(reference.property), bytes: 2, to: &data)
            }
        default: return false
        }
        return true
    }

    /// Appends a number in the size of the type, or in four bytes if necessary.
    private func append(_ number: Int, to data: inout [UInt8], _ numbers: CDXNumbers) -> Bool {
        guard let count = [byteCount, 4].first(where: { fits(number, bytes: $0) }) else { return false }
        numbers.append(number, bytes: count, to: &data)
        return true
    }

    private func fits(_ number: Int, bytes count: Int) -> Bool {
        let bits = isSigned ? 8 * count - 1 : 8 * count
        return (isSigned ? -(1 << bits) : 0)..<(1 << bits) ~= number
    }

    private static func append(
        _ scaled: Double, bytes count: Int, to data: inout [UInt8], _ numbers: CDXNumbers
    ) -> Bool {
        let scaled = scaled.rounded()
        guard abs(scaled) < 1e10 else { return false }
        let range = count < 4 ? -(1 << (8 * count - 1))..<(1 << (8 * count)) : -(1 << 31)..<(1 << 31)
        guard range ~= Int(scaled) else { return false }
        numbers.append(Int(scaled), bytes: count, to: &data)
        return true
    }

    private func append(_ values: [Double], _ data: inout [UInt8], _ numbers: CDXNumbers) -> Bool {
        let group = order.count
        for index in values.indices {
            let value = values[index / group * group + order[index % group]]
            guard Self.append(value * parts, bytes: byteCount, to: &data, numbers) else { return false }
        }
        return true
    }

    private func append(_ text: Text, to data: inout [UInt8], _ writing: CDXWriting) -> Bool {
        let isASCII = text.bytes.allSatisfy { $0 < 0x80 }
        if var run = writing.textStyle, !isASCII {
            run.text = text
            return append([run], to: &data, writing)
        }
        data += [0, 0] + (writing.textStyle == nil ? Self.lines(text.bytes) : text.bytes)
        return true
    }

    /// Appends runs in the character sets of their fonts, or in UTF-8.
    private func append(_ runs: [StyledText.Run], to data: inout [UInt8], _ writing: CDXWriting) -> Bool {
        var letters: [UInt8] = []
        let isBare = runs.allSatisfy { $0.hasLook(of: StyledText.Run(text: Text())) }
        guard writing.numbers.append(words: [isBare ? 0 : runs.count], to: &data) else { return false }
        for run in runs {
            if !isBare {
                guard writing.numbers.append(words: [letters.count], to: &data),
                    Self.append(run, to: &data, writing.numbers)
                else { return false }
            }
            let font = UInt16(clamping: run.font ?? 0)
            letters += Self.lines(
                isSpecial || writing.textStyle != nil
                    ? run.text.bytes : writing.characterSets.bytes(of: run.text.bytes, inFont: font))
        }
        data += letters
        return true
    }

    private static func append(_ run: StyledText.Run, to data: inout [UInt8], _ numbers: CDXNumbers) -> Bool {
        let size = max(0, min(65_535, ((run.size ?? 10) * twentieths).rounded()))
        return numbers.append(words: [run.font ?? 0, run.face ?? 0, Int(size), run.color ?? 0], to: &data)
    }

    /// Replaces LF with CR, which ends lines in CDX.
    private static func lines(_ bytes: [UInt8]) -> [UInt8] {
        bytes.map { $0 == Ascii.lineFeed ? Ascii.carriageReturn : $0 }
    }
}

// MARK: - CDXML

extension DrawnType {
    /// Reads the value of an attribute; returns nil if it is invalid.
    ///
    /// - Parameter isExact: Set to false if the value does not represent the text completely.
    func read(_ text: Span<UInt8>, isExact: inout Bool) -> DrawnValue? {
        switch form {
        case .named: return (number(named: text) ?? CDXMLValues.integer(text)).map { .integer($0) }
        case .integer:
            if let number = number(named: text) ?? CDXMLValues.integer(text) { return .integer(number) }
            isExact = false
            if let number = CDXMLValues.real(text) { return .integer(Int(max(-1e12, min(1e12, number)))) }
            return CDXMLValues.words(text).first.flatMap { number(named: text.extracting($0)) }.map { .integer($0) }
        case .identifier: return CDXMLValues.identifier(text, in: 0..<text.count).map { .integer($0) }
        case .bits:
            if let number = number(named: text) ?? CDXMLValues.integer(text) { return .integer(number) }
            var bits = 0
            for word in CDXMLValues.words(text) {
                if let place = names.firstIndex(where: { text.extracting(word).spells($0) }) {
                    bits |= 1 << place
                } else {
                    isExact = false
                }
            }
            return .integer(bits)
        case .flag: return CDXMLValues.flag(text).map { .integer($0) }
        case .order: return CDXMLValues.order(text).map { .integer($0) }
        case .charge, .real, .fraction: return CDXMLValues.real(text).map { .real($0) }
        case .point, .box:
            if CDXMLValues.words(text).count != order.count { isExact = false }
            let range = 0..<text.count
            return switch order.count {
            case 2: CDXMLValues.point(text, range).map { .position($0) }
            case 3: CDXMLValues.point3D(text, range).map { .position($0) }
            default: CDXMLValues.box(text, range).map { .box($0) }
            }
        case .numbers:
            var numbers: [Double] = []
            for word in CDXMLValues.words(text) {
                guard let number = Numeral.decimal(text, word) else {
                    isExact = false
                    break
                }
                numbers.append(number)
            }
            if numbers.count % order.count != 0 { isExact = false }
            return .numbers(numbers)
        case .identifiers: return CDXMLValues.identifiers(text).map { .identifiers($0) }
        case .elements:
            let (words, areExcluded) = CDXMLValues.list(text)
            let numbers = words.compactMap { CDXMLValues.integer(text.extracting($0)) }
            if numbers.count < words.count { return nil }
            return .elements(DrawnElements(numbers: numbers, areExcluded: areExcluded))
        case .names:
            let (words, areExcluded) = CDXMLValues.list(text)
            return .names(words.map { Text(bytes: text.bytes($0)) }, areExcluded: areExcluded)
        case .text: return .text(CDXMLValues.text(text))
        case .tagValue: return .text(Text(bytes: text.bytes(0..<text.count)))
        case .bytes:
            let letters = text.bytes(0..<text.count)
            if isSpecial, let bytes = CDXMLValues.bytes(ofHexadecimal: letters) { return .bytes(bytes) }
            let (bytes, fault) = Base64.decode(letters[...])
            if fault != nil { isExact = false }
            return isSpecial && fault != nil ? nil : .bytes(bytes)
        case .styled, .style, .fonts, .colors, .references: return nil
        }
    }

    /// Appends the value of an attribute. Returns false if the type cannot express it, and leaves `bytes` in an
    /// undefined state.
    func spell(_ value: DrawnValue, to bytes: inout [UInt8], _ xml: inout XMLText) -> Bool {
        switch (form, value) {
        case (.flag, .integer(let bit)): bytes.append(bit == 0 ? "no" : "yes")
        case (.order, .integer(let bits)):
            let spelling = DrawnOrder.spelling(of: bits)
            bytes.append(contentsOf: spelling.utf8)
            return !spelling.isEmpty
        case (.tagValue, .integer(let number)): bytes.appendDecimal(number)
        case (_, .integer(let number)):
            if let name = name(of: number) { bytes += name } else { bytes.appendDecimal(number) }
        case (.fraction, .real(let number)): Self.append(number, of: parts, to: &bytes)
        case (_, .real(let number)): bytes.appendShortest(number)
        case (_, .position(let position)):
            append(order.count > 2 ? [position.x, position.y, position.z] : [position.x, position.y], to: &bytes)
        case (_, .box(let box)): append([box.left, box.top, box.right, box.bottom], to: &bytes)
        case (_, .numbers(let numbers)): append(numbers, to: &bytes)
        case (_, .identifiers(let ids)): Self.append(ids.map { Int($0) }, to: &bytes)
        case (_, .elements(let list)):
            if list.areExcluded { bytes.append("NOT ") }
            Self.append(list.numbers, to: &bytes)
        case (_, .names(let names, let areExcluded)):
            let words = (areExcluded ? [Text("NOT")] : []) + names
            xml.appendEscaped(Array(words.map(\.bytes).joined(separator: [0x20])), to: &bytes, inAttribute: true)
        case (_, .text(let text)): xml.appendEscaped(text.bytes, to: &bytes, inAttribute: true)
        case (_, .bytes(let data)): bytes += isSpecial ? CDXMLValues.hexadecimal(data[...]) : Base64.encode(data[...])
        case (_, .styled), (_, .fonts), (_, .colors), (_, .references): return false
        }
        return true
    }

    private func append(_ numbers: [Double], to bytes: inout [UInt8]) {
        for (place, number) in numbers.enumerated() {
            if place > 0 { bytes.append(Ascii.blank) }
            Self.append(number, of: parts, to: &bytes)
        }
    }

    private static func append(_ numbers: [Int], to bytes: inout [UInt8]) {
        for (place, number) in numbers.enumerated() {
            if place > 0 { bytes.append(Ascii.blank) }
            bytes.appendDecimal(number)
        }
    }

    /// Appends a number with as many decimals as are needed to distinguish adjacent multiples of 1/`parts`.
    static func append(_ number: Double, of parts: Double, to bytes: inout [UInt8]) {
        // Four decimals are enough for all types.
        if number.magnitude < 1e8, wholeNumber(number * 10_000) / 10_000 == number {
            return bytes.appendShortest(number)
        }
        let whole = (number * parts).rounded()
        var power = 1.0
        while power < 1e6 {
            let rounded = (number * power).rounded() / power
            if (rounded * parts).rounded() == whole { return bytes.appendShortest(rounded) }
            power *= 10
        }
        bytes.appendShortest(number)
    }
}
