/// XML in the usual form, parsed without libxml2. Files that use any other feature of XML are left to libxml2.
///
/// A plain file is complete and encoded in UTF-8. It has an optional declaration, an optional document type without
/// declarations, and one root element. It can contain elements, attributes, text, references to single characters, and
/// CDATA sections that are the only text of an element. A file is not plain if it contains comments, processing
/// instructions, other sections, prefixes, other entities, non-ASCII names, text after a nested element, or anything
/// that libxml2 would reject.
///
///     var scan = PlainXML(of: bytes, knowing: vocabulary)
///     while let token = scan.next(bytes) { … }
///     guard scan.isWhole else { … }       // not plain: discard the tokens
package struct PlainXML: ~Copyable {
    package enum Token: Sendable {
        /// A start tag, with its `name` and `attributes`.
        case start
        /// Text in the current element.
        case text
        /// The end of the element with the `name`.
        case end
    }

    package private(set) var names: XMLNames
    package private(set) var name: Int32 = 0
    /// The start of the current line.
    package private(set) var lineStart = 0
    /// The attributes of the element: only the first `attributeCount` entries are valid.
    package private(set) var attributes = [128 of XMLEvents.Event](repeating: .nothing)
    package private(set) var attributeCount = 0
    package private(set) var text = XMLEvents.Event.nothing
    /// Whether the file was plain to its end.
    package private(set) var isWhole = false
    /// Whether the file has a document type.
    private(set) var hasDocumentType = false

    /// The index of the next byte.
    private(set) var at = 0
    /// The end of the last start tag.
    private var startTagEnd = 0
    /// The number of elements that have started, and for each name of the vocabulary the last element with an attribute
    /// of that name.
    private var elementCount: UInt32 = 0
    private var lastElements = [512 of UInt32](repeating: 0)
    /// For each name, the attribute that followed it most recently, because the same attribute usually follows again.
    private var followers = [512 of UInt16](repeating: .max)
    /// The open elements, the outermost first.
    private var open: [Element] = []
    private var isEmptyElement = false
    /// Whether blanks at this point are ignored.
    private var isBehindEnd = true
    /// The number of `xmlns`, which is not an ordinary attribute.
    private let namespace: Int32

    private struct Element {
        let name: Int32
        let nameStart: UInt32
        let nameLength: UInt32
    }

    // The limits of libxml2 are all higher. Legitimate files do not reach any of these.
    private static let greatestDepth = 200
    private static let longestTag = 1 << 20
    private static let longestFile = 1 << 30
    private static let longestName = 256
    private static let mostNames = 2000
    private static let longestGap = 63

    package init(of bytes: Span<UInt8>, knowing vocabulary: XMLVocabulary) {
        names = XMLNames(vocabulary)
        namespace = names.number(of: Array("xmlns".utf8).span)
        // A zero byte could be mistaken for the end of a name.
        let hasZeros = firstIndex(of: 0, in: bytes, from: 0, to: bytes.count) != nil
        if hasZeros || bytes.count > Self.longestFile || !bytes.areLettersSound || !passProlog(bytes) {
            at = bytes.count
        }
    }

    /// Returns the next token, or `nil` at the end of the file or if it is not plain.
    package mutating func next(_ bytes: Span<UInt8>) -> Token? {
        if isEmptyElement {
            isEmptyElement = false
            return end(bytes)
        }
        if isBehindEnd {
            let start = at
            at = placeBehindBlanks(bytes, from: at)
            guard at &- start <= Self.longestGap else { return nil }
        } else if at < bytes.count, bytes[at] != Ascii.less {
            return passText(bytes) ? .text : nil
        }
        guard at &+ 1 < bytes.count, bytes[at] == Ascii.less else { return nil }
        if bytes[at &+ 1] == Self.slash { return passEndTag(bytes) ? end(bytes) : nil }
        return passStartTag(bytes) ? .start : passSection(bytes) ? .text : nil
    }

    /// The number of open elements.
    var depth: Int { open.count &- (isEmptyElement ? 1 : 0) }

    private mutating func end(_ bytes: Span<UInt8>) -> Token? {
        guard let element = open.popLast() else { return nil }
        name = element.name
        isBehindEnd = true
        if open.isEmpty {
            at = placeBehindBlanks(bytes, from: at)
            isWhole = at == bytes.count
            at = bytes.count
        }
        return .end
    }

    @inline(__always)
    private mutating func placeBehindBlanks(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var place = start
        while place < bytes.count, bytes[place] <= Ascii.blank, Self.blanks >> UInt64(bytes[place]) & 1 != 0 {
            if bytes[place] == Ascii.lineFeed { lineStart = place &+ 1 }
            place &+= 1
        }
        return place
    }

    /// The four blank characters as bits. A switch with these cases would be an unpredictable branch.
    private static let blanks: UInt64 = 1 << 0x20 | 1 << 0x0A | 1 << 0x09 | 1 << 0x0D

    private static let slash = UInt8(ascii: "/")
    private static let ampersand = UInt8(ascii: "&")
    private static let bracket = UInt8(ascii: "]")
}

// MARK: - Tags

extension PlainXML {
    private mutating func passStartTag(_ bytes: Span<UInt8>) -> Bool {
        let start = at &+ 1
        var place = start
        while place < bytes.count, bytes[place] > 0x20, bytes[place] != Ascii.greater, bytes[place] != Self.slash {
            place &+= 1
        }
        guard open.count < Self.greatestDepth,
            let number = names.vocabulary.number(of: start..<place, in: bytes) ?? ownNumber(of: start..<place, bytes)
        else { return false }
        name = number
        open.append(
            Element(
                name: number, nameStart: UInt32(truncatingIfNeeded: start),
                nameLength: UInt32(truncatingIfNeeded: place &- start)))
        attributeCount = 0
        elementCount &+= 1
        isBehindEnd = false
        return passAttributes(bytes, from: place) && at &- start <= Self.longestTag
    }

    /// Reads the rest of a start tag after its name.
    private mutating func passAttributes(_ bytes: Span<UInt8>, from start: Int) -> Bool {
        var end = start
        var last = name
        while true {
            var place = placeBehindBlanks(bytes, from: end)
            guard place < bytes.count else { return false }
            if bytes[place] == Ascii.greater {
                at = place &+ 1
                startTagEnd = at
                return true
            }
            if bytes[place] == Self.slash {
                at = place &+ 2
                isEmptyElement = true
                return place &+ 1 < bytes.count && bytes[place &+ 1] == Ascii.greater
            }
            guard place > end, attributeCount < attributes.count else { return false }
            let expected = last < followers.count ? followers[Int(last)] : .max
            let length = names.vocabulary.length(of: Int(expected), at: place, in: bytes)
            if length > 0 {
                place &+= length
                last = Int32(truncatingIfNeeded: expected)
            } else {
                guard let number = passName(bytes, &place) else { return false }
                if last < followers.count { followers[Int(last)] = UInt16(truncatingIfNeeded: number) }
                last = number
            }
            guard isNew(last), place &+ 1 < bytes.count else { return false }
            let quote = bytes[place &+ 1]
            guard quote == Ascii.quote || quote == UInt8(ascii: "'") else { return false }
            place &+= 2
            let value = place
            let isRaw =
                quote == Ascii.quote ? passValue(bytes, &place) : passSingleQuotedValue(bytes, &place)
            guard place < bytes.count else { return false }
            attributes[attributeCount] = XMLEvents.Event(
                kind: .attribute, isCharacterData: false, isRaw: isRaw, name: last,
                start: UInt32(truncatingIfNeeded: value), end: UInt32(truncatingIfNeeded: place), line: 0)
            attributeCount &+= 1
            end = place &+ 1
        }
    }

    /// Reads the name of an attribute up to the equals sign.
    @inline(never)
    private mutating func passName(_ bytes: Span<UInt8>, _ place: inout Int) -> Int32? {
        let start = place
        let head = loadWord(bytes, at: start)
        let equals = Eight.first(of: Ascii.equals, in: head)
        let known: Int32?
        if equals != 0 {
            place &+= equals.trailingZeroBitCount &>> 3
            known = names.vocabulary.number(ofShort: head & ((equals & (0 &- equals)) &>> 7 &- 1))
        } else {
            guard let end = Self.endOfLongName(bytes, from: start) else { return nil }
            place = end
            known = names.vocabulary.number(of: start..<end, in: bytes)
        }
        return known ?? ownNumber(of: start..<place, bytes)
    }

    private static func endOfLongName(_ bytes: Span<UInt8>, from start: Int) -> Int? {
        var place = start &+ 8
        while place &- start < longestName {
            let equals = Eight.first(of: Ascii.equals, in: loadWord(bytes, at: place))
            if equals != 0 { return place &+ equals.trailingZeroBitCount &>> 3 }
            place &+= 8
        }
        return nil
    }

    /// Whether the current element does not have an attribute of this name yet.
    @inline(__always)
    private mutating func isNew(_ number: Int32) -> Bool {
        let place = Int(number)
        if place >= lastElements.count {
            for other in 0..<attributeCount where attributes[other].name == number { return false }
            return number != namespace
        }
        if lastElements[place] == elementCount { return false }
        lastElements[place] = elementCount
        return number != namespace
    }

    /// Moves past a value up to its quotation mark, or to the end of all bytes if it is not plain. Returns whether the
    /// value contains escapes or line ends.
    @inline(__always)
    private mutating func passValue(_ bytes: Span<UInt8>, _ place: inout Int) -> Bool {
        var isRaw = false
        while true {
            let ends = Eight.endsOfPlainValue(loadWord(bytes, at: place))
            if ends == 0 {
                place &+= 8
                continue
            }
            place &+= ends.trailingZeroBitCount &>> 3
            if place >= bytes.count || bytes[place] == Ascii.quote { return isRaw }
            isRaw = true
            place = placeBehindRaw(bytes, at: place)
        }
    }

    private mutating func passSingleQuotedValue(_ bytes: Span<UInt8>, _ place: inout Int) -> Bool {
        var isRaw = false
        while place < bytes.count, bytes[place] != UInt8(ascii: "'") {
            switch bytes[place] {
            case 0..<0x20, Self.ampersand, Ascii.less:
                isRaw = true
                place = placeBehindRaw(bytes, at: place)
            default: place &+= 1
            }
        }
        return isRaw
    }

    /// Returns the index after a blank or a reference, or the end of all bytes if there is neither.
    @inline(never)
    private mutating func placeBehindRaw(_ bytes: Span<UInt8>, at place: Int) -> Int {
        switch bytes[place] {
        case Ascii.lineFeed:
            lineStart = place &+ 1
            return place &+ 1
        case Ascii.tab, Ascii.carriageReturn: return place &+ 1
        default: return XMLReference(at: place, in: bytes)?.end ?? bytes.count
        }
    }

    /// Returns the number of a name that consists of letters, digits, `_`, `.` and `-`. Returns `nil` for other names,
    /// although XML may permit them.
    private mutating func ownNumber(of range: Range<Int>, _ bytes: Span<UInt8>) -> Int32? {
        guard 1...Self.longestName ~= range.count, names.count < Self.mostNames else { return nil }
        let name = bytes.extracting(range)
        for place in name.indices {
            switch name[place] {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"): break
            case Ascii.zero...Ascii.nine, Ascii.minus, Ascii.point: if place == 0 { return nil }
            default: return nil
            }
        }
        return names.number(of: name)
    }

    @inline(__always)
    private mutating func passEndTag(_ bytes: Span<UInt8>) -> Bool {
        guard let element = open.last else { return false }
        let start = at &+ 2
        let end = start &+ Int(element.nameLength)
        guard end < bytes.count, bytes[end] == Ascii.greater else { return false }
        var name = Int(element.nameStart)
        for place in start..<end {
            guard bytes[place] == bytes[name] else { return false }
            name &+= 1
        }
        at = end &+ 1
        return true
    }
}

// MARK: - Text

extension PlainXML {
    /// Reads text up to a tag.
    private mutating func passText(_ bytes: Span<UInt8>) -> Bool {
        let start = at
        var isRaw = false
        while at < bytes.count, bytes[at] != Ascii.less {
            switch bytes[at] {
            case Self.ampersand:
                guard let reference = XMLReference(at: at, in: bytes) else { return false }
                isRaw = true
                at = reference.end
                continue
            case Self.bracket:
                if bytes.range(at..<bytes.count, begins: "]]>") { return false }
            case Ascii.lineFeed: lineStart = at &+ 1
            case Ascii.carriageReturn: isRaw = true
            case let byte: if byte < 0x20, byte != Ascii.tab { return false }
            }
            at &+= 1
        }
        text = XMLEvents.Event(
            kind: .text, isCharacterData: false, isRaw: isRaw, name: 0, start: UInt32(truncatingIfNeeded: start),
            end: UInt32(truncatingIfNeeded: at), line: 0)
        return true
    }

    /// Reads a CDATA section between a start tag and its end tag, without carriage returns.
    @inline(never)
    private mutating func passSection(_ bytes: Span<UInt8>) -> Bool {
        guard at == startTagEnd, pass("<![CDATA[", bytes) else { return false }
        let start = at
        while at < bytes.count, bytes[at] != Self.bracket || !bytes.range(at..<bytes.count, begins: "]]>") {
            if bytes[at] == Ascii.lineFeed {
                lineStart = at &+ 1
            } else if bytes[at] < 0x20, bytes[at] != Ascii.tab {
                return false
            }
            at &+= 1
        }
        text = XMLEvents.Event(
            kind: .text, isCharacterData: true, name: 0, start: UInt32(truncatingIfNeeded: start),
            end: UInt32(truncatingIfNeeded: at), line: 0)
        guard bytes.range(at..<bytes.count, begins: "]]></") else { return false }
        at &+= 3
        return true
    }
}

// MARK: - Before the root element

extension PlainXML {
    /// Reads the declaration and the document type, up to the tag of the root element.
    private mutating func passProlog(_ bytes: Span<UInt8>) -> Bool {
        if pass("<?xml", bytes), !passDeclaration(bytes) { return false }
        at = placeBehindBlanks(bytes, from: at)
        if pass("<!DOCTYPE", bytes) {
            hasDocumentType = true
            if !passDocumentType(bytes) { return false }
        }
        at = placeBehindBlanks(bytes, from: at)
        return at < bytes.count && bytes[at] == Ascii.less
    }

    private mutating func passDeclaration(_ bytes: Span<UInt8>) -> Bool {
        guard passBlank(bytes), pass("version=", bytes), let version = passQuoted(bytes),
            bytes.range(version, begins: "1.0"), version.count == 3
        else { return false }
        if passBlank(bytes), pass("encoding=", bytes) {
            guard let encoding = passQuoted(bytes), encoding.count == 5,
                bytes.range(encoding, begins: "UTF-8") || bytes.range(encoding, begins: "utf-8")
            else { return false }
            at = placeBehindBlanks(bytes, from: at)
        }
        return pass("?>", bytes)
    }

    private mutating func passDocumentType(_ bytes: Span<UInt8>) -> Bool {
        guard passBlank(bytes) else { return false }
        let name = at
        while at < bytes.count, Self.isLetter(bytes[at]) { at &+= 1 }
        guard at > name, at &- name < Self.longestName else { return false }
        if passBlank(bytes), pass("SYSTEM", bytes) {
            guard passBlank(bytes), passQuoted(bytes) != nil else { return false }
            at = placeBehindBlanks(bytes, from: at)
        }
        return pass(">", bytes)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
    }

    private mutating func pass(_ word: StaticString, _ bytes: Span<UInt8>) -> Bool {
        guard bytes.range(at..<bytes.count, begins: word) else { return false }
        at &+= word.utf8CodeUnitCount
        return true
    }

    /// Moves past blanks. Returns whether the file contained a declaration or a document type.
    private mutating func passBlank(_ bytes: Span<UInt8>) -> Bool {
        let start = at
        at = placeBehindBlanks(bytes, from: at)
        return at > start
    }

    /// Reads a quoted text that contains no special characters.
    private mutating func passQuoted(_ bytes: Span<UInt8>) -> Range<Int>? {
        guard at < bytes.count, bytes[at] == Ascii.quote || bytes[at] == UInt8(ascii: "'") else { return nil }
        let quote = bytes[at]
        let start = at &+ 1
        at = start
        while at < bytes.count, bytes[at] != quote {
            switch bytes[at] {
            case Self.ampersand, Ascii.less, Ascii.greater, UInt8(ascii: "["), Self.bracket: return nil
            case 0x21...0x7E: at &+= 1
            default: return nil
            }
        }
        guard at < bytes.count, at &- start < 1000 else { return nil }
        at &+= 1
        return start..<at &- 1
    }
}
