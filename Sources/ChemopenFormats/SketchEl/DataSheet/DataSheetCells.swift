import ChemopenBytes
import ChemopenModel

/// The cells of a sheet's columns as they are written: the tags before the values, and how these are spelled.
struct DataSheetCells {
    /// The tags before the values, side by side, and where the one of each column ends.
    private var openings: [UInt8] = []
    private var openingEnds: [Int] = []
    /// How each column's values are spelled.
    private var spellings: [Spelling] = []

    private enum Spelling {
        /// In CDATA sections.
        case section
        case escaped
        case structure
    }

    init(_ columns: [Column] = []) {
        for (index, column) in columns.enumerated() {
            openings.append(contentsOf: "<Cell id=\"\(index + 1)\">".utf8)
            openingEnds.append(openings.count)
            switch column.kind {
            case .string, .extend, .other: spellings.append(.section)
            case .integer, .real, .boolean: spellings.append(.escaped)
            case .molecule: spellings.append(.structure)
            }
        }
    }

    // Both are `mutating` for exclusive access alone: a borrow would retain the arrays for each cell.

    /// Adds the tag before a column's value.
    mutating func appendOpening(of column: Int, to output: inout [UInt8]) {
        output.append(copying: openings.span.extracting(opening(of: column)))
    }

    private func opening(of column: Int) -> Range<Int> {
        (column == 0 ? 0 : openingEnds[column &- 1])..<openingEnds[column]
    }

    /// Adds a cell with a value that stands for itself, in one piece; false where something in it needs care.
    mutating func appendPlain(_ value: Span<UInt8>, in column: Int, to output: inout [UInt8]) -> Bool {
        let isSection: Bool
        switch spellings[column] {
        case .section:
            guard XMLText.isPlainSection(value) else { return false }
            isSection = true
        case .escaped:
            guard XMLText.isPlain(value) else { return false }
            isSection = false
        case .structure: return false
        }
        let opening = openings.span.extracting(opening(of: column))
        output.append(addingCapacity: opening.count &+ value.count &+ 32) { cell in
            cell.append(copying: opening)
            if isSection { cell.append("<![CDATA[") }
            cell.append(copying: value)
            cell.append(isSection ? "]]></Cell>\n" : "</Cell>\n")
        }
        return true
    }
}
