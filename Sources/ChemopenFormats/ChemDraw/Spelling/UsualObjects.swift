import ChemopenModel

/// A node of an element of which nothing but numbers is said, as of nearly all.
struct UsualNode {
    let id: UInt32
    let place: WholePlace
    /// 0 at a corner of the skeleton, where nothing is written.
    let element: UInt8
    let charge: Int16
    /// -1 where their number is not said.
    let hydrogens: Int8
}

/// A label of a short text in letters of the usual size.
struct UsualLabel {
    private(set) var id: UInt32
    let text: ShortText
    let isTurned: Bool
    /// Where the text begins, in hundredths of a point.
    let x: Int
    let y: Int

    /// - Parameter place: of its atom, no more than ten million points away.
    @inline(__always)
    init(_ text: ShortText, isTurned: Bool, id: UInt32, at place: Position) {
        let letters = LetterPlace(isTurned: isTurned, PageStyle.usualSize)
        self.id = id
        self.text = text
        self.isTurned = isTurned
        x = Int(letters.hundredths(x: place.x))
        y = Int(letters.hundredths(y: place.y))
    }

    /// Nothing for a label that is not so.
    init?(_ label: NodeLabel, id: UInt32, at place: Position, _ size: Double) {
        let far = 1e7
        guard let text = label.short, size == PageStyle.usualSize, place.x.magnitude < far, place.y.magnitude < far
        else { return nil }
        self.init(text, isTurned: label.isTurned, id: id, at: place)
    }

    /// In whole hundredths, as letters of the usual size are so wide and high.
    @inline(__always)
    var box: WholeBox {
        let width = text.count &* 650
        let left = isTurned ? x &- width : x
        return WholeBox(left: left, top: y &- 850, right: left &+ width, bottom: y &+ 150)
    }

    var place: WholePlace { WholePlace(x: x &* 100, y: y &* 100) }

    func with(id: UInt32) -> UsualLabel {
        var label = self
        label.id = id
        return label
    }
}

/// A text of the page in the look of captions, but for its letters.
struct UsualCaption {
    let id: UInt32
    /// Where the text begins, and its box: in points.
    let place: Position
    let box: DrawnBox
    let z: Int
}

/// A bond of which no more is said than how it is drawn.
struct UsualBond {
    let id: UInt32
    let begin: UInt32
    let end: UInt32
    /// The bits of the order.
    let order: Int
    let display: DrawnBond.Display
    /// On which side the second line of a double bond stands.
    let side: Int?
}
