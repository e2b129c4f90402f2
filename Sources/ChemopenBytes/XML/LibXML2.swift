import CLibXML2
import Glibc

// This is the only file that calls libxml2. Its push parser stores addresses, so its state is allocated on the heap.
//
// The only fields of libxml2's structures that are read are `input.cur`, `input.base`, `input.end`, `wellFormed` and
// `myDoc`, which the headers of every release declare. No field is changed. Everything else is derived from the
// callbacks and the bytes.
//
// `XMLParser` can be sent to another thread because it cannot be copied: it is the only owner of its two pointers, and
// libxml2 does not bind parsers to threads. The compiler cannot infer this for pointers.

/// Parses XML block by block and collects events in a list.
///
/// The parser accesses only the bytes: no network, other files, external entities or external document types. It
/// expands only short plain-text entities that the file itself declares, so expansion cannot exhaust the memory.
@safe @usableFromInline
package struct XMLParser: ~Copyable, @unchecked Sendable {
    /// The libxml2 parser, or `nil` until it is needed or if there is not enough memory.
    private var context: xmlParserCtxtPtr?
    /// The bytes parsed until now, as long as libxml2 was not needed.
    private var frame: PlainParser?
    @usableFromInline let state: UnsafeMutablePointer<XMLParserState>

    /// - Parameter vocabulary: names with predefined numbers.
    package init(knowing vocabulary: XMLVocabulary = XMLVocabulary([])) {
        unsafe state = .allocate(capacity: 1)
        unsafe state.initialize(to: XMLParserState(events: XMLEvents(vocabulary)))
    }

    deinit {
        if let context = unsafe context {
            if let document = unsafe context.pointee.myDoc { unsafe xmlFreeDoc(document) }
            unsafe xmlFreeParserCtxt(context)
        }
        unsafe state.pointee.freeEntities()
        unsafe state.deinitialize(count: 1)
        unsafe state.deallocate()
    }

    /// The events that were found and not removed yet.
    @inlinable package var events: XMLEvents {
        _read { yield unsafe state.pointee.events }
        _modify { yield unsafe &state.pointee.events }
    }

    /// The reason why parsing has stopped before the end of the file.
    package var failure: XMLFailure? { unsafe state.pointee.failure }

    /// Whether all bytes are processed, the text is UTF-8, and elements or text can follow inside the file's second
    /// level of elements. With a document type the result is `false`, because it could define default attributes for
    /// plain rows.
    package var isBetweenRows: Bool {
        if let frame { return unsafe !frame.isClosed && state.pointee.encoding.isUTF8 }
        guard failure == nil, let input = unsafe context?.pointee.input else { return false }
        // An open CDATA section has reported some text, or ends in its opening bracket.
        return unsafe state.pointee.depth == 2 && state.pointee.isBehindTag && state.pointee.lastByte == Ascii.greater
            && state.pointee.encoding.isUTF8 && !state.pointee.hasDocumentType
            && input.pointee.cur == input.pointee.end
    }

    /// Creates the libxml2 parser and feeds it the bytes that were parsed without it. The events of these bytes exist
    /// already.
    private mutating func open() {
        var handler = unsafe xmlSAXHandler()
        unsafe handler.initialized = UInt32(XML_SAX2_MAGIC)
        unsafe handler.startElementNs = startElement
        unsafe handler.endElementNs = endElement
        unsafe handler.characters = characters
        unsafe handler.ignorableWhitespace = characters
        unsafe handler.cdataBlock = characterData
        unsafe handler.serror = structuredError
        unsafe handler.internalSubset = documentType
        unsafe handler.externalSubset = documentTypeEnd
        unsafe handler.entityDecl = entityDeclaration
        unsafe handler.getEntity = entity
        unsafe handler.reference = unresolvedReference
        unsafe context = xmlCreatePushParserCtxt(&handler, state, nil, 0, nil)
        unsafe state.pointee.context = context
        guard let context = unsafe context else {
            unsafe state.pointee.fail("not enough memory")
            return
        }
        unsafe xmlCtxtUseOptions(context, Int32(XML_PARSE_NONET.rawValue))
        guard let frame else { return }
        self.frame = nil
        let known = unsafe (events: state.pointee.events.list.count, text: state.pointee.events.text.count)
        unsafe state.pointee.beginAgain(behind: frame.line)
        push(frame.bytes.span)
        unsafe state.pointee.events.forget(from: known.events, textFrom: known.text)
    }

    /// Parses the first bytes of a file up to the tag that opens its rows. If they are plain, libxml2 is needed neither
    /// for them nor for the plain rows and the plain end of the file after them.
    package mutating func pushHead(_ bytes: Span<UInt8>) {
        if unsafe context == nil && frame == nil, let plain = unsafe PlainParser(bytes, &state.pointee.events) {
            frame = plain
            unsafe state.pointee.pass(bytes, lines: plain.line)
        } else {
            push(bytes)
        }
    }

    /// Parses the end of a file without libxml2. Returns `false` if the beginning or the end of the file is not plain.
    private mutating func takePlainEnd(_ bytes: Span<UInt8>) -> Bool {
        let line = unsafe state.pointee.line
        guard let end = unsafe frame?.close(bytes, line: line, &state.pointee.events) else { return false }
        unsafe state.pointee.pass(bytes, lines: end &- line)
        return true
    }

    /// Parses the plain rows at the start of a block without libxml2, and returns the index after them.
    package mutating func take(_ rows: PlainRows, from block: Range<Int>, of bytes: [UInt8]) -> Int {
        let line = unsafe state.pointee.line
        let offset = unsafe state.pointee.offset
        let taken = unsafe rows.take(block, of: bytes, line: line, offset: offset, into: &state.pointee.events)
        unsafe state.pointee.linesPassedBy &+= taken.line &- line
        unsafe state.pointee.passedBy += taken.end - block.lowerBound
        return taken.end
    }

    /// Whether an incomplete tag has so many attributes that libxml2, which compares each with all others, would need
    /// seconds.
    private func hasCrowdedTag(_ context: xmlParserCtxtPtr) -> Bool {
        guard let input = unsafe context.pointee.input, let start = unsafe input.pointee.cur,
            let end = unsafe input.pointee.end, unsafe end - start > Self.longTag, unsafe start[0] == 0x3C,
            unsafe start[1] != 0x21 && start[1] != 0x3F
        else { return false }
        let tag = unsafe UnsafeBufferPointer(start: start, count: end - start)
        return unsafe tag.reduce(0) { $0 + ($1 == 0x3D ? 1 : 0) } > Self.mostAttributes
    }

    private static let longTag = 64 * 1024
    private static let mostAttributes = 10_000

    /// Parses the next bytes of the file. An empty span marks the end of the file.
    package mutating func push(_ bytes: Span<UInt8>) {
        if failure != nil || takePlainEnd(bytes) { return }
        if unsafe context == nil { open() }
        guard failure == nil, let context = unsafe context else { return }
        let isLast = bytes.isEmpty
        if bytes.count > 1, bytes[bytes.count - 1] == Ascii.carriageReturn {
            // libxml2 2.9 delays a CR at the end of a block. A separate block for the CR avoids problems with this.
            push(bytes.extracting(..<(bytes.count - 1)))
            push(bytes.extracting((bytes.count - 1)...))
            return
        }
        unsafe state.pointee.note(bytes)
        let isReturn = bytes.count == 1 && bytes[0] == Ascii.carriageReturn
        if !isReturn { unsafe state.pointee.pushed += bytes.count }
        defer { if isReturn { unsafe state.pointee.pushed += 1 } }
        let code = withoutStandardError {
            unsafe bytes.withUnsafeBufferPointer { buffer in
                unsafe buffer.withMemoryRebound(to: CChar.self) { text in
                    unsafe xmlParseChunk(context, text.baseAddress, Int32(clamping: text.count), isLast ? 1 : 0)
                }
            }
        }
        if failure != nil { return }
        if unsafe hasCrowdedTag(context) {
            unsafe state.pointee.fail("a tag with more than \(Self.mostAttributes) attributes")
        } else if UInt32(bitPattern: code) == XML_ERR_INVALID_ENCODING.rawValue {
            unsafe state.pointee.fail("bytes that are invalid in the file's encoding")
        } else if unsafe context.pointee.wellFormed == 0 || (isLast && !state.pointee.isAtEnd) {
            unsafe state.pointee.fail("not well-formed (\(code))")
        }
    }
}

/// The stream that receives libxml2's messages instead of standard error. It is never closed, and the C library locks
/// it for each writer.
private nonisolated(unsafe) let nowhere = unsafe (try? openNullDevice()).flatMap { unsafe fdopen($0, "w") }

/// Runs a function while libxml2 discards its messages for this thread. It prints encoding errors to standard error
/// even though a callback for errors is set.
private func withoutStandardError(_ body: () -> Int32) -> Int32 {
    guard let place = unsafe __xmlGenericErrorContext(), let nowhere = unsafe nowhere else { return body() }
    let before = unsafe place.pointee
    unsafe place.pointee = UnsafeMutableRawPointer(nowhere)
    defer { unsafe place.pointee = before }
    return body()
}

/// The state that the callbacks modify.
@safe @usableFromInline
struct XMLParserState: ~Copyable {
    @usableFromInline var events: XMLEvents
    var failure: XMLFailure?
    var context: xmlParserCtxtPtr?
    /// The number of open elements. The parser itself does not limit this number.
    var depth = 0
    private var hasRoot = false
    /// Whether the previous callback was for a tag.
    private(set) var isBehindTag = false
    private(set) var lastByte: UInt8 = 0
    private(set) var encoding = XMLEncoding()
    var hasDocumentType = false
    var isInDocumentType = false
    /// The number of lines in plain rows, which libxml2 has not seen and does not count.
    var linesPassedBy: Int32 = 0
    /// The number of bytes that bypassed the parser.
    var passedBy = 0
    /// The number of bytes that were passed to the parser.
    var pushed = 0
    /// The numbers of recent names, indexed by a hash of their addresses in libxml2.
    private var recent = [128 of RecentName](repeating: RecentName())
    private var entities: [Entity] = []
    private var expandedBytes = 0
    /// The index and line of an entity that libxml2 has looked up. Its text follows, unless it is in an attribute.
    private var pending: (place: Int, line: Int32)?
    /// Blanks after the end of an element. They are ignored unless more text follows.
    var blanks: [UInt8] = []
    /// Whether the last text ended in a carriage return that a line feed may follow.
    private var endsInReturn = false

    init(events: consuming XMLEvents) {
        self.events = events
    }

    private struct RecentName {
        var address: UInt = 0
        var number: Int32 = 0
    }

    @safe
    private struct Entity {
        let name: [UInt8]
        let entity: xmlEntityPtr
        let content: UnsafeMutablePointer<xmlChar>
        let length: Int
    }

    private static let largestEntity = 256
    private static let mostEntities = 64
    private static let mostExpandedBytes = 64 * 1024

    var line: Int32 { unsafe context == nil ? linesPassedBy : linesPassedBy &+ xmlSAX2GetLineNumber(context) }

    /// Whether all opened elements are closed, and there was at least one.
    var isAtEnd: Bool { hasRoot && depth == 0 }

    /// Records facts about the next bytes that the parser does not report.
    mutating func note(_ bytes: Span<UInt8>) {
        guard !bytes.isEmpty else { return }
        lastByte = bytes[bytes.count - 1]
        encoding.read(bytes)
    }

    /// Counts bytes that were parsed without libxml2.
    mutating func pass(_ bytes: Span<UInt8>, lines: Int32) {
        note(bytes)
        pushed += bytes.count
        linesPassedBy &+= lines
    }

    /// Resets the counters if bytes up to this line, which were parsed without libxml2, must be passed to libxml2 after
    /// all.
    mutating func beginAgain(behind line: Int32) {
        encoding = XMLEncoding()
        pushed = 0
        linesPassedBy &-= line
    }

    /// Counts the start of an element. Entities of the file are expanded only between elements: in an attribute, some
    /// releases of libxml2 would use only the first character of the text.
    mutating func open() {
        blanks.removeAll(keepingCapacity: true)
        depth += 1
        hasRoot = true
        isBehindTag = true
        if depth > XMLEvents.greatestDepth {
            fail("elements are nested more than \(XMLEvents.greatestDepth) levels deep")
        } else if let (place, line) = pending {
            let name = String(decoding: entities[place].name, as: UTF8.self)
            fail("entity '\(name)' is in an attribute, where entities are not supported", line: line)
        }
    }

    mutating func close() {
        blanks.removeAll(keepingCapacity: true)
        depth -= 1
        isBehindTag = true
    }

    mutating func startText() {
        isBehindTag = false
        pending = nil
    }

    /// Adds blanks that are followed by more text, which the parser delivers separately.
    mutating func addBlanks() {
        if blanks.isEmpty { return }
        let head = blanks
        blanks.removeAll(keepingCapacity: true)
        let from = events.text.count
        unsafe head.withUnsafeBufferPointer { unsafe add($0.baseAddress, head.count) }
        events.addText(from: from, isCharacterData: false)
    }

    /// The file offset of the parser's current byte, if the bytes are not converted from another encoding.
    var offset: Int {
        guard let input = unsafe context?.pointee.input else { return passedBy + pushed }
        return unsafe passedBy + pushed - (input.pointee.end - input.pointee.cur)
    }

    /// Records the file offset of the tag that the parser has just read. A tag does not contain `<`. If the encoding is
    /// not UTF-8, no offset is recorded, because the parser sees converted bytes.
    mutating func markTag() {
        guard encoding.isUTF8, let input = unsafe context?.pointee.input, let end = unsafe input.pointee.cur,
            let base = unsafe input.pointee.base
        else { return }
        var start = unsafe end
        while unsafe start > base, unsafe start.pointee != 0x3C { unsafe start -= 1 }
        events.mark(events.list.count - 1, at: unsafe offset - (end - start))
    }

    /// Returns the number of a name. libxml2 stores a name at the same address for the lifetime of the parser.
    @inline(__always)
    mutating func number(of name: UnsafePointer<xmlChar>) -> Int32 {
        endsInReturn = false
        let address = UInt(bitPattern: name)
        let slot = Int(truncatingIfNeeded: (address ^ address >> 7) & 127)
        if recent[slot].address == address { return recent[slot].number }
        let number = unsafe slowNumber(of: name)
        recent[slot] = RecentName(address: address, number: number)
        return number
    }

    private mutating func slowNumber(of name: UnsafePointer<xmlChar>) -> Int32 {
        let length = Int(unsafe xmlStrlen(name))
        let letters = unsafe UnsafeBufferPointer(start: name, count: length)
        return unsafe events.number(ofName: letters.span)
    }

    @inline(__always)
    mutating func add(_ start: UnsafePointer<xmlChar>?, _ length: Int) {
        let bytes = unsafe UnsafeBufferPointer(start: start, count: length)
        events.withText { text in unsafe text.append(contentsOf: bytes) }
    }

    /// Adds the attributes of an element. Each has five addresses: name, prefix, namespace, first byte of the value,
    /// and the end of the value.
    mutating func addAttributes(_ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>, count: Int) {
        var length = 0
        for place in 0..<count {
            guard unsafe attributes[place * 5] != nil, let start = unsafe attributes[place * 5 + 3],
                let end = unsafe attributes[place * 5 + 4], unsafe memchr(start, 0x26, end - start) == nil
            else {
                unsafe addAttributesWithReferences(attributes, count: count)
                return
            }
            length += unsafe end - start
        }
        var from = events.text.count
        for place in 0..<count {
            guard let name = unsafe attributes[place * 5], let start = unsafe attributes[place * 5 + 3],
                let end = unsafe attributes[place * 5 + 4]
            else { continue }
            let to = from + (unsafe end - start)
            let number = unsafe number(of: name)
            events.addAttribute(name: number, text: from..<to)
            from = to
        }
        events.withText { text in
            text.append(addingCapacity: length) { output in
                unsafe output.withUnsafeMutableBufferPointer { buffer, filled in
                    guard let base = buffer.baseAddress else { return }
                    for place in 0..<count {
                        guard let start = unsafe attributes[place * 5 + 3], let end = unsafe attributes[place * 5 + 4]
                        else { continue }
                        unsafe memcpy(base + filled, start, end - start)
                        filled += unsafe end - start
                    }
                }
            }
        }
    }

    private mutating func addAttributesWithReferences(
        _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>, count: Int
    ) {
        for place in 0..<count {
            guard let name = unsafe attributes[place * 5], let start = unsafe attributes[place * 5 + 3],
                let end = unsafe attributes[place * 5 + 4]
            else { continue }
            let from = events.text.count
            unsafe addAttribute(start, end - start)
            let number = unsafe number(of: name)
            events.addAttribute(name: number, textFrom: from)
        }
    }

    /// Adds the value of an attribute. libxml2 leaves ampersands in it as `&#38;`.
    mutating func addAttribute(_ start: UnsafePointer<xmlChar>, _ length: Int) {
        let bytes = unsafe UnsafeBufferPointer(start: start, count: length)
        guard length > 0, unsafe memchr(start, 0x26, length) != nil else { return unsafe add(start, length) }
        var index = 0
        while index < length {
            unsafe events.append(bytes[index])
            let isReference = unsafe bytes[index...].starts(with: "&#38;".utf8)
            index += isReference ? 5 : 1
        }
    }

    /// Adds the text of a CDATA section. libxml2 leaves carriage returns in it, so all kinds of line ends are converted
    /// to LF.
    mutating func addCharacterData(_ start: UnsafePointer<xmlChar>?, _ length: Int) {
        let bytes = unsafe UnsafeBufferPointer(start: start, count: length)
        guard let start = unsafe start, length > 0, unsafe endsInReturn || memchr(start, 0x0D, length) != nil else {
            return unsafe add(start, length)
        }
        for index in 0..<length {
            let byte = unsafe bytes[index]
            if byte == 0x0A, endsInReturn {
                endsInReturn = false
                continue
            }
            endsInReturn = byte == 0x0D
            events.append(endsInReturn ? 0x0A : byte)
        }
    }

    mutating func fail(_ message: String, line: Int32? = nil) {
        guard failure == nil else { return }
        failure = XMLFailure(message: message, line: Int(line ?? self.line))
        if let context = unsafe context { unsafe xmlStopParser(context) }
    }

    // MARK: Entities

    mutating func declare(_ name: UnsafePointer<xmlChar>, _ content: UnsafePointer<xmlChar>) {
        let length = Int(unsafe xmlStrlen(content))
        let text = unsafe UnsafeBufferPointer(start: content, count: length)
        guard length <= Self.largestEntity, entities.count < Self.mostEntities,
            unsafe !text.contains(where: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "<") })
        else { return }
        let copy = UnsafeMutablePointer<xmlChar>.allocate(capacity: length + 1)
        for index in 0..<length { unsafe (copy + index).initialize(to: text[index]) }
        unsafe (copy + length).initialize(to: 0)
        let entity = xmlEntityPtr.allocate(capacity: 1)
        unsafe entity.initialize(to: xmlEntity())
        unsafe entity.pointee.type = XML_ENTITY_DECL
        // libxml2 expands a predefined entity without parsing its content.
        unsafe entity.pointee.etype = XML_INTERNAL_PREDEFINED_ENTITY
        unsafe entity.pointee.content = copy
        unsafe entity.pointee.length = Int32(clamping: length)
        let letters = Int(unsafe xmlStrlen(name))
        let entry = unsafe Entity(
            name: Array(UnsafeBufferPointer(start: name, count: letters)), entity: entity, content: copy, length: length
        )
        entities.append(entry)
    }

    /// Returns an entity for libxml2, or `nil` inside the document type, where libxml2 would attach the text to its
    /// declaration or expand it in an attribute.
    mutating func entity(_ name: UnsafePointer<xmlChar>) -> xmlEntityPtr? {
        if isInDocumentType { return nil }
        let letters = Int(unsafe xmlStrlen(name))
        let text = unsafe UnsafeBufferPointer(start: name, count: letters)
        guard let place = entities.firstIndex(where: { unsafe $0.name.elementsEqual(text) }) else { return nil }
        let entity = entities[place]
        expandedBytes += entity.length
        guard expandedBytes <= Self.mostExpandedBytes else { return nil }
        pending = (place, line)
        return unsafe entity.entity
    }

    func freeEntities() {
        for entity in entities {
            unsafe entity.entity.deallocate()
            unsafe entity.content.deallocate()
        }
    }
}

// MARK: Callbacks

private typealias Name = UnsafePointer<xmlChar>

@inline(__always)
private func state(_ address: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<XMLParserState>? {
    unsafe address?.assumingMemoryBound(to: XMLParserState.self)
}

private let startElement: startElementNsSAX2Func = {
    address, name, _, _, _, _, attributeCount, _, attributes in
    guard let state = unsafe state(address), let name = unsafe name else { return }
    unsafe state.pointee.open()
    guard unsafe state.pointee.failure == nil else { return }
    let number = unsafe state.pointee.number(of: name)
    unsafe state.pointee.events.add(.start, name: number, line: state.pointee.line)
    if unsafe state.pointee.events.markedName == number { unsafe state.pointee.markTag() }
    guard attributeCount > 0, let attributes = unsafe attributes else { return }
    unsafe state.pointee.addAttributes(attributes, count: Int(attributeCount))
}

private let endElement: endElementNsSAX2Func = { address, name, _, _ in
    guard let state = unsafe state(address), let name = unsafe name else { return }
    unsafe state.pointee.close()
    let number = unsafe state.pointee.number(of: name)
    unsafe state.pointee.events.add(.end, name: number, line: state.pointee.line)
}

private let characters: charactersSAXFunc = { address, text, length in
    guard let state = unsafe state(address) else { return }
    unsafe state.pointee.startText()
    if unsafe state.pointee.events.isBehindEnd {
        let bytes = unsafe UnsafeBufferPointer(start: text, count: Int(length))
        if unsafe state.pointee.blanks.count &+ bytes.count < 64, unsafe bytes.allSatisfy({ $0 <= 0x20 }) {
            unsafe state.pointee.blanks.append(contentsOf: bytes)
            return
        }
        unsafe state.pointee.addBlanks()
    }
    let from = unsafe state.pointee.events.text.count
    unsafe state.pointee.add(text, Int(length))
    unsafe state.pointee.events.addText(from: from, isCharacterData: false)
}

private let characterData: cdataBlockSAXFunc = { address, text, length in
    guard let state = unsafe state(address) else { return }
    unsafe state.pointee.startText()
    unsafe state.pointee.addBlanks()
    let from = unsafe state.pointee.events.text.count
    unsafe state.pointee.addCharacterData(text, Int(length))
    unsafe state.pointee.events.addText(from: from, isCharacterData: true)
}

private let structuredError: xmlStructuredErrorFunc = { address, error in
    guard let state = unsafe state(address), let error = unsafe error, unsafe error.pointee.level == XML_ERR_FATAL,
        let message = unsafe error.pointee.message
    else { return }
    var text = unsafe String(cString: message)
    while let last = text.last, last.isWhitespace || last == "." { text.removeLast() }
    let line = unsafe state.pointee.linesPassedBy &+ error.pointee.line
    unsafe state.pointee.fail(text.prefix(1).lowercased() + text.dropFirst(), line: line)
}

private let documentType: internalSubsetSAXFunc = { address, _, _, _ in
    guard let state = unsafe state(address) else { return }
    unsafe state.pointee.hasDocumentType = true
    unsafe state.pointee.isInDocumentType = true
}

private let documentTypeEnd: externalSubsetSAXFunc = { address, _, _, _ in
    guard let state = unsafe state(address) else { return }
    unsafe state.pointee.isInDocumentType = false
}

private let entityDeclaration: entityDeclSAXFunc = { address, name, type, _, _, content in
    guard let state = unsafe state(address), let name = unsafe name, let content = unsafe content,
        type == XML_INTERNAL_GENERAL_ENTITY.rawValue
    else { return }
    unsafe state.pointee.declare(name, content)
}

private let entity: getEntitySAXFunc = { address, name in
    guard let state = unsafe state(address), let name = unsafe name else { return nil }
    return unsafe state.pointee.entity(name)
}

private let unresolvedReference: referenceSAXFunc = { address, name in
    guard let state = unsafe state(address), let name = unsafe name else { return }
    unsafe state.pointee.fail("entity '\(String(cString: name))' is external or unknown")
}
