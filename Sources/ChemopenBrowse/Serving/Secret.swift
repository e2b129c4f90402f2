/// A random secret from the system's generator, as hexadecimal digits.
public struct Secret: Sendable {
    /// The secret in 48 hexadecimal digits.
    public let text: String

    /// Creates a new secret.
    public init() {
        var source = SystemRandomNumberGenerator()
        var text = ""
        for _ in 0..<3 {
            let part = String(source.next() as UInt64, radix: 16)
            text += String(repeating: "0", count: 16 - part.count) + part
        }
        self.text = text
    }

    /// Returns whether a text equals the secret. The duration does not depend on how much of it is correct.
    public func matches(_ word: some StringProtocol) -> Bool {
        let own = Array(text.utf8)
        let other = Array(word.utf8)
        guard own.count == other.count else { return false }
        var difference: UInt8 = 0
        for (one, two) in zip(own, other) { difference |= one ^ two }
        return difference == 0
    }
}
