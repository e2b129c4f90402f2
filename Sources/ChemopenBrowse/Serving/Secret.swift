/// Words that nobody can guess: random bits of the system's own source, in letters and digits.
public struct Secret: Sendable {
    /// Forty-eight letters and digits.
    public let text: String

    /// A new one.
    public init() {
        var source = SystemRandomNumberGenerator()
        var text = ""
        for _ in 0..<3 {
            let part = String(source.next() as UInt64, radix: 16)
            text += String(repeating: "0", count: 16 - part.count) + part
        }
        self.text = text
    }

    /// Whether a word is the secret, in a time that does not tell how much of it is right.
    public func matches(_ word: some StringProtocol) -> Bool {
        let own = Array(text.utf8)
        let other = Array(word.utf8)
        guard own.count == other.count else { return false }
        var difference: UInt8 = 0
        for (one, two) in zip(own, other) { difference |= one ^ two }
        return difference == 0
    }
}
