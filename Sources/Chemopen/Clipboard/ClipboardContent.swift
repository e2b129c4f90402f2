import ChemopenBytes
import ChemopenFormats

/// A chemical file on the clipboard.
///
///     let clipboard = try SystemClipboard()
///     if let content = try ClipboardContent.best(of: clipboard) { print(content.name, content.format.name) }
public struct ClipboardContent: Sendable {
    /// The name under which the content was requested.
    public let name: String
    /// The format detected from the content. It may differ from the one that the name indicates.
    public let format: Format
    /// The bytes of the file.
    public let bytes: [UInt8]

    /// Filters and sorts names that indicate readable content.
    ///
    /// - Returns: The names, the best first: structure formats, web formats, formats that can be detected only by name,
    ///   then text. Names of the same kind stay in the order of the program that copied.
    public static func readable(_ names: [String], among formats: FormatRegistry = .standard) -> [String] {
        func rank(_ name: String) -> Int? {
            switch ClipboardName.content(behind: name, among: formats) {
            case .file(let id): formats.toldByName.contains { $0.id == id } ? 2 : 0
            case .countedLines: 0
            case .webFormat: 1
            case .text: 3
            case .webMap, .svg, .png, nil: nil
            }
        }
        let ranked = names.enumerated().compactMap { place, name in
            rank(name).map { (rank: $0, place: place, name: name) }
        }
        return ranked.sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }.map(\.name)
    }

    /// Finds the format that a name indicates.
    ///
    /// - Returns: The format, or `nil` if the name indicates no particular format.
    public static func format(promisedBy name: String, among formats: FormatRegistry = .standard) -> Format? {
        switch ClipboardName.content(behind: name, among: formats) {
        case .file(let id), .countedLines(let id): formats[id]
        case .text, .webFormat, .webMap, .svg, .png, nil: nil
        }
    }

    /// Reads the best content that is a chemical file.
    ///
    /// - Parameters:
    ///   - wanted: The only name to request, or `nil` to try all.
    ///   - tell: Receives the names whose content is unreadable or in an unknown format.
    /// - Returns: The content, or `nil` if the clipboard contains no chemical file.
    /// - Throws: `SystemClipboard.Failure` if there is no clipboard.
    public static func best(
        of clipboard: SystemClipboard, named wanted: String? = nil, among formats: FormatRegistry = .standard,
        tell: (_ name: String, _ reason: String) -> Void = { _, _ in }
    ) throws(SystemClipboard.Failure) -> ClipboardContent? {
        let names = if let wanted { [wanted] } else { readable(try clipboard.names(), among: formats) }
        var seen: [UInt8] = []
        for name in names {
            let bytes: [UInt8]
            do throws(SystemClipboard.Failure) {
                bytes = try clipboard.bytes(name)
            } catch {
                if error.isAbsent { throw error }
                tell(name, error.description)
                continue
            }
            // Identical content under several names is reported only once.
            if bytes == seen, !seen.isEmpty { continue }
            seen = bytes
            if let content = ClipboardContent(name, bytes, among: formats) { return content }
            tell(name, bytes.isEmpty ? "empty" : "its format is unknown")
        }
        return nil
    }

    /// Detects the format of clipboard content. Returns `nil` if it is not a chemical file.
    init?(_ name: String, _ bytes: [UInt8], among formats: FormatRegistry) {
        let promised = ClipboardName.content(behind: name, among: formats)
        var bytes = bytes
        if case .countedLines = promised {
            guard let text = CountedLines.decoded(bytes) else { return nil }
            bytes = text
        }
        guard !bytes.isEmpty else { return nil }
        let head = Head(bytes, isWhole: true)
        let declared = Self.format(promisedBy: name, among: formats)
        if let found = identify(head, declaredAs: declared?.mimeType, among: formats) {
            format = found.format
        } else if let notation = formats.all.first(where: { $0.hasLineNotation && !$0.needsColumns }),
            Self.isNotation(bytes, notation)
        {
            format = notation
        } else {
            return nil
        }
        self.name = name
        self.bytes = bytes
    }

    /// The maximum length of a text that may be a line notation although its name does not indicate this.
    private static let longestNotation = 64 * 1024

    /// Whether a short text can be parsed completely as a line notation. Prose cannot.
    private static func isNotation(_ bytes: [UInt8], _ format: Format) -> Bool {
        guard bytes.count <= longestNotation, let source = try? ByteSource(bytes),
            var records = try? RecordStream.open(source, as: format)
        else { return false }
        var count = 0
        do throws(ReadError) {
            while let record = try records.next() {
                guard record.holdsStructure else { return false }
                count += 1
            }
        } catch {
            return false
        }
        return count > 0
    }
}
