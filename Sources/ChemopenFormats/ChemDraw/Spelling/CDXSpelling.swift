import ChemopenBytes
import ChemopenModel

/// Spells objects as ChemDraw's binary stream: objects and properties behind their tags, the low byte of a number first.
struct CDXSpelling {
    var bytes: [UInt8] = []
    private let captionFont: Int

    init(caption: StyledText.Run) {
        captionFont = caption.font ?? 0
    }

    static var head: [UInt8] { CDXStream.signature + [4, 3, 2, 1] + Array(repeating: 0, count: 10) }

    mutating func open(_ kind: DrawnKind, id: UInt32) {
        bytes.append(addingCapacity: 8) { output in
            output.append(word: UInt64(kind.rawValue) | UInt64(id) << 16, count: 6)
        }
    }

    mutating func close() {
        bytes.append(word: 0)
    }

    // MARK: Properties

    mutating func set(_ property: DrawnProperty, _ value: DrawnValue) {
        append(property.rawValue, data(property, value))
        // Newer programs take their letters from a second copy.
        if property == .text, case .styled(let text) = value, text.runs.contains(where: { !$0.text.bytes.isASCII }) {
            append(DrawnProperty.utf8Text.rawValue, Self.data(of: text))
        }
    }

    private mutating func append(_ tag: UInt16, _ data: [UInt8]) {
        let isLong = data.count >= 0xFFFF
        bytes.append(word: Int(tag))
        bytes.append(word: isLong ? 0xFFFF : data.count)
        if isLong { bytes.append(long: data.count) }
        bytes += data
    }

    private func data(_ property: DrawnProperty, _ value: DrawnValue) -> [UInt8] {
        let type = DrawnPropertyTable.anyRow(of: property.rawValue)?.type
        var data: [UInt8] = []
        switch value {
        case .integer(let number): Self.append(number, of: type, to: &data)
        case .real(let number): Self.append(number, of: type, to: &data)
        case .position(let position):
            if case .point3D = type {
                for number in [position.x, position.y, position.z] { data.append(coordinate: number) }
            } else {
                for number in [position.y, position.x] { data.append(coordinate: number) }
            }
        case .box(let box):
            for number in [box.top, box.left, box.bottom, box.right] { data.append(coordinate: number) }
        case .identifiers(let ids):
            if case .countedIdentifiers = type { data.append(word: ids.count) }
            for id in ids { data.append(long: Int(id)) }
        case .text(let text):
            let run = StyledText.Run(font: captionFont, face: 0, size: 10, colour: 0, text: text)
            data = text.bytes.isASCII ? [0, 0] + text.bytes : Self.data(of: StyledText(runs: [run]))
        case .styled(let text): data = property == .text ? Self.data(of: text) : Self.style(of: text)
        case .elements(let elements):
            data.append(word: elements.areExcluded ? -elements.numbers.count : elements.numbers.count)
            for number in elements.numbers { data.append(word: number) }
        case .fonts(let fonts):
            let isWindows = 1
            data.append(word: isWindows)
            data.append(word: fonts.count)
            for font in fonts {
                data.append(word: font.id)
                data.append(word: font.characterSet)
                data.append(word: font.name.bytes.count)
                data += font.name.bytes
            }
        case .colours(let colours):
            data.append(word: colours.count)
            for colour in colours {
                for part in [colour.red, colour.green, colour.blue] { data.append(word: Int(part)) }
            }
        case .names, .numbers, .bytes, .represented, .attribute, .data: break
        }
        return data
    }

    private static func append(_ number: Int, of type: DrawnType?, to data: inout [UInt8]) {
        switch type {
        case .flag: if number == 0 { data.append(0) }
        case .some(let type): data.append(number, bytes: type.byteCount)
        case nil: break
        }
    }

    private static func append(_ number: Double, of type: DrawnType?, to data: inout [UInt8]) {
        switch type {
        case .coordinate: data.append(coordinate: number)
        case .charge: data.append(Int(max(-128, min(127, number))), bytes: 1)
        case .multiplied(let factor, let count): data.append(fixed: number, by: Double(factor), bytes: count)
        default:
            let bits = number.bitPattern
            data.append(long: Int(truncatingIfNeeded: bits & 0xFFFF_FFFF))
            data.append(long: Int(truncatingIfNeeded: bits >> 32))
        }
    }

    // MARK: Text

    /// Text behind the number of its styles and the styles, ten bytes each.
    private static func data(of text: StyledText) -> [UInt8] {
        var data: [UInt8] = []
        data.append(word: text.runs.count)
        var start = 0
        for run in text.runs {
            data.append(word: start)
            data += style(of: StyledText(runs: [run]))
            start += run.text.bytes.count
        }
        for run in text.runs { data += run.text.bytes.map { $0 == 0x0A ? 0x0D : $0 } }
        return data
    }

    private static func style(of text: StyledText) -> [UInt8] {
        guard let run = text.runs.first else { return [] }
        var data: [UInt8] = []
        let twentieths = 20.0
        for number in [run.font ?? 0, run.face ?? 0, Int((run.size ?? 0) * twentieths), run.colour ?? 0] {
            data.append(word: number)
        }
        return data
    }
}

extension [UInt8] {
    fileprivate var isASCII: Bool { allSatisfy { $0 < 0x80 } }

    /// Appends the lowest bytes of a number, the lowest one first.
    fileprivate mutating func append(_ number: Int, bytes count: Int) {
        for place in 0..<count { append(UInt8(truncatingIfNeeded: number >> (8 * place))) }
    }

    fileprivate mutating func append(word: Int) { append(word, bytes: 2) }

    fileprivate mutating func append(long: Int) { append(long, bytes: 4) }

    fileprivate mutating func append(coordinate: Double) { append(fixed: coordinate, by: 65536, bytes: 4) }

    fileprivate mutating func append(fixed number: Double, by factor: Double, bytes: Int) {
        let scaled = (number * factor).rounded()
        append(Int(Swift.max(-2_147_483_648, Swift.min(2_147_483_647, scaled))), bytes: bytes)
    }
}
