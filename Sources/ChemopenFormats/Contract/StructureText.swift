import ChemopenBytes
import ChemopenModel

/// A structure as the text of a data field, in the form of RD files: `$MFMT` and a molfile, or `$RFMT` and an RXN file.
enum StructureText {
    private static let molecule: StaticString = "$MFMT"
    private static let reaction: StaticString = "$RFMT"

    /// Whether a value begins like such a text. Readers ignore blanks before it.
    static func begins(_ value: ArraySlice<UInt8>) -> Bool {
        let text = value.drop(while: Ascii.isBlank)
        guard text.first == Ascii.dollar else { return false }
        return text.span.range(0..<text.count, begins: molecule) || text.span.range(0..<text.count, begins: reaction)
    }

    /// Returns the molfile in a value, or the value itself if it does not start with `$MFMT`.
    static func molfile(in value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let text = value.drop(while: Ascii.isBlank)
        guard text.span.range(0..<text.count, begins: molecule) else { return value }
        return text.drop { $0 != Ascii.lineFeed }.dropFirst()
    }
}

extension FormatRegistry {
    /// Parses a text in any format for a single structure.
    ///
    /// - Returns: the detected format, and the molecule if it can be read; `nil` for other text.
    func molecule(in text: [UInt8]) -> (format: Format, molecule: Molecule?)? {
        let head = Head(text, isWhole: true)
        let candidates = filter {
            $0.supportedFeatures.contains(.molecules) && !$0.supportedFeatures.contains(.columnTypes)
        }
        let ranked = candidates.map { ($0, $0.sniff(head)) }.filter { $0.1 > .no }
        guard let best = ranked.max(by: { $0.1 < $1.1 })?.0, let makeReader = best.makeReader else { return nil }
        do {
            var reader = try makeReader(try ByteSource(text), ReadOptions())
            var record = Record()
            return (best, try reader.read(into: &record) ? record.molecule : nil)
        } catch {
            return (best, nil)
        }
    }
}
