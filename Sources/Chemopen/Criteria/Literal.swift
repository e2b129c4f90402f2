extension RecordFilter {
    /// A value in a condition: a number, a date such as `2024-01-31`, or text.
    struct Literal: Sendable, Hashable {
        let text: Text
        let number: Double?
        let day: Int?

        init(_ text: Text) {
            self.text = text
            number = Self.number(text.bytes)
            day = number == nil ? Self.day(text.bytes) : nil
        }

        /// Whether the value is a number or a date, which have an order. Text is compared by order only in conditions
        /// that were not parsed but created in Swift.
        var hasOrder: Bool { number != nil || day != nil }

        /// Whether this number or date is after another one.
        func isAbove(_ other: Literal) -> Bool {
            if let number, let limit = other.number { return number > limit }
            if let day, let limit = other.day { return day > limit }
            return false
        }

        /// Returns -1, 0 or 1 if a value is less than, equal to or greater than this one, or `nil` if they cannot be
        /// compared.
        func order(of value: RecordValues.Value, _ comparison: Comparison = .less) -> Int? {
            if let number {
                if let other = value.number { return other < number ? -1 : other > number ? 1 : 0 }
            } else if let day {
                if let other = Self.day(value.text.bytes) { return (other - day).signum() }
            }
            // Text differs from a number but cannot be less or greater.
            if hasOrder, comparison.isOrder { return nil }
            let other = value.text
            if other == text { return 0 }
            let (left, right) = (other.string, text.string)
            return left < right ? -1 : left > right ? 1 : 0
        }

        static func number(_ bytes: [UInt8]) -> Double? {
            let span = bytes.span
            return Numeral.decimal(span, span.trimmed(0..<bytes.count))
        }

        /// Returns a date in ISO 8601 format as a number that increases with the date. A time may follow the date.
        static func day(_ bytes: [UInt8]) -> Int? {
            let bytes = bytes.drop { $0 <= Ascii.blank }
            let digits = Array(bytes.prefix(10))
            guard digits.count == 10, digits[4] == UInt8(ascii: "-"), digits[7] == UInt8(ascii: "-") else { return nil }
            if let next = bytes.dropFirst(10).first, next != UInt8(ascii: "T"), next > Ascii.blank { return nil }
            func number(_ range: Range<Int>) -> Int? {
                guard digits[range].allSatisfy(Ascii.isDigit) else { return nil }
                return digits[range].reduce(0) { $0 * 10 + Int($1 & 15) }
            }
            guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
                (1...12).contains(month), (1...31).contains(day)
            else { return nil }
            return (year * 100 + month) * 100 + day
        }

        /// Returns the number at the beginning of a text. Ignores comparison signs before it, commas between groups of
        /// three digits, and a unit after it.
        static func measure(_ bytes: [UInt8]) -> Double? {
            let signs = Array("<>=~ \t".utf8)
            var rest = bytes.drop { signs.contains($0) || $0 < Ascii.blank }
            var digits: [UInt8] = []
            if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
                digits.append(sign)
                rest = rest.dropFirst()
            }
            while let byte = rest.first {
                if Ascii.isDigit(byte) || byte == UInt8(ascii: ".") {
                    digits.append(byte)
                } else if byte == UInt8(ascii: ","), isGroup(rest.dropFirst()), digits.last.map(Ascii.isDigit) == true {
                    // The comma in 1,234.5 is only a separator. In 1,5 the comma may be a decimal point, so it ends the
                    // number.
                } else {
                    break
                }
                rest = rest.dropFirst()
            }
            if rest.first == UInt8(ascii: ",") { return nil }
            if let e = rest.first, e | 0x20 == UInt8(ascii: "e") {
                var exponent = Array(rest.prefix(2))
                if exponent.count == 2, exponent[1] == UInt8(ascii: "-") || exponent[1] == UInt8(ascii: "+") {
                    exponent += rest.dropFirst(2).prefix { Ascii.isDigit($0) }
                } else {
                    exponent = [e] + rest.dropFirst().prefix { Ascii.isDigit($0) }
                }
                if let last = exponent.last, Ascii.isDigit(last) { digits += exponent }
            }
            return number(digits)
        }

        private static func isGroup(_ bytes: ArraySlice<UInt8>) -> Bool {
            let group = bytes.prefix(4)
            return group.prefix(3).count == 3 && group.prefix(3).allSatisfy(Ascii.isDigit)
                && !(group.count == 4 && Ascii.isDigit(group.last ?? 0))
        }
    }
}
