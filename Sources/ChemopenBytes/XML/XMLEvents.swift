/// The elements, attributes and text that an XML parser has found, in file order, in two flat arrays.
///
/// The parser appends events, and the reader removes the events that it has processed. Texts are ranges of `text`. The
/// parts of an element's text are adjacent unless other elements separate them.
///
///     <Cell id="2">0.5</Cell>
///
/// produces four events: the start of `Cell`, the attribute `id` with the text `2`, the text `0.5`, and the end of
/// `Cell`.
@usableFromInline
package struct XMLEvents: ~Copyable, Sendable {
    /// The maximum nesting depth. Deeper files are rejected.
    package static let greatestDepth = 1000

    @usableFromInline
    package enum Kind: UInt8, Sendable {
        case start, attribute, text, end
    }

    /// An event in 20 bytes.
    @usableFromInline
    package struct Event: Sendable {
        @usableFromInline package let kind: Kind
        /// Whether a part of the text was in a CDATA section.
        package internal(set) var isCharacterData: Bool
        /// Whether the text is still encoded as in the file, with references and line ends.
        @usableFromInline package internal(set) var isRaw = false
        /// The name, as an index into `names`, without its prefix.
        package let name: Int32
        @usableFromInline package let start: UInt32
        @usableFromInline package internal(set) var end: UInt32
        /// The line in the file where an element starts or ends, counted from 1.
        package let line: Int32

        static let nothing = Event(kind: .text, isCharacterData: false, name: 0, start: 0, end: 0, line: 0)

        @inlinable @inline(__always) package var range: Range<Int> { Int(start)..<Int(end) }

        // These use a switch because the compiler inlines it, unlike a comparison of kinds.

        @inlinable @inline(__always) package var isStart: Bool { if case .start = kind { true } else { false } }
        @inlinable @inline(__always) package var isAttribute: Bool { if case .attribute = kind { true } else { false } }
        @inlinable @inline(__always) package var isText: Bool { if case .text = kind { true } else { false } }
        @inlinable @inline(__always) package var isEnd: Bool { if case .end = kind { true } else { false } }
    }

    package private(set) var list: [Event] = []
    package private(set) var text: [UInt8] = []
    /// The distinct names of elements and attributes.
    package private(set) var names: XMLNames
    /// Whether the last event was the end of an element, if the list has been cleared since.
    private var isForgottenEnd = false
    /// The name of the elements that are marked with their file offsets, and the marks in the order of the events.
    package var markedName: Int32?
    private var marks: [Mark] = []
    private var firstMark = 0

    private struct Mark {
        var event: Int
        /// The offset of the tag's first byte in the file.
        let offset: Int
    }

    package init(_ vocabulary: XMLVocabulary = XMLVocabulary([])) {
        names = XMLNames(vocabulary)
    }

    /// Returns the number of a name, assigning one if it is new.
    package mutating func number(ofName name: StaticString) -> Int32 {
        let name = name.description.utf8.map { $0 }
        return number(ofName: name.span)
    }

    mutating func number(ofName name: Span<UInt8>) -> Int32 {
        names.number(of: name)
    }

    /// Reserves enough memory for a typical XML text of this size with many attributes.
    package mutating func reserve(forBytes count: Int) {
        list.reserveCapacity(count / 16)
        text.reserveCapacity(count)
    }

    /// Removes the events before an index, and their text.
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

    // MARK: File offsets

    /// Returns the file offset of an element if it was marked. Earlier marks are removed.
    package mutating func takeMark(ofElementAt event: Int) -> Int? {
        while firstMark < marks.count, marks[firstMark].event < event { firstMark &+= 1 }
        guard firstMark < marks.count, marks[firstMark].event == event else { return nil }
        return marks[firstMark].offset
    }

    /// Records the file offset of a tag. Marks must be added in the order of their events.
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

    /// Adds an attribute with the text from an index to the end.
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

    // The following functions add plain rows. The text of a row is a single piece that includes the tags; it is
    // appended when the rows are complete.

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

    /// Removes all events from an index on.
    mutating func forget(from event: Int) {
        list.removeSubrange(event...)
    }

    /// Removes all events and all text from two indices on.
    mutating func forget(from event: Int, textFrom place: Int) {
        list.removeSubrange(event...)
        text.removeSubrange(place...)
    }

    /// Whether the last event is the end of an element. White space directly after it is meaningless and is dropped.
    var isBehindEnd: Bool { list.last?.isEnd ?? isForgottenEnd }

    /// Adds the text of an element from an index to the end. It is merged with text directly before it.
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

/// The reason why XML cannot be parsed.
package struct XMLFailure: Error, Sendable {
    /// The message of the parser, in lower case without a full stop.
    package var message: String
    /// The line in the file, counted from 1.
    package var line: Int
}
