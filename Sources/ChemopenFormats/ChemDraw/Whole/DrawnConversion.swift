import ChemopenBytes
import ChemopenModel

/// Puts the values of properties from one spelling into the other, by their types. Nothing where a value is none of its
/// type's, or has no room.
struct DrawnConversion {
    let numbers: CDXNumbers

    private static let unit = 65536.0

    // MARK: Into XML

    /// The attribute for a property's data; text is not among them.
    func text(of data: ArraySlice<UInt8>, _ row: DrawnPropertyTable.Row) -> [UInt8]? {
        switch row.type {
        case .signed, .identifier: return integer(data, isSigned: !row.type.isIdentifier).map(Self.decimal)
        case .unsigned: return integer(data, isSigned: false).map(Self.decimal)
        case .named, .namedFromMinusOne:
            return integer(data, isSigned: true).map { row.name(ofValue: $0) ?? Self.decimal($0) }
        case .words(let words):
            return integer(data, isSigned: false).map { words[$0].map { Array($0.utf8) } ?? Self.decimal($0) }
        case .bits(let names, let none):
            return integer(data, isSigned: false).map { Self.names(of: $0, names, none) ?? Self.decimal($0) }
        case .bondOrder:
            return integer(data, isSigned: false).flatMap { bits in
                let spelling = DrawnOrder.spelling(of: bits == 1 << (8 * data.count) - 1 ? DrawnOrder.any : bits)
                return spelling.isEmpty || bits > 0xFFFF && bits != 0xFFFF_FFFF ? nil : Array(spelling.utf8)
            }
        case .flag, .truth: return Array((data.isEmpty || data.contains { $0 != 0 } ? "yes" : "no").utf8)
        case .charge:
            return integer(data, isSigned: true).map { Self.real(Double($0) / (data.count == 4 ? 16_777_216 : 1)) }
        case .multiplied(let factor, _):
            return integer(data, isSigned: true).map { Self.fraction($0, of: Double(factor)) }
        case .real: return numbers.real(data).map(Self.real) ?? integer(data, isSigned: true).map(Self.decimal)
        case .coordinate: return fixed(data, [0], count: 1)
        case .point: return fixed(data, [1, 0], count: 2)
        case .point3D: return fixed(data, [0, 1, 2], count: 3)
        case .box: return fixed(data, [1, 0, 3, 2], count: 4)
        case .coordinates: return data.count % 4 == 0 ? fixed(data, Array(0..<data.count / 4)) : nil
        case .points:
            return counted(data, bytesEach: 8).flatMap { data, count in
                fixed(data, (0..<2 * count).map { $0 ^ 1 })
            }
        case .points3D: return counted(data, bytesEach: 12).flatMap { fixed($0, Array(0..<3 * $1)) }
        case .countedNumbers:
            return counted(data, bytesEach: 2).map { data, count in
                Self.list((0..<count).compactMap { numbers.integer(data.dropFirst(2 * $0).prefix(2), isSigned: true) })
            }
        case .identifiers: return identifiers(data)
        case .countedIdentifiers:
            return data.count % 4 == 2 ? counted(data, bytesEach: 4).flatMap { identifiers($0.0) } : identifiers(data)
        case .elements: return elements(data)
        case .hexadecimal: return Self.hexadecimal(data)
        case .base64: return Base64.encode(data)
        case .text, .names, .tagValue, .styled, .fonts, .colours, .represented: return nil
        }
    }

    private func integer(_ data: ArraySlice<UInt8>, isSigned: Bool) -> Int? {
        numbers.integer(data, isSigned: isSigned)
    }

    /// Fixed-point numbers in the order of their places.
    private func fixed(_ data: ArraySlice<UInt8>, _ places: [Int], count: Int? = nil) -> [UInt8]? {
        if let count, data.count != 4 * count { return nil }
        var text: [UInt8] = []
        for place in places {
            guard let number = numbers.fixed(data, 4 * place) else { return nil }
            if !text.isEmpty { text.append(Ascii.blank) }
            text += Self.fraction(number, of: Self.unit)
        }
        return text
    }

    /// The data behind their number; nothing where that is not so.
    private func counted(_ data: ArraySlice<UInt8>, bytesEach: Int) -> (ArraySlice<UInt8>, Int)? {
        guard let count = numbers.word(data, 0), data.count == 2 + count * bytesEach else { return nil }
        return (data.dropFirst(2), count)
    }

    private func identifiers(_ data: ArraySlice<UInt8>) -> [UInt8]? {
        guard data.count % 4 == 0 else { return nil }
        return Self.list((0..<data.count / 4).compactMap { numbers.long(data, 4 * $0).map { Int($0) } })
    }

    private func elements(_ data: ArraySlice<UInt8>) -> [UInt8]? {
        guard let count = numbers.integer(data.prefix(2), isSigned: true), data.count == 2 + 2 * abs(count) else {
            return nil
        }
        let list = Self.list((0..<abs(count)).compactMap { numbers.word(data, 2 + 2 * $0) })
        return count < 0 ? Array("NOT ".utf8) + list : list
    }

    static func decimal(_ number: Int) -> [UInt8] { Array("\(number)".utf8) }

    private static func list(_ numbers: [Int]) -> [UInt8] {
        Array(numbers.map { "\($0)" }.joined(separator: " ").utf8)
    }

    static func real(_ number: Double) -> [UInt8] {
        var text: [UInt8] = []
        text.appendShortest(number == 0 ? 0 : number)
        return text
    }

    /// A number of so many parts: the decimals that tell it from its neighbours, and no more.
    static func fraction(_ number: Int, of parts: Double) -> [UInt8] {
        var power = 1.0
        while power < 1e6 {
            let rounded = (Double(number) / parts * power).rounded() / power
            if (rounded * parts).rounded() == Double(number) { return real(rounded) }
            power *= 10
        }
        return real(Double(number) / parts)
    }

    private static func names(of bits: Int, _ names: [String], _ none: String) -> [UInt8]? {
        if bits == 0 { return Array(none.utf8) }
        if bits >> names.count != 0 { return nil }
        return Array(names.indices.filter { bits >> $0 & 1 == 1 }.map { names[$0] }.joined(separator: " ").utf8)
    }

    private static func hexadecimal(_ data: ArraySlice<UInt8>) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return data.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }

    // MARK: Into the binary spelling

    /// The data for an attribute; text is not among them.
    func data(of text: [UInt8], _ row: DrawnPropertyTable.Row) -> [UInt8]? {
        switch row.type {
        case .signed, .unsigned, .identifier, .named, .namedFromMinusOne, .words, .bits:
            return number(text, row).flatMap { integer($0, bytes: row.type.byteCount) }
        case .bondOrder: return CDXMLValues.order(text.span).flatMap { integer($0, bytes: 2) }
        case .flag: return CDXMLValues.flag(text.span).map { $0 == 0 ? [0] : [] }
        case .truth: return CDXMLValues.flag(text.span).map { [UInt8($0)] }
        case .charge:
            guard let number = CDXMLValues.real(text.span) else { return nil }
            if number == number.rounded(), abs(number) < 128 { return integer(Int(number), bytes: 1) }
            return fixed([number * 16_777_216])
        case .multiplied(let factor, let count):
            guard let number = CDXMLValues.real(text.span), abs(number) < 1e9 else { return nil }
            return integer(Int((number * Double(factor)).rounded()), bytes: count)
        case .real:
            guard let number = CDXMLValues.real(text.span) else { return nil }
            var data: [UInt8] = []
            numbers.append(Int(truncatingIfNeeded: number.bitPattern), bytes: 8, to: &data)
            return data
        case .coordinate: return coordinates(text, [0])
        case .point: return coordinates(text, [1, 0])
        case .point3D: return coordinates(text, [0, 1, 2])
        case .box: return coordinates(text, [1, 0, 3, 2])
        case .coordinates: return coordinates(text, nil)
        case .points: return points(text, size: 2) { $0 ^ 1 }
        case .points3D: return points(text, size: 3) { $0 }
        case .countedNumbers: return integers(text).flatMap { list($0, bytes: 2, isCounted: true) }
        case .identifiers: return integers(text).flatMap { list($0, bytes: 4, isCounted: false) }
        case .countedIdentifiers: return integers(text).flatMap { list($0, bytes: 4, isCounted: true) }
        case .elements:
            let isExcluded = text.starts(with: "NOT".utf8)
            guard let list = integers(isExcluded ? Array(text.dropFirst(3)) : text), list.count < 0x8000 else {
                return nil
            }
            var data: [UInt8] = []
            numbers.append(isExcluded ? -list.count : list.count, bytes: 2, to: &data)
            for number in list {
                guard 0...0xFFFF ~= number else { return nil }
                numbers.append(number, bytes: 2, to: &data)
            }
            return data
        case .hexadecimal: return Self.bytes(ofHexadecimal: text) ?? bytes(ofBase64: text)
        case .base64: return bytes(ofBase64: text)
        case .text, .names, .tagValue, .styled, .fonts, .colours, .represented: return nil
        }
    }

    private func number(_ text: [UInt8], _ row: DrawnPropertyTable.Row) -> Int? {
        if let number = row.number(ofValue: text.span) { return number }
        switch row.type {
        case .words(let words):
            let word = String(decoding: text, as: UTF8.self)
            if let number = words.first(where: { $0.value == word })?.key { return number }
        case .bits(let names, let none):
            let words = text.split(separator: Ascii.blank).map { String(decoding: $0, as: UTF8.self) }
            if words == none.split(separator: " ").map(String.init) { return 0 }
            let bits = words.compactMap { names.firstIndex(of: $0) }
            if bits.count == words.count { return bits.reduce(0) { $0 | 1 << $1 } }
        default: break
        }
        return CDXMLValues.integer(text.span)
    }

    /// A number in so many bytes, or in four where it needs them.
    private func integer(_ number: Int, bytes count: Int) -> [UInt8]? {
        let bits = 8 * count
        let fits = -(1 << (bits - 1))..<(1 << bits) ~= number
        guard fits || -(1 << 31)..<(1 << 32) ~= number else { return nil }
        var data: [UInt8] = []
        numbers.append(number, bytes: fits ? count : 4, to: &data)
        return data
    }

    private func fixed(_ values: [Double]) -> [UInt8]? {
        var data: [UInt8] = []
        for value in values {
            guard -2_147_483_648..<2_147_483_648 ~= value.rounded() else { return nil }
            numbers.append(Int(value.rounded()), bytes: 4, to: &data)
        }
        return data
    }

    /// So many coordinates in the order of their places in the data; any number of them where no places are given.
    private func coordinates(_ text: [UInt8], _ places: [Int]?) -> [UInt8]? {
        guard let values = reals(text), values.count == places?.count ?? values.count else { return nil }
        return fixed((places ?? Array(values.indices)).map { values[$0] * Self.unit })
    }

    private func points(_ text: [UInt8], size: Int, _ place: (Int) -> Int) -> [UInt8]? {
        guard let values = reals(text), values.count % size == 0, values.count / size <= 0xFFFF,
            let coordinates = fixed(values.indices.map { values[place($0)] * Self.unit })
        else { return nil }
        var data: [UInt8] = []
        numbers.append(values.count / size, bytes: 2, to: &data)
        return data + coordinates
    }

    private func list(_ list: [Int], bytes count: Int, isCounted: Bool) -> [UInt8]? {
        var data: [UInt8] = []
        if isCounted {
            guard list.count <= 0xFFFF else { return nil }
            numbers.append(list.count, bytes: 2, to: &data)
        }
        for number in list {
            guard -(1 << (8 * count - 1))..<(1 << (8 * count)) ~= number else { return nil }
            numbers.append(number, bytes: count, to: &data)
        }
        return data
    }

    private func integers(_ text: [UInt8]) -> [Int]? {
        let words = text.split { $0 <= 0x20 }
        let numbers = words.compactMap { CDXMLValues.integer($0.span) }
        return numbers.count == words.count ? numbers : nil
    }

    private func reals(_ text: [UInt8]) -> [Double]? {
        let words = text.split { $0 <= 0x20 }
        let numbers = words.compactMap { CDXMLValues.real($0.span) }
        return numbers.count == words.count ? numbers : nil
    }

    private static func bytes(ofHexadecimal text: [UInt8]) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
        var half: UInt8?
        for letter in text where letter > 0x20 {
            guard let digit = Character(Unicode.Scalar(letter)).hexDigitValue else { return nil }
            if let high = half {
                bytes.append(high << 4 | UInt8(digit))
                half = nil
            } else {
                half = UInt8(digit)
            }
        }
        return half == nil ? bytes : nil
    }

    private func bytes(ofBase64 text: [UInt8]) -> [UInt8]? {
        let (bytes, fault) = Base64.decode(text[...])
        return fault == nil ? bytes : nil
    }
}

extension DrawnType {
    fileprivate var isIdentifier: Bool { if case .identifier = self { true } else { false } }
}
