/// Reads and writes the numbers in binary data, in either byte order.
struct CDXNumbers {
    let isBigEndian: Bool

    func word(_ data: ArraySlice<UInt8>, _ place: Int) -> Int? {
        unsigned(data.dropFirst(place).prefix(2), bytes: 2).map { Int($0) }
    }

    func long(_ data: ArraySlice<UInt8>, _ place: Int) -> UInt32? {
        unsigned(data.dropFirst(place).prefix(4), bytes: 4).map { UInt32($0) }
    }

    /// Returns a finite floating-point number of eight bytes, or nil.
    func real(_ data: ArraySlice<UInt8>) -> Double? {
        guard let bits = unsigned(data, bytes: 8) else { return nil }
        let number = Double(bitPattern: bits)
        return number.isFinite ? number : nil
    }

    /// Returns an integer of 1, 2 or 4 bytes, or nil.
    func integer(_ data: ArraySlice<UInt8>, isSigned: Bool) -> Int? {
        let count = data.count
        guard count == 1 || count == 2 || count == 4, let number = unsigned(data, bytes: count) else { return nil }
        let bits = 8 * count
        return isSigned && number >> (bits - 1) == 1 ? Int(number) - 1 << bits : Int(number)
    }

    private func unsigned(_ data: ArraySlice<UInt8>, bytes count: Int) -> UInt64? {
        guard data.count == count else { return nil }
        var number: UInt64 = 0
        if isBigEndian {
            for byte in data { number = number << 8 | UInt64(byte) }
        } else {
            for byte in data.reversed() { number = number << 8 | UInt64(byte) }
        }
        return number
    }

    /// Appends the lowest bytes of a number.
    func append(_ number: Int, bytes count: Int, to data: inout [UInt8]) {
        for place in 0..<count {
            data.append(UInt8(truncatingIfNeeded: number >> (8 * (isBigEndian ? count - 1 - place : place))))
        }
    }

    /// Appends numbers of two bytes each. If a number does not fit, returns false and leaves `data` unchanged.
    func append(words: [Int], to data: inout [UInt8]) -> Bool {
        guard words.allSatisfy({ 0...0xFFFF ~= $0 }) else { return false }
        for word in words { append(word, bytes: 2, to: &data) }
        return true
    }
}
