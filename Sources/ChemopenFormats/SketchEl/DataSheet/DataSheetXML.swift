import ChemopenBytes
import ChemopenModel

extension Format {
    /// XML DataSheet: a table with typed columns, including molecules in SketchEl's format.
    public static let dataSheet = Format(
        id: "ds",
        name: "XML DataSheet",
        mimeTypes: ["chemical/x-datasheet"],
        extensions: ["ds"],
        supportedFeatures: SketchElFeatures.molecule.union(
            Features(
                .severalRecords, .recordsWithoutStructure, .fields, .structuresInFields, .columnTypes, .columnSummaries,
                .sheetTitle, .sheetExtensions, .emptyLinesInValues, .names, .repeatedFields, .reactions, .agents,
                .stoichiometry, .conditions, .arrowKinds)),
        sniff: sniffDataSheet
    )
    .read(by: DataSheetReader.self)
    .written(by: DataSheetWriter.self)
    .needingColumns()
    .edited(as: SheetText.self)
    .signed(.dataSheet)
    .readAlone(LoneRecords(closing: "</Content></DataSheet>", breaksText: XMLBreaks.stand))
}

/// Detects DataSheets from the name of the root element, with any prefix and in any encoding that XML permits to
/// detect.
@Sendable private func sniffDataSheet(_ head: Head) -> Confidence {
    let text = XMLHead.ascii(head.bytes)
    guard let root = XMLHead.rootName(text) else { return .no }
    return root == "DataSheet" ? .certain : .no
}

/// The beginning of an XML file, up to its root element.
enum XMLHead {
    /// Returns the bytes without the zeros that UTF-16 contains between ASCII characters.
    static func ascii(_ bytes: [UInt8]) -> [UInt8] {
        bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) || bytes.prefix(4).contains(0)
            ? bytes.filter { $0 != 0 } : bytes
    }

    /// Returns the local name of the root element, which follows declarations, comments and a document type.
    static func rootName(_ bytes: [UInt8]) -> Text? {
        var rest = bytes[...]
        while let open = rest.firstIndex(where: { $0 > Ascii.blank && $0 < 0x80 }), rest[open] == Ascii.less {
            rest = rest[(open + 1)...]
            guard let first = rest.first else { return nil }
            if rest.starts(with: Array("!--".utf8)) {
                guard skip(&rest, past: Array("-->".utf8)) else { return nil }
            } else if first == 0x3F {
                guard skip(&rest, past: Array("?>".utf8)) else { return nil }
            } else if first == 0x21 {
                guard skipDocumentType(&rest) else { return nil }
            } else {
                let name = rest.prefix { $0 > Ascii.blank && $0 != Ascii.greater && $0 != 0x2F }
                let local = name.lastIndex(of: 0x3A).map { name[($0 + 1)...] } ?? name
                return Text(bytes: Array(local))
            }
        }
        return nil
    }

    private static func skip(_ rest: inout ArraySlice<UInt8>, past end: [UInt8]) -> Bool {
        while let place = rest.firstIndex(of: end[0]) {
            rest = rest[place...]
            if rest.starts(with: end) {
                rest = rest.dropFirst(end.count)
                return true
            }
            rest = rest.dropFirst()
        }
        return false
    }

    /// Moves past the first `>` that is not inside brackets.
    private static func skipDocumentType(_ rest: inout ArraySlice<UInt8>) -> Bool {
        var depth = 0
        while let byte = rest.popFirst() {
            if byte == 0x5B { depth += 1 }
            if byte == 0x5D { depth -= 1 }
            if byte == Ascii.greater, depth <= 0 { return true }
        }
        return false
    }
}
