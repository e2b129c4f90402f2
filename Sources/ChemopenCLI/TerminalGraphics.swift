import Chemopen

/// A protocol for pictures in a terminal.
enum TerminalGraphics {
    case kitty, iterm, sixel

    /// The protocol that the terminal of this process supports: the one that the environment announces, otherwise sixels
    /// if the terminal reports them.
    static func ofTerminal() -> TerminalGraphics? {
        if let graphics = ofEnvironment { return graphics }
        guard environment("TERM") != "dumb", let keys = TerminalKeys.open() else { return nil }
        // The request for the primary device attributes, to which nearly every terminal responds.
        keys.write(Array("\u{1B}[c".utf8))
        var answer: [UInt8] = []
        while !answer.contains(UInt8(ascii: "c")), answer.count < 256 {
            guard let bytes = keys.bytes(within: patience), !bytes.isEmpty else { break }
            answer += bytes
        }
        keys.restore()
        return reportsSixels(answer) ? .sixel : nil
    }

    /// The time limit in milliseconds for the response of a terminal, enough for a connection to a distant server.
    private static let patience: Int32 = 500

    /// Returns whether a terminal's response contains the attribute of sixels: `ESC [ ? 62 ; 4 c`.
    static func reportsSixels(_ answer: [UInt8]) -> Bool {
        let text = String(decoding: answer, as: UTF8.self)
        guard let start = text.firstRange(ofPart: "\u{1B}[?"), let end = text[start.upperBound...].firstIndex(of: "c")
        else { return false }
        return text[start.upperBound..<end].split(separator: ";").dropFirst().contains("4")
    }

    /// The protocol that the environment announces. `nil` in a terminal multiplexer, where this is unreliable.
    static var ofEnvironment: TerminalGraphics? {
        let term = environment("TERM") ?? ""
        if term.hasPrefix("screen") || term.hasPrefix("tmux") || environment("TMUX") != nil { return nil }
        let program = environment("TERM_PROGRAM") ?? ""
        if environment("KITTY_WINDOW_ID") != nil || term.holds("kitty") || program == "ghostty" { return .kitty }
        if program == "iTerm.app" || program == "WezTerm" || environment("KONSOLE_VERSION") != nil { return .iterm }
        return nil
    }

    /// Returns the bytes that show a picture.
    func bytes(showing picture: Picture, pixelsPerPoint scale: Double) throws(DrawingProgram.Failure) -> [UInt8] {
        let program = try DrawingProgram()
        guard self != .sixel else {
            return try program.sixels(of: picture, pixelsPerPoint: scale) + [UInt8(ascii: "\n")]
        }
        return bytes(showing: try program.png(of: picture, pixelsPerPoint: scale))
    }

    /// Returns the bytes that show a PNG.
    private func bytes(showing png: [UInt8]) -> [UInt8] {
        let text = Self.base64(png)
        switch self {
        case .sixel: return []
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
