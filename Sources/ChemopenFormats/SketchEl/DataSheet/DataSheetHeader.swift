import ChemopenBytes
import ChemopenModel

/// Reads the content before the rows of a DataSheet: title, extensions and columns.
struct DataSheetHeader {
    private(set) var header = SheetHeader()
    private(set) var issues: [Issue] = []
    private(set) var hasSummary = false
    private(set) var hasColumns = false
    let names: DataSheetNames

    init(_ names: DataSheetNames) {
        self.names = names
    }

    /// Reads a child element of the root.
    mutating func read(elementAt start: Int, _ events: borrowing XMLEvents) throws(Fault) {
        let name = events.list[start].name
        if name == names.summary {
            readSummary(start, events)
        } else if name == names.extensionBlock {
            readExtensions(start, events)
        } else if name == names.header {
            try readColumns(start, events)
        } else {
            doubt(events.list[start].line, "skipped an element that is unknown in DataSheets", events.name(of: start))
        }
    }

    private mutating func readSummary(_ start: Int, _ events: borrowing XMLEvents) {
        hasSummary = true
        for child in events.children(ofElementAt: start) {
            let text = Text(bytes: events.ownText(events.content(ofElementAt: child)).bytes)
            if events.list[child].name == names.title { header.title = text }
            if events.list[child].name == names.description { header.summary = text }
        }
    }

    private mutating func readExtensions(_ start: Int, _ events: borrowing XMLEvents) {
        for child in events.children(ofElementAt: start) where events.list[child].name == names.ext {
            header.extensions.append(
                SheetHeader.Extension(
                    name: text(names.name, child, events) ?? "", type: text(names.type, child, events) ?? "",
                    content: Text(bytes: events.ownText(events.content(ofElementAt: child)).bytes)))
        }
    }

    private mutating func readColumns(_ start: Int, _ events: borrowing XMLEvents) throws(Fault) {
        hasColumns = true
        let line = events.list[start].line
        if let count = text(names.rowCount, start, events) {
            header.rowCount = Int(count.string).flatMap { $0 < 0 ? nil : $0 }
            if header.rowCount == nil { doubt(line, "ignored nrows, which is not a number of rows", count) }
        }
        let elements = events.children(ofElementAt: start).filter { events.list[$0].name == names.column }
        let stated = text(names.columnCount, start, events)
        if stated.flatMap({ Int($0.string) }) != elements.count {
            doubt(line, "ncols differs from the number of columns: \(elements.count)", stated ?? "")
        }
        var columns: [Column?] = Array(repeating: nil, count: elements.count)
        for (place, element) in elements.enumerated() {
            let line = events.list[element].line
            var number = place + 1
            if let id = text(names.id, element, events) {
                guard let given = Int(id.string), 1...elements.count ~= given else {
                    throw Fault(line: Int(line), expected: "a column id from 1 to the number of columns")
                }
                number = given
            } else {
                doubt(line, "a column without an id; used its position", "")
            }
            guard columns[number - 1] == nil else {
                throw Fault(line: Int(line), expected: "a unique column id")
            }
            columns[number - 1] = column(element, line, events)
        }
        header.columns = columns.compactMap { $0 }
        header.hasAllColumns = true
        header.subjectColumn = header.columns.firstIndex { $0.kind == .molecule }
    }

    private mutating func column(_ element: Int, _ line: Int32, _ events: borrowing XMLEvents) -> Column {
        let name = text(names.name, element, events)
        if name == nil { doubt(line, "a column without a name", "") }
        var column = Column(name ?? "")
        column.summary = Text(bytes: events.ownText(events.content(ofElementAt: element)).bytes)
        guard let type = text(names.type, element, events) else {
            doubt(line, "a column without a type; read as text", name ?? "")
            return column
        }
        column.kind = Column.Kind(name: type)
        if case .other = column.kind {
            let folded = Column.Kind(name: Text(type.string.lowercased()))
            if case .other = folded {
                doubt(line, "unknown type of column; its values are preserved as text", type)
            } else {
                doubt(line, "types must be in lower case", type)
                column.kind = folded
            }
        }
        return column
    }

    private func text(_ attribute: Int32, _ element: Int, _ events: borrowing XMLEvents) -> Text? {
        events.attribute(attribute, ofElementAt: element).map { Text(bytes: Array(events.text[$0])) }
    }

    private mutating func doubt(_ line: Int32, _ message: String, _ found: Text) {
        issues.note(Issue(line: Int(line), message, found: found))
    }

    /// Returns the issues found since the last call.
    mutating func takeIssues() -> [Issue] {
        defer { issues = [] }
        return issues
    }
}

extension XMLEvents {
    /// Returns the indices of the start events of an element's children.
    func children(ofElementAt start: Int) -> [Int] {
        var children: [Int] = []
        var depth = 0
        for place in content(ofElementAt: start) {
            if list[place].isStart {
                if depth == 0 { children.append(place) }
                depth += 1
            } else if list[place].isEnd {
                depth -= 1
            }
        }
        return children
    }

    func name(of event: Int) -> Text { Text(bytes: names[Int(list[event].name)]) }
}
