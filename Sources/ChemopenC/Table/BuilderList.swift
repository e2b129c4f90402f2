import CChemopen

/// The builders of all columns. A class boxes each of them because they are noncopyable.
final class BuilderList {
    private var boxes: [Box]
    var count: Int { boxes.count }

    private final class Box {
        var builder: ColumnBuilder

        init(_ kind: TableColumn.Kind) {
            builder = ColumnBuilder(kind)
        }
    }

    init(_ kinds: [TableColumn.Kind]) {
        boxes = kinds.map { Box($0) }
    }

    func change<Answer>(_ place: Int, _ body: (inout ColumnBuilder) -> Answer) -> Answer {
        body(&boxes[place].builder)
    }

    func has(_ place: Int, row: Int) -> Bool { boxes[place].builder.has(row: row) }

    func takeArrays(rows: Int) -> [ArrowArray] {
        unsafe boxes.map { unsafe $0.builder.takeArray(rows: rows) }
    }
}
