import ChemopenBytes
import ChemopenModel

/// The tokens of an XML drawing: its elements in the order of the file, without interpretation.
struct CDXMLTokens {
    enum Token {
        case start([UInt8], [CDXMLAttribute])
        case text([UInt8])
        case end
    }

    private(set) var tokens: [Token] = []
    /// The text that is being read.
    private var letters: [UInt8] = []

    /// The name of a text element.
    static let text = DrawnKind.text.nameInBytes

    private static let blockSize = 64 * 1024

    /// Reads the tokens; returns nil if the bytes are not complete XML.
    init?(_ bytes: [UInt8]) {
        let text = CDXMLText.repaired(bytes).bytes
        var parser = XMLParser(knowing: CDXMLNames.vocabulary)
        var start = 0
        repeat {
            let end = min(start + Self.blockSize, text.count)
            parser.push(text.span.extracting(start..<end))
            take(parser.events)
            parser.events.forget(before: .max)
            start = end
        } while start < text.count && parser.failure == nil
        if parser.failure == nil { parser.push(text.span.extracting(0..<0)) }
        take(parser.events)
        guard parser.failure == nil else { return nil }
        leaveOutBlanks()
    }

    private mutating func take(_ events: borrowing XMLEvents) {
        let text = events.text.span
        var place = 0
        while place < events.list.count {
            let event = events.list[place]
            place += 1
            switch event.kind {
            case .start:
                endText()
                var attributes: [CDXMLAttribute] = []
                while place < events.list.count, events.list[place].isAttribute {
                    let attribute = events.list[place]
                    let value = attribute.withText(in: text) { $0.bytes(0..<$0.count) }
                    attributes.append(CDXMLAttribute(name: events.names[Int(attribute.name)], value: value))
                    place += 1
                }
                tokens.append(.start(events.names[Int(event.name)], attributes))
            case .text:
                let more = event.withText(in: text) { $0.bytes(0..<$0.count) }
                letters += more
            case .end:
                endText()
                tokens.append(.end)
            case .attribute: break
            }
        }
    }

    private mutating func endText() {
        if !letters.isEmpty { tokens.append(.text(letters)) }
        letters = []
    }

    /// Removes the blanks between elements; blanks in a run of text are significant.
    private mutating func leaveOutBlanks() {
        var kept: [Token] = []
        kept.reserveCapacity(tokens.count)
        var runs: [Bool] = []
        for token in tokens {
            switch token {
            case .start(let name, _): runs.append(name == CDXMLParts.run)
            case .end: _ = runs.popLast()
            case .text(let text):
                if runs.last != true, text.allSatisfy({ $0 <= 0x20 }) { continue }
            }
            kept.append(token)
        }
        tokens = kept
    }

    /// Whether the elements include a drawing.
    var hasDocument: Bool {
        tokens.contains { token in
            if case .start(let name, _) = token { DrawnKind.named(name) == .document } else { false }
        }
    }

    /// Returns the index of each element's end, by the index of its start.
    func ends() -> [Int] {
        var ends = Array(repeating: 0, count: tokens.count)
        var open: [Int] = []
        for (place, token) in tokens.enumerated() {
            switch token {
            case .start: open.append(place)
            case .end: if let start = open.popLast() { ends[start] = place }
            case .text: break
            }
        }
        return ends
    }

    /// Removes repeated attribute names, which can result from two properties of a binary file or from two
    /// namespaces.
    private static func once(_ attributes: [CDXMLAttribute], _ losses: inout [Loss]) -> [CDXMLAttribute] {
        if attributes.count < 2 { return attributes }
        var seen: Set<[UInt8]> = []
        return attributes.filter { attribute in
            if seen.insert(attribute.name).inserted { return true }
            losses.note(.unknown, "attribute \(Text(bytes: attribute.name).string)")
            return false
        }
    }

    /// Returns the bytes of a file. Characters that XML cannot represent are reported as losses.
    func spelled(_ losses: inout [Loss]) -> [UInt8] {
        var xml = XMLText()
        defer { losses.note(.unknown, "characters that XML cannot represent", count: xml.droppedLetters) }
        var bytes = Array(
            """
            <?xml version="1.0" encoding="UTF-8" ?>
            <!DOCTYPE CDXML SYSTEM "http://www.cambridgesoft.com/xml/cdxml.dtd" >

            """.utf8)
        // If XML can represent no character of a text, the text is omitted, so that its element is written as an empty
        // element.
        let tokens = tokens.compactMap { token -> Token? in
            guard case .text(let text) = token else { return token }
            var letters: [UInt8] = []
            xml.appendEscaped(text, to: &letters)
            return letters.isEmpty ? nil : .text(letters)
        }
        var open: [[UInt8]] = []
        /// The number of open text elements, in which every blank is significant.
        var texts = 0
        for (place, token) in tokens.enumerated() {
            var next: Token?
            if place + 1 < tokens.count { next = tokens[place + 1] }
            var isBare = false
            if case .text? = next { isBare = true }
            switch token {
            case .start(let name, let attributes):
                bytes.append(Ascii.less)
                bytes += name
                let start = bytes.count
                for attribute in Self.once(attributes, &losses) {
                    let end = bytes.count
                    bytes.append(Ascii.blank)
                    bytes += attribute.name
                    bytes.append("=\"")
                    xml.appendEscaped(attribute.value, to: &bytes, inAttribute: true)
                    bytes.append(Ascii.quote)
                    if bytes.count - start > WrittenDrawing.longestTag {
                        losses.note(.unknown, "attribute \(Text(bytes: attribute.name).string), too long for XML")
                        bytes.removeSubrange(end...)
                    }
                }
                open.append(name)
                if name == Self.text { texts += 1 }
                if case .end? = next { bytes.append("/") }
                bytes.append(Ascii.greater)
                if texts > 0 { isBare = true }
                if case .end? = next { continue }
            case .text(let letters):
                bytes += letters
                isBare = true
            case .end:
                guard let name = open.popLast() else { continue }
                if name == Self.text { texts -= 1 }
                var isEmpty = false
                if place > 0, case .start = tokens[place - 1] { isEmpty = true }
                if !isEmpty {
                    bytes.append("</")
                    bytes += name
                    bytes.append(Ascii.greater)
                }
                if texts > 0 { isBare = true }
            }
            if !isBare { bytes.append(Ascii.lineFeed) }
        }
        return bytes
    }
}
