/// The finds of an XML parser: elements, attributes and text in the order of the file, in two flat arrays.
///
/// The parser adds behind, the reader takes from the front and forgets what it has done with. Texts are ranges of
/// `text`; the pieces of an element's text lie side by side unless other elements stand between them.
///
///     <Cell id="2">0.5</Cell>
///
/// is the start of `Cell`, the attribute `id` with the text `2`, the text `0.5` and the end of `Cell`.
@usableFromInline
package struct XMLEvents: ~Copyable, Sendable {
    /// Elements that stand deeper in one another are not read.
    package static let greatestDepth = 1000

    @usableFromInline
    package enum Kind: UInt8, Sendable {
        case start, attribute, text, end
    }

    /// 20 bytes.
    @usableFromInline
    package struct Event: Sendable {
        @usableFromInline package let kind: Kind
        /// Part of the text stood in a CDATA section.
        package internal(set) var isCharacterData: Bool
        /// The text is spelled as in the file: references, line ends and all.
        @usableFromInline package internal(set) var isRaw = false
        /// Which name: a place in `names`. Prefixes are left off.
        package let name: Int32
        @usableFromInline package let start: UInt32
        @usableFromInline package internal(set) var end: UInt32
        /// The line in the file, from 1, where an element starts or ends.
        package let line: Int32

        static let nothing = Event(kind: .text, isCharacterData: false, name: 0, start: 0, end: 0, line: 0)

        @inlinable @inline(__always) package var range: Range<Int> { Int(start)..<Int(end) }

        // A switch is worked out where it stands; a comparison of kinds would be a call.

        @inlinable @inline(__always) package var isStart: Bool { if case .start = kind { true } else { false } }
        @inlinable @inline(__always) package var isAttribute: Bool { if case .attribute = kind { true } else { false } }
        @inlinable @inline(__always) package var isText: Bool { if case .text = kind { true } else { false } }
        @inlinable @inline(__always) package var isEnd: Bool { if case .end = kind { true } else { false } }
    }

    package private(set) var list: [Event] = []
    package private(set) var text: [UInt8] = []
    /// The names of elements and attributes, each once.
    package private(set) var names: XMLNames
    /// The last event was the end of an element, if none has come since all were forgotten.
    private var isForgottenEnd = false
    /// The name of the elements whose places in the file are kept, and these places in the order of the events.
    package var markedName: Int32?
    private var marks: [Mark] = []
    private var firstMark = 0

    private struct Mark {
        var event: Int
        /// The first byte of the tag in the file.
        let offset: Int
    }

    package init(_ vocabulary: XMLVocabulary = XMLVocabulary([])) {
        names = XMLNames(vocabulary)
    }

    /// The number of a name, which is given one if it is new.
    package mutating func number(ofName name: StaticString) -> Int32 {
        let name = name.description.utf8.map { $0 }
        return number(ofName: name.span)
    }

    mutating func number(ofName name: Span<UInt8>) -> Int32 {
        names.number(of: name)
    }

    /// Makes room for what so many bytes of XML with many attributes usually hold.
    package mutating func reserve(forBytes count: Int) {
        list.reserveCapacity(count / 16)
        text.reserveCapacity(count)
    }

    /// Forgets the events before one, and their text.
    package mutating func forget(before event: Int) {
        guard event > 0 else { return }
        guard event < list.count else {
            isForgottenEnd = isBehindEnd
            list.removeAll(keepingCapacity: true)
            text.removeAll(keepingCapacity: true)
            forgetMarks(before: event)
            return
        }
        forgetMarks(before: event)
        let textStart = Int(list[event].start)
        list.removeSubrange(..<event)
        guard textStart > 0 else { return }
        text.removeSubrange(..<textStart)
        let shift = UInt32(textStart)
        for index in list.indices {
            let old = list[index]
            list[index] = Event(
                kind: old.kind, isCharacterData: old.isCharacterData, name: old.name, start: old.start &- shift,
                end: old.end &- shift, line: old.line)
        }
    }

    // MARK: Places in the file

    /// Where the element begins that an event starts, if its name is the marked one. Those before it are forgotten.
    package mutating func takeMark(ofElementAt event: Int) -> Int? {
        while firstMark < marks.count, marks[firstMark].event < event { firstMark &+= 1 }
        guard firstMark < marks.count, marks[firstMark].event == event else { return nil }
        return marks[firstMark].offset
    }

    /// Says where the tag of the event begins that was added last, or of one before it.
    mutating func mark(_ event: Int, at offset: Int) {
        marks.append(Mark(event: event, offset: offset))
    }

    private mutating func forgetMarks(before event: Int) {
        if marks.isEmpty { return }
        while firstMark < marks.count, marks[firstMark].event < event { firstMark &+= 1 }
        marks.removeSubrange(..<firstMark)
        firstMark = 0
        for place in marks.indices { marks[place].event -= event }
    }

    // MARK: Adding

    @inline(__always)
    mutating func add(_ kind: Kind, name: Int32, line: Int32) {
        let place = UInt32(truncatingIfNeeded: text.count)
        list.append(Event(kind: kind, isCharacterData: false, name: name, start: place, end: place, line: line))
    }

    /// Says that the text from a place on is an attribute's.
    @inline(__always)
    mutating func addAttribute(name: Int32, textFrom start: Int) {
        addAttribute(name: name, text: start..<text.count)
    }

    @inline(__always)
    mutating func addAttribute(name: Int32, text range: Range<Int>) {
        list.append(
            Event(
                kind: .attribute, isCharacterData: false, name: name,
                start: UInt32(truncatingIfNeeded: range.lowerBound), end: UInt32(truncatingIfNeeded: range.upperBound),
                line: 0))
    }

    // Plain rows are added here: their text stands together, tags and all, and is added when they are whole.

    @inline(__always)
    mutating func add(_ kind: Kind, name: Int32, line: Int32, textAt place: Int) {
        let place = UInt32(truncatingIfNeeded: place)
        list.append(Event(kind: kind, isCharacterData: false, name: name, start: place, end: place, line: line))
    }

    @inline(__always)
    mutating func addAttribute(name: Int32, text: Range<Int>, shiftedBy shift: Int) {
        list.append(
            Event(
                kind: .attribute, isCharacterData: false, name: name,
                start: UInt32(truncatingIfNeeded: text.lowerBound &+ shift),
                end: UInt32(truncatingIfNeeded: text.upperBound &+ shift), line: 0))
    }

    @inline(__always)
    mutating func addText(_ text: Range<Int>, shiftedBy shift: Int, isCharacterData: Bool) {
        list.append(
            Event(
                kind: .text, isCharacterData: isCharacterData, name: 0,
                start: UInt32(truncatingIfNeeded: text.lowerBound &+ shift),
                end: UInt32(truncatingIfNeeded: text.upperBound &+ shift), line: 0))
    }

    mutating func append(_ bytes: ArraySlice<UInt8>) {
        text.append(contentsOf: bytes)
    }

    /// Forgets the events from one on.
    mutating func forget(from event: Int) {
        list.removeSubrange(event...)
    }

    /// Forgets the events from one on, and the text from a place on.
    mutating func forget(from event: Int, textFrom place: Int) {
        list.removeSubrange(event...)
        text.removeSubrange(place...)
    }

    /// White space right behind the end of an element says nothing, and is not kept.
    var isBehindEnd: Bool { list.last?.isEnd ?? isForgottenEnd }

    /// Says that the text from a place on is an element's; it joins the text just before it.
    @inline(__always)
    mutating func addText(from start: Int, isCharacterData: Bool) {
        let last = list.count &- 1
        if last >= 0, list[last].isText {
            list[last].end = UInt32(truncatingIfNeeded: text.count)
            if isCharacterData { list[last].isCharacterData = true }
            return
        }
        list.append(
            Event(
                kind: .text, isCharacterData: isCharacterData, name: 0, start: UInt32(truncatingIfNeeded: start),
                end: UInt32(truncatingIfNeeded: text.count), line: 0))
    }

    mutating func append(_ byte: UInt8) {
        text.append(byte)
    }

    @inline(__always)
    mutating func withText<Result>(_ body: (inout [UInt8]) -> Result) -> Result {
        body(&text)
    }
}

/// Why a file is no XML that is read here.
package struct XMLFailure: Error, Sendable {
    /// In the words of the parser, lower case and without a full stop.
    package var message: String
    /// From 1.
    package var line: Int
}
