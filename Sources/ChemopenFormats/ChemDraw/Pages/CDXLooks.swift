import ChemopenModel

/// Makes values of the binary properties that nobody but a painter asks for.
struct CDXLooks {
    private let data: ArraySlice<UInt8>
    private let isBigEndian: Bool

    /// The value of a look; nothing where the tag is none, or its data are no value of it.
    static func value(of tag: UInt16, in data: ArraySlice<UInt8>, _ values: inout CDXValues) -> DrawnValue? {
        let looks = CDXLooks(data: data, isBigEndian: values.isBigEndian)
        switch DrawnProperty(rawValue: tag) {
        case .text: return looks.text(values.characterSets, isUTF8: false)
        case .utf8Text: return looks.text(values.characterSets, isUTF8: true)
        case .fontTable: return looks.fonts(values.characterSets)
        case .colourTable: return looks.colours()
        case .labelStyle, .captionStyle: return looks.style()
        case .represents: return looks.references()
        default: break
        }
        guard DrawnPropertyTable.row(of: tag) == nil, let row = DrawnPropertyTable.anyRow(of: tag) else { return nil }
        switch row.type {
        case .bits, .words, .named, .namedFromMinusOne: return looks.integer().map { .integer($0) }
        case .points:
            let numbers = looks.counted(each: 8) { [looks.coordinate($0 + 4), looks.coordinate($0)] }
            return .numbers(numbers)
        case .points3D: return .numbers(looks.counted(each: 12) { [looks.coordinate($0), looks.coordinate($0 + 4)] })
        case .coordinates: return .numbers(stride(from: 0, to: data.count - 3, by: 4).map { looks.coordinate($0) })
        case .countedNumbers: return .numbers(looks.counted(each: 2) { [Double(looks.word($0))] })
        case .hexadecimal, .base64: return .bytes(Array(data))
        default:
            defer { _ = values.takeDoubt() }
            return values.value(of: row, in: data)
        }
    }

    // MARK: Numbers

    private func word(_ place: Int) -> Int {
        guard place >= 0, place + 2 <= data.count else { return 0 }
        let (first, second) = (Int(data[data.startIndex + place]), Int(data[data.startIndex + place + 1]))
        return isBigEndian ? first << 8 | second : second << 8 | first
    }

    private func long(_ place: Int) -> UInt32 {
        let (first, second) = (UInt32(word(place)), UInt32(word(place + 2)))
        return isBigEndian ? first << 16 | second : second << 16 | first
    }

    private func coordinate(_ place: Int) -> Double { Double(Int32(bitPattern: long(place))) / 65536 }

    private func integer() -> Int? {
        switch data.count {
        case 1: Int(Int8(bitPattern: data[data.startIndex]))
        case 2: Int(Int16(truncatingIfNeeded: word(0)))
        case 4: Int(Int32(bitPattern: long(0)))
        default: nil
        }
    }

    /// The numbers of the items behind their count, as far as the data go.
    private func counted(each size: Int, _ numbers: (Int) -> [Double]) -> [Double] {
        let count = min(word(0), (data.count - 2) / size)
        return (0..<max(0, count)).flatMap { numbers(2 + size * $0) }
    }

    // MARK: Text

    private func run(at place: Int) -> StyledText.Run {
        let twentieths = 20.0
        return StyledText.Run(
            font: word(place), face: word(place + 2), size: Double(word(place + 4)) / twentieths,
            colour: word(place + 6), text: Text())
    }

    private func style() -> DrawnValue? {
        data.count < 8 ? nil : .styled(StyledText(runs: [run(at: 0)]))
    }

    /// Text behind the number of its runs and the runs, ten bytes each.
    private func text(_ sets: CDXCharacterSets, isUTF8: Bool) -> DrawnValue? {
        let count = word(0)
        let start = 2 + 10 * count
        guard data.count >= 2, start <= data.count else {
            let text = sets.text(of: data, isUTF8: isUTF8)
            return .styled(StyledText(runs: [StyledText.Run(text: text)]))
        }
        let body = data.dropFirst(start)
        if isUTF8, !Text(bytes: body).isUTF8 { return nil }
        if count == 0 { return .styled(StyledText(runs: [StyledText.Run(text: sets.text(of: body, isUTF8: isUTF8))])) }
        let letters = body.prefix { $0 != 0 }
        var text = StyledText()
        for place in 0..<count {
            var run = run(at: 4 + 10 * place)
            let from = place == 0 ? 0 : word(2 + 10 * place)
            let to = place + 1 < count ? word(12 + 10 * place) : letters.count
            guard from < to, from < letters.count else { continue }
            let part = letters.dropFirst(from).prefix(to - from)
            run.text =
                isUTF8
                ? sets.text(of: part, isUTF8: true)
                : sets.text(of: part, runs: [.init(start: 0, font: UInt16(truncatingIfNeeded: run.font ?? 0))])
            text.runs.append(run)
        }
        return .styled(text)
    }

    // MARK: Tables

    private func fonts(_ sets: CDXCharacterSets) -> DrawnValue {
        var fonts: [DrawnFont] = []
        var place = 4
        var left = word(2)
        while left > 0, place + 6 <= data.count {
            let name = data.dropFirst(place + 6).prefix(word(place + 4))
            fonts.append(
                DrawnFont(
                    id: word(place), characterSet: word(place + 2), name: sets.text(of: name, isUTF8: false)))
            place += 6 + word(place + 4)
            left -= 1
        }
        return .fonts(fonts)
    }

    private func colours() -> DrawnValue {
        let count = min(word(0), (data.count - 2) / 6)
        return .colours(
            (0..<max(0, count)).map { place in
                DrawnColour(
                    red: UInt16(word(2 + 6 * place)), green: UInt16(word(4 + 6 * place)),
                    blue: UInt16(word(6 + 6 * place)))
            })
    }

    private func references() -> DrawnValue {
        .represented(
            stride(from: 0, to: data.count - 5, by: 6).map { place in
                DrawnReference(object: long(place), property: UInt16(word(place + 4)))
            })
    }
}
