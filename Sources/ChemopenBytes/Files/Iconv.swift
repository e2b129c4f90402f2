import CGlibcMore
import Glibc

// This is the only file that calls iconv, the text converter of the C library.

/// The encoding of a text file, by a name that `iconv -l` lists.
///
///     CharacterEncoding("koi8-r")?.name     // "koi8-r"
///     CharacterEncoding("klingon")          // nil
public struct CharacterEncoding: Sendable, Hashable {
    /// The name as specified by the caller.
    public let name: String
    /// Whether each ASCII character is encoded as itself, in one byte.
    let extendsASCII: Bool

    /// Creates an encoding from its name.
    ///
    /// - Returns: `nil` if iconv does not support the name.
    public init?(_ name: String) {
        // A slash would introduce iconv's own options.
        guard !name.isEmpty, name.utf8.count <= 64, name.utf8.allSatisfy({ Self.mayNameEncoding($0) }),
            var converter = Self.converter(from: name)
        else { return nil }
        self.name = name
        let letters: [UInt8] = [9, 10, 13] + Array(0x20...0x7E)
        extendsASCII = letters.allSatisfy { converter.convert([$0]) == [$0] }
    }

    /// Returns a converter from this encoding to UTF-8.
    func converter() -> Iconv? { Self.converter(from: name) }

    private static func converter(from name: String) -> Iconv? {
        if let converter = Iconv(iconvName(name)) { return converter }
        // Python's names contain underscores instead of iconv's hyphens.
        return Iconv(String(name.map { $0 == "_" ? "-" : $0 }))
    }

    private static func mayNameEncoding(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-_.:+()".utf8.contains(byte)
    }

    /// Returns the name for iconv. In its Shift_JIS, a backslash is a yen sign, but programs that write SMILES or paths
    /// mean a backslash. Microsoft's CP932, which web browsers also use, preserves ASCII.
    private static func iconvName(_ name: String) -> String {
        ["shift_jis", "shift-jis", "sjis", "ms_kanji"].contains(name.lowercased()) ? "CP932" : name
    }

    /// Encodings that are common in chemical files, for suggestions.
    public static let commonNames = [
        "UTF-8", "UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32", "ISO-8859-1", "ISO-8859-2", "ISO-8859-5", "ISO-8859-7",
        "ISO-8859-15", "LATIN1", "WINDOWS-1250", "WINDOWS-1251", "WINDOWS-1252", "CP1252", "CP437", "CP850", "CP866",
        "MACINTOSH", "Shift_JIS", "CP932", "EUC-JP", "ISO-2022-JP", "GBK", "GB2312", "GB18030", "BIG5", "BIG5-HKSCS",
        "EUC-KR", "CP949", "KOI8-R", "KOI8-U", "TIS-620",
    ]
}

/// A converter from one encoding to UTF-8.
///
/// It can be sent to another thread because it cannot be copied. The compiler cannot infer this for a pointer.
@safe
struct Iconv: ~Copyable, @unchecked Sendable {
    private let descriptor: iconv_t

    enum Outcome: Sendable {
        /// All input is converted, except perhaps an incomplete character at its end.
        case needsInput
        /// The output has no space for the next character.
        case needsRoom
        /// The next bytes are not a character.
        case invalid
    }

    fileprivate init?(_ name: String) {
        guard let descriptor = unsafe iconv_open("UTF-8", name),
            UInt(bitPattern: descriptor) != UInt.max
        else { return nil }
        unsafe self.descriptor = unsafe descriptor
    }

    deinit {
        _ = unsafe iconv_close(descriptor)
    }

    /// Converts input from `position` on, and advances `position`.
    mutating func convert(
        _ input: Span<UInt8>, from position: inout Int, into output: inout OutputSpan<UInt8>
    ) -> Outcome {
        unsafe input.withUnsafeBufferPointer { input in
            let start = position
            let rest = unsafe UnsafeMutableBufferPointer(mutating: UnsafeBufferPointer(rebasing: input[start...]))
            return unsafe rest.withMemoryRebound(to: CChar.self) { rest in
                var place = rest.baseAddress
                var left = rest.count
                let outcome = unsafe turn(&place, &left, &output)
                position = start + rest.count - left
                return outcome
            }
        }
    }

    /// Writes the output that the converter has buffered, at the end of the text.
    mutating func finish(into output: inout OutputSpan<UInt8>) {
        var left = 0
        var place: UnsafeMutablePointer<CChar>?
        _ = unsafe turn(&place, &left, &output)
    }

    /// Resets the converter for a new text.
    mutating func restart() {
        _ = unsafe iconv(descriptor, nil, nil, nil, nil)
    }

    private func turn(
        _ place: inout UnsafeMutablePointer<CChar>?, _ left: inout Int, _ output: inout OutputSpan<UInt8>
    ) -> Outcome {
        unsafe output.withUnsafeMutableBufferPointer { room, count in
            let free = unsafe UnsafeMutableBufferPointer(rebasing: room[count...])
            return unsafe free.withMemoryRebound(to: CChar.self) { free in
                var end = free.baseAddress
                var freeCount = free.count
                let result =
                    unsafe place == nil
                    ? unsafe iconv(descriptor, nil, nil, &end, &freeCount)
                    : unsafe iconv(descriptor, &place, &left, &end, &freeCount)
                let failure = errno
                count += free.count - freeCount
                if result != -1 { return .needsInput }
                switch failure {
                case E2BIG: return .needsRoom
                case EINVAL: return .needsInput
                default: return .invalid
                }
            }
        }
    }

    /// Converts a complete text. Returns `nil` if it is invalid.
    mutating func convert(_ bytes: [UInt8]) -> [UInt8]? {
        var (output, position) = ([UInt8](), 0)
        restart()
        while true {
            var outcome = Outcome.needsInput
            output.append(addingCapacity: 64 + bytes.count) {
                outcome = convert(bytes.span, from: &position, into: &$0)
            }
            switch outcome {
            case .needsRoom: continue
            case .invalid: return nil
            case .needsInput:
                if position < bytes.count { return nil }
                output.append(addingCapacity: 64) { finish(into: &$0) }
                return output
            }
        }
    }
}
