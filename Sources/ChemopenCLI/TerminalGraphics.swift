import Chemopen

/// A protocol for pictures in a terminal.
enum TerminalGraphics {
    case kitty, iterm

    /// The protocol that the terminal claims to support. `nil` in a terminal multiplexer, where this is unreliable.
    static var ofEnvironment: TerminalGraphics? {
        let term = environment("TERM") ?? ""
        if term.hasPrefix("screen") || term.hasPrefix("tmux") { return nil }
        let program = environment("TERM_PROGRAM") ?? ""
        if environment("KITTY_WINDOW_ID") != nil || term.holds("kitty") || program == "ghostty" { return .kitty }
        if program == "iTerm.app" || program == "WezTerm" || environment("KONSOLE_VERSION") != nil { return .iterm }
        return nil
    }

    /// Returns the bytes that show a PNG.
    func bytes(showing png: [UInt8]) -> [UInt8] {
        let text = Self.base64(png)
        switch self {
        case .iterm:
            return Array("\u{1B}]1337;File=inline=1;size=\(png.count):".utf8) + text + Array("\u{7}\n".utf8)
        case .kitty:
            var bytes: [UInt8] = []
            let step = 4096
            for start in stride(from: 0, to: text.count, by: step) {
                let end = min(text.count, start + step)
                let head = start == 0 ? "a=T,f=100," : ""
                bytes += Array("\u{1B}_G\(head)m=\(end < text.count ? 1 : 0);".utf8) + text[start..<end]
                bytes += Array("\u{1B}\\".utf8)
            }
            return bytes + [UInt8(ascii: "\n")]
        }
    }

    private static func base64(_ bytes: [UInt8]) -> [UInt8] {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count / 3 * 4 + 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var group = 0
            for place in 0..<3 { group = group << 8 | (place < count ? Int(bytes[start + place]) : 0) }
            for place in 0..<4 {
                text.append(place <= count ? digits[group >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
            }
        }
        return text
    }
}
