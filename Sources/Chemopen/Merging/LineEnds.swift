/// The line ends of a version of a file, if all of them are the same.
enum LineEnds {
    case lineFeed
    case both

    /// Returns `nil` if there are no lines, or lines with different ends.
    init?(_ bytes: [UInt8]) {
        var (lines, returns) = (0, 0)
        var last: UInt8 = 0
        for byte in bytes {
            if byte == Ascii.lineFeed {
                lines += 1
                if last == Ascii.carriageReturn { returns += 1 }
            } else if last == Ascii.carriageReturn {
                return nil
            }
            last = byte
        }
        if last == Ascii.carriageReturn || lines == 0 { return nil }
        switch returns {
        case 0: self = .lineFeed
        case lines: self = .both
        default: return nil
        }
    }

    /// Returns a version with these line ends. All its lines must have the same ends.
    func convert(_ bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .lineFeed: return bytes.filter { $0 != Ascii.carriageReturn }
        case .both: return bytes.flatMap { $0 == Ascii.lineFeed ? [Ascii.carriageReturn, $0] : [$0] }
        }
    }
}
