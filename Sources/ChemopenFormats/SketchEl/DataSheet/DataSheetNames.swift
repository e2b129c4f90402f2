import ChemopenBytes

/// The numbers that the parser assigns to the names in a DataSheet.
struct DataSheetNames {
    let dataSheet, summary, title, description, extensionBlock, ext, header, column, content, row, cell: Int32
    let id, name, type, rowCount, columnCount: Int32

    init(_ events: inout XMLEvents) {
        dataSheet = events.number(ofName: "DataSheet")
        summary = events.number(ofName: "Summary")
        title = events.number(ofName: "Title")
        description = events.number(ofName: "Description")
        extensionBlock = events.number(ofName: "Extension")
        ext = events.number(ofName: "Ext")
        header = events.number(ofName: "Header")
        column = events.number(ofName: "Column")
        content = events.number(ofName: "Content")
        row = events.number(ofName: "Row")
        cell = events.number(ofName: "Cell")
        id = events.number(ofName: "id")
        name = events.number(ofName: "name")
        type = events.number(ofName: "type")
        rowCount = events.number(ofName: "nrows")
        columnCount = events.number(ofName: "ncols")
    }
}

extension DataSheetNames {
    /// Returns the end of the tag that opens the rows, if a block contains it in its usual form.
    static func endOfContentTag(in bytes: Span<UInt8>, _ block: Range<Int>) -> Int? {
        var index = block.lowerBound
        while let place = firstIndex(of: Ascii.less, in: bytes, from: index, to: block.upperBound) {
            if bytes.range(place..<block.upperBound, begins: "<Content>") { return place + 9 }
            index = place + 1
        }
        return nil
    }
}

extension XMLEvents {
    /// Returns the range of events between the start and the end of an element, without its attributes.
    func content(ofElementAt start: Int) -> Range<Int> {
        var first = start + 1
        while first < list.count, list[first].isAttribute { first += 1 }
        var depth = 1
        var end = first
        while end < list.count {
            if list[end].isStart { depth += 1 }
            if list[end].isEnd {
                depth -= 1
                if depth == 0 { break }
            }
            end += 1
        }
        return first..<end
    }

    /// Returns the value of an attribute of an element.
    func attribute(_ name: Int32, ofElementAt start: Int) -> Range<Int>? {
        var place = start + 1
        while place < list.count, list[place].isAttribute {
            if list[place].name == name { return list[place].range }
            place += 1
        }
        return nil
    }

    /// Returns the text directly inside an element, and whether the element contains other elements.
    func ownText(_ content: Range<Int>) -> (bytes: [UInt8], hasMarkup: Bool) {
        var bytes: [UInt8] = []
        var depth = 0
        var hasMarkup = false
        for place in content {
            switch list[place].kind {
            case .start:
                depth += 1
                hasMarkup = true
            case .end: depth -= 1
            case .text where depth == 0: bytes += text[list[place].range]
            default: break
            }
        }
        return (bytes, hasMarkup)
    }
}
