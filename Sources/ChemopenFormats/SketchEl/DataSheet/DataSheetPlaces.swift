import ChemopenBytes

extension RecordPlaces {
    /// A row of a DataSheet begins with its tag, behind that of the content; comments and CDATA are passed over.
    static let dataSheet = RecordPlaces(closing: Array("</Content></DataSheet>".utf8)) {
        bytes, isFirst, isLast, places in
        let bytes = copy bytes
        var isInContent = !isFirst
        var index = 0
        while let tag = firstIndex(of: Ascii.less, in: bytes, from: index, to: bytes.count) {
            let rest = tag..<bytes.count
            if rest.count < longestWord, !isLast { break }
            if let quotation = quotations.first(where: { bytes.range(rest, begins: $0.opening) }) {
                // Without its end it goes on behind the window: the row that it stands in is looked at again.
                guard let end = end(of: quotation.closing, in: bytes, from: tag + quotation.opening.utf8CodeUnitCount)
                else {
                    break
                }
                index = end
                continue
            }
            index = tag + 1
            if isInContent, bytes.range(rest, begins: "<Row"), isNameEnd(tag + 4, bytes) {
                places.append(tag)
            } else if bytes.range(rest, begins: "<Content"), isNameEnd(tag + 8, bytes) {
                isInContent = true
            }
        }
        if isLast { return bytes.count }
        return places.popLast() ?? 0
    }

    private static let quotations: [(opening: StaticString, closing: StaticString)] = [
        ("<![CDATA[", "]]>"), ("<!--", "-->"),
    ]
    private static let longestWord = 10

    private static func isNameEnd(_ index: Int, _ bytes: Span<UInt8>) -> Bool {
        guard index < bytes.count else { return true }
        return bytes[index] <= Ascii.blank || bytes[index] == Ascii.greater || bytes[index] == UInt8(ascii: "/")
    }

    private static func end(of closing: StaticString, in bytes: Span<UInt8>, from start: Int) -> Int? {
        var index = start
        while let last = firstIndex(of: Ascii.greater, in: bytes, from: index, to: bytes.count) {
            index = last + 1
            if last - 2 >= start, bytes.range(last - 2..<index, begins: closing) { return index }
        }
        return nil
    }
}
