/// An uncompressed BMP image with 24 or 32 bits for each pixel, or with a color table.
struct BitmapFile {
    let width: Int
    let height: Int
    private let bytes: [UInt8]
    private let start: Int
    private let bits: Int
    private let stride: Int
    private let tableStart: Int
    private let isTopDown: Bool

    private static let mostPixels = 25_000_000

    /// Opens an image; `nil` if it has another format or ends before its last row.
    init?(_ bytes: [UInt8]) {
        func long(_ place: Int) -> Int {
            (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
        }
        let fileHeader = 14
        guard bytes.count > fileHeader + 40, bytes.starts(with: "BM".utf8) else { return nil }
        let headerLength = long(14)
        let (columns, rows) = (Int(Int32(truncatingIfNeeded: long(18))), Int(Int32(truncatingIfNeeded: long(22))))
        bits = Int(bytes[28])
        let packing = long(30)
        guard headerLength >= 40, packing == 0 || packing == 3 && bits == 32, columns > 0, rows != 0,
            [1, 4, 8, 24, 32].contains(bits), columns <= Self.mostPixels, abs(rows) <= Self.mostPixels / columns
        else { return nil }
        width = columns
        height = abs(rows)
        isTopDown = rows < 0
        start = long(10)
        stride = (columns * bits + 31) / 32 * 4
        tableStart = fileHeader + headerLength
        guard start >= 0, start <= bytes.count, height <= (bytes.count - start) / stride else { return nil }
        self.bytes = bytes
    }

    /// Returns the red, green and blue components of a pixel, counted from the upper left corner.
    func color(_ column: Int, _ row: Int) -> (UInt8, UInt8, UInt8) {
        let line = start + (isTopDown ? row : height - 1 - row) * stride
        if bits >= 24 {
            let place = line + column * bits / 8
            return (bytes[place + 2], bytes[place + 1], bytes[place])
        }
        let byte = Int(bytes[line + column * bits / 8])
        let shift = 8 - bits - column * bits % 8
        let entry = tableStart + 4 * (byte >> shift & (1 << bits - 1))
        guard entry + 2 < bytes.count else { return (0, 0, 0) }
        return (bytes[entry + 2], bytes[entry + 1], bytes[entry])
    }
}
