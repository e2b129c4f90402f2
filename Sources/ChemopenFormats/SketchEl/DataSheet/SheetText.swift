import ChemopenBytes
import ChemopenModel

/// The text of an XML DataSheet, divided into rows and cells.
struct SheetText: TableText {
    private(set) var rows: [Range<Int>] = []
    private(set) var columnCount = 0
    private let endOfHead: Int
    /// The range of `<Content/>` in a sheet without rows.
    private var emptyContent: Range<Int>?
    private var header: XMLTags.Tag?
    private var endOfHeader = 0

    init?(_ bytes: borrowing Span<UInt8>) {
        let bytes = copy bytes
        // Edits insert UTF-8, which cannot be mixed with another encoding.
        guard Self.isUTF8(bytes) else { return nil }
        var tags = XMLTags(0..<bytes.count)
        var content: Int?
        var depth = 0
        var row: Int?
        while let tag = tags.next(in: bytes) {
            if tag.kind == .closing { depth -= 1 }
            if depth == 1, bytes.isName(tag.name, "Header") {
                if tag.kind == .opening { header = tag }
                if tag.kind == .closing { endOfHeader = tag.range.lowerBound }
            } else if depth == 2, content == nil, header != nil, endOfHeader == 0, bytes.isName(tag.name, "Column") {
                if tag.kind != .closing { columnCount += 1 }
            } else if depth == 1, bytes.isName(tag.name, "Content") {
                if tag.kind == .opening { content = tag.range.upperBound }
                if tag.kind == .empty { (content, emptyContent) = (tag.range.upperBound, tag.range) }
            } else if depth == 2, content != nil, bytes.isName(tag.name, "Row") {
                if tag.kind != .closing { row = Self.startOfLine(tag.range.lowerBound, bytes) }
                if tag.kind != .opening, let start = row {
                    rows.append(start..<Self.endOfLine(tag.range.upperBound, bytes))
                }
            }
            if tag.kind == .opening { depth += 1 }
        }
        guard let content, !tags.isBroken, depth == 0, header != nil, endOfHeader > 0, endOfHeader < content else {
            return nil
        }
        let endOfContent = emptyContent == nil ? Self.endOfLine(content, bytes) : content
        endOfHead = rows.first?.lowerBound ?? endOfContent
    }

    private static func isUTF8(_ bytes: Span<UInt8>) -> Bool {
        let head = bytes.bytes(0..<min(bytes.count, 200))
        if head.contains(0) { return false }
        guard bytes.range(bytes.startOfText..<head.count, begins: "<?xml"),
            let end = head.firstIndex(of: Ascii.greater)
        else { return true }
        let declaration = String(decoding: head[..<end], as: UTF8.self).lowercased()
        return !declaration.holds("encoding") || declaration.holds("utf-8") || declaration.holds("ascii")
    }

    /// Returns the index before the blanks at the start of a line, if only blanks precede `end` on that line.
    private static func startOfLine(_ end: Int, _ bytes: Span<UInt8>) -> Int {
        var index = end
        while index > 0, Ascii.isBlank(bytes[index - 1]) { index -= 1 }
        return index > 0 && bytes.endsLine(at: index - 1) ? index : end
    }

    /// Returns the index after the next line end, if there are only blanks before it.
    private static func endOfLine(_ start: Int, _ bytes: Span<UInt8>) -> Int {
        var index = start
        while index < bytes.count, Ascii.isBlank(bytes[index]) { index += 1 }
        guard bytes.endsLine(at: index) else { return start }
        let isPair =
            bytes[index] == Ascii.carriageReturn && index + 1 < bytes.count
            && bytes[index + 1] == Ascii.lineFeed
        return index + (isPair ? 2 : 1)
    }

    func rest(of bytes: [UInt8]) -> ArraySlice<UInt8> {
        guard emptyContent == nil else { return Array("</Content>".utf8) + bytes[endOfHead...] }
        return bytes[(rows.last?.upperBound ?? endOfHead)...]
    }

    // MARK: Header

    func head(of bytes: [UInt8], adding columns: [Column], rows difference: Int) -> [UInt8] {
        var head = Array(bytes[..<endOfHead])
        if let emptyContent { head = Array(bytes[..<emptyContent.lowerBound]) + Array("<Content>".utf8) }
        guard let header else { return head }
        if !columns.isEmpty {
            var texts: [UInt8] = []
            var xml = XMLText()
            for (index, column) in columns.enumerated() {
                xml.append(column, number: columnCount + index + 1, to: &texts)
            }
            head.insert(contentsOf: texts, at: endOfHeader)
        }
        let counts: [(StaticString, Int)] = [("ncols", columns.count), ("nrows", difference)]
        var places = counts.compactMap { name, change in
            XMLTags.value(of: name, in: header, bytes.span).map { ($0, change) }
        }
        places.sort { $0.0.lowerBound > $1.0.lowerBound }
        for (place, change) in places where change != 0 {
            guard let count = Numeral.whole(bytes.span, place) else { continue }
            head.replaceSubrange(place, with: "\(count + change)".utf8)
        }
        return head
    }

    // MARK: Rows

    static func cells(of row: borrowing Span<UInt8>) -> [(column: Int, range: Range<Int>)]? {
        guard let cells = RowTags(copy row)?.cells else { return nil }
        return zip(cells, cells.dropFirst()).allSatisfy { $0.column < $1.column } ? cells : nil
    }

    static func row(_ row: [UInt8], with cells: [(column: Int, bytes: [UInt8])]) -> [UInt8] {
        guard let tags = RowTags(row.span) else { return row }
        let indent = tags.cells.first.map { Array(row[tags.opening.range.upperBound..<$0.range.lowerBound]) }
        var text = Array(row[..<tags.opening.range.upperBound])
        if tags.opening.kind == .empty { text.replaceSubrange(text.count - 2..<text.count, with: [Ascii.greater]) }
        var position = tags.opening.range.upperBound
        var places = tags.cells[...]
        for cell in cells {
            while let place = places.first, place.column < cell.column {
                text += row[position..<place.range.upperBound]
                position = place.range.upperBound
                places = places.dropFirst()
            }
            if let place = places.first, place.column == cell.column {
                text += row[position..<place.range.lowerBound]
                text += cell.bytes.isEmpty ? Array("<Cell id=\"\(cell.column + 1)\"/>".utf8) : cell.bytes
                position = place.range.upperBound
                places = places.dropFirst()
            } else if !cell.bytes.isEmpty {
                text += (indent ?? [Ascii.lineFeed]) + cell.bytes
            }
        }
        if tags.opening.kind == .empty { text += "\n</Row>".utf8 }
        return text + row[position...]
    }

    static func widened(_ row: [UInt8], from width: Int, to newWidth: Int) -> [UInt8] { row }

    static func numbered(_ row: [UInt8], _ number: Int) -> [UInt8] {
        guard let tags = RowTags(row.span), let id = XMLTags.value(of: "id", in: tags.opening, row.span) else {
            return row
        }
        return row[..<id.lowerBound] + Array("\(number)".utf8) + row[id.upperBound...]
    }
}

/// The tags of a single row.
private struct RowTags {
    let opening: XMLTags.Tag
    private(set) var cells: [(column: Int, range: Range<Int>)] = []

    init?(_ bytes: Span<UInt8>) {
        var tags = XMLTags(0..<bytes.count)
        guard let opening = tags.next(in: bytes) else { return nil }
        self.opening = opening
        var depth = opening.kind == .opening ? 1 : 0
        var start: (column: Int, place: Int)?
        while let tag = tags.next(in: bytes) {
            if tag.kind == .closing { depth -= 1 }
            if depth == 1, bytes.isName(tag.name, "Cell") {
                if tag.kind != .closing {
                    guard let id = XMLTags.value(of: "id", in: tag, bytes), let number = Numeral.whole(bytes, id),
                        number > 0
                    else { return nil }
                    start = (number - 1, tag.range.lowerBound)
                }
                if tag.kind != .opening, let start { cells.append((start.column, start.place..<tag.range.upperBound)) }
            }
            if tag.kind == .opening { depth += 1 }
        }
        if tags.isBroken || depth != 0 { return nil }
    }
}

extension Span<UInt8> {
    fileprivate func isName(_ range: Range<Int>, _ name: StaticString) -> Bool {
        range.count == name.utf8CodeUnitCount && self.range(range, begins: name)
    }
}
