/// An image in the encoding of terminals that support sixels: bands of six rows, color by color.
struct SixelImage {
    private let width: Int
    private let height: Int
    /// The color of each pixel: 24 shades of gray, then a cube of six levels per component.
    private var colors: [UInt8]

    private static let grays = 24

    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        colors = Array(repeating: 0, count: width * height)
    }

    /// Sets a pixel to the nearest color of the palette.
    mutating func set(_ column: Int, _ row: Int, red: UInt8, green: UInt8, blue: UInt8) {
        let spread = max(red, green, blue) - min(red, green, blue)
        func level(_ value: UInt8, of count: Int) -> Int { (Int(value) * (count - 1) + 127) / 255 }
        let color =
            spread < 12
            ? level(green, of: Self.grays)
            : Self.grays + level(red, of: 6) * 36 + level(green, of: 6) * 6 + level(blue, of: 6)
        colors[row * width + column] = UInt8(color)
    }

    /// Returns the components of a color in percent.
    private static func percent(_ color: Int) -> (Int, Int, Int) {
        if color < grays {
            let gray = color * 100 / (grays - 1)
            return (gray, gray, gray)
        }
        let cube = color - grays
        return (cube / 36 * 20, cube / 6 % 6 * 20, cube % 6 * 20)
    }

    /// The escape sequence that shows the image. Only used colors get a register. Registers are numbered from 0,
    /// because some terminals have few.
    var bytes: [UInt8] {
        var registers: [Int: Int] = [:]
        var text = Array("\u{1B}P0;1;0q\"1;1;\(width);\(height)".utf8)
        for color in Set(colors).map(Int.init).sorted() {
            let (red, green, blue) = Self.percent(color)
            text += Array("#\(registers.count);2;\(red);\(green);\(blue)".utf8)
            registers[color] = registers.count
        }
        for top in stride(from: 0, to: height, by: 6) {
            append(bandAt: top, registers, to: &text)
            text.append(UInt8(ascii: "-"))
        }
        return text + Array("\u{1B}\\".utf8)
    }

    private func append(bandAt top: Int, _ registers: [Int: Int], to text: inout [UInt8]) {
        let rows = top..<min(top + 6, height)
        let used = Set(colors[rows.lowerBound * width..<rows.upperBound * width]).sorted()
        for (place, color) in used.enumerated() {
            if place > 0 { text.append(UInt8(ascii: "$")) }
            text += Array("#\(registers[Int(color)] ?? 0)".utf8)
            var (run, last): (Int, UInt8) = (0, 0)
            func finishRun() {
                // A run of up to three sixels is shorter without a count.
                if run > 3 {
                    text += Array("!\(run)".utf8) + [last]
                } else {
                    text += Array(repeating: last, count: run)
                }
            }
            for column in 0..<width {
                var bits: UInt8 = 0
                for row in rows where colors[row * width + column] == color { bits |= 1 << UInt8(row - top) }
                let sixel = bits + 0x3F
                if sixel == last {
                    run += 1
                } else {
                    finishRun()
                    (run, last) = (1, sixel)
                }
            }
            finishRun()
        }
    }
}
